/* stop.c - ending a turn from another thread or loop. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "chat/chat.h"
#include "chat/loop/engine.h"
#include "chat/stop.h"
#include "chat/turn/hub.h"
#include "chat/turn/turn.h"

static void on_turn_ended(struct loop_message *m)
{
    struct stop_waiter *w = (struct stop_waiter *)m;
    void (*done)(void *arg, struct str answer) = w->done;
    void *arg = w->arg;
    char answer[sizeof(w->answer)];
    bool found = w->found;

    memcpy(answer, w->answer, sizeof(answer));
    free(w);
    done(arg, found ? str_c(answer) : STR_NONE);
}

/* On the turn's loop. */
static void on_stop(struct loop_message *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m -
                                offsetof(struct turn, stop_message));
    struct hub *h = t->loop->chat->hub;
    enum turn_abort why;

    hub_lock(h);
    t->stop_posted = false;
    why = t->stop_why;
    hub_unlock(h);
    if (t->state == TURN_OVER)
        turn_free_when_quiet(t);
    else
        turn_abort(t, why);
}

/* Under the hub's lock.  A deletion counts more than a stop, whoever came
 * first. */
static void post(struct turn *t, enum turn_abort why)
{
    if (!t->stop_posted || why > t->stop_why)
        t->stop_why = why;
    if (t->stop_posted)
        return;
    t->stop_posted = true;
    t->stop_message.deliver = on_stop;
    loop_message_send(t->loop, &t->stop_message);
}

bool chat_stop(struct chat_loop *l, const struct chat_stop *s)
{
    struct hub *h = l->chat->hub;
    struct stop_waiter *w = calloc(1, sizeof(*w));
    struct turn *t;

    if (!w)
        return false;
    w->message.deliver = on_turn_ended;
    w->loop = l;
    w->done = s->done;
    w->arg = s->arg;
    hub_lock(h);
    t = hub_find_to_stop(h, s->who, s->session, s->answer);
    if (t) {
        post(t, s->gone ? ABORT_GONE : ABORT_STOP);
        w->found = true;
        w->next = t->waiters;
        t->waiters = w;
    }
    hub_unlock(h);
    if (!t)
        loop_message_send(l, &w->message);
    return true;
}

/* ---- Stopped elsewhere -------------------------------------------------- */

struct held {
    const int64_t *epochs; /* ascending */
    size_t n;
};

static int compare(const void *key, const void *item)
{
    int64_t x = *(const int64_t *)key, y = *(const int64_t *)item;

    return (x > y) - (x < y);
}

/* A turn that the last sweep could see already, and whose lease is gone now. */
static void look_at(struct turn *t, void *arg)
{
    const struct held *held = arg;
    int64_t epoch = t->answer.epoch;

    if (t->swept && (held->n == 0 || !bsearch(&epoch, held->epochs, held->n,
                                              sizeof(epoch), compare)))
        post(t, ABORT_ELSEWHERE);
    t->swept = true;
}

void stop_unheld(void *arg, const int64_t *epochs, size_t n)
{
    struct chat *c = arg;

    hub_each(c->hub, look_at, &(struct held){epochs, n});
}
