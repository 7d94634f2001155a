/* files_test.c - a document's bytes over a socket: parts, recordings,
 * transcripts, pages; waiting for it, searching it, citing it. */
#include "base/clock.h"
#include "contract.h"
#include "help/upload.h"
#include "object/object.h"
#include "store/document/document.h"

enum {
    MEGABYTE = 1024 * 1024,
    FOUR_MB = 4 * MEGABYTE,
    LARGE_BYTES = 300 * MEGABYTE,
    GROWTH_KB_MAX = 24 * 1024,
    TAKES_S = 120
};

#define PATH "/api/courses/c/documents"
#define CUES "WEBVTT\n\n00:01.000 --> 00:02.500\nEntropy grows.\n"
#define FILM "\x1a\x45\xdf\xa3 not much of a film"
static const struct upload_part no_more = {NULL, NULL, NULL};

static struct answer_to get(struct site *s, int status, const char *path,
                            const char *header)
{
    return talk_ask(
        s, status,
        &(struct ask){.method = "GET", .path = path, .header = header});
}

/* ---- Bytes -------------------------------------------------------------- */

CONTRACT(document_download_gives_parts_and_knows_its_tag)
{
    SITE(s);
    struct str tag;

    upload_course(&s);
    get(&s, 200, "/api/documents/d/download", NULL);
    tag = arena_str(&s.arena, talk_header("ETag"));
    CHECK(tag.n > 30);
    CHECK_TEXT(
        get(&s, 206, "/api/documents/d/download", "Range: bytes=0-3").body,
        STR("%PDF"));
    CHECK_TEXT(talk_header("Content-Range"), STR("bytes 0-3/24"));
    get(&s, 416, "/api/documents/d/download", "Range: bytes=24-");
    get(&s, 304, "/api/documents/d/download",
        arena_printf(&s.arena, "If-None-Match: %.*s", STR_ARG(tag)).p);
    get(&s, 304, "/api/documents/d/download", "If-None-Match: *");
    talk_ask(
        &s, 200,
        &(struct ask){.method = "HEAD", .path = "/api/documents/d/download"});
    CHECK_TEXT(talk_header("Content-Length"), STR("24"));
}

CONTRACT(document_recording_lies_beside_its_transcript)
{
    SITE(s);
    const struct upload_part film[] = {{"media", "talk.webm", FILM},
                                       {"file", "talk.vtt", CUES},
                                       {"id", NULL, "film"},
                                       no_more};
    const struct upload_part link[] = {
        {"file", "talk.vtt", CUES},
        {"media", NULL, "https://example.com/talk.mp4"},
        {"id", NULL, "link"},
        no_more};
    struct json *v;

    upload_course(&s);
    v = upload_to(&s, NULL, 202, "POST", PATH, film);
    CHECK_AT(&s, v, "kind", "'lecture'");
    CHECK_AT(&s, v, "hasMedia", "true");
    upload_await_objects(3);
    CHECK_TEXT(get(&s, 200, "/api/documents/film/media", NULL).body, STR(FILM));
    CHECK_TEXT(talk_header("Content-Type"), STR("video/webm"));
    CHECK_TEXT(talk_header("Content-Disposition"),
               STR("inline; filename=\"talk.webm\""));
    CHECK_TEXT(
        get(&s, 206, "/api/documents/film/media", "Range: bytes=-4").body,
        STR("film"));
    v = site_json(&s,
                  get(&s, 200, "/api/documents/film/transcript", NULL).body);
    CHECK_AT(&s, v, "cues.0.text", "'Entropy grows.'");
    CHECK_AT(&s, v, "cues.0.start", "1");
    CHECK_AT(&s, v, "cues.0.end", "2.5");
    upload_to(&s, NULL, 202, "POST", PATH, link);
    CHECK_TEXT(get(&s, 200, "/api/documents/link/media", NULL).body,
               STR("{\"url\":\"https://example.com/talk.mp4\"}"));
    CHECK_TEXT(talk_header("Content-Type"), STR("application/json"));
    CHECK(!talk_header("Location").p); /* nobody is sent anywhere */
    get(&s, 200, "/api/documents/link/media", "Range: bytes=0-3");
    v = talk(&s, 404, "GET", "/api/documents/d/media", NULL);
    CHECK_AT(&s, v, "code", "'not_found'");
    talk_refused(&s, 404, "not_found", NULL, "GET",
                 "/api/documents/d/transcript", NULL);
}

/* The row is there and the file is not as it was: that is said, never shown. */
CONTRACT(document_file_that_was_lost_is_an_error)
{
    SITE(s);
    struct document_get op = {.id = STR("d")};
    struct footnote_err err;

    upload_course(&s);
    CHECK_OK(store_read(s.served.store,
                        (struct who){STR("default"), STR("local")}, &s.arena,
                        OP(document_get), &op, &err),
             &err);
    CHECK_OK(object_delete(s.served.objects, op.document.object_key, &err),
             &err);
    talk_refused(&s, 500, "integrity_error", NULL, "GET",
                 "/api/documents/d/download", NULL);
}

/* ---- Waiting ------------------------------------------------------------ */

enum { ASKED_MS = 60 * 1000 }; /* as ?wait=60 says */

struct waiting {
    struct site *site;
    const char *path;
    int64_t took_ms;
    struct str body;
};

static void *wait_for_it(void *arg)
{
    struct waiting *w = arg;
    struct client c;
    struct response a;
    int64_t from = clock_mono_ms();

    client_open(&c, w->site->served.port);
    a = client_get(&c, w->path);
    CHECK_INT(a.status, 200);
    w->took_ms = clock_mono_ms() - from;
    w->body = arena_str(&w->site->arena, a.body);
    client_close(&c);
    return NULL;
}

CONTRACT(document_thread_a_change_wakes_who_waits_for_it)
{
    SITE(s);
    struct waiting w = {.site = &s, .path = "/api/documents/d?wait=60"};
    struct server_counts n = {.requests = 0};
    pthread_t thread;

    upload_course(&s);
    CHECK_INT(pthread_create(&thread, NULL, wait_for_it, &w), 0);
    while (n.open_connections < 2) /* it has come, or is about to */
        server_count(s.served.server, &n);
    upload_status(&s, "d", DOCUMENT_READY);
    pthread_join(thread, NULL);
    CHECK(w.took_ms < ASKED_MS);
    CHECK_AT(&s, site_json(&s, w.body), "status", "'ready'");
    wait_for_it(&w); /* which is at an end: there is nothing to wait for */
    CHECK(w.took_ms < ASKED_MS);
}

CONTRACT(document_thread_waiting_ends_when_time_is_up)
{
    SITE(s);
    struct waiting w = {.site = &s, .path = "/api/documents/d?wait=1"};

    upload_course(&s);
    wait_for_it(&w);
    CHECK(w.took_ms >= 1000);
    CHECK_AT(&s, site_json(&s, w.body), "status", "'queued'");
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/documents/d?wait=61", NULL);
    talk_refused(&s, 404, "document_not_found", NULL, "GET",
                 "/api/documents/none?wait=60", NULL);
}

/* A server that stops, and clients that go, do not wait for the change. */
CONTRACT(document_thread_waiting_does_not_hold_the_server)
{
    SITE(s);
    struct str ask = STR("GET /api/documents/d?wait=60 HTTP/1.1\r\n"
                         "Host: localhost\r\n\r\n");
    struct client gone, waits;
    struct response a;

    upload_course(&s);
    client_open(&gone, s.served.port);
    client_open(&waits, s.served.port);
    client_send(&gone, ask);
    client_send(&waits, ask);
    CHECK(client_is_quiet(&gone, 200));
    CHECK(client_is_quiet(&waits, 200));
    client_reset(&gone);
    server_stop(s.served.server);
    CHECK(client_answer(&waits, &a));
    CHECK_INT(a.status, 200);
    client_close(&waits);
}

/* ---- Citing ------------------------------------------------------------- */

CONTRACT(document_citations_and_counts_are_told)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    upload_course(&s);
    upload_bytes(&s, 202, "filename=b.txt&id=e&title=Unread", STR("b"));
    upload_status(&s, "d", DOCUMENT_READY);
    talk(&s, 201, "POST", "/api/sessions", "{'id':'s','courseId':'c'}");
    for (int i = 0; i < 2; i++)
        talk(&s, 201, "POST", "/api/sessions/s/messages",
             "{'role':'assistant','content':'So [1].','sources':[{"
             "'sourceType':'slide','documentId':'d','slideNumber':3,"
             "'courseId':'c','contentPreview':'x'}]}");
    v = talk(&s, 200, "GET", "/api/documents/d/citations?limit=1", NULL);
    CHECK_EACH(&s, v, "citations", "sessionId", "'s'");
    CHECK_AT(&s, v, "citations.0.cited", "true");
    CHECK_AT(&s, v, "citations.0.chunkNumber", "1");
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, "/api/documents/d/citations?cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "citations", "sessionId", "'s'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_refused(&s, 400, "bad_cursor", NULL, "GET",
                 "/api/documents/d/citations?cursor=bXMx", NULL);
    v = talk(&s, 200, "GET", "/api/courses/c/stats", NULL);
    CHECK_EACH(&s, v, "mostCited", "documentId", "'d'");
    CHECK_AT(&s, v, "mostCited.0.count", "2");
    CHECK_EACH(&s, v, "neverCited", "title", "'Unread'");
    CHECK_AT(&s, v, "perDay.0.count", "2");
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    v = talk_with(&s, ada, 200, "GET", "/api/documents/d/citations", NULL);
    CHECK_EACH(&s, v, "citations", "sessionId", ""); /* not ada's session */
}

/* Version 1 of d is cited by s, and by ada's a; 2 by nothing; 3 is newest. */
static void cite_an_old_version(struct site *s, const char *ada)
{
    static const char cite[] =
        "{'role':'assistant','content':'So [1].','sources':[{"
        "'sourceType':'slide','documentId':'d','slideNumber':3,'courseId':'c',"
        "'contentPreview':'x','documentVersion':2}]}";
    const struct upload_part second[] = {{"file", "b.pdf", "%PDF-1.4 second"},
                                         {NULL, NULL, NULL}},
                             third[] = {{"file", "c.pdf", "%PDF-1.4 third"},
                                        {NULL, NULL, NULL}};

    upload_course(s);
    upload_status(s, "d", DOCUMENT_READY);
    talk(s, 201, "POST", "/api/sessions", "{'id':'s','courseId':'c'}");
    talk(s, 201, "POST", "/api/sessions/s/messages", cite);
    talk(s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    talk_with(s, ada, 201, "POST", "/api/sessions/a/messages", cite);
    upload_to(s, NULL, 202, "PUT", "/api/documents/d", second);
    upload_status(s, "d", DOCUMENT_READY);
    upload_to(s, NULL, 202, "PUT", "/api/documents/d", third);
    upload_status(s, "d", DOCUMENT_READY);
}

CONTRACT(document_source_says_the_version_that_was_cited)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    cite_an_old_version(&s, ada);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'changed'");
    CHECK_AT(&s, v, "messages.0.sources.0.documentVersion", "1");
    v = talk(&s, 200, "GET", "/api/documents/d?version=1", NULL);
    CHECK_AT(&s, v, "filename", "'a.pdf'");
    CHECK_AT(&s, v, "version", "3");
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/a/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.documentVersion", "1");
    talk(&s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/a/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'withdrawn'");
    CHECK_AT(&s, v, "messages.0.sources.0.documentVersion", "null");
    talk_with(&s, ada, 404, "GET", "/api/documents/d?version=1", NULL);
    talk_refused(&s, 404, "document_not_found", NULL, "GET",
                 "/api/documents/d?version=4", NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/documents/d?version=0", NULL);
    talk(&s, 200, "DELETE", "/api/documents/d/versions", NULL);
    talk(&s, 200, "GET", "/api/documents/d?version=1", NULL);
    talk_refused(&s, 404, "document_not_found", NULL, "GET",
                 "/api/documents/d?version=2", NULL);
    talk(&s, 204, "DELETE", "/api/documents/d", NULL);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'deleted'");
    CHECK_AT(&s, v, "messages.0.sources.0.documentVersion", "1");
}

/* ---- Much, and half of it ----------------------------------------------- */

static void send_zeroes(struct client *c, size_t n)
{
    static char zeroes[64 * 1024];

    while (n) {
        size_t some = n < sizeof(zeroes) ? n : sizeof(zeroes);

        client_send(c, (struct str){zeroes, some});
        n -= some;
    }
}

static void begin_upload(struct site *s, struct client *c, size_t bytes)
{
    client_open(c, s->served.port);
    client_send(c, arena_printf(&s->arena,
                                "POST " PATH "?filename=a.pdf HTTP/1.1\r\n"
                                "Host: localhost\r\nContent-Type: x/y\r\n"
                                "Content-Length: %zu\r\n\r\n%%PDF-1.4",
                                bytes));
}

TEST_LIMIT(document_upload_of_300_mb_leaves_memory_as_it_is, TAKES_S)
{
    SITE(s);
    struct client c;
    struct response a;
    long before;

    upload_course(&s);
    before = client_memory();
    begin_upload(&s, &c, LARGE_BYTES);
    send_zeroes(&c, LARGE_BYTES - 8);
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 202);
    client_check_memory(before, GROWTH_KB_MAX);
    CHECK_AT(&s, site_json(&s, a.body), "bytes", "314572800");
    client_close(&c);
}

CONTRACT(document_uploads_that_are_given_up_leave_nothing)
{
    SITE(s);
    struct client c;
    struct response a;

    upload_course(&s);
    for (int i = 0; i < 3; i++) {
        begin_upload(&s, &c, FOUR_MB);
        send_zeroes(&c, MEGABYTE);
        upload_await_objects(2); /* it has begun to be one */
        if (i == 0) {
            client_reset(&c);
        } else if (i == 1) {
            client_close(&c);
        } else {
            client_half_close(&c);
            CHECK(client_answer(&c, &a));
            CHECK_INT(a.status, 400);
            client_close(&c);
        }
        upload_await_objects(1);
    }
    CHECK_EACH(&s, talk(&s, 200, "GET", PATH, NULL), "documents", "id", "'d'");
}

CONTRACT(document_upload_over_the_limit_is_refused_at_the_door)
{
    SITE(s);
    struct client c;
    struct response a;

    upload_course(&s);
    begin_upload(&s, &c, (size_t)513 * MEGABYTE);
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 413);
    client_close(&c);
    client_open(&c, s.served.port); /* no course: not a byte is wanted */
    client_send(&c, STR("POST /api/courses/none/documents?filename=a HTTP/1.1"
                        "\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
                        "Expect: 100-continue\r\n\r\n"));
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 404);
    client_close(&c);
    upload_await_objects(1);
}
