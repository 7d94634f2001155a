/* write.c - the operations of the store that a turn asks for, and its timer.
 *
 * An operation is handed to the writer and its outcome comes back as a message.
 * What fails for a time (a full queue, a lost database, a full disk) is tried
 * again for a while, with the model paused: the reader waits, and nothing is
 * shown that is not stored. */
#include "chat/turn/write.h"

#include <assert.h>

#include "chat/turn/search.h"
#include "chat/turn/text.h"

enum {
    TRIES_MAX = 40, /* with these pauses: about 15 seconds */
    PAUSE_MS = 20,
    PAUSE_MS_MAX = 500
};

/* ---- The timer ---------------------------------------------------------- */

static void on_timer(uv_timer_t *h);

void turn_timer(struct turn *t)
{
    int64_t due = t->deadline_ms;
    int64_t now = (int64_t)uv_now(t->loop->uv);

    if (t->retry_ms && t->retry_ms < due)
        due = t->retry_ms;
    if (t->flush_ms > 0 && t->flush_ms < due)
        due = t->flush_ms;
    if (t->again_ms && t->again_ms < due)
        due = t->again_ms;
    uv_timer_start(&t->timer, on_timer, due > now ? (uint64_t)(due - now) : 0,
                   0);
}

/* ---- Operations of the store -------------------------------------------- */

static void submit(struct turn *t);

static void on_timer(uv_timer_t *h)
{
    struct turn *t = h->data;
    int64_t now = (int64_t)uv_now(t->loop->uv);

    if (t->retry_ms && now >= t->retry_ms) {
        t->retry_ms = 0;
        submit(t);
    }
    if (t->flush_ms > 0 && now >= t->flush_ms) {
        t->flush_ms = FLUSH_NOW;
        turn_flush(t);
    }
    if (t->again_ms && now >= t->again_ms) {
        t->again_ms = 0;
        turn_search_again(t);
    }
    if (now >= t->deadline_ms) {
        t->deadline_ms = now + t->loop->chat->options.turn_ms_max;
        turn_fail(t, "turn_too_long", "The answer took too long.");
    }
    if (t->state != TURN_OVER)
        turn_timer(t);
}

static bool may_pass(enum footnote_rc rc)
{
    return rc == FOOTNOTE_BUSY || rc == FOOTNOTE_UNSURE ||
           rc == FOOTNOTE_NOMEM || rc == FOOTNOTE_READONLY;
}

static void on_job_message(struct loop_message *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m - offsetof(struct turn, job_message));
    int64_t pause = (int64_t)PAUSE_MS << (t->tries < 6 ? t->tries : 6);

    assert(t->busy);
    if (may_pass(t->job_rc) && t->state != TURN_BEGINNING &&
        t->tries++ < TRIES_MAX) {
        if (pause > PAUSE_MS_MAX)
            pause = PAUSE_MS_MAX;
        t->retry_ms = (int64_t)uv_now(t->loop->uv) + pause;
        turn_timer(t);
        return;
    }
    t->busy = false;
    t->tries = 0;
    t->job_then(t);
}

/* In the writer's thread. */
static void on_job_done(struct store_job *job, enum footnote_rc rc,
                        const struct footnote_err *err)
{
    struct turn *t =
        (struct turn *)(void *)((char *)job - offsetof(struct turn, job));

    t->job_rc = rc;
    if (rc != FOOTNOTE_OK)
        t->opening->err = *err;
    loop_message_send(t->loop, &t->job_message);
}

static void submit(struct turn *t)
{
    const struct store_op *kind = t->job.kind;
    void *op = t->job.op;
    enum footnote_rc rc;

    t->job = (struct store_job){.who = t->ask.who,
                                .kind = kind,
                                .op = op,
                                .no_wait = true,
                                .patient = kind == OP(answer_append),
                                .done = on_job_done};
    t->job_message.deliver = on_job_message;
    rc = store_submit(t->loop->chat->options.store, &t->job, &t->opening->err);
    if (rc == FOOTNOTE_OK)
        return;
    t->job_rc = rc;
    loop_message_send(t->loop,
                      &t->job_message); /* never from inside of the caller */
}

void turn_write(struct turn *t, const struct store_op *kind, void *op,
                turn_fn *then)
{
    assert(!t->busy && t->state != TURN_OVER);
    t->busy = true;
    t->job_then = then;
    t->job.kind = kind;
    t->job.op = op;
    submit(t);
}
