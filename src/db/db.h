/* db.h - the database boundary: statements, not domain.  One thread.
 *
 * A connection belongs to one thread at a time.  Statements are named in
 * sql/query and made by tools/sqlgen; their text is the same for both drivers
 * wherever it can be.  The store above is written once on these calls.
 *
 * Two ways to run a statement:
 *
 *     db_run    rows are wanted.  A pipelining driver only sends; the first
 *               db_next waits.  So run several, then read them in that order,
 *               and they share one round trip.
 *     db_do     no rows are wanted.  A pipelining driver does not wait at all:
 *               a failure may surface in any later call, db_commit at the
 *               latest, and spoils the transaction.
 *
 * Same mistake, same code, on every driver: unique -> CONFLICT, foreign key
 * -> NOTFOUND, check/not null -> INVALID, out of time, lock or disk -> BUSY,
 * read-only -> READONLY, lost connection -> BUSY (UNSURE when it was lost in
 * commit), a full disk BUSY, no memory NOMEM, not ours FOREIGN, a damaged
 * file DAMAGED, anything else INTERNAL. */
#ifndef DB_DB_H
#define DB_DB_H
#include <stdatomic.h>

#include "base/arena.h"
#include "sql.h" /* generated: enum stmt_id, struct sql_stmt, migrations */

enum db_type { DB_NULL, DB_I64, DB_F64, DB_TEXT, DB_BLOB };
struct db_value {
    enum db_type type;
    union {
        int64_t i;
        double f;
        struct str s; /* text or blob */
    };
};

static inline struct db_value db_null(void)
{
    return (struct db_value){.type = DB_NULL};
}
static inline struct db_value db_i64(int64_t v)
{
    return (struct db_value){.type = DB_I64, .i = v};
}
static inline struct db_value db_f64(double v)
{
    return (struct db_value){.type = DB_F64, .f = v};
}
/* An absent str is NULL. */
static inline struct db_value db_text(struct str s)
{
    return (struct db_value){.type = s.p ? DB_TEXT : DB_NULL, .s = s};
}
static inline struct db_value db_blob(struct str s)
{
    return (struct db_value){.type = s.p ? DB_BLOB : DB_NULL, .s = s};
}

enum db_mode {
    DB_WRITE, /* makes a missing database */
    DB_READ   /* read-only, a snapshot from the first read to db_commit */
};

struct db; /* what every driver's begins with, see driver.h */
struct db_cur;

/* What is the same for every connection to a database. */
struct db_options {
    const char *url; /* "sqlite:PATH[?...]", "postgres://..." */
    enum db_mode mode;
    int timeout_ms;            /* for any one call; 0: 10 seconds */
    int64_t until_ms;          /* db_open() ends by then, on the monotonic
                                  clock; 0: by the time of one call */
    const struct sql_set *sql; /* NULL: the product's; tests bring their own */
    bool scratch; /* writing: the file goes with its program, so nothing is
                     synced, and nothing can be rolled back */
};

/* Connects.  DB_WRITE also checks that the database is ours and migrates it
 * to the newest schema; a newer one is FOREIGN, with both numbers in the
 * text, and nothing is touched.  *out is yours: db_close(). */
enum footnote_rc db_open(const struct db_options *o, struct db **out,
                         struct footnote_err *err);
void db_close(struct db *db); /* NULL is fine; rolls back */

/* DAMAGED when opening the database for writing would refuse its log, with the
 * same sentence; a reader takes the log as it is.  Before a reader that no
 * writer of this process stands beside; true beside another's, too. */
enum footnote_rc db_check_log(const char *url, struct footnote_err *err);

/* What the engine itself says of the whole database.  For a reader's connection
 * with nothing begun; takes as long as there is to read. */
enum db_grade { DB_FINE, DB_DOUBTFUL, DB_BROKEN };
struct db_examination {
    bool quick; /* leaves out what reads every row */
    /* One finding, and the step that mends it; NULL: there is none. */
    void (*found)(void *arg, enum db_grade grade, const char *text,
                  const char *mend);
    void (*goes_on)(void *arg); /* called now and then */
    void *arg;
    int64_t clock_ms; /* out: the server's time; 0: it has none of its own */
};
enum footnote_rc db_examine(struct db *db, struct db_examination *x,
                            struct footnote_err *err);

/* A transaction.  DB_WRITE begins exclusively where the engine has one
 * writer.  A lost connection is opened again here. */
enum footnote_rc db_begin(struct db *db, struct footnote_err *err);
/* The same for a caller that has waited already: connecting, beginning and the
 * first answer together end by `until_ms`, on the monotonic clock.  Every
 * further answer has the time of one call, because nothing comes after the one
 * that was too late. */
enum footnote_rc db_begin_until(struct db *db, int64_t until_ms,
                                struct footnote_err *err);
/* Nothing was heard of the database since its time was up. */
bool db_is_late(const struct db *db);
/* OK: done.  UNSURE: it may or may not be there.  Else: not done.  Over in
 * any case. */
enum footnote_rc db_commit(struct db *db, struct footnote_err *err);
void db_rollback(struct db *db); /* nothing open is fine */

/* One request within a transaction of many.  db_part_undo returns true when
 * nothing was written since db_part_begin, or when the part alone was taken
 * back; false means that the whole transaction must be rolled back.  Taking
 * back a part needs a transaction that was begun with care, and an engine that
 * can: SQLite by savepoints, PostgreSQL not.  Without care a part costs
 * nothing. */
enum footnote_rc db_part_begin(struct db *db, struct footnote_err *err);
enum footnote_rc db_part_end(struct db *db, struct footnote_err *err);
bool db_part_undo(struct db *db);
/* Whether transactions from the next one on are begun with care.  Returns what
 * was asked for, or false when the engine cannot. */
bool db_care(struct db *db, bool care);

/* Arguments outlive the cursor.  Their number is asserted.  A statement
 * without any is run by db_run_n(db, stmt, NULL, 0, ...). */
#define db_run(db, stmt, cur, err, ...)                                        \
    db_run_n((db), (stmt), (struct db_value[]){__VA_ARGS__},                   \
             sizeof((struct db_value[]){__VA_ARGS__}) /                        \
                 sizeof(struct db_value),                                      \
             (cur), (err))
#define db_do(db, stmt, err, ...)                                              \
    db_do_n((db), (stmt), (struct db_value[]){__VA_ARGS__},                    \
            sizeof((struct db_value[]){__VA_ARGS__}) /                         \
                sizeof(struct db_value),                                       \
            (err))
/* *cur is yours: db_end().  One open cursor per statement on a connection,
 * except that a statement may be run again before its cursors are read where
 * the rows are few (at most one each): the driver keeps them apart. */
enum footnote_rc db_run_n(struct db *db, enum stmt_id stmt,
                          const struct db_value *args, size_t args_n,
                          struct db_cur **cur, struct footnote_err *err);
enum footnote_rc db_do_n(struct db *db, enum stmt_id stmt,
                         const struct db_value *args, size_t args_n,
                         struct footnote_err *err);

/* The next row, if any.  The end of the rows is not an error. */
enum footnote_rc db_next(struct db_cur *cur, bool *row,
                         struct footnote_err *err);
/* Columns of the current row, from 0.  Text and blobs are borrowed until the
 * next db_next or db_end.  NULL reads as 0, 0.0 or absent.
 *
 * Engines do not look at what they find on the disk, and everything above
 * takes texts as they come.  So a text that is not UTF-8 or has a NUL byte
 * reads as "", a number that is not finite as 0, and db_sound() tells. */
int64_t db_col_i64(struct db_cur *cur, int column);
double db_col_f64(struct db_cur *cur, int column);
struct str db_col_str(struct db_cur *cur, int column);
bool db_col_null(struct db_cur *cur, int column);
/* With the types that they have in this row, and as they are stored, sound or
 * not: n columns from `first` on, for whoever judges the row. */
void db_col_values(struct db_cur *cur, int first, size_t n,
                   struct db_value *out);
void db_end(struct db_cur **cur); /* fit for AUTO; *cur may be NULL */
/* DAMAGED when a column was read, since the transaction or its part began,
 * that nobody can have stored.  Whoever reads for others asks at the end, and
 * gives nothing out before. */
enum footnote_rc db_sound(const struct db *db, struct footnote_err *err);
/* Whoever looks for such rows has told of what was read so far: db_sound() is
 * OK again. */
void db_told(struct db *db);

/* For one-row statements: run, step, and hand over the cursor on its row;
 * *row false (and *cur still to be ended) when there is none. */
#define db_one(db, stmt, cur, row, err, ...)                                   \
    db_one_n((db), (stmt), (struct db_value[]){__VA_ARGS__},                   \
             sizeof((struct db_value[]){__VA_ARGS__}) /                        \
                 sizeof(struct db_value),                                      \
             (cur), (row), (err))
enum footnote_rc db_one_n(struct db *db, enum stmt_id stmt,
                          const struct db_value *args, size_t args_n,
                          struct db_cur **cur, bool *row,
                          struct footnote_err *err);

/* For statements that change rows and return none: *rows were changed.  What
 * only asks whether it met its row is cheaper so than with RETURNING, for which
 * SQLite makes a table each time. */
#define db_change(db, stmt, rows, err, ...)                                    \
    db_change_n((db), (stmt), (struct db_value[]){__VA_ARGS__},                \
                sizeof((struct db_value[]){__VA_ARGS__}) /                     \
                    sizeof(struct db_value),                                   \
                (rows), (err))
enum footnote_rc db_change_n(struct db *db, enum stmt_id stmt,
                             const struct db_value *args, size_t args_n,
                             int64_t *rows, struct footnote_err *err);

/* Readers: all that this transaction will run was run.  Its rows are still to
 * be read; a pipelining driver ends it in the same round trip. */
void db_last(struct db *db);

/* The whole database as this reader's transaction sees it becomes the new file
 * `path`, page by page, beside any number of writers.  Only where
 * db_is_file(); the caller fsyncs.  `stop` ends it early as BUSY. */
bool db_is_file(const struct db *db);
enum footnote_rc db_copy_file(struct db *db, const char *path,
                              const atomic_bool *stop,
                              struct footnote_err *err);
/* A SQLite file that nobody has open will need no log beside it any more: it
 * can be read where nothing may be written. */
enum footnote_rc db_finish_file(const char *path, struct footnote_err *err);

/* Which transaction of this connection this is, from 1. */
int64_t db_transaction(const struct db *db);
/* "sqlite" or "postgres". */
const char *db_engine(const struct db *db);
/* Asking costs a round trip: ask for much at a time, and not where nobody may
 * wait. */
bool db_has_round_trips(const struct db *db);
/* Others may write while a transaction of ours does: what it has read may be
 * untrue when it commits. */
bool db_has_rival_writers(const struct db *db);
/* Processes on other machines may use the same database. */
bool db_has_other_machines(const struct db *db);

static inline struct db_value db_opt(bool has, int64_t v)
{
    return has ? db_i64(v) : db_null();
}
static inline struct db_value db_opt_f64(bool has, double v)
{
    return has ? db_f64(v) : db_null();
}

/* The other way round, of what db_col_values() reads: a value of another type
 * is 0, or absent. */
static inline int64_t db_value_i64(const struct db_value *v)
{
    return v->type == DB_I64 ? v->i : 0;
}
static inline struct str db_value_str(const struct db_value *v)
{
    return v->type == DB_TEXT || v->type == DB_BLOB ? v->s : STR_NONE;
}

#endif
