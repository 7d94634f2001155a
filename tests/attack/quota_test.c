/* quota_test.c - an account that takes all it can get: it gets its share, is
 * told why there is no more, and the other user does not notice. */
#include "attack_site.h"
#include "contract.h"
#include "help/upload.h"

enum { PIECE = 20 * 1000, LIMIT = 200 * 1000 };

#define QUOTA_SITE(name, fn)                                                   \
    AUTO(attack_site_close)                                                    \
    struct attack_site name = {.site = {.adjust = (fn)}};                      \
    attack_site_open(&name)

static void few_bytes(struct config *c)
{
    c->bytes_per_user = LIMIT;
}

static void few_things(struct config *c)
{
    c->documents_per_user = 2;
    c->sessions_per_user = 3;
}

static void few_runs(struct config *c)
{
    c->uploads_per_user = 2;
    c->daily_turns_per_user = 2;
}

static struct json *mallory(struct attack_site *a, int status,
                            const char *method, const char *path,
                            const char *body)
{
    return talk_with(&a->site, a->mallory, status, method, path, body);
}

/* Refused with this code, and with a sentence that names the limit. */
static void refused(struct attack_site *a, int status, const char *code,
                    const char *method, const char *path, const char *body)
{
    struct json *v = mallory(a, status, method, path, body);
    const char *quoted = arena_printf(&a->site.arena, "'%s'", code).p;

    CHECK_AT(&a->site, v, "code", quoted);
    CHECK(strlen(json_at(&a->site, v, "error")) > strlen("'limit'"));
    if (status == 429)
        CHECK(talk_header("retry-after").p != NULL);
}

static const char *many(struct attack_site *a, char c, size_t n)
{
    char *text = arena_many(&a->site.arena, n + 1, char);

    memset(text, c, n);
    return text;
}

static struct answer_to upload_as(struct attack_site *a, const char *who,
                                  int status, const char *query, size_t bytes)
{
    static char fill = 'a';
    struct str path =
        arena_printf(&a->site.arena, "/api/courses/%s/documents?%s",
                     who == a->bo ? "calm" : "c", query);

    return talk_ask(&a->site, status,
                    &(struct ask){.method = "POST",
                                  .path = path.p,
                                  .type = "application/octet-stream",
                                  .header = who,
                                  .body = {many(a, ++fill, bytes), bytes}});
}

static bool metric_is(struct attack_site *a, const char *line)
{
    struct str body = site_get(&a->site, "/metrics").body;

    return strstr(body.p, line) != NULL;
}

/* ---- What is kept -------------------------------------------------------- */

/* Each save brings a source of its own, which the next session cannot share. */
static void save_until_refused(struct attack_site *a)
{
    for (int i = 0; i < 100; i++) {
        struct str path = arena_printf(&a->site.arena,
                                       "/api/sessions/fill-%d/messages", i % 3);
        struct str body =
            arena_printf(&a->site.arena,
                         "{'role':'assistant','content':'So [1].','sources':[{"
                         "'sourceType':'web','url':'https://example.org/%d',"
                         "'contentPreview':'%s'}]}",
                         i, many(a, 'x', PIECE / 2));
        struct str json = arena_str(&a->site.arena, body);
        struct ask ask = {.method = "POST",
                          .path = path.p,
                          .header = a->mallory,
                          .body = json};

        for (size_t k = 0; k < json.n; k++)
            if (json.p[k] == '\'')
                ((char *)(uintptr_t)json.p)[k] = '"';
        if (site_ask(&a->site, &ask).status == 413)
            return;
        other_user_goes_on(a);
    }
    FAIL("everything was taken");
}

CONTRACT(attack_quota_of_bytes_closes_every_way_in)
{
    QUOTA_SITE(a, few_bytes);
    struct json *v;
    int64_t used = 0;
    const char *open = "{'id':'own','role':'assistant','status':'streaming',"
                       "'content':'So '}";

    mallory(&a, 201, "POST", "/api/courses", "{'id':'c','title':'C'}");
    mallory(&a, 201, "POST", "/api/sessions/mine/messages", open);
    mallory(&a, 201, "POST", "/api/sessions/s/messages",
            "{'id':'u','role':'user','content':'Why?'}");
    mallory(&a, 201, "POST", "/api/sessions/s/messages",
            "{'id':'m','role':'assistant','content':'So.'}");
    save_until_refused(&a);
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions", "{}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/courses",
            "{'title':'New'}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions/s/messages",
            arena_printf(&a.site.arena, "{'role':'user','content':'%s'}",
                         many(&a, 'x', PIECE))
                .p);
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions/new/messages",
            arena_printf(&a.site.arena, "{'role':'user','content':'%s'}",
                         many(&a, 'x', PIECE))
                .p);
    refused(&a, 413, "quota_exceeded", "POST", "/api/courses/c/documents",
            arena_printf(&a.site.arena,
                         "{'kind':'text','title':'T','text':'%s'}",
                         many(&a, 'x', PIECE))
                .p);
    upload_as(&a, a.mallory, 413, "filename=a.txt", LIMIT / 2);
    upload_await_objects(0);
    CHECK(metric_is(&a, "footnote_refusals_total{limit=\"bytes\"}"));
    CHECK(!metric_is(&a, "footnote_refusals_total{limit=\"bytes\"} 0"));

    /* What runs goes on, and what is deleted makes room. */
    mallory(&a, 200, "PATCH", "/api/messages/own",
            "{'append':'it is.','status':'complete'}");
    other_user_goes_on(&a);
    v = mallory(&a, 200, "GET", "/api/me", NULL);
    CHECK_AT(&a.site, v, "limits.bytes", "200000");
    CHECK_AT(&a.site, v, "limits.documents", "null");
    CHECK(str_i64(str_c(json_at(&a.site, v, "usage.bytes")), &used));
    CHECK(used > LIMIT / 2);
}

/* Once over, not even a byte. */
static void no_bytes(struct config *c)
{
    c->bytes_per_user = 6000;
}

CONTRACT(attack_quota_over_it_nothing_new_is_taken)
{
    QUOTA_SITE(a, no_bytes);
    const char *source = "{'sources':[{'sourceType':'slide','documentId':'d',"
                         "'slideNumber':1}]}";

    mallory(&a, 201, "POST", "/api/courses", "{'id':'c','title':'C'}");
    mallory(&a, 201, "POST", "/api/sessions/s/messages",
            "{'id':'u','role':'user','content':'Why?'}");
    mallory(&a, 201, "POST", "/api/sessions/s/messages",
            arena_printf(&a.site.arena,
                         "{'id':'m','role':'assistant','content':'%s'}",
                         many(&a, 'x', 1100))
                .p);
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions", "{}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/courses",
            "{'title':'New'}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/courses/c/documents",
            "{'kind':'page','url':'https://example.org/'}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/messages/m/sources",
            source);
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions/s/retrievals",
            "{'userMessageId':'u','query':'why','sources':[]}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions/s/messages",
            "{'role':'user','content':'And?'}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/query",
            "{'query':'And?','thread_id':'s'}");
    other_user_goes_on(&a);
    mallory(&a, 204, "DELETE", "/api/sessions/s", NULL);
    mallory(&a, 201, "POST", "/api/sessions", "{}");
}

CONTRACT(attack_quota_of_documents_and_sessions)
{
    QUOTA_SITE(a, few_things);
    struct json *v;

    mallory(&a, 201, "POST", "/api/courses", "{'id':'c','title':'C'}");
    upload_as(&a, a.mallory, 202, "filename=a.txt&id=a", 10);
    upload_as(&a, a.mallory, 202, "filename=b.txt&id=b", 10);
    upload_as(&a, a.mallory, 413, "filename=c.txt&id=c", 10);
    upload_await_objects(2); /* the third is not left behind */
    refused(&a, 413, "quota_exceeded", "POST", "/api/courses/c/documents",
            "{'kind':'text','title':'T','text':'t'}");
    for (int i = 0; i < 3; i++)
        mallory(&a, 201, "POST", "/api/sessions", "{}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions", "{}");
    refused(&a, 413, "quota_exceeded", "POST", "/api/sessions/n/messages",
            "{'role':'user','content':'x'}");
    other_user_goes_on(&a);
    v = mallory(&a, 200, "GET", "/api/me", NULL);
    CHECK_AT(&a.site, v, "usage.documents", "2");
    CHECK_AT(&a.site, v, "usage.sessions", "3");
    CHECK_AT(&a.site, v, "limits.sessions", "3");
    CHECK(metric_is(&a, "footnote_refusals_total{limit=\"sessions\"} 2"));
    mallory(&a, 204, "DELETE", "/api/documents/a", NULL);
    upload_as(&a, a.mallory, 202, "filename=c.txt&id=c", 10);
}

/* ---- What runs ----------------------------------------------------------- */

static void begin_upload(struct attack_site *a, struct client *c,
                         const char *name, size_t bytes)
{
    struct str head =
        arena_printf(&a->site.arena,
                     "POST /api/courses/c/documents?filename=%s HTTP/1.1\r\n"
                     "Host: localhost\r\n%s\r\nContent-Length: %zu\r\n"
                     "Content-Type: application/octet-stream\r\n\r\nx",
                     name, a->mallory, bytes);

    client_open(c, a->site.served.port);
    client_send(c, head);
}

static bool uploads_are(struct attack_site *a, const char *n)
{
    return strcmp(json_at(&a->site, mallory(a, 200, "GET", "/api/me", NULL),
                          "usage.uploads"),
                  n) == 0;
}

CONTRACT(attack_quota_of_uploads_at_once)
{
    QUOTA_SITE(a, few_runs);
    struct client one, two;
    struct response t;
    struct answer_to third;

    mallory(&a, 201, "POST", "/api/courses", "{'id':'c','title':'C'}");
    talk_with(&a.site, a.bo, 201, "POST", "/api/courses",
              "{'id':'calm','title':'C'}");
    begin_upload(&a, &one, "a.txt", PIECE);
    begin_upload(&a, &two, "b.txt", PIECE);
    WAIT_UNTIL(uploads_are(&a, "2"));
    third = upload_as(&a, a.mallory, 429, "filename=c.txt", 10);
    CHECK(strstr(third.headers.p, "Retry-After: 1") != NULL);
    CHECK(strstr(third.body.p, "quota_exceeded") != NULL);
    upload_as(&a, a.bo, 202, "filename=c.txt", 10);
    other_user_goes_on(&a);
    client_close(&one); /* it goes without a word */
    WAIT_UNTIL(uploads_are(&a, "1"));
    client_send(&two, (struct str){many(&a, 'y', PIECE - 1), PIECE - 1});
    CHECK(client_answer(&two, &t));
    CHECK_INT(t.status, 202);
    client_close(&two);
    WAIT_UNTIL(uploads_are(&a, "0"));
    upload_as(&a, a.mallory, 202, "filename=d.txt", 10);
}

/* The second is refused by its length, before any of it is read. */
CONTRACT(attack_quota_uploads_reserve_their_bytes)
{
    QUOTA_SITE(a, few_bytes);
    struct client one, two, three;
    struct response t;

    mallory(&a, 201, "POST", "/api/courses", "{'id':'c','title':'C'}");
    begin_upload(&a, &one, "a.txt", LIMIT * 2 / 3);
    WAIT_UNTIL(uploads_are(&a, "1"));
    begin_upload(&a, &two, "b.txt", LIMIT * 2 / 3);
    CHECK(client_answer(&two, &t));
    CHECK_INT(t.status, 413);
    CHECK(strstr(t.body.p, "quota_exceeded") != NULL);
    client_close(&two);
    client_close(&one);
    WAIT_UNTIL(uploads_are(&a, "0"));

    /* Without a length it is refused when it is too much. */
    client_open(&three, a.site.served.port);
    client_send(&three,
                arena_printf(&a.site.arena,
                             "POST /api/courses/c/documents?filename=c.txt "
                             "HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                             "Transfer-Encoding: chunked\r\nContent-Type: "
                             "application/octet-stream\r\n\r\n",
                             a.mallory));
    for (int i = 0; i < 100; i++)
        client_send(&three, arena_printf(&a.site.arena, "%x\r\n%s\r\n", PIECE,
                                         many(&a, 'z', PIECE)));
    CHECK(client_answer(&three, &t));
    CHECK_INT(t.status, 413);
    client_close(&three);
    upload_await_objects(0);
    other_user_goes_on(&a);
}

CONTRACT(attack_quota_of_questions_a_day)
{
    QUOTA_SITE(a, few_runs);
    struct json *v;
    int64_t wait_s = 0;

    for (int i = 0; i < 2; i++)
        mallory(&a, 200, "POST", "/api/query", "{'query':'Why?'}");
    refused(&a, 429, "quota_exceeded", "POST", "/api/query",
            "{'query':'Why?'}");
    CHECK(str_i64(talk_header("retry-after"), &wait_s) && wait_s > 0);
    refused(&a, 429, "quota_exceeded", "POST", "/api/chat",
            "{'id':'s','messages':[{'id':'q','role':'user','parts':[{"
            "'type':'text','text':'Why?'}]}]}");
    v = mallory(&a, 200, "GET", "/api/me", NULL);
    CHECK_AT(&a.site, v, "usage.turnsToday", "2");
    CHECK_AT(&a.site, v, "limits.turnsToday", "2");
    CHECK(metric_is(&a, "footnote_refusals_total{limit=\"turns\"} 2"));
    talk_with(&a.site, a.bo, 200, "POST", "/api/query", "{'query':'Why?'}");
    other_user_goes_on(&a);
}

/* ---- The disk ------------------------------------------------------------ */

static void no_disk(struct config *c)
{
    c->disk_reserve = INT64_MAX;
}

/* It is nobody's fault, so everybody is told; reading goes on. */
CONTRACT(attack_quota_a_disk_that_is_nearly_full_takes_nothing_new)
{
    QUOTA_SITE(a, no_disk);

    refused(&a, 507, "disk_full", "POST", "/api/sessions", "{}");
    refused(&a, 507, "disk_full", "POST", "/api/sessions/s/messages",
            "{'role':'user','content':'x'}");
    refused(&a, 507, "disk_full", "POST", "/api/chat",
            "{'id':'s','messages':[{'id':'q','role':'user','parts':[{"
            "'type':'text','text':'Why?'}]}]}");
    mallory(&a, 200, "GET", "/api/sessions", NULL);
    mallory(&a, 200, "GET", "/api/me", NULL);
    CHECK(strstr(site_get(&a.site, "/readyz").body.p, "\"writable\":false") !=
          NULL);
    CHECK(metric_is(&a, "footnote_disk_full 1"));
    CHECK(metric_is(&a, "footnote_refusals_total{limit=\"disk\"} 3"));
}
