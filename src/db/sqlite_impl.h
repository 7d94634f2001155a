/* sqlite_impl.h - shared by the files sqlite*.c alone.  One thread. */
#ifndef DB_SQLITE_IMPL_H
#define DB_SQLITE_IMPL_H
#include <assert.h>
#include <sqlite3.h>

#include "db/driver.h"

/* The statements that steer transactions, prepared on first use. */
enum sqlite_control {
    CONTROL_BEGIN,
    CONTROL_COMMIT,
    CONTROL_ROLLBACK,
    CONTROL_PART_BEGIN,
    CONTROL_PART_END,
    CONTROL_PART_UNDO,
    CONTROL_N
};

/* A prepared statement and the walk over its rows.  Kept for the life of the
 * connection: idle ones wait in the list of their statement. */
struct sqlite_cur {
    struct db_cur base;
    sqlite3_stmt *stmt;
    enum stmt_id id;
    bool over; /* no more rows, or failed: stepping again would restart it */
    struct sqlite_cur *next_idle, *next_made;
};

struct sqlite_db {
    struct db base;
    char *path; /* of the file; NULL for the private memory database */
    bool memory;
    sqlite3 *conn;
    bool stale; /* to be closed and opened again before the next begin */
    sqlite3_stmt *control[CONTROL_N];
    struct sqlite_cur **idle; /* by statement */
    struct sqlite_cur *made;
    int busy_n;         /* cursors not ended */
    int64_t started_ms; /* when the running call was first seen to be slow */
    struct checkpointer *checkpointer; /* NULL: was never long */
    int log_pages;     /* since the log began; 1: some; 0: it is empty */
    int64_t logged_ms; /* when the last of them was written */
};

/* Reads the URL into path and memory. */
enum footnote_rc sqlite_parse_url(struct sqlite_db *db, const char *url,
                                  struct footnote_err *err);
/* Checks that the file is ours, opens it and, for writing, migrates it.  On
 * failure conn may be set: the caller closes. */
enum footnote_rc sqlite_connect(struct sqlite_db *db, struct footnote_err *err);
/* As db_check_log(). */
enum footnote_rc sqlite_check_log(const char *url, struct footnote_err *err);
/* One more connection to the file that db writes; on failure *out is still to
 * be closed. */
enum footnote_rc sqlite_open_beside(const struct sqlite_db *db, sqlite3 **out,
                                    struct footnote_err *err);
/* sqlite_examine.c */
enum footnote_rc sqlite_examine(struct db *base, struct db_examination *x,
                                struct footnote_err *err);

/* sqlite_log.c: DAMAGED when SQLite would leave out commits of the log at
 * `path` that were durable.  A writer at work may look like damage: whoever
 * finds some looks again with the write lock. */
enum footnote_rc sqlite_log_check(const char *path, struct footnote_err *err);

/* sqlite_checkpoint.c: from now on the log of db's connection is copied back
 * into the database when it is time.  Close before the connection. */
void sqlite_checkpoint_watch(struct sqlite_db *db);
void sqlite_checkpoint_after_commit(struct sqlite_db *db); /* empty or not */
void sqlite_checkpoint_close(struct sqlite_db *db);
/* Copies all of the log and empties its file, without waiting for anybody; the
 * code of SQLite. */
int sqlite_checkpoint_empty(struct sqlite_db *db);

/* sqlite_copy.c: as db_copy_file(). */
enum footnote_rc sqlite_copy_file(struct db *db, const char *path,
                                  const atomic_bool *stop,
                                  struct footnote_err *err);

/* The code of db.h for a failure of SQLite; sets the sentence "what: why". */
enum footnote_rc sqlite_explain(sqlite3 *conn, int code, const char *what,
                                struct footnote_err *err);
/* The same, inline, so that analysers see that it is not OK. */
static inline enum footnote_rc sqlite_fail(sqlite3 *conn, int code,
                                           const char *what,
                                           struct footnote_err *err)
{
    enum footnote_rc rc = sqlite_explain(conn, code, what, err);

    assert(rc != FOOTNOTE_OK);
    return rc;
}

#endif
