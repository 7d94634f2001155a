/* writer.c - one thread, one connection, group commit; see writer.h.
 *
 * A batch is an array of outcomes, made once: nobody is told anything before
 * the commit, refused jobs included, because what a job was refused for may
 * be a row that another job of the same batch has written. */
#include "db/writer.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/began.h"
#include "base/clock.h"
#include "base/uuid.h"
#include "db/driver.h"

enum {
    QUEUE_MAX = 8192, /* a job of each of thousands of answers */
    BATCH_MAX = 1024,
    ATTEMPTS_MAX = 8,
    RACES_MAX = 3,
    PAUSE_MS_MAX = 64,
    AGAIN_MS = 2000, /* at least, for a transaction that is redone */
    GATHER_MIN = 4,  /* jobs of a batch, from which on the next one gathers */
    GATHER_US = 800,
    BEHIND_US = 2 * GATHER_US,
    GATHER_MAX = 36 /* with more jobs, each costs hardly less */
};

struct outcome {
    struct writer_job *job;
    enum footnote_rc rc;
    struct footnote_err err;
    bool again; /* an earlier run may have been committed */
};

struct writer {
    struct writer_options o;
    struct db *db;
    struct queue *queue;
    struct outcome *batch; /* o.batch_max of them */
    pthread_t thread;
    bool started;
    int behind_us; /* that a batch gathers after a long one */
    int64_t tick_due_ms;
    int ticks_failed; /* one after the other */
    int64_t until_ms; /* of the batch that runs */
};

/* Codes that say something about the database rather than about a job. */
static bool is_about_store(enum footnote_rc rc)
{
    return rc == FOOTNOTE_BUSY || rc == FOOTNOTE_READONLY ||
           rc == FOOTNOTE_NOMEM || rc == FOOTNOTE_DAMAGED ||
           rc == FOOTNOTE_FOREIGN;
}

/* What the database came to; a refusal says nothing about it. */
static void tell_outcome(struct writer *w, enum footnote_rc rc,
                         const struct footnote_err *err)
{
    if (w->o.outcome &&
        (rc == FOOTNOTE_OK || rc == FOOTNOTE_UNSURE || is_about_store(rc)))
        w->o.outcome(rc, err, w->o.arg);
}

static void tell_busy(struct writer *w, bool busy)
{
    if (w->o.busy)
        w->o.busy(busy, w->o.arg);
}

/* How a try at a transaction ended. */
enum ending {
    ENDING_DONE,   /* committed: outcomes are final */
    ENDING_FAILED, /* not done: `rc` is for every job of it */
    ENDING_RETRY,  /* collided with another writer: the same again */
    ENDING_SPLIT,  /* one job spoiled it for all: each alone */
    ENDING_UNSURE  /* may or may not be there */
};

/* --- one transaction -------------------------------------------------- */

static void forget(struct writer *w)
{
    if (w->o.forget)
        w->o.forget(w->o.arg);
}

static enum ending undo_all(struct writer *w, enum ending ending)
{
    db_rollback(w->db);
    forget(w);
    return w->db->retry ? ENDING_RETRY : ending;
}

/* DONE when the transaction can go on, whatever became of the job. */
static enum ending run_job(struct writer *w, struct outcome *o)
{
    struct writer_job *job = o->job;

    o->rc = db_part_begin(w->db, &o->err);
    if (o->rc != FOOTNOTE_OK)
        return undo_all(w, ENDING_SPLIT);
    o->rc = job->run(w->db, job, o->again, &o->err);
    if (o->rc == FOOTNOTE_OK) {
        o->rc = db_part_end(w->db, &o->err);
        return o->rc == FOOTNOTE_OK ? ENDING_DONE : undo_all(w, ENDING_SPLIT);
    }
    o->err.rc = o->rc;
    if (w->db->retry || !db_part_undo(w->db))
        return undo_all(w, ENDING_SPLIT);
    if (w->db->wrote)
        forget(w);
    return ENDING_DONE;
}

static enum ending commit(struct writer *w, struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;

    if (w->o.before_commit)
        rc = w->o.before_commit(w->db, w->o.arg, err);
    if (rc != FOOTNOTE_OK)
        return undo_all(w, is_about_store(rc) ? ENDING_FAILED : ENDING_SPLIT);
    rc = db_commit(w->db, err);
    if (rc == FOOTNOTE_OK)
        return ENDING_DONE;
    forget(w);
    if (rc == FOOTNOTE_UNSURE)
        return ENDING_UNSURE;
    if (w->db->retry)
        return ENDING_RETRY;
    /* Anything else is a statement that failed late, in the pipeline. */
    return is_about_store(rc) ? ENDING_FAILED : ENDING_SPLIT;
}

static enum ending try_batch(struct writer *w, struct outcome *batch, size_t n,
                             struct footnote_err *err)
{
    int64_t least_ms = clock_mono_ms() + AGAIN_MS;

    /* A batch that took long beside a database that answers goes on. */
    if (!db_is_late(w->db) && w->until_ms < least_ms)
        w->until_ms = least_ms;
    if (db_begin_until(w->db, w->until_ms, err) != FOOTNOTE_OK)
        return w->db->retry ? ENDING_RETRY : ENDING_FAILED;
    for (size_t i = 0; i < n; i++) {
        enum ending ending = run_job(w, &batch[i]);
        if (ending != ENDING_DONE) {
            *err = batch[i].err;
            return ending;
        }
    }
    return commit(w, err);
}

/* Waits a random while, longer at each attempt, so that two writers that
 * collided do not collide again. */
static void pause_before(int attempt)
{
    int limit_ms = 1 << attempt;
    uint32_t random;

    random_bytes(&random, sizeof(random));
    if (limit_ms > PAUSE_MS_MAX)
        limit_ms = PAUSE_MS_MAX;
    struct timespec t = {.tv_nsec = random % ((uint32_t)limit_ms * 1000000U)};
    (void)nanosleep(&t, NULL);
}

/* A key that is there although the job did not find it was committed by
 * another node a moment ago.  Run again, alone, the job finds it. */
static bool lost_a_race(const struct writer *w, enum ending ending, size_t n,
                        const struct footnote_err *err)
{
    return ending == ENDING_SPLIT && n == 1 && err->rc == FOOTNOTE_CONFLICT &&
           db_has_rival_writers(w->db);
}

static enum ending try_often(struct writer *w, struct outcome *batch, size_t n,
                             struct footnote_err *err)
{
    for (int attempt = 0;; attempt++) {
        enum ending ending = try_batch(w, batch, n, err);
        bool race = lost_a_race(w, ending, n, err) && attempt < RACES_MAX;
        if (ending != ENDING_RETRY && !race)
            return ending;
        if (attempt == ATTEMPTS_MAX) {
            err_prefix(err, "tried %d times", attempt + 1);
            return ENDING_FAILED;
        }
        pause_before(attempt);
    }
}

/* --- a batch ---------------------------------------------------------- */

/* A job that may be there already is not reported as failed for a reason that
 * says nothing about it. */
static void fail(struct outcome *o, const struct footnote_err *err)
{
    o->rc = err->rc;
    o->err = *err;
    if (o->again && is_about_store(o->rc))
        o->rc = o->err.rc = FOOTNOTE_UNSURE;
}

static enum ending run_alone(struct writer *w, struct outcome *o)
{
    struct footnote_err err = {0};
    enum ending ending = ENDING_UNSURE;

    for (int attempt = 0; ending == ENDING_UNSURE && attempt < 2; attempt++) {
        ending = try_often(w, o, 1, &err);
        o->again |= ending == ENDING_UNSURE;
    }
    if (ending != ENDING_DONE)
        fail(o, &err);
    else if (o->rc != FOOTNOTE_OK)
        fail(o, &o->err);
    if (ending != ENDING_DONE || o->rc == FOOTNOTE_OK)
        tell_outcome(w, o->rc, &o->err);
    return ending;
}

/* When the store itself fails, or has eaten up the time of one call, the rest
 * of the jobs share the failure instead of waiting one after the other. */
static void run_each_alone(struct writer *w, size_t n)
{
    int64_t until_ms = clock_mono_ms() + w->db->timeout_ms;

    for (size_t i = 0; i < n; i++) {
        enum ending ending = run_alone(w, &w->batch[i]);
        bool late = ending == ENDING_SPLIT && clock_mono_ms() > until_ms;
        if (ending != ENDING_FAILED && !late)
            continue;
        struct footnote_err err = w->batch[i].err;
        err.rc = FOOTNOTE_BUSY;
        for (i++; i < n; i++)
            fail(&w->batch[i], &err);
    }
}

/* A job that was refused after it had written spoils a batch that was begun
 * without care.  With care it is undone alone, where the engine can do that. */
static enum ending try_with_care(struct writer *w, size_t n,
                                 struct footnote_err *err)
{
    enum ending ending = try_often(w, w->batch, n, err);

    if (ending == ENDING_SPLIT && n > 1 && db_care(w->db, true)) {
        ending = try_often(w, w->batch, n, err);
        (void)db_care(w->db, false);
    }
    return ending;
}

/* When the batch's time to connect and begin is up.  While the database is
 * silent, the time that its jobs have spent in the queue counts. */
static int64_t until_of(const struct writer *w, size_t n)
{
    int64_t began_ms = clock_mono_ms();

    for (size_t i = 0; i < n && db_is_late(w->db); i++)
        if (w->batch[i].job->began_ms < began_ms)
            began_ms = w->batch[i].job->began_ms;
    return began_ms + w->db->timeout_ms;
}

/* Nothing was written when all were refused. */
static void tell_committed(struct writer *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (w->batch[i].rc == FOOTNOTE_OK) {
            tell_outcome(w, FOOTNOTE_OK, NULL);
            return;
        }
}

static void run_batch(struct writer *w, size_t n)
{
    struct footnote_err err = {0};
    enum ending ending;

    w->until_ms = until_of(w, n);
    ending = try_with_care(w, n, &err);

    switch (ending) {
    case ENDING_DONE: tell_committed(w, n); return;
    case ENDING_UNSURE:
        for (size_t i = 0; i < n; i++)
            w->batch[i].again = w->batch[i].rc == FOOTNOTE_OK;
        run_each_alone(w, n);
        return;
    case ENDING_SPLIT:
        if (n > 1) {
            run_each_alone(w, n);
            return;
        }
        break;
    case ENDING_FAILED:
    case ENDING_RETRY: break;
    }
    tell_outcome(w, err.rc, &err);
    for (size_t i = 0; i < n; i++)
        fail(&w->batch[i], &err);
}

/* Runs the jobs of the list and tells their submitters; returns how many. */
static size_t run_list(struct writer *w, struct queue_item *list)
{
    size_t n = 0;

    for (; list; list = list->next) {
        assert(n < w->o.batch_max);
        w->batch[n++] = (struct outcome){.job = (struct writer_job *)list};
    }
    tell_busy(w, true);
    run_batch(w, n);
    tell_busy(w, false);
    for (size_t i = 0; i < n; i++) {
        struct outcome *o = &w->batch[i];
        o->job->done(o->job, o->rc, &o->err); /* and the job is gone */
    }
    return n;
}

/* --- the thread ------------------------------------------------------- */

static bool commit_tick(struct writer *w, struct footnote_err *err)
{
    if (db_begin(w->db, err) != FOOTNOTE_OK)
        return false;
    if (w->o.tick(w->db, w->o.tick_job, false, err) != FOOTNOTE_OK)
        db_rollback(w->db);
    else if (db_commit(w->db, err) == FOOTNOTE_OK)
        return true;
    forget(w);
    return false;
}

/* Housekeeping that fails is tried again at its next time.  While the database
 * is silent, jobs that wait are not kept waiting by it. */
static void tick(struct writer *w)
{
    int64_t now = clock_mono_ms();
    struct footnote_err err = {0};
    bool committed, again;

    if (w->o.tick_ms == 0 || now < w->tick_due_ms ||
        (db_is_late(w->db) && queue_length(w->queue) > 0))
        return;
    tell_busy(w, true);
    committed = commit_tick(w, &err);
    tell_busy(w, false);
    w->ticks_failed = committed ? 0 : w->ticks_failed + 1;
    w->tick_due_ms = now + w->o.tick_ms;
    again = w->db->retry && w->ticks_failed == 1;
    if (w->o.ticked && w->o.ticked(committed, again ? NULL : &err, w->o.arg))
        w->tick_due_ms = now;
}

static int wait_ms(const struct writer *w)
{
    if (w->o.tick_ms == 0)
        return -1;
    int64_t left = w->tick_due_ms - clock_mono_ms();
    return left > 0 ? (int)left : 0;
}

static void *work(void *arg)
{
    struct writer *w = arg;
    size_t n = 0;

    for (;;) {
        /* A long batch shows that the machine is behind and jobs come in
         * bursts.  Then the next batch should be long as well: fewer commits
         * are what helps. */
        if (n > 2 * w->o.gather_max)
            queue_gather(w->queue, n / 2, w->behind_us);
        else if (n >= GATHER_MIN)
            queue_gather(w->queue, w->o.gather_max, w->o.gather_us);
        struct queue_item *list =
            queue_take(w->queue, w->o.batch_max, wait_ms(w));
        if (!list && queue_is_shut(w->queue) && queue_length(w->queue) == 0)
            return NULL;
        n = list ? run_list(w, list) : 0;
        tick(w);
    }
}

/* Signals are the program's business: none may land in this thread. */
static enum footnote_rc start(struct writer *w, struct footnote_err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!w->started)
        return err_set(err, FOOTNOTE_NOMEM, "no thread for the writer");
    return FOOTNOTE_OK;
}

static void closep(struct writer **w)
{
    writer_close(*w);
}

static struct writer *new_writer(const struct writer_options *o)
{
    struct writer *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    w->o = *o;
    w->o.db.mode = DB_WRITE;
    if (w->o.queue_max == 0)
        w->o.queue_max = QUEUE_MAX;
    if (w->o.batch_max == 0)
        w->o.batch_max = BATCH_MAX;
    w->behind_us = w->o.gather_us ? w->o.gather_us : BEHIND_US;
    if (w->o.gather_us == 0)
        w->o.gather_us = GATHER_US;
    if (w->o.gather_max == 0)
        w->o.gather_max = GATHER_MAX;
    w->batch = calloc(w->o.batch_max, sizeof(*w->batch));
    if (w->batch)
        return w;
    free(w);
    return NULL;
}

enum footnote_rc writer_open(const struct writer_options *o,
                             struct writer **out, struct footnote_err *err)
{
    AUTO(closep) struct writer *w = new_writer(o);

    *out = NULL;
    if (!w)
        return err_set(err, FOOTNOTE_NOMEM, "opening a writer");
    TRY(queue_open(w->o.queue_max, &w->queue, err));
    TRY(db_open(&w->o.db, &w->db, err));
    w->tick_due_ms = clock_mono_ms();
    TRY(start(w, err));
    *out = w;
    w = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void writer_close(struct writer *w)
{
    if (!w)
        return;
    if (w->started) {
        queue_shut(w->queue);
        pthread_join(w->thread, NULL);
    }
    db_close(w->db);
    queue_free(w->queue);
    free(w->batch);
    free(w);
}

/* --- the submitters --------------------------------------------------- */

enum footnote_rc writer_submit(struct writer *w, struct writer_job *job,
                               struct footnote_err *err)
{
    assert(job->run && job->done);
    job->began_ms = began_or_now();
    return queue_push(w->queue, &job->item, err);
}

enum footnote_rc writer_try_submit(struct writer *w, struct writer_job *job,
                                   struct footnote_err *err)
{
    assert(job->run && job->done);
    job->began_ms = began_or_now();
    return queue_try_push(w->queue, &job->item, err);
}
