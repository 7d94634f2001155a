/* queue.c - a list under one lock, with a condition for each direction.
 *
 * Takers wait on `filled`, one that gathers on `hurried`, pushers on `drained`.
 *  Time-outs run on the kernel's
 * monotonic clock, not on base/clock.h: a test that replaces the clock must
 * not keep a thread from waking. */
#include "base/queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, hurried, drained;
    struct queue_item *first, **tail;
    size_t length, items_max;
    size_t hasty;  /* of them, not patient */
    size_t enough; /* that end queue_gather(); 0: none is under way */
    bool shut;
};

enum footnote_rc queue_open(size_t items_max, struct queue **out,
                            struct footnote_err *err)
{
    pthread_condattr_t monotonic;

    assert(items_max > 0);
    *out = NULL;
    struct queue *q = calloc(1, sizeof(*q));
    if (!q)
        return err_set(err, FOOTNOTE_NOMEM, "no memory for a queue");
    q->tail = &q->first;
    q->items_max = items_max;
    /* None of these can fail on Linux. */
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&q->filled, &monotonic);
    pthread_cond_init(&q->hurried, &monotonic);
    pthread_cond_init(&q->drained, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *out = q;
    return FOOTNOTE_OK;
}

void queue_free(struct queue *q)
{
    if (!q)
        return;
    assert(!q->first);
    pthread_cond_destroy(&q->drained);
    pthread_cond_destroy(&q->hurried);
    pthread_cond_destroy(&q->filled);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

/* Puts the item in, or gives the code that says why not.  Locked. */
static enum footnote_rc append(struct queue *q, struct queue_item *item)
{
    if (q->shut)
        return FOOTNOTE_ENDED;
    if (q->length == q->items_max)
        return FOOTNOTE_BUSY;
    item->next = NULL;
    *q->tail = item;
    q->tail = &item->next;
    q->length++;
    pthread_cond_signal(&q->filled);
    q->hasty += !item->patient;
    if (!item->patient || q->length == q->enough)
        pthread_cond_signal(&q->hurried);
    return FOOTNOTE_OK;
}

static enum footnote_rc explain(const struct queue *q, enum footnote_rc rc,
                                struct footnote_err *err)
{
    if (rc == FOOTNOTE_ENDED)
        return err_set(err, FOOTNOTE_ENDED, "the queue is shut");
    if (rc == FOOTNOTE_BUSY)
        return err_set(err, FOOTNOTE_BUSY, "the queue is full (%zu items)",
                       q->items_max);
    return rc;
}

enum footnote_rc queue_push(struct queue *q, struct queue_item *item,
                            struct footnote_err *err)
{
    enum footnote_rc rc;

    pthread_mutex_lock(&q->lock);
    while ((rc = append(q, item)) == FOOTNOTE_BUSY)
        pthread_cond_wait(&q->drained, &q->lock);
    pthread_mutex_unlock(&q->lock);
    return explain(q, rc, err);
}

enum footnote_rc queue_try_push(struct queue *q, struct queue_item *item,
                                struct footnote_err *err)
{
    pthread_mutex_lock(&q->lock);
    enum footnote_rc rc = append(q, item);
    pthread_mutex_unlock(&q->lock);
    return explain(q, rc, err);
}

static struct timespec deadline(int64_t timeout_us)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_us / 1000000;
    t.tv_nsec += timeout_us % 1000000 * 1000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_nsec -= 1000000000L;
        t.tv_sec++;
    }
    return t;
}

/* Until there is an item, the queue is shut, or time is up.  Locked. */
static void wait_for_first(struct queue *q, int timeout_ms)
{
    if (q->first || q->shut || timeout_ms == 0)
        return;
    if (timeout_ms < 0) {
        while (!q->first && !q->shut)
            pthread_cond_wait(&q->filled, &q->lock);
        return;
    }
    struct timespec until = deadline((int64_t)timeout_ms * 1000);
    while (!q->first && !q->shut) {
        if (pthread_cond_timedwait(&q->filled, &q->lock, &until) == ETIMEDOUT)
            return;
    }
}

/* Cuts the first n items off as a list of their own.  Locked. */
static struct queue_item *cut(struct queue *q, size_t n)
{
    struct queue_item *list = q->first, **end = &q->first;

    for (size_t i = 0; i < n && *end; i++) {
        q->length--;
        q->hasty -= !(*end)->patient;
        end = &(*end)->next;
    }
    if (end == &q->first)
        return NULL;
    struct queue_item *rest = *end;
    assert(q->length == 0 ? !rest : rest != NULL);
    *end = NULL;
    q->first = rest;
    if (!rest)
        q->tail = &q->first;
    return list;
}

struct queue_item *queue_take(struct queue *q, size_t n, int timeout_ms)
{
    assert(n > 0);
    pthread_mutex_lock(&q->lock);
    wait_for_first(q, timeout_ms);
    struct queue_item *list = cut(q, n);
    if (list)
        pthread_cond_broadcast(&q->drained);
    pthread_mutex_unlock(&q->lock);
    return list;
}

/* A push of a patient item wakes nobody here, and thousands of them come. */
void queue_gather(struct queue *q, size_t enough, int timeout_us)
{
    struct timespec until = deadline(timeout_us);
    int rc = 0;

    pthread_mutex_lock(&q->lock);
    q->enough = enough;
    while (!q->hasty && !q->shut && q->length < enough && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&q->hurried, &q->lock, &until);
    q->enough = 0;
    pthread_mutex_unlock(&q->lock);
}

void queue_shut(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->shut = true;
    pthread_cond_broadcast(&q->filled);
    pthread_cond_broadcast(&q->hurried);
    pthread_cond_broadcast(&q->drained);
    pthread_mutex_unlock(&q->lock);
}

bool queue_is_shut(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    bool shut = q->shut;
    pthread_mutex_unlock(&q->lock);
    return shut;
}

size_t queue_length(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    size_t length = q->length;
    pthread_mutex_unlock(&q->lock);
    return length;
}
