/* postgres_setup.c - a new connection, before pipeline mode: is it the right
 * server, are its settings safe, is the schema ours and current. */
#include <stdlib.h>

#include "base/clock.h"
#include "db/postgres_impl.h"

enum { TRIES = 3 };

/* --- one command at a time -------------------------------------------- */

void pg_clearp(PGresult **r)
{
    PQclear(*r);
}

enum footnote_rc pg_await_result(struct pg_db *db, int64_t deadline_ms,
                                 PGresult **out, struct footnote_err *err)
{
    while (PQflush(db->conn) > 0 || PQisBusy(db->conn)) {
        enum pg_wait got = pg_wait(db->conn, deadline_ms);
        if (got == PG_READY)
            continue;
        enum footnote_rc rc = FOOTNOTE_BUSY;
        db->base.late |= got == PG_LATE;
        pg_put_message(err, rc, "connect",
                       got == PG_LATE ? "the database did not answer in time"
                                      : PQerrorMessage(db->conn));
        return rc;
    }
    *out = PQgetResult(db->conn);
    return FOOTNOTE_OK;
}

bool pg_is_good(const PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);

    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

enum footnote_rc pg_result_fail(struct pg_db *db, const PGresult *r,
                                const char *what, struct footnote_err *err)
{
    const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    enum footnote_rc rc = pg_meaning(state, db->base.mode).rc;

    pg_put_message(err, rc, what, text ? text : PQresultErrorMessage(r));
    return rc;
}

enum footnote_rc pg_ask(struct pg_db *db, const char *sql, int64_t deadline_ms,
                        PGresult **out, struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!PQsendQuery(db->conn, sql)) {
        pg_put_message(err, FOOTNOTE_BUSY, "connect", PQerrorMessage(db->conn));
        return FOOTNOTE_BUSY;
    }
    for (;;) {
        AUTO(pg_clearp) PGresult *r = NULL;
        TRY(pg_await_result(db, deadline_ms, &r, err));
        if (!r)
            return rc;
        if (!pg_is_good(r)) {
            rc = pg_result_fail(db, r, "setup", err);
        } else if (out) {
            PQclear(*out);
            *out = r;
            r = NULL;
        }
    }
}

int64_t pg_deadline(const struct pg_db *db)
{
    return db->base.until_ms ? db->base.until_ms
                             : clock_mono_ms() + db->base.timeout_ms;
}

/* Migrations may take long, and nobody waits for an answer yet. */
static enum footnote_rc exec(void *db, const char *sql,
                             struct footnote_err *err)
{
    return pg_ask(db, sql, -1, NULL, err);
}

/* --- is it the right place? ------------------------------------------- */

static bool is(const PGresult *r, int column, const char *value)
{
    return strcmp(PQgetvalue(r, 0, column), value) == 0;
}

static enum footnote_rc check_settings(const struct pg_db *db,
                                       const PGresult *r,
                                       struct footnote_err *err)
{
    for (int i = 1; i < PQnfields(r); i++)
        if (is(r, i, "off") || is(r, i, "local"))
            return db->allow_unsafe
                       ? FOOTNOTE_OK
                       : err_set(err, FOOTNOTE_INVALID,
                                 "the server has %s=%s and would lose "
                                 "acknowledged writes; allow_unsafe=1 in the "
                                 "URL accepts that",
                                 PQfname(r, i), PQgetvalue(r, 0, i));
    return FOOTNOTE_OK;
}

enum footnote_rc pg_check_server(struct pg_db *db, struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *r = NULL;
    const char *encoding = PQparameterStatus(db->conn, "server_encoding");

    if (db->base.sql->migrations_n == 0)
        return FOOTNOTE_OK; /* what we are sent is converted */
    if (encoding && strcmp(encoding, "UTF8") != 0 &&
        strcmp(encoding, "SQL_ASCII") != 0)
        return err_set(err, FOOTNOTE_INVALID,
                       "the database has encoding %s; it must be UTF8",
                       encoding);
    if (db->base.mode == DB_READ)
        return FOOTNOTE_OK;
    TRY(pg_ask(db,
               "SELECT pg_is_in_recovery(), "
               "current_setting('fsync') AS fsync, "
               "current_setting('full_page_writes') AS full_page_writes, "
               "current_setting('synchronous_commit') AS synchronous_commit;",
               pg_deadline(db), &r, err));
    if (is(r, 0, "t"))
        return err_set(err, FOOTNOTE_BUSY,
                       "wrong node: this server is a standby");
    return check_settings(db, r, err);
}

/* --- the schema ------------------------------------------------------- */

static enum footnote_rc ask_number(void *db, const char *sql, int64_t *out,
                                   struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *r = NULL;

    TRY(pg_ask(db, sql, pg_deadline(db), &r, err));
    *out = PQntuples(r) ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : 0;
    return FOOTNOTE_OK;
}

#define VERSION "SELECT coalesce(max(number), 0) FROM footnote.schema_version;"

/* -1 when there is nothing of ours, nor of anybody else. */
static enum footnote_rc ask_version(struct pg_db *db, int64_t *version,
                                    struct footnote_err *err)
{
    int64_t tables;

    TRY(ask_number(
        db,
        "SELECT CASE WHEN to_regclass('footnote.schema_version') IS NULL "
        "THEN (SELECT count(*) FROM pg_class WHERE relnamespace = "
        "to_regnamespace('footnote')) ELSE -1 END;",
        &tables, err));
    if (tables > 0)
        return err_set(err, FOOTNOTE_FOREIGN,
                       "the schema \"footnote\" belongs to another program");
    *version = -1;
    return tables == 0 ? FOOTNOTE_OK : ask_number(db, VERSION, version, err);
}

static enum footnote_rc bring_up(struct pg_db *db, struct footnote_err *err)
{
    int64_t version;

    TRY(exec(db,
             "BEGIN; SET LOCAL statement_timeout = 0;"
             "CREATE SCHEMA IF NOT EXISTS footnote;"
             "CREATE TABLE IF NOT EXISTS footnote.schema_version ("
             "number integer NOT NULL PRIMARY KEY, "
             "name text NOT NULL, applied_ms bigint NOT NULL);"
             "LOCK TABLE footnote.schema_version IN EXCLUSIVE MODE;",
             err));
    TRY(ask_number(db, VERSION, &version, err));
    TRY(migrate(db->base.sql, SQL_POSTGRES, (int)version, exec, db, err));
    return exec(db, "COMMIT;", err);
}

/* Two nodes that start at once may both find the schema missing.  IF NOT
 * EXISTS does not keep them apart: one is refused with a unique violation,
 * and then finds what the other has made. */
enum footnote_rc pg_bring_up_to_date(struct pg_db *db, struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_CONFLICT;
    struct footnote_err why;
    int64_t version;

    if (db->base.sql->migrations_n == 0)
        return FOOTNOTE_OK;
    TRY(ask_version(db, &version, err));
    TRY(migrate_check(db->base.sql, SQL_POSTGRES, (int)version, ask_number, db,
                      err));
    if (version == db->base.sql->migrations_n)
        return FOOTNOTE_OK;
    if (db->base.mode == DB_READ && version <= 0)
        return err_set(err, FOOTNOTE_NOTFOUND, "there are no tables");
    if (db->base.mode == DB_READ)
        return err_set(err, FOOTNOTE_FOREIGN,
                       "the database has schema %d, this program reads %d",
                       (int)version, db->base.sql->migrations_n);
    for (int i = 0; i < TRIES && rc == FOOTNOTE_CONFLICT; i++) {
        rc = bring_up(db, &why);
        if (rc != FOOTNOTE_OK)
            (void)exec(db, "ROLLBACK;", NULL);
    }
    if (rc != FOOTNOTE_OK && err)
        *err = why;
    return rc;
}
