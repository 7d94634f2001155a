/* queue.h - a bounded queue of intrusive items between threads.  Any thread.
 *
 * First in, first out.  The lock is inside.  An item in the queue
 * belongs to the queue; taken out, it belongs to the taker. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H
#include "base/err.h"

struct queue_item { /* the first member of a queued struct */
    struct queue_item *next;
    bool patient; /* queue_gather() does not return for it */
};
struct queue;

enum footnote_rc queue_open(size_t items_max, struct queue **out,
                            struct footnote_err *err);
void queue_free(struct queue *q); /* empty and unused; NULL is fine */

/* Waits for room; ENDED when the queue was shut. */
enum footnote_rc queue_push(struct queue *q, struct queue_item *item,
                            struct footnote_err *err);
/* Does not wait: BUSY when full. */
enum footnote_rc queue_try_push(struct queue *q, struct queue_item *item,
                                struct footnote_err *err);
/* Takes up to `n` items as a list, in order.  Waits up to timeout_ms (-1: for
 * ever) for the first one; NULL when time is up, or when shut and empty. */
struct queue_item *queue_take(struct queue *q, size_t n, int timeout_ms);
/* Lets patient items come in for up to timeout_us, or until `enough` are in.
 * Returns at once when one is in that is not patient, or when shut.  For the
 * only taker. */
void queue_gather(struct queue *q, size_t enough, int timeout_us);
/* No more pushes; items that are in can still be taken. */
void queue_shut(struct queue *q);
bool queue_is_shut(struct queue *q);
size_t queue_length(struct queue *q);

#endif
