/* dense_threads.c - one thread loads what the store has, another makes what it
 * has not.  Courses take turns, and one that a search waits for is loaded
 * first. */
#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "retrieve/dense/dense_course.h"

enum { LOOK_MS = 500, LOAD_PAUSE_MS = 2000, SHOWN_EVERY_MS = 5000 };
#define WALK_BYTES ((size_t)1 << 20)

/* Waits, but looks again soon: pauses end by the clock.  With the lock. */
static void wait_some(struct dense *d, pthread_cond_t *cond)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(cond, &d->lock, &until);
}

/* ---- Loading ------------------------------------------------------------- */

static struct dense_course *next_to_load(const struct dense *d)
{
    struct dense_course *best = NULL;

    for (struct dense_course *c = d->courses; c; c = c->next)
        if (c->to_load && (!best || (c->asked && !best->asked)))
            best = c;
    return best;
}

/* With the lock, which is given up meanwhile. */
static void load_turn(struct dense *d, struct dense_course *c)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    c->to_load = false;
    c->loading = true;
    pthread_mutex_unlock(&d->lock);
    rc = dense_load(d, c, &err);
    pthread_mutex_lock(&d->lock);
    c->loading = false;
    c->asked = false;
    if (rc != FOOTNOTE_OK) {
        c->failures++;
        c->to_load = true; /* again, after a pause */
    }
    pthread_cond_broadcast(&d->done);
    if (rc != FOOTNOTE_OK)
        wait_some(d, &d->load_work);
}

/* The next courses of the store.  With the lock, which is given up meanwhile.
 */
static void walk(struct dense *d)
{
    AUTO(arena_free) struct arena a = ARENA(WALK_BYTES);
    enum footnote_rc rc;

    pthread_mutex_unlock(&d->lock);
    rc = store_own_read(d->store, &a, OP(index_courses), &d->walk, NULL);
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < d->walk.courses_n; i++) {
        struct dense_course *c = dense_course_find(d, d->walk.courses[i].tenant,
                                                   d->walk.courses[i].id);

        if (c && c->index_version == -1)
            c->to_load = true;
    }
    if (rc != FOOTNOTE_OK)
        wait_some(d, &d->load_work);
    else
        d->walking = d->walk.courses_n == INDEX_COURSES_MAX;
    d->walk.courses = NULL;
}

static void *load_thread(void *arg)
{
    struct dense *d = arg;

    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        struct dense_course *c = next_to_load(d);

        if (c)
            load_turn(d, c);
        else if (d->walking)
            walk(d);
        else
            pthread_cond_wait(&d->load_work, &d->lock);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* ---- Making -------------------------------------------------------------- */

static struct dense_course *next_to_embed(const struct dense *d)
{
    int64_t now_ms = clock_mono_ms();
    struct dense_course *best = NULL;

    for (struct dense_course *c = d->courses; c; c = c->next)
        if (c->to_embed && now_ms >= c->not_before_ms &&
            (!best || c->served < best->served))
            best = c;
    return best;
}

static bool has_to_embed(const struct dense *d)
{
    bool any = false;

    for (const struct dense_course *c = d->courses; c; c = c->next)
        any |= c->to_embed || c->embedding;
    return any;
}

static void say_done(struct dense *d)
{
    if (!d->made_n || has_to_embed(d))
        return;
    log_write(LOG_INFO, "all passages have their vectors",
              LOG_NUM("made", (int64_t)d->made_n));
    d->made_n = 0;
}

/* With the lock, which is given up meanwhile. */
static void make_turn(struct dense *d, struct dense_course *c)
{
    uint64_t before = d->made_n;
    bool over, ok;

    c->embedding = true;
    pthread_mutex_unlock(&d->lock);
    ok = dense_make(d, c, &over);
    pthread_mutex_lock(&d->lock);
    c->embedding = false;
    c->served = ++d->turns_n;
    if (over) {
        c->embedded_version = c->todo_version;
        c->embedded_size = d->size;
        c->to_embed = false;
    }
    if (over || (!ok && d->made_n > before) ||
        clock_mono_ms() - c->loaded_ms > SHOWN_EVERY_MS) {
        c->to_load = true;
        pthread_cond_broadcast(&d->load_work);
    }
    if (over)
        say_done(d);
    pthread_cond_broadcast(&d->done);
}

static void *embed_thread(void *arg)
{
    struct dense *d = arg;

    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        struct dense_course *c = next_to_embed(d);

        if (c && endpoint_pause_ms(d->endpoint, ENDPOINT_PASSAGES) == 0)
            make_turn(d, c);
        else if (has_to_embed(d))
            wait_some(d, &d->embed_work);
        else
            pthread_cond_wait(&d->embed_work, &d->lock);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

/* ---- Both ---------------------------------------------------------------- */

static bool is_idle(struct dense *d)
{
    if (d->walking)
        return false;
    for (const struct dense_course *c = d->courses; c; c = c->next)
        if (c->to_load || c->loading || c->embedding)
            return false;
    return d->only_reads || !has_to_embed(d) ||
           endpoint_pause_ms(d->endpoint, ENDPOINT_PASSAGES) > 0;
}

void dense_wait_idle(struct dense *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->closing && !is_idle(d))
        wait_some(d, &d->done);
    pthread_mutex_unlock(&d->lock);
}

enum footnote_rc dense_threads_start(struct dense *d, struct footnote_err *err)
{
    d->has_loader = pthread_create(&d->loader, NULL, load_thread, d) == 0;
    if (!d->only_reads)
        d->has_embedder =
            pthread_create(&d->embedder, NULL, embed_thread, d) == 0;
    if (!d->has_loader || (!d->only_reads && !d->has_embedder))
        return err_set(err, FOOTNOTE_NOMEM, "no thread for vectors");
    return FOOTNOTE_OK;
}

void dense_threads_stop(struct dense *d)
{
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    pthread_cond_broadcast(&d->load_work);
    pthread_cond_broadcast(&d->embed_work);
    pthread_cond_broadcast(&d->done);
    pthread_mutex_unlock(&d->lock);
    if (d->has_loader)
        pthread_join(d->loader, NULL);
    if (d->has_embedder)
        pthread_join(d->embedder, NULL);
    for (struct dense_course *c = d->courses; c; c = c->next)
        dense_end_turn(d, c);
}
