/* work_test.c - requests that are elsewhere, while clients leave and the
 * server stops. */
#include "one_server.h"
#include "routes.h"
#include "store/document/document.h"
#include "store/session/course.h"

/* ---- Work elsewhere ----------------------------------------------------- */

TEST(http_thread_a_worker_answers)
{
    start();
    for (int i = 0; i < 200; i++)
        check_status("GET /test/work?x", 200);
    stop();
}

TEST(http_thread_a_write_is_answered_after_its_commit)
{
    start();
    for (int i = 0; i < 50; i++)
        check_status("POST /test/save?s1", 201);
    CHECK_TEXT(answer.body, STR("s1"));
    check_status("POST /test/save?", 400);
    stop();
}

TEST(http_thread_who_asks_is_known)
{
    start();
    check_status("GET /test/user", 200);
    stop();
    served.config.auth = CONFIG_AUTH_KEY;
    start_served();
    check_status("GET /test/user", 401);
    CHECK_TEXT(header("www-authenticate"), STR("Bearer"));
    ask("GET /test/user HTTP/1.1\r\n" HOST
        "Authorization: Bearer fn_01234567_abc\r\n\r\n");
    CHECK_INT(answer.status, 401);
    stop();
}

/* The request goes on and comes back to a connection that is not there. */
TEST(http_thread_a_client_leaves_while_a_worker_works)
{
    struct client other;

    served = test_served();
    served.config.workers = 3; /* of which one user has two */
    start_served();
    client_open(&other, served.port);
    CHECK_INT(client_get(&other, "/test/echo").status, 200);
    client_send(&client, STR("GET /test/held HTTP/1.1\r\n" HOST "\r\n"));
    test_wait(&test_seen.works, 1);
    client_close(&client);
    CHECK_INT(client_get(&other, "/test/work").status, 200);
    test_seen.release = 1;
    while (open_connections() > 1)
        CHECK_INT(client_get(&other, "/test/echo").status, 200);
    client_close(&other);
    served_stop(&served);
}

TEST(http_thread_a_client_is_lost_while_a_worker_works)
{
    struct client other;

    start();
    client_open(&other, served.port);
    client_send(&client, STR("GET /test/held HTTP/1.1\r\n" HOST "\r\n"));
    test_wait(&test_seen.works, 1);
    client_reset(&client);
    while (open_connections() > 1) /* its socket does not wait for the work */
        CHECK_INT(client_get(&other, "/test/echo").status, 200);
    test_seen.release = 1;
    CHECK_INT(client_get(&other, "/test/work").status, 200);
    client_close(&other);
    served_stop(&served); /* waits for what is left of it */
}

TEST(http_thread_a_client_leaves_while_a_big_answer_goes_out)
{
    start();
    client_send(&client, STR("GET /test/big HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(client_read(&client, test_wait_ms()) > 0);
    client_close(&client);
    client_open(&client, served.port);
    while (open_connections() > 1)
        CHECK_INT(client_get(&client, "/test/echo").status, 200);
    stop();
}

TEST(http_thread_a_big_answer_arrives)
{
    start();
    check_status("GET /test/big", 200);
    CHECK_INT(answer.body.n, TEST_BIG_BYTES);
    for (size_t i = 0; i < answer.body.n; i += 4099)
        CHECK_INT(answer.body.p[i], 'a' + i % 26);
    stop();
}

/* ---- Stopping ----------------------------------------------------------- */

static void *run_stop(void *arg)
{
    (void)arg;
    pthread_join(served.thread, NULL);
    return NULL;
}

TEST(http_thread_stopping_lets_requests_finish)
{
    struct client idle, other;

    start();
    client_open(&idle, served.port);
    CHECK_INT(client_get(&idle, "/test/echo").status, 200);
    client_send(&client, STR("GET /test/held HTTP/1.1\r\n" HOST "\r\n"));
    test_wait(&test_seen.works, 1);
    server_stop(served.server);
    CHECK(client_sees_end(&idle, test_wait_ms()));
    while (client_try_open(&other, served.port))
        client_close(&other); /* until nobody listens */
    test_seen.release = 1;
    CHECK(client_answer(&client, &answer));
    CHECK_INT(answer.status, 200);
    CHECK(answer.closes);
    pthread_join(served.thread, NULL);
    client_close(&idle);
    client_close(&client);
    served_close(&served);
}

TEST(http_thread_stopping_twice_ends_at_once)
{
    pthread_t waiting;

    start();
    client_send(&client, STR("GET /stream/nothing HTTP/1.1\r\n" HOST "\r\n"));
    test_wait(&test_seen.works, 1);
    server_stop(served.server);
    pthread_create(&waiting, NULL, run_stop, NULL);
    server_stop(served.server);
    CHECK(client_sees_end(&client, test_wait_ms()));
    pthread_join(waiting, NULL);
    CHECK_INT(test_seen.stops, 1);
    client_close(&client);
    served_close(&served);
}

TEST(http_thread_stopping_takes_no_longer_than_the_grace)
{
    served = test_served();
    served.config.grace_ms = 100;
    start_served();
    client_send(&client, STR("GET /stream/nothing HTTP/1.1\r\n" HOST "\r\n"));
    test_wait(&test_seen.works, 1);
    server_stop(served.server);
    CHECK(client_sees_end(&client, test_wait_ms()));
    pthread_join(served.thread, NULL);
    client_close(&client);
    served_close(&served);
}

TEST(http_thread_a_server_that_never_ran_is_closed)
{
    struct server *second = NULL;
    struct footnote_err err;
    char listen[32];

    served = test_served();
    served_open(&served);
    snprintf(listen, sizeof(listen), "127.0.0.1:%d", served.port);
    served.config.listen = str_c(listen);
    CHECK_INT(serve_open(&served.config,
                         &(struct services){.store = served.store}, &second,
                         &err),
              FOOTNOTE_BUSY);
    CHECK(second == NULL);
    served_close(&served);
}

/* Documents go on being read in while a server ends. */
TEST(http_thread_a_closed_server_hears_of_no_change)
{
    struct who ada = {STR("default"), STR("ada")};
    struct course_put course = {.id = STR("c"), .title = STR("C")};
    struct document_put put = {.document = {.id = STR("d"),
                                            .course = STR("c"),
                                            .title = STR("D"),
                                            .kind = DOCUMENT_SLIDES}};
    struct footnote_err err;

    served = test_served();
    served_start(&served);
    server_stop(served.server);
    pthread_join(served.thread, NULL);
    serve_close(served.server);
    served.server = NULL;
    CHECK_OK(store_write(served.store, ada, OP(course_put), &course, &err),
             &err);
    CHECK_OK(store_write(served.store, ada, OP(document_put), &put, &err),
             &err);
    served_close(&served);
}
