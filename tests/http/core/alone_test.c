/* alone_test.c - the core as another program would use it: no hooks, nothing of
 * ours. */
#include "http/core/http.h"

#include <pthread.h>

#include "help/client.h"

enum { MINUTE_MS = 60 * 1000 };

static void greet(struct request *r)
{
    reply_text(r, 200, STR("text/plain"), STR("hello"));
}

static void refuse(struct request *r)
{
    reply_invalid(r, STR("/name"), "name is missing");
}

static void *run(void *server)
{
    server_run(server);
    return NULL;
}

TEST(http_thread_core_serves_without_a_program)
{
    static const struct server_hooks hooks = {.admit = NULL};
    static const struct route routes[] = {
        {METHOD_GET, "/hello", ACCESS_USER, 0, greet, "", ""},
        {METHOD_GET, "/refuse", ACCESS_PUBLIC, 0, refuse, "", ""}};
    const struct server_options options = {.listen = STR("127.0.0.1:0"),
                                           .loops = 1,
                                           .workers = 1,
                                           .connections_max = 10,
                                           .idle_ms = MINUTE_MS,
                                           .head_ms = MINUTE_MS,
                                           .body_gap_ms = MINUTE_MS};
    struct server *s;
    struct footnote_err err;
    struct client c;
    struct response a;
    pthread_t thread;

    CHECK_OK(server_open(&options, &hooks, NULL, &s, &err), &err);
    server_use_routes(s, routes, 2);
    CHECK_INT(pthread_create(&thread, NULL, run, s), 0);
    client_open(&c, server_port(s));
    a = client_get(&c, "/hello");
    CHECK_INT(a.status, 200);
    CHECK_TEXT(a.body, STR("hello"));
    a = client_get(&c, "/refuse");
    CHECK_INT(a.status, 400);
    CHECK(memmem(a.body.p, a.body.n, "\"where\":\"/name\"", 15) != NULL);
    CHECK_INT(client_get(&c, "/nothing").status, 404);
    client_close(&c);
    server_stop(s);
    pthread_join(thread, NULL);
    server_close(s);
}
