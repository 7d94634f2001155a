/* responses_test.c - methods, routes, headers and encodings, as bytes. */
#include <zlib.h>

#include "one_server.h"
#include "routes.h"

/* ---- Methods and routes ------------------------------------------------- */

TEST(http_thread_head_is_get_without_the_body)
{
    start();
    client_send(&client, STR("HEAD /test/echo?four HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(client_head(&client, &answer));
    CHECK_TEXT(header("content-length"), STR("4"));
    ask("GET /test/echo?next HTTP/1.1\r\n" HOST "\r\n");
    CHECK_TEXT(answer.body, STR("next"));
    stop();
}

TEST(http_thread_options_lists_the_methods)
{
    start();
    ask("OPTIONS /test/items/5 HTTP/1.1\r\n" HOST "\r\n");
    CHECK_INT(answer.status, 204);
    CHECK_TEXT(header("allow"), STR("GET, HEAD, DELETE, OPTIONS"));
    ask("OPTIONS * HTTP/1.1\r\n" HOST "\r\n");
    CHECK_INT(answer.status, 204);
    CHECK_TEXT(header("allow"),
               STR("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"));
    ask("OPTIONS /nowhere HTTP/1.1\r\n" HOST "\r\n");
    CHECK_INT(answer.status, 404);
    stop();
}

TEST(http_thread_the_table_gives_404_and_405)
{
    start();
    check_status("GET /nowhere", 404);
    check_status("GET /test", 404);
    check_status("GET /test/echo/", 404);
    check_status("GET //test/echo", 404);
    check_status("GET /test/items/", 404);
    check_status("GET /test/items/a/b", 404);
    check_status("GET /TEST/echo", 404);
    check_status("GET /test%2Fecho", 404);
    check_status("PATCH /nowhere", 404);
    check_status("POST /test/items/5", 405);
    CHECK_TEXT(header("allow"), STR("GET, HEAD, DELETE, OPTIONS"));
    check_status("PUT /test/save", 405);
    check_status("TRACE /test/echo", 501);
    stop();
}

TEST(http_thread_parameters_are_decoded)
{
    start();
    check_status("GET /test/items/a%2Fb%20c%c3%a4+", 200);
    CHECK_TEXT(answer.body, STR("a/b c\xc3\xa4+"));
    check_status("GET /test/items/%zz", 400);
    check_status("GET /test/items/%2", 400);
    check_status("GET /test/items/%ff", 400);
    check_status("GET /test/items/%00", 400);
    check_status("GET /test/echo?%zz", 400);
    check_status("GET /test/echo?%c0%af", 400);
    check_status("GET /test/items/%25", 200);
    CHECK_TEXT(answer.body, STR("%"));
    stop();
}

TEST(http_thread_a_handler_without_an_answer_is_our_fault)
{
    start();
    check_status("GET /test/silent", 500);
    check_status("GET /test/echo", 200);
    stop();
}

/* ---- Headers ------------------------------------------------------------ */

TEST(http_thread_a_request_has_an_id)
{
    start();
    ask("GET /nowhere HTTP/1.1\r\n" HOST "X-Request-Id: abc-1 \r\n\r\n");
    CHECK_TEXT(header("x-request-id"), STR("abc-1"));
    CHECK(memmem(answer.body.p, answer.body.n, "\"requestId\":\"abc-1\"", 19));
    ask("GET /test/echo HTTP/1.1\r\n" HOST "\r\n");
    CHECK_INT(header("x-request-id").n, 36);
    ask("GET /test/echo HTTP/1.1\r\n" HOST "X-Request-Id: a b\r\n\r\n");
    CHECK_INT(header("x-request-id").n, 36);
    ask("GET /test/echo HTTP/1.1\r\n\r\n");
    CHECK_INT(answer.status, 400);
    CHECK_INT(header("x-request-id").n, 36);
    stop();
}

TEST(http_thread_answers_are_dated_and_not_sniffed)
{
    struct str date;

    start();
    check_status("GET /test/echo", 200);
    date = header("date");
    CHECK_INT(date.n, strlen("Sun, 06 Nov 1994 08:49:37 GMT"));
    CHECK(memcmp(date.p + date.n - 4, " GMT", 4) == 0);
    CHECK_TEXT(header("x-content-type-options"), STR("nosniff"));
    stop();
}

TEST(http_thread_a_header_cannot_start_another)
{
    start();
    check_status("GET /test/inject", 200);
    CHECK(!header("set-cookie").p);
    CHECK(!header("x-bad").p);
    CHECK_TEXT(header("x-good"), STR("yes"));
    stop();
}

TEST(http_thread_an_answer_with_too_many_headers_does_not_go_out)
{
    start();
    client_send(&client, STR("GET /test/headers HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(!client_answer(&client, &answer));
    CHECK_INT(client.in.n, 0);
    CHECK_INT(client_once(served.port, "/test/echo"), 200);
    stop();
}

TEST(http_thread_memory_that_is_short_is_told)
{
    start();
    check_status("GET /test/memory", 503);
    CHECK_TEXT(header("retry-after"), STR("1"));
    check_status("GET /test/echo", 200);
    stop();
}

TEST(http_thread_an_upgrade_is_ignored)
{
    start();
    ask("GET /test/echo?x HTTP/1.1\r\n" HOST "Connection: Upgrade\r\n"
        "Upgrade: h2c\r\n\r\n");
    CHECK_INT(answer.status, 200);
    ask("POST /test/echo HTTP/1.1\r\n" HOST "Connection: Upgrade\r\n"
        "Upgrade: websocket\r\nContent-Length: 2\r\n\r\nhi");
    CHECK_TEXT(answer.body, STR("hi"));
    stop();
}

/* ---- gzip and ETag ------------------------------------------------------ */

static void unzip(struct str s, struct buf *out)
{
    static char bytes[64 * 1024];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)s.p,
                  .avail_in = (uInt)s.n,
                  .next_out = (Bytef *)bytes,
                  .avail_out = sizeof(bytes)};

    CHECK_INT(inflateInit2(&z, 15 + 16), Z_OK);
    CHECK_INT(inflate(&z, Z_FINISH), Z_STREAM_END);
    buf_add(out, (struct str){bytes, sizeof(bytes) - z.avail_out});
    inflateEnd(&z);
}

TEST(http_thread_json_is_compressed_when_accepted)
{
    AUTO(buf_free) struct buf plain = BUF(TEST_TEXT_BYTES);
    AUTO(buf_free) struct buf packed = BUF(TEST_TEXT_BYTES);

    start();
    check_status("GET /test/json", 200);
    CHECK(!header("content-encoding").p);
    buf_add(&plain, answer.body);
    ask("GET /test/json HTTP/1.1\r\n" HOST
        "Accept-Encoding: br, GZIP;q=0.5\r\n\r\n");
    CHECK_TEXT(header("content-encoding"), STR("gzip"));
    CHECK(answer.body.n < plain.n);
    unzip(answer.body, &packed);
    CHECK_TEXT(buf_str(&packed), buf_str(&plain));
    ask("GET /test/json HTTP/1.1\r\n" HOST
        "Accept-Encoding: gzip;q=0.0, br\r\n\r\n");
    CHECK(!header("content-encoding").p);
    stop();
}

TEST(http_thread_what_a_client_has_is_not_sent_again)
{
    char text[256];

    start();
    check_status("GET /test/json", 200);
    snprintf(text, sizeof(text),
             "GET /test/json HTTP/1.1\r\n" HOST "If-None-Match: %.*s\r\n\r\n",
             STR_ARG(header("etag")));
    ask(text);
    CHECK_INT(answer.status, 304);
    CHECK(header("etag").p != NULL);
    CHECK(!header("content-length").p);
    check_status("GET /test/echo", 200);
    stop();
}

TEST(http_thread_a_part_is_sent)
{
    start();
    ask("GET /test/part HTTP/1.1\r\n" HOST "Range: bytes=2-4\r\n\r\n");
    CHECK_INT(answer.status, 206);
    CHECK_TEXT(answer.body, STR("234"));
    CHECK_TEXT(header("content-range"), STR("bytes 2-4/10"));
    CHECK_TEXT(header("accept-ranges"), STR("bytes"));
    ask("GET /test/part HTTP/1.1\r\n" HOST "Range: bytes=10-\r\n\r\n");
    CHECK_INT(answer.status, 416);
    CHECK_TEXT(header("content-range"), STR("bytes */10"));
    ask("GET /test/part HTTP/1.1\r\n" HOST
        "Range: bytes=2-4\r\nIf-Range: \"v0\"\r\n\r\n");
    CHECK_INT(answer.status, 200);
    CHECK_INT(answer.body.n, 10);
    ask("GET /test/part HTTP/1.1\r\n" HOST
        "Range: bytes=-1\r\nIf-Range: \"v1\"\r\n\r\n");
    CHECK_TEXT(answer.body, STR("9"));
    ask("GET /test/part HTTP/1.1\r\n" HOST "If-None-Match: \"v1\"\r\n\r\n");
    CHECK_INT(answer.status, 304);
    stop();
}
