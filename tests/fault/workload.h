/* workload.h - work for a store under fault, and the proof that none was lost.
 *
 * A worker does items 0, 1, 2, ... in a session of its own: three messages
 * with sources, then an answer that is opened, cited, written and finished.
 * After every call that returned OK it tells how far it has come; whatever it
 * told must be there for ever. */
#ifndef WORKLOAD_H
#define WORKLOAD_H
#include "sample_messages.h"
#include "test.h"

struct progress {
    unsigned items;                  /* that are done */
    unsigned opened, sources, bytes; /* of the answer that is under way */
};

struct workload {
    struct footnote *fn;
    unsigned round, thread;
    struct progress done;
    /* Told after every acknowledged call. */
    void (*acked)(struct workload *l);
    /* Whether to repeat a call that failed. */
    bool (*again)(struct workload *l, const struct footnote_err *err);
    void *arg;
};

/* Whether that item is an answer rather than a message. */
bool workload_is_answer(unsigned item);
/* One more item; false when `again` said no. */
bool workload_item(struct workload *l);

/* Fails the test unless the store has exactly what `done` tells, or that and
 * the one call that was under way.  With `at_rest` nothing may be running. */
void workload_check(struct footnote *fn, unsigned round, unsigned thread,
                    const struct progress *done, bool at_rest);

/* How far a copy of the store has come, which is at rest: what it has must be
 * right, and its last answer may be cut off anywhere. */
struct progress workload_found(struct footnote *fn, unsigned round,
                               unsigned thread);
/* Whether `a` is as far as `b`, or further. */
bool workload_covers(const struct progress *a, const struct progress *b);

/* The pointer, unless it is NULL: that ends the test. */
void *workload_need(void *p) __attribute__((returns_nonnull));

/* A number below `limit` that follows from the seed, which it moves on. */
unsigned workload_random(unsigned *seed, unsigned limit);

#endif
