/* version.c - whether what was read of a session is still true.
 *
 * The session's version counts its messages, references and fields; the
 * course's and the tenant's count documents and rights.  A running answer's
 * text moves none of them. */
#include "store/inner.h"

static enum footnote_rc read_versions(struct db *db, struct who who,
                                      struct versions *op,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_run(db, STMT_VERSION_READ, &cur, err, db_text(who.user),
               db_text(op->session), db_text(who.tenant)));
    db_last(db);
    TRY(db_next(cur, &row, err));
    if (!row)
        return err_set(err, FOOTNOTE_NOTFOUND, "session: is not there");
    op->session_version = db_col_i64(cur, 0);
    op->course_version = db_col_i64(cur, 1);
    op->docs_version = db_col_i64(cur, 2);
    return FOOTNOTE_OK;
}

enum footnote_rc store_versions(struct store *st, struct who who, bool wait,
                                struct versions *op, struct footnote_err *err)
{
    struct db *db = NULL;
    enum footnote_rc rc;

    TRY(check_id(who.tenant, "tenant", err));
    TRY(check_id(who.user, "user", err));
    TRY(check_id(op->session, "session", err));
    TRY((wait ? readers_take : readers_try_take)(st->readers, &db, err));
    rc = read_versions(db, who, op, err);
    readers_give(st->readers, db);
    return rc;
}
