/* source_cache.c - sources by key, for readers.
 *
 * A source never changes, so a copy is as good as its row.  Only the facts
 * about its document change, and these are stamped (struct facts).  An entry is
 * one allocation, the struct and its texts.  Sets of four; keys lie in the set
 * itself, so that a look-up touches no other entry.  A lock guards every
 * LOCKS-th set, and readers copy under it.  When a set is full, its least
 * recently used entry goes. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "cite/source_fields.h"
#include "store/read/source_cache.h"

enum { WAYS = 4, SETS = 32 * 1024, LOCKS = 64 };

struct cached_source {
    int64_t tenant, key;
    uint64_t used; /* the clock when it was last asked for */
    struct stored_source stored;
    size_t texts_bytes;
    char texts[]; /* of the source, in a row */
};
struct cache_set { /* guarded by its lock */
    int64_t keys[WAYS];
    struct cached_source *entries[WAYS];
};
struct source_cache {
    pthread_mutex_t locks[LOCKS];
    uint64_t clock[LOCKS];          /* goes up with each entry put */
    size_t bytes[LOCKS], bytes_max; /* per lock */
    struct cache_set *sets;         /* SETS */
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
    free(c->sets);
    free(c);
}

/* Sources that were stored in a row are often asked for together: their sets
 * are neighbours, in few pages of memory. */
static size_t set_of(int64_t tenant, int64_t key)
{
    return ((uint64_t)tenant * 0x9E3779B97F4A7C15u + (uint64_t)key) % SETS;
}

/* ---- Under the set's lock ------------------------------------------------ */

static pthread_mutex_t *lock_of(struct source_cache *c, size_t set)
{
    return &c->locks[set % LOCKS];
}

/* The way of the entry in its set; WAYS when it is not cached. */
static size_t find(const struct cache_set *set, int64_t tenant, int64_t key)
{
    size_t w = 0;

    while (w < WAYS && !(set->keys[w] == key && set->entries[w] &&
                         set->entries[w]->tenant == tenant))
        w++;
    return w;
}

/* The way for a new entry: a free one, or that of the least recently used. */
static size_t victim(const struct cache_set *set)
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

static size_t size_of(const struct cached_source *e)
{
    return sizeof(*e) + e->texts_bytes;
}

static void drop(struct source_cache *c, size_t set, size_t way)
{
    struct cached_source *e = c->sets[set].entries[way];

    if (!e)
        return;
    assert(c->bytes[set % LOCKS] >= size_of(e));
    c->bytes[set % LOCKS] -= size_of(e);
    c->sets[set].entries[way] = NULL;
    free(e);
}

/* Over the limit, whole sets of the same lock go, from the next one on. */
static void make_room(struct source_cache *c, size_t set)
{
    size_t lock = set % LOCKS;

    for (size_t s = (set + LOCKS) % SETS;
         c->bytes[lock] > c->bytes_max && s != set; s = (s + LOCKS) % SETS)
        for (size_t w = 0; w < WAYS; w++)
            drop(c, s, w);
}

static void put(struct source_cache *c, size_t n, struct cached_source *e)
{
    struct cache_set *set = &c->sets[n];
    size_t w = find(set, e->tenant, e->key);

    if (w == WAYS)
        w = victim(set);
    drop(c, n, w);
    e->used = ++c->clock[n % LOCKS];
    set->keys[w] = e->key;
    set->entries[w] = e;
    c->bytes[n % LOCKS] += size_of(e);
    make_room(c, n);
}

/* ---- Reading ------------------------------------------------------------ */

bool cache_has(struct source_cache *c, int64_t tenant, int64_t key)
{
    size_t n = set_of(tenant, key);
    bool has;

    pthread_mutex_lock(lock_of(c, n));
    has = find(&c->sets[n], tenant, key) < WAYS;
    pthread_mutex_unlock(lock_of(c, n));
    return has;
}

bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out)
{
    size_t n = set_of(tenant, key);
    struct str copy = STR_NONE;

    pthread_mutex_lock(lock_of(c, n));
    size_t w = find(&c->sets[n], tenant, key);
    if (w < WAYS) {
        struct cached_source *e = c->sets[n].entries[w];

        e->used = c->clock[n % LOCKS];
        copy = arena_str(a, (struct str){e->texts, e->texts_bytes});
        *out = e->stored;
    }
    pthread_mutex_unlock(lock_of(c, n));
    if (copy.p)
        source_move_texts(&out->source, copy.p);
    return copy.p != NULL;
}

/* ---- Writing ------------------------------------------------------------ */

/* A source that is too large, or finds no memory, is not cached. */
void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s)
{
    size_t n = set_of(tenant, key), bytes = source_texts_bytes(&s->source);
    struct cached_source *e = NULL;

    assert(tenant > 0 && key > 0);
    if (bytes <= CACHED_BYTES_MAX)
        e = malloc(sizeof(*e) + bytes);
    if (!e)
        return;
    *e = (struct cached_source){
        .tenant = tenant, .key = key, .stored = *s, .texts_bytes = bytes};
    source_copy_texts(&e->stored.source, e->texts);
    pthread_mutex_lock(lock_of(c, n));
    put(c, n, e);
    pthread_mutex_unlock(lock_of(c, n));
}

void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f)
{
    size_t n = set_of(tenant, key);

    pthread_mutex_lock(lock_of(c, n));
    size_t w = find(&c->sets[n], tenant, key);
    struct cached_source *e = w < WAYS ? c->sets[n].entries[w] : NULL;
    if (e && e->stored.facts.docs_version < f->docs_version)
        e->stored.facts = *f;
    pthread_mutex_unlock(lock_of(c, n));
}
