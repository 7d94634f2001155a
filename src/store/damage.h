/* damage.h - damage that was found: counted, and told to whoever watches.  Any
 * thread.
 *
 * A row that does not match its seal or its digest is FOOTNOTE_DAMAGED, and the
 * HTTP API says integrity_error.  What reads it calls damage_found() or
 * damage_in_row(); the program writes it to its log and mends what it can. */
#ifndef STORE_DAMAGE_H
#define STORE_DAMAGE_H
#include "store/seal.h"

struct store;
struct damages;

enum { DAMAGE_ROW_BYTES = 120 };
struct damage {
    enum sealed table;
    int64_t key[SEAL_KEYS_MAX]; /* the row's; 0 for a text */
    char row[DAMAGE_ROW_BYTES]; /* for people: "passage 1/70/1/3" */
    const char *mend;           /* the command that mends it */
};
/* `first` is set for the first of a row in this process, as far as is
 * remembered: others need no line in a log.  Must be quick and must not call
 * the store. */
typedef void damage_fn(void *arg, const struct damage *d, bool first);
/* At most one watches; NULL ends it. */
void damage_watch(struct store *st, damage_fn *fn, void *arg);

/* How often damage was found in rows of a table, by reads and by the scrub. */
uint64_t damage_count(const struct store *st, enum sealed t);
/* What mends a row of the table. */
const char *damage_mend(enum sealed t);

/* The damage of a row whose columns begin at `first`, told to nobody. */
void damage_describe(enum sealed t, struct db_cur *cur, int first,
                     struct damage *out);
/* Tells of a row by its key and returns DAMAGED with a sentence that names it.
 * `err` may be NULL. */
enum footnote_rc damage_found(struct store *st, enum sealed t,
                              const struct db_value *key,
                              struct footnote_err *err);
/* The same; the row's columns begin at `first`. */
enum footnote_rc damage_in_row(struct store *st, enum sealed t,
                               struct db_cur *cur, int first,
                               struct footnote_err *err);

enum footnote_rc damages_open(struct damages **out, struct footnote_err *err);
void damages_close(struct damages *d); /* NULL is fine */

#endif
