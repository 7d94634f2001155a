/* scrub.h - checks rows that nobody reads, a slice at a time.  Any thread.
 *
 * Walks every table with seals, row by row: slowly in the server, as fast as it
 * goes for doctor, restore and backup --verify.  A read: call it by
 * store_own_read() until `over`.  What it finds is told to damage.h as well. */
#ifndef STORE_SCRUB_H
#define STORE_SCRUB_H
#include "store/damage.h"
#include "store/store.h"

enum { SCRUB_NAME_BYTES = STORE_ID_BYTES_MAX + 64 };
/* Behind which row the next slice begins; zero: at the first row of all.  To
 * walk one table, set `table` alone and stop when it is another. */
struct scrub_place {
    enum sealed table;
    bool inside; /* the table was begun: the rest holds */
    int64_t key[SEAL_KEYS_MAX];
    char name[SCRUB_NAME_BYTES + 1]; /* of a key that has a text */
};
struct scrub {
    struct scrub_place place; /* in; out: moved on */
    size_t limit;             /* rows in this slice, of one table */
    size_t rows_n;            /* out: how many there were */
    struct damage *damages;   /* out: the damaged ones among them */
    size_t damages_n;
    bool over; /* out: that was the last of the last table */
};
STORE_OP(scrub);

#endif
