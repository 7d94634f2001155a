/* grace.h - memory that somebody may still be reading.  Any thread.
 *
 * Readers take no lock: they stay for a while, and whatever they find meanwhile
 * is there until they leave.  Who takes a thing out of reach retires it; it is
 * freed once all who could have found it have left.
 *
 *     reader                          owner
 *     side = grace_enter(g)           put the new one where readers look
 *     find, read                      grace_retire(g, &old->link, bytes)
 *     grace_leave(g, side)
 *
 * What readers find must be published by an atomic store of its pointer. */
#ifndef BASE_GRACE_H
#define BASE_GRACE_H
#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"

struct grace_link { /* first member of what is retired */
    struct grace_link *next;
    size_t bytes;
};
struct grace {
    atomic_ullong age;
    atomic_size_t readers[2]; /* by the last bit of the age they came at */
    atomic_size_t bytes;      /* retired and not freed */
    pthread_mutex_t lock;
    struct grace_link *retired[2];
};

void grace_init(struct grace *g);
/* Nobody stays and nobody will come; frees what was retired. */
void grace_close(struct grace *g);

/* May be nested.  Give the result to grace_leave(). */
unsigned grace_enter(struct grace *g);
void grace_leave(struct grace *g, unsigned side);

/* Takes ownership of what begins with the link: free(), now or later.  Nobody
 * can find it any more. */
void grace_retire(struct grace *g, struct grace_link *link, size_t bytes);
/* What a slow reader keeps from being freed: whoever retires much looks. */
size_t grace_bytes(const struct grace *g);

#endif
