/* ops_test.c - health, readiness, version, metrics, pages and the log. */
#include <fcntl.h>
#include <unistd.h>

#include "base/log.h"
#include "config/config.h"
#include "contract.h"
#include "help/site.h"

enum { LOG_BYTES_MAX = 64 * 1024 };

static bool has(struct str text, const char *part)
{
    return text.p && memmem(text.p, text.n, part, strlen(part)) != NULL;
}

static void check_has(struct str text, const char *part)
{
    if (!has(text, part))
        FAIL("no \"%s\" in: %.*s", part, STR_ARG(text));
}

static struct answer_to get_with(struct site *s, const char *path,
                                 const char *header)
{
    return site_ask(
        s, &(struct ask){.method = "GET", .path = path, .header = header});
}

/* ---- Up, ready, version ------------------------------------------------- */

CONTRACT(thread_ops_a_server_that_can_serve_says_so)
{
    struct site s = {.curl = NULL};
    struct answer_to t;

    site_open(&s);
    CHECK_TEXT(site_get(&s, "/healthz").body, STR("{\"status\":\"ok\"}"));
    t = site_get(&s, "/readyz");
    CHECK_INT(t.status, 200);
    check_has(t.headers, "Cache-Control: no-store");
    check_has(t.body, "\"database\":\"ok\"");
    site_close(&s);
}

/* Half a head is there when the server is told to end: it is read on. */
TEST(thread_ops_a_server_that_ends_is_not_ready)
{
    struct site s = {.curl = NULL};
    struct client c;
    struct response a;

    site_open(&s);
    client_open(&c, s.served.port);
    client_send(&c, STR("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        "GET /readyz HTTP/1.1\r\n"));
    CHECK(client_answer(&c, &a));
    server_stop(s.served.server);
    client_send(&c, STR("Host: localhost\r\n\r\n"));
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 503);
    check_has(a.body, "\"draining\"");
    CHECK(response_header(&a, "retry-after").p != NULL);
    client_close(&c);
    site_close(&s);
}

TEST(thread_ops_a_server_without_its_postgres_is_not_ready)
{
    struct site s = {.curl = NULL};
    struct answer_to t;

    contract_engine("postgres");
    site_open(&s);
    test_drop_database();
    t = site_get(&s, "/readyz");
    CHECK_INT(t.status, 503);
    check_has(t.body, "\"store_busy\"");
    check_has(t.headers, "Retry-After: ");
    CHECK_INT(site_get(&s, "/healthz").status, 200); /* it is up all the same */
    site_close(&s);
}

TEST(thread_ops_version_has_the_api_and_a_tag)
{
    struct site s = {.curl = NULL};
    struct json *v;
    struct answer_to t;

    site_open(&s);
    t = site_get(&s, "/version");
    v = site_json(&s, t.body);
    CHECK_INT(json_get(v, STR("api"))->i, 1);
    CHECK_TEXT(json_get(v, STR("version"))->s, config_build().version);
    check_has(t.headers, "ETag: \"");
    site_close(&s);
}

/* ---- Metrics ------------------------------------------------------------ */

CONTRACT(thread_ops_metrics_count_by_route_and_never_by_path)
{
    struct site s = {.curl = NULL};
    struct answer_to t;

    site_open(&s);
    site_get(&s, "/api/sessions/a-secret-id");
    site_get(&s, "/api/sessions/another-secret");
    site_get(&s, "/a-secret-path");
    t = site_get(&s, "/metrics");
    CHECK_INT(t.status, 200);
    CHECK_TEXT(t.type, STR("text/plain; version=0.0.4; charset=utf-8"));
    check_has(t.body, "footnote_http_requests_total{route=\"/api/sessions/{id}"
                      "\",method=\"GET\",code=\"404\"} 2\n");
    check_has(t.body, "footnote_http_requests_total{route=\"none\",method="
                      "\"GET\",code=\"404\"} 1\n");
    check_has(t.body, "footnote_http_request_duration_seconds_bucket{route="
                      "\"/api/sessions/{id}\",method=\"GET\",le=\"+Inf\"} 2\n");
    check_has(t.body, "\nfootnote_http_connections 1\n");
    check_has(t.body, "\nfootnote_http_body_bytes 0\n");
    check_has(t.body, "\nfootnote_db_bytes ");
    check_has(t.body, "\nfootnote_ingest_queue 0\n");
    check_has(t.body, "\nfootnote_answers_to_interrupt 0\n");
    CHECK(!has(t.body, "\nfootnote_db_bytes 0\n"));
    check_has(t.body, "\nfootnote_build_info{version=\"");
    CHECK(!has(t.body, "secret"));
    site_close(&s);
}

TEST(thread_ops_metrics_count_head_and_what_is_no_request)
{
    struct site s = {.curl = NULL};
    struct client c;
    struct answer_to t;

    site_open(&s);
    site_ask(&s, &(struct ask){.method = "HEAD", .path = "/healthz"});
    client_open(&c, s.served.port);
    client_send(&c, STR("no request at all\r\n\r\n"));
    CHECK(client_sees_end(&c, test_wait_ms()));
    client_close(&c);
    t = site_get(&s, "/metrics");
    check_has(t.body, "{route=\"/healthz\",method=\"HEAD\",code=\"200\"} 1\n");
    check_has(t.body, "{route=\"none\",method=\"none\",code=\"400\"} 1\n");
    site_close(&s);
}

/* A proxy on the same machine asks for others. */
static void check_token(struct site *s, const char *token, int status)
{
    struct str line = arena_printf(
        &s->arena, "X-Forwarded-For: 1.2.3.4\r\nAuthorization: Bearer %s",
        token);

    CHECK_INT(get_with(s, "/metrics", line.p).status, status);
}

TEST(thread_ops_metrics_through_a_proxy_need_the_token)
{
    struct site s = {.curl = NULL};

    s.metrics_token = STR("0123456789abcdef");
    site_open(&s);
    CHECK_INT(get_with(&s, "/metrics", "X-Forwarded-For: ::1").status, 401);
    CHECK_INT(get_with(&s, "/metrics", "Forwarded: for=1.2.3.4").status, 401);
    check_token(&s, "0123456789abcdef", 200);
    check_token(&s, "0123456789abcdeg", 401);
    check_token(&s, "0123456789abcde", 401);
    site_close(&s);
}

TEST(thread_ops_metrics_without_a_token_let_none_of_the_others_in)
{
    struct site s = {.curl = NULL};

    site_open(&s);
    check_token(&s, "", 401);
    check_token(&s, "x", 401);
    site_close(&s);
}

/* ---- Pages -------------------------------------------------------------- */

TEST(thread_ops_the_front_page_leads_to_the_api)
{
    struct site s = {.no_ui = true};
    struct answer_to t;

    site_open(&s);
    t = site_get(&s, "/");
    CHECK_INT(t.status, 200);
    CHECK_TEXT(t.type, STR("text/html; charset=utf-8"));
    check_has(t.headers, "Content-Security-Policy: default-src 'none'");
    check_has(t.body, "<a href=\"/docs\">");
    CHECK(!has(t.body, "demo-entropy"));
    site_close(&s);
}

TEST(thread_ops_the_front_page_shows_the_demo_when_there_is_one)
{
    struct site s = {.demo = true, .no_ui = true};

    site_open(&s);
    check_has(site_get(&s, "/").body, "/api/sessions/demo-entropy/messages");
    site_close(&s);
}

TEST(thread_ops_the_page_of_the_api_has_every_call)
{
    struct site s = {.curl = NULL};
    struct answer_to t;

    site_open(&s);
    t = site_get(&s, "/docs");
    CHECK_INT(t.status, 200);
    for (size_t i = 0; i < api_routes_n; i++)
        check_has(t.body, arena_printf(&s.arena, "<code>%s %s</code>",
                                       method_name(api_routes[i].method),
                                       api_routes[i].pattern)
                              .p);
    site_close(&s);
}

/* ---- The log ------------------------------------------------------------ */

static struct str read_log(struct site *s, const char *path)
{
    int fd = open(path, O_RDONLY);
    char *bytes = arena_alloc(&s->arena, LOG_BYTES_MAX);
    ssize_t n;

    CHECK(fd >= 0 && bytes);
    n = read(fd, bytes, LOG_BYTES_MAX - 1);
    close(fd);
    CHECK(n >= 0);
    return (struct str){bytes, (size_t)n};
}

TEST(thread_ops_the_log_has_a_line_per_request_without_what_users_say)
{
    struct site s = {.curl = NULL};
    char path[500];
    struct str log;
    int fd;

    site_open(&s);
    snprintf(path, sizeof(path), "%s/log", test_dir());
    fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
    CHECK(fd >= 0);
    log_setup(fd, LOG_INFO, LOG_JSON);
    get_with(&s, "/api/sessions/a-secret-id?q=secret", "X-Request-Id: r-17");
    log_setup(2, LOG_ERROR, LOG_JSON);
    log = read_log(&s, path);
    check_has(log, "\"msg\":\"request\",\"method\":\"GET\",\"route\":"
                   "\"/api/sessions/{id}\",\"status\":404,\"ms\":");
    check_has(log, "\"req_id\":\"r-17\"");
    CHECK(!has(log, "secret"));
    CHECK_INT(str_find(log, '\n'), log.n - 1);
    site_close(&s);
}
