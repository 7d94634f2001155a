/* await_documents.h - waits until documents are read in.  For one store in a
 * test; all of it is here, because only some suites have a store. */
#ifndef AWAIT_DOCUMENTS_H
#define AWAIT_DOCUMENTS_H
#include <pthread.h>

#include "store/store.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ended; /* documents that have become ready, or failed */
} settled = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static inline void settle_note(void *arg, const struct document_change *c)
{
    (void)arg;
    if (c->deleted ||
        (c->status != DOCUMENT_READY && c->status != DOCUMENT_FAILED))
        return;
    pthread_mutex_lock(&settled.lock);
    settled.ended++;
    pthread_cond_broadcast(&settled.changed);
    pthread_mutex_unlock(&settled.lock);
}

/* Counts from now on. */
static inline void settle_watch(struct store *st)
{
    store_watch(st, settle_note, NULL);
}

/* Until so many documents are read in. */
static inline void settle_await(int n)
{
    pthread_mutex_lock(&settled.lock);
    while (settled.ended < n)
        pthread_cond_wait(&settled.changed, &settled.lock);
    pthread_mutex_unlock(&settled.lock);
}

#endif
