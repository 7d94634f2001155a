/* crash_states_test.c - every moment of a power cut, and many of the states
 * that the disk may be in after it.
 *
 * A real store works while all that it does to its files is recorded.  Then,
 * for every operation after which the power may fail, and for several ways in
 * which what was not synced may have survived, the files are made anew, and a
 * store that opens them must have all that was acknowledged by then. */
#include "contract.h"
#include "disk_image.h"
#include "workload.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ITEMS = 10, ACKS_MAX = 200, CHECKPOINT_EVERY = 5 };

/* What was acknowledged, and when. */
struct diary {
    struct image_log *log;
    struct {
        size_t mark;
        struct progress done;
    } acks[ACKS_MAX];
    size_t acks_n;
};

static void note(struct workload *l)
{
    struct diary *d = l->arg;

    CHECK(d->acks_n < ACKS_MAX);
    d->acks[d->acks_n].mark = image_mark(d->log);
    d->acks[d->acks_n++].done = l->done;
}

/* Only a sync that failed is a reason to try again. */
static bool try_again(struct workload *l, const struct footnote_err *err)
{
    const struct diary *d = l->arg;

    if (!image_sync_failed(d->log) ||
        (err->rc != FOOTNOTE_BUSY && err->rc != FOOTNOTE_UNSURE))
        FAIL("item %u: %s", l->done.items, err->text);
    return true;
}

static void open_store(struct workload *l, const char *url)
{
    struct footnote_err err = {0};

    while (footnote_open(url, &l->fn, &err) != FOOTNOTE_OK)
        (void)try_again(l, &err);
}

/* Closing a store checkpoints, so that is under test as well. */
static void record(struct diary *d, const char *url)
{
    struct workload l = {.acked = note, .again = try_again, .arg = d};

    vfs_install(image_record, d->log);
    while (l.done.items < ITEMS) {
        open_store(&l, url);
        for (int i = 0; i < CHECKPOINT_EVERY && l.done.items < ITEMS; i++)
            CHECK(workload_item(&l));
        footnote_close(l.fn);
    }
    vfs_install(vfs_no_sync, NULL);
}

/* The last that was acknowledged before the power failed. */
static struct progress acked_by(const struct diary *d, size_t n)
{
    struct progress done = {0};

    for (size_t i = 0; i < d->acks_n && d->acks[i].mark <= n; i++)
        done = d->acks[i].done;
    return done;
}

static void make_state(const struct image_log *log, size_t n, unsigned seed,
                       const char *folder)
{
    char shm[400];

    snprintf(shm, sizeof(shm), "%s/test.db-shm", folder);
    unlink(shm); /* it is memory, and made anew */
    image_survive(log, n, seed, folder);
}

static void check_state(const struct diary *d, size_t n, unsigned seed,
                        const char *folder)
{
    char url[400];
    struct progress done = acked_by(d, n);
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    make_state(d->log, n, seed, folder);
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder);
    enum footnote_rc rc = footnote_open(url, &fn, &err);
    if (rc != FOOTNOTE_OK)
        FAIL("cut after %zu operations, seed %u: %s", n, seed, err.text);
    /* Its holder lives: it is this very process that has recorded it. */
    workload_check(fn, 0, 0, &done, false);
    footnote_close(fn);
}

static const char *folder_for(const char *name)
{
    static char folder[300];

    snprintf(folder, sizeof(folder), "%s/%s", test_dir(), name);
    CHECK(mkdir(folder, 0755) == 0 || errno == EEXIST);
    return folder;
}

TEST_LIMIT(sqlite_every_crash_state_has_all_that_was_acknowledged, 120)
{
    static struct diary d;
    unsigned states = test_count(1400, 100000), made = 0;

    d.log = image_log_new();
    record(&d, test_url());
    size_t n = image_mark(d.log);
    for (unsigned seed = 0; made < states; seed++)
        for (size_t i = 0; i <= n && made < states; i++, made++)
            check_state(&d, i, seed, folder_for("after"));
    printf("%zu operations, %zu acknowledgements, %u states\n", n, d.acks_n,
           made);
    CHECK(d.acks_n > ITEMS);
    image_log_free(d.log);
}

/* One run with the nth sync failing and `more` after it, such as the one by
 * which closing would have made up for it, and some of the states after it.
 * False when there were fewer syncs. */
static bool fail_sync(unsigned nth, unsigned more, unsigned states)
{
    struct diary d = {.log = image_log_new()};
    char url[400], name[32];

    snprintf(name, sizeof(name), "sync-%u-%u", nth, more);
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder_for(name));
    image_fail_sync(d.log, nth, more);
    record(&d, url);
    bool failed = image_sync_failed(d.log);
    size_t n = image_mark(d.log);
    for (unsigned i = 1; failed && i <= states; i++)
        check_state(&d, n * i / states, i % 2 ? 0 : i, folder_for("after"));
    image_log_free(d.log);
    return failed;
}

TEST_LIMIT(sqlite_what_a_failed_sync_was_for_is_not_taken_for_durable, 120)
{
    for (unsigned more = 0; more < 4; more++) {
        unsigned nth = 1;
        while (fail_sync(nth, more, test_count(6, 1000)))
            nth++;
        CHECK(nth > 20);
    }
}

/* A process is killed after n operations.  The next one finds all of them, but
 * only in the system's memory.  It is asked for the item that was under way,
 * which may be there already; then the power fails. */
static void kill_and_cut(const struct diary *before, size_t n)
{
    struct diary d = {.log = image_log_copy(before->log, n)};
    struct workload l = {.done = acked_by(before, n),
                         .acked = note,
                         .again = try_again,
                         .arg = &d};
    char url[400], folder[300];

    if (workload_is_answer(l.done.items)) { /* it ended with its holder */
        image_log_free(d.log);
        return;
    }
    snprintf(folder, sizeof(folder), "%s", folder_for("killed"));
    snprintf(url, sizeof(url), "sqlite:%s/test.db", folder);
    make_state(d.log, n, 1, folder);
    vfs_install(image_record, d.log);
    open_store(&l, url);
    CHECK(workload_item(&l));
    size_t cut = image_mark(d.log);
    footnote_close(l.fn);
    vfs_install(vfs_no_sync, NULL);
    check_state(&d, cut, 0, folder_for("after"));
    image_log_free(d.log);
}

TEST_LIMIT(sqlite_what_a_killed_process_left_counts_only_once_it_is_durable,
           120)
{
    static struct diary d;
    unsigned states = test_count(150, 2000);

    d.log = image_log_new();
    record(&d, test_url());
    size_t n = d.acks[d.acks_n - 1].mark;
    for (unsigned i = 1; i < states; i++)
        kill_and_cut(&d, n * i / states);
    image_log_free(d.log);
}
