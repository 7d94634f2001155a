/* health.h - whether the store can be read and written, as far as is known. Any
 * thread.
 *
 * Nobody is asked for it: what reads and writes came to is remembered, and told
 * to whoever watches when it changes.  While writing fails, the store tries by
 * itself about once a second; it also does so when somebody looks and nothing
 * was written for a while. */
#ifndef STORE_HEALTH_H
#define STORE_HEALTH_H
#include "store/store.h"

enum health_way { HEALTH_READING, HEALTH_WRITING, HEALTH_WAYS };

struct health {
    bool ok;
    enum footnote_rc rc; /* of the failure */
    int64_t since_ms;    /* by the wall clock */
    char why[sizeof(((struct footnote_err *)0)->text)];
};
void health_look(struct store *st, enum health_way way, struct health *out);

/* Called when it changes, or has failed for another reason for a while.  Must
 * be quick and must not call the store.  At most one watches; NULL ends it. */
typedef void health_fn(void *arg, enum health_way way, const struct health *h);
void health_watch(struct store *st, health_fn *fn, void *arg);

/* How many calls ended with this code. */
uint64_t health_count(const struct store *st, enum footnote_rc rc);

/* ---- Inside of the store ------------------------------------------------ */

struct healths;
enum footnote_rc healths_open(struct healths **out, struct footnote_err *err);
void healths_close(struct healths *h); /* NULL is fine */

/* What a call came to.  `err` may be NULL. */
void health_counts(struct store *st, enum footnote_rc rc);
void health_note(struct store *st, enum health_way way, enum footnote_rc rc,
                 const struct footnote_err *err);
/* The writer begins, or is done. */
void health_busy(struct store *st, bool busy);
/* Whether the next tick should write something, to see whether that works. */
bool health_wants_write(struct store *st);

#endif
