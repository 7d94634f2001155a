/* insights.c - which conversations of a course its editors' insights rest on.
 */
#include "store/read/insights.h"

#include "store/list.h"
#include "store/seal.h"
#include "store/session/course.h"
#include "store/session/course_row.h"

static enum footnote_rc switch_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    const struct insights_switch *op = arg;
    struct course_row c;

    TRY(course_need(tx, op->course, MEMBER_EDITOR, &c, err));
    TRY(seal_open(tx, SEALED_COURSE, err, db_i64(tx->tenant), db_i64(c.key)));
    return db_do(tx->db, STMT_COURSE_INSIGHTS, err, db_opt(op->on, 1),
                 db_i64(tx->tenant), db_i64(c.key));
}

const struct store_op insights_switch_op = {NULL, switch_run};

/* The course's row, which was found and checked, once more. */
static enum footnote_rc is_on(struct tx *tx, int64_t course, bool *on,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *on = false;
    TRY(seal_read(tx, SEALED_COURSE, &cur, &row, err, db_i64(tx->tenant),
                  db_i64(course)));
    *on = row && !db_col_null(cur, COL_COURSE_SEALED_INSIGHTS);
    return FOOTNOTE_OK;
}

static enum footnote_rc sessions_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct insights_sessions *op = arg;
    struct course_row c;

    TRY(course_need(tx, op->course, MEMBER_EDITOR, &c, err));
    TRY(is_on(tx, c.key, &op->on, err));
    if (!op->on)
        return FOOTNOTE_OK;
    TRY(db_run(tx->db, STMT_INSIGHTS_SESSIONS, &cur, err, db_i64(c.key),
               db_i64(tx->tenant), db_i64(op->since_ms),
               db_i64((int64_t)op->max)));
    for (;;) {
        struct insights_session *s;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(seal_check(tx, SEALED_SESSION, cur, 0, err));
        s = list_add(tx->out, &op->sessions, &op->sessions_n, sizeof(*s));
        if (!s)
            return arena_rc(tx->out, err);
        s->id = arena_str(tx->out, db_col_str(cur, COL_SESSION_SEALED_ID));
        s->owner =
            arena_str(tx->out, db_col_str(cur, COL_INSIGHTS_SESSIONS_NAME));
        TRY(arena_rc(tx->out, err));
    }
}

const struct store_op insights_sessions_op = {NULL, sessions_run};
