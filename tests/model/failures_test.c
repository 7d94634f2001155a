/* failures_test.c - time-outs, repeated tries, pauses, and leaving. */
#include <arpa/inet.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scripted_model.h"

static void expect_failure(struct answer *a, const char *code,
                           const char *detail)
{
    wait_end(a);
    CHECK(!a->end.ok);
    CHECK_STR(a->end.code, code);
    if (!strstr(a->end.detail, detail))
        FAIL("\"%s\" has no \"%s\"", a->end.detail, detail);
}

/* ---- Time ------------------------------------------------------------------
 */

TEST(silence_before_the_first_byte_is_a_timeout)
{
    static const char *const scripts[] = {"stall_before_head",
                                          "stall_after_head"};

    for (size_t i = 0; i < 2; i++) {
        AUTO(scripted_model_close) struct scripted_model l;
        AUTO(answer_free) struct answer a = {.on_text = NULL};

        scripted_model_open(&l);
        l.config.model_first_ms = 40;
        ask(&l, &a, scripts[i]);
        expect_failure(&a, "model_timeout", "model-first-ms");
        CHECK(upstream_asked(l.u) <= 1);
    }
}

TEST(silence_within_an_answer_is_a_timeout_and_its_text_stays)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_idle_ms = 40;
    ask(&l, &a, "stall_in_text");
    expect_failure(&a, "model_timeout", "model-idle-ms");
    CHECK_TEXT(buf_str(&a.text), STR("Cats"));
    RUN_UNTIL(&l, upstream_left(l.u) == 1);
}

TEST(an_answer_that_has_finished_need_not_hang_up)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_idle_ms = l.config.model_total_ms = 1000 * KB;
    ask(&l, &a, "stall_after_finish");
    wait_end(&a);
    CHECK(a.end.ok);
    CHECK_TEXT(buf_str(&a.text), STR("Cats sleep."));
}

TEST(comments_keep_an_answer_alive_but_not_for_ever)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_first_ms = l.config.model_idle_ms = 800;
    l.config.model_total_ms = 1600;
    ask(&l, &a, "endless_comments");
    expect_failure(&a, "model_timeout", "model-total-ms");
}

TEST(half_an_event_at_the_end_is_an_early_end)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask(&l, &a, "q20_half_event");
    expect_failure(&a, "model_error", "neither finish_reason nor [DONE]");
}

TEST(a_server_that_is_not_there_is_unavailable)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.model.url = STR("http://127.0.0.1:1/v1");
    ask(&l, &a, "plain");
    expect_failure(&a, "model_unavailable", "connect");
}

enum { CALLERS = 3 };

/* The queue of a server that never accepts is full after some. */
static int listen_to_nobody(int callers[CALLERS], int *port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK_INT(bind(fd, (struct sockaddr *)&a, n), 0);
    CHECK_INT(listen(fd, 0), 0);
    CHECK_INT(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] =
            socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        (void)connect(callers[i], (struct sockaddr *)&a, n);
    }
    *port = ntohs(a.sin_port);
    return fd;
}

TEST(a_server_that_takes_no_connection_is_unavailable)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    int callers[CALLERS], port, fd = listen_to_nobody(callers, &port);
    char url[64];

    scripted_model_open(&l);
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1", port);
    l.model.url = str_c(url);
    l.config.model_connect_ms = 40;
    ask(&l, &a, "plain");
    expect_failure(&a, "model_unavailable", "Timeout");
    for (int i = 0; i < CALLERS; i++)
        CHECK_INT(close(callers[i]), 0);
    CHECK_INT(close(fd), 0);
}

TEST(a_name_that_cannot_be_resolved_is_unavailable)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    setenv("no_proxy", "*", 1);
    l.model.url = STR("http://no-such-host.invalid/v1");
    l.config.model_retries = 0;
    ask(&l, &a, "plain");
    expect_failure(&a, "model_unavailable", "");
}

/* ---- Tries -----------------------------------------------------------------
 */

TEST(retries_can_be_switched_off)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_retries = 0;
    ask(&l, &a, "q23_busy_always");
    expect_failure(&a, "model_unavailable", "429: slow down");
    CHECK_INT(upstream_asked(l.u), 1);
}

TEST(nothing_is_asked_again_after_the_first_word)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask(&l, &a, "q20_reset");
    RUN_UNTIL(&l, a.texts_n == 1);
    upstream_pass(l.u, "reset");
    expect_failure(&a, "model_error", "");
    CHECK_INT(upstream_asked(l.u), 1);
}

TEST(all_calls_together_at_most_double_the_load)
{
    enum { CALLS = 40 };
    AUTO(scripted_model_close) struct scripted_model l;
    struct answer a[CALLS] = {{.on_text = NULL}};

    scripted_model_open(&l);
    l.config.model_retries = 10;
    for (size_t i = 0; i < CALLS; i++)
        ask(&l, &a[i], "q23_busy_always");
    for (size_t i = 0; i < CALLS; i++) {
        wait_end(&a[i]);
        answer_free(&a[i]);
    }
    CHECK(upstream_asked(l.u) <= 2UL * CALLS);
    CHECK(upstream_asked(l.u) > CALLS);
}

TEST(a_model_that_is_never_loaded_fails_in_time)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    upstream_add(l.u, "never_loaded",
                 "status 503\n"
                 "json {\"error\":{\"message\":\"Loading model\"}}\n");
    l.config.model_first_ms = 1500;
    l.config.model_retry_ms = 50;
    ask(&l, &a, "never_loaded");
    expect_failure(&a, "model_unavailable", "503: Loading model");
    CHECK(upstream_asked(l.u) > 1);
}

/* ---- Pauses ----------------------------------------------------------------
 */

static void pause_now(struct answer *a)
{
    model_pause(a->call, true);
}

TEST(a_pause_stops_at_the_word)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = pause_now};

    scripted_model_open(&l);
    ask(&l, &a, "plain"); /* all of it is there at once */
    RUN_UNTIL(&l, a.texts_n == 1);
    for (int i = 0; i < 20; i++)
        scripted_model_run(&l);
    CHECK_INT(a.texts_n, 1);
    CHECK(!a.ended);
    model_pause(a.call, false);
    CHECK_INT(a.texts_n, 1); /* not from inside */
    RUN_UNTIL(&l, a.texts_n == 2);
    model_pause(a.call, false);
    wait_end(&a);
    CHECK(a.end.ok);
    CHECK_INT(a.end.tokens_out, 19);
}

TEST(a_paused_call_holds_its_server_back)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = pause_now};
    uint64_t before, after = 0;

    scripted_model_open(&l);
    l.config.model_bytes_max = 64 * MB;
    ask(&l, &a, "endless");
    RUN_UNTIL(&l, a.texts_n == 1);
    do { /* until its socket is full */
        before = after;
        for (int i = 0; i < 100; i++)
            scripted_model_run(&l);
        after = upstream_sent(l.u);
    } while (after != before);
    CHECK_INT(a.texts_n, 1);
    CHECK(after < (uint64_t)(16 * MB));
    a.on_text = NULL;
    model_pause(a.call, false);
    RUN_UNTIL(&l, upstream_sent(l.u) > after);
    model_cancel(a.call);
    RUN_UNTIL(&l, upstream_left(l.u) == 1);
}

static void pause_often(struct answer *a)
{
    if (a->texts_n * 2654435761u % 97 == 0)
        model_pause(a->call, true);
}

static void go_on(uv_async_t *async)
{
    struct answer *a = async->data;

    if (a->call)
        model_pause(a->call, false);
}

/* As the store's answer does it: in the turn of the loop in which more comes,
 * while what was read of a buffer is still in it. */
TEST(a_call_that_goes_on_in_mid_buffer_has_room_for_more)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = pause_often};
    uv_async_t async = {.data = &a};

    scripted_model_open(&l);
    l.config.model_bytes_max = 64 * MB;
    uv_async_init(&l.uv, &async, go_on);
    ask(&l, &a, "endless");
    while (a.texts_n < 60000 && !a.ended) {
        uv_async_send(&async);
        scripted_model_run(&l);
    }
    CHECK(!a.ended);
    model_cancel(a.call);
    uv_close((uv_handle_t *)&async, NULL);
}

static void count_turn(uv_timer_t *timer)
{
    ++*(int *)timer->data;
}

TEST(a_server_that_never_pauses_for_breath_leaves_the_loop_its_turn)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    uv_timer_t timer;
    int turns = 0;

    scripted_model_open(&l);
    l.config.model_bytes_max = 64 * MB;
    uv_timer_init(&l.uv, &timer);
    timer.data = &turns;
    uv_timer_start(&timer, count_turn, 1, 1);
    ask(&l, &a, "endless");
    RUN_UNTIL(&l, a.texts_n > 30000 || a.ended);
    CHECK(turns > 5);
    model_cancel(a.call);
    uv_close((uv_handle_t *)&timer, NULL);
}

TEST(a_pause_is_no_silence)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = pause_now};
    uint64_t start;

    scripted_model_open(&l);
    l.config.model_idle_ms = 30;
    ask(&l, &a, "plain");
    RUN_UNTIL(&l, a.texts_n == 1);
    start = uv_now(&l.uv);
    RUN_UNTIL(&l, uv_now(&l.uv) > start + 100);
    CHECK(!a.ended);
    a.on_text = NULL;
    model_pause(a.call, false);
    wait_end(&a);
    CHECK(a.end.ok);
}

/* ---- Leaving ---------------------------------------------------------------
 */

static void cancel_now(struct answer *a)
{
    model_cancel(a->call);
    a->call = NULL;
}

TEST(a_call_can_be_cancelled_before_it_is_sent)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask(&l, &a, "plain");
    model_cancel(a.call);
    for (int i = 0; i < 20; i++)
        scripted_model_run(&l);
    CHECK(!a.ended && a.texts_n == 0);
}

TEST(a_call_can_be_cancelled_while_the_server_thinks)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask(&l, &a, "stall_after_head");
    RUN_UNTIL(&l, upstream_asked(l.u) == 1);
    model_cancel(a.call);
    RUN_UNTIL(&l, upstream_left(l.u) == 1);
    CHECK(!a.ended);
}

TEST(a_call_can_be_cancelled_from_its_own_word)
{
    static const char *const scripts[] = {"plain", "endless", "q25_json_answer",
                                          "q04_no_last_newline"};

    for (size_t i = 0; i < 4; i++) {
        AUTO(scripted_model_close) struct scripted_model l;
        AUTO(answer_free) struct answer a = {.on_text = cancel_now};

        scripted_model_open(&l);
        ask(&l, &a, scripts[i]);
        RUN_UNTIL(&l, !a.call);
        for (int j = 0; j < 20; j++)
            scripted_model_run(&l);
        CHECK_INT(a.texts_n, 1);
        CHECK(!a.ended);
    }
}

TEST(a_call_can_be_cancelled_between_words_and_while_paused)
{
    for (int paused = 0; paused < 2; paused++) {
        AUTO(scripted_model_close) struct scripted_model l;
        AUTO(answer_free) struct answer a = {.on_text = NULL};

        scripted_model_open(&l);
        upstream_pass(l.u, "start");
        ask(&l, &a, "gated");
        RUN_UNTIL(&l, a.texts_n == 1);
        model_pause(a.call, paused == 1);
        model_pause(a.call, false);
        model_pause(a.call, paused == 1);
        model_cancel(a.call);
        upstream_pass(l.u, "middle");
        upstream_pass(l.u, "end");
        for (int j = 0; j < 20; j++)
            scripted_model_run(&l);
        CHECK_INT(a.texts_n, 1);
        CHECK(!a.ended);
    }
}

TEST(a_call_can_be_cancelled_before_it_is_asked_again)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_retry_ms = 10000;
    ask(&l, &a, "q23_busy_always");
    RUN_UNTIL(&l, upstream_asked(l.u) == 1);
    for (int j = 0; j < 20; j++)
        scripted_model_run(&l);
    model_cancel(a.call);
    CHECK(!a.ended);
}

TEST(closing_the_loop_cancels_every_call)
{
    enum { CALLS = 20 };
    static const char *const scripts[] = {"endless", "stall_after_head",
                                          "stall_in_text", "plain",
                                          "q23_busy_always"};
    struct answer a[CALLS] = {{.on_text = NULL}};
    struct scripted_model l;

    scripted_model_open(&l);
    l.config.model_retry_ms = 10000;
    for (size_t i = 0; i < CALLS; i++)
        ask(&l, &a[i], scripts[i % 5]);
    RUN_UNTIL(&l, upstream_asked(l.u) >= CALLS / 2);
    scripted_model_close(&l);
    for (size_t i = 0; i < CALLS; i++)
        answer_free(&a[i]);
}

/* ---- Endless ---------------------------------------------------------------
 */

TEST(an_endless_answer_is_cut_at_its_limit)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.config.model_bytes_max = 100 * KB;
    ask(&l, &a, "endless");
    expect_failure(&a, "model_limit", "model-bytes-max");
    CHECK((int64_t)a.text.n / KB == 100);
    RUN_UNTIL(&l, upstream_left(l.u) == 1);
}

static void forget_text(struct answer *a)
{
    buf_reset(&a->text);
}

TEST(memory_does_not_grow_with_an_answer)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = forget_text};
    size_t before, after;

    scripted_model_open(&l);
    l.config.model_bytes_max = 64 * MB;
    ask(&l, &a, "endless");
    RUN_UNTIL(&l, a.texts_n > 1000);
    before = mallinfo2().uordblks;
    RUN_UNTIL(&l, a.texts_n > 50000);
    after = mallinfo2().uordblks;
    CHECK(after < before + (size_t)(256 * KB));
    model_cancel(a.call);
}
