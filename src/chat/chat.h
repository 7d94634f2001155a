/* chat.h - questions become cited answers.
 *
 * A turn belongs to the server, not to a connection: it runs on the loop that
 * it was started on until it ends, also when nobody watches.  What it shows is
 * stored first and then put into its feed (feed/feed.h), which any number of
 * viewers read (feed/view.h).
 *
 *     chat_ask() --> begin: question and answer row        --> `begun`: a feed
 *                    search --> sources stored             --> feed
 *                    model or extractive --> text stored   --> feed
 *                      \-> it asks for a search: again, at most 4 in all
 *                    end stored                            --> feed
 *
 * A `struct chat` is one per process, a `struct chat_loop` one per libuv loop.
 * Functions that take a chat_loop are for its thread; the others for any. */
#ifndef CHAT_CHAT_H
#define CHAT_CHAT_H
#include "chat/feed/feed.h"
#include "chat/feed/follow.h"
#include "chat/feed/view.h"
#include "chat/loop/counts.h"
#include "chat/loop/loop.h"
#include "chat/loop/options.h"
#include "chat/turn/ask.h"

enum footnote_rc chat_open(const struct chat_options *o, struct chat **out,
                           struct footnote_err *err);
void chat_close(struct chat *c); /* all loops are closed; NULL is fine */

/* Marks the turns that still run as interrupted, then closes its handles:
 * `closed` is called when the loop has nothing more of ours. */
void chat_loop_close(struct chat_loop *l, void (*closed)(void *arg), void *arg);

/* The feed of the turn that runs in the session, held for you; NULL: none in
 * this process, and chat_follow() may know more. */
struct feed *chat_find(struct chat *c, struct who who, struct str session);

/* How many answers of the user run in this process, stored or not. */
size_t chat_count_of(struct chat *c, struct who who);

/* Ends the turn of a session that runs or begins here, and calls `done` on loop
 * `l`, later, when its end is stored or there is none. */
struct chat_stop {
    struct who who;
    struct str session;
    struct str answer; /* this one and no other; absent: any */
    bool gone;         /* the session was deleted, nothing is to be stored */
    /* `answer`: the one that was ended, "" when it had not come so far; absent:
     * there was none. */
    void (*done)(void *arg, struct str answer);
    void *arg;
};
/* Copies what it needs.  False: no memory. */
bool chat_stop(struct chat_loop *l, const struct chat_stop *s);

#endif
