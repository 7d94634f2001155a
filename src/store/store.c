/* store.c - the store as a whole: opening, closing, running operations. */

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/disk.h"
#include "db/reader.h"
#include "store/answer/unsure.h"
#include "store/answer/word_log.h"
#include "store/audit.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/db_clock.h"
#include "store/health.h"
#include "store/id_cache.h"
#include "store/life.h"
#include "store/node.h"
#include "store/read/source_cache.h"
#include "store/read/verified.h"
#include "store/session/scope.h"
#include "store/source/judges.h"
#include "store/source/pool.h"
#include "store/state.h"
#include "store/store.h"
#include "store/sweep.h"
#include "store/usage.h"
#include "store/watch.h"

enum {
    READERS = 16, /* opened when needed: one for each thread that reads */
    CACHE_BYTES = 64 * 1024 * 1024,
    SCRATCH_BYTES = 64 * 1024 * 1024,
    TICK_MS = 1000,
    RELAXED_US = 40 * 1000, /* after the 150 ms of chat/turn/text.c */
    RELAXED_JOBS = 1024,
    FIRST_SWEEP_S = 2
};

static struct tx tx_begin(struct store *st, struct db *db, struct arena *out,
                          struct arena *scratch)
{
    return (struct tx){.store = st,
                       .db = db,
                       .out = out,
                       .scratch = scratch,
                       .now_ms = clock_wall_ms(),
                       .db_ms = db_clock_ms(st)};
}

static enum footnote_rc check_who(struct who who, struct footnote_err *err)
{
    if (!who.tenant.p || !who.user.p)
        return err_set(err, FOOTNOTE_INVALID, "tenant or user is missing");
    TRY(check_id(who.tenant, "tenant", err));
    if (str_eq(who.user, STR("*")))
        return err_field(err, FOOTNOTE_INVALID, "user", "* is everybody");
    return check_id(who.user, "user", err);
}

/* Forgets what the writer learned from rows that are rolled back. */
static void forget(struct store *st)
{
    id_cache_forget(st->id_cache);
    pool_forget(st->pool);
}

static void rolled_back(void *arg)
{
    struct store *st = arg;

    forget(st);
    word_log_forget(st->word_log);
    usages_forget(st->usages);
}

static enum footnote_rc before_commit(struct db *db, void *arg,
                                      struct footnote_err *err)
{
    TRY(word_log_check_leases(arg, db, err));
    TRY(word_log_write(arg, db, err));
    return usage_write(arg, db, err);
}

static enum footnote_rc run_job(struct db *db, struct writer_job *job,
                                bool again, struct footnote_err *err)
{
    struct store_job *j = (struct store_job *)job;
    struct tx tx = tx_begin(j->store, db, NULL, &j->store->scratch);
    enum footnote_rc rc;

    tx.again = again;
    tx.scope = j->who.scope;
    arena_reset(tx.scratch);
    rc = j->own ? FOOTNOTE_OK : id_cache_make(&tx, j->who, err);
    if (rc == FOOTNOTE_OK)
        rc = j->kind->run(&tx, j->op, err);
    if (rc == FOOTNOTE_OK && j->note && !tx.nothing)
        rc = audit_write(&tx, j->note, err);
    if (rc == FOOTNOTE_OK)
        rc = db_sound(db, err);
    if (rc == FOOTNOTE_OK)
        rc = seals_close(&tx, err);
    if (rc == FOOTNOTE_OK) {
        usage_keep(j->store->usages);
        return rc;
    }
    usage_drop(j->store->usages);
    forget(j->store);
    return rc;
}

static enum footnote_rc run_tick(struct db *db, struct writer_job *job,
                                 bool again, struct footnote_err *err)
{
    struct store *st =
        (struct store *)((char *)job - offsetof(struct store, tick));
    struct tx tx = tx_begin(st, db, NULL, &st->scratch);
    enum footnote_rc rc;

    tx.again = again;
    arena_reset(tx.scratch);
    st->probed = health_wants_write(st);
    rc = sweep(&tx, err);
    if (rc == FOOTNOTE_OK)
        rc = seals_close(&tx, err);
    if (rc == FOOTNOTE_OK && st->probed)
        rc = db_do(db, STMT_IDENTITY_PROBE, err, db_i64(tx.now_ms));
    if (rc != FOOTNOTE_OK) {
        usage_drop(st->usages);
        return rc;
    }
    usage_keep(st->usages);
    return usage_write(st, db, err); /* a tick has no before_commit() */
}

/* Whether the sweep left something to do.  store_open() waits until it did not.
 */
static bool swept(bool committed, const struct footnote_err *err, void *arg)
{
    struct store *st = arg;
    bool more = committed && st->sweep_left > 0;

    if (committed && st->probed)
        health_note(st, HEALTH_WRITING, FOOTNOTE_OK, NULL);
    else if (!committed && err)
        health_note(st, HEALTH_WRITING, err->rc, err);

    if (committed)
        atomic_store(&st->unswept, st->sweep_left);
    if (more)
        return true;
    pthread_mutex_lock(&st->swept_lock);
    st->swept = true;
    pthread_cond_broadcast(&st->swept_once);
    pthread_mutex_unlock(&st->swept_lock);
    return committed && st->emptying; /* no start waits for that */
}

static void writer_busy(bool busy, void *arg)
{
    health_busy(arg, busy);
}

static void writer_outcome(enum footnote_rc rc, const struct footnote_err *err,
                           void *arg)
{
    health_note(arg, HEALTH_WRITING, rc, err);
}

/* A start never depends on what others left behind: this wait ends. */
static void await_first_sweep(struct store *st)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += FIRST_SWEEP_S;
    pthread_mutex_lock(&st->swept_lock);
    while (!st->swept && pthread_cond_timedwait(&st->swept_once,
                                                &st->swept_lock, &until) == 0)
        ;
    pthread_mutex_unlock(&st->swept_lock);
}

size_t store_unswept(const struct store *st)
{
    return atomic_load(&st->unswept);
}

/* The part of an operation that needs no database. */
static enum footnote_rc prepare(struct store_job *j, struct footnote_err *err)
{
    struct tx tx = tx_begin(j->store, NULL, NULL, &j->arena);

    if (!j->own)
        TRY(check_who(j->who, err));
    if (scope_reads_only(j->who.scope))
        return err_set(err, FOOTNOTE_INVALID, "the key may only read");
    if (j->kind->prepare)
        TRY(j->kind->prepare(&tx, j->op, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc write_and_wait(struct store *st, struct store_job *j,
                                       struct footnote_err *err)
{
    enum footnote_rc rc;

    j->store = st;
    j->arena = ARENA(SCRATCH_BYTES);
    j->job.run = run_job;
    assert(st->writer && j->kind && j->op);
    rc = prepare(j, err);
    if (rc == FOOTNOTE_OK)
        rc = writer_run(st->writer, &j->job, err);
    health_counts(st, rc);
    unsure_after_write(st, j->kind, j->op, rc);
    watch_after_write(st, j->who, j->kind, j->op, rc);
    arena_free(&j->arena);
    return rc;
}

enum footnote_rc store_write(struct store *st, struct who who,
                             const struct store_op *kind, void *op,
                             struct footnote_err *err)
{
    struct store_job j = {.who = who, .kind = kind, .op = op};

    return write_and_wait(st, &j, err);
}

enum footnote_rc store_write_noted(struct store *st, struct who who,
                                   const struct store_op *kind, void *op,
                                   const struct audit_note *note,
                                   struct footnote_err *err)
{
    struct store_job j = {.who = who, .kind = kind, .op = op, .note = note};

    return write_and_wait(st, &j, err);
}

enum footnote_rc store_own(struct store *st, const struct store_op *kind,
                           void *op, struct footnote_err *err)
{
    struct store_job j = {.kind = kind, .op = op, .own = true};

    return write_and_wait(st, &j, err);
}

static void job_done(struct writer_job *job, enum footnote_rc rc,
                     const struct footnote_err *err)
{
    struct store_job *j = (struct store_job *)job;

    health_counts(j->store, rc);
    unsure_after_write(j->store, j->kind, j->op, rc);
    watch_after_write(j->store, j->who, j->kind, j->op, rc);
    arena_free(&j->arena);
    j->done(j, rc, err);
}

enum footnote_rc store_submit(struct store *st, struct store_job *j,
                              struct footnote_err *err)
{
    enum footnote_rc rc;

    assert(j->kind && j->op && j->done);
    j->store = st;
    j->arena = ARENA(SCRATCH_BYTES);
    j->job.run = run_job;
    j->job.done = job_done;
    j->job.item.patient = j->patient;
    rc = prepare(j, err);
    if (rc == FOOTNOTE_OK)
        rc = (j->no_wait ? writer_try_submit : writer_submit)(st->writer,
                                                              &j->job, err);
    if (rc != FOOTNOTE_OK)
        arena_free(&j->arena);
    return rc;
}

/* `who` is NULL for the server's own operations. */
static enum footnote_rc read_as(struct store *st, const struct who *who,
                                struct arena *out, const struct store_op *kind,
                                void *op, struct footnote_err *err)
{
    AUTO(arena_free) struct arena scratch = ARENA(SCRATCH_BYTES);
    struct tx tx = tx_begin(st, NULL, out, &scratch);
    struct footnote_err unasked = {.text = ""};
    struct db *db = NULL;
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!err)
        err = &unasked; /* the log has the cause all the same */
    if (who) {
        tx.who = *who;
        tx.scope = who->scope;
    }
    if (kind->prepare)
        TRY(kind->prepare(&tx, op, err));
    rc = readers_take(st->readers, &db, err);
    health_note(st, HEALTH_READING, rc, err);
    if (rc != FOOTNOTE_OK) {
        health_counts(st, rc);
        return rc;
    }
    tx.db = db;
    if (who && !tx.by_name)
        rc = id_cache_read(&tx, *who, err);
    if (rc == FOOTNOTE_OK)
        rc = kind->run(&tx, op, err);
    if (rc == FOOTNOTE_OK)
        rc = db_sound(db, err);
    if (db_is_late(db))
        health_note(st, HEALTH_READING, rc, err);
    health_counts(st, rc);
    readers_give(st->readers, db);
    return rc;
}

enum footnote_rc store_read(struct store *st, struct who who, struct arena *out,
                            const struct store_op *kind, void *op,
                            struct footnote_err *err)
{
    TRY(check_who(who, err));
    return read_as(st, &who, out, kind, op, err);
}

enum footnote_rc store_own_read(struct store *st, struct arena *out,
                                const struct store_op *kind, void *op,
                                struct footnote_err *err)
{
    return read_as(st, NULL, out, kind, op, err);
}

static void closep(struct store **st)
{
    store_close(*st);
}

static enum footnote_rc open_readers(struct store *st, const char *url,
                                     struct footnote_err *err)
{
    struct db_options r = {.url = url, .mode = DB_READ};

    TRY(cache_open(CACHE_BYTES, &st->cache, err));
    TRY(verified_open(&st->verified, err));
    return readers_open(&r, READERS, &st->readers, err);
}

static enum footnote_rc open_parts(struct store *st, const char *url,
                                   struct footnote_err *err)
{
    struct writer_options w = {.db = {.url = url, .mode = DB_WRITE},
                               .tick_ms = TICK_MS,
                               .tick = run_tick,
                               .tick_job = &st->tick,
                               .ticked = swept,
                               .busy = writer_busy,
                               .outcome = writer_outcome,
                               .gather_us = st->relaxed ? RELAXED_US : 0,
                               .gather_max = st->relaxed ? RELAXED_JOBS : 0,
                               .before_commit = before_commit,
                               .forget = rolled_back,
                               .arg = st};

    TRY(judges_open(&st->judges, err));
    TRY(id_cache_open(&st->id_cache, err));
    TRY(pool_open(&st->pool, err));
    TRY(word_log_open(&st->word_log, err));
    TRY(usages_open(&st->usages, err));
    TRY(sha256_open(&st->hasher, err));
    TRY(writer_open(&w, &st->writer, err));
    TRY(open_readers(st, url, err));
    await_first_sweep(st);
    return FOOTNOTE_OK;
}

static void init_locks(struct store *st)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&st->orphans.lock, NULL);
    pthread_mutex_init(&st->watch_lock, NULL);
    pthread_mutex_init(&st->swept_lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&st->swept_once, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static struct store *new_store(const char *url, bool alone)
{
    struct store *st = calloc(1, sizeof(*st));

    if (!st)
        return NULL;
    st->scratch = ARENA(SCRATCH_BYTES);
    st->tick.run = run_tick;
    init_locks(st);
    st->relaxed = strstr(url, "durability=relaxed") != NULL;
    node_name(st->node);
    db_clock_start(st);
    st->reach = str_starts(str_c(url), STR("postgres")) ? NODES_ANYWHERE
                : alone                                 ? NODES_IN_SIGHT
                                                        : NODES_HERE;
    return st;
}

/* The trouble that was met: before the writer's first tick. */
static enum footnote_rc open_records(struct store *st, struct footnote_err *err)
{
    TRY(damages_open(&st->damages, err));
    return healths_open(&st->healths, err);
}

enum footnote_rc store_open_as(const char *url, const struct store_options *o,
                               struct store **out, struct footnote_err *err)
{
    AUTO(closep) struct store *st = new_store(url, o->alone);

    *out = NULL;
    if (!st)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    TRY(open_records(st, err));
    TRY(open_parts(st, url, err));
    TRY(life_begin(st, o, err));
    *out = st;
    st = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

enum footnote_rc store_open(const char *url, struct store **out,
                            struct footnote_err *err)
{
    return store_open_as(url, &(struct store_options){.alone = false}, out,
                         err);
}

enum footnote_rc store_open_reader(const char *url, struct store **out,
                                   struct footnote_err *err)
{
    AUTO(closep) struct store *st = new_store(url, false);

    *out = NULL;
    if (!st)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    TRY(open_records(st, err));
    TRY(open_readers(st, url, err));
    *out = st;
    st = NULL;
    return FOOTNOTE_OK;
}

void store_close(struct store *st)
{
    if (!st)
        return;
    st->closing = true;
    while (st->writer &&
           writer_run(st->writer, &st->tick, NULL) == FOOTNOTE_OK &&
           st->sweep_left > 0)
        ; /* all of our own end */
    life_end(st);
    /* The last connection of SQLite copies the log back, if it can write. */
    readers_close(st->readers);
    writer_close(st->writer);
    cache_close(st->cache);
    verified_close(st->verified);
    sha256_close(st->hasher);
    word_log_close(st->word_log);
    usages_close(st->usages);
    pool_close(st->pool);
    id_cache_close(st->id_cache);
    damages_close(st->damages);
    judges_close(st->judges);
    healths_close(st->healths);
    arena_free(&st->scratch);
    pthread_mutex_destroy(&st->orphans.lock);
    pthread_mutex_destroy(&st->watch_lock);
    pthread_mutex_destroy(&st->swept_lock);
    pthread_cond_destroy(&st->swept_once);
    free(st);
}

int64_t store_now_ms(const struct store *st)
{
    return db_clock_ms(st);
}

bool store_is_relaxed(const struct store *st)
{
    return st->relaxed;
}

void store_limit(struct store *st, const struct store_limits *limits)
{
    st->limits = *limits;
}

const struct store_limits *store_limits_of(const struct store *st)
{
    return &st->limits;
}

bool store_has_room(const struct store *st)
{
    return !disk_look(st->limits.disk).full;
}
