/* rows_beside.c - SQL beside the server. */
#include "rows_beside.h"

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include "contract.h"

struct beside_column beside_columns[BESIDE_COLUMNS_MAX];
size_t beside_columns_n;

static sqlite3 *file;
static PGconn *conn;

/* ---- SQL ---------------------------------------------------------------- */

static bool sql_try(const char *sql)
{
    PGresult *r;
    bool ok;

    if (!test_is_postgres())
        return sqlite3_exec(file, sql, NULL, NULL, NULL) == SQLITE_OK;
    r = PQexec(conn, sql);
    ok = PQresultStatus(r) == PGRES_COMMAND_OK ||
         PQresultStatus(r) == PGRES_TUPLES_OK;
    PQclear(r);
    return ok;
}

bool beside_do(const char *format, ...)
{
    char sql[BESIDE_SQL];
    va_list args;

    va_start(args, format);
    vsnprintf(sql, sizeof(sql), format, args);
    va_end(args);
    return sql_try(sql);
}

static int take_number(void *arg, int n, char **values, char **names)
{
    (void)n;
    (void)names;
    if (values[0])
        *(long long *)arg = strtoll(values[0], NULL, 10);
    return 0;
}

long long beside_number(const char *format, ...)
{
    char sql[BESIDE_SQL];
    long long out = -1;
    va_list args;
    PGresult *r;

    va_start(args, format);
    vsnprintf(sql, sizeof(sql), format, args);
    va_end(args);
    if (!test_is_postgres()) {
        CHECK_INT(sqlite3_exec(file, sql, take_number, &out, NULL), SQLITE_OK);
        return out;
    }
    r = PQexec(conn, sql);
    CHECK_INT(PQresultStatus(r), PGRES_TUPLES_OK);
    if (PQntuples(r) > 0 && !PQgetisnull(r, 0, 0))
        out = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
    PQclear(r);
    return out;
}

/* ---- Columns ------------------------------------------------------------ */

static enum beside_kind kind_of(const char *type)
{
    if (strcasecmp(type, "TEXT") == 0)
        return KIND_TEXT;
    if (strcasecmp(type, "REAL") == 0 ||
        strcasecmp(type, "double precision") == 0)
        return KIND_REAL;
    return strcasecmp(type, "BLOB") == 0 || strcasecmp(type, "bytea") == 0
               ? KIND_BYTES
               : KIND_NUMBER;
}

static int bits_of(const char *type)
{
    if (strcasecmp(type, "smallint") == 0)
        return 16;
    return test_is_postgres() && strcasecmp(type, "integer") == 0 ? 32 : 64;
}

static int add_column(void *arg, int n, char **values, char **names)
{
    struct beside_column *c = &beside_columns[beside_columns_n++];

    (void)arg;
    (void)names;
    CHECK_INT(n, 3);
    CHECK(beside_columns_n < BESIDE_COLUMNS_MAX);
    snprintf(c->table, sizeof(c->table), "%s", values[0]);
    snprintf(c->name, sizeof(c->name), "%s", values[1]);
    c->kind = kind_of(values[2]);
    c->bits = bits_of(values[2]);
    return 0;
}

/* Version and id say which store it is: a server without them is refused. */
#define NOT_THESE "('schema_version', 'store_identity')"
static const char *const all_columns[] = {
    "SELECT m.name, c.name, c.type FROM sqlite_master m, "
    "pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE "
    "'sqlite%' AND m.name NOT IN " NOT_THESE,
    "SELECT c.table_name, c.column_name, c.data_type FROM "
    "information_schema.columns c JOIN information_schema.tables t USING "
    "(table_schema, table_name) WHERE c.table_schema = 'footnote' AND "
    "t.table_type = 'BASE TABLE' AND t.table_name NOT IN " NOT_THESE
    " ORDER BY 1, c.ordinal_position"};

static void list_columns(void)
{
    const char *sql = all_columns[test_is_postgres()];
    PGresult *r;

    if (!test_is_postgres()) {
        CHECK_INT(sqlite3_exec(file, sql, add_column, NULL, NULL), SQLITE_OK);
    } else {
        r = PQexec(conn, sql);
        for (int i = 0; i < PQntuples(r); i++)
            add_column(NULL, 3,
                       (char *[]){PQgetvalue(r, i, 0), PQgetvalue(r, i, 1),
                                  PQgetvalue(r, i, 2)},
                       NULL);
        PQclear(r);
    }
    CHECK(beside_columns_n > 150);
}

static bool is_first_of_table(size_t i)
{
    return i == 0 ||
           strcmp(beside_columns[i].table, beside_columns[i - 1].table) != 0;
}

static void let_anything_in(void)
{
    if (!test_is_postgres()) {
        CHECK(sql_try("PRAGMA synchronous = OFF;"
                      "PRAGMA foreign_keys = OFF;"
                      "PRAGMA ignore_check_constraints = ON;"));
        return;
    }
    CHECK(sql_try("SET search_path = footnote, public"));
    CHECK(sql_try("SET synchronous_commit = off"));
    CHECK(sql_try("SET session_replication_role = replica"));
    /* Text as it lies in a page, without a look at it. */
    CHECK(sql_try("CREATE CAST (bytea AS text) WITHOUT FUNCTION"));
    CHECK(sql_try("CREATE CAST (text AS bytea) WITHOUT FUNCTION"));
    CHECK(
        sql_try("DO $$ DECLARE c record; BEGIN FOR c IN SELECT conname, "
                "conrelid::regclass AS t FROM pg_constraint WHERE contype = "
                "'c' AND connamespace = 'footnote'::regnamespace LOOP EXECUTE "
                "format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname);"
                " END LOOP; END $$"));
}

/* ---- Bits --------------------------------------------------------------- */

/* flip(value, bit), for SQLite. */
static void flip(sqlite3_context *ctx, int n, sqlite3_value **args)
{
    int64_t bit = sqlite3_value_int64(args[1]);
    double real = sqlite3_value_double(args[0]);
    uint64_t bits;

    (void)n;
    switch (sqlite3_value_type(args[0])) {
    case SQLITE_INTEGER:
        sqlite3_result_int64(ctx,
                             (int64_t)((uint64_t)sqlite3_value_int64(args[0]) ^
                                       (uint64_t)1 << bit % 64));
        break;
    case SQLITE_FLOAT:
        memcpy(&bits, &real, sizeof(bits));
        bits ^= (uint64_t)1 << bit % 52; /* no NaN, which is NULL */
        memcpy(&real, &bits, sizeof(real));
        sqlite3_result_double(ctx, real);
        break;
    default: {
        const void *was = sqlite3_value_blob(args[0]);
        int bytes = sqlite3_value_bytes(args[0]);
        unsigned char *copy = malloc((size_t)bytes + 1);

        CHECK(copy && bytes > 0);
        memcpy(copy, was, (size_t)bytes);
        copy[bit / 8 % bytes] ^= (unsigned char)(1U << bit % 8);
        if (sqlite3_value_type(args[0]) == SQLITE_TEXT)
            sqlite3_result_text(ctx, (char *)copy, bytes, free);
        else
            sqlite3_result_blob(ctx, copy, bytes, free);
    }
    }
}

#define SET_BIT(as)                                                            \
    "set_bit(%s" as ", (%u %% (8 * length(%s" as "))), 1 - "                   \
    "get_bit(%s" as ", (%u %% (8 * length(%s" as ")))))"

static void flipped(char *sql, size_t n, const struct beside_column *c,
                    unsigned bit)
{
    const char *name = c->name;

    if (!test_is_postgres())
        snprintf(sql, n, "flip(%s, %u)", name, bit);
    else if (c->kind == KIND_TEXT)
        snprintf(sql, n, SET_BIT("::bytea") "::text", name, bit, name, name,
                 bit, name);
    else if (c->kind == KIND_BYTES)
        snprintf(sql, n, SET_BIT(""), name, bit, name, name, bit, name);
    else if (c->kind == KIND_REAL)
        snprintf(sql, n, "-%s - 1", name);
    else
        snprintf(sql, n, "%s # (1::bigint << %d)", name,
                 (int)(bit % (unsigned)(c->bits - 1)));
}

bool beside_flip(const struct beside_column *c, unsigned row, unsigned bit)
{
    bool bytes = c->kind == KIND_TEXT || c->kind == KIND_BYTES;
    char value[BESIDE_SQL / 2], where[BESIDE_SQL / 4];
    const char *key = test_is_postgres() ? "ctid" : "rowid";
    long long rows;

    snprintf(where, sizeof(where), bytes ? "length(%s) > 0" : "%s IS NOT NULL",
             c->name);
    rows = beside_number("SELECT count(*) FROM %s WHERE %s", c->table, where);
    if (rows <= 0)
        return false;
    if (!beside_do("SELECT %s FROM %s LIMIT 1", key, c->table))
        key = c->name; /* WITHOUT ROWID: all rows of a value */
    flipped(value, sizeof(value), c, bit);
    return beside_do("UPDATE %s SET %s = %s WHERE %s = (SELECT %s FROM %s "
                     "WHERE %s ORDER BY %s LIMIT 1 OFFSET %lld)",
                     c->table, c->name, value, key, key, c->table, where, key,
                     row % rows);
}

/* ---- All of it ---------------------------------------------------------- */

void beside_open(void)
{
    if (!test_is_postgres()) {
        CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &file),
                  SQLITE_OK);
        sqlite3_busy_timeout(file, 10000);
        sqlite3_create_function(file, "flip", 2, SQLITE_UTF8, NULL, flip, NULL,
                                NULL);
    } else {
        conn = PQconnectdb(test_url());
        CHECK_INT(PQstatus(conn), CONNECTION_OK);
    }
    list_columns();
    let_anything_in();
    for (size_t i = 0; i < beside_columns_n; i++)
        if (is_first_of_table(i))
            CHECK(beside_do("CREATE TABLE keep_%s AS SELECT * FROM %s",
                            beside_columns[i].table, beside_columns[i].table));
}

void beside_restore(void)
{
    CHECK(sql_try("BEGIN"));
    for (size_t i = 0; i < beside_columns_n; i++)
        if (is_first_of_table(i))
            CHECK(beside_do("DELETE FROM %s", beside_columns[i].table) &&
                  beside_do("INSERT INTO %s SELECT * FROM keep_%s",
                            beside_columns[i].table, beside_columns[i].table));
    CHECK(sql_try("COMMIT"));
}

void beside_close(void)
{
    beside_restore();
    CHECK_INT(sqlite3_close(file), SQLITE_OK);
    PQfinish(conn);
}
