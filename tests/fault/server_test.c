/* server_test.c - the PostgreSQL server is killed under load, and comes back.
 *
 * One store stays open over all of it.  Calls may fail with BUSY or UNSURE
 * meanwhile; the same call again must do, and nothing that was acknowledged
 * may be missing. */
#include "workload.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, BETWEEN_ACKS = 150 };

/* The workers and the killer watch each other. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    unsigned acks[THREADS], failures, codes[FOOTNOTE_RC_N];
    bool server_down, stop;
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static void cluster(const char *verb, const char *folder)
{
    char command[400];

    snprintf(command, sizeof(command), "tools/cluster %s %s", verb, folder);
    if (system(command) != 0)
        FAIL("%s failed", command);
}

/* --- the workers ---------------------------------------------------------- */

static void count(struct workload *l)
{
    pthread_mutex_lock(&crew.lock);
    crew.acks[l->thread]++;
    pthread_cond_broadcast(&crew.moved);
    pthread_mutex_unlock(&crew.lock);
}

static bool after_the_server_is_back(struct workload *l,
                                     const struct footnote_err *err)
{
    if (err->rc != FOOTNOTE_BUSY && err->rc != FOOTNOTE_UNSURE)
        FAIL("thread %u, item %u: %s: %s", l->thread, l->done.items,
             footnote_rc_code(err->rc), err->text);
    pthread_mutex_lock(&crew.lock);
    crew.failures++;
    crew.codes[err->rc]++;
    pthread_cond_broadcast(&crew.moved);
    while (crew.server_down)
        pthread_cond_wait(&crew.moved, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
    return true;
}

static bool is_stopped(void)
{
    pthread_mutex_lock(&crew.lock);
    bool stop = crew.stop;
    pthread_mutex_unlock(&crew.lock);
    return stop;
}

static void *work(void *arg)
{
    while (!is_stopped() && workload_item(arg)) {
    }
    return NULL;
}

/* --- the killer ----------------------------------------------------------- */

static unsigned all_acks(void)
{
    unsigned n = 0;

    for (int i = 0; i < THREADS; i++)
        n += crew.acks[i];
    return n;
}

static void wait_for_acks(unsigned n)
{
    pthread_mutex_lock(&crew.lock);
    for (unsigned until = all_acks() + n; all_acks() < until;)
        pthread_cond_wait(&crew.moved, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
}

/* Every worker goes on, not only some. */
static void wait_for_everybody(void)
{
    unsigned before[THREADS];

    pthread_mutex_lock(&crew.lock);
    memcpy(before, crew.acks, sizeof(before));
    for (int i = 0; i < THREADS; i++)
        while (crew.acks[i] == before[i])
            pthread_cond_wait(&crew.moved, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
}

static void set_down(bool down)
{
    pthread_mutex_lock(&crew.lock);
    crew.server_down = down;
    crew.failures = 0;
    pthread_cond_broadcast(&crew.moved);
    pthread_mutex_unlock(&crew.lock);
}

static void crash_and_start(const char *folder)
{
    set_down(true);
    cluster("crash", folder);
    pthread_mutex_lock(&crew.lock);
    while (crew.failures == 0)
        pthread_cond_wait(&crew.moved, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
    cluster("start", folder);
    set_down(false);
    wait_for_everybody();
}

static void stop(pthread_t *threads)
{
    pthread_mutex_lock(&crew.lock);
    crew.stop = true;
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* --- the test ------------------------------------------------------------- */

static void start_crew(struct footnote *fn, struct workload *loads,
                       pthread_t *threads)
{
    for (unsigned i = 0; i < THREADS; i++) {
        loads[i] = (struct workload){.fn = fn,
                                     .thread = i,
                                     .acked = count,
                                     .again = after_the_server_is_back};
        CHECK(pthread_create(&threads[i], NULL, work, &loads[i]) == 0);
    }
}

static void check_all(struct footnote *fn, const struct workload *loads)
{
    for (unsigned i = 0; i < THREADS; i++)
        workload_check(fn, 0, i, &loads[i].done, true);
}

TEST_LIMIT(postgres_a_killed_server_loses_nothing_and_the_store_goes_on, 120)
{
    char folder[300], url[400];
    struct footnote *fn = NULL;
    struct footnote_err err = {0};
    struct workload loads[THREADS];
    pthread_t threads[THREADS];
    unsigned seed = 4711;

    snprintf(folder, sizeof(folder), "%s/pg", test_dir());
    snprintf(url, sizeof(url), "postgres:///postgres?host=%s&user=postgres",
             folder);
    cluster("make", folder);
    cluster("start", folder);
    CHECK_OK(footnote_open(url, &fn, &err), &err);
    start_crew(fn, loads, threads);
    for (unsigned i = 0; i < test_count(6, 100); i++) {
        wait_for_acks(1 + workload_random(&seed, BETWEEN_ACKS));
        crash_and_start(folder);
    }
    stop(threads);
    check_all(fn, loads);
    footnote_close(fn);
    CHECK_OK(footnote_open(url, &fn, &err), &err);
    check_all(fn, loads);
    footnote_close(fn);
    cluster("remove", folder);
    printf("%u acknowledged, %u times busy, %u times unsure\n", all_acks(),
           crew.codes[FOOTNOTE_BUSY], crew.codes[FOOTNOTE_UNSURE]);
}
