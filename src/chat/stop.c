/* stop.c - ending a turn from elsewhere, and finding one to watch. */
#include <stdlib.h>

#include "chat/inner.h"
#include "store/store.h"

struct feed *chat_find(struct chat *c, struct who who, struct str session)
{
    struct turn *t;
    struct feed *f = NULL;

    hub_lock(c->hub);
    t = hub_look(c->hub, who, session);
    if (t)
        f = feed_hold(t->feed);
    hub_unlock(c->hub);
    return f;
}

static void on_waited(struct mail *m)
{
    struct waiter *w = (struct waiter *)m;
    void (*done)(void *arg) = w->done;
    void *arg = w->arg;

    free(w);
    done(arg);
}

/* On the turn's loop. */
static void on_stop(struct mail *m)
{
    struct turn *t =
        (struct turn *)(void *)((char *)m - offsetof(struct turn, stop_mail));
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
    struct waiter *w = calloc(1, sizeof(*w));
    struct turn *t;

    if (!w)
        return false;
    *w = (struct waiter){
        .mail.deliver = on_waited, .loop = l, .done = done, .arg = arg};
    hub_lock(h);
    t = hub_look(h, who, session);
    if (t) {
        t->stop_gone = t->stop_gone || gone;
        if (!t->stop_posted) {
            t->stop_posted = true;
            t->stop_mail.deliver = on_stop;
            mail_send(t->loop, &t->stop_mail);
        }
        w->next = t->waiters;
        t->waiters = w;
    }
    hub_unlock(h);
    if (!t)
        mail_send(l, &w->mail);
    return true;
}
