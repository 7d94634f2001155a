/* kill_test.c - kill -9 at random moments under load.
 *
 * A child works in several threads and tells through a pipe what it was
 * acknowledged; the parent kills it after so many acknowledgements and a
 * moment more, opens the store again and looks whether all of it is there. */
#include "contract.h"
#include "workload.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ACKS_MAX = 60, OPENING_US = 30000, MOMENT_US = 1500 };

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
    while (workload_item(arg)) {
    }
    return NULL;
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
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    _exit(5); /* they work until they are killed */
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

static void kill_one(unsigned number, unsigned *seed, struct round *r)
{
    unsigned acks = workload_random(seed, ACKS_MAX);
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
    kill(pid, SIGKILL);
    CHECK(waitpid(pid, &status, 0) == pid);
    while (take_ack(ends[0], r)) {
    }
    close(ends[0]);
    if (!WIFSIGNALED(status))
        FAIL("the child ended by itself with %d", WEXITSTATUS(status));
}

/* Every fourth killed child is followed by another one that recovers from
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

CONTRACT_LIMIT(nothing_acknowledged_is_lost_by_kill_9, 120)
{
    unsigned kills = test_is_postgres() ? workload_count(60, 1000)
                                        : workload_count(300, 5000);
    struct round *rounds = workload_need(calloc(kills, sizeof(*rounds)));
    unsigned seed = 20260226, checked = 0, acks = 0;

    (void)test_url(); /* made here, not by a child */
    for (unsigned i = 0; i < kills; i++) {
        kill_one(i, &seed, &rounds[i]);
        acks += rounds[i].acks;
        if (!is_looked_at(i))
            continue;
        check_rounds(rounds, checked, i + 1);
        checked = i + 1;
    }
    check_rounds(rounds, 0, kills);
    printf("%u kills, %u acknowledgements\n", kills, acks);
    CHECK(acks > kills);
    free(rounds);
}
