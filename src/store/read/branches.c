/* branches.c - of all messages of a session, those that are asked for.
 *
 * A session with branches is always read whole: which path is shown, and which
 * versions a message has, is then known from rows whose seals were checked. */
#include "store/read/branches.h"

#include <assert.h>

#include "store/damage.h"
#include "store/read/history.h"
#include "store/read/messages.h"
#include "store/session/path.h"

static enum footnote_rc tree_of(struct tx *tx, const struct history *op,
                                struct path_tree *t, struct footnote_err *err)
{
    const struct db_value key[] = {db_i64(tx->tenant), db_i64(op->head.key)};

    t->n = op->messages_n;
    t->nodes = arena_many(tx->scratch, t->n + 1, struct path_node);
    if (!t->nodes)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < t->n; i++) {
        const struct message *m = &op->messages[i];

        if (m->seq != (int64_t)i + 1)
            return damage_found(tx->store, SEALED_SESSION, key, err);
        assert(m->parent_seq < m->seq); /* message_read() has checked it */
        t->nodes[i] = (struct path_node){m->parent_seq, m->shown, m->role};
    }
    return FOOTNOTE_OK;
}

/* ---- Links between them ------------------------------------------------- */

static struct str id_at(const struct history *op, int64_t seq)
{
    return seq ? op->messages[seq - 1].id : STR_NONE;
}

/* Messages with one parent share a list, which is filled in their order. */
static enum footnote_rc link_versions(struct tx *tx, struct history *op,
                                      struct footnote_err *err)
{
    size_t n = op->messages_n;
    size_t *have = arena_many(tx->scratch, n + 1, size_t);
    struct str **lists = arena_many(tx->scratch, n + 1, struct str *);

    if (!have || !lists)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < n; i++)
        op->messages[i].versions_n = ++have[op->messages[i].parent_seq];
    for (size_t i = 0; i < n; i++) {
        struct message *m = &op->messages[i];
        size_t at = m->versions_n - 1;

        m->versions_n = have[m->parent_seq] > 1 ? have[m->parent_seq] : 0;
        if (m->versions_n == 0)
            continue;
        if (at == 0)
            lists[m->parent_seq] =
                arena_many(tx->out, m->versions_n, struct str);
        if (!lists[m->parent_seq])
            return arena_rc(tx->out, err);
        lists[m->parent_seq][at] = m->id;
        m->versions = lists[m->parent_seq];
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc link(struct tx *tx, const struct path_tree *t,
                             const bool *on, struct history *op,
                             struct footnote_err *err)
{
    int64_t *replaced;
    bool branched = false;

    for (size_t i = 0; i < t->n; i++) {
        struct message *m = &op->messages[i];

        m->parent = id_at(op, m->parent_seq);
        if (m->shown == SHOWN_ON && !on[i])
            m->shown = SHOWN_OFF; /* a path is what its parents say */
        else if (on[i])
            m->shown = SHOWN_ON;
        branched = branched || !on[i];
    }
    if (!branched)
        return FOOTNOTE_OK;
    TRY(path_replaced(tx, t, on, &replaced, err));
    for (size_t i = 0; i < t->n; i++) {
        op->messages[i].replaced_seq = replaced[i];
        op->messages[i].replaced_by = id_at(op, replaced[i]);
    }
    return link_versions(tx, op, err);
}

/* ---- Which of them ------------------------------------------------------ */

enum footnote_rc branches_choose(struct tx *tx, struct history *op, int64_t at,
                                 struct footnote_err *err)
{
    struct path_tree t;
    int64_t leaf;
    bool *on;
    size_t kept = 0;

    TRY(tree_of(tx, op, &t, err));
    TRY(path_to(tx, &t, path_leaf(&t), &on, err));
    TRY(link(tx, &t, on, op, err));
    if (op->replaced)
        return FOOTNOTE_OK;
    if (at > 0) {
        TRY(path_below(tx, &t, at, &leaf, err));
        TRY(path_to(tx, &t, leaf, &on, err));
    }
    for (size_t i = 0; i < t.n; i++)
        if (on[i])
            op->messages[kept++] = op->messages[i];
    op->messages_n = kept;
    return FOOTNOTE_OK;
}

void branches_cut(struct history *op, int64_t before)
{
    size_t from = 0, to = op->messages_n;
    const struct message *front;

    while (to > 0 && op->messages[to - 1].seq >= before)
        to--;
    if (op->limit && to > op->limit)
        from = to - op->limit;
    op->more = from > 0;
    if (op->more) {
        front = message_front(op->messages, to, &op->messages[from]);
        if (front) {
            op->messages[from].front_seq = front->seq;
            op->messages[from - 1] = *front;
        }
        from--;
    }
    op->messages += from;
    op->messages_n = to - from;
}

/* ---- One message -------------------------------------------------------- */

static enum footnote_rc add_version(struct tx *tx, int64_t session, int64_t seq,
                                    struct str *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(seal_read(tx, SEALED_MESSAGE, &cur, &row, err, db_i64(tx->tenant),
                  db_i64(session), db_i64(seq)));
    if (row)
        *out = arena_str(tx->out, db_col_str(cur, COL_MESSAGE_SEALED_ID));
    return arena_rc(tx->out, err);
}

static enum footnote_rc versions_of_one(struct tx *tx, int64_t session,
                                        const struct path_tree *t,
                                        struct message *m,
                                        struct footnote_err *err)
{
    struct str *ids;
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += t->nodes[i].parent == m->parent_seq;
    if (n < 2)
        return FOOTNOTE_OK;
    ids = arena_many(tx->out, n, struct str);
    if (!ids)
        return arena_rc(tx->out, err);
    m->versions = ids;
    m->versions_n = n;
    for (size_t i = 0; i < t->n; i++)
        if (t->nodes[i].parent == m->parent_seq)
            TRY(add_version(tx, session, (int64_t)i + 1, ids++, err));
    return FOOTNOTE_OK;
}

enum footnote_rc branches_link_one(struct tx *tx, int64_t session,
                                   struct message *m, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct path_tree t;
    int64_t *replaced;
    bool *on, branched;

    TRY(db_one(tx->db, STMT_MESSAGE_HIDDEN, &cur, &branched, err,
               db_i64(session), db_i64(tx->tenant)));
    if (!branched)
        return FOOTNOTE_OK;
    TRY(path_read(tx, session, &t, err));
    TRY(path_to(tx, &t, path_leaf(&t), &on, err));
    TRY(path_replaced(tx, &t, on, &replaced, err));
    m->replaced_seq = replaced[m->seq - 1];
    return versions_of_one(tx, session, &t, m, err);
}
