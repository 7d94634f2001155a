/* await_documents.h - waits until documents are read in.  For one store in a
 * test; all of it is here, because only some suites have a store. */
#ifndef AWAIT_DOCUMENTS_H
#define AWAIT_DOCUMENTS_H
#include <pthread.h>

#include "store/document/document.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int n; /* documents that have become ready, or failed */
} documents_ended = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static inline void documents_note(void *arg, const struct document_change *c)
{
    (void)arg;
    if (c->deleted ||
        (c->status != DOCUMENT_READY && c->status != DOCUMENT_FAILED))
        return;
    pthread_mutex_lock(&documents_ended.lock);
    documents_ended.n++;
    pthread_cond_broadcast(&documents_ended.changed);
    pthread_mutex_unlock(&documents_ended.lock);
}

/* Counts the documents of this store from now on. */
static inline void documents_watch(struct store *st)
{
    store_watch(st, documents_note, NULL);
}

/* Waits until n documents are read in. */
static inline void documents_await(int n)
{
    pthread_mutex_lock(&documents_ended.lock);
    while (documents_ended.n < n)
        pthread_cond_wait(&documents_ended.changed, &documents_ended.lock);
    pthread_mutex_unlock(&documents_ended.lock);
}

#endif
