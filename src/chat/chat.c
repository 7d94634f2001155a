/* chat.c - the engine opens and closes, and so do the loops with their turns.
 */
#include "chat/chat.h"

#include <stdlib.h>

#include "chat/loop/engine.h"
#include "chat/stop.h"
#include "chat/turn/hub.h"
#include "chat/turn/look_again.h"
#include "chat/turn/turn.h"

enum footnote_rc chat_open(const struct chat_options *o, struct chat **out,
                           struct footnote_err *err)
{
    struct chat *c = calloc(1, sizeof(*c));
    enum footnote_rc rc;

    *out = NULL;
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "starting chat");
    c->options = *o;
    rc = hub_open(&c->hub, err);
    if (rc != FOOTNOTE_OK) {
        free(c);
        return rc;
    }
    store_watch_leases(o->store, stop_unheld, c);
    *out = c;
    return FOOTNOTE_OK;
}

void chat_close(struct chat *c)
{
    if (!c)
        return;
    store_watch_leases(c->options.store, NULL, NULL);
    hub_close(c->hub);
    free(c);
}

void chat_loop_close(struct chat_loop *l, void (*closed)(void *arg), void *arg)
{
    l->closed = closed;
    l->closed_arg = arg;
    look_again_stop(l);
    l->closing = true;
    for (struct turn *t = l->turns, *next; t; t = next) {
        next = t->next;
        turn_abort(t, ABORT_CLOSING);
    }
    chat_unfollow(l);
    chat_loop_left(l);
}

struct feed *chat_find(struct chat *c, struct who who, struct str session)
{
    return hub_find_feed(c->hub, who, session);
}

size_t chat_count_of(struct chat *c, struct who who)
{
    return hub_count(c->hub, who);
}
