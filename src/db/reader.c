/* reader.c - a few read-only connections, lent one at a time; see reader.h.
 *
 * The lock is held for the bookkeeping alone: connecting and beginning, which
 * may wait for the network, happen outside of it. */
#include "db/reader.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/began.h"
#include "base/clock.h"
#include "db/driver.h"

struct readers {
    struct db_options o;
    char *url;
    pthread_mutex_t lock;
    pthread_cond_t given;
    struct db **idle; /* idle_n of them */
    size_t idle_n, open_n, n_max;
    bool late; /* the last that came back had waited in vain */
};

enum footnote_rc readers_open(const struct db_options *o, size_t n_max,
                              struct readers **out, struct footnote_err *err)
{
    struct readers *r = calloc(1, sizeof(*r));
    pthread_condattr_t attr;

    assert(n_max > 0);
    *out = NULL;
    if (r) {
        r->url = strdup(o->url);
        r->idle = calloc(n_max, sizeof(struct db *));
    }
    if (!r || !r->url || !r->idle) {
        if (r) {
            free(r->url);
            free(r->idle);
        }
        free(r);
        return err_set(err, FOOTNOTE_NOMEM, "opening the readers");
    }
    r->o = *o;
    r->o.url = r->url;
    r->o.mode = DB_READ;
    if (r->o.timeout_ms <= 0)
        r->o.timeout_ms = DB_TIMEOUT_MS;
    r->n_max = n_max;
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->given, &attr);
    pthread_condattr_destroy(&attr);
    *out = r;
    return FOOTNOTE_OK;
}

void readers_close(struct readers *r)
{
    if (!r)
        return;
    assert(r->idle_n == r->open_n);
    while (r->idle_n > 0)
        db_close(r->idle[--r->idle_n]);
    pthread_cond_destroy(&r->given);
    pthread_mutex_destroy(&r->lock);
    free(r->idle);
    free(r->url);
    free(r);
}

/* Real time goes on while a test's clock stands. */
static struct timespec deadline(int64_t timeout_ms)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_ms / 1000;
    t.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* When a caller's time is up.  While the database is silent, the time that it
 * has spent in a queue counts: those before it have waited for nothing, too. */
static int64_t until_of(struct readers *r)
{
    pthread_mutex_lock(&r->lock);
    bool late = r->late;
    pthread_mutex_unlock(&r->lock);
    return (late ? began_or_now() : clock_mono_ms()) + r->o.timeout_ms;
}

/* An idle connection, or NULL and the right to open one. */
static enum footnote_rc reserve(struct readers *r, int64_t until_ms,
                                struct db **out, struct footnote_err *err)
{
    int64_t left_ms = until_ms - clock_mono_ms();
    struct timespec until = deadline(left_ms > 0 ? left_ms : 0);
    int late = 0;

    *out = NULL;
    pthread_mutex_lock(&r->lock);
    while (r->idle_n == 0 && r->open_n == r->n_max && !late)
        late = pthread_cond_timedwait(&r->given, &r->lock, &until);
    bool ok = true;
    if (r->idle_n > 0)
        *out = r->idle[--r->idle_n];
    else if (r->open_n < r->n_max)
        r->open_n++;
    else
        ok = false;
    pthread_mutex_unlock(&r->lock);
    if (!ok)
        return err_set(err, FOOTNOTE_BUSY, "all %zu readers are in use",
                       r->n_max);
    return FOOTNOTE_OK;
}

/* Takes a connection back, or, when it is NULL, the right to have one. */
static void put_back(struct readers *r, struct db *db, bool late)
{
    pthread_mutex_lock(&r->lock);
    assert(r->idle_n < r->open_n);
    r->late = late;
    if (db)
        r->idle[r->idle_n++] = db;
    else
        r->open_n--;
    pthread_cond_signal(&r->given);
    pthread_mutex_unlock(&r->lock);
}

enum footnote_rc readers_take(struct readers *r, struct db **out,
                              struct footnote_err *err)
{
    struct db_options o = r->o;
    struct db *db;
    enum footnote_rc rc = FOOTNOTE_OK;

    *out = NULL;
    o.until_ms = until_of(r);
    TRY(reserve(r, o.until_ms, &db, err));
    if (!db)
        rc = db_open(&o, &db, err);
    if (rc == FOOTNOTE_OK)
        rc = db_begin_until(db, o.until_ms, err);
    if (rc == FOOTNOTE_OK)
        *out = db;
    else
        put_back(r, db, db ? db_is_late(db) : clock_mono_ms() >= o.until_ms);
    return rc;
}

enum footnote_rc readers_try_take(struct readers *r, struct db **out,
                                  struct footnote_err *err)
{
    struct db *db = NULL;
    enum footnote_rc rc;

    *out = NULL;
    pthread_mutex_lock(&r->lock);
    if (r->idle_n > 0 && !db_has_round_trips(r->idle[r->idle_n - 1]))
        db = r->idle[--r->idle_n];
    pthread_mutex_unlock(&r->lock);
    if (!db)
        return err_set(err, FOOTNOTE_BUSY, "no reader is free");
    rc = db_begin(db, err);
    if (rc == FOOTNOTE_OK)
        *out = db;
    else
        put_back(r, db, db_is_late(db));
    return rc;
}

void readers_give(struct readers *r, struct db *db)
{
    db_rollback(db);
    put_back(r, db, db_is_late(db));
}
