/* documents_test.c - documents over a socket: brought, listed, read, replaced,
 * deleted; and what others may see of them. */
#include "contract.h"
#include "help/upload.h"

#include "store/document/document.h"

#define PATH "/api/courses/c/documents"
static const struct upload_part no_more = {NULL, NULL, NULL};

static void make_course(struct site *s)
{
    talk(s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
}

/* ---- Forms and files ---------------------------------------------------- */

CONTRACT(document_from_a_form_is_taken_and_given_back)
{
    SITE(s);
    const struct upload_part parts[] = {{"title", NULL, "Heat"},
                                        {"file", "L4 \xc3\xbc.pdf", UPLOAD_PDF},
                                        {"id", NULL, "d"},
                                        no_more};
    struct json *v;

    make_course(&s);
    v = upload_to(&s, NULL, 202, "POST", PATH, parts);
    CHECK_TEXT(talk_header("Location"), STR("/api/documents/d"));
    CHECK_AT(&s, v, "id", "'d'");
    CHECK_AT(&s, v, "courseId", "'c'");
    CHECK_AT(&s, v, "kind", "'slides'");
    CHECK_AT(&s, v, "title", "'Heat'");
    CHECK_AT(&s, v, "filename", "'L4 \xc3\xbc.pdf'");
    CHECK_AT(&s, v, "mediaType", "'application/pdf'");
    CHECK_AT(&s, v, "bytes", "24");
    CHECK_AT(&s, v, "version", "1");
    CHECK_AT(&s, v, "searchableVersion", "null");
    CHECK_AT(&s, v, "status", "'queued'");
    CHECK_AT(&s, v, "error", "null");
    v = talk(&s, 200, "GET", "/api/documents/d", NULL);
    CHECK_AT(&s, v, "id", "'d'");
    CHECK_TEXT(talk_ask(&s, 200,
                        &(struct ask){.method = "GET",
                                      .path = "/api/documents/d/download"})
                   .body,
               STR(UPLOAD_PDF));
    CHECK_TEXT(talk_header("Content-Type"), STR("application/pdf"));
    CHECK_TEXT(talk_header("Content-Disposition"),
               STR("attachment; filename=\"L4 _.pdf\"; "
                   "filename*=UTF-8''L4%20%C3%BC.pdf"));
    CHECK_TEXT(talk_header("X-Content-Type-Options"), STR("nosniff"));
    CHECK_TEXT(talk_header("Content-Security-Policy"),
               STR("default-src 'none'; sandbox"));
    CHECK_TEXT(talk_header("Cache-Control"), STR("private, no-cache"));
    CHECK_INT(upload_objects(), 1);
}

CONTRACT(document_with_the_same_bytes_is_the_same)
{
    SITE(s);
    struct json *v;
    const char *id;

    make_course(&s);
    v = upload_bytes(&s, 202, "filename=a.pdf", STR(UPLOAD_PDF));
    id = json_at(&s, v, "id");
    v = upload_bytes(&s, 200, "filename=b.pdf", STR(UPLOAD_PDF));
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    CHECK_AT(&s, v, "id", id);
    upload_await_objects(1); /* the second one's bytes are gone */
    v = upload_bytes(&s, 202, "filename=b.pdf&id=other", STR(UPLOAD_PDF));
    CHECK_AT(&s, v, "id", "'other'");
    v = talk(&s, 200, "GET", PATH "?limit=1", NULL);
    CHECK_EACH(&s, v, "documents", "id", id);
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, PATH "?cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "documents", "id", "'other'");
    CHECK_AT(&s, v, "nextCursor", "null");
}

CONTRACT(document_upload_repeated_under_a_key_is_one)
{
    SITE(s);
    const char *key = "Idempotency-Key: k1";
    struct upload_part parts[] = {
        {"file", "a.txt", "Entropy grows."}, {"title", NULL, "T"}, no_more};
    struct json *v;
    const char *id;

    make_course(&s);
    v = upload_to(&s, key, 202, "POST", PATH, parts);
    id = json_at(&s, v, "id");
    v = upload_to(&s, key, 200, "POST", PATH, parts);
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    CHECK_AT(&s, v, "id", id);
    parts[1].body = "U";
    v = upload_to(&s, key, 422, "POST", PATH, parts);
    CHECK_AT(&s, v, "code", "'key_reused'");
    upload_await_objects(1);
}

CONTRACT(document_kind_is_seen_in_the_file)
{
    static const struct {
        const char *query, *body, *kind, *type;
    } files[] = {
        {"filename=a.md", "# A", "'text'", "'text/markdown; charset=utf-8'"},
        {"filename=a.txt", "A b", "'text'", "'text/plain; charset=utf-8'"},
        {"filename=a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n",
         "'lecture'", "'text/vtt'"},
        {"filename=e.md&date=2024-02-29&title=On+heat", "Heat.", "'journal'",
         "'text/markdown; charset=utf-8'"},
        {"filename=..%2f..%5Cx%2Fb.pdf&kind=text", UPLOAD_PDF, "'text'",
         "'application/pdf'"}};
    SITE(s);

    make_course(&s);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct json *v =
            upload_bytes(&s, 202, files[i].query, str_c(files[i].body));

        CHECK_AT(&s, v, "kind", files[i].kind);
        CHECK_AT(&s, v, "mediaType", files[i].type);
        if (i == 4)
            CHECK_AT(&s, v, "filename", "'b.pdf'");
    }
}

/* ---- What is refused ---------------------------------------------------- */

CONTRACT(document_files_that_cannot_be_are_refused)
{
    static const struct {
        int status;
        const char *code, *query, *body;
    } files[] = {
        {415, "'unsupported_type'", "x=y", "a"},
        {415, "'unsupported_type'", "filename=a.pdf",
         "\x7f"
         "ELF\x02\x01"},
        {400, "'invalid_field'", "filename=", "a"},
        {400, "'invalid_field'", "filename=a%2F", "a"},
        {400, "'invalid_field'", "filename=a%01b.txt", "a"},
        {422, "'impossible'", "filename=a.txt", ""},
        {422, "'impossible'", "filename=a.txt&kind=slides", "a"},
        {422, "'impossible'", "filename=a.txt&kind=lecture", "a"},
        {422, "'impossible'", "filename=a.txt&kind=page", "a"},
        {422, "'impossible'", "filename=a.mp4",
         "\0\0\0\x18"
         "ftypmp42"},
        {400, "'invalid_field'", "filename=a.txt&kind=poem", "a"},
        {400, "'invalid_field'", "filename=a.txt&kind=journal", "a"},
        {400, "'invalid_field'", "filename=a.txt&date=2023-02-29", "a"},
        {400, "'invalid_field'", "filename=a.txt&date=2023-2-9", "a"},
    };
    SITE(s);

    make_course(&s);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        size_t n = i == 9 ? 12 : strlen(files[i].body);
        struct json *v = upload_bytes(&s, files[i].status, files[i].query,
                                      (struct str){files[i].body, n});

        CHECK_AT(&s, v, "code", files[i].code);
    }
    CHECK_EACH(&s, talk(&s, 200, "GET", PATH, NULL), "documents", "id", "");
    upload_await_objects(0);
}

CONTRACT(document_forms_that_cannot_be_are_refused)
{
    static const struct {
        int status;
        const char *code, *where;
        struct upload_part parts[4];
    } forms[] = {
        {400, "'invalid_field'", "'/file'", {{"title", NULL, "T"}}},
        {400, "'invalid_field'", "'/file'", {{"file", NULL, "T"}}},
        {400, "'invalid_field'", "'/file'", {{"file", "", "T"}}},
        {400,
         "'unknown_field'",
         "'/ownerId'",
         {{"ownerId", NULL, "eve"}, {"file", "a.txt", "x"}}},
        {400,
         "'unknown_field'",
         "'/other'",
         {{"file", "a.txt", "x"}, {"other", "b.txt", "y"}}},
        {400,
         "'invalid_field'",
         "'/file'",
         {{"file", "a.txt", "x"}, {"file", "b.txt", "y"}}},
        {400,
         "'invalid_field'",
         "'/media'",
         {{"file", "a.vtt", "x"}, {"media", NULL, "ftp://x/y"}}},
        {400,
         "'invalid_field'",
         "'/media'",
         {{"file", "a.vtt", "x"}, {"media", NULL, "http://u:p@x/y"}}},
        {415,
         "'unsupported_type'",
         "'/media'",
         {{"file", "a.vtt", "x"}, {"media", "b.html", "<p>"}}},
        {422,
         "'impossible'",
         "'/media'",
         {{"file", "a.txt", "x"}, {"media", "b.mp3", "ID3 y"}}},
        {400,
         "'invalid_field'",
         "'/title'",
         {{"title", NULL, "\xff"}, {"file", "a.txt", "x"}}},
    };
    SITE(s);

    make_course(&s);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct json *v =
            upload_to(&s, NULL, forms[i].status, "POST", PATH, forms[i].parts);

        CHECK_AT(&s, v, "code", forms[i].code);
        CHECK_AT(&s, v, "where", forms[i].where);
    }
    talk_ask(&s, 400,
             &(struct ask){.method = "POST",
                           .path = PATH,
                           .type = UPLOAD_TYPE,
                           .body = STR("--BoUnDaRy\r\nContent-Disposition: "
                                       "form-data; name=\"file\"; filename="
                                       "\"a.txt\"\r\n\r\ncut o")});
    talk_ask(&s, 400,
             &(struct ask){.method = "POST",
                           .path = PATH,
                           .type = "multipart/form-data",
                           .body = STR("x")});
    CHECK_EACH(&s, talk(&s, 200, "GET", PATH, NULL), "documents", "id", "");
    upload_await_objects(0);
}

/* ---- JSON --------------------------------------------------------------- */

CONTRACT(document_entries_texts_and_pages_come_as_json)
{
    SITE(s);
    struct json *v;
    const char *id;

    make_course(&s);
    v = talk(&s, 202, "POST", PATH,
             "{'kind':'journal','date':'2024-01-15','title':'On entropy',"
             "'text':'It grows.'}");
    id = json_at(&s, v, "id");
    CHECK_AT(&s, v, "kind", "'journal'");
    CHECK_AT(&s, v, "date", "'2024-01-15'");
    CHECK_AT(&s, v, "version", "1");
    v = talk(&s, 202, "POST", PATH,
             "{'kind':'journal','date':'2024-01-15','title':'On entropy',"
             "'text':'It always grows.'}");
    CHECK_AT(&s, v, "id", id); /* the same ref is a new version */
    CHECK_AT(&s, v, "version", "2");
    v = talk(&s, 202, "POST", PATH,
             "{'kind':'text','id':'t','title':'T','text':'Heat flows.'}");
    CHECK_AT(&s, v, "id", "'t'");
    CHECK_TEXT(talk_ask(&s, 200,
                        &(struct ask){.method = "GET",
                                      .path = "/api/documents/t/download"})
                   .body,
               STR("Heat flows."));
    v = talk(&s, 202, "POST", PATH,
             "{'kind':'page','url':'https://example.com/heat?a=b#c'}");
    CHECK_AT(&s, v, "url", "'https://example.com/heat?a=b#c'");
    CHECK_AT(&s, v, "bytes", "null");
    talk_refused(&s, 404, "not_found", NULL, "GET",
                 arena_printf(&s.arena, "/api/documents/%.36s/download",
                              json_at(&s, v, "id") + 1)
                     .p,
                 NULL);
}

CONTRACT(document_json_that_cannot_be_is_refused)
{
    static const struct {
        const char *code, *where, *body;
    } asks[] = {
        {"invalid_field", "/kind", "{}"},
        {"invalid_field", "/kind", "{'kind':'slides','text':'x'}"},
        {"invalid_field", "/kind", "{'kind':7}"},
        {"invalid_field", "/date", "{'kind':'journal','title':'T','text':'x'}"},
        {"invalid_field", "/date",
         "{'kind':'journal','date':'15.1.2024','title':'T','text':'x'}"},
        {"invalid_field", "/title",
         "{'kind':'journal','date':'2024-01-15','text':'x'}"},
        {"invalid_field", "/text", "{'kind':'text','title':'T','text':''}"},
        {"unknown_field", "/url",
         "{'kind':'text','title':'T','text':'x','url':'http://x/'}"},
        {"unknown_field", "/ownerId",
         "{'kind':'text','title':'T','text':'x','ownerId':'eve'}"},
        {"invalid_field", "/url", "{'kind':'page'}"},
        {"invalid_field", "/url", "{'kind':'page','url':'file:///etc/passwd'}"},
        {"invalid_field", "/url", "{'kind':'page','url':'http://a:b@c/'}"},
        {"invalid_field", "/url", "{'kind':'page','url':'http:///x'}"},
    };
    SITE(s);

    make_course(&s);
    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
        talk_refused(&s, 400, asks[i].code, asks[i].where, "POST", PATH,
                     asks[i].body);
    talk_refused(&s, 400, "bad_json", NULL, "POST", PATH, "[");
    upload_await_objects(0);
}

/* ---- Versions ----------------------------------------------------------- */

static struct str download(struct site *s, const char *query)
{
    struct str path =
        arena_printf(&s->arena, "/api/documents/d/download%s", query);

    return talk_ask(s, 200, &(struct ask){.method = "GET", .path = path.p})
        .body;
}

CONTRACT(document_gets_a_new_version_and_keeps_the_old)
{
    SITE(s);
    const struct upload_part second[] = {{"file", "b.pdf", "%PDF-1.4 second"},
                                         no_more};
    const struct upload_part other[] = {{"file", "b.txt", "text"}, no_more};
    struct json *v;

    upload_course(&s);
    upload_status(&s, "d", DOCUMENT_READY);
    v = upload_to(&s, NULL, 202, "PUT", "/api/documents/d", second);
    CHECK_AT(&s, v, "version", "2");
    CHECK_AT(&s, v, "searchableVersion", "1");
    CHECK_AT(&s, v, "title", "'Heat'");
    CHECK_AT(&s, v, "status", "'queued'");
    CHECK_TEXT(download(&s, ""), STR("%PDF-1.4 second"));
    CHECK_TEXT(download(&s, "?version=1"), STR(UPLOAD_PDF));
    CHECK_TEXT(talk_header("Cache-Control"),
               STR("private, max-age=31536000, immutable"));
    upload_status(&s, "d", DOCUMENT_READY);
    v = upload_to(&s, NULL, 200, "PUT", "/api/documents/d", second);
    CHECK_AT(&s, v, "version", "2");
    upload_await_objects(2);
    v = upload_to(&s, NULL, 422, "PUT", "/api/documents/d", other);
    CHECK_AT(&s, v, "code", "'impossible'");
    talk_refused(&s, 404, "document_not_found", NULL, "GET",
                 "/api/documents/d/download?version=3", NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/documents/d/download?version=x", NULL);
    talk_refused(&s, 400, "invalid_field", "/kind", "PUT", "/api/documents/d",
                 "{'text':'x'}");
    talk_refused(&s, 404, "document_not_found", NULL, "PUT",
                 "/api/documents/none", "{'text':'x'}");
    upload_await_objects(2);
}

CONTRACT(document_text_gets_a_new_version)
{
    SITE(s);
    struct json *v;

    make_course(&s);
    talk(&s, 202, "POST", PATH,
         "{'kind':'text','id':'d','title':'T','text':'one'}");
    v = talk(&s, 202, "PUT", "/api/documents/d", "{'text':'two'}");
    CHECK_AT(&s, v, "version", "2");
    CHECK_AT(&s, v, "title", "'T'");
    CHECK_TEXT(download(&s, ""), STR("two"));
    talk_refused(&s, 422, "impossible", "/kind", "PUT", "/api/documents/d",
                 "{'kind':'page','url':'http://x/'}");
    talk_refused(&s, 400, "unknown_field", "/id", "PUT", "/api/documents/d",
                 "{'id':'e','text':'x'}");
}

CONTRACT(document_list_is_by_status_and_deletion_is_for_good)
{
    SITE(s);
    struct json *v;

    upload_course(&s);
    upload_bytes(&s, 202, "filename=b.txt&id=e", STR("b"));
    upload_status(&s, "e", DOCUMENT_FAILED);
    v = talk(&s, 200, "GET", PATH "?status=queued", NULL);
    CHECK_EACH(&s, v, "documents", "id", "'d'");
    v = talk(&s, 200, "GET", PATH "?status=failed", NULL);
    CHECK_EACH(&s, v, "documents", "id", "'e'");
    CHECK_AT(&s, v, "documents.0.error", "'It is broken.'");
    talk_refused(&s, 400, "invalid_field", NULL, "GET", PATH "?status=lost",
                 NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "DELETE",
                 "/api/documents/d?citations=maybe", NULL);
    talk(&s, 204, "DELETE", "/api/documents/d?citations=redact", NULL);
    talk(&s, 204, "DELETE", "/api/documents/d", NULL);
    talk_refused(&s, 404, "document_not_found", NULL, "GET", "/api/documents/d",
                 NULL);
    talk_refused(&s, 404, "document_not_found", NULL, "GET",
                 "/api/documents/d/download", NULL);
    v = upload_bytes(&s, 409, "filename=a.pdf&id=d", STR(UPLOAD_PDF));
    CHECK_AT(&s, v, "code", "'id_taken'");
    v = talk(&s, 200, "GET", PATH, NULL);
    CHECK_EACH(&s, v, "documents", "id", "'e'");
}

/* ---- Whose -------------------------------------------------------------- */

static const struct {
    int stranger, reader;
    const char *method, *path, *body;
} calls[] = {
    {404, 200, "GET", "", NULL},
    {404, 200, "GET", "/download", NULL},
    {404, 404, "GET", "/media", NULL},
    {404, 404, "GET", "/transcript", NULL},
    {404, 200, "GET", "/citations", NULL},
    {404, 403, "PUT", "", "{'text':'x'}"},
    {204, 403, "DELETE", "", NULL},
};

/* Not there, and there but not theirs: the same answer. */
CONTRACT(document_of_another_is_like_one_that_never_was)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);

    upload_course(&s);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        for (int j = 0; j < 2; j++) {
            struct str path = arena_printf(&s.arena, "/api/documents/%s%s",
                                           j ? "d" : "none", calls[i].path);
            struct json *v = talk_with(&s, ada, calls[i].stranger,
                                       calls[i].method, path.p, calls[i].body);

            if (v)
                CHECK_AT(&s, v, "error", "'Document not found'");
        }
    for (int j = 0; j < 2; j++) {
        struct str course =
            arena_printf(&s.arena, "/api/courses/%s/", j ? "c" : "none");

        talk_with(&s, ada, 404, "GET",
                  arena_printf(&s.arena, "%.*sdocuments", STR_ARG(course)).p,
                  NULL);
        talk_with(&s, ada, 404, "POST",
                  arena_printf(&s.arena, "%.*sdocuments", STR_ARG(course)).p,
                  "{'kind':'text','title':'T','text':'x'}");
        talk_with(&s, ada, 404, "GET",
                  arena_printf(&s.arena, "%.*sstats", STR_ARG(course)).p, NULL);
    }
    talk(&s, 200, "GET", "/api/documents/d", NULL);
}

CONTRACT(document_counts_are_shown_to_editors_and_readers_their_own)
{
    SITE(s);
    const char *ada = talk_as_ada(&s), *stats = "/api/courses/c/stats";

    upload_course(&s);
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    talk(&s, 201, "POST", "/api/sessions/s/messages",
         "{'role':'assistant','content':'So [1].','sources':[{'sourceType':"
         "'slide','documentId':'d','slideNumber':1,'courseId':'c'}]}");
    CHECK_EACH(&s, talk(&s, 200, "GET", stats, NULL), "mostCited", "count",
               "1");
    CHECK_EACH(&s, talk_with(&s, ada, 200, "GET", stats, NULL), "neverCited",
               "documentId", "'d'");
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'editor'}");
    CHECK_EACH(&s, talk_with(&s, ada, 200, "GET", stats, NULL), "mostCited",
               "count", "1");
}

CONTRACT(document_readers_read_and_editors_write)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    upload_course(&s);
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        struct str path =
            arena_printf(&s.arena, "/api/documents/d%s", calls[i].path);
        struct answer_to a = site_ask(
            &s, &(struct ask){.method = calls[i].method,
                              .path = path.p,
                              .header = ada,
                              .body = calls[i].body ? STR("{\"text\":\"x\"}")
                                                    : STR_NONE});

        CHECK_INT(a.status, calls[i].reader);
    }
    v = talk_with(&s, ada, 403, "POST", PATH,
                  "{'kind':'text','title':'T','text':'x'}");
    CHECK_AT(&s, v, "code", "'forbidden'");
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'editor'}");
    talk_with(&s, ada, 202, "POST", PATH,
              "{'kind':'text','title':'T','text':'x'}");
    talk_with(&s, ada, 204, "DELETE", "/api/documents/d", NULL);
}
