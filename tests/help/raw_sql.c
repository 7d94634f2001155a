/* raw_sql.c - SQL behind the store's back, on either engine. */
#include "help/raw_sql.h"
#include "contract.h"
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

static long long sqlite_run(const char *sql, bool row)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    long long number = 0;

    CHECK_INT(sqlite3_open(test_url() + sizeof("sqlite:") - 1, &db), SQLITE_OK);
    if (!row) {
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
            FAIL("%s: %s", sql, sqlite3_errmsg(db));
    } else {
        CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
        CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
        number = sqlite3_column_int64(stmt, 0);
        sqlite3_finalize(stmt);
    }
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
    return number;
}

static long long postgres_run(const char *sql, bool row)
{
    PGconn *conn = PQconnectdb(test_url());
    PGresult *r = PQexec(conn, sql);
    ExecStatusType status = PQresultStatus(r);
    long long number = 0;

    if (status != (row ? PGRES_TUPLES_OK : PGRES_COMMAND_OK))
        FAIL("%s: %s", sql, PQerrorMessage(conn));
    if (row)
        number = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
    PQclear(r);
    PQfinish(conn);
    return number;
}

void raw_sql(const char *sql)
{
    (void)(test_is_postgres() ? postgres_run : sqlite_run)(sql, false);
}

long long raw_number(const char *sql)
{
    return (test_is_postgres() ? postgres_run : sqlite_run)(sql, true);
}
