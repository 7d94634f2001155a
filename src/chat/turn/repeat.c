/* repeat.c - a question that came before, by its id or its key.
 *
 * A reply may be lost, and the client asks again: it gets the turn that runs,
 * or the answer as it is stored, and never a second one.  When both came at
 * once, the turn may not be in the hub yet; then we read again.  An answer that
 * runs elsewhere is followed, and so is one with a source that the asker may no
 * longer see. */
#include "chat/turn/repeat.h"

#include "chat/feed/follow.h"
#include "chat/feed/stored.h"
#include "chat/turn/hub.h"
#include "chat/turn/turn.h"
#include "store/read/history.h"
#include "store/session/message.h"

enum { READS_MAX = 10, READ_MS = 20 };

static void read_answer(uv_work_t *w)
{
    struct turn *t = w->data;
    struct store *st = t->loop->chat->options.store;
    struct answer_repeat *op = &t->opening->repeat;
    struct messages_by_id get = {.ids = &op->answer_id, .ids_n = 1};
    struct footnote_err err;

    op->question = t->ask.question;
    t->work_rc =
        store_read(st, t->ask.who, &t->arena, OP(answer_repeat), op, &err);
    if (t->work_rc != FOOTNOTE_OK || !op->same)
        return;
    t->work_rc =
        store_read(st, t->ask.who, &t->arena, OP(messages_by_id), &get, &err);
    if (t->work_rc != FOOTNOTE_OK || !get.messages[0].id.p)
        return;
    t->opening->withheld = message_withholds(&get.messages[0]);
    if (op->status != FOOTNOTE_STREAMING)
        t->end_message = get.messages;
}

static void start_reading(struct turn *t);

static void on_again(uv_timer_t *h)
{
    start_reading(h->data);
}

static void on_followed(void *arg, struct feed *f)
{
    turn_repeated(arg, f);
}

static void on_read(uv_work_t *w, int status)
{
    struct turn *t = w->data;
    struct str session = t->ask.question.session;
    bool same = t->work_rc == FOOTNOTE_OK && t->opening->repeat.same;
    struct feed *f = NULL;

    (void)status;
    if (t->end_message)
        f = feed_of_message(t->end_message, session);
    else if (same && !t->opening->withheld)
        f = hub_find_feed(t->loop->chat->hub, t->ask.who, session);
    if (f || !same || t->ending)
        turn_repeated(t, f);
    else if (!t->opening->withheld && t->tries++ < READS_MAX)
        uv_timer_start(&t->timer, on_again, READ_MS, 0);
    else if (!chat_follow(t->loop, t->ask.who, session, on_followed, t))
        turn_repeated(t, NULL);
}

static void start_reading(struct turn *t)
{
    t->work.data = t;
    if (uv_queue_work(t->loop->uv, &t->work, read_answer, on_read) != 0)
        turn_repeated(t, NULL);
}

void turn_repeat(struct turn *t)
{
    t->tries = 0;
    hub_repeats(t->loop->chat->hub, t);
    start_reading(t); /* takes the turn's timer for itself */
}
