/* queue_test.c - order, bounds, shutting, and many threads at once. */
#include "base/clock.h"
#include "base/queue.h"
#include "test.h"

#include <pthread.h>

struct item {
    struct queue_item link;
    int producer, number;
};

static void queue_freep(struct queue **q)
{
    queue_free(*q);
}

static struct item *as_item(struct queue_item *i)
{
    return (struct item *)i;
}

TEST(queue_gives_items_back_in_order_and_in_lists)
{
    AUTO(queue_freep) struct queue *q = NULL;
    struct item items[5] = {{.number = 0}};
    CHECK_OK(queue_open(5, &q, NULL), NULL);
    CHECK(queue_take(q, 1, 0) == NULL);
    for (int i = 0; i < 5; i++) {
        items[i].number = i;
        CHECK_OK(queue_push(q, &items[i].link, NULL), NULL);
    }
    CHECK_INT(queue_length(q), 5);
    struct queue_item *two = queue_take(q, 2, 0);
    CHECK_INT(as_item(two)->number, 0);
    CHECK_INT(as_item(two->next)->number, 1);
    CHECK(two->next->next == NULL);
    CHECK_INT(queue_length(q), 3);
    CHECK_OK(queue_push(q, &items[0].link, NULL), NULL);
    struct queue_item *rest = queue_take(q, 99, -1);
    for (int i = 2; i < 5; i++, rest = rest->next)
        CHECK_INT(as_item(rest)->number, i);
    CHECK_INT(as_item(rest)->number, 0);
    CHECK(rest->next == NULL);
    CHECK_OK(queue_push(q, &items[3].link, NULL), NULL);
    CHECK(queue_take(q, 1, -1) == &items[3].link);
}

TEST(queue_that_is_full_says_busy)
{
    AUTO(queue_freep) struct queue *q = NULL;
    struct footnote_err err;
    struct queue_item a = {0}, b = {0}, c = {0};
    CHECK_OK(queue_open(2, &q, NULL), NULL);
    CHECK_OK(queue_try_push(q, &a, &err), &err);
    CHECK_OK(queue_try_push(q, &b, &err), &err);
    CHECK_INT(queue_try_push(q, &c, &err), FOOTNOTE_BUSY);
    CHECK_STR(err.text, "the queue is full (2 items)");
    CHECK(queue_take(q, 1, 0) == &a);
    CHECK_OK(queue_try_push(q, &c, &err), &err);
    CHECK(queue_take(q, 2, 0) == &b);
}

TEST(queue_that_is_shut_can_be_emptied_but_not_filled)
{
    AUTO(queue_freep) struct queue *q = NULL;
    struct queue_item a = {0}, b = {0};
    CHECK_OK(queue_open(2, &q, NULL), NULL);
    CHECK_OK(queue_push(q, &a, NULL), NULL);
    CHECK(!queue_is_shut(q));
    queue_shut(q);
    CHECK(queue_is_shut(q));
    CHECK_INT(queue_push(q, &b, NULL), FOOTNOTE_ENDED);
    CHECK_INT(queue_try_push(q, &b, NULL), FOOTNOTE_ENDED);
    CHECK(queue_take(q, 1, -1) == &a);
    CHECK(queue_take(q, 1, -1) == NULL);
}

TEST(queue_take_waits_as_long_as_it_was_told)
{
    AUTO(queue_freep) struct queue *q = NULL;
    CHECK_OK(queue_open(1, &q, NULL), NULL);
    int64_t start = clock_mono_ms();
    CHECK(queue_take(q, 1, 30) == NULL);
    CHECK(clock_mono_ms() - start >= 29);
}

enum { PRODUCERS = 4, TAKERS = 2, EACH = 5000 };

static struct queue *shared;
static struct item made[PRODUCERS][EACH];
static int taken_n[TAKERS];
static unsigned char seen[PRODUCERS][EACH];

static void *produce(void *arg)
{
    int producer = *(int *)arg;
    for (int i = 0; i < EACH; i++) {
        made[producer][i] = (struct item){.producer = producer, .number = i};
        CHECK_OK(queue_push(shared, &made[producer][i].link, NULL), NULL);
    }
    return NULL;
}

/* Each taker must see the items of one producer in their order. */
static void *consume(void *arg)
{
    int *count = arg, last[PRODUCERS] = {-1, -1, -1, -1};
    struct queue_item *list;
    while ((list = queue_take(shared, 7, -1)) != NULL) {
        for (; list; list = list->next) {
            struct item *item = as_item(list);
            CHECK(item->number > last[item->producer]);
            last[item->producer] = item->number;
            seen[item->producer][item->number]++;
            ++*count;
        }
    }
    return NULL;
}

TEST(queue_many_producers_and_takers_lose_nothing)
{
    pthread_t producers[PRODUCERS], takers[TAKERS];
    int ids[PRODUCERS];
    CHECK_OK(queue_open(16, &shared, NULL), NULL);
    for (int i = 0; i < TAKERS; i++)
        pthread_create(&takers[i], NULL, consume, &taken_n[i]);
    for (int i = 0; i < PRODUCERS; i++) {
        ids[i] = i;
        pthread_create(&producers[i], NULL, produce, &ids[i]);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    queue_shut(shared);
    for (int i = 0; i < TAKERS; i++)
        pthread_join(takers[i], NULL);
    CHECK_INT(taken_n[0] + taken_n[1], PRODUCERS * EACH);
    for (int p = 0; p < PRODUCERS; p++) {
        for (int i = 0; i < EACH; i++)
            CHECK_INT(seen[p][i], 1);
    }
    queue_free(shared);
}

static void *push_one(void *item)
{
    static enum footnote_rc rc;
    rc = queue_push(shared, item, NULL);
    return &rc;
}

static void *take_one(void *unused)
{
    (void)unused;
    return queue_take(shared, 1, -1);
}

/* Whether the other threads already wait, or come late, the answer is the
 * same; so nothing here needs to know. */
TEST(queue_shutting_wakes_those_who_wait)
{
    struct queue_item a = {0}, b = {0};
    pthread_t pusher, taker;
    void *result;
    CHECK_OK(queue_open(1, &shared, NULL), NULL);
    CHECK_OK(queue_push(shared, &a, NULL), NULL);
    pthread_create(&pusher, NULL, push_one, &b);
    queue_shut(shared);
    pthread_join(pusher, &result);
    CHECK_INT(*(enum footnote_rc *)result, FOOTNOTE_ENDED);
    CHECK(queue_take(shared, 9, 0) == &a);
    pthread_create(&taker, NULL, take_one, NULL);
    pthread_join(taker, &result);
    CHECK(result == NULL);
    queue_free(shared);
}

enum { LONG_US = 60 * 1000 * 1000 };

static void *gather(void *enough)
{
    queue_gather(shared, *(const size_t *)enough, LONG_US);
    return NULL;
}

TEST(queue_gathers_until_one_comes_that_does_not_wait)
{
    struct queue_item a = {.patient = true}, b = {.patient = true}, c = {0};
    size_t enough = 9;
    pthread_t taker;

    CHECK_OK(queue_open(3, &shared, NULL), NULL);
    CHECK_OK(queue_push(shared, &a, NULL), NULL);
    pthread_create(&taker, NULL, gather, &enough);
    CHECK_OK(queue_push(shared, &b, NULL), NULL);
    CHECK_OK(queue_push(shared, &c, NULL), NULL);
    pthread_join(taker, NULL);
    CHECK(queue_take(shared, 2, 0) == &a);
    queue_gather(shared, enough, LONG_US); /* c is in there still */
    CHECK(queue_take(shared, 2, 0) == &c);
    queue_gather(shared, enough, 1); /* and then its time is up */
    queue_free(shared);
}

TEST(queue_gathers_until_enough_are_in)
{
    struct queue_item items[] = {
        {.patient = true}, {.patient = true}, {.patient = true}};
    size_t enough = 3;
    pthread_t taker;

    CHECK_OK(queue_open(3, &shared, NULL), NULL);
    pthread_create(&taker, NULL, gather, &enough);
    for (size_t i = 0; i < 3; i++)
        CHECK_OK(queue_push(shared, &items[i], NULL), NULL);
    pthread_join(taker, NULL);
    queue_gather(shared, 2, LONG_US); /* there were enough before */
    CHECK_INT(queue_length(shared), 3);
    CHECK(queue_take(shared, 3, 0) == &items[0]);
    queue_free(shared);
}

TEST(queue_shutting_ends_gathering)
{
    size_t enough = 9;
    pthread_t taker;

    CHECK_OK(queue_open(1, &shared, NULL), NULL);
    pthread_create(&taker, NULL, gather, &enough);
    queue_shut(shared);
    pthread_join(taker, NULL);
    queue_free(shared);
}
