/* session.c - making and changing a session, and which path of it is shown. */
#include "store/session/session.h"
#include "store/answer/lease.h"
#include "store/check.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"

/* Clocks of clients go wrong; a session of the far future would stay the first
 * of every list. */
enum { AHEAD_MS_MAX = 24 * 3600 * 1000 };

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct session_put *op = arg;

    TRY(check_id(op->id, "id", err));
    TRY(check_id(op->course, "courseId", err));
    TRY(check_text(op->title, STORE_TITLE_BYTES_MAX, "title", err));
    TRY(check_id(op->shown, "shown", err));
    if (op->created_ms < 0 || op->created_ms > tx->now_ms + AHEAD_MS_MAX)
        return err_field(err, FOOTNOTE_INVALID, "createdAt",
                         "is before 1970, or more than a day from now");
    id_or_new(op->id, op->id_text);
    return FOOTNOTE_OK;
}

/* CONFLICT unless this can be a repeat: a repeat brings nothing else. */
static enum footnote_rc check_same(struct tx *tx, const struct session_put *op,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct str course, title;
    bool row;

    TRY(db_one(tx->db, STMT_SESSION_GET, &cur, &row, err, db_i64(tx->tenant),
               db_i64(tx->account), db_text(str_c(op->id_text))));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(seal_check(tx, SEALED_SESSION, cur, 0, err));
    TRY(seal_check(tx, SEALED_COURSE, cur, COL_SESSION_COURSE_SEALED, err));
    course = db_col_str(cur, COL_SESSION_COURSE_SEALED + COL_COURSE_SEALED_ID);
    title = db_col_str(cur, COL_SESSION_SEALED_TITLE);
    if ((op->course.p && course.p && !str_eq(op->course, course)) ||
        (op->title.p && title.p && !str_eq(op->title, title)) ||
        (op->created_ms &&
         op->created_ms != db_col_i64(cur, COL_SESSION_SEALED_CREATED_MS)))
        return err_field(err, FOOTNOTE_CONFLICT, "session",
                         "is there with another title, course or createdAt");
    return FOOTNOTE_OK;
}

/* What was retrieved for a question is marked where the answer that is shown
 * cites it. */
static enum footnote_rc mark_shown(struct tx *tx, int64_t session,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_ANSWERS_BORROWING, &cur, err, db_i64(tx->tenant),
               db_i64(session)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(mark_borrowed(tx, session,
                          db_col_i64(cur, COL_ANSWERS_BORROWING_SEQ),
                          db_col_str(cur, COL_ANSWERS_BORROWING_CONTENT), err));
    }
}

/* The session's row is locked by then.  An answer that runs stays on the path
 * that is shown. */
static enum footnote_rc show(struct tx *tx, struct str message, int64_t session,
                             struct footnote_err *err)
{
    struct message_row row;

    TRY(message_find(tx, message, &row, err));
    if (!row.found || row.session != session)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (row.shown == SHOWN_ON)
        return FOOTNOTE_OK;
    TRY(lease_none(tx, session, err));
    TRY(path_show(tx, session, row.seq, err));
    return mark_shown(tx, session, err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct session_put *op = arg;
    const struct course_named course = {op->course, op->share};
    struct session_row s;
    bool leaves;

    TRY(session_find(tx, str_c(op->id_text), &s, err));
    if (s.deleted && !op->must_exist)
        TRY(session_confined(tx, op->course,
                             err)); /* as if it were not there */
    if (s.deleted || (op->must_exist && !s.found))
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    op->made = !s.found || tx->again;
    if (!s.found && op->shown.p)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (!s.found)
        return session_make(tx,
                            &(struct session_new){.id = str_c(op->id_text),
                                                  .title = op->title,
                                                  .course = course,
                                                  .created_ms = op->created_ms},
                            &s, err);
    if (op->as_new)
        TRY(check_same(tx, op, err));
    TRY(session_may_leave(tx, &s, op->course, &leaves, err));
    if (!leaves)
        TRY(session_may_write(tx, &s, err));
    if (!op->title.p && !op->course.p && !op->shown.p)
        return FOOTNOTE_OK;
    TRY(session_set(tx, &s, op->title, &course, err));
    return op->shown.p ? show(tx, op->shown, s.key, err) : FOOTNOTE_OK;
}

const struct store_op session_put_op = {put_prepare, put_run};
