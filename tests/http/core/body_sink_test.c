/* body_sink_test.c - bodies that go on to a writer as they come. */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "base/clock.h"
#include "one_server.h"
#include "routes.h"

enum {
    MEGABYTE = 1024 * 1024,
    TWO_MB = 2 * MEGABYTE,
    EIGHT_MB = 8 * MEGABYTE,
    GROWTH_KB_MAX = 8 * 1024,
    LIMIT_BYTES = 64 * MEGABYTE,
    PIECE = 64 * 1024,
    HELD_BYTES_MAX = 32 * MEGABYTE /* what kernels keep for two sockets */
};

static struct {
    _Atomic long bytes;   /* that the writer got */
    _Atomic int held;     /* a writer waits for this to be 0 */
    _Atomic int waiting;  /* writers that do */
    _Atomic int drops;    /* requests that were dropped */
    _Atomic int finished; /* bodies that were whole */
    _Atomic long order;   /* bytes that were not what they should be */
} seen;

/* ---- Rows --------------------------------------------------------------- */

/* Byte i of every body is i mod 251. */
static void take(struct request *r, struct str piece)
{
    CHECK(piece.n > 0 && piece.n <= SINK_BYTES);
    seen.waiting++;
    while (seen.held)
        sched_yield();
    for (size_t i = 0; i < piece.n; i++)
        seen.order += (unsigned char)piece.p[i] != (seen.bytes + i) % 251;
    seen.bytes += (long)piece.n;
    if (str_eq(r->query, STR("full")) && seen.bytes > MEGABYTE)
        reply_problem(r, &(struct problem){.status = 422,
                                           .code = STR("impossible"),
                                           .text = STR("Enough")});
}

static void drop(struct request *r)
{
    (void)r;
    seen.drops++;
}

static void in_work(struct request *r)
{
    char text[32];

    snprintf(text, sizeof(text), "%ld", seen.bytes);
    r->cleanup = NULL;
    seen.finished++;
    reply_text(r, 200, STR("text/plain"), arena_str(&r->arena, str_c(text)));
}

static void whole(struct request *r)
{
    request_work(r, in_work);
}

static void upload(struct request *r)
{
    r->cleanup = drop;
    request_sink(r, take, whole);
}

static void echo_body(struct request *r)
{
    reply_text(r, 200, STR("text/plain"), r->body);
}

static void upload_small(struct request *r)
{
    request_body(r, echo_body);
}

static void refuse(struct request *r)
{
    reply_problem(r, &(struct problem){.status = 403,
                                       .code = STR("forbidden"),
                                       .text = STR("No")});
}

static void check_later(struct request *r)
{
    (void)r;
}

static void upload_checked(struct request *r)
{
    request_work_then(r, check_later, upload);
}

static void refuse_later(struct request *r)
{
    request_work(r, refuse);
}

#define ROW(path, fn)                                                          \
    {                                                                          \
        METHOD_POST, path, ACCESS_PUBLIC, HTTP_UPLOAD_BYTES_MAX, fn, "", ""    \
    }
static const struct route rows[] = {
    ROW("/up", upload),          ROW("/small", upload_small),
    ROW("/refused", refuse),     ROW("/checked", upload_checked),
    ROW("/later", refuse_later),
};

static void begin(void)
{
    served = SERVED;
    served.routes = rows;
    served.routes_n = sizeof(rows) / sizeof(rows[0]);
    served.config.upload_bytes_max = LIMIT_BYTES;
    served.config.body_bytes_max = 1000;
    start_served();
}

/* ---- A client that sends much ------------------------------------------- */

static void send_head(const char *path, size_t bytes, const char *more)
{
    char text[256];

    snprintf(text, sizeof(text),
             "POST %s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n%s\r\n", path,
             bytes, more);
    client_send(&client, str_c(text));
}

static void send_pattern(size_t from, size_t bytes)
{
    static char piece[PIECE];

    for (size_t at = from; at < from + bytes;) {
        size_t n = from + bytes - at < PIECE ? from + bytes - at : PIECE;

        for (size_t i = 0; i < n; i++)
            piece[i] = (char)((at + i) % 251);
        client_send(&client, (struct str){piece, n});
        at += n;
    }
}

static void wait_for(_Atomic int *v, int want)
{
    WAIT_UNTIL(*v == want);
}

static void expect(int status)
{
    CHECK(client_answer(&client, &answer));
    CHECK_INT(answer.status, status);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(sink_thread_a_body_arrives_in_order_and_the_next_request_follows)
{
    char want[32];

    begin();
    for (int i = 0; i < 2; i++) {
        seen.bytes = 0;
        send_head("/up", 5 * MEGABYTE + 17, "");
        send_pattern(0, 5 * MEGABYTE + 17);
        expect(200);
        snprintf(want, sizeof(want), "%d", 5 * MEGABYTE + 17);
        CHECK_TEXT(answer.body, str_c(want));
        CHECK_INT(seen.order, 0);
    }
    seen.bytes = 0;
    send_head("/checked", 100000, "");
    send_pattern(0, 100000);
    expect(200);
    CHECK_TEXT(answer.body, STR("100000"));
    seen.bytes = 0;
    send_head("/up", 0, "");
    expect(200);
    CHECK_TEXT(answer.body, STR("0"));
    CHECK_INT(seen.drops, 0);
    stop();
}

TEST(sink_thread_chunks_arrive_without_their_framing)
{
    begin();
    client_send(&client, STR("POST /up HTTP/1.1\r\n" HOST
                             "Transfer-Encoding: chunked\r\n\r\n"));
    for (size_t at = 0; at < MEGABYTE; at += 1000) {
        char size[16];

        snprintf(size, sizeof(size), "%x\r\n", 1000);
        client_send(&client, str_c(size));
        send_pattern(at, 1000);
        client_send(&client, STR("\r\n"));
    }
    client_send(&client, STR("0\r\n\r\n"));
    expect(200);
    CHECK_INT(seen.order, 0);
    CHECK_INT(seen.bytes, 1049000);
    stop();
}

TEST(sink_thread_a_writer_that_stands_still_holds_the_client)
{
    static char piece[PIECE];
    size_t sent = 0;
    ssize_t n;

    begin();
    seen.held = 1;
    send_head("/up", LIMIT_BYTES, "");
    CHECK_INT(fcntl(client.fd, F_SETFL, O_NONBLOCK), 0);
    for (int64_t quiet = clock_mono_ms(); clock_mono_ms() - quiet < 500;) {
        for (size_t i = 0; i < PIECE; i++)
            piece[i] = (char)((sent + i) % 251);
        n = write(client.fd, piece, PIECE);
        if (n > 0) {
            sent += (size_t)n;
            quiet = clock_mono_ms();
        }
    }
    CHECK(sent < HELD_BYTES_MAX);
    wait_for(&seen.waiting, 1);
    CHECK_INT(fcntl(client.fd, F_SETFL, 0), 0);
    seen.held = 0;
    send_pattern(sent, LIMIT_BYTES - sent);
    expect(200);
    CHECK_INT(seen.order, 0);
    CHECK_INT(seen.bytes, LIMIT_BYTES);
    stop();
}

/* All of it has been sent, and the client says so, before it was read. */
TEST(sink_thread_a_client_that_half_closes_is_served)
{
    begin();
    seen.held = 1;
    send_head("/up", TWO_MB, "");
    send_pattern(0, TWO_MB);
    client_half_close(&client);
    wait_for(&seen.waiting, 1);
    seen.held = 0;
    expect(200);
    CHECK_INT(seen.bytes, TWO_MB);
    stop();
}

TEST(sink_thread_memory_does_not_grow_with_the_body)
{
    long before;

    begin();
    before = client_memory();
    send_head("/up", LIMIT_BYTES, "");
    send_pattern(0, LIMIT_BYTES);
    expect(200);
    client_check_memory(before, GROWTH_KB_MAX);
    stop();
}

TEST(sink_thread_what_is_too_large_is_refused)
{
    begin();
    send_head("/up", LIMIT_BYTES + 1, "");
    expect(413);
    CHECK(answer.closes);
    client_close(&client);
    client_open(&client, served.port);
    client_send(&client, STR("POST /up HTTP/1.1\r\n" HOST
                             "Transfer-Encoding: chunked\r\n\r\n"
                             "100000\r\n"));
    send_pattern(0, MEGABYTE);
    client_send(&client, STR("\r\n3F00001\r\n"));
    expect(413);
    wait_for(&seen.drops, 1);
    CHECK_INT(seen.finished, 0);
    client_close(&client);
    client_open(&client, served.port); /* the limit of JSON */
    send_head("/small", 1001, "");
    expect(413);
    client_close(&client);
    client_open(&client, served.port);
    send_head("/small", 3, "");
    client_send(&client, STR("abc"));
    expect(200);
    CHECK_TEXT(answer.body, STR("abc"));
    stop();
}

TEST(sink_thread_a_refusal_comes_before_the_body)
{
    static const char *const paths[] = {"/refused", "/later"};

    begin();
    for (size_t i = 0; i < 2; i++) {
        send_head(paths[i], LIMIT_BYTES, "Expect: 100-continue\r\n");
        expect(403);
        CHECK(answer.closes);
        client_close(&client);
        client_open(&client, served.port);
        send_head(paths[i], MEGABYTE, ""); /* and if it comes all the same */
        send_pattern(0, MEGABYTE);
        expect(403);
        client_close(&client);
        client_open(&client, served.port);
    }
    send_head("/up", 3, "Expect: 100-continue\r\n");
    expect(100);
    send_pattern(0, 3);
    expect(200);
    stop();
}

TEST(sink_thread_a_writer_may_refuse_in_the_middle)
{
    begin();
    send_head("/up?full", EIGHT_MB, "");
    send_pattern(0, EIGHT_MB);
    expect(422);
    CHECK(answer.closes);
    wait_for(&seen.drops, 1);
    CHECK(seen.bytes < TWO_MB);
    stop();
}

TEST(sink_thread_an_upload_that_is_given_up_is_dropped)
{
    begin();
    send_head("/up", MEGABYTE, "");
    send_pattern(0, MEGABYTE / 2);
    client_close(&client);
    wait_for(&seen.drops, 1);
    client_open(&client, served.port);
    seen.bytes = 0;
    seen.held = 1; /* while the writer has it */
    seen.waiting = 0;
    send_head("/up", MEGABYTE, "");
    send_pattern(0, MEGABYTE / 2);
    wait_for(&seen.waiting, 1);
    client_reset(&client);
    seen.held = 0;
    wait_for(&seen.drops, 2);
    client_open(&client, served.port);
    send_head("/up", MEGABYTE, "");
    send_pattern(0, 1000);
    client_half_close(&client);
    expect(400);
    wait_for(&seen.drops, 3);
    CHECK_INT(seen.finished, 0);
    stop();
}

TEST(sink_thread_a_slow_upload_is_ended)
{
    begin();
    stop();
    served.config.body_gap_ms = served.config.head_ms = 300;
    start_served();
    send_head("/up", MEGABYTE, "");
    send_pattern(0, 100);
    expect(408);
    wait_for(&seen.drops, 1);
    stop();
}

/* The gap is ours, not the client's. */
TEST(sink_thread_a_slow_disk_is_not_the_clients_fault)
{
    int gap_ms = 500 * test_slow();

    begin();
    stop();
    served.config.body_gap_ms = served.config.head_ms = gap_ms;
    served.config.body_rate_min = MEGABYTE / 4;
    start_served();
    seen.held = 1;
    send_head("/up", TWO_MB, "");
    send_pattern(0, TWO_MB);
    CHECK_INT(client_read(&client, 3 * gap_ms), -1);
    seen.held = 0;
    expect(200);
    CHECK_INT(seen.bytes, TWO_MB);
    stop();
}
