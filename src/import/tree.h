/* tree.h - messages of products that keep branches, put into an order in which
 * each stands behind the message that it follows.  One thread.
 *
 *     root - system - question - answer        shown
 *                         \ - answer - question
 *
 * Nodes that nobody is shown (roots, tools, steps on the way) keep the tree
 * together and are not imported: what follows them follows their parent. */
#ifndef IMPORT_TREE_H
#define IMPORT_TREE_H
#include "import/kind.h"

struct tree_node {
    struct str id, parent; /* theirs; absent: none */
    bool shown;            /* it becomes a message */
    struct import_message m;
    const struct row *row;
    /* Inner. */
    size_t number, above; /* above: of the parent, + 1 */
    int state;
    struct str kept; /* id of the message at or above it */
};
struct tree {
    struct tree_node *items;
    size_t n;
};

/* One more node, zeroed, which lives until the next call; NULL: no memory, or
 * too many. */
struct tree_node *tree_add(struct import *im, struct tree *t);
/* Makes them the session's messages, and shows the path to `current`; absent:
 * to the last one. */
enum footnote_rc tree_end(struct import *im, struct tree *t, struct str current,
                          struct import_session *s, struct footnote_err *err);

#endif
