/* chat.h - questions become cited answers.
 *
 * A turn belongs to the server, not to a connection: it runs on the loop that
 * it was started on until it ends, whoever watches.  What it shows is stored
 * first and then put into its feed (feed.h), which any number of viewers read.
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
#include <uv.h>

#include "chat/feed/feed.h"
#include "model/model.h"
#include "object/object.h"
#include "retrieve/retrieve.h"
#include "store/answer/answer.h"
#include "store/session/message.h"
#include "store/store.h"

enum {
    CHAT_SEARCHES_MAX = 4, /* of one turn, the question itself included */
    CHAT_SOURCES_DEFAULT = 8,
    CHAT_SOURCES_MAX = 50,
    CHAT_HISTORY_MESSAGES = 20 /* of the thread, that a model is given */
};

struct chat;
struct chat_options {
    struct store *store;
    struct retriever *retriever;
    struct objects *objects; /* page pictures; NULL: there are none */
    const struct models *models;
    int64_t turn_ms_max;    /* a turn ends by then, whatever the model does */
    int64_t turns_per_user; /* 0: no limit */
};
enum footnote_rc chat_open(const struct chat_options *o, struct chat **out,
                           struct footnote_err *err);
void chat_close(struct chat *c); /* all loops are closed; NULL is fine */

enum footnote_rc chat_loop_open(struct chat *c, uv_loop_t *uv,
                                struct chat_loop **out,
                                struct footnote_err *err);
/* Marks the turns that still run as interrupted, then closes its handles:
 * `closed` is called when the loop has nothing more of ours. */
void chat_loop_close(struct chat_loop *l, void (*closed)(void *arg), void *arg);
/* Turns that run on it. */
size_t chat_loop_turns(const struct chat_loop *l);
struct chat *chat_of(const struct chat_loop *l);

/* What was said before, for a turn that is not stored. */
struct chat_line {
    enum footnote_role role;
    struct str text;
};

struct chat_ask {
    struct who who;
    struct message question; /* session absent: nothing is stored */
    enum answer_mode mode;
    struct str key;              /* Idempotency-Key; absent: none */
    struct sha256 request;       /* of the body that came with the key */
    struct str course, document; /* scope; absent: the session's, or all */
    struct str model;            /* absent: the default */
    size_t limit;                /* sources of a search; 0: the default */
    const struct chat_line *before;
    size_t before_n;
};

/* Copies what it needs.  `begun` is called once, later, on the loop: with OK
 * and a feed that is held for it (the turn's own, or that of the running or
 * ended turn of which this is a repeat), or with why there is none: RUNNING,
 * CONFLICT, NOTFOUND, INVALID, REUSED ... */
struct chat_begun {
    enum footnote_rc rc;
    const struct footnote_err *err;
    struct feed *feed; /* yours: feed_drop() */
    bool replayed;
};
typedef void chat_begun_fn(void *arg, const struct chat_begun *b);
enum footnote_rc chat_ask(struct chat_loop *l, const struct chat_ask *ask,
                          chat_begun_fn *begun, void *arg,
                          struct footnote_err *err);

/* The feed of the turn that runs in the session, held for you; NULL: none in
 * this process. */
struct feed *chat_find(struct chat *c, struct who who, struct str session);
/* The same for an answer that is written elsewhere: on another node, or by a
 * caller's own agent.  `found` is called once, later, on the loop: with a feed
 * that is held for you and shows what is stored, a few times a second; or with
 * NULL, when nothing runs.  False: no memory. */
typedef void chat_found_fn(void *arg, struct feed *f);
bool chat_follow(struct chat_loop *l, struct who who, struct str session,
                 chat_found_fn *found, void *arg);
/* Ends all those feeds: their viewers can go on elsewhere. */
void chat_unfollow(struct chat_loop *l);

/* Ends the turn of a session, if one runs here, and calls `done` on loop `l`,
 * later, when its end is stored or there is none.  `gone`: the session was
 * deleted, nothing is to be stored.  False: no memory. */
bool chat_stop(struct chat_loop *l, struct who who, struct str session,
               bool gone, void (*done)(void *arg), void *arg);

/* A feed of a stored answer, as if it had just been said.  NULL: no memory. */
struct feed *feed_of_message(const struct message *m, struct str session);

/* What turns did since the start.  first[i] counts those whose first text was
 * shown within chat_first_ms[i] and not sooner; the last, all later ones. */
enum { CHAT_FIRST_LIMITS = 9, CHAT_TYPES = FOOTNOTE_IMAGE + 1 };
extern const int64_t chat_first_ms[CHAT_FIRST_LIMITS];
struct chat_counts {
    uint64_t turns, running, failed;
    uint64_t first[CHAT_FIRST_LIMITS + 1], first_total_ms;
    uint64_t cited[CHAT_TYPES]; /* sources with a marker, by their type */
    uint64_t unresolved;        /* numbers in markers that have no source */
};
void chat_count(const struct chat *c, struct chat_counts *out);

#endif
