/* fair_queue.h - a bounded queue in which keys take turns.  Any thread.
 *
 * Items of one key come out in order.  Keys take turns, so one with a thousand
 * items delays another by one item at a time.  An item that was taken counts
 * for its key until fair_queue_done(): a key has at most `taken_max` of them at
 * once, or `taken_alone` while no other key has any, so that there is a taker
 * left for a key that comes later.  An item in the queue belongs to the queue;
 * taken out, it belongs to the taker. */
#ifndef BASE_FAIR_QUEUE_H
#define BASE_FAIR_QUEUE_H
#include "base/err.h"

struct fair_key;
struct fair_item { /* the first member of a queued struct */
    struct fair_item *next;
    struct fair_key *key; /* for fair_queue_done() */
};
struct fair_queue;

struct fair_limits {
    size_t waiting_max;            /* items, and */
    size_t waiting_of_key;         /* of these, of one key */
    size_t taken_max, taken_alone; /* of one key */
};
enum footnote_rc fair_queue_open(const struct fair_limits *l,
                                 struct fair_queue **out,
                                 struct footnote_err *err);
void fair_queue_free(struct fair_queue *q); /* empty, unused; NULL is fine */

/* Never waits.  TOOBIG: too many of this key wait.  BUSY: too many in all, no
 * memory, or the queue is shut.  `always`: however many wait. */
enum footnote_rc fair_queue_push(struct fair_queue *q, uint64_t key,
                                 struct fair_item *item, bool always);
/* Takes up to `n` items as a list.  Waits for the first one; NULL when the
 * queue is shut and empty. */
struct fair_item *fair_queue_take(struct fair_queue *q, size_t n);
/* An item of this key is done; it may be gone already.  For its taker, who
 * takes again: nobody else is woken. */
void fair_queue_done(struct fair_queue *q, struct fair_key *key);
/* No more pushes; items that are in can still be taken. */
void fair_queue_shut(struct fair_queue *q);

#endif
