/* openai.c - a call of a model behind OpenAI's API.
 *
 * libcurl's bytes are put aside (transfer.c) and the call is queued.  When
 * libcurl has returned, process() lets body.c read them and tell the caller,
 * who may pause or cancel after each word. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "model/call.h"

static void process(struct model_call *c);
static void on_timer(uv_timer_t *timer);

static int64_t now(const struct model_call *c)
{
    return (int64_t)uv_now(c->loop->uv);
}

/* ---- Ready calls -----------------------------------------------------------
 */

void call_ready(struct model_call *c)
{
    if (c->queued || c->state == CALL_WAITING)
        return;
    c->queued = true;
    c->ready_next = c->loop->ready;
    c->loop->ready = c;
}

static void unqueue(struct model_call *c)
{
    struct model_call **at = &c->loop->ready;

    while (c->queued && *at != c)
        at = &(*at)->ready_next;
    if (c->queued)
        *at = c->ready_next;
    c->queued = false;
}

static void process_ready(void *arg)
{
    struct model_loop *l = arg;

    while (l->ready && !l->closing) {
        struct model_call *c = l->ready;

        unqueue(c);
        process(c);
    }
}

static void on_soon(uv_idle_t *soon)
{
    uv_idle_stop(soon);
    process_ready(soon->data);
}

/* ---- The end of a call -----------------------------------------------------
 */

static void release_handle(struct model_loop *l)
{
    assert(l->handles_n > 0);
    if (--l->handles_n > 0 || !l->closing)
        return;
    arena_free(&l->scratch);
    if (l->closed)
        l->closed(l->closed_arg);
    free(l);
}

static void on_call_closed(uv_handle_t *h)
{
    struct model_call *c = h->data;
    struct model_loop *l = c->loop;

    free(c);
    release_handle(l);
}

static void call_free(struct model_call *c)
{
    unqueue(c);
    *c->prev = c->next;
    if (c->next)
        c->next->prev = c->prev;
    transfer_free(c);
    uv_close((uv_handle_t *)&c->timer, on_call_closed);
}

/* Words that a server may have put a question into are left out. */
static void find_cause(const struct model_call *c, struct model_end *end)
{
    end->status = transfer_status(c);
    end->cause = NULL;
    if (c->curl_done && c->result != CURLE_OK)
        end->cause = curl_easy_strerror(c->result);
    else if (c->completion.failure.kind == FAILURE_TIMEOUT)
        end->cause = "it took longer than the --model-...-ms allow";
}

/* A server may repeat the key in its error.  It may also repeat the question,
 * so the detail is logged for debugging only. */
static void describe_failure(const struct model_call *c, struct model_end *end)
{
    const struct failure *f = &c->completion.failure;
    struct str key = c->model->key;
    char cause[MODEL_CAUSE_BYTES];
    char *at;

    end->ok = f->kind == FAILURE_NONE;
    if (end->ok)
        return;
    end->code = failure_code(f->kind);
    end->text = failure_text(f->kind);
    snprintf(end->detail, sizeof(end->detail), "%s", f->detail);
    while (key.n &&
           (at = memmem(end->detail, strlen(end->detail), key.p, key.n)))
        memset(at, '*', key.n);
    find_cause(c, end);
    log_write(LOG_WARN, "a model failed", LOG_TEXT("model", c->model->name),
              LOG_TEXT("code", str_c(end->code)), LOG_NUM("tries", c->tries),
              LOG_TEXT("url", c->model->url),
              LOG_TEXT("cause", model_cause(end->cause, end->status, cause)));
    log_write(LOG_DEBUG, "a model failed", LOG_TEXT("model", c->model->name),
              LOG_TEXT("detail", str_c(end->detail)));
}

static void finish(struct model_call *c)
{
    struct completion *r = &c->completion;
    bool may_keep_connection =
        c->attached && !c->curl_done && r->done && !c->curl_paused;
    struct model_end end = {.finish = r->finish,
                            .tokens_in = r->tokens_in,
                            .tokens_out = r->tokens_out};

    arena_reset(&c->loop->scratch);
    if (r->failure.kind == FAILURE_NONE &&
        calls_list(&r->calls, &c->loop->scratch, &end.calls, &end.calls_n,
                   NULL) != FOOTNOTE_OK)
        failure_set(&r->failure, FAILURE_NO_MEMORY, STR("tool calls"));
    describe_failure(c, &end);
    assert(c->state != CALL_ENDED);
    c->state = CALL_ENDED;
    c->events.end(c->events.arg, &end);
    if (may_keep_connection) /* it gets a moment to become free */
        uv_timer_start(&c->timer, on_timer, TAIL_MS, 0);
    else
        call_free(c);
}

/* ---- Time ------------------------------------------------------------------
 */

/* When this try times out.  While we pause, only the total counts. */
static int64_t deadline(const struct model_call *c)
{
    const struct model_limits *m = c->limits;
    int64_t total = c->started_ms + m->total_ms;
    int64_t gap = !c->any_bytes            ? m->first_ms
                  : c->completion.finished ? LINGER_MS
                                           : m->idle_ms;

    if (!c->connected && m->connect_ms < gap)
        gap = m->connect_ms;
    if (c->paused || c->progress_ms + gap > total)
        return total;
    return c->progress_ms + gap;
}

void call_watch_time(struct model_call *c)
{
    int64_t left = deadline(c) - now(c);

    uv_timer_start(&c->timer, on_timer, left > 0 ? (uint64_t)left : 0, 0);
}

static void time_out(struct model_call *c)
{
    /* A server that cannot be reached may be tried again. */
    if (!c->connected && now(c) >= c->progress_ms + c->limits->connect_ms) {
        c->curl_done = true;
        c->result = CURLE_OPERATION_TIMEDOUT;
        process(c);
        return;
    }
    if (!c->completion.finished)
        failure_set(&c->completion.failure, FAILURE_TIMEOUT,
                    !c->any_bytes ? STR("no answer in model-first-ms")
                    : now(c) >= c->started_ms + c->limits->total_ms
                        ? STR("not done in model-total-ms")
                        : STR("silent for model-idle-ms"));
    completion_close(&c->completion);
    finish(c);
}

/* ---- Tries -----------------------------------------------------------------
 */

static void begin_try(struct model_call *c)
{
    struct footnote_err err = {.text = ""};

    c->state = CALL_RUNNING;
    if (transfer_begin(c, &err) != FOOTNOTE_OK) {
        failure_set(&c->completion.failure, FAILURE_NO_MEMORY, str_c(err.text));
        finish(c);
        return;
    }
    call_watch_time(c);
}

/* The try has failed or is complete. */
static void conclude(struct model_call *c)
{
    int64_t wait_ms = 0;

    if (c->completion.failure.kind == FAILURE_NONE ||
        !retry_next(c, &wait_ms)) {
        finish(c);
        return;
    }
    log_write(LOG_INFO, "a model is asked again",
              LOG_TEXT("model", c->model->name), LOG_NUM("in_ms", wait_ms),
              LOG_NUM("tries", c->tries));
    transfer_stop(c);
    c->state = CALL_WAITING;
    uv_timer_start(&c->timer, on_timer, (uint64_t)wait_ms, 0);
}

static void on_timer(uv_timer_t *timer)
{
    struct model_call *c = timer->data;

    switch (c->state) {
    case CALL_WAITING: begin_try(c); break;
    case CALL_ENDED: call_free(c); break;
    case CALL_RUNNING:
        if (now(c) < deadline(c))
            call_watch_time(c);
        else
            time_out(c);
        break;
    }
}

/* ---- Processing
 * ------------------------------------------------------------------
 */

static void process(struct model_call *c)
{
    bool failed;

    if (c->state == CALL_ENDED) {
        if (c->curl_done)
            call_free(c);
        return;
    }
    body_read(c);
    failed = c->completion.failure.kind != FAILURE_NONE;
    if (!c->cancelled && !c->paused && !failed && !c->completion.done &&
        c->curl_done)
        body_close(c);
    if (c->cancelled) {
        call_free(c);
        return;
    }
    failed = c->completion.failure.kind != FAILURE_NONE;
    if (c->completion.done && !failed)
        completion_close(&c->completion);
    if (failed || c->completion.done || (c->curl_done && !c->paused))
        conclude(c);
    else if (!c->paused)
        transfer_resume(c);
}

/* ---- For the caller --------------------------------------------------------
 */

static struct model_call *call_new(struct model_loop *l, const struct models *m,
                                   const struct model_ask *ask,
                                   const struct model_events *ev)
{
    struct model_call *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    c->loop = l;
    c->model = ask->model;
    c->limits = &m->limits;
    c->events = *ev;
    c->tools = ask->tools && ask->model->tools;
    c->usage = ask->model->usage;
    c->request = MODEL_REQUEST;
    c->started_ms = (int64_t)uv_now(l->uv);
    uv_timer_init(l->uv, &c->timer); /* never fails */
    c->timer.data = c;
    l->handles_n++;
    c->next = l->calls;
    c->prev = &l->calls;
    if (c->next)
        c->next->prev = &c->next;
    l->calls = c;
    return c;
}

enum footnote_rc model_start(struct model_loop *l, const struct models *m,
                             const struct model_ask *ask,
                             const struct model_events *ev,
                             struct model_call **out, struct footnote_err *err)
{
    struct model_call *c;
    enum footnote_rc rc;

    assert(!ask->model->extractive && !l->closing);
    *out = NULL;
    c = call_new(l, m, ask, ev);
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "asking a model");
    rc = model_request_write(&c->request, ask, err);
    if (rc == FOOTNOTE_OK)
        rc = transfer_open(c, err);
    if (rc == FOOTNOTE_OK)
        rc = transfer_begin(c, err);
    if (rc != FOOTNOTE_OK) {
        call_free(c);
        return rc;
    }
    retry_started(l);
    call_watch_time(c);
    *out = c;
    return FOOTNOTE_OK;
}

void model_pause(struct model_call *c, bool paused)
{
    if (c->paused == paused || c->state == CALL_ENDED)
        return;
    c->paused = paused;
    if (paused || c->state != CALL_RUNNING)
        return;
    c->progress_ms = now(c);
    call_watch_time(c);
    call_ready(c);
    uv_idle_start(&c->loop->soon, on_soon);
}

void model_cancel(struct model_call *c)
{
    if (c->in_event)
        c->cancelled = true; /* process(), which called the caller, frees it */
    else
        call_free(c);
}

/* ---- The loop --------------------------------------------------------------
 */

enum footnote_rc model_loop_open(uv_loop_t *uv, struct model_loop **out,
                                 struct footnote_err *err)
{
    struct model_loop *l = calloc(1, sizeof(*l));
    enum footnote_rc rc;

    *out = NULL;
    if (!l)
        return err_set(err, FOOTNOTE_NOMEM, "a loop for models");
    rc = curl_loop_open(uv, process_ready, l, &l->curl, err);
    if (rc != FOOTNOTE_OK) {
        free(l);
        return rc;
    }
    l->uv = uv;
    l->scratch = ARENA(SCRATCH_BYTES_MAX);
    l->budget = BUDGET_MAX;
    uv_idle_init(uv, &l->soon);
    l->soon.data = l;
    l->handles_n = 2; /* `soon`, and libcurl's */
    *out = l;
    return FOOTNOTE_OK;
}

static void on_curl_closed(void *arg)
{
    release_handle(arg);
}

static void on_soon_closed(uv_handle_t *h)
{
    release_handle(h->data);
}

void model_loop_close(struct model_loop *l, void (*closed)(void *arg),
                      void *arg)
{
    assert(!l->closing);
    while (l->calls)
        call_free(l->calls);
    l->closing = true;
    l->closed = closed;
    l->closed_arg = arg;
    curl_loop_close(l->curl, on_curl_closed, l);
    uv_close((uv_handle_t *)&l->soon, on_soon_closed);
}
