/* path.c - which path through a session's messages is shown.
 *
 * Parents are always earlier messages, so one walk over the ordinals sees each
 * message after the one that it follows: nothing here recurs, and a session of
 * thousands of messages is a loop of thousands of steps. */
#include "store/session/path.h"

#include <assert.h>

#include "store/damage.h"
#include "store/list.h"
#include "store/store.h"
#include "store/strings.h"

/* ---- The tree ----------------------------------------------------------- */

int64_t path_leaf(const struct path_tree *t)
{
    for (size_t i = t->n; i > 0; i--)
        if (t->nodes[i - 1].shown == SHOWN_ON)
            return (int64_t)i;
    return (int64_t)t->n;
}

/* By ordinal, which of a message's versions of what follows is shown with it.
 */
static int64_t *children(struct tx *tx, const struct path_tree *t)
{
    int64_t *child = arena_many(tx->scratch, t->n + 1, int64_t);

    for (size_t i = 1; child && i <= t->n; i++) {
        const struct path_node *node = &t->nodes[i - 1];
        int64_t *now = &child[node->parent];

        if (node->shown != SHOWN_OFF || *now == 0 ||
            t->nodes[*now - 1].shown == SHOWN_OFF)
            *now = (int64_t)i;
    }
    return child;
}

enum footnote_rc path_below(struct tx *tx, const struct path_tree *t,
                            int64_t seq, int64_t *leaf,
                            struct footnote_err *err)
{
    const int64_t *child = children(tx, t);

    if (!child)
        return arena_rc(tx->scratch, err);
    assert(seq >= 1 && (size_t)seq <= t->n);
    while (child[seq])
        seq = child[seq];
    *leaf = seq;
    return FOOTNOTE_OK;
}

enum footnote_rc path_to(struct tx *tx, const struct path_tree *t, int64_t leaf,
                         bool **on, struct footnote_err *err)
{
    *on = arena_many(tx->scratch, t->n + 1, bool);
    if (!*on)
        return arena_rc(tx->scratch, err);
    for (int64_t seq = leaf; seq > 0; seq = t->nodes[seq - 1].parent)
        (*on)[seq - 1] = true;
    return FOOTNOTE_OK;
}

/* By message that is off the path: its next version, or else the one that is
 * shown; 0 when it has neither. */
static int64_t *next_versions(struct tx *tx, const struct path_tree *t,
                              const bool *on)
{
    int64_t *next = arena_many(tx->scratch, t->n + 1, int64_t);
    int64_t *newer = arena_many(tx->scratch, t->n + 1, int64_t);
    int64_t *shown = arena_many(tx->scratch, t->n + 1, int64_t);

    if (!next || !newer || !shown)
        return NULL;
    for (size_t i = 0; i < t->n; i++)
        if (on[i])
            shown[t->nodes[i].parent] = (int64_t)i + 1;
    for (size_t i = t->n; i > 0; i--) {
        int64_t parent = t->nodes[i - 1].parent;

        if (!on[i - 1])
            next[i - 1] = newer[parent] ? newer[parent] : shown[parent];
        newer[parent] = (int64_t)i;
    }
    return next;
}

enum footnote_rc path_replaced(struct tx *tx, const struct path_tree *t,
                               const bool *on, int64_t **out,
                               struct footnote_err *err)
{
    const int64_t *child = children(tx, t), *next = next_versions(tx, t, on);
    int64_t *replaced = arena_many(tx->scratch, t->n + 1, int64_t);

    if (!child || !next || !replaced)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < t->n; i++) {
        int64_t parent = t->nodes[i].parent, by;

        if (on[i])
            continue;
        by = next[i] || parent == 0 ? next[i] : replaced[parent - 1];
        if (!next[i] && by && child[by] &&
            t->nodes[by - 1].role == FOOTNOTE_USER)
            by = child[by];
        replaced[i] = by;
    }
    *out = replaced;
    return FOOTNOTE_OK;
}

/* ---- As it is stored ---------------------------------------------------- */

enum footnote_rc path_check(struct tx *tx, int64_t session, int64_t seq,
                            int64_t parent, struct footnote_err *err)
{
    const struct db_value key[] = {db_i64(tx->tenant), db_i64(session),
                                   db_i64(seq)};

    if (parent >= 0 && parent < seq)
        return FOOTNOTE_OK;
    return damage_found(tx->store, SEALED_MESSAGE, key, err);
}

enum footnote_rc path_read(struct tx *tx, int64_t session,
                           struct path_tree *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct db_value key[] = {db_i64(tx->tenant), db_i64(session)};

    *out = (struct path_tree){.n = 0};
    TRY(db_run(tx->db, STMT_MESSAGE_NODES, &cur, err, key[0], key[1]));
    for (;;) {
        struct path_node *node;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        node = list_add(tx->scratch, &out->nodes, &out->n, sizeof(*node));
        if (!node)
            return arena_rc(tx->scratch, err);
        node->parent = db_col_i64(cur, COL_MESSAGE_NODES_PARENT);
        node->shown = (enum shown)db_col_i64(cur, COL_MESSAGE_NODES_SHOWN);
        node->role =
            (enum footnote_role)db_col_i64(cur, COL_MESSAGE_NODES_ROLE);
        if (db_col_i64(cur, COL_MESSAGE_NODES_SEQ) != (int64_t)out->n)
            return damage_found(tx->store, SEALED_SESSION, key, err);
        TRY(path_check(tx, session, (int64_t)out->n, node->parent, err));
    }
}

/* ---- Another path ------------------------------------------------------- */

/* What a message becomes when the path is `on`.  Of messages with one parent at
 * most one is on the path or was left there. */
static enum shown shown_by(const struct path_tree *t, const bool *on, size_t i)
{
    const struct path_node *node = &t->nodes[i];
    bool parent_on = node->parent == 0 || on[node->parent - 1];

    if (on[i])
        return SHOWN_ON;
    return node->shown == SHOWN_OFF || parent_on ? SHOWN_OFF : SHOWN_LEFT;
}

/* Writes all that become `shown`. */
static enum footnote_rc write_shown(struct tx *tx, int64_t session,
                                    const struct path_tree *t, const bool *on,
                                    enum shown shown, int64_t *room,
                                    struct footnote_err *err)
{
    struct str packed;
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->nodes[i].shown != shown && shown_by(t, on, i) == shown)
            room[n++] = (int64_t)i + 1;
    if (n == 0)
        return FOOTNOTE_OK;
    TRY(keys_pack(tx->scratch, room, n, &packed, err));
    return db_do(tx->db, STMT_MESSAGE_SHOW, err, db_i64(shown),
                 db_i64(tx->tenant), db_i64(session), db_text(packed));
}

enum footnote_rc path_show(struct tx *tx, int64_t session, int64_t seq,
                           struct footnote_err *err)
{
    struct path_tree t;
    int64_t leaf = 0, *room;
    bool *on;

    TRY(path_read(tx, session, &t, err));
    TRY(path_below(tx, &t, seq, &leaf, err));
    TRY(path_to(tx, &t, leaf, &on, err));
    room = arena_many(tx->scratch, t.n + 1, int64_t);
    if (!room)
        return arena_rc(tx->scratch, err);
    TRY(write_shown(tx, session, &t, on, SHOWN_OFF, room, err));
    TRY(write_shown(tx, session, &t, on, SHOWN_LEFT, room, err));
    return write_shown(tx, session, &t, on, SHOWN_ON, room, err);
}
