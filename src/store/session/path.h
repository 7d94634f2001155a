/* path.h - which path through a session's messages is shown.
 *
 * A session's messages are a tree: each follows one that was there before it,
 * its parent, and messages with the same parent are versions of each other.
 *
 *     1 question --> 2 answer --> 3 question --> 4 answer      left
 *         \
 *          `-------> 5 answer --> 6 question --> 7 answer      shown
 *
 * One path from a first message to a last one is shown.  The parent decides,
 * and is under the seal of its row; message.shown only says which path it is,
 * so whatever stands there, what is shown is a path. */
#ifndef STORE_SESSION_PATH_H
#define STORE_SESSION_PATH_H
#include "base/err.h"

struct tx;

enum shown {
    SHOWN_OFF,
    SHOWN_ON,
    SHOWN_LEFT /* on the path when its branch was left: shown again with it */
};

struct path_node {
    int64_t parent; /* ordinal; 0: it is a first one */
    enum shown shown;
    enum footnote_role role;
};
/* All messages of a session: number n is nodes[n - 1]. */
struct path_tree {
    struct path_node *nodes;
    size_t n;
};

/* The last message of the path that is shown; 0: there are none. */
int64_t path_leaf(const struct path_tree *t);
/* The last message of the path through `seq`: at each step down the one that
 * was shown before, else the newest. */
enum footnote_rc path_below(struct tx *tx, const struct path_tree *t,
                            int64_t seq, int64_t *leaf,
                            struct footnote_err *err);
/* For each message whether it is on the path that ends with `leaf`; in
 * tx->scratch. */
enum footnote_rc path_to(struct tx *tx, const struct path_tree *t, int64_t leaf,
                         bool **on, struct footnote_err *err);
/* For each message that is not on the path: what stands there instead of it; 0
 * for the others.  That is its next version, else the version that is shown;
 * what has neither follows a message that does, and has the same, or if that is
 * a question, the answer to it.  In tx->scratch. */
enum footnote_rc path_replaced(struct tx *tx, const struct path_tree *t,
                               const bool *on, int64_t **out,
                               struct footnote_err *err);
/* DAMAGED unless the parent of `seq` is an earlier message. */
enum footnote_rc path_check(struct tx *tx, int64_t session, int64_t seq,
                            int64_t parent, struct footnote_err *err);

/* Writing; the caller has locked the session's row.  Shows the path through a
 * message. */
enum footnote_rc path_show(struct tx *tx, int64_t session, int64_t seq,
                           struct footnote_err *err);
/* The tree as it is stored, in tx->scratch. */
enum footnote_rc path_read(struct tx *tx, int64_t session,
                           struct path_tree *out, struct footnote_err *err);

#endif
