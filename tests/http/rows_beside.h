/* rows_beside.h - SQL beside the server: the tables and columns of the database
 * at test_url(), changed as nobody should be able to, and put back. */
#ifndef ROWS_BESIDE_H
#define ROWS_BESIDE_H
#include <stdbool.h>
#include <stddef.h>

enum { BESIDE_COLUMNS_MAX = 400, BESIDE_NAME_BYTES = 64, BESIDE_SQL = 2048 };

enum beside_kind { KIND_TEXT, KIND_NUMBER, KIND_REAL, KIND_BYTES };
struct beside_column {
    char table[BESIDE_NAME_BYTES], name[BESIDE_NAME_BYTES];
    enum beside_kind kind;
    int bits; /* of a number */
};
/* Of all tables but those that say which store it is. */
extern struct beside_column beside_columns[BESIDE_COLUMNS_MAX];
extern size_t beside_columns_n;

/* Whatever the tables say of each other, or of themselves, counts no more; and
 * all rows are kept for beside_restore(). */
void beside_open(void);
void beside_close(void);
void beside_restore(void);
/* False when the engine refuses it. */
__attribute__((format(printf, 1, 2))) bool beside_do(const char *format, ...);
/* The first value of the first row; -1: there is none. */
__attribute__((format(printf, 1, 2))) long long beside_number(
    const char *format, ...);
/* One bit of one row's column is another one.  False when there is no row that
 * has a value there, or the engine refuses it. */
bool beside_flip(const struct beside_column *c, unsigned row, unsigned bit);

#endif
