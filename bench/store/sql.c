/* sql.c - plain SQL beside the store: other tables, and the sizes of tables. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { ROW_BYTES_MAX = 64 * 1024 };

struct sql {
    sqlite3 *lite;
    sqlite3_stmt *insert;
    PGconn *pg;
    struct buf row;
    size_t columns_n;
};

struct sql *sql_open(const struct place *p)
{
    struct sql *s = calloc(1, sizeof(*s));

    if (!s)
        die("sql", "out of memory");
    s->row = BUF(ROW_BYTES_MAX);
    if (p->postgres)
        s->pg = PQconnectdb(p->url);
    else if (sqlite3_open(p->path, &s->lite) != SQLITE_OK)
        die(p->path, sqlite3_errmsg(s->lite));
    if (s->pg && PQstatus(s->pg) != CONNECTION_OK)
        die(p->url, PQerrorMessage(s->pg));
    return s;
}

void sql_close(struct sql *s)
{
    (void)sqlite3_close(s->lite);
    if (s->pg)
        PQfinish(s->pg);
    buf_free(&s->row);
    free(s);
}

/* ---- Statements --------------------------------------------------------- */

static double lite_number(struct sql *s, const char *text)
{
    sqlite3_stmt *stmt = NULL;
    double v = 0;
    int code = sqlite3_prepare_v2(s->lite, text, -1, &stmt, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        v = sqlite3_column_double(stmt, 0);
    else if (code != SQLITE_DONE)
        die(text, sqlite3_errmsg(s->lite));
    (void)sqlite3_finalize(stmt);
    return v;
}

double sql_number(struct sql *s, const char *text)
{
    PGresult *r;
    double v = 0;

    if (s->lite)
        return lite_number(s, text);
    r = PQexec(s->pg, text);
    if (PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) > 0)
        v = strtod(PQgetvalue(r, 0, 0), NULL);
    else if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die(text, PQerrorMessage(s->pg));
    PQclear(r);
    return v;
}

void sql_do(struct sql *s, const char *text)
{
    if (s->lite) {
        if (sqlite3_exec(s->lite, text, NULL, NULL, NULL) != SQLITE_OK)
            die(text, sqlite3_errmsg(s->lite));
        return;
    }
    (void)sql_number(s, text);
}

/* ---- Rows --------------------------------------------------------------- */

static void lite_copy_begin(struct sql *s, const char *table,
                            const char *columns)
{
    AUTO(buf_free) struct buf b = BUF(ROW_BYTES_MAX);

    buf_printf(&b, "INSERT INTO %s (%s) VALUES (?", table, columns);
    for (size_t i = 1; i < s->columns_n; i++)
        buf_add(&b, STR(",?"));
    buf_add_c(&b, ')');
    buf_add_c(&b, '\0');
    sql_do(s, "BEGIN");
    if (sqlite3_prepare_v2(s->lite, b.p, -1, &s->insert, NULL) != SQLITE_OK)
        die(b.p, sqlite3_errmsg(s->lite));
}

void sql_copy_begin(struct sql *s, const char *table, const char *columns,
                    size_t columns_n)
{
    char text[512];
    PGresult *r;

    s->columns_n = columns_n;
    if (s->lite) {
        lite_copy_begin(s, table, columns);
        return;
    }
    snprintf(text, sizeof(text), "COPY %s (%s) FROM STDIN", table, columns);
    r = PQexec(s->pg, text);
    if (PQresultStatus(r) != PGRES_COPY_IN)
        die(text, PQerrorMessage(s->pg));
    PQclear(r);
}

static void lite_copy_row(struct sql *s, const char *const *values)
{
    for (size_t i = 0; i < s->columns_n; i++)
        sqlite3_bind_text(s->insert, (int)i + 1, values[i], -1, SQLITE_STATIC);
    if (sqlite3_step(s->insert) != SQLITE_DONE)
        die("inserting", sqlite3_errmsg(s->lite));
    (void)sqlite3_reset(s->insert);
}

/* The texts that this program inserts need no escapes. */
void sql_copy_row(struct sql *s, const char *const *values)
{
    if (s->lite) {
        lite_copy_row(s, values);
        return;
    }
    buf_reset(&s->row);
    for (size_t i = 0; i < s->columns_n; i++)
        buf_printf(&s->row, "%s%s", i ? "\t" : "",
                   values[i] ? values[i] : "\\N");
    buf_add_c(&s->row, '\n');
    if (PQputCopyData(s->pg, s->row.p, (int)s->row.n) != 1)
        die("copying", PQerrorMessage(s->pg));
}

void sql_copy_end(struct sql *s)
{
    PGresult *r;

    if (s->lite) {
        (void)sqlite3_finalize(s->insert);
        sql_do(s, "COMMIT");
        return;
    }
    if (PQputCopyEnd(s->pg, NULL) != 1)
        die("copying", PQerrorMessage(s->pg));
    r = PQgetResult(s->pg);
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die("copying", PQerrorMessage(s->pg));
    PQclear(r);
    PQclear(PQgetResult(s->pg));
}

/* ---- Weight ------------------------------------------------------------- */

/* SQLite: pages of the table and its indexes.  PostgreSQL: their files, with
 * maps, after a checkpoint. */
double sql_bytes(struct sql *s, const char *table)
{
    char text[256];

    if (s->lite) {
        snprintf(text, sizeof(text),
                 "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name "
                 "FROM sqlite_schema WHERE tbl_name = '%s')",
                 table);
        return sql_number(s, text);
    }
    sql_do(s, "CHECKPOINT");
    snprintf(text, sizeof(text), "SELECT pg_total_relation_size('%s')", table);
    return sql_number(s, text);
}

/* SQLite's rows say the type of a column in up to two bytes more. */
double sql_column_bytes(struct sql *s, const char *table, const char *column)
{
    char text[512];

    if (s->lite)
        snprintf(text, sizeof(text),
                 "SELECT (SELECT sum(length(%s) + 2) FROM %s) * "
                 "(SELECT sum(pgsize) * 1.0 / sum(payload) FROM dbstat "
                 "WHERE name = '%s')",
                 column, table, table);
    else
        snprintf(text, sizeof(text),
                 "SELECT sum(pg_column_size(%s))::float8 * "
                 "pg_relation_size('%s') / sum(pg_column_size(t.*)) FROM %s t",
                 column, table, table);
    return sql_number(s, text);
}
