/* memory_test.c - every allocation fails in turn, once and from then on.
 *
 * A run opens the store, saves messages, runs an answer, reads and closes.
 * Whatever fails, fails with a code; what was acknowledged is there when the
 * memory is back, and the same open store works again.  Leaks are found by the
 * run with a sanitizer. */
#include "contract.h"
#include "failing_malloc.h"
#include "sqlite_vfs.h"
#include "workload.h"

enum { ITEMS = 4 };

static unsigned codes[FOOTNOTE_RC_N];

static void nothing(struct workload *l)
{
    (void)l;
}

/* PostgreSQL's client library does not always tell why it has failed. */
static bool give_up(struct workload *l, const struct footnote_err *err)
{
    bool lost = err->rc == FOOTNOTE_BUSY || err->rc == FOOTNOTE_UNSURE;

    (void)l;
    codes[err->rc]++;
    if (err->rc != FOOTNOTE_NOMEM && !(lost && test_is_postgres()))
        FAIL("%s: %s", footnote_rc_code(err->rc), err->text);
    return false;
}

static bool open_or_give_up(struct footnote **fn)
{
    struct footnote_err err = {0};

    return footnote_open(test_url(), fn, &err) == FOOTNOTE_OK ||
           give_up(NULL, &err);
}

static void work(struct footnote *fn, struct workload *l)
{
    l->fn = fn;
    while (l->done.items < ITEMS && workload_item(l)) {
    }
}

static void read_or_give_up(struct footnote *fn)
{
    struct footnote_query q = {.session = "s0-0"};
    struct footnote_result *r = NULL;
    struct footnote_err err = {0};

    if (footnote_read(fn, &q, &r, &err) != FOOTNOTE_OK)
        (void)give_up(NULL, &err);
    footnote_result_free(r);
}

/* With the memory back, the same store goes on. */
static void show_that_it_works(struct footnote *fn,
                               const struct workload *before)
{
    struct workload l = {.round = before->round,
                         .thread = 1,
                         .acked = nothing,
                         .again = give_up};

    workload_check(fn, before->round, 0, &before->done, false);
    l.fn = fn;
    CHECK(workload_item(&l));
    workload_check(fn, before->round, 1, &l.done, true);
}

struct plan {
    enum malloc_whose whose;
    bool sticky;
    unsigned step; /* 1: every one */
};

/* False when there were fewer than n allocations. */
static bool fail_nth(const struct plan *p, unsigned n)
{
    struct workload l = {.round = n, .acked = nothing, .again = give_up};
    struct footnote *fn = NULL;

    malloc_fail(n, p->sticky, p->whose);
    if (open_or_give_up(&fn)) {
        work(fn, &l);
        read_or_give_up(fn);
    }
    bool failed = malloc_failed();
    malloc_fail(0, false, p->whose);
    if (!fn)
        CHECK(open_or_give_up(&fn));
    show_that_it_works(fn, &l);
    footnote_close(fn);
    return failed;
}

static void fail_each(struct plan p)
{
    struct workload seen = {.acked = nothing, .again = give_up};
    struct footnote *fn = NULL;
    unsigned n = 1;

    malloc_watch();
    vfs_install(vfs_no_sync, NULL);
    CHECK(open_or_give_up(&fn));
    work(fn, &seen); /* what the runs read */
    footnote_close(fn);
    while (fail_nth(&p, n))
        n += p.step;
    printf("%u allocations\n", n - 1);
    for (int i = 0; i < FOOTNOTE_RC_N; i++)
        if (codes[i])
            printf("%u times %s\n", codes[i], footnote_rc_code(i));
    CHECK(n > 100);
}

CONTRACT_LIMIT(every_allocation_of_ours_fails_once, 120)
{
    fail_each((struct plan){MALLOC_OURS, false, 1});
}

CONTRACT_LIMIT(every_allocation_of_ours_fails_from_the_nth_on, 120)
{
    fail_each((struct plan){MALLOC_OURS, true, 1});
}

/* There are thousands of them, so a quick run takes a sample.  A connection to
 * a server may need its whole time-out to notice, so that one is smaller. */
static unsigned library_step(void)
{
    return 10000 / test_count(test_is_postgres() ? 120 : 250, 10000);
}

CONTRACT_LIMIT(an_allocation_of_a_library_fails_once, 120)
{
    fail_each((struct plan){MALLOC_ALL, false, library_step()});
}

CONTRACT_LIMIT(an_allocation_of_a_library_fails_from_the_nth_on, 120)
{
    fail_each((struct plan){MALLOC_ALL, true, library_step()});
}
