/* mend.c - damage is written to the log, looked for, and mended where it can
 * be.
 *
 * One thread takes turns of a second: it checks some rows that nobody may have
 * read for years (store/scrub.h), and has documents with damaged passages read
 * in again.  A round over all tables begins once a day. */
#include "cli/mend.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/document/job.h"
#include "store/scrub.h"

enum {
    TURN_S = 1,
    TURN_ROWS = 200, /* about a thousandth of a core */
    TURN_BYTES_MAX = 16 * 1024 * 1024,
    ROUND_MS = 24 * 3600 * 1000,
    WAITING_MAX = 64 /* passages to be made anew; more are found again */
};

struct mend {
    struct store *store;
    pthread_t thread;
    pthread_mutex_t lock; /* of the next four */
    pthread_cond_t wake;
    bool stop;
    struct damage waiting[WAITING_MAX];
    size_t waiting_n;
    /* The thread's own: */
    struct scrub_place place;
    bool resting; /* until a round is due */
    int64_t began_ms;
};

/* Called by whatever thread has met the row. */
static void on_damage(void *arg, const struct damage *d, bool first)
{
    struct mend *m = arg;

    if (first)
        log_write(LOG_ERROR, "damaged row", LOG_TEXT("row", str_c(d->row)),
                  LOG_TEXT("mend", str_c(d->mend)));
    if (d->table != SEALED_PASSAGE)
        return;
    pthread_mutex_lock(&m->lock);
    if (m->waiting_n < WAITING_MAX)
        m->waiting[m->waiting_n++] = *d;
    pthread_mutex_unlock(&m->lock);
}

static void scrub_some(struct mend *m)
{
    AUTO(arena_free) struct arena a = ARENA(TURN_BYTES_MAX);
    struct scrub op = {.place = m->place, .limit = TURN_ROWS};

    if (m->resting && clock_mono_ms() - m->began_ms < ROUND_MS)
        return;
    if (m->resting)
        m->began_ms = clock_mono_ms();
    m->resting = false;
    if (store_own_read(m->store, &a, OP(scrub), &op, NULL) != FOOTNOTE_OK)
        return; /* the next turn tries again */
    m->place = op.place;
    m->resting = op.over;
}

static bool next_waiting(struct mend *m, struct damage *out)
{
    bool any;

    pthread_mutex_lock(&m->lock);
    any = m->waiting_n > 0 && !m->stop;
    if (any)
        *out = m->waiting[--m->waiting_n];
    pthread_mutex_unlock(&m->lock);
    return any;
}

static void mend_some(struct mend *m)
{
    struct damage d;

    while (next_waiting(m, &d)) {
        struct passage_renew op = {d.key[0], d.key[1], d.key[2], d.key[3],
                                   false};

        if (store_own(m->store, OP(passage_renew), &op, NULL) == FOOTNOTE_OK &&
            op.queued)
            log_write(LOG_INFO, "a document is read in again",
                      LOG_TEXT("because_of", str_c(d.row)));
    }
}

/* False when it is time to stop. */
static bool rest(struct mend *m)
{
    struct timespec until;
    bool stop;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += TURN_S;
    pthread_mutex_lock(&m->lock);
    while (!m->stop && pthread_cond_timedwait(&m->wake, &m->lock, &until) == 0)
        ;
    stop = m->stop;
    pthread_mutex_unlock(&m->lock);
    return !stop;
}

static void *work(void *arg)
{
    struct mend *m = arg;

    do {
        scrub_some(m);
        mend_some(m);
    } while (rest(m));
    return NULL;
}

enum footnote_rc mend_open(struct store *st, struct mend **out,
                           struct footnote_err *err)
{
    struct mend *m = calloc(1, sizeof(*m));
    pthread_condattr_t monotonic;

    *out = NULL;
    if (!m)
        return err_set(err, FOOTNOTE_NOMEM, "starting to look for damage");
    m->store = st;
    m->began_ms = clock_mono_ms();
    pthread_mutex_init(&m->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&m->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    damage_watch(st, on_damage, m);
    if (pthread_create(&m->thread, NULL, work, m) != 0) {
        damage_watch(st, NULL, NULL);
        pthread_cond_destroy(&m->wake);
        pthread_mutex_destroy(&m->lock);
        free(m);
        return err_set(err, FOOTNOTE_NOMEM, "starting a thread");
    }
    *out = m;
    return FOOTNOTE_OK;
}

void mend_close(struct mend *m)
{
    if (!m)
        return;
    damage_watch(m->store, NULL, NULL);
    pthread_mutex_lock(&m->lock);
    m->stop = true;
    pthread_cond_broadcast(&m->wake);
    pthread_mutex_unlock(&m->lock);
    pthread_join(m->thread, NULL);
    pthread_cond_destroy(&m->wake);
    pthread_mutex_destroy(&m->lock);
    free(m);
}
