/* raw_sql.h - SQL behind the store's back, on the database of test_url(). */
#ifndef RAW_SQL_H
#define RAW_SQL_H

/* Statements without results; fails the test when one of them fails. */
void raw_sql(const char *sql);
/* The first column of the first row. */
long long raw_number(const char *sql);

#endif
