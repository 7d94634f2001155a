/* stream_test.c - answers that are made while they go out, and parts. */
#include "http/core/range.h"
#include "one_server.h"
#include "routes.h"

static void get(const char *line)
{
    char text[256];

    snprintf(text, sizeof(text), "%s\r\n" HOST "\r\n", line);
    client_send(&client, str_c(text));
}

/* ---- Streams ------------------------------------------------------------ */

TEST(stream_thread_pieces_go_out_when_the_last_is_gone)
{
    start();
    get("GET /stream/count?3 HTTP/1.1");
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(response_header(&answer, "transfer-encoding"), STR("chunked"));
    CHECK(!response_header(&answer, "content-length").p);
    CHECK_TEXT(answer.body, STR("3 2 1 "));
    get("GET /stream/count?20000 HTTP/1.1"); /* would show a recursion */
    CHECK(client_answer(&client, &answer));
    get("GET /test/echo?next HTTP/1.1");
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("next"));
    CHECK_INT(test_seen.stops, 0);
    stop();
}

/* The client reads little at a time, so that some lines do not fit. */
TEST(stream_thread_what_does_not_go_out_at_once_follows)
{
    enum { LINES = 40000 };
    char line[TEST_LINE_BYTES + 1];

    start();
    client_read_little(&client);
    get("GET /stream/now?40000 HTTP/1.1");
    test_wait(&test_seen.refusals, 1);
    CHECK(client_answer(&client, &answer));
    CHECK_INT(answer.body.n, (size_t)LINES * TEST_LINE_BYTES);
    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof(line), "%0*d\n", TEST_LINE_BYTES - 1, i);
        CHECK(memcmp(answer.body.p + (size_t)i * TEST_LINE_BYTES, line,
                     TEST_LINE_BYTES) == 0);
    }
    get("GET /stream/now?3 HTTP/1.0");
    CHECK(client_sees_end(&client, test_wait_ms()));
    CHECK(memcmp(client.in.p + client.in.n - 3 * TEST_LINE_BYTES - 4,
                 "\r\n\r\n0000", 8) == 0);
    stop();
}

TEST(stream_thread_streams_are_pipelined)
{
    start();
    get("GET /stream/count?2 HTTP/1.1");
    get("GET /stream/at-once HTTP/1.1");
    get("GET /test/work?3 HTTP/1.1");
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("2 1 "));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("all"));
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("3"));
    stop();
}

TEST(stream_thread_a_crash_ends_without_the_last_chunk)
{
    start();
    get("GET /stream/crash HTTP/1.1");
    CHECK(!client_answer(&client, &answer));
    CHECK(client.in.n > 9 &&
          memcmp(client.in.p + client.in.n - 9, "4\r\nhalf\r\n", 9) == 0);
    CHECK_INT(test_seen.stops, 0);
    CHECK_INT(client_once(served.port, "/test/echo"), 200);
    stop();
}

TEST(stream_thread_the_old_version_gets_no_chunks)
{
    start();
    get("GET /stream/count?3 HTTP/1.0");
    CHECK(client_sees_end(&client, test_wait_ms()));
    CHECK(memcmp(client.in.p + client.in.n - 10, "\r\n\r\n3 2 1 ", 10) == 0);
    CHECK(!memmem(client.in.p, client.in.n, "hunked", 6));
    stop();
}

TEST(stream_thread_head_has_no_stream)
{
    start();
    get("HEAD /stream/endless HTTP/1.1");
    CHECK(client_head(&client, &answer));
    CHECK_INT(answer.status, 200);
    get("GET /test/echo?next HTTP/1.1");
    CHECK(client_answer(&client, &answer));
    CHECK_TEXT(answer.body, STR("next"));
    CHECK_INT(test_seen.stops, 0);
    stop();
}

/* Waits until the producer has not been asked for more for a while: each of
 * these requests is a turn of the same loop. */
static long settled(void)
{
    long before = -1;

    while (before != test_seen.sent) {
        before = test_seen.sent;
        for (int i = 0; i < 50; i++)
            CHECK_INT(client_once(served.port, "/test/echo"), 200);
    }
    return before;
}

/* A producer that never waits is held back by what has not gone out. */
TEST(stream_thread_a_producer_is_held_back)
{
    enum { KERNEL_BYTES_MAX = 32 * 1024 * 1024 };
    long before;

    served = test_served();
    served.config.loops = 1;
    start_served();
    get("GET /stream/endless HTTP/1.1");
    test_wait(&test_seen.refusals, 1);
    before = settled();
    CHECK(before < KERNEL_BYTES_MAX);
    while (test_seen.sent < before + KERNEL_BYTES_MAX) {
        buf_reset(&client.in);
        CHECK(client_read(&client, test_wait_ms()) > 0);
    }
    client_close(&client);
    test_wait(&test_seen.stops, 1);
    served_stop(&served);
    CHECK_INT(test_seen.stops, 1);
}

TEST(stream_thread_a_client_that_leaves_stops_it)
{
    start();
    get("GET /stream/nothing HTTP/1.1");
    CHECK(client_read(&client, test_wait_ms()) > 0);
    CHECK_INT(test_seen.stops, 0);
    client_close(&client);
    test_wait(&test_seen.stops, 1);
    CHECK_INT(client_once(served.port, "/test/echo"), 200);
    served_stop(&served);
}

TEST(stream_thread_a_reader_that_stops_is_left)
{
    served = test_served();
    served.config.body_gap_ms = 300;
    start_served();
    get("GET /stream/endless HTTP/1.1");
    test_wait(&test_seen.stops, 1);
    stop();
}

TEST(stream_thread_a_quiet_stream_is_kept)
{
    struct client other;

    served = test_served();
    served.config.body_gap_ms = 100;
    served.config.idle_ms = 100;
    start_served();
    client_open(&other, served.port);
    get("GET /stream/nothing HTTP/1.1");
    test_wait(&test_seen.works, 1);
    CHECK(client_sees_end(&other, test_wait_ms())); /* its time is up */
    CHECK_INT(test_seen.stops, 0);
    client_close(&other);
    stop();
}

/* ---- Ranges ------------------------------------------------------------- */

TEST(ranges_are_read)
{
    static const struct {
        const char *value;
        uint64_t bytes;
        enum range_kind kind;
        uint64_t from, n;
    } cases[] = {
        {"bytes=0-0", 10, RANGE_PART, 0, 1},
        {"bytes=0-9", 10, RANGE_PART, 0, 10},
        {"bytes=3-", 10, RANGE_PART, 3, 7},
        {"bytes=9-99", 10, RANGE_PART, 9, 1},
        {"bytes=0-18446744073709551615", 10, RANGE_PART, 0, 10},
        {"bytes=0-99999999999999999999999", 10, RANGE_PART, 0, 10},
        {"bytes=-3", 10, RANGE_PART, 7, 3},
        {"bytes=-99", 10, RANGE_PART, 0, 10},
        {"bytes=-99999999999999999999999", 10, RANGE_PART, 0, 10},
        {"bytes=10-", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=10-20", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=18446744073709551615-", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=99999999999999999999999-", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=-0", 10, RANGE_OUTSIDE, 0, 0},
        {"bytes=0-", 0, RANGE_OUTSIDE, 0, 0},
        {"bytes=-1", 0, RANGE_OUTSIDE, 0, 0},
        {"bytes=5-4", 10, RANGE_ALL, 0, 0},
        {"bytes=0-1,3-4", 10, RANGE_ALL, 0, 0},
        {"bytes=0-1,", 10, RANGE_ALL, 0, 0},
        {"bytes=", 10, RANGE_ALL, 0, 0},
        {"bytes=-", 10, RANGE_ALL, 0, 0},
        {"bytes=1", 10, RANGE_ALL, 0, 0},
        {"bytes=a-b", 10, RANGE_ALL, 0, 0},
        {"bytes=1-b", 10, RANGE_ALL, 0, 0},
        {"bytes=+1-2", 10, RANGE_ALL, 0, 0},
        {"bytes=1--2", 10, RANGE_ALL, 0, 0},
        {"bytes= 1-2", 10, RANGE_ALL, 0, 0},
        {"bytes", 10, RANGE_ALL, 0, 0},
        {"lines=1-2", 10, RANGE_ALL, 0, 0},
        {"", 10, RANGE_ALL, 0, 0},
        {NULL, 10, RANGE_ALL, 0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byte_range r = {0, 0};

        if (range_read(str_c(cases[i].value), cases[i].bytes, &r) !=
                cases[i].kind ||
            r.from != cases[i].from || r.n != cases[i].n)
            FAIL("%s: %llu+%llu", cases[i].value, (unsigned long long)r.from,
                 (unsigned long long)r.n);
    }
}

TEST(a_range_of_another_version_is_not_served)
{
    CHECK(range_is_current(STR_NONE, STR("\"a\"")));
    CHECK(range_is_current(STR("\"a\""), STR("\"a\"")));
    CHECK(!range_is_current(STR("\"b\""), STR("\"a\"")));
    CHECK(!range_is_current(STR("W/\"a\""), STR("W/\"a\"")));
    CHECK(!range_is_current(STR("W/\"a\""), STR("\"a\"")));
    CHECK(
        !range_is_current(STR("Sun, 06 Nov 1994 08:49:37 GMT"), STR("\"a\"")));
    CHECK(!range_is_current(STR(""), STR_NONE));
}
