/* quota_stream_test.c - who opens streams and asks questions without end. */
#include "contract.h"
#include "help/chat_site.h"

static const char *const gated =
    "text One [1].\ngate g\ntext  Two.\nfinish stop\ndone\n";

static void few_streams(struct config *c)
{
    c->streams_per_user = 2;
}

static bool streams_are(struct chat_site *r, const char *n)
{
    return strcmp(json_at(&r->site, talk(&r->site, 200, "GET", "/api/me", NULL),
                          "usage.streams"),
                  n) == 0;
}

CONTRACT(attack_quota_of_streams_at_once)
{
    AUTO(chat_site_close)
    struct chat_site r = {.site = {.adjust = few_streams}};
    struct viewer asker, watcher;
    struct ask more = {.method = "POST", .path = "/api/chat"};

    chat_site_open(&r);
    chat_site_script(&r, "gated", gated);
    viewer_ask(&asker, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&asker, "[1]");
    viewer_watch(&watcher, &r, "s1");
    viewer_await(&watcher, "[1]");
    talk_refused(&r.site, 429, "quota_exceeded", NULL, "GET",
                 "/api/chat/s1/stream", NULL);
    CHECK(talk_header("Retry-After").n > 0);
    more.body = chat_site_body(&r, "s2", "q2", "cats", ",'model':'extractive'");
    talk_ask(&r.site, 429, &more);
    talk_with(&r.site, talk_as_ada(&r.site), 204, "GET", "/api/chat/s1/stream",
              NULL);
    viewer_close(&watcher);
    WAIT_UNTIL(streams_are(&r, "1"));
    talk_ask(&r.site, 200, &more);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&asker));
    viewer_close(&asker);
    WAIT_UNTIL(streams_are(&r, "0"));
}

/* A turn that is not stored counts like any other, from its beginning. */
CONTRACT(attack_quota_of_turns_counts_those_that_are_not_stored)
{
    AUTO(chat_site_close) struct chat_site r = {.site = {.turns_per_user = 1}};
    struct client c;
    struct str body = STR("{\"model\":\"footnote\",\"stream\":true,"
                          "\"messages\":[{\"role\":\"user\","
                          "\"content\":\"cats script:gated\"}]}");
    const char *second = "{'model':'footnote@extractive','messages':[{"
                         "'role':'user','content':'cats'}]}";
    struct response t;
    struct json *v;

    chat_site_open(&r);
    chat_site_script(&r, "gated", gated);
    client_open(&c, r.site.served.port);
    client_send(&c, arena_printf(&r.site.arena,
                                 "POST /v1/chat/completions HTTP/1.1\r\nHost: "
                                 "localhost\r\nContent-Type: application/json"
                                 "\r\nContent-Length: %zu\r\n\r\n%s",
                                 body.n, body.p));
    upstream_await(r.up, "g");
    v = talk(&r.site, 429, "POST", "/v1/chat/completions", second);
    CHECK_AT(&r.site, v, "error.code", "'quota_exceeded'");
    upstream_pass(r.up, "g");
    CHECK(client_answer(&c, &t));
    CHECK_INT(t.status, 200);
    talk(&r.site, 200, "POST", "/v1/chat/completions", second);
    client_close(&c);
}
