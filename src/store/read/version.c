/* version.c - whether what was read of a session is still true.
 *
 * The session's version counts its messages, references and fields; the
 * course's and the tenant's count documents and rights.  A running answer's
 * text moves none of them. */
#include <assert.h>

#include "db/reader.h"
#include "store/check.h"
#include "store/read/history.h"
#include "store/session/scope.h"
#include "store/state.h"

/* Whether it can be asked at all. */
static enum footnote_rc check(struct version_ask *a)
{
    if (scope_confines(a->who.scope)) /* whose key is confined reads it all */
        return err_field(&a->err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(check_id(a->who.tenant, "tenant", &a->err));
    TRY(check_id(a->who.user, "user", &a->err));
    return check_id(a->versions.session, "session", &a->err);
}

static void ask(struct db *db, struct version_ask *a, struct db_cur **cur)
{
    a->rc = check(a);
    if (a->rc == FOOTNOTE_OK)
        a->rc =
            db_run(db, STMT_VERSION_READ, cur, &a->err, db_text(a->who.user),
                   db_text(a->versions.session), db_text(a->who.tenant));
}

static enum footnote_rc read_row(struct version_ask *a, struct db_cur *cur)
{
    bool row;

    TRY(db_next(cur, &row, &a->err));
    if (!row)
        return err_field(&a->err, FOOTNOTE_NOTFOUND, "session", "is not there");
    a->versions.session_version =
        db_col_i64(cur, COL_VERSION_READ_SESSION_VERSION);
    a->versions.course_version =
        db_col_i64(cur, COL_VERSION_READ_COURSE_VERSION);
    a->versions.docs_version = db_col_i64(cur, COL_VERSION_READ_DOCS_VERSION);
    return FOOTNOTE_OK;
}

static void answer(struct version_ask *a, struct db_cur **cur)
{
    if (*cur)
        a->rc = read_row(a, *cur);
    db_end(cur);
}

/* All are sent before the first is waited for; a file has no round trips to
 * save, and would need a statement for each. */
static void ask_all(struct db *db, struct version_ask *asks, size_t n)
{
    struct db_cur *cur[VERSIONS_MAX] = {NULL};

    for (size_t i = 0; i < n; i++) {
        ask(db, &asks[i], &cur[i]);
        if (!db_has_round_trips(db))
            answer(&asks[i], &cur[i]);
    }
    db_last(db);
    for (size_t i = 0; i < n; i++)
        answer(&asks[i], &cur[i]);
}

void store_versions(struct store *st, struct version_ask *asks, size_t n,
                    bool wait)
{
    struct footnote_err err = {.text = ""};
    struct db *db = NULL;
    enum footnote_rc rc;

    assert(n <= VERSIONS_MAX);
    rc = (wait ? readers_take : readers_try_take)(st->readers, &db, &err);
    for (size_t i = 0; rc != FOOTNOTE_OK && i < n; i++) {
        asks[i].rc = rc;
        asks[i].err = err;
    }
    if (rc != FOOTNOTE_OK)
        return;
    ask_all(db, asks, n);
    readers_give(st->readers, db);
}
