/* sync_test.c - the Nth write, sync, truncation or deletion fails, once or
 * from then on.
 *
 * What is not durable is not acknowledged; a call that failed can be repeated
 * when the disk is well again, by the same open store. */
#include "contract.h"
#include "sqlite_vfs.h"
#include "workload.h"

enum { ITEMS = 4 };

/* Armed by a test, read by the hook in whatever thread SQLite is in. */
static struct {
    enum vfs_op op;
    int code;
    _Atomic unsigned left; /* 1: the next one fails; 0: none */
    _Atomic bool sticky, failed;
} fault;

static int fail_nth(void *arg, const struct vfs_event *e)
{
    (void)arg;
    if (e->op != fault.op || fault.left == 0)
        return vfs_no_sync(NULL, e);
    if (fault.left > 1) {
        fault.left--;
        return vfs_no_sync(NULL, e);
    }
    if (!fault.sticky)
        fault.left = 0;
    fault.failed = true;
    return fault.code;
}

static void nothing(struct workload *l)
{
    (void)l;
}

static void check_code(const struct footnote_err *err)
{
    if (err->rc != FOOTNOTE_BUSY && err->rc != FOOTNOTE_UNSURE)
        FAIL("%s: %s", footnote_rc_code(err->rc), err->text);
}

static bool repeat_unless_sticky(struct workload *l,
                                 const struct footnote_err *err)
{
    (void)l;
    check_code(err);
    return !fault.sticky;
}

static bool open_store(struct footnote **fn)
{
    struct footnote_err err = {0};

    if (footnote_open(test_url(), fn, &err) == FOOTNOTE_OK)
        return true;
    check_code(&err);
    return false;
}

static void work(struct workload *l)
{
    while (l->done.items < ITEMS && workload_item(l)) {
    }
}

static void check_again(const struct workload *before,
                        const struct workload *after)
{
    struct footnote *fn = NULL;

    CHECK(open_store(&fn));
    workload_check(fn, before->round, before->thread, &before->done, true);
    workload_check(fn, after->round, after->thread, &after->done, true);
    footnote_close(fn);
}

/* False when there were fewer than n of them. */
static bool run(unsigned n, bool sticky)
{
    static unsigned runs;
    unsigned round = ++runs; /* no two may use the same session */
    struct workload l = {
        .round = round, .acked = nothing, .again = repeat_unless_sticky};
    struct workload after = {.round = round,
                             .thread = 1,
                             .acked = nothing,
                             .again = repeat_unless_sticky};

    fault.failed = false;
    fault.sticky = sticky;
    fault.left = n;
    if (open_store(&l.fn))
        work(&l);
    bool failed = fault.failed;
    fault.left = 0;
    if (!l.fn)
        CHECK(open_store(&l.fn));
    after.fn = l.fn;
    workload_check(l.fn, round, 0, &l.done, false);
    work(&after);
    CHECK_INT(after.done.items, ITEMS);
    footnote_close(l.fn);
    check_again(&l, &after);
    return failed;
}

/* Every `step`th of them; a sanitizer's run leaves out some more. */
static void fail_each(enum vfs_op op, int code, unsigned step,
                      unsigned at_least)
{
    unsigned n[2] = {1, 1};

    step *= 3 / test_count(3, 3);
    fault.op = op;
    fault.code = code;
    vfs_install(fail_nth, NULL);
    for (int sticky = 0; sticky < 2; sticky++)
        while (run(n[sticky], sticky))
            n[sticky] += step;
    printf("%u once, %u from then on\n", n[0] - 1, n[1] - 1);
    CHECK(n[0] > at_least);
}

TEST_LIMIT(sqlite_every_sync_fails, 120)
{
    fail_each(VFS_SYNC, SQLITE_IOERR_FSYNC, 1, 10);
}

TEST_LIMIT(sqlite_every_write_fails, 120)
{
    fail_each(VFS_WRITE, SQLITE_IOERR_WRITE, 1, 50);
}

TEST_LIMIT(sqlite_a_write_finds_the_disk_full, 120)
{
    fail_each(VFS_WRITE, SQLITE_FULL, 5, 50);
}

TEST_LIMIT(sqlite_every_truncation_and_deletion_fails, 120)
{
    fail_each(VFS_TRUNCATE, SQLITE_IOERR_TRUNCATE, 1, 0);
    fail_each(VFS_DELETE, SQLITE_IOERR_DELETE, 1, 0);
}
