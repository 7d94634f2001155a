/* index_turns.c - the threads that keep indexes up to date, and whose turn it
 * is.
 *
 * A course waits in a queue for each kind of work.  A thread takes the course
 * that a search asked for before others, then the one whose owner has waited
 * longest since the last turn, then the one that has itself.  An owner has one
 * course built at a time, so that the second thread is free for others; and a
 * long build ends its turn early when another course waits (sync.c).
 *
 * Whose course it is says the store.  The first turn of a course only asks for
 * that: else somebody with a thousand new courses would have a thousand
 * owners' turns. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/index/course_index.h"

#define WALK_BYTES_MAX ((size_t)1 << 20)

/* ---- Queues: the caller holds the lock ----------------------------------- */

void index_queue(struct indexes *ix, struct course_index *c,
                 enum index_work kind)
{
    if (c->queued[kind])
        return;
    c->queued[kind] = true;
    c->queue_next[kind] = ix->queue[kind];
    ix->queue[kind] = c;
    pthread_cond_broadcast(&ix->work);
}

static bool may_begin(const struct course_index *c, enum index_work kind)
{
    return !c->working[kind] && !(c->owner && c->owner->working[kind]);
}

static bool goes_before(const struct course_index *a,
                        const struct course_index *b, enum index_work kind)
{
    uint64_t a_owner = a->owner ? a->owner->served[kind] : 0;
    uint64_t b_owner = b->owner ? b->owner->served[kind] : 0;

    if (!a->owner != !b->owner)
        return !a->owner;
    if (kind == INDEX_SYNC && a->asked != b->asked)
        return a->asked;
    return a_owner != b_owner ? a_owner < b_owner
                              : a->served[kind] < b->served[kind];
}

static struct course_index *next_in_turn(const struct indexes *ix,
                                         enum index_work kind)
{
    struct course_index *best = NULL;

    for (struct course_index *c = ix->queue[kind]; c; c = c->queue_next[kind])
        if (may_begin(c, kind) && (!best || goes_before(c, best, kind)))
            best = c;
    return best;
}

static void begin_turn(struct indexes *ix, struct course_index *c,
                       enum index_work kind)
{
    struct course_index **at = &ix->queue[kind];

    while (*at != c)
        at = &(*at)->queue_next[kind];
    *at = c->queue_next[kind];
    c->queued[kind] = false;
    c->working[kind] = true;
    if (c->owner)
        c->owner->working[kind] = true;
    ix->working_n++;
}

static void end_turn(struct indexes *ix, struct course_index *c,
                     enum index_work kind)
{
    assert(c->working[kind]);
    c->working[kind] = false;
    c->served[kind] = ++ix->turns_n;
    if (c->owner) {
        c->owner->working[kind] = false;
        c->owner->served[kind] = ix->turns_n;
    }
    ix->working_n--;
    pthread_cond_broadcast(&ix->done);
    pthread_cond_broadcast(&ix->work); /* its owner's next may begin */
}

/* ---- Owners ---------------------------------------------------------------
 */

static struct index_owner *find_owner(struct indexes *ix, const char *tenant,
                                      int64_t account)
{
    struct index_owner *o = ix->owners;

    while (o && (o->account != account || strcmp(o->tenant, tenant) != 0))
        o = o->next;
    if (o)
        return o;
    o = calloc(1, sizeof(*o));
    if (!o)
        return NULL;
    o->tenant = strdup(tenant);
    if (!o->tenant) {
        free(o);
        return NULL;
    }
    o->account = account;
    o->next = ix->owners;
    ix->owners = o;
    return o;
}

bool index_others_wait(struct indexes *ix, const struct course_index *c)
{
    const struct course_index *first;
    bool wait;

    pthread_mutex_lock(&ix->lock);
    first = ix->queue[INDEX_SYNC];
    wait = first && (first != c || first->queue_next[INDEX_SYNC]);
    pthread_mutex_unlock(&ix->lock);
    return wait;
}

/* ---- Turns: without the lock ----------------------------------------------
 */

static enum footnote_rc read_owner(struct indexes *ix,
                                   const struct course_index *c,
                                   int64_t *account, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(WALK_BYTES_MAX);
    struct index_documents op = {.course = str_c(c->id), .only_course = true};

    TRY(store_read(ix->store, index_reader(c), &a, OP(index_documents), &op,
                   err));
    *account = op.owner;
    return FOOTNOTE_OK;
}

static void tell(struct indexes *ix, const struct course_index *c)
{
    pthread_mutex_lock(&ix->watch_lock);
    if (ix->watch)
        ix->watch(ix->watch_arg, str_c(c->tenant), str_c(c->id));
    pthread_mutex_unlock(&ix->watch_lock);
}

/* ---- Turns: with the lock, which is given up meanwhile --------------------
 */

/* A failure is told to those who wait; whoever searches next tries again. */
static void failed(struct course_index *c, const struct footnote_err *err)
{
    c->failures++;
    c->failure = *err;
    c->asked = false;
}

static void learn_owner(struct indexes *ix, struct course_index *c)
{
    struct footnote_err err = {.rc = FOOTNOTE_NOMEM, .text = "out of memory"};
    struct index_owner *owner = NULL;
    int64_t account = 0;
    enum footnote_rc rc;

    pthread_mutex_unlock(&ix->lock);
    rc = read_owner(ix, c, &account, &err);
    pthread_mutex_lock(&ix->lock);
    if (rc == FOOTNOTE_OK)
        owner = find_owner(ix, c->tenant, account);
    end_turn(ix, c, INDEX_SYNC);
    c->served[INDEX_SYNC] = 0; /* nothing was built */
    c->owner = owner;
    if (owner)
        index_queue(ix, c, INDEX_SYNC);
    else
        failed(c, &err);
}

static void sync_turn(struct indexes *ix, struct course_index *c)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;
    bool done = false;

    pthread_mutex_unlock(&ix->lock);
    rc = course_index_sync(ix, c, &done, &err);
    pthread_mutex_lock(&ix->lock);
    if (rc != FOOTNOTE_OK)
        failed(c, &err);
    else if (!done)
        index_queue(ix, c, INDEX_SYNC);
    else if (!c->queued[INDEX_SYNC])
        c->asked = false;
    end_turn(ix, c, INDEX_SYNC);
    pthread_mutex_unlock(&ix->lock);
    tell(ix, c);
    pthread_mutex_lock(&ix->lock);
}

static void keep_turn(struct indexes *ix, struct course_index *c)
{
    pthread_mutex_unlock(&ix->lock);
    course_index_maintain(ix, c);
    pthread_mutex_lock(&ix->lock);
    end_turn(ix, c, INDEX_KEEP);
}

static void take_turn(struct indexes *ix, struct course_index *c,
                      enum index_work kind)
{
    begin_turn(ix, c, kind);
    if (kind == INDEX_KEEP)
        keep_turn(ix, c);
    else if (c->owner)
        sync_turn(ix, c);
    else
        learn_owner(ix, c);
}

/* ---- All courses ----------------------------------------------------------
 */

static bool is_full(const struct indexes *ix)
{
    size_t bytes = 0;

    for (const struct course_index *c = ix->courses; c; c = c->next)
        bytes += c->snapshot ? c->snapshot->bytes : 0;
    return bytes >= ix->bytes_max;
}

/* Queues the next courses of the store, when there is nothing else to do.  What
 * does not fit in memory is left to those who search it. */
static void walk(struct indexes *ix)
{
    AUTO(arena_free) struct arena a = ARENA(WALK_BYTES_MAX);
    enum footnote_rc rc = FOOTNOTE_BUSY;

    ix->walking = false; /* for the other thread */
    ix->working_n++;
    if (!is_full(ix)) {
        pthread_mutex_unlock(&ix->lock);
        rc = store_own_read(ix->store, &a, OP(index_courses), &ix->walk, NULL);
        pthread_mutex_lock(&ix->lock);
    }
    for (size_t i = 0; rc == FOOTNOTE_OK && i < ix->walk.courses_n; i++) {
        struct course_index *c = course_index_find(
            ix, ix->walk.courses[i].tenant, ix->walk.courses[i].id);

        if (c && !c->snapshot)
            index_queue(ix, c, INDEX_SYNC);
    }
    ix->walking = rc == FOOTNOTE_OK && ix->walk.courses_n == INDEX_COURSES_MAX;
    ix->walk.courses = NULL;
    ix->working_n--;
    pthread_cond_broadcast(&ix->done);
}

/* ---- Threads --------------------------------------------------------------
 */

static void *work(void *arg)
{
    struct index_thread *t = arg;
    struct indexes *ix = t->indexes;

    pthread_mutex_lock(&ix->lock);
    while (!ix->closing) {
        struct course_index *c = next_in_turn(ix, t->kind);

        if (c)
            take_turn(ix, c, t->kind);
        else if (t->kind == INDEX_SYNC && ix->walking)
            walk(ix);
        else
            pthread_cond_wait(&ix->work, &ix->lock);
    }
    pthread_mutex_unlock(&ix->lock);
    return NULL;
}

enum footnote_rc index_threads_start(struct indexes *ix,
                                     struct footnote_err *err)
{
    for (; ix->threads_n < INDEX_THREADS; ix->threads_n++) {
        struct index_thread *t = &ix->threads[ix->threads_n];

        t->indexes = ix;
        t->kind = ix->threads_n + 1 < INDEX_THREADS ? INDEX_SYNC : INDEX_KEEP;
        if (pthread_create(&t->thread, NULL, work, t) != 0)
            return err_set(err, FOOTNOTE_NOMEM, "no thread for the retriever");
    }
    return FOOTNOTE_OK;
}

void index_threads_stop(struct indexes *ix)
{
    pthread_mutex_lock(&ix->lock);
    ix->closing = true;
    pthread_cond_broadcast(&ix->work);
    pthread_cond_broadcast(&ix->done);
    pthread_mutex_unlock(&ix->lock);
    while (ix->threads_n > 0)
        pthread_join(ix->threads[--ix->threads_n].thread, NULL);
}
