/* same_rows.c - compares table by table, by the schema. */
#include "same_rows.h"

#include "test.h"

const char same_rows_tables[] =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN "
    "('schema_version', 'store_identity') AND name NOT LIKE 'sqlite_%' "
    "ORDER BY rowid";

void same_rows_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        FAIL("%s: %s", sql, sqlite3_errmsg(db));
}

long long same_rows_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    long long n;

    CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
    n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return n;
}

void same_rows_check(const char *one, const char *other, long long least)
{
    sqlite3_stmt *table = NULL;
    sqlite3 *db = NULL;
    char sql[900];

    CHECK_INT(sqlite3_open(one, &db), SQLITE_OK);
    snprintf(sql, sizeof(sql), "ATTACH '%s' AS other", other);
    same_rows_sql(db, sql);
    CHECK_INT(sqlite3_prepare_v2(db, same_rows_tables, -1, &table, NULL),
              SQLITE_OK);
    while (sqlite3_step(table) == SQLITE_ROW) {
        const char *t = (const char *)sqlite3_column_text(table, 0);

        snprintf(sql, sizeof(sql), "SELECT count(*) FROM other.%s", t);
        if (same_rows_number(db, sql) < least)
            FAIL("%s has too few rows", t);
        /* SQLite numbers the rows of the word log anew. */
        const char *c =
            strcmp(t, "answer_word_log") == 0 ? "node, pieces" : "*";
        snprintf(sql, sizeof(sql),
                 "SELECT count(*) FROM (SELECT %s FROM main.%s EXCEPT "
                 "SELECT %s FROM other.%s UNION ALL SELECT * FROM (SELECT %s "
                 "FROM other.%s EXCEPT SELECT %s FROM main.%s))",
                 c, t, c, t, c, t, c, t);
        if (same_rows_number(db, sql) != 0)
            FAIL("%s is not the same", t);
    }
    sqlite3_finalize(table);
    CHECK_INT(sqlite3_close(db), SQLITE_OK);
}
