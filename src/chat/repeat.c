/* repeat.c - a question that came before, by its id or its key.
 *
 * A reply may be lost, and the client asks again: it gets the turn that runs,
 * or the answer as it is stored, and never a second one.  The turn that runs
 * may not be in the hub yet, when both came at once; then we look again.  One
 * that runs elsewhere is followed. */
#include "base/clock.h"
#include "chat/inner.h"

enum { LOOKS_MAX = 10, LOOK_MS = 20 };

static void look(uv_work_t *w)
{
    struct turn *t = w->data;
    struct store *st = t->loop->chat->options.store;
    struct answer_repeat *op = &t->opening->repeat;
    struct messages_by_id get = {.ids = &op->answer_id, .ids_n = 1};
    struct footnote_err err;

    op->question = t->ask.question;
    t->work_rc = store_read(st, t->who, &t->arena, OP(answer_repeat), op, &err);
    if (t->work_rc != FOOTNOTE_OK || !op->same ||
        op->status == FOOTNOTE_STREAMING)
        return;
    t->work_rc =
        store_read(st, t->who, &t->arena, OP(messages_by_id), &get, &err);
    if (t->work_rc == FOOTNOTE_OK && get.messages[0].id.p)
        t->end_message = get.messages;
}

static void start(struct turn *t);

static void on_again(uv_timer_t *h)
{
    start(h->data);
}

static void on_followed(void *arg, struct feed *f)
{
    turn_repeated(arg, f);
}

static void on_looked(uv_work_t *w, int status)
{
    struct turn *t = w->data;
    struct str session = t->ask.question.session;
    bool same = t->work_rc == FOOTNOTE_OK && t->opening->repeat.same;
    struct feed *f = NULL;

    (void)status;
    if (t->end_message)
        f = feed_of_message(t->end_message, session);
    else if (same)
        f = chat_find(t->loop->chat, t->who, session);
    if (f || !same || t->ending)
        turn_repeated(t, f);
    else if (t->tries++ < LOOKS_MAX)
        uv_timer_start(&t->timer, on_again, LOOK_MS, 0);
    else if (!chat_follow(t->loop, t->who, session, on_followed, t))
        turn_repeated(t, NULL);
}

static void start(struct turn *t)
{
    t->work.data = t;
    if (uv_queue_work(t->loop->uv, &t->work, look, on_looked) != 0)
        turn_repeated(t, NULL);
}

void turn_repeat(struct turn *t)
{
    /* The clock of a turn that begins is of no use here. */
    t->tries = 0;
    start(t);
}

/* ---- A stored answer as a feed ------------------------------------------ */

static enum footnote_rc fill(struct feed *f, const struct message *m,
                             struct footnote_err *err)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (!m->sources[i].late)
            TRY(feed_add_source(f, &m->sources[i], err));
    if (m->content.n)
        TRY(feed_add_text(f, m->content, err));
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].late)
            TRY(feed_add_source(f, &m->sources[i], err));
    return FOOTNOTE_OK;
}

/* What a reader was told when it ended; the code is all that is stored. */
struct str feed_sentence(const struct message *m)
{
    switch (m->status) {
    case FOOTNOTE_FAILED: return STR("The answer failed.");
    case FOOTNOTE_INTERRUPTED: return STR("The answer was interrupted.");
    case FOOTNOTE_COMPLETE:
    case FOOTNOTE_STOPPED:
    case FOOTNOTE_STREAMING: break;
    }
    return STR_NONE;
}

struct feed *feed_of_message(const struct message *m, struct str session)
{
    struct feed_head head = {.session = session,
                             .answer = m->id,
                             .model = m->model,
                             .created_ms = m->created_ms};
    struct feed_end end = {.message = m,
                           .failure = feed_sentence(m),
                           .finish = STR("stop"),
                           .tokens_in = m->tokens_in,
                           .tokens_out = m->tokens_out};
    struct feed *f = feed_new(&head);

    if (!f)
        return NULL;
    if (fill(f, m, NULL) == FOOTNOTE_OK) {
        feed_add_end(f, &end);
        return f;
    }
    feed_drop(f);
    return NULL;
}
