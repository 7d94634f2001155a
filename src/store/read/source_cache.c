/* source_cache.c - sources by key, for readers.
 *
 * Sources never change, so a copy is as good as the row; only what is known
 * of their documents does, and that is stamped (struct facts).  An entry is
 * one allocation, the struct, its face and its texts, and is never written
 * again: readers take no lock, and who knows better puts another one in its
 * place.  Sets of four; keys lie in the set itself, so that looking for one
 * touches no other entry.  Writers have a lock per group of sets.  What does
 * not fit drives out the one that was used least. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/grace.h"
#include "base/str.h"
#include "cite/source.h"
#include "store/read/source_cache.h"
#include "store/session/message.h"

enum { WAYS = 4, SETS = 32 * 1024, LOCKS = 64 };

/* From the digest on it is what readers of faces touch, in a row. */
struct entry {
    struct grace_link link;
    struct cached c;
    int64_t tenant, key;
    atomic_ullong used; /* the clock when it was last asked for */
    char texts[];       /* behind the face */
};
struct set { /* written under the lock */
    _Atomic int64_t keys[WAYS];
    struct entry *_Atomic entries[WAYS];
};
struct source_cache {
    struct grace grace;
    pthread_mutex_t locks[LOCKS];
    atomic_ullong clock[LOCKS];     /* goes up with each entry put */
    size_t bytes[LOCKS], bytes_max; /* per lock */
    struct set *sets;               /* SETS */
};

enum footnote_rc cache_open(size_t bytes_max, struct source_cache **out,
                            struct footnote_err *err)
{
    struct source_cache *c = calloc(1, sizeof(*c));

    *out = NULL;
    if (c)
        c->sets = calloc(SETS, sizeof(*c->sets));
    if (!c || !c->sets) {
        free(c);
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    }
    grace_init(&c->grace);
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_init(&c->locks[i], NULL);
    c->bytes_max = bytes_max / LOCKS;
    *out = c;
    return FOOTNOTE_OK;
}

void cache_close(struct source_cache *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < SETS; i++)
        for (size_t w = 0; w < WAYS; w++)
            free(c->sets[i].entries[w]);
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&c->locks[i]);
    grace_close(&c->grace);
    free(c->sets);
    free(c);
}

/* Sources that were stored in a row are often asked for together: their sets
 * are neighbours, in few pages of memory. */
static size_t set_of(int64_t tenant, int64_t key)
{
    return ((uint64_t)tenant * 0x9E3779B97F4A7C15u + (uint64_t)key) % SETS;
}

/* The entry, and where in the set it is; NULL.  Whoever has no lock stays in
 * the cache: keys and entries may change between one look and the next. */
static struct entry *find(const struct set *set, int64_t tenant, int64_t key,
                          size_t *way)
{
    for (size_t w = 0; w < WAYS; w++) {
        struct entry *e = set->keys[w] == key ? set->entries[w] : NULL;

        if (e && e->key == key && e->tenant == tenant) {
            *way = w;
            return e;
        }
    }
    return NULL;
}

/* ---- Reading ------------------------------------------------------------ */

unsigned cache_enter(struct source_cache *c)
{
    return grace_enter(&c->grace);
}

void cache_leave(struct source_cache *c, unsigned side)
{
    grace_leave(&c->grace, side);
}

/* Its time of use is written only when that has changed: what many read at once
 * stays in the caches of all their processors. */
const struct cached *cache_look(struct source_cache *c, int64_t tenant,
                                int64_t key)
{
    size_t set = set_of(tenant, key), way;
    struct entry *e = find(&c->sets[set], tenant, key, &way);
    unsigned long long now =
        atomic_load_explicit(&c->clock[set % LOCKS], memory_order_relaxed);

    if (!e)
        return NULL;
    if (atomic_load_explicit(&e->used, memory_order_relaxed) != now)
        atomic_store_explicit(&e->used, now, memory_order_relaxed);
    return &e->c;
}

bool cache_has(struct source_cache *c, int64_t tenant, int64_t key)
{
    unsigned side = cache_enter(c);
    bool has = cache_look(c, tenant, key) != NULL;

    cache_leave(c, side);
    return has;
}

bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out)
{
    unsigned side = cache_enter(c);
    const struct cached *found = cache_look(c, tenant, key);
    struct str copy = STR_NONE;

    if (found) {
        copy = arena_str(a, found->texts);
        *out = found->s;
    }
    cache_leave(c, side);
    if (copy.p)
        source_move_texts(&out->source, copy.p);
    return copy.p != NULL;
}

/* ---- Writing ------------------------------------------------------------ */

static struct entry *entry_new(int64_t tenant, int64_t key,
                               const struct stored_source *s,
                               const struct face *face)
{
    size_t front = face ? face->text.n : 0,
           rest = source_texts_bytes(&s->source);
    struct entry *e;

    if (front + rest > CACHED_BYTES_MAX)
        return NULL;
    e = malloc(sizeof(*e) + front + rest);
    if (!e)
        return NULL;
    *e = (struct entry){.tenant = tenant,
                        .key = key,
                        .c = {.s = *s, .texts = {e->texts + front, rest}}};
    if (face) {
        e->c.face = *face;
        e->c.face.text.p = memcpy(e->texts, face->text.p, front);
    }
    source_copy_texts(&e->c.s.source, e->texts + front);
    return e;
}

/* The way to be used next: a free one, or that of the oldest. */
static size_t victim(const struct set *set)
{
    size_t oldest = 0;

    for (size_t w = 0; w < WAYS; w++) {
        if (!set->entries[w])
            return w;
        if (set->entries[w]->used < set->entries[oldest]->used)
            oldest = w;
    }
    return oldest;
}

static size_t size_of(const struct entry *e)
{
    return sizeof(*e) + e->c.face.text.n + e->c.texts.n;
}

static void drop(struct source_cache *c, size_t lock, struct entry *_Atomic *at)
{
    struct entry *e = *at;

    if (!e)
        return;
    c->bytes[lock] -= size_of(e);
    *at = NULL;
    grace_retire(&c->grace, &e->link, size_of(e));
}

/* Over the limit, whole sets of the same lock go, from the next one on. */
static void make_room(struct source_cache *c, size_t set)
{
    size_t lock = set % LOCKS;

    for (size_t s = (set + LOCKS) % SETS;
         c->bytes[lock] > c->bytes_max && s != set; s = (s + LOCKS) % SETS)
        for (size_t w = 0; w < WAYS; w++)
            drop(c, lock, &c->sets[s].entries[w]);
}

/* Under the lock. */
static void put(struct source_cache *c, size_t n, struct entry *e)
{
    struct set *set = &c->sets[n];
    size_t lock = n % LOCKS, w;

    if (!find(set, e->tenant, e->key, &w))
        w = victim(set);
    drop(c, lock, &set->entries[w]);
    e->used = ++c->clock[lock];
    set->keys[w] = e->key;
    set->entries[w] = e;
    c->bytes[lock] += size_of(e);
    make_room(c, n);
}

/* Not cached is not wrong: not when there is no memory, nor while readers keep
 * as much as the cache may have from being freed. */
void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s, const struct face *face)
{
    size_t n = set_of(tenant, key);
    struct entry *e = NULL;

    if (grace_bytes(&c->grace) <= c->bytes_max * LOCKS)
        e = entry_new(tenant, key, s, face);
    if (!e)
        return;
    pthread_mutex_lock(&c->locks[n % LOCKS]);
    put(c, n, e);
    pthread_mutex_unlock(&c->locks[n % LOCKS]);
}

void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f)
{
    unsigned side = cache_enter(c);
    const struct cached *old = cache_look(c, tenant, key);

    if (old && old->s.facts.docs_version < f->docs_version) {
        struct stored_source s = old->s;

        s.facts = *f; /* the face is of what was known before */
        cache_put(c, tenant, key, &s, NULL);
    }
    cache_leave(c, side);
}
