/* grace_test.c - nothing is freed under a reader, and everything after. */
#include "base/grace.h"
#include "test.h"

#include <stdlib.h>

struct thing {
    struct grace_link link;
    int value, twice;
};

static struct thing *thing_new(int value)
{
    struct thing *t = malloc(sizeof(*t));

    CHECK(t != NULL);
    t->value = value;
    t->twice = 2 * value;
    return t;
}

static void retire(struct grace *g, struct thing *t)
{
    grace_retire(g, &t->link, sizeof(*t));
}

TEST(grace_frees_at_once_when_nobody_reads)
{
    AUTO(grace_close) struct grace g;

    grace_init(&g);
    for (int i = 0; i < 5; i++) {
        retire(&g, thing_new(i));
        CHECK_INT(grace_bytes(&g), 0);
    }
}

TEST(grace_keeps_what_a_reader_may_have_found)
{
    AUTO(grace_close) struct grace g;
    struct thing *found = thing_new(7);
    unsigned early, late;

    grace_init(&g);
    early = grace_enter(&g);
    retire(&g, found);
    CHECK_INT(found->twice, 14); /* ASan would tell */
    late = grace_enter(&g);
    for (int i = 0; i < 4; i++) { /* ages pass, as far as they can */
        retire(&g, thing_new(i));
        CHECK_INT(found->twice, 14);
    }
    CHECK_INT(grace_bytes(&g), 5 * sizeof(struct thing));
    grace_leave(&g, early);
    CHECK(grace_bytes(&g) < 5 * sizeof(struct thing));
    grace_leave(&g, late);
    CHECK_INT(grace_bytes(&g), 0);
}

TEST(grace_of_a_reader_that_never_is_the_only_one_ends)
{
    AUTO(grace_close) struct grace g;
    unsigned side, next;

    grace_init(&g);
    side = grace_enter(&g);
    for (int i = 0; i < 100; i++) { /* always somebody there */
        retire(&g, thing_new(i));
        next = grace_enter(&g);
        grace_leave(&g, side);
        side = next;
        CHECK(grace_bytes(&g) <= 3 * sizeof(struct thing));
    }
    grace_leave(&g, side);
    CHECK_INT(grace_bytes(&g), 0);
}

TEST(grace_frees_the_rest_when_it_is_closed)
{
    AUTO(grace_close) struct grace g;

    grace_init(&g);
    (void)grace_enter(&g);
    retire(&g, thing_new(1)); /* LSan would tell */
    CHECK_INT(grace_bytes(&g), sizeof(struct thing));
}

/* ---- Many threads -------------------------------------------------------- */

enum { READERS = 3, CHANGES = 20000 };

struct shared {
    struct grace g;
    struct thing *_Atomic now;
    atomic_bool over;
    atomic_int bad;
};

static void *read_on(void *arg)
{
    struct shared *s = arg;

    while (!atomic_load(&s->over)) {
        unsigned side = grace_enter(&s->g);
        const struct thing *t = atomic_load(&s->now);

        if (t->twice != 2 * t->value)
            atomic_fetch_add(&s->bad, 1);
        grace_leave(&s->g, side);
    }
    return NULL;
}

TEST(grace_threads_read_while_one_replaces)
{
    static struct shared s;
    pthread_t readers[READERS];

    grace_init(&s.g);
    atomic_store(&s.now, thing_new(0));
    for (int i = 0; i < READERS; i++)
        CHECK_INT(pthread_create(&readers[i], NULL, read_on, &s), 0);
    for (int i = 1; i <= CHANGES; i++) {
        struct thing *old = atomic_load(&s.now);

        atomic_store(&s.now, thing_new(i));
        retire(&s.g, old);
    }
    atomic_store(&s.over, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    CHECK_INT(atomic_load(&s.bad), 0);
    retire(&s.g, atomic_load(&s.now));
    CHECK_INT(grace_bytes(&s.g), 0);
    grace_close(&s.g);
}
