/* rows.h - the rows of another product (kind v2), made from numbers, and three
 * ways to store them: as files, in SQLite, in PostgreSQL. */
#ifndef BENCH_IMPORT_ROWS_H
#define BENCH_IMPORT_ROWS_H
#include <stdint.h>

enum {
    SOURCES_A_MESSAGE = 5,
    TURNS_A_SESSION = 10,
    COURSES = 20,
    COLUMNS_MAX = 8,
    FIELD_BYTES = 1200
};

struct table {
    const char *name;
    const char *columns[COLUMNS_MAX + 1];
    /* Fills in the row's fields; "" is a number that is not there. */
    void (*row)(int64_t n, char fields[COLUMNS_MAX][FIELD_BYTES]);
    int64_t (*rows)(int64_t references); /* how many there are */
};
extern const struct table tables[4];

/* NAME.jsonl of each table. */
void rows_to_files(const char *folder, int64_t references);
/* The product's tables with their keys and indexes; seconds that the rows took.
 */
double rows_to_sqlite(const char *path, int64_t references);
double rows_to_postgres(const char *url, int64_t references);

#endif
