/* postgres_pipe.c - a pipeline of statements: sending and results.
 *
 * Sending never waits.  A caller that needs a result asks the server to answer
 * what it has (a flush request) and waits until that result is in, with the
 * time limit of the connection; results of earlier statements go to their
 * cursors on the way.  A Sync is sent at the end of a transaction only.
 *
 * No wait is without a limit: when time is up the connection is dropped,
 * because nothing that it still holds can be trusted to arrive in order.  So a
 * transaction waits in vain once at most. */
#include <stdlib.h>

#include "base/clock.h"
#include "db/postgres_impl.h"

/* --- the queue of what was sent --------------------------------------- */

static enum footnote_rc new_cur(struct pg_db *db, const char *name,
                                struct pg_cur **out, struct footnote_err *err)
{
    struct pg_cur *cur = db->unused;

    if (cur)
        db->unused = cur->next;
    else
        cur = malloc(sizeof(*cur));
    if (!cur)
        return err_set(err, FOOTNOTE_NOMEM, "%s: out of memory", name);
    *cur = (struct pg_cur){.base = {&db->base}, .name = name, .row = -1};
    *out = cur;
    return FOOTNOTE_OK;
}

void pg_recycle(struct pg_db *db, struct pg_cur *cur)
{
    PQclear(cur->result);
    cur->result = NULL;
    cur->next = db->unused;
    db->unused = cur;
}

static void append(struct pg_db *db, struct pg_cur *cur)
{
    *db->tail = cur;
    db->tail = &cur->next;
    db->unflushed = true;
}

static void pop(struct pg_db *db)
{
    struct pg_cur *cur = db->head;

    db->head = cur->next;
    if (!db->head)
        db->tail = &db->head;
    cur->next = NULL;
    cur->arrived = true;
    if (cur->answered) {
        db->base.until_ms = 0;
        db->base.late = false;
    }
    cur->failed |= !cur->answered;
    if (!cur->held)
        pg_recycle(db, cur);
}

/* --- failure ---------------------------------------------------------- */

enum footnote_rc pg_failure(const struct pg_db *db, struct footnote_err *err)
{
    if (err)
        *err = db->failed;
    return db->failed.rc;
}

/* Drops the connection.  What it still owed is never coming. */
void pg_drop(struct pg_db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
    db->stale = false;
    while (db->head)
        pop(db);
}

void pg_lose(struct pg_db *db, bool late)
{
    if (db->failed.rc == FOOTNOTE_OK) {
        pg_put_message(&db->failed, FOOTNOTE_BUSY,
                       late ? "out of time" : "connection lost",
                       late ? "the database did not answer"
                            : PQerrorMessage(db->conn));
        db->lost = true;
        db->base.retry = !late;
    }
    db->base.late |= late;
    pg_drop(db);
}

/* Only the first error of a transaction says anything. */
static void learn_failure(struct pg_db *db, struct pg_cur *cur,
                          const PGresult *r)
{
    const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    struct pg_meaning meaning = pg_meaning(state, db->base.mode);

    cur->failed = true;
    db->stale |= meaning.stale;
    if (cur->deaf || db->failed.rc != FOOTNOTE_OK)
        return;
    db->base.retry = meaning.retry;
    db->lost = meaning.lost;
    pg_put_message(&db->failed, meaning.rc, cur->name,
                   text ? text : PQresultErrorMessage(r));
}

static void learn_success(struct pg_db *db, struct pg_cur *cur, PGresult *r)
{
    db->committed |= db->committing && strcmp(PQcmdStatus(r), "COMMIT") == 0;
    if (cur->held)
        (void)str_i64(str_c(PQcmdTuples(r)), &cur->changed);
}

/* --- results ---------------------------------------------------------- */

/* Gives one result, or the NULL that ends them, to the head of the queue. */
static void take_result(struct pg_db *db, PGresult *r)
{
    struct pg_cur *cur = db->head;
    ExecStatusType status = PQresultStatus(r);

    if (!r) {
        pop(db);
        return;
    }
    cur->answered = true;
    if (status == PGRES_TUPLES_OK && cur->held && !cur->result) {
        cur->result = r;
        return;
    }
    if (status == PGRES_PIPELINE_SYNC)
        pop(db); /* no NULL follows */
    else if (status == PGRES_COMMAND_OK)
        learn_success(db, cur, r);
    else if (status == PGRES_PIPELINE_ABORTED)
        cur->failed = true;
    else if (status != PGRES_TUPLES_OK)
        learn_failure(db, cur, r);
    PQclear(r);
}

void pg_take_results(struct pg_db *db)
{
    while (db->head && !PQisBusy(db->conn))
        take_result(db, PQgetResult(db->conn));
    if (PQstatus(db->conn) == CONNECTION_BAD)
        pg_lose(db, false);
}

/* Waits until the cursor's results are in, or the connection is gone. */
void pg_await(struct pg_db *db, const struct pg_cur *cur)
{
    int64_t deadline_ms = pg_deadline(db);

    if (db->conn && db->unflushed && !PQsendFlushRequest(db->conn))
        pg_lose(db, false);
    db->unflushed = false;
    while (db->conn) {
        pg_take_results(db);
        if (!db->conn || cur->arrived)
            return;
        enum pg_wait got = pg_wait(db->conn, deadline_ms);
        if (got != PG_READY)
            pg_lose(db, got == PG_LATE);
    }
}

/* --- sending ---------------------------------------------------------- */

/* After a refused send half a message may be in the buffer. */
static enum footnote_rc sent(struct pg_db *db, struct pg_cur *cur, int ok,
                             struct footnote_err *err)
{
    if (!ok) {
        pg_recycle(db, cur);
        pg_lose(db, false);
        return pg_failure(db, err);
    }
    append(db, cur);
    return FOOTNOTE_OK;
}

enum footnote_rc pg_send_text(struct pg_db *db, const char *sql,
                              struct footnote_err *err)
{
    struct pg_cur *cur;

    TRY(new_cur(db, sql, &cur, err));
    return sent(db, cur,
                PQsendQueryParams(db->conn, sql, 0, NULL, NULL, NULL, NULL, 1),
                err);
}

enum footnote_rc pg_send_sync(struct pg_db *db, struct pg_cur **out,
                              struct footnote_err *err)
{
    struct pg_cur *cur;

    TRY(new_cur(db, "sync", &cur, err));
    cur->held = out != NULL;
    TRY(sent(db, cur, PQpipelineSync(db->conn), err));
    db->unflushed = false; /* a Sync makes the server answer, too */
    if (out)
        *out = cur;
    return FOOTNOTE_OK;
}

enum footnote_rc pg_send_stmt(struct pg_db *db, enum stmt_id id,
                              const struct db_value *args, bool held,
                              struct pg_cur **out, struct footnote_err *err)
{
    const struct sql_stmt *s = &db->base.sql->stmts[id];
    struct pg_args bound;
    struct pg_cur *cur;

    if (db->failed.rc != FOOTNOTE_OK)
        return pg_failure(db, err);
    enum footnote_rc rc =
        pg_bind(&bound, db->stmts[id].args, args, s->args_n, err);
    if (rc != FOOTNOTE_OK) {
        err_prefix(err, "%s", s->name);
        return rc;
    }
    TRY(new_cur(db, s->name, &cur, err));
    cur->held = held;
    TRY(sent(db, cur,
             PQsendQueryPrepared(db->conn, s->name, s->args_n, bound.values,
                                 bound.lengths, bound.formats, 1),
             err));
    *out = cur;
    return FOOTNOTE_OK;
}
