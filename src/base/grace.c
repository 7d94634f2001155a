/* grace.c - memory that somebody may still be reading.
 *
 * There is an age, and each reader is counted in the one it came at.  The age
 * goes up when nobody of the age before is left, so at most two have readers,
 * and one bit tells them apart.  What was retired in an age can have been found
 * by readers of that age and of the one before: it is free when the age has
 * gone up and then the readers of its own have left. */
#include "base/grace.h"

#include <stdlib.h>

void grace_init(struct grace *g)
{
    *g = (struct grace){.retired = {NULL}};
    pthread_mutex_init(&g->lock, NULL);
}

static void free_all(struct grace *g, struct grace_link *list)
{
    while (list) {
        struct grace_link *next = list->next;

        atomic_fetch_sub(&g->bytes, list->bytes);
        free(list);
        list = next;
    }
}

void grace_close(struct grace *g)
{
    free_all(g, g->retired[0]);
    free_all(g, g->retired[1]);
    pthread_mutex_destroy(&g->lock);
}

/* Counted in an age that had gone by, it would be overlooked. */
unsigned grace_enter(struct grace *g)
{
    for (;;) {
        unsigned long long age = atomic_load(&g->age);
        unsigned side = age & 1;

        atomic_fetch_add(&g->readers[side], 1);
        if (atomic_load(&g->age) == age)
            return side;
        atomic_fetch_sub(&g->readers[side], 1);
    }
}

/* Under the lock: what may be freed now. */
static struct grace_link *grow_older(struct grace *g)
{
    unsigned before = !(atomic_load(&g->age) & 1);
    struct grace_link *list = g->retired[before];

    if (atomic_load(&g->readers[before]) > 0)
        return NULL;
    g->retired[before] = NULL;
    atomic_fetch_add(&g->age, 1);
    return list;
}

/* Twice: with no reader at all, what was retired just now is free too. */
static void collect(struct grace *g)
{
    struct grace_link *free_now[2];

    for (int i = 0; i < 2; i++)
        free_now[i] = grow_older(g);
    pthread_mutex_unlock(&g->lock);
    for (int i = 0; i < 2; i++)
        free_all(g, free_now[i]);
}

void grace_leave(struct grace *g, unsigned side)
{
    bool last = atomic_fetch_sub(&g->readers[side], 1) == 1;

    if (last && grace_bytes(g) > 0 && pthread_mutex_trylock(&g->lock) == 0)
        collect(g);
}

void grace_retire(struct grace *g, struct grace_link *link, size_t bytes)
{
    link->bytes = bytes;
    atomic_fetch_add(&g->bytes, bytes);
    pthread_mutex_lock(&g->lock);
    link->next = g->retired[atomic_load(&g->age) & 1];
    g->retired[atomic_load(&g->age) & 1] = link;
    collect(g);
}

size_t grace_bytes(const struct grace *g)
{
    return atomic_load(&g->bytes);
}
