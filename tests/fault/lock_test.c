/* lock_test.c - two processes on one SQLite file, one of which has stopped
 * with the write lock in its hand. */
#include "contract.h"
#include "workload.h"
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE_S = 10, MORE_S = 5 };

static void nothing(struct workload *l)
{
    (void)l;
}

static bool stop(struct workload *l, const struct footnote_err *err)
{
    *(struct footnote_err *)l->arg = *err;
    return false;
}

/* Waits until it is told, takes the lock, stops itself, and lets go when it is
 * continued. */
static _Noreturn void hold_lock(const char *path, int told)
{
    sqlite3 *db = NULL;
    char go;

    if (read(told, &go, 1) != 1 || sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "BEGIN IMMEDIATE;", NULL, NULL, NULL) != SQLITE_OK)
        _exit(1);
    raise(SIGSTOP);
    _exit(sqlite3_exec(db, "COMMIT;", NULL, NULL, NULL) != SQLITE_OK);
}

/* Made before the store is opened, because no store survives a fork. */
static pid_t make_holder(const char *path, int *tell)
{
    int ends[2];

    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        hold_lock(path, ends[0]);
    close(ends[0]);
    *tell = ends[1];
    return pid;
}

static time_t now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static void check_busy(struct workload *l)
{
    const struct footnote_err *err = l->arg;
    time_t start = now_s();

    CHECK(!workload_item(l));
    CHECK_INT(err->rc, FOOTNOTE_BUSY);
    CHECK(now_s() - start <= DEADLINE_S + MORE_S);
    workload_check(l->fn, 0, 0, &l->done, true); /* reading needs no lock */
}

TEST(sqlite_a_stopped_process_with_the_lock_makes_us_busy_in_time)
{
    char path[300];
    int status, tell;
    struct footnote_err err = {0};
    struct workload l = {.acked = nothing, .again = stop, .arg = &err};

    snprintf(path, sizeof(path), "%s/test.db", test_dir());
    pid_t pid = make_holder(path, &tell);
    CHECK_OK(footnote_open(test_url(), &l.fn, &err), &err);
    CHECK(workload_item(&l));
    CHECK(write(tell, "g", 1) == 1);
    CHECK(waitpid(pid, &status, WUNTRACED) == pid);
    CHECK(WIFSTOPPED(status));
    check_busy(&l);
    kill(pid, SIGCONT);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
    CHECK(workload_item(&l));
    workload_check(l.fn, 0, 0, &l.done, true);
    footnote_close(l.fn);
    close(tell);
}
