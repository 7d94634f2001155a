/* saves.c - durable saves a second: one writer with group commit, against one
 * writer with a transaction for each save, against a connection each.
 *
 * Every cell runs for a fixed time in one database that was filled before, so
 * that later cells find about as much as earlier ones. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "store/session/message.h"

enum way { GROUP, SINGLE, EACH, WAYS };
enum { PRODUCERS_MAX = 64, NEW_PERCENT = 20, SAVES_MAX = 100000 };
static const double SLOW_MS = 2;

struct cell {
    enum way way;
    const char *url;
    size_t producers;
    double seconds;
    struct store *store;   /* GROUP */
    struct writer *writer; /* SINGLE */
    struct store *alone;   /* SINGLE: state of that writer's thread */
    /* Out. */
    double per_second, p50_ms, p99_ms;
};
struct producer {
    struct cell *cell;
    pthread_t thread;
    size_t n;
    double until;
    struct lane lane; /* EACH */
    double *latencies;
};

/* ---- One save, three ways ----------------------------------------------- */

struct single {
    struct writer_job job;
    struct store *state;
    struct work *work;
};

static enum footnote_rc run_single(struct db *db, struct writer_job *job,
                                   bool again, struct footnote_err *err)
{
    struct single *j = (struct single *)job;

    (void)again;
    return lane_run_prepared(j->state, db, j->work->who, OP(message_save),
                             &j->work->op, err);
}

static void save_single(struct cell *c, struct work *w)
{
    struct single j = {.job.run = run_single, .state = c->alone, .work = w};
    AUTO(arena_free) struct arena a = ARENA(1 << 24);
    struct footnote_err err;

    must(lane_prepare(c->alone, &a, OP(message_save), &w->op, &err), &err);
    must(writer_run(c->writer, &j.job, &err), &err);
}

static void save(struct producer *p, struct work *w)
{
    struct footnote_err err;

    switch (p->cell->way) {
    case GROUP:
        must(
            store_write(p->cell->store, w->who, OP(message_save), &w->op, &err),
            &err);
        return;
    case SINGLE: save_single(p->cell, w); return;
    case EACH: lane_write(&p->lane, w->who, OP(message_save), &w->op); return;
    case WAYS: return;
    }
}

/* Each producer is a person who goes from session to session. */
static void *produce(void *arg)
{
    static _Atomic uint64_t sessions = 1000000;
    struct producer *p = arg;
    uint64_t session = 0;
    struct work w = {.user = ""};

    for (; p->n < SAVES_MAX; p->n++) {
        double start;

        if (p->n % MESSAGES == 0)
            session = sessions++;
        work_make(&w, session, (uint32_t)(p->n % MESSAGES), NEW_PERCENT);
        start = seconds_now();
        if (start >= p->until)
            break;
        save(p, &w);
        p->latencies[p->n] = (seconds_now() - start) * 1e3;
    }
    return NULL;
}

/* ---- A cell ------------------------------------------------------------- */

static void open_way(struct cell *c)
{
    struct writer_options o = {.db = {.url = c->url, .mode = DB_WRITE},
                               .batch_max = 1};
    struct footnote_err err;

    if (c->way == GROUP)
        must(store_open(c->url, &c->store, &err), &err);
    if (c->way != SINGLE)
        return;
    c->alone = calloc(1, sizeof(*c->alone));
    if (!c->alone)
        die("saves", "out of memory");
    lane_state_open(c->alone);
    must(writer_open(&o, &c->writer, &err), &err);
}

static void close_way(struct cell *c)
{
    store_close(c->store);
    writer_close(c->writer);
    if (c->alone)
        lane_state_close(c->alone);
    free(c->alone);
}

static void start(struct producer *p, struct cell *c)
{
    for (size_t i = 0; i < c->producers; i++) {
        p[i] = (struct producer){.cell = c};
        p[i].latencies = malloc(SAVES_MAX * sizeof(double));
        if (!p[i].latencies)
            die("saves", "out of memory");
        if (c->way == EACH)
            lane_open(&p[i].lane, c->url);
    }
    for (size_t i = 0; i < c->producers; i++) {
        p[i].until = seconds_now() + c->seconds;
        if (pthread_create(&p[i].thread, NULL, produce, &p[i]) != 0)
            die("saves", "no thread");
    }
}

static size_t finish(struct producer *p, struct cell *c, double *latencies)
{
    size_t n = 0;

    for (size_t i = 0; i < c->producers; i++)
        pthread_join(p[i].thread, NULL);
    for (size_t i = 0; i < c->producers; i++) {
        memcpy(latencies + n, p[i].latencies, p[i].n * sizeof(double));
        n += p[i].n;
        free(p[i].latencies);
        if (c->way == EACH)
            lane_close(&p[i].lane);
    }
    return n;
}

static void measure(struct cell *c)
{
    static struct producer producers[PRODUCERS_MAX];
    double *latencies =
        malloc(PRODUCERS_MAX * (size_t)SAVES_MAX * sizeof(double));
    double begun;
    size_t n;

    if (!latencies)
        die("saves", "out of memory");
    open_way(c);
    start(producers, c);
    begun = producers[0].until - c->seconds;
    n = finish(producers, c, latencies);
    c->per_second = (double)n / (seconds_now() - begun);
    c->p50_ms = quantile(latencies, n, 0.5);
    c->p99_ms = quantile(latencies, n, 0.99);
    close_way(c);
    free(latencies);
}

/* ---- The table ---------------------------------------------------------- */

static const char *const way_names[WAYS] = {"one writer, group commit",
                                            "one writer, a transaction each",
                                            "a connection each"};

static void print_cell(const struct cell *c, double group)
{
    printf("  %-32s%9zu%12.0f%9.1f%9.1f%9.1fx\n", way_names[c->way],
           c->producers, c->per_second, c->p50_ms, c->p99_ms,
           c->per_second > 0 ? group / c->per_second : 0);
    fflush(stdout);
}

/* Returns the saves a second of group commit with the most producers. */
static double measure_ways(const struct bench *b, const struct place *p)
{
    static const size_t producers[] = {1, 8, PRODUCERS_MAX};
    double group = 0;

    for (size_t i = 0; i < sizeof(producers) / sizeof(producers[0]); i++)
        for (enum way way = GROUP; way < WAYS; way++) {
            struct cell c = {.way = way,
                             .url = p->url,
                             .producers = producers[i],
                             .seconds = b->small ? 1 : 4};

            measure(&c);
            if (way == GROUP)
                group = c.per_second;
            print_cell(&c, group);
        }
    return group;
}

static void make(const struct bench *b, bool postgres, struct place *p)
{
    struct lane l;

    place_make(b, postgres, "saves", p);
    lane_open(&l, p->url);
    work_setup(&l);
    lane_fill(&l, order_of(b->small ? 100 : 1000, ACTIVE_MAX));
    lane_close(&l);
}

static double measure_sqlite(const struct bench *b)
{
    double group;
    struct place p;

    make(b, false, &p);
    printf("SQLite on this disk: a flush takes %.2f ms (median, one thread)\n",
           disk_flush_ms(b));
    group = measure_ways(b, &p);
    printf("SQLite on a disk that is made slow: every flush takes %.0f ms\n",
           SLOW_MS);
    disk_slow(SLOW_MS);
    (void)measure_ways(b, &p);
    disk_slow(0);
    place_drop(&p);
    return group;
}

static double measure_postgres(const struct bench *b)
{
    double group;
    struct place p;

    make(b, true, &p);
    printf("PostgreSQL\n");
    group = measure_ways(b, &p);
    place_drop(&p);
    return group;
}

void saves_measure(const struct bench *b)
{
    double sqlite, postgres;

    printf("1. Durable saves a second: an answer with 5 sources, 1 in 5 never"
           " seen before\n\n"
           "  %-32s%9s%12s%9s%9s%10s\n",
           "", "producers", "saves/s", "p50 ms", "p99 ms", "group is");
    sqlite = measure_sqlite(b);
    if (!b->postgres)
        return;
    postgres = measure_postgres(b);
    printf("SQLite / PostgreSQL, group commit, %d producers: %.1fx\n",
           PRODUCERS_MAX, sqlite / postgres);
}
