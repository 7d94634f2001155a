/* postgres.c - the PostgreSQL driver: transactions, cursors, the table. */
#include <assert.h>
#include <poll.h>
#include <stdlib.h>

#include "db/postgres_impl.h"

static struct pg_db *of(struct db *db)
{
    return (struct pg_db *)db;
}

/* --- transactions ----------------------------------------------------- */

/* A server that went away while nobody looked is noticed here, rather than by
 * the first statement of the new transaction. */
static void probe(struct pg_db *db)
{
    struct pollfd p = {.fd = PQsocket(db->conn), .events = POLLIN};

    for (int i = 0; i < 4 && db->conn && poll(&p, 1, 0) > 0; i++) {
        if (!PQconsumeInput(db->conn))
            pg_lose(db, false);
        else
            pg_take_results(db);
    }
}

/* A plan that was made for a small table may walk over all of it once it has
 * grown: an index on the tenant alone looks as good as the right one.  The
 * server sees that when it analyses the table, a minute later at best.  So
 * plans are made anew whenever the number of transactions has doubled. */
static enum footnote_rc forget_plans(struct pg_db *db, struct footnote_err *err)
{
    uint64_t n = ++db->begun_n;

    return n > 1 && (n & (n - 1)) == 0 ? pg_send_text(db, "DISCARD PLANS", err)
                                       : FOOTNOTE_OK;
}

static enum footnote_rc begin(struct db *base, struct footnote_err *err)
{
    struct pg_db *db = of(base);

    if (db->conn && !db->stale)
        probe(db);
    if (db->conn && db->stale)
        pg_drop(db);
    if (!db->conn)
        TRY(pg_connect(db, err));
    db->failed.rc = FOOTNOTE_OK;
    db->lost = db->base.retry = db->committed = false;
    if (base->mode == DB_WRITE)
        TRY(pg_send_text(db, "BEGIN", err));
    return forget_plans(db, err);
}

/* A reader sends neither BEGIN nor COMMIT: what it sends between two Syncs is
 * a transaction by itself, with the isolation that postgres_open.c asked for,
 * hence one snapshot.  That halves what the server does for a point read. */
static enum footnote_rc commit_reading(struct pg_db *db,
                                       struct footnote_err *err)
{
    struct pg_cur *end = NULL;

    if (db->conn && !db->base.last &&
        pg_send_sync(db, &end, err) == FOOTNOTE_OK) {
        pg_await(db, end);
        pg_recycle(db, end);
    }
    return db->failed.rc != FOOTNOTE_OK ? pg_failure(db, err) : FOOTNOTE_OK;
}

/* The first Sync ends the skipping that follows an error, which may have
 * happened without our knowing. */
static enum footnote_rc send_rollback(struct pg_db *db, struct pg_cur **end)
{
    TRY(pg_send_sync(db, NULL, NULL));
    TRY(pg_send_text(db, "ROLLBACK", NULL));
    return pg_send_sync(db, end, NULL);
}

/* Nobody waits for the answers: the next wait takes them, unless the request
 * does not even fit in the socket. */
static void rollback(struct db *base)
{
    struct pg_db *db = of(base);
    struct pg_cur *end = NULL;

    for (struct pg_cur *cur = db->head; cur; cur = cur->next)
        cur->deaf = true;
    if (!db->conn || base->last)
        return;
    if ((base->mode == DB_READ ? pg_send_sync(db, &end, NULL)
                               : send_rollback(db, &end)) != FOOTNOTE_OK) {
        if (db->conn)
            pg_drop(db);
        return;
    }
    if (PQflush(db->conn) != 0)
        pg_await(db, end);
    end->held = false;
    if (end->arrived)
        pg_recycle(db, end);
}

/* Once COMMIT is on its way, a failure to send the rest leaves it unknown
 * whether the server has seen it. */
static enum footnote_rc send_commit(struct pg_db *db, struct pg_cur **end,
                                    struct footnote_err *err)
{
    TRY(pg_send_text(db, "COMMIT", err));
    if (pg_send_sync(db, end, err) != FOOTNOTE_OK && db->conn)
        pg_lose(db, false);
    return FOOTNOTE_OK;
}

static enum footnote_rc outcome(struct pg_db *db, struct footnote_err *err)
{
    if (db->lost)
        return err_set(err, FOOTNOTE_UNSURE, "commit: %.150s", db->failed.text);
    if (db->failed.rc != FOOTNOTE_OK)
        return pg_failure(db, err);
    if (!db->committed)
        return err_set(err, FOOTNOTE_INTERNAL, "commit: was rolled back");
    if (db->warned)
        return err_set(err, FOOTNOTE_UNSURE,
                       "commit: done here, but perhaps not on the standby");
    return FOOTNOTE_OK;
}

/* Done is only what the server calls COMMIT without a warning: a transaction
 * that failed answers ROLLBACK, and a wait for a standby that was cut short
 * answers COMMIT with a warning. */
static enum footnote_rc commit(struct db *base, struct footnote_err *err)
{
    struct pg_db *db = of(base);
    struct pg_cur *end = NULL;

    if (base->mode == DB_READ)
        return commit_reading(db, err);
    if (db->failed.rc != FOOTNOTE_OK) {
        rollback(base);
        return pg_failure(db, err);
    }
    assert(!db->committing);
    db->warned = false;
    db->committing = true;
    enum footnote_rc rc = send_commit(db, &end, err);
    if (end) {
        pg_await(db, end);
        pg_recycle(db, end);
    }
    db->committing = false;
    if (db->conn && PQtransactionStatus(db->conn) != PQTRANS_IDLE)
        rollback(base);
    return rc == FOOTNOTE_OK || db->lost ? outcome(db, err) : rc;
}

/* There are no savepoints: in a pipeline an error skips the rest anyway. */
static enum footnote_rc part(struct db *base, struct footnote_err *err)
{
    return of(base)->failed.rc ? pg_failure(of(base), err) : FOOTNOTE_OK;
}

static bool part_undo(struct db *base)
{
    return !base->wrote && of(base)->failed.rc == FOOTNOTE_OK;
}

/* --- statements ------------------------------------------------------- */

static enum footnote_rc run(struct db *base, enum stmt_id id,
                            const struct db_value *args, struct db_cur **out,
                            struct footnote_err *err)
{
    struct pg_cur *cur;

    TRY(pg_send_stmt(of(base), id, args, true, &cur, err));
    *out = &cur->base;
    return FOOTNOTE_OK;
}

static enum footnote_rc run_alone(struct db *base, enum stmt_id id,
                                  const struct db_value *args,
                                  struct footnote_err *err)
{
    struct pg_cur *cur;

    return pg_send_stmt(of(base), id, args, false, &cur, err);
}

/* A failure to send is found when the rows are waited for. */
static void last(struct db *base)
{
    if (of(base)->conn)
        (void)pg_send_sync(of(base), NULL, NULL);
}

static enum footnote_rc next(struct db_cur *base, bool *row,
                             struct footnote_err *err)
{
    struct pg_cur *cur = (struct pg_cur *)base;
    struct pg_db *db = of(base->db);

    if (!cur->arrived)
        pg_await(db, cur);
    if (cur->failed)
        return db->failed.rc
                   ? pg_failure(db, err)
                   : err_set(err, FOOTNOTE_INTERNAL,
                             "%s: its transaction is over", cur->name);
    *row = cur->result && cur->row + 1 < PQntuples(cur->result);
    if (*row)
        cur->row++;
    return FOOTNOTE_OK;
}

static int64_t changed(struct db_cur *cur)
{
    return ((struct pg_cur *)cur)->changed;
}

static void end_cur(struct db_cur *base)
{
    struct pg_cur *cur = (struct pg_cur *)base;

    assert(cur->held);
    cur->held = false;
    if (cur->arrived)
        pg_recycle(of(base->db), cur);
}

/* --- opening and closing ---------------------------------------------- */

static void close_db(struct db *base)
{
    struct pg_db *db = of(base);

    pg_drop(db);
    while (db->unused) {
        struct pg_cur *cur = db->unused;
        db->unused = cur->next;
        free(cur);
    }
    free(db->stmts);
    free(db->url);
    free(db);
}

static void close_dbp(struct pg_db **db)
{
    if (*db)
        close_db(&(*db)->base);
}

static enum footnote_rc open_db(const struct db_options *o, struct db **out,
                                struct footnote_err *err)
{
    AUTO(close_dbp) struct pg_db *db = calloc(1, sizeof(*db));

    if (!db)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    db_base_init(&db->base, &db_postgres, o);
    db->tail = &db->head;
    db->stmts = calloc(o->sql->stmts_n, sizeof(*db->stmts));
    if (!db->stmts)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    TRY(pg_parse_url(db, o->url, err));
    TRY(pg_connect(db, err));
    *out = &db->base;
    db = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

const struct db_driver db_postgres = {
    .name = "postgres",
    .engine = SQL_POSTGRES,
    .round_trips = true,
    .rival_writers = true,
    .other_machines = true,
    .open = open_db,
    .close = close_db,
    .examine = pg_examine,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .part_begin = part,
    .part_end = part,
    .part_undo = part_undo,
    .run = run,
    .run_alone = run_alone,
    .last = last,
    .next = next,
    .col_i64 = pg_col_i64,
    .col_f64 = pg_col_f64,
    .col_str = pg_col_str,
    .col_null = pg_col_null,
    .col_values = pg_col_values,
    .changed = changed,
    .end = end_cur,
};
