/* timer.c - a thread that waits, makes a backup, and waits again.
 *
 * What it does costs a core and the disk for a while, so others go first: the
 * thread is nice. */
#include "backup/timer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum { RETRY_MS = 5 * 60 * 1000, NICE = 10 };

struct backup_timer {
    struct backup_timer_options o;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
    atomic_bool stop;
    struct backup_state state; /* under the lock */
};

static void on_damage(void *arg, const char *what)
{
    (void)arg;
    log_write(LOG_ERROR, "a backup lacks a file", LOG_TEXT("file", str_c(what)),
              LOG_TEXT("mend", STR("footnote objects verify")));
}

/* ---- When --------------------------------------------------------------- */

/* When the newest backup was made; 0: there is none that can be read.  A tar is
 * as old as its file. */
static int64_t newest_ms(const struct place_where *to)
{
    AUTO(place_closep) struct place *p = NULL;
    char name[PLACE_NAME_BYTES + 1];
    struct manifest m;
    struct stat st;

    if (place_is_tar(to->url))
        return stat(to->url.p, &st) == 0 ? (int64_t)st.st_mtim.tv_sec * 1000
                                         : 0;
    if (place_open(to, PLACE_READ, &p, NULL) != FOOTNOTE_OK ||
        backup_newest(p, name, NULL) != FOOTNOTE_OK ||
        manifest_read(p, name, &m, NULL) != FOOTNOTE_OK)
        return 0;
    return m.created_ms;
}

/* How long to wait before the first.  A clock that was set back is no reason to
 * wait longer than always. */
static int64_t first_pause(const struct backup_timer *t)
{
    int64_t age = clock_wall_ms() - t->state.made_ms;

    if (t->state.made_ms == 0 || age >= t->o.every_ms)
        return 0;
    return age < 0 ? t->o.every_ms : t->o.every_ms - age;
}

/* False when the server ends. */
static bool pause_ms(struct backup_timer *t, int64_t ms)
{
    struct timespec until;
    int late = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&t->lock);
    while (!atomic_load(&t->stop) && !late)
        late = pthread_cond_timedwait(&t->ends, &t->lock, &until);
    pthread_mutex_unlock(&t->lock);
    return !atomic_load(&t->stop);
}

/* ---- What --------------------------------------------------------------- */

static void log_made(const struct backup_made *made, int64_t ms)
{
    const struct backup_counts *n = &made->manifest.counts;

    log_write(LOG_INFO, "made a backup",
              LOG_TEXT("backup", str_c(made->manifest.name)),
              LOG_NUM("answers", n->answers),
              LOG_NUM("citations", n->citations), LOG_NUM("files", n->files),
              LOG_NUM("new_files", made->copied),
              LOG_NUM("new_bytes", made->copied_bytes),
              LOG_NUM("removed", made->removed), LOG_NUM("ms", ms));
}

static enum footnote_rc make(struct backup_timer *t)
{
    int64_t began_ms = clock_mono_ms();
    struct backup_made made;
    struct footnote_err err;
    enum footnote_rc rc =
        backup_make(&(struct backup_options){.database = t->o.database,
                                             .objects = t->o.objects,
                                             .to = t->o.to,
                                             .keep = t->o.keep,
                                             .stop = &t->stop,
                                             .damage = on_damage},
                    &made, &err);

    if (rc == FOOTNOTE_OK)
        log_made(&made, clock_mono_ms() - began_ms);
    else if (!atomic_load(&t->stop))
        log_write(LOG_WARN, "no backup was made",
                  LOG_TEXT("error", str_c(err.text)),
                  LOG_TEXT("to", t->o.to.url),
                  LOG_NUM("ms", clock_mono_ms() - began_ms));
    pthread_mutex_lock(&t->lock);
    t->state.failed = rc != FOOTNOTE_OK;
    if (rc == FOOTNOTE_OK)
        t->state.made_ms = made.manifest.created_ms;
    else
        t->state.why = err;
    pthread_mutex_unlock(&t->lock);
    return rc;
}

static void *work(void *arg)
{
    struct backup_timer *t = arg;
    int64_t wait_ms = first_pause(t);

    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
    while (pause_ms(t, wait_ms)) {
        wait_ms = t->o.every_ms;
        if (make(t) != FOOTNOTE_OK && wait_ms > RETRY_MS)
            wait_ms = RETRY_MS;
    }
    return NULL;
}

/* ---- Opening and closing ------------------------------------------------ */

static void timer_free(struct backup_timer *t)
{
    pthread_cond_destroy(&t->ends);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

enum footnote_rc backup_timer_open(const struct backup_timer_options *o,
                                   struct backup_timer **out,
                                   struct footnote_err *err)
{
    struct backup_timer *t = calloc(1, sizeof(*t));
    pthread_condattr_t attr;

    *out = NULL;
    if (!t)
        return err_set(err, FOOTNOTE_NOMEM, "preparing backups");
    t->o = *o;
    t->state.made_ms = newest_ms(&o->to);
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&t->ends, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&t->thread, NULL, work, t) != 0) {
        timer_free(t);
        return err_set(err, FOOTNOTE_NOMEM, "starting a thread");
    }
    *out = t;
    return FOOTNOTE_OK;
}

void backup_timer_close(struct backup_timer *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->stop, true);
    pthread_cond_signal(&t->ends);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    timer_free(t);
}

void backup_timer_look(struct backup_timer *t, struct backup_state *out)
{
    pthread_mutex_lock(&t->lock);
    *out = t->state;
    pthread_mutex_unlock(&t->lock);
}
