/* same_rows.h - whether two SQLite databases have the same rows. */
#ifndef SAME_ROWS_H
#define SAME_ROWS_H
#include <sqlite3.h>

/* Selects the names of the tables that a copy has, in their order. */
extern const char same_rows_tables[];

void same_rows_sql(sqlite3 *db, const char *sql);
/* The first column of the first row. */
long long same_rows_number(sqlite3 *db, const char *sql);
/* Fails the test unless every table has the same rows in both files, and at
 * least so many. */
void same_rows_check(const char *one, const char *other, long long least);

#endif
