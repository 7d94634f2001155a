/* raw.h - SQL behind the store's back, on the database of test_url(). */
#ifndef FAULT_RAW_H
#define FAULT_RAW_H

/* Statements without results; fails the test when one of them fails. */
void raw_sql(const char *sql);
/* The first column of the first row. */
long long raw_number(const char *sql);

#endif
