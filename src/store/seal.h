/* seal.h - what tells that a row is as it was written.
 *
 * A row that is shown, ranked or decides who may see has a seal: a sum of 64
 * bits over its columns, its keys and its owner among them.  It guards against
 * rot, not against somebody who can write the database.  The columns are the
 * lists of sql/sealed.sql; docs/schema.md has the form.
 *
 *     written    as its last column, seal_of() the others; or, where a row is
 *                changed, seal_open() before and a new seal at the operation's
 *                end, which store.c writes
 *     read       seal_check() before anything else of the row is read
 *     at leisure by the scrub (scrub.h)
 *
 * A seal that does not fit stays so: what changes a damaged row makes its new
 * seal as wrong as the old one was, and no damage becomes the truth. */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H
#include "db/db.h"

struct tx;

/* In the order of the scrub: what others hang on comes first.  The numbers are
 * part of the seals. */
enum sealed {
    SEALED_TENANT,
    SEALED_ACCOUNT,
    SEALED_KEY,
    SEALED_COURSE,
    SEALED_MEMBER,
    SEALED_DOCUMENT,
    SEALED_VERSION,
    SEALED_PASSAGE,
    SEALED_SESSION,
    SEALED_SOURCE,
    SEALED_MESSAGE,
    SEALED_EVENT,
    SEALED_VECTOR,
    SEALED_SNAPSHOT,
    SEALED_TEXT,
    SEALED_LOGIN,
    SEALED_AUDIT,
    SEALED_VERDICT,
    SEALED_SHARE,
    SEALED_N
};

enum { SEAL_KEYS_MAX = 5, SEAL_COLUMNS_MAX = 32 };
struct sealed_table {
    const char *name;               /* of the table */
    enum stmt_id read, write, walk; /* sql/query/seal.sql */
    size_t keys_n;                  /* its first columns are its key */
    int seal;                       /* the column behind the sealed ones */
};
extern const struct sealed_table sealed_tables[SEALED_N];

/* The seal of a row, of which these are the first columns; the rest is NULL. */
struct db_value seal_of(enum sealed t, const struct db_value *columns,
                        size_t n);
/* Whether the row is as it was sealed; its columns begin at `first`. */
bool seal_fits(enum sealed t, struct db_cur *cur, int first);
/* The same: when it is not, that is told to damage.h, and DAMAGED. */
enum footnote_rc seal_check(struct tx *tx, enum sealed t, struct db_cur *cur,
                            int first, struct footnote_err *err);

/* The same, and DAMAGED too when it is not the row with this key: a rotten
 * index may lead to another, and an outer join to none.  A key may be cut
 * short. */
#define seal_check_key(tx, t, cur, first, err, ...)                            \
    seal_check_key_n(                                                          \
        (tx), (t), (cur), (first), (struct db_value[]){__VA_ARGS__},           \
        sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value),    \
        (err))
enum footnote_rc seal_check_key_n(struct tx *tx, enum sealed t,
                                  struct db_cur *cur, int first,
                                  const struct db_value *key, size_t n,
                                  struct footnote_err *err);
/* The same for a row that begins with column 0; gives out the columns that it
 * has read, so that the caller need not fetch them again.  Texts live as long
 * as those of `cur`. */
enum footnote_rc seal_check_row(struct tx *tx, enum sealed t,
                                struct db_cur *cur, const struct db_value *key,
                                size_t n, struct db_value row[SEAL_COLUMNS_MAX],
                                struct footnote_err *err);
/* Reads the row with this key, checked; *cur is yours: db_end(). */
#define seal_read(tx, t, cur, row, err, ...)                                   \
    seal_read_key((tx), (t), (struct db_value[]){__VA_ARGS__}, (cur), (row),   \
                  (err))
enum footnote_rc seal_read_key(struct tx *tx, enum sealed t,
                               const struct db_value *key, struct db_cur **cur,
                               bool *row, struct footnote_err *err);

/* Before columns under a seal are changed, of the row with this key.  One that
 * is not there is fine. */
#define seal_open(tx, t, err, ...)                                             \
    seal_open_key((tx), (t), (struct db_value[]){__VA_ARGS__}, (err))
enum footnote_rc seal_open_key(struct tx *tx, enum sealed t,
                               const struct db_value *key,
                               struct footnote_err *err);
/* The same for all rows of a statement that selects the sealed columns. */
enum footnote_rc seal_open_rows(struct tx *tx, enum sealed t, enum stmt_id rows,
                                const struct db_value *args, size_t args_n,
                                struct footnote_err *err);
/* What a row's seal changes by, as exclusive or, when its sealed columns change
 * from `before` to `after`; those that are alike in both may be NULL in both.
 * For statements that change many rows in the same way: rows need not be read,
 * and a seal that was wrong stays wrong. */
int64_t seal_change(enum sealed t, const struct db_value *before,
                    const struct db_value *after);
/* A row with this key is inserted without its seal. */
#define seal_new(tx, t, err, ...)                                              \
    seal_new_key((tx), (t), (struct db_value[]){__VA_ARGS__}, (err))
enum footnote_rc seal_new_key(struct tx *tx, enum sealed t,
                              const struct db_value *key,
                              struct footnote_err *err);
/* Seals what was opened or new.  Called when an operation has run. */
enum footnote_rc seals_close(struct tx *tx, struct footnote_err *err);

#endif
