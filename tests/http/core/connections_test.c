/* connections_test.c - connections, pipelining and bodies, as bytes. */
#include <stdlib.h>

#include "one_server.h"
#include "routes.h"

/* ---- Connections -------------------------------------------------------- */

TEST(http_thread_a_connection_is_kept)
{
    start();
    for (int i = 0; i < 3; i++) {
        ask("GET /test/echo?again HTTP/1.1\r\n" HOST "\r\n");
        CHECK_INT(answer.status, 200);
        CHECK_TEXT(answer.body, STR("again"));
        CHECK_TEXT(header("connection"), STR("keep-alive"));
    }
    stop();
}

TEST(http_thread_a_wish_to_close_is_heeded)
{
    start();
    ask("GET /test/echo HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    CHECK_INT(answer.status, 200);
    CHECK(answer.closes);
    CHECK(client_sees_end(&client, test_wait_ms()));
    stop();
}

TEST(http_thread_the_old_version_closes)
{
    start();
    ask("GET /test/echo?x HTTP/1.0\r\n\r\n");
    CHECK_INT(answer.status, 421); /* without Host we are not meant */
    CHECK(client_sees_end(&client, test_wait_ms()));
    client_close(&client);
    client_open(&client, served.port);
    ask("GET /test/echo?x HTTP/1.0\r\n" HOST "\r\n");
    CHECK_TEXT(answer.body, STR("x"));
    CHECK(answer.closes);
    CHECK(client_sees_end(&client, test_wait_ms()));
    stop();
}

TEST(http_thread_the_old_version_may_ask_to_keep)
{
    start();
    ask("GET /test/echo HTTP/1.0\r\n" HOST "Connection: keep-alive\r\n\r\n");
    CHECK(!answer.closes);
    ask("GET /test/echo?y HTTP/1.0\r\n" HOST "Connection: keep-alive\r\n\r\n");
    CHECK_TEXT(answer.body, STR("y"));
    stop();
}

TEST(http_thread_what_is_asked_before_a_half_close_is_answered)
{
    start();
    client_send(&client, STR("GET /test/echo?1 HTTP/1.1\r\n" HOST "\r\n"
                             "GET /test/work?2 HTTP/1.1\r\n" HOST "\r\n"
                             "GET /test/echo?3 HTTP/1.1\r\n" HOST "\r\n"));
    client_half_close(&client);
    for (int n = '1'; n <= '3'; n++) {
        CHECK(client_answer(&client, &answer));
        CHECK_INT(answer.body.p[0], n);
    }
    CHECK(client_sees_end(&client, test_wait_ms()));
    stop();
}

TEST(http_thread_an_empty_line_before_a_request_is_skipped)
{
    start();
    ask("POST /test/echo HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi\r\n");
    ask("GET /test/echo?x HTTP/1.1\r\n" HOST "\r\n");
    CHECK_TEXT(answer.body, STR("x"));
    stop();
}

/* A byte at a time, every state is entered and left between two reads. */
TEST(http_thread_bytes_may_come_one_by_one)
{
    struct str s = STR("POST /test/echo HTTP/1.1\r\n" HOST
                       "Transfer-Encoding: chunked\r\n\r\n"
                       "5;a=\"b\"\r\nhello\r\n0006\r\n world\r\n"
                       "0\r\nX-Trail: 1\r\n\r\n"
                       "GET /test/echo?next HTTP/1.1\r\n" HOST "\r\n");

    start();
    for (size_t i = 0; i < s.n; i++)
        client_send(&client, (struct str){s.p + i, 1});
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("hello world"));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("next"));
    stop();
}

/* ---- Pipelining --------------------------------------------------------- */

static void pipeline(int n, const char *const *paths, size_t paths_n)
{
    AUTO(buf_free) struct buf b = BUF(TEST_TEXT_BYTES);
    char want[16];

    for (int i = 0; i < n; i++)
        buf_printf(&b, "GET %s?%d HTTP/1.1\r\n" HOST "\r\n",
                   paths[(size_t)i % paths_n], i);
    client_send(&client, buf_str(&b));
    for (int i = 0; i < n; i++) {
        CHECK(client_answer(&client, &answer));
        CHECK_INT(answer.status, 200);
        snprintf(want, sizeof(want), "%d", i);
        CHECK_TEXT(answer.body, str_c(want));
    }
}

TEST(http_thread_pipelined_answers_come_in_order)
{
    const char *const paths[] = {"/test/echo", "/test/work", "/test/echo",
                                 "/test/echo"};

    start();
    pipeline(100, paths, 4);
    CHECK(client_is_quiet(&client, 0));
    stop();
}

static void *send_all(void *arg)
{
    client_send(&client, buf_str(arg));
    return NULL;
}

/* All answered inline: a recursion would not fit into the stack.  More is sent
 * than the server keeps, so a thread sends while answers are read. */
TEST(http_thread_thousands_are_pipelined)
{
    enum { N = 20000, STACK_BYTES = 512 * 1024 };
    AUTO(buf_free) struct buf b = BUF(TEST_TEXT_BYTES);
    pthread_t sender;

    served = test_served();
    served.config.loops = 1;
    served.stack_bytes = STACK_BYTES;
    start_served();
    for (int i = 0; i < N; i++)
        buf_printf(&b, "GET /test/echo?%d HTTP/1.1\r\n" HOST "\r\n", i);
    pthread_create(&sender, NULL, send_all, &b);
    for (int i = 0; i < N; i++) {
        CHECK(client_answer(&client, &answer));
        CHECK_INT(strtol(answer.body.p, NULL, 10), i);
    }
    pthread_join(sender, NULL);
    stop();
}

TEST(http_thread_bodies_are_pipelined)
{
    start();
    client_send(
        &client,
        STR("POST /test/echo HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\none"
            "POST /test/echo HTTP/1.1\r\n" HOST
            "Transfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
            "POST /test/echo HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n"
            "GET /test/echo?four HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("one"));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("two"));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR(""));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("four"));
    stop();
}

/* ---- Bodies ------------------------------------------------------------- */

TEST(http_thread_a_body_is_asked_for_when_it_waits_for_that)
{
    start();
    client_send(&client, STR("POST /test/echo HTTP/1.1\r\n" HOST
                             "Expect: 100-Continue\r\n"
                             "Content-Length: 5\r\n\r\n"));
    CHECK(client_answer(&client, &answer));
    CHECK_INT(answer.status, 100);
    client_send(&client, STR("hello"));
    CHECK(client_answer(&client, &answer));
    CHECK_INT(answer.status, 200);
    CHECK_TEXT(answer.body, STR("hello"));
    stop();
}

TEST(http_thread_a_body_that_is_too_large_is_not_asked_for)
{
    start();
    ask("POST /test/echo HTTP/1.1\r\n" HOST
        "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
    CHECK_INT(answer.status, 413);
    CHECK(answer.closes);
    CHECK(client_sees_end(&client, test_wait_ms()));
    stop();
}

TEST(http_thread_the_old_version_expects_nothing)
{
    start();
    ask("POST /test/echo HTTP/1.0\r\n" HOST
        "Expect: miracles\r\nContent-Length: 2\r\n\r\nhi");
    CHECK_INT(answer.status, 200);
    CHECK_TEXT(answer.body, STR("hi"));
    stop();
}

/* A body of exactly the limit goes in; one byte more does not, and the client
 * reads why although it still has much to send. */
static void send_body(size_t n, bool chunked)
{
    AUTO(buf_free) struct buf b = BUF(TEST_TEXT_BYTES);

    buf_add(&b, STR("POST /test/echo HTTP/1.1\r\n" HOST));
    if (chunked)
        buf_printf(&b, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n", n);
    else
        buf_printf(&b, "Content-Length: %zu\r\n\r\n", n);
    for (size_t i = 0; i < n; i++)
        buf_add_c(&b, 'x');
    if (chunked)
        buf_add(&b, STR("\r\n0\r\n\r\n"));
    client_send(&client, buf_str(&b));
    CHECK(client_answer(&client, &answer));
}

TEST(http_thread_a_body_of_the_limit_goes_in)
{
    start();
    send_body(TEST_BODY_BYTES, false);
    CHECK_INT(answer.body.n, TEST_BODY_BYTES);
    send_body(TEST_BODY_BYTES, true);
    CHECK_INT(answer.body.n, TEST_BODY_BYTES);
    stop();
}

TEST(http_thread_a_longer_body_is_refused)
{
    start();
    send_body(TEST_BODY_BYTES + 1, false);
    CHECK_INT(answer.status, 413);
    CHECK(answer.closes);
    stop();
}

TEST(http_thread_a_longer_body_in_chunks_is_refused)
{
    start();
    send_body(TEST_BODY_BYTES + 1, true);
    CHECK_INT(answer.status, 413);
    stop();
}

TEST(http_thread_a_refusal_is_read_while_much_is_sent)
{
    start();
    send_body((size_t)4 * TEST_BODY_BYTES, false);
    CHECK_INT(answer.status, 413);
    CHECK(client_sees_end(&client, test_wait_ms()));
    CHECK(!client.reset); /* which could overtake the answer elsewhere */
    stop();
}

TEST(http_thread_the_setting_limits_json)
{
    served = test_served();
    served.config.body_bytes_max = 4;
    start_served();
    ask("POST /test/json HTTP/1.1\r\n" HOST "Content-Length: 4\r\n\r\n1234");
    CHECK_INT(answer.status, 200);
    ask("POST /test/json HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\n12345");
    CHECK_INT(answer.status, 413);
    stop();
}
