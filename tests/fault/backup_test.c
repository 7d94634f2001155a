/* backup_test.c - backups of a store that is written to, or whose writer was
 * killed, or while which the backup was killed: what is restored has all that
 * was acknowledged before the backup began, and nothing half. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backup/backup.h"
#include "contract.h"
#include "own_store.h"
#include "workload.h"

enum { THREADS = 4, ACKS_MAX = 80, KILL_US = 30000 };

struct round {
    struct progress done[THREADS];
    unsigned acks;
};
struct ack { /* shorter than PIPE_BUF */
    unsigned thread;
    struct progress done;
};

static const atomic_bool never;

/* --- the writer ----------------------------------------------------------- */

static int pipe_to_parent;

static void tell(struct workload *l)
{
    struct ack ack = {l->thread, l->done};

    if (write(pipe_to_parent, &ack, sizeof(ack)) != (ssize_t)sizeof(ack))
        _exit(4);
}

static bool never_again(struct workload *l, const struct footnote_err *err)
{
    fprintf(stderr, "thread %u: %s\n", l->thread, err->text);
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

static bool take_ack(int fd, struct round *r)
{
    struct ack ack;

    if (read(fd, &ack, sizeof(ack)) != (ssize_t)sizeof(ack))
        return false;
    r->done[ack.thread] = ack.done;
    r->acks++;
    return true;
}

static pid_t start_writer(unsigned number, int *fd)
{
    int ends[2];
    pid_t pid;

    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        pipe_to_parent = ends[1];
        run_child(number);
    }
    close(ends[1]);
    *fd = ends[0];
    return pid;
}

static void kill_child(pid_t pid)
{
    int status;

    kill(pid, SIGKILL);
    CHECK(waitpid(pid, &status, 0) == pid);
}

/* --- backups -------------------------------------------------------------- */

static void on_damage(void *arg, const char *what)
{
    (void)arg;
    FAIL("%s", what);
}

static enum footnote_rc back_up(struct objects *objects,
                                struct footnote_err *err)
{
    char to[600];
    struct backup_made made;

    snprintf(to, sizeof(to), "%s/backups", test_dir());
    return backup_make(&(struct backup_options){.database = test_url(),
                                                .objects = objects,
                                                .to = {.url = str_c(to)},
                                                .keep = 3,
                                                .stop = &never,
                                                .damage = on_damage},
                       &made, err);
}

/* A backup that is killed at some moment. */
static void kill_backup(struct objects *objects, unsigned *seed)
{
    pid_t pid = fork();

    CHECK(pid >= 0);
    if (pid == 0)
        _exit((int)back_up(objects, NULL));
    usleep(workload_random(seed, KILL_US));
    kill_child(pid);
}

static void restore(unsigned number, char url[1000])
{
    char from[600], folder[600], files[700];
    struct objects *objects = NULL;
    struct restored restored;
    struct footnote_err err;

    snprintf(from, sizeof(from), "%s/backups", test_dir());
    snprintf(folder, sizeof(folder), "%s/restored-%u", test_dir(), number);
    CHECK(mkdir(folder, 0700) == 0);
    snprintf(files, sizeof(files), "files:%s/objects", folder);
    snprintf(url, 1000, "sqlite:%s/footnote.db", folder);
    CHECK_OK(objects_open(str_c(files), &objects, &err), &err);
    CHECK_OK(
        backup_restore(&(struct restore_options){.from = {.url = str_c(from),
                                                          .scratch = folder},
                                                 .database = url,
                                                 .folder = folder,
                                                 .objects = objects,
                                                 .stop = &never,
                                                 .damage = on_damage},
                       &restored, &err),
        &err);
    CHECK_INT(restored.damaged, 0);
    objects_close(objects);
}

static void check_restored(const struct round *rounds, unsigned n)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};
    char url[1000];

    restore(n, url);
    CHECK_OK(footnote_open(url, &fn, &err), &err);
    for (unsigned i = 0; i < n; i++)
        for (unsigned t = 0; t < THREADS; t++) {
            struct progress found = workload_found(fn, i, t);
            const struct progress *done = &rounds[i].done[t];

            if (!workload_covers(&found, done))
                FAIL("round %u, thread %u: %u %u %u %u was acknowledged before "
                     "the backup began, which has %u %u %u %u",
                     i, t, done->items, done->opened, done->sources,
                     done->bytes, found.items, found.opened, found.sources,
                     found.bytes);
        }
    footnote_close(fn);
}

enum { UNDER_LOAD, AFTER_KILL, BACKUP_KILLED, KINDS };

static void run_round(unsigned number, struct objects *objects, unsigned *seed,
                      struct round *r)
{
    unsigned acks = 10 + workload_random(seed, ACKS_MAX);
    struct footnote_err err;
    int fd;
    pid_t pid = start_writer(number, &fd);

    while (r->acks < acks && take_ack(fd, r)) {
    }
    if (number % KINDS == AFTER_KILL) {
        kill_child(pid);
        while (take_ack(fd, r)) {
        }
    }
    if (number % KINDS == BACKUP_KILLED)
        kill_backup(objects, seed);
    CHECK_OK(back_up(objects, &err), &err);
    if (number % KINDS != AFTER_KILL)
        kill_child(pid);
    close(fd);
}

CONTRACT_LIMIT(backups_have_what_was_acknowledged_before_they_began, 120)
{
    unsigned n = test_count(9, 100), seed = 20261118, acks = 0;
    struct round *rounds = workload_need(calloc(n, sizeof(*rounds)));
    struct objects *objects = own_objects();

    (void)test_url(); /* made here, not by a child */
    for (unsigned i = 0; i < n; i++) {
        run_round(i, objects, &seed, &rounds[i]);
        check_restored(rounds, i + 1);
        acks += rounds[i].acks;
    }
    printf("%u backups, %u acknowledgements\n", n, acks);
    CHECK(acks > 10 * n);
    objects_close(objects);
    free(rounds);
}
