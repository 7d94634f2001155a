/* rows_test.c - every table from SQLite to PostgreSQL and back, byte for byte.
 *
 * The tables are filled by what the schema says of them, so a column that is
 * new is compared as well. */
#include <stdlib.h>

#include "backup/rows.h"
#include "backup_sql.h"
#include "base/buf.h"
#include "contract.h"
#include "same_rows.h"

enum { ROWS = 300, TEXT_BYTES_MAX = 64 * 1024 };

static const atomic_bool never;
static struct db *open_url(const char *url, enum db_mode mode)
{
    struct db_options o = {.url = url, .mode = mode, .sql = &backup_sql_set};
    struct footnote_err err;
    struct db *db = NULL;

    CHECK_OK(db_open(&o, &db, &err), &err);
    return db;
}

static const char *path_of(const char *name)
{
    static char path[600];

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    return path;
}

static const char *url_of(const char *name)
{
    static char url[700];

    snprintf(url, sizeof(url), "sqlite:%s", path_of(name));
    return url;
}

/* A value for a column: of row 0 what may be absent is, of row 1 all is there.
 * Numbers are the row's, so that what names another row finds it. */
static void add_value(struct buf *sql, sqlite3_stmt *column, int row)
{
    const char *name = (const char *)sqlite3_column_text(column, 1);
    const char *type = (const char *)sqlite3_column_text(column, 2);
    bool optional =
        !sqlite3_column_int(column, 3) && !sqlite3_column_int(column, 5);

    if (strcmp(name, "place") == 0)
        buf_add(sql, STR("(tenant << 48) | (session << 20) | seq"));
    else if (row == 0 && optional)
        buf_add(sql, STR("NULL"));
    else if (strcmp(type, "INTEGER") == 0)
        buf_printf(sql, "%d", row);
    else if (strcmp(type, "REAL") == 0)
        buf_add(sql, STR("0.1 + 1e-9"));
    else if (strcmp(type, "TEXT") == 0)
        buf_printf(sql, "'%s \xc3\xbc %d'", name, row);
    else
        buf_add(sql, STR("randomblob(32)"));
}

static void fill_table(sqlite3 *db, const char *table, int row)
{
    AUTO(buf_free) struct buf ask = BUF(TEXT_BYTES_MAX);
    AUTO(buf_free) struct buf sql = BUF(TEXT_BYTES_MAX);
    sqlite3_stmt *column = NULL;
    const char *comma = "";

    buf_printf(&ask, "PRAGMA table_info(%s)", table);
    buf_add_c(&ask, '\0');
    CHECK_INT(sqlite3_prepare_v2(db, ask.p, -1, &column, NULL), SQLITE_OK);
    buf_printf(&sql,
               "WITH me(tenant, session, seq) AS (VALUES (%d, %d, %d)) INSERT "
               "INTO %s SELECT ",
               row, row, row, table);
    for (; sqlite3_step(column) == SQLITE_ROW; comma = ", ") {
        buf_printf(&sql, "%s", comma);
        add_value(&sql, column, row);
    }
    buf_add(&sql, STR(" FROM me"));
    buf_add_c(&sql, '\0');
    sqlite3_finalize(column);
    same_rows_sql(db, sql.p);
}

/* Enough rows for several pages, with a key of numbers and one of text. */
static void fill_pages(sqlite3 *db)
{
    char sql[400];

    snprintf(sql, sizeof(sql),
             "WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n "
             "WHERE i < %d) INSERT INTO account (tenant, account, name) "
             "SELECT 1, i, 'account ' || i FROM n",
             ROWS);
    same_rows_sql(db, sql);
    snprintf(sql, sizeof(sql),
             "WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n "
             "WHERE i < %d) INSERT INTO object (tenant, account, bytes, "
             "created_ms, object_key, digest) "
             "SELECT 1, 1, i, i, lower(hex(randomblob(16))), randomblob(32) "
             "FROM n",
             ROWS);
    same_rows_sql(db, sql);
}

static void fill(const char *name)
{
    sqlite3_stmt *table = NULL;
    sqlite3 *db = NULL;

    db_close(open_url(url_of(name), DB_WRITE)); /* makes the tables */
    CHECK_INT(sqlite3_open(path_of(name), &db), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(db, same_rows_tables, -1, &table, NULL),
              SQLITE_OK);
    while (sqlite3_step(table) == SQLITE_ROW)
        for (int row = 0; row < 2; row++)
            fill_table(db, (const char *)sqlite3_column_text(table, 0), row);
    sqlite3_finalize(table);
    fill_pages(db);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
}

static void copy(const char *from_url, const char *to_url)
{
    struct footnote_err err;
    char kept[700];
    struct db *from, *to;

    snprintf(kept, sizeof(kept), "%s", from_url);
    to = open_url(to_url, DB_WRITE);
    from = open_url(kept, DB_READ);
    CHECK_OK(db_begin(from, &err), &err);
    CHECK_OK(rows_copy(from, to, &never, &err), &err);
    db_close(from);
    db_close(to);
}

/* Through the engine that is tested, from a file to a file. */
CONTRACT(every_table_comes_back_the_same)
{
    fill("one.db");
    if (test_is_postgres()) {
        copy(url_of("one.db"), test_url());
        copy(test_url(), url_of("other.db"));
    } else {
        char from[700];

        snprintf(from, sizeof(from), "%s", url_of("one.db"));
        copy(from, url_of("other.db"));
    }
    char one[600];

    snprintf(one, sizeof(one), "%s", path_of("one.db"));
    same_rows_check(one, path_of("other.db"), 2);
}

CONTRACT(a_copy_that_is_stopped_leaves_a_server_empty)
{
    struct footnote_err err;
    atomic_bool stop = true;
    struct db *from, *to;

    fill("one.db");
    from = open_url(url_of("one.db"), DB_READ);
    to = open_url(test_url(), DB_WRITE);
    CHECK_OK(db_begin(from, &err), &err);
    CHECK_INT(rows_copy(from, to, &stop, &err), FOOTNOTE_BUSY);
    db_close(to);
    db_close(from);
    from = open_url(test_url(), DB_READ);
    CHECK_OK(db_begin(from, &err), &err);
    struct db_cur *cur = NULL;
    bool row;
    CHECK_OK(db_one_n(from, (enum stmt_id)BACKUP_STMT_IS_USED, NULL, 0, &cur,
                      &row, &err),
             &err);
    CHECK(!row);
    db_end(&cur);
    db_close(from);
}
