/* fair_queue_test.c - turns, bounds, shares, shutting, and many threads. */
#include "base/fair_queue.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>

struct item {
    struct fair_item link;
    uint64_t key;
    int number;
};

static const struct fair_limits LIMITS = {
    .waiting_max = 64, .waiting_of_key = 8, .taken_max = 2, .taken_alone = 3};

static struct item items[64];

static struct fair_queue *open_queue(void)
{
    struct fair_queue *q;

    CHECK_OK(fair_queue_open(&LIMITS, &q, NULL), NULL);
    return q;
}

static enum footnote_rc push(struct fair_queue *q, int i, uint64_t key)
{
    items[i] = (struct item){.key = key, .number = i};
    return fair_queue_push(q, key, &items[i].link, false);
}

static struct item *take(struct fair_queue *q)
{
    return (struct item *)fair_queue_take(q, 1);
}

static void done(struct fair_queue *q, struct item *i)
{
    fair_queue_done(q, i->link.key);
}

/* Takes and ends all that is left. */
static void drain(struct fair_queue *q)
{
    struct item *i;

    fair_queue_shut(q);
    while ((i = take(q)) != NULL)
        done(q, i);
    fair_queue_free(q);
}

TEST(fair_queue_keys_take_turns)
{
    static const int order[] = {0, 4, 6, 1, 5, 7, 2, 3};
    struct fair_queue *q = open_queue();
    struct item *i;

    for (int n = 0; n < 8; n++)
        CHECK_OK(push(q, n, n < 4 ? 1 : n < 6 ? 2 : 3), NULL);
    for (int n = 0; n < 8; n++) {
        i = take(q);
        CHECK_INT(i->number, order[n]);
        done(q, i);
    }
    drain(q);
}

TEST(fair_queue_lists_take_turns_too)
{
    struct fair_queue *q = open_queue();
    struct fair_item *list;
    size_t n = 0;

    for (int i = 0; i < 6; i++)
        CHECK_OK(push(q, i, 1), NULL);
    CHECK_OK(push(q, 6, 2), NULL);
    list = fair_queue_take(q, 64);
    for (struct fair_item *i = list; i; i = i->next)
        n++;
    CHECK_INT(n, 3); /* two of the first key and the other's */
    CHECK_INT(((struct item *)list->next)->number, 6);
    for (struct fair_item *i = list; i; i = i->next)
        fair_queue_done(q, i->key);
    drain(q);
}

TEST(fair_queue_is_bounded_and_so_is_each_key)
{
    struct fair_queue *q = open_queue();
    struct item more = {.number = 99};

    for (int i = 0; i < 8; i++)
        CHECK_OK(push(q, i, 1), NULL);
    CHECK_INT(fair_queue_push(q, 1, &more.link, false), FOOTNOTE_TOOBIG);
    for (int i = 8; i < 64; i++)
        CHECK_OK(push(q, i, (uint64_t)i / 8 + 1), NULL);
    CHECK_INT(fair_queue_push(q, 99, &more.link, false), FOOTNOTE_BUSY);
    CHECK_OK(fair_queue_push(q, 1, &more.link, true), NULL);
    drain(q);
}

TEST(fair_queue_that_is_shut_takes_no_more)
{
    struct fair_queue *q = open_queue();

    CHECK_OK(push(q, 0, 1), NULL);
    fair_queue_shut(q);
    CHECK_INT(push(q, 1, 1), FOOTNOTE_BUSY);
    done(q, take(q));
    CHECK(take(q) == NULL);
    fair_queue_free(q);
}

/* ---- Shares ------------------------------------------------------------- */

static void *take_in_thread(void *q)
{
    return fair_queue_take(q, 1);
}

/* A key alone has three at once.  The fourth waits, and another key's item,
 * which came later, does not. */
TEST(fair_queue_leaves_a_taker_for_others)
{
    struct fair_queue *q = open_queue();
    struct item *held[3];
    pthread_t thread;
    void *got;

    for (int i = 0; i < 4; i++)
        CHECK_OK(push(q, i, 1), NULL);
    for (int i = 0; i < 3; i++)
        held[i] = take(q);
    pthread_create(&thread, NULL, take_in_thread, q);
    CHECK_OK(push(q, 4, 2), NULL);
    pthread_join(thread, &got);
    CHECK_INT(((struct item *)got)->number, 4);
    CHECK_OK(push(q, 5, 2), NULL); /* with another key there: two each */
    CHECK_INT(take(q)->number, 5);
    done(q, held[0]);
    done(q, held[1]);
    CHECK_INT(take(q)->number, 3);
    done(q, held[2]);
    done(q, &items[3]);
    done(q, &items[4]);
    done(q, &items[5]);
    drain(q);
}

/* The other key goes: what is left may have more, and a taker is told. */
TEST(fair_queue_a_key_alone_again_has_more)
{
    struct fair_queue *q = open_queue();
    pthread_t thread;
    void *got;

    CHECK_OK(push(q, 0, 2), NULL);
    for (int i = 1; i < 5; i++)
        CHECK_OK(push(q, i, 1), NULL);
    for (int i = 0; i < 3; i++)
        CHECK_INT(take(q)->number, i);
    pthread_create(&thread, NULL, take_in_thread, q);
    done(q, &items[0]);
    pthread_join(thread, &got);
    CHECK_INT(((struct item *)got)->number, 3);
    for (int i = 1; i < 4; i++)
        done(q, &items[i]);
    drain(q);
}

/* ---- Threads ------------------------------------------------------------ */

enum { THREADS = 4, EACH = 5000 };

struct worker {
    struct fair_queue *q;
    _Atomic int *left;
};

static void *run_worker(void *arg)
{
    struct worker *w = arg;
    struct item *i;

    while ((i = take(w->q)) != NULL) {
        struct fair_key *key = i->link.key;

        (*w->left)--;
        free(i);
        fair_queue_done(w->q, key);
    }
    return NULL;
}

TEST(fair_queue_many_threads_lose_nothing)
{
    struct fair_queue *q = open_queue();
    pthread_t threads[THREADS];
    _Atomic int left = EACH;
    struct worker w = {q, &left};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_worker, &w);
    for (int i = 0; i < EACH; i++) {
        struct item *item = malloc(sizeof(*item));

        CHECK(item != NULL);
        while (fair_queue_push(q, (uint64_t)i % 7, &item->link, false))
            sched_yield();
    }
    WAIT_UNTIL(left == 0);
    fair_queue_shut(q);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    fair_queue_free(q);
}
