/* sqlite_examine.c - what SQLite says of a whole file: the shape of its trees
 * and rows, and what rows refer to.  Nothing is changed. */
#include <stdio.h>

#include "db/sqlite_impl.h"

enum {
    FINDINGS_MAX = 20, /* of one check: more of them say no more */
    STEPS = 1000000    /* of SQLite's machine between two calls of goes_on */
};

static int on_steps(void *arg)
{
    const struct db_examination *x = arg;

    x->goes_on(x->arg);
    return 0; /* never out of time */
}

/* One line of a check's answer; false when it is no finding. */
typedef bool line_fn(sqlite3_stmt *row, char *text, size_t bytes);

static bool page_line(sqlite3_stmt *row, char *text, size_t bytes)
{
    const char *said = (const char *)sqlite3_column_text(row, 0);

    snprintf(text, bytes, "SQLite: %s", said ? said : "");
    return !said || strcmp(said, "ok") != 0;
}

static bool key_line(sqlite3_stmt *row, char *text, size_t bytes)
{
    const char *child = (const char *)sqlite3_column_text(row, 0);
    const char *parent = (const char *)sqlite3_column_text(row, 2);

    snprintf(text, bytes, "a row of %s names one of %s that is not there",
             child ? child : "?", parent ? parent : "?");
    return true;
}

/* A page that cannot be read ends a check early; that is a finding as well. */
static enum footnote_rc run_check(struct sqlite_db *db, const char *sql,
                                  line_fn *line, struct db_examination *x,
                                  int *found_n, struct footnote_err *err)
{
    const char *mend = "restore a backup: docs/operations.md, Backup";
    sqlite3_stmt *stmt = NULL;
    char text[200];
    int code = sqlite3_prepare_v2(db->conn, sql, -1, &stmt, NULL);

    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(stmt);
        if (code != SQLITE_ROW || !line(stmt, text, sizeof(text)))
            continue;
        x->found(x->arg, DB_BROKEN, text, mend);
        if (++*found_n == FINDINGS_MAX)
            code = SQLITE_DONE;
    }
    (void)sqlite3_finalize(stmt);
    if (code == SQLITE_DONE)
        return FOOTNOTE_OK;
    if ((code & 0xff) != SQLITE_CORRUPT)
        return sqlite_fail(db->conn, code, NULL, err);
    ++*found_n;
    x->found(x->arg, DB_BROKEN, sqlite3_errmsg(db->conn), mend);
    return FOOTNOTE_OK;
}

enum footnote_rc sqlite_examine(struct db *base, struct db_examination *x,
                                struct footnote_err *err)
{
    struct sqlite_db *db = (struct sqlite_db *)base;
    int found_n = 0;

    sqlite3_progress_handler(db->conn, STEPS, on_steps, x);
    TRY(run_check(db,
                  x->quick ? "PRAGMA quick_check(20);"
                           : "PRAGMA integrity_check(20);",
                  page_line, x, &found_n, err));
    if (!x->quick)
        TRY(run_check(db, "PRAGMA foreign_key_check;", key_line, x, &found_n,
                      err));
    if (found_n == 0)
        x->found(x->arg, DB_FINE,
                 x->quick ? "SQLite's quick_check finds nothing"
                          : "SQLite's integrity_check and foreign keys find "
                            "nothing",
                 NULL);
    return FOOTNOTE_OK;
}
