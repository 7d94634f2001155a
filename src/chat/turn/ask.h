/* ask.h - a question comes in, and a turn begins. */
#ifndef CHAT_TURN_ASK_H
#define CHAT_TURN_ASK_H
#include "store/answer/answer.h"
#include "store/document/filter.h"
#include "store/session/message.h"

struct chat_loop;
struct feed;

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
    struct str course;           /* absent: the session's, or all */
    struct search_filter filter; /* of its documents; question.scope, packed,
                                    is kept with the question */
    struct str model;            /* absent: the default */
    struct str languages;        /* Accept-Language; absent: English */
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

#endif
