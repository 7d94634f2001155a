/* kill_test.c - kill -9 or a clean stop at random moments under load.
 *
 * A child works in several threads and tells through a pipe what it was
 * acknowledged; the parent ends it after so many acknowledgements and a
 * moment more, opens the store again and looks whether all of it is there. */
#include "contract.h"
#include "workload.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 4,
    ACKS_MAX = 60,
    OPENING_US = 30000,
    MOMENT_US = 1500,
    STOP_EVERY = 3 /* the others are killed */
};

struct round {
    struct progress done[THREADS];
    unsigned acks;
};

/* What goes through the pipe, whole: it is shorter than PIPE_BUF. */
struct ack {
    unsigned thread;
    struct progress done;
};

/* --- the child ------------------------------------------------------------ */

static int pipe_to_parent;
static atomic_bool stopping;

static void tell(struct workload *l)
{
    struct ack ack = {l->thread, l->done};

    if (write(pipe_to_parent, &ack, sizeof(ack)) != (ssize_t)sizeof(ack))
        _exit(4);
}

static bool never_again(struct workload *l, const struct footnote_err *err)
{
    fprintf(stderr, "thread %u: code %d, %s\n", l->thread, (int)err->rc,
            err->text);
    _exit(3);
}

static void *work(void *arg)
{
    while (!stopping && workload_item(arg)) {
    }
    return NULL;
}

static void await_stop(void)
{
    sigset_t stop;
    int signal;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    CHECK(sigwait(&stop, &signal) == 0);
    stopping = true;
}

static _Noreturn void run_child(unsigned round)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};
    struct workload loads[THREADS];
    pthread_t threads[THREADS];

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    for (unsigned i = 0; i < THREADS; i++) {
        loads[i] = (struct workload){.fn = fn,
                                     .round = round,
                                     .thread = i,
                                     .acked = tell,
                                     .again = never_again};
        CHECK(pthread_create(&threads[i], NULL, work, &loads[i]) == 0);
    }
    await_stop();
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    footnote_close(fn);
    _exit(0);
}

/* --- the parent ----------------------------------------------------------- */

static void spin_us(unsigned us)
{
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000 +
               (now.tv_nsec - start.tv_nsec) / 1000 <
           (long)us);
}

/* False at the end of the pipe. */
static bool take_ack(int fd, struct round *r)
{
    struct ack ack;

    if (read(fd, &ack, sizeof(ack)) != (ssize_t)sizeof(ack))
        return false;
    CHECK(ack.thread < THREADS);
    r->done[ack.thread] = ack.done;
    r->acks++;
    return true;
}

static bool is_there(const char *suffix)
{
    char path[400];

    snprintf(path, sizeof(path), "%s%s", test_url() + strlen("sqlite:"),
             suffix);
    return access(path, F_OK) == 0;
}

/* A clean stop leaves the database, and nothing beside it. */
static void check_end(int status, bool stopped)
{
    if (stopped)
        CHECK_INT(status, 0);
    else if (!WIFSIGNALED(status))
        FAIL("the child ended by itself with %d", WEXITSTATUS(status));
    if (stopped && !test_is_postgres())
        CHECK(is_there("") && !is_there("-wal") && !is_there("-shm"));
}

static void end_one(unsigned number, unsigned *seed, struct round *r)
{
    unsigned acks = workload_random(seed, ACKS_MAX);
    bool stopped = number % STOP_EVERY == STOP_EVERY - 1;
    int ends[2], status;

    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        pipe_to_parent = ends[1];
        run_child(number);
    }
    close(ends[1]);
    while (r->acks < acks && take_ack(ends[0], r)) {
    }
    spin_us(workload_random(seed, acks ? MOMENT_US : OPENING_US));
    kill(pid, stopped ? SIGTERM : SIGKILL);
    CHECK(waitpid(pid, &status, 0) == pid);
    while (take_ack(ends[0], r)) {
    }
    close(ends[0]);
    check_end(status, stopped);
}

/* Every fourth child is followed by another one that recovers from
 * what it left, rather than by us. */
static bool is_looked_at(unsigned number)
{
    return number % 4 != 3;
}

static void check_rounds(const struct round *rounds, unsigned from, unsigned to)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    for (unsigned i = from; i < to; i++)
        for (unsigned t = 0; t < THREADS; t++)
            workload_check(fn, i, t, &rounds[i].done[t], true);
    footnote_close(fn);
}

CONTRACT_LIMIT(nothing_acknowledged_is_lost_by_kill_9_or_a_stop, 120)
{
    unsigned rounds_n =
        test_is_postgres() ? test_count(60, 1000) : test_count(300, 5000);
    struct round *rounds = workload_need(calloc(rounds_n, sizeof(*rounds)));
    sigset_t stop;
    unsigned seed = 20260226, checked = 0, acks = 0;

    (void)test_url(); /* made here, not by a child */
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* children wait for it */
    for (unsigned i = 0; i < rounds_n; i++) {
        end_one(i, &seed, &rounds[i]);
        acks += rounds[i].acks;
        if (!is_looked_at(i))
            continue;
        check_rounds(rounds, checked, i + 1);
        checked = i + 1;
    }
    check_rounds(rounds, 0, rounds_n);
    printf("%u ends, %u acknowledgements\n", rounds_n, acks);
    CHECK(acks > rounds_n);
    free(rounds);
}
