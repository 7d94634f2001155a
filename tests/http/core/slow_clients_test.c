/* slow_clients_test.c - clients that take their time, and those beside them. */
#include <sys/socket.h>

#include "base/clock.h"
#include "one_server.h"
#include "routes.h"

enum { SLOW_N = 50, GAP_MS = 10 };

/* ---- Many slow ones at once --------------------------------------------- */

struct slow {
    struct client clients[SLOW_N];
    struct str drip; /* what each of them sends, again and again */
    int port;
};

static void slow_open(struct slow *s, struct str first)
{
    for (int i = 0; i < SLOW_N; i++) {
        client_open(&s->clients[i], s->port);
        client_send(&s->clients[i], first);
    }
}

/* A little in each turn, and whoever behaves is served in between.  Ends when
 * the server has ended all of the slow ones. */
static int64_t drip_until_ended(struct slow *s)
{
    int64_t from = clock_mono_ms();
    int left = SLOW_N;

    while (left) {
        CHECK(clock_mono_ms() - from < test_wait_ms());
        CHECK_INT(client_once(s->port, "/test/work?x"), 200);
        left = 0;
        for (int i = 0; i < SLOW_N; i++) {
            struct client *c = &s->clients[i];

            if (c->fd < 0)
                continue;
            client_send(c, s->drip);
            if (client_sees_end(c, 1))
                client_close(c);
            else
                left++;
        }
    }
    return clock_mono_ms() - from;
}

static struct served hasty(void)
{
    struct served s = test_served();

    s.config.head_ms = s.config.body_gap_ms = s.config.idle_ms = 400;
    s.config.body_rate_min = 1024;
    return s;
}

TEST(slow_thread_heads_are_ended_and_others_served)
{
    static struct slow slow;
    struct served s = hasty();

    served_start(&s);
    slow = (struct slow){.drip = STR("X-A: b\r\n"), .port = s.port};
    slow_open(&slow, STR("GET /test/echo HTTP/1.1\r\n" HOST));
    CHECK(drip_until_ended(&slow) >= 400);
    served_stop(&s);
}

/* A byte now and then leaves no gap; the rate is too low. */
TEST(slow_thread_bodies_are_ended_and_others_served)
{
    static struct slow slow;
    struct served s = hasty();

    s.config.body_gap_ms = test_wait_ms();
    served_start(&s);
    slow = (struct slow){.drip = STR("x"), .port = s.port};
    slow_open(&slow, STR("POST /test/echo HTTP/1.1\r\n" HOST
                         "Content-Length: 100000\r\n\r\n"));
    CHECK(drip_until_ended(&slow) >= 400);
    served_stop(&s);
}

TEST(slow_thread_chunks_are_ended_and_others_served)
{
    static struct slow slow;
    struct served s = hasty();

    s.config.body_gap_ms = test_wait_ms();
    served_start(&s);
    slow = (struct slow){.drip = STR("1\r\nx\r\n"), .port = s.port};
    slow_open(&slow, STR("POST /test/echo HTTP/1.1\r\n" HOST
                         "Transfer-Encoding: chunked\r\n\r\n"));
    CHECK(drip_until_ended(&slow) >= 400);
    served_stop(&s);
}

TEST(slow_thread_a_gap_in_a_body_ends_it)
{
    struct served s = hasty();
    struct client c;
    struct response a = {.status = 0};

    s.config.body_rate_min = 0;
    served_start(&s);
    client_open(&c, s.port);
    client_send(&c, STR("POST /test/echo HTTP/1.1\r\n" HOST
                        "Content-Length: 4\r\n\r\nab"));
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 408);
    CHECK(a.closes);
    client_close(&c);
    served_stop(&s);
}

TEST(slow_thread_a_head_that_stops_is_told)
{
    struct served s = hasty();
    struct client c;
    struct response a = {.status = 0};

    served_start(&s);
    client_open(&c, s.port);
    client_send(&c, STR("GET /test/echo HTTP/1.1\r\nHos"));
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 408);
    CHECK(client_sees_end(&c, test_wait_ms()));
    client_close(&c);
    served_stop(&s);
}

TEST(slow_thread_an_idle_connection_is_closed)
{
    struct served s = hasty();
    struct client fresh, used;
    int64_t from = clock_mono_ms();

    served_start(&s);
    client_open(&fresh, s.port);
    client_open(&used, s.port);
    CHECK_INT(client_get(&used, "/test/echo").status, 200);
    CHECK(client_sees_end(&used, test_wait_ms()));
    CHECK(client_sees_end(&fresh, test_wait_ms()));
    CHECK(clock_mono_ms() - from >= 400);
    client_close(&fresh);
    client_close(&used);
    served_stop(&s);
}

/* ---- Readers ------------------------------------------------------------ */

static uint64_t count_open(struct served *s)
{
    struct server_counts n;

    server_count(s->server, &n);
    return n.open_connections;
}

static void wait_for_all_gone(struct served *s)
{
    WAIT_UNTIL(count_open(s) == 0);
}

TEST(slow_thread_readers_that_stop_are_ended_and_others_served)
{
    static struct slow slow;
    struct served s = hasty();
    int64_t from = clock_mono_ms();

    s.config.body_rate_min = 0;
    s.config.idle_ms = test_wait_ms();
    served_start(&s);
    slow.port = s.port;
    slow_open(&slow, STR("GET /test/big HTTP/1.1\r\n" HOST "\r\n"));
    do {
        CHECK(clock_mono_ms() - from < test_wait_ms());
        CHECK_INT(client_once(s.port, "/test/work"), 200);
    } while (count_open(&s) > 1);
    for (int i = 0; i < SLOW_N; i++)
        client_close(&slow.clients[i]);
    wait_for_all_gone(&s);
    served_stop(&s);
}

/* Always a little, never enough: the rate ends it. */
TEST(slow_thread_a_reader_that_trickles_is_ended)
{
    struct served s = hasty();
    struct client c;
    int64_t from = clock_mono_ms();
    char byte;

    s.config.body_gap_ms = s.config.idle_ms = test_wait_ms();
    s.config.body_rate_min = 1000000000;
    served_start(&s);
    client_open(&c, s.port);
    client_send(&c, STR("GET /test/big HTTP/1.1\r\n" HOST "\r\n"));
    CHECK_INT(recv(c.fd, &byte, 1, 0), 1);
    while (count_open(&s) > 0) {
        CHECK(clock_mono_ms() - from < test_wait_ms());
        (void)recv(c.fd, &byte, 1, MSG_DONTWAIT);
    }
    client_close(&c);
    served_stop(&s);
}

/* It takes several gaps' time but never stands still. */
TEST(slow_thread_a_steady_reader_is_served)
{
    int gap_ms = 400 * test_slow(), paced_ms = 3 * gap_ms;
    struct served s = hasty();
    struct client c;
    size_t got = 0;
    int64_t from = clock_mono_ms(), next = from;

    s.config.body_gap_ms = gap_ms;
    served_start(&s);
    client_open(&c, s.port);
    client_read_little(&c);
    client_send(&c, STR("GET /test/big HTTP/1.1\r\n" HOST "\r\n"));
    while (got < TEST_BIG_BYTES) {
        long n;

        if (next < from + paced_ms) {
            CHECK_INT(client_once(s.port, "/test/echo"), 200);
            WAIT_UNTIL(clock_mono_ms() >= next);
        }
        next += GAP_MS;
        buf_reset(&c.in);
        n = client_read(&c, test_wait_ms());
        CHECK(n > 0);
        got += (size_t)n;
    }
    CHECK(clock_mono_ms() - from >= paced_ms);
    client_close(&c);
    served_stop(&s);
}
