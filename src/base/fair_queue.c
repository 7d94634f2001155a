/* fair_queue.c - a list for each key, and a list of the keys whose turn comes.
 *
 *     turns --> key --> key --> key        those with waiting items
 *                |       |       |
 *               item    item    item
 *
 * A key is in a bucket of `table` while it has items, waiting or taken.  Keys
 * that have as many taken as they may are passed over; there are never more of
 * them than takers, so looking for the next one is short. */
#include "base/fair_queue.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 256 };

struct fair_key {
    uint64_t key;
    struct fair_key *chain; /* in its bucket, or in `spare` */
    struct fair_key *turn;  /* in `turns` */
    struct fair_item *first, **tail;
    size_t waiting, taken;
};

struct fair_queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct fair_limits limits;
    struct fair_key *table[BUCKETS], *spare;
    struct fair_key *turns, **turns_tail;
    size_t keys, waiting;
    bool shut;
};

enum footnote_rc fair_queue_open(const struct fair_limits *l,
                                 struct fair_queue **out,
                                 struct footnote_err *err)
{
    struct fair_queue *q = calloc(1, sizeof(*q));

    assert(l->waiting_max && l->waiting_of_key && l->taken_max);
    assert(l->taken_alone >= l->taken_max);
    *out = q;
    if (!q)
        return err_set(err, FOOTNOTE_NOMEM, "no memory for a queue");
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    q->limits = *l;
    q->turns_tail = &q->turns;
    return FOOTNOTE_OK;
}

void fair_queue_free(struct fair_queue *q)
{
    if (!q)
        return;
    assert(q->keys == 0 && q->waiting == 0);
    while (q->spare) {
        struct fair_key *k = q->spare;

        q->spare = k->chain;
        free(k);
    }
    pthread_cond_destroy(&q->filled);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

/* ---- Keys; locked ------------------------------------------------------- */

static struct fair_key *find_key(struct fair_queue *q, uint64_t key)
{
    struct fair_key *k = q->table[key % BUCKETS];

    while (k && k->key != key)
        k = k->chain;
    return k;
}

static struct fair_key *add_key(struct fair_queue *q, uint64_t key)
{
    struct fair_key **bucket = &q->table[key % BUCKETS];
    struct fair_key *k = q->spare;

    if (k)
        q->spare = k->chain;
    else
        k = malloc(sizeof(*k));
    if (!k)
        return NULL;
    *k = (struct fair_key){.key = key, .chain = *bucket};
    k->tail = &k->first;
    *bucket = k;
    q->keys++;
    return k;
}

/* The last other key has gone: the one that is left may have more. */
static void drop_key(struct fair_queue *q, struct fair_key *k)
{
    struct fair_key **at = &q->table[k->key % BUCKETS];

    while (*at != k)
        at = &(*at)->chain;
    *at = k->chain;
    k->chain = q->spare;
    q->spare = k;
    q->keys--;
    if (q->keys == 1 && q->waiting)
        pthread_cond_broadcast(&q->filled);
}

static bool may_take(const struct fair_queue *q, const struct fair_key *k)
{
    return k->taken <
           (q->keys > 1 ? q->limits.taken_max : q->limits.taken_alone);
}

static void add_turn(struct fair_queue *q, struct fair_key *k)
{
    k->turn = NULL;
    *q->turns_tail = k;
    q->turns_tail = &k->turn;
}

/* The first key that may have an item taken, out of the list; NULL: none. */
static struct fair_key *take_turn(struct fair_queue *q)
{
    struct fair_key **at = &q->turns;

    while (*at && !may_take(q, *at))
        at = &(*at)->turn;
    struct fair_key *k = *at;
    if (!k)
        return NULL;
    *at = k->turn;
    if (!*at)
        q->turns_tail = at;
    return k;
}

/* ---- Items -------------------------------------------------------------- */

static enum footnote_rc append(struct fair_queue *q, uint64_t key,
                               struct fair_item *item, bool always)
{
    struct fair_key *k = find_key(q, key);

    if (q->shut || (!always && q->waiting >= q->limits.waiting_max))
        return FOOTNOTE_BUSY;
    if (k && !always && k->waiting >= q->limits.waiting_of_key)
        return FOOTNOTE_TOOBIG;
    if (!k)
        k = add_key(q, key);
    if (!k)
        return FOOTNOTE_BUSY;
    *item = (struct fair_item){.key = k};
    *k->tail = item;
    k->tail = &item->next;
    if (k->waiting++ == 0)
        add_turn(q, k);
    q->waiting++;
    if (may_take(q, k))
        pthread_cond_signal(&q->filled);
    return FOOTNOTE_OK;
}

enum footnote_rc fair_queue_push(struct fair_queue *q, uint64_t key,
                                 struct fair_item *item, bool always)
{
    pthread_mutex_lock(&q->lock);
    enum footnote_rc rc = append(q, key, item, always);
    pthread_mutex_unlock(&q->lock);
    return rc;
}

/* The next item whose turn it is; NULL: none may be taken.  Locked. */
static struct fair_item *cut(struct fair_queue *q)
{
    struct fair_key *k = take_turn(q);

    if (!k)
        return NULL;
    struct fair_item *item = k->first;
    k->first = item->next;
    if (!k->first)
        k->tail = &k->first;
    k->taken++;
    q->waiting--;
    if (--k->waiting)
        add_turn(q, k);
    item->next = NULL;
    return item;
}

struct fair_item *fair_queue_take(struct fair_queue *q, size_t n)
{
    struct fair_item *list, **end;

    assert(n > 0);
    pthread_mutex_lock(&q->lock);
    while (!(list = cut(q)) && !(q->shut && q->waiting == 0))
        pthread_cond_wait(&q->filled, &q->lock);
    end = list ? &list->next : NULL;
    while (list && --n && (*end = cut(q)))
        end = &(*end)->next;
    if (q->shut && q->waiting == 0)
        pthread_cond_broadcast(&q->filled); /* the other takers end, too */
    pthread_mutex_unlock(&q->lock);
    return list;
}

void fair_queue_done(struct fair_queue *q, struct fair_key *k)
{
    pthread_mutex_lock(&q->lock);
    assert(k->taken > 0);
    k->taken--;
    if (!k->waiting && k->taken == 0)
        drop_key(q, k);
    pthread_mutex_unlock(&q->lock);
}

void fair_queue_shut(struct fair_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->shut = true;
    pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->lock);
}
