/* walk.c - all sessions, or all courses, of a tenant. */
#include "store/session/walk.h"

#include "store/list.h"

static enum footnote_rc take_all(struct tx *tx, struct db_cur *cur,
                                 struct session_walk *op,
                                 struct footnote_err *err)
{
    op->items = NULL;
    op->items_n = 0;
    for (;;) {
        struct walked *w;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        w = list_add(tx->out, &op->items, &op->items_n, sizeof(*w));
        if (!w)
            return arena_rc(tx->out, err);
        w->key = db_col_i64(cur, COL_SESSION_WALK_SESSION);
        w->id = arena_str(tx->out, db_col_str(cur, COL_SESSION_WALK_ID));
        w->owner = arena_str(tx->out, db_col_str(cur, COL_SESSION_WALK_OWNER));
    }
}

static enum footnote_rc sessions(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct session_walk *op = arg;

    TRY(db_run(tx->db, STMT_SESSION_WALK, &cur, err, db_text(op->tenant),
               db_i64(op->after_key), db_text(op->user), db_text(op->course),
               db_i64((int64_t)op->limit)));
    return take_all(tx, cur, op, err);
}

const struct store_op session_walk_op = {NULL, sessions};

_Static_assert((int)COL_COURSE_WALK_COURSE == (int)COL_SESSION_WALK_SESSION &&
                   (int)COL_COURSE_WALK_ID == (int)COL_SESSION_WALK_ID &&
                   (int)COL_COURSE_WALK_OWNER == (int)COL_SESSION_WALK_OWNER,
               "take_all() reads both");

static enum footnote_rc courses(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct session_walk *op = arg;

    TRY(db_run(tx->db, STMT_COURSE_WALK, &cur, err, db_text(op->tenant),
               db_i64(op->after_key), db_text(op->course),
               db_i64((int64_t)op->limit)));
    return take_all(tx, cur, op, err);
}

const struct store_op course_walk_op = {NULL, courses};
