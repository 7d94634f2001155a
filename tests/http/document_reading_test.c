/* document_reading_test.c - documents that are really read in, over a socket:
 * pages, search, and hits that are posted back. */
#include "contract.h"
#include "help/upload.h"
#include "ingest/work/ingest.h"

#define PATH "/api/courses/c/documents"
enum { FILE_BYTES_MAX = 1024 * 1024 };

/* A site with a worker that reads documents in, and course c. */
struct readers {
    struct site site;
    struct ingest *ingest;
};

static struct site *open_readers(struct readers *t)
{
    struct ingest_options o = {.workers = 1};
    struct footnote_err err;

    site_open(&t->site);
    o.store = t->site.served.store;
    o.objects = t->site.served.objects;
    CHECK_OK(ingest_open(&o, &t->ingest, &err), &err);
    talk(&t->site, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    return &t->site;
}

static void close_readers(struct readers *t)
{
    ingest_close(t->ingest);
    site_close(&t->site);
}

static struct str file_of(struct site *s, const char *name)
{
    AUTO(buf_free) struct buf b = BUF(FILE_BYTES_MAX);
    char path[256];
    FILE *f;

    snprintf(path, sizeof(path), "tests/ingest/files/%s", name);
    f = fopen(path, "rb");
    CHECK(f != NULL);
    for (int c = getc(f); c != EOF; c = getc(f))
        buf_add_c(&b, (char)c);
    fclose(f);
    return arena_str(&s->arena, buf_str(&b));
}

/* Asks until it is at an end, each time waiting for the next change. */
static struct json *read_in(struct site *s, const char *id, const char *status)
{
    struct str path = arena_printf(&s->arena, "/api/documents/%s?wait=20", id);

    for (int i = 0; i < 4; i++) {
        struct json *v = talk(s, 200, "GET", path.p, NULL);

        if (strcmp(json_at(s, v, "status"), status) == 0)
            return v;
    }
    FAIL("%s is not %s", id, status);
}

/* A picture may be larger, and no larger than that. */
static void check_scales(struct site *s)
{
    struct ask ask = {.method = "GET"};
    struct str tag;

    ask.path = "/api/documents/d/pages/5.png";
    size_t bytes = talk_ask(s, 200, &ask).body.n;
    tag = arena_str(&s->arena, talk_header("ETag"));
    ask.path = "/api/documents/d/pages/5.png?scale=2";
    CHECK(talk_ask(s, 200, &ask).body.n > bytes);
    CHECK(!str_eq(talk_header("ETag"), tag));
    for (size_t i = 0; i < 4; i++)
        talk_refused(s, 400, "invalid_field", NULL, "GET",
                     (const char *const[]){
                         "/api/documents/d/pages/5.png?scale=3",
                         "/api/documents/d/pages/5.png?scale=0",
                         "/api/documents/d/pages/5.png?scale=1e9",
                         "/api/documents/d/pages/5.png?scale=",
                     }[i],
                     NULL);
}

CONTRACT_LIMIT(reading_slides_gives_pages_and_passages, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    struct json *v, *hit;
    struct answer_to a;

    upload_bytes(s, 202, "filename=slides.pdf&id=d", file_of(s, "slides.pdf"));
    v = read_in(s, "d", "'ready'");
    CHECK_AT(s, v, "title", "'Sound and waves'");
    CHECK_AT(s, v, "pages", "7");
    CHECK_AT(s, v, "searchableVersion", "1");
    CHECK_AT(s, v, "progress", "{'done':7,'total':7,'unit':'pages'}");
    a = talk_ask(
        s, 200,
        &(struct ask){.method = "GET", .path = "/api/documents/d/pages/5.png"});
    CHECK(str_starts(a.body, STR("\x89PNG")));
    CHECK_TEXT(talk_header("Content-Type"), STR("image/png"));
    talk_ask(
        s, 304,
        &(struct ask){.method = "GET",
                      .path = "/api/documents/d/pages/5.png?version=1",
                      .header = arena_printf(&s->arena, "If-None-Match: %.*s",
                                             STR_ARG(talk_header("ETag")))
                                    .p});
    CHECK_TEXT(talk_header("Cache-Control"),
               STR("private, max-age=31536000, immutable"));
    check_scales(s);
    v = talk(s, 200, "GET", "/api/documents/d/pages/1", NULL);
    CHECK_AT(s, v, "width", "720");
    CHECK_AT(s, v, "words.0.t", "'Sound'");
    CHECK(strstr(json_at(s, v, "passages.0.text"), "Sound and waves"));
    CHECK_AT(s, v, "passages.1", "absent");
    talk_refused(s, 404, "not_found", NULL, "GET", "/api/documents/d/pages/8",
                 NULL);
    talk_refused(s, 404, "not_found", NULL, "GET",
                 "/api/documents/d/pages/0.png", NULL);
    v = talk(s, 200, "GET", "/api/search?q=loudness+decibels&courseId=c", NULL);
    CHECK_AT(s, v, "lowConfidence", "false");
    CHECK_AT(s, v, "hits.0.sourceId", "'doc_d_slide_5'");
    CHECK_AT(s, v, "hits.0.chunkNumber", "null");
    CHECK_AT(s, v, "hits.0.score", "1");
    hit = json_get(v, STR("hits"))->first;
    v = talk(s, 201, "POST", "/api/sessions/s/messages",
             arena_printf(&s->arena,
                          "{\"role\":\"assistant\",\"content\":\"So [1].\","
                          "\"sources\":[%.*s]}",
                          STR_ARG(hit->raw))
                 .p);
    CHECK_AT(s, v, "sources.0.sourceId", "'doc_d_slide_5'");
    CHECK_AT(s, v, "sources.0.state", "'live'");
    CHECK_AT(s, v, "sources.0.cited", "true");
    v = talk(s, 200, "GET", "/api/documents/d/citations", NULL);
    CHECK_EACH(s, v, "citations", "sessionId", "'s'");
}

/* Of each version what its file says: a paper has tall pages and may have
 * numbers of its own on them, slides are wide. */
CONTRACT_LIMIT(reading_a_paper_tells_its_layout_and_page_labels, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    const char *labels = "[{'page':1,'style':'i','prefix':'','first':1},"
                         "{'page':3,'style':'1','prefix':'','first':1}]";
    struct json *v;

    v = upload_bytes(s, 202, "filename=fog.pdf&id=d", file_of(s, "labels.pdf"));
    CHECK_AT(s, v, "layout", "null");
    CHECK_AT(s, v, "pageLabels", "null");
    v = read_in(s, "d", "'ready'");
    CHECK_AT(s, v, "layout", "'tall'");
    CHECK_AT(s, v, "pageLabels", labels);
    v = talk(s, 200, "GET", "/api/courses/c/documents", NULL);
    CHECK_AT(s, v, "documents.0.pageLabels", labels);
    v = talk(s, 200, "GET", "/api/search?q=moist+air+dew+point&courseId=c",
             NULL);
    CHECK_AT(s, v, "hits.0.sourceType", "'slide'");
    CHECK_AT(s, v, "hits.0.meta", "{'layout':'tall'}");
    talk_ask(s, 202,
             &(struct ask){.method = "PUT",
                           .path = "/api/documents/d?filename=slides.pdf",
                           .header = "Content-Type: application/octet-stream",
                           .body = file_of(s, "slides.pdf")});
    v = read_in(s, "d", "'ready'");
    CHECK_AT(s, v, "layout", "'wide'");
    CHECK_AT(s, v, "pageLabels", "null");
    v = talk(s, 200, "GET", "/api/search?q=loudness+decibels&courseId=c", NULL);
    CHECK_AT(s, v, "hits.0.meta", "null");
    v = talk(s, 200, "GET", "/api/documents/d?version=1", NULL);
    CHECK_AT(s, v, "layout", "'tall'");
    CHECK_AT(s, v, "pageLabels", labels);
}

/* Each version marks its own passages; what is deleted marks nothing. */
CONTRACT_LIMIT(reading_a_new_version_leaves_the_marks_of_the_old_one, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    struct json *v;
    const char *box;

    upload_bytes(s, 202, "filename=slides.pdf&id=d", file_of(s, "slides.pdf"));
    read_in(s, "d", "'ready'");
    v = talk(s, 200, "GET", "/api/documents/d/pages/5?version=1", NULL);
    CHECK_TEXT(talk_header("Cache-Control"),
               STR("private, max-age=31536000, immutable"));
    CHECK(strstr(json_at(s, v, "passages.0.text"), "Loudness"));
    box = json_at(s, v, "passages.0.boxes.0");
    CHECK(strncmp(box, "{'x':", 5) == 0);
    CHECK_AT(s, v, "passages.1", "absent");
    talk_ask(s, 202,
             &(struct ask){.method = "PUT",
                           .path = "/api/documents/d?filename=paper.pdf",
                           .header = "Content-Type: application/octet-stream",
                           .body = file_of(s, "paper.pdf")});
    read_in(s, "d", "'ready'");
    v = talk(s, 200, "GET", "/api/documents/d/pages/1", NULL);
    CHECK(strstr(json_at(s, v, "passages.0.text"), "fog"));
    v = talk(s, 200, "GET", "/api/documents/d/pages/5?version=1", NULL);
    CHECK_AT(s, v, "passages.0.boxes.0", box);
    talk(s, 204, "DELETE", "/api/documents/d?citations=redact", NULL);
    talk(s, 404, "GET", "/api/documents/d/pages/5?version=1", NULL);
}

CONTRACT_LIMIT(reading_what_is_broken_fails_with_a_sentence, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    struct json *v;

    upload_bytes(s, 202, "filename=b.pdf&id=b", file_of(s, "broken.pdf"));
    upload_bytes(s, 202, "filename=e.pdf&id=e", file_of(s, "encrypted.pdf"));
    talk(s, 202, "POST", PATH,
         "{'kind':'text','id':'t','title':'T','text':'Heat flows downhill.'}");
    v = read_in(s, "b", "'failed'");
    CHECK(strlen(json_at(s, v, "error")) > 20);
    CHECK_AT(s, v, "errorCode", "'damaged'");
    talk_refused(s, 404, "not_found", NULL, "GET",
                 "/api/documents/b/pages/1.png", NULL);
    v = read_in(s, "e", "'failed'");
    CHECK(strstr(json_at(s, v, "error"), "password"));
    CHECK_AT(s, v, "errorCode", "'password'");
    read_in(s, "t", "'ready'"); /* others go on */
    v = talk(s, 200, "GET", "/api/search?q=heat+flows", NULL);
    CHECK_EACH(s, v, "hits", "documentId", "'t'");
    talk(s, 204, "DELETE", "/api/documents/t", NULL);
    v = talk(s, 200, "GET", "/api/search?q=heat+flows", NULL);
    CHECK_EACH(s, v, "hits", "documentId", "");
    CHECK_AT(s, v, "lowConfidence", "true");
    /* Replaced by what can be read, no reason is left. */
    talk_ask(s, 202,
             &(struct ask){.method = "PUT",
                           .path = "/api/documents/e?filename=e.pdf",
                           .header = "Content-Type: application/octet-stream",
                           .body = file_of(s, "slides.pdf")});
    v = read_in(s, "e", "'ready'");
    CHECK_AT(s, v, "error", "null");
    CHECK_AT(s, v, "errorCode", "null");
}

CONTRACT_LIMIT(reading_search_finds_only_what_one_may_read, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    const char *ada = talk_as_ada(s);
    struct json *v;

    talk(s, 202, "POST", PATH,
         "{'kind':'text','id':'t','title':'T','text':'The canary sings.'}");
    read_in(s, "t", "'ready'");
    v = talk(s, 200, "GET", "/api/search?q=canary", NULL);
    CHECK_EACH(s, v, "hits", "documentId", "'t'");
    v = talk_with(s, ada, 200, "GET", "/api/search?q=canary", NULL);
    CHECK_AT(s, v, "hits", "[]");
    talk_with(s, ada, 404, "GET", "/api/search?q=canary&courseId=c", NULL);
    talk_with(s, ada, 404, "GET", "/api/search?q=canary&documentId=t", NULL);
    talk(s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    v = talk_with(s, ada, 200, "GET", "/api/search?q=canary", NULL);
    CHECK_EACH(s, v, "hits", "documentId", "'t'");
    talk(s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    v = talk_with(s, ada, 200, "GET", "/api/search?q=canary", NULL);
    CHECK_AT(s, v, "hits", "[]");
    talk_refused(s, 400, "invalid_field", NULL, "GET", "/api/search", NULL);
    talk_refused(s, 400, "invalid_field", NULL, "GET",
                 "/api/search?q=x&limit=0", NULL);
    talk_refused(s, 404, "course_not_found", NULL, "GET",
                 "/api/search?q=x&courseId=none", NULL);
    /* A session that is not there yet has cited nothing. */
    talk(s, 200, "GET", "/api/search?q=x&sessionId=none", NULL);
}

/* ---- Marks -------------------------------------------------------------- */

/* Two pages of a few lines.  Until slides were their own passages, they were
 * one, of page 2; it may still be cited. */
static struct str two_pages(struct site *s)
{
    static const char *const lines[] = {
        "(Steam lifts the) Tj T* (piston of an engine.) Tj",
        "(Heat flows from warm to cold) Tj T* (bodies by itself, and it) Tj T* "
        "(never flows back without any work.) Tj"};
    AUTO(buf_free) struct buf b = BUF(FILE_BYTES_MAX);

    buf_add(&b, STR("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                    "2 0 obj<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>endobj\n"
                    "3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
                    "endobj\n"));
    for (int i = 0; i < 2; i++) {
        struct str text = arena_printf(
            &s->arena, "BT /F1 20 Tf 30 TL 60 700 Td %s ET", lines[i]);

        buf_printf(&b,
                   "%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"
                   "/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>endobj\n"
                   "%d 0 obj<</Length %zu>>stream\n%s\nendstream endobj\n",
                   4 + 2 * i, 5 + 2 * i, 5 + 2 * i, text.n, text.p);
    }
    buf_add(&b, STR("trailer<</Root 1 0 R/Size 8>>\n%%EOF\n"));
    return arena_str(&s->arena, buf_str(&b));
}

#define PASSAGE                                                                \
    "'Steam lifts the\\npiston of an engine.\\n\\nHeat flows from warm to "    \
    "cold\\nbodies by itself, and it\\nnever flows back without any work.'"
#define ASK(claims)                                                            \
    "{'passage':" PASSAGE ",'claims':[" claims "],'documentId':'d','page':2}"

/* A claim of the page before opens that page; lines of a sentence go on. */
CONTRACT_LIMIT(reading_marks_say_where_a_claim_stands, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    struct json *v;

    upload_bytes(s, 202, "filename=two.pdf&id=d", two_pages(s));
    read_in(s, "d", "'ready'");
    v = talk(s, 200, "GET", "/api/search?q=piston", NULL);
    CHECK_AT(s, v, "hits.0.slideNumber", "1");
    v = talk(s, 200, "POST", "/api/marks",
             ASK("'So. Steam lifts the piston of an engine','Warm bodies give "
                 "heat to cold bodies, which flows by itself','Otters'"));
    CHECK_AT(s, v, "claims.0", "{'exact':true,'spans':[[0,36]],'page':1}");
    CHECK_AT(s, v, "claims.1", "{'exact':false,'spans':[[38,126]],'page':2}");
    CHECK_AT(s, v, "claims.2", "{'exact':false,'spans':[]}");
    CHECK_AT(s, v, "pages.0.page", "1");
    CHECK_AT(s, v, "pages.0.width", "595");
    CHECK_AT(s, v, "pages.1.page", "2");
    CHECK_AT(s, v, "pages.2", "absent");
    for (int i = 0; i < 2; i++) /* a box for each line */
        CHECK_AT(s, v, i ? "pages.0.claims.0.1.x" : "pages.0.passage.1.x",
                 "60");
    CHECK_AT(s, v, "pages.0.claims.0.2", "absent");
    CHECK_AT(s, v, "pages.0.claims.1", "[]");
    CHECK(*json_at(s, v, "pages.1.claims.1.2") == '{');
    CHECK_AT(s, v, "pages.1.claims.0", "[]");
    CHECK_AT(s, v, "pages.1.passage.3", "absent");
    v = talk(s, 200, "POST", "/api/marks", ASK("[0,36],[0,0],[38,900]"));
    CHECK_AT(s, v, "claims.0", "{'exact':false,'spans':[[0,36]],'page':1}");
    CHECK_AT(s, v, "claims.1", "{'exact':false,'spans':[]}");
    CHECK_AT(s, v, "claims.2.spans", "[[38,126]]");
    CHECK_AT(s, v, "pages.0.claims.0.1.x", "60");
    talk_refused(s, 400, "invalid_field", "/claims/1", "POST", "/api/marks",
                 ASK("'x',[3,2]"));
    talk_refused(s, 400, "invalid_field", "/claims/0", "POST", "/api/marks",
                 ASK("[1]"));
    talk_refused(s, 400, "invalid_field", "/claims/0", "POST", "/api/marks",
                 ASK("[-1,'2']"));
    talk_refused(s, 400, "invalid_field", "/claims", "POST", "/api/marks",
                 ASK("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));
}

/* Of the version that is cited, by those who may read it. */
CONTRACT_LIMIT(reading_marks_are_of_their_version_and_its_readers, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    const char *ada = talk_as_ada(s);
    struct json *v;

    upload_bytes(s, 202, "filename=two.pdf&id=d", two_pages(s));
    read_in(s, "d", "'ready'");
    talk_with(s, ada, 404, "POST", "/api/marks", ASK(""));
    talk_ask(s, 202,
             &(struct ask){.method = "PUT",
                           .path = "/api/documents/d?filename=paper.pdf",
                           .header = "Content-Type: application/octet-stream",
                           .body = file_of(s, "paper.pdf")});
    read_in(s, "d", "'ready'");
    v = talk(s, 200, "POST", "/api/marks", ASK("'Steam lifts the piston'"));
    CHECK_AT(s, v, "pages", "[]");
    CHECK_AT(s, v, "claims.0", "{'exact':true,'spans':[[0,22]]}");
    v = talk(s, 200, "POST", "/api/marks",
             "{'version':1,'passage':" PASSAGE ",'claims':['Steam lifts the "
             "piston'],'documentId':'d','page':2}");
    CHECK_AT(s, v, "pages.0.page", "1");
    CHECK_AT(s, v, "claims.0.page", "1");
    talk(s, 204, "DELETE", "/api/documents/d?citations=redact", NULL);
    talk_refused(s, 404, "document_not_found", NULL, "POST", "/api/marks",
                 ASK(""));
}

CONTRACT_LIMIT(reading_marks_find_the_lines_of_a_recording, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    struct json *v;

    upload_bytes(s, 202, "filename=lecture.vtt&id=l",
                 file_of(s, "lecture.vtt"));
    read_in(s, "l", "'ready'");
    v = talk(s, 200, "POST", "/api/marks",
             "{'documentId':'l','startSeconds':0.5,'endSeconds':18,'passage':"
             "'Welcome back. Last week we met temperature, and today we meet "
             "heat & work. Heat is energy that moves because of a difference "
             "in temperature.','claims':['Last week we met temperature, and "
             "today we meet heat & work.','Heat is energy that moves']}");
    CHECK_AT(s, v, "claims.0.startSeconds", "0.5");
    CHECK_AT(s, v, "claims.0.endSeconds", "7.25");
    CHECK_AT(s, v, "claims.1.startSeconds", "7.25");
    CHECK_AT(s, v, "lines.0.line", "0");
    CHECK_AT(s, v, "lines.0.claims", "[[[14,43]],[]]");
    CHECK_AT(s, v, "lines.1.claims", "[[[0,30]],[]]");
    CHECK_AT(s, v, "lines.2.claims", "[[],[[0,25]]]");
    CHECK_AT(s, v, "lines.3", "absent");
}

/* The largest that may be sent, chosen so that every word is like the others:
 * it is answered. */
CONTRACT_LIMIT(reading_marks_of_the_largest_texts_are_found, 120)
{
    AUTO(close_readers) struct readers t = {.ingest = NULL};
    struct site *s = open_readers(&t);
    AUTO(buf_free) struct buf b = BUF(FILE_BYTES_MAX);
    struct json *v;

    upload_bytes(s, 202, "filename=two.pdf&id=d", two_pages(s));
    read_in(s, "d", "'ready'");
    buf_add(&b, STR("{\"documentId\":\"d\",\"page\":1,\"passage\":\""));
    while (b.n < 65000)
        buf_add(&b, STR("aa. aa ab "));
    buf_add(&b, STR("\",\"claims\":["));
    for (int i = 0; i < 16; i++) {
        buf_add(&b, i ? STR(",\"") : STR("\""));
        for (int k = 0; k < 400; k++)
            buf_add(&b, STR("aa aa. ab "));
        buf_add_c(&b, '"');
    }
    buf_add(&b, STR("]}"));
    v = talk(s, 200, "POST", "/api/marks", arena_str(&s->arena, buf_str(&b)).p);
    CHECK_AT(s, v, "pages", "[]");
    CHECK(json_at(s, v, "claims.15.exact"));
    talk_refused(s, 400, "invalid_field", "/passage", "POST", "/api/marks",
                 "{'claims':[]}");
    talk_refused(s, 400, "invalid_field", "/page", "POST", "/api/marks",
                 "{'passage':'x','page':0}");
    talk_refused(s, 400, "invalid_field", "/version", "POST", "/api/marks",
                 "{'passage':'x','version':0}");
    talk_refused(s, 400, "unknown_field", "/x", "POST", "/api/marks",
                 "{'passage':'x','x':0}");
}
