/* postgres_impl.h - shared by the postgres*.c files alone.  One thread.
 *
 * The connection is in pipeline mode all the time.  What was sent and not yet
 * answered is a queue of cursors in the order of sending:
 *
 *     BEGIN  statement  statement  ...  COMMIT  Sync
 *       ^ head: the next result belongs to it
 *
 * A reader sends statements and a Sync alone.
 *
 * An error makes the server skip everything up to the next Sync, so the first
 * one is kept as the transaction's failure and every later call returns it. */
#ifndef DB_POSTGRES_IMPL_H
#define DB_POSTGRES_IMPL_H
#include <libpq-fe.h>

#include "db/driver.h"

enum { PG_ARGS_MAX = 64 };

struct pg_cur {
    struct db_cur base;
    struct pg_cur *next; /* in the queue, or in the list of unused ones */
    const char *name;    /* of the statement */
    PGresult *result;    /* its rows, when it has any and they are wanted */
    int row;             /* the current one; -1 before the first */
    int64_t changed;     /* rows, when it returns none */
    bool held;           /* a caller will end it */
    bool answered;       /* at least one result came */
    bool arrived;        /* and it was the last */
    bool failed;
    bool deaf; /* its transaction was given up: its errors mean nothing */
};

struct pg_stmt {
    Oid args[PG_ARGS_MAX];
};

struct pg_db {
    struct db base;
    char *url;             /* without the options that are not libpq's */
    bool allow_unsafe;     /* whatever the server's settings */
    PGconn *conn;          /* NULL: to be connected by the next begin */
    bool stale;            /* to be connected anew by the next begin */
    struct pg_stmt *stmts; /* by statement */
    struct pg_cur *head, **tail, *unused;
    uint64_t begun_n;           /* transactions so far */
    bool unflushed;             /* sent since the server was asked to answer */
    bool committing, committed; /* COMMIT was sent; its tag was COMMIT */
    bool warned;                /* since COMMIT was sent */
    bool lost;                  /* `failed` is the loss of the connection */
    struct footnote_err failed; /* of the transaction; rc OK: none */
};

/* postgres_open.c */

/* Reads the URL into url and allow_unsafe. */
enum footnote_rc pg_parse_url(struct pg_db *db, const char *url,
                              struct footnote_err *err);
/* Connects, checks the server, migrates, prepares all statements.  On failure
 * conn is NULL. */
enum footnote_rc pg_connect(struct pg_db *db, struct footnote_err *err);

/* postgres_hosts.c */

/* The URL's settings for one of the hosts that it lists. */
struct pg_host {
    struct arena arena;
    const char *host, *hostaddr, *port; /* NULL: not said */
};
/* How many hosts the URL lists; INVALID when its lists do not match. */
enum footnote_rc pg_hosts_count(const PQconninfoOption *info, size_t *n,
                                struct footnote_err *err);
/* *out is yours: pg_host_free(). */
enum footnote_rc pg_host_at(const PQconninfoOption *info, size_t i,
                            struct pg_host *out, struct footnote_err *err);
void pg_host_free(struct pg_host *h);

/* postgres_setup.c: before pipeline mode */

/* The right server with safe settings; and our schema, migrated. */
enum footnote_rc pg_check_server(struct pg_db *db, struct footnote_err *err);
enum footnote_rc pg_bring_up_to_date(struct pg_db *db,
                                     struct footnote_err *err);
/* Runs the text and waits; *out, when wanted, is the last good result. */
enum footnote_rc pg_ask(struct pg_db *db, const char *sql, int64_t deadline_ms,
                        PGresult **out, struct footnote_err *err);
/* Waits for the next result, or the NULL that ends a query's results. */
enum footnote_rc pg_await_result(struct pg_db *db, int64_t deadline_ms,
                                 PGresult **out, struct footnote_err *err);
enum footnote_rc pg_result_fail(struct pg_db *db, const PGresult *r,
                                const char *what, struct footnote_err *err);
bool pg_is_good(const PGresult *r);
/* Of what is waited for now: all of connecting and the first answer share one.
 */
int64_t pg_deadline(const struct pg_db *db);
void pg_clearp(PGresult **r); /* for AUTO */

/* postgres_examine.c */

enum footnote_rc pg_examine(struct db *base, struct db_examination *x,
                            struct footnote_err *err);

/* postgres_pipe.c: in pipeline mode */

/* Sending only fails when the connection broke or memory is out. */
enum footnote_rc pg_send_text(struct pg_db *db, const char *sql,
                              struct footnote_err *err);
/* *out, when wanted, is the caller's to recycle once it has arrived. */
enum footnote_rc pg_send_sync(struct pg_db *db, struct pg_cur **out,
                              struct footnote_err *err);
enum footnote_rc pg_send_stmt(struct pg_db *db, enum stmt_id id,
                              const struct db_value *args, bool held,
                              struct pg_cur **out, struct footnote_err *err);
/* Waits until the cursor has arrived, or the connection is gone. */
void pg_await(struct pg_db *db, const struct pg_cur *cur);
/* Takes what has come, without waiting. */
void pg_take_results(struct pg_db *db);
void pg_recycle(struct pg_db *db, struct pg_cur *cur);
/* Closes the connection; all that was sent arrives as failed. */
void pg_drop(struct pg_db *db);
/* The same, as the failure of the transaction. */
void pg_lose(struct pg_db *db, bool late);
enum footnote_rc pg_failure(const struct pg_db *db, struct footnote_err *err);

/* postgres_value.c */

enum pg_wait { PG_READY, PG_LATE, PG_LOST };
/* Sends what is buffered, and waits once until something can be read or more
 * can be sent.  Reads while it writes: otherwise both sides might wait for
 * the other to read.  deadline_ms is on the monotonic clock; -1: none. */
enum pg_wait pg_wait(PGconn *conn, int64_t deadline_ms);

/* The arguments of one statement in the binary form of its parameter types. */
struct pg_args {
    const char *values[PG_ARGS_MAX];
    int lengths[PG_ARGS_MAX], formats[PG_ARGS_MAX];
    uint64_t numbers[PG_ARGS_MAX];
};
enum footnote_rc pg_bind(struct pg_args *out, const Oid *types,
                         const struct db_value *args, int n,
                         struct footnote_err *err);
bool pg_type_known(Oid type);
int64_t pg_col_i64(struct db_cur *cur, int column);
double pg_col_f64(struct db_cur *cur, int column);
struct str pg_col_str(struct db_cur *cur, int column);
bool pg_col_null(struct db_cur *cur, int column);
void pg_col_values(struct db_cur *cur, int first, size_t n,
                   struct db_value *out);

/* What an SQLSTATE means to us. */
struct pg_meaning {
    enum footnote_rc rc;
    bool retry; /* the same transaction may succeed */
    bool stale; /* this connection leads to the wrong place */
    bool lost;  /* the connection is gone, or the outcome unknown */
};
struct pg_meaning pg_meaning(const char *state, enum db_mode mode);
/* The first line of libpq's message, as a sentence. */
void pg_put_message(struct footnote_err *err, enum footnote_rc rc,
                    const char *what, const char *message);

#endif
