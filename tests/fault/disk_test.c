/* disk_test.c - the disk is full under load, and then it is not.
 *
 * Two ways to get there: a limit on the size of files, which anybody can set,
 * and a small file system of our own, which only root can mount. */
#include "contract.h"
#include "workload.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS_AFTER = 8, ITEMS_MAX = 100000 };

static void nothing(struct workload *l)
{
    (void)l;
}

static struct footnote_err last; /* of a call that failed */

static bool note_and_stop(struct workload *l, const struct footnote_err *err)
{
    (void)l;
    last = *err;
    return false;
}

/* Works until the disk is full; returns what the failing call said.  BUSY:
 * nothing of it is there.  UNSURE is for a disk error in commit. */
static enum footnote_rc fill(struct workload *l)
{
    while (l->done.items < ITEMS_MAX && workload_item(l)) {
    }
    if (last.rc != FOOTNOTE_BUSY && last.rc != FOOTNOTE_UNSURE)
        FAIL("after %u items: %s: %s", l->done.items, footnote_rc_code(last.rc),
             last.text);
    return last.rc;
}

/* The same store goes on, in another session: the answer that was under way
 * in the first one may have been given up. */
static void go_on(const struct workload *full)
{
    struct workload l = {
        .fn = full->fn, .thread = 1, .acked = nothing, .again = note_and_stop};

    for (int i = 0; i < ITEMS_AFTER; i++)
        if (!workload_item(&l))
            FAIL("with room again: %s", last.text);
    workload_check(full->fn, 0, 0, &full->done, false);
    workload_check(full->fn, 0, 1, &l.done, true);
}

static void check_reopened(const char *url, const struct workload *full)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    CHECK_OK(footnote_open(url, &fn, &err), &err);
    workload_check(fn, 0, 0, &full->done, true);
    footnote_close(fn);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

TEST(sqlite_files_that_cannot_grow_fail_saves_and_lose_nothing)
{
    struct workload l = {.acked = nothing, .again = note_and_stop};
    struct footnote_err err = {0};

    signal(SIGXFSZ, SIG_IGN);
    CHECK_OK(footnote_open(test_url(), &l.fn, &err), &err);
    limit_files(4 << 20);
    (void)fill(&l);
    CHECK(l.done.items > 20);
    struct workload next = {
        .fn = l.fn, .thread = 2, .acked = nothing, .again = note_and_stop};
    (void)fill(&next);
    workload_check(l.fn, 0, 0, &l.done, false);
    limit_files(RLIM_INFINITY);
    go_on(&l);
    footnote_close(l.fn);
    check_reopened(test_url(), &l);
}

/* --- a file system of our own --------------------------------------------- */

/* In a mount namespace of this process.  False when that is not allowed. */
static bool mount_small(char *folder, size_t bytes, const char *options)
{
    snprintf(folder, bytes, "%s/small", test_dir());
    CHECK(mkdir(folder, 0755) == 0);
    if (unshare(CLONE_NEWNS) != 0)
        return false;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        CHECK_INT(errno, EINVAL); /* a chroot's root is no mount point */
        return false;
    }
    return mount("none", folder, "tmpfs", 0, options) == 0;
}

static void put_ballast(const char *path, off_t bytes)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    CHECK(fd >= 0);
    CHECK_INT(posix_fallocate(fd, 0, bytes), 0);
    close(fd);
}

TEST(sqlite_a_full_disk_is_busy_and_loses_nothing)
{
    char folder[300], ballast[320], url[320];
    struct workload l = {.acked = nothing, .again = note_and_stop};
    struct footnote_err err = {0};

    if (!mount_small(folder, sizeof(folder), "size=8m")) {
        printf(TEST_SKIPPED "not allowed to mount\n");
        return;
    }
    snprintf(ballast, sizeof(ballast), "%s/ballast", folder);
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder);
    put_ballast(ballast, 4 << 20);
    CHECK_OK(footnote_open(url, &l.fn, &err), &err);
    CHECK_INT(fill(&l), FOOTNOTE_BUSY);
    CHECK(l.done.items > 20);
    struct workload next = {
        .fn = l.fn, .thread = 2, .acked = nothing, .again = note_and_stop};
    CHECK_INT(fill(&next), FOOTNOTE_BUSY);
    workload_check(l.fn, 0, 0, &l.done, false);
    CHECK(unlink(ballast) == 0);
    go_on(&l);
    footnote_close(l.fn);
    check_reopened(url, &l);
}

TEST(sqlite_a_store_that_does_not_fit_can_be_opened_with_room)
{
    char folder[300], url[320];
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    if (!mount_small(folder, sizeof(folder), "size=64k")) {
        printf(TEST_SKIPPED "not allowed to mount\n");
        return;
    }
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder);
    CHECK_INT(footnote_open(url, &fn, &err), FOOTNOTE_BUSY);
    CHECK(fn == NULL);
    CHECK(mount("none", folder, "tmpfs", MS_REMOUNT, "size=4m") == 0);
    CHECK_OK(footnote_open(url, &fn, &err), &err);
    footnote_close(fn);
}

/* --- the log takes part of a small disk ----------------------------------- */

enum { LOG_TIMES = 8000 }; /* of 8 KB at least: more than twice the disk */

/* Little data, written again and again. */
static void rename_often(struct footnote *fn)
{
    struct footnote_session s = {.id = "renamed"};
    struct footnote_err err = {0};
    char title[40];

    s.title = title;
    for (int i = 0; i < LOG_TIMES; i++) {
        snprintf(title, sizeof(title), "Name %d", i);
        CHECK_OK(footnote_session_put(fn, &s, &err), &err);
    }
}

static void work_and_be_killed(const char *url, unsigned items)
{
    struct workload l = {.acked = nothing, .again = note_and_stop};
    struct footnote_err err = {0};
    int status;
    pid_t pid = fork();

    CHECK(pid >= 0);
    if (pid == 0) {
        CHECK_OK(footnote_open(url, &l.fn, &err), &err);
        rename_often(l.fn);
        while (l.done.items < items) /* for which the database must grow */
            CHECK(workload_item(&l));
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
}

static void fill_disk(const char *path)
{
    static const char block[4096];
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    CHECK(fd >= 0);
    while (write(fd, block, sizeof(block)) > 0)
        ;
    CHECK_INT(errno, ENOSPC);
    close(fd);
}

TEST(sqlite_the_log_does_not_fill_a_small_disk_which_can_be_opened_when_full)
{
    char folder[300], ballast[320], url[320];
    struct workload l = {
        .done.items = 40, .acked = nothing, .again = note_and_stop};
    struct workload more = {
        .thread = 2, .acked = nothing, .again = note_and_stop};
    struct footnote_err err = {0};

    if (!mount_small(folder, sizeof(folder), "size=24m")) {
        printf(TEST_SKIPPED "not allowed to mount\n");
        return;
    }
    snprintf(ballast, sizeof(ballast), "%s/ballast", folder);
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder);
    work_and_be_killed(url, l.done.items);
    fill_disk(ballast);
    CHECK_OK(footnote_open(url, &l.fn, &err), &err);
    workload_check(l.fn, 0, 0, &l.done, true);
    more.fn = l.fn;
    (void)fill(&more);
    CHECK(unlink(ballast) == 0);
    go_on(&l);
    footnote_close(l.fn);
    check_reopened(url, &l);
}
