/* stop.c - ending a turn from another thread or loop. */
#include <stddef.h>
#include <stdlib.h>

#include "chat/chat.h"
#include "chat/loop/engine.h"
#include "chat/turn/hub.h"
#include "chat/turn/turn.h"

static void on_turn_ended(struct loop_message *m)
{
    struct stop_waiter *w = (struct stop_waiter *)m;
    void (*done)(void *arg) = w->done;
    void *arg = w->arg;

    free(w);
    done(arg);
}

/* On the turn's loop. */
static void on_stop(struct loop_message *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m -
                                offsetof(struct turn, stop_message));
    struct hub *h = t->loop->chat->hub;
    bool gone;

    hub_lock(h);
    t->stop_posted = false;
    gone = t->stop_gone;
    hub_unlock(h);
    if (t->state == TURN_OVER)
        turn_free_when_quiet(t);
    else
        turn_abort(t, gone ? ABORT_GONE : ABORT_STOP);
}

bool chat_stop(struct chat_loop *l, struct who who, struct str session,
               bool gone, void (*done)(void *arg), void *arg)
{
    struct hub *h = l->chat->hub;
    struct stop_waiter *w = calloc(1, sizeof(*w));
    struct turn *t;

    if (!w)
        return false;
    *w = (struct stop_waiter){
        .message.deliver = on_turn_ended, .loop = l, .done = done, .arg = arg};
    hub_lock(h);
    t = hub_find(h, who, session);
    if (t) {
        t->stop_gone = t->stop_gone || gone;
        if (!t->stop_posted) {
            t->stop_posted = true;
            t->stop_message.deliver = on_stop;
            loop_message_send(t->loop, &t->stop_message);
        }
        w->next = t->waiters;
        t->waiters = w;
    }
    hub_unlock(h);
    if (!t)
        loop_message_send(l, &w->message);
    return true;
}
