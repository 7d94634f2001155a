/* cache.c - sources by key, for readers.
 *
 * Sources never change, so a copy is as good as the row; only what is known
 * of their documents does, and that is stamped (struct facts).  An entry is
 * one allocation: the struct and its texts behind it, so that handing it out
 * is one copy and moving a dozen pointers.  Sets of eight with a lock per
 * group; keys lie in the set itself, so that looking for one touches no other
 * entry.  What does not fit drives out the one that was used least. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "store/inner.h"

enum { WAYS = 8, SETS = 8 * 1024, LOCKS = 64, ENTRY_BYTES_MAX = 96 * 1024 };

struct entry {
    size_t bytes; /* of the texts */
    struct stored_source s;
    char texts[];
};
struct slot {
    int64_t tenant, key;
    uint64_t used;
    struct entry *entry; /* NULL: free */
};
struct source_cache {
    pthread_mutex_t locks[LOCKS];
    uint64_t clock[LOCKS];
    size_t bytes[LOCKS], bytes_max; /* per lock */
    struct slot sets[SETS][WAYS];
};

/* Every text of a source, for copying and moving. */
static const size_t texts[] = {
    offsetof(struct source, id),       offsetof(struct source, preview),
    offsetof(struct source, title),    offsetof(struct source, url),
    offsetof(struct source, course),   offsetof(struct source, owner),
    offsetof(struct source, document), offsetof(struct source, lecture),
    offsetof(struct source, date),     offsetof(struct source, s3key),
    offsetof(struct source, meta)};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

static struct str *text_at(struct source *s, size_t i)
{
    return (struct str *)((char *)s + texts[i]);
}

enum footnote_rc cache_open(size_t bytes_max, struct source_cache **out,
                            struct footnote_err *err)
{
    struct source_cache *c = calloc(1, sizeof(*c));

    *out = NULL;
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
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
            free(c->sets[i][w].entry);
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&c->locks[i]);
    free(c);
}

static size_t set_of(int64_t tenant, int64_t key)
{
    return ((uint64_t)(key + tenant) * 0x9E3779B97F4A7C15u) >> 40 & (SETS - 1);
}

/* Under the set's lock. */
static struct slot *find(struct source_cache *c, size_t set, int64_t tenant,
                         int64_t key)
{
    for (size_t w = 0; w < WAYS; w++) {
        struct slot *at = &c->sets[set][w];

        if (at->key == key && at->tenant == tenant && at->entry)
            return at;
    }
    return NULL;
}

/* Points the texts of s at `to`, where their bytes are in order. */
static void move_texts(struct source *s, const char *to)
{
    for (size_t i = 0; i < TEXTS; i++) {
        struct str *t = text_at(s, i);

        if (!t->p)
            continue;
        t->p = to;
        to += t->n + 1;
    }
}

bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out)
{
    size_t set = set_of(tenant, key), lock = set % LOCKS;
    struct str copy = STR_NONE;
    struct slot *at;

    pthread_mutex_lock(&c->locks[lock]);
    at = find(c, set, tenant, key);
    if (at) {
        at->used = ++c->clock[lock];
        copy = arena_str(a, (struct str){at->entry->texts, at->entry->bytes});
        *out = at->entry->s;
    }
    pthread_mutex_unlock(&c->locks[lock]);
    if (copy.p)
        move_texts(&out->source, copy.p);
    return copy.p != NULL;
}

static struct entry *entry_new(const struct stored_source *s)
{
    struct stored_source copy = *s;
    struct entry *e;
    size_t bytes = 0, at = 0;

    for (size_t i = 0; i < TEXTS; i++)
        bytes +=
            text_at(&copy.source, i)->p ? text_at(&copy.source, i)->n + 1 : 0;
    if (bytes > ENTRY_BYTES_MAX)
        return NULL;
    e = malloc(sizeof(*e) + bytes);
    if (!e)
        return NULL;
    *e = (struct entry){.bytes = bytes, .s = *s};
    for (size_t i = 0; i < TEXTS; i++) {
        const struct str *t = text_at(&copy.source, i);

        if (!t->p)
            continue;
        memcpy(e->texts + at, t->p, t->n);
        e->texts[at + t->n] = '\0';
        at += t->n + 1;
    }
    return e;
}

static struct slot *victim(struct source_cache *c, size_t set)
{
    struct slot *oldest = &c->sets[set][0];

    for (size_t w = 0; w < WAYS; w++) {
        struct slot *at = &c->sets[set][w];

        if (!at->entry)
            return at;
        if (at->used < oldest->used)
            oldest = at;
    }
    return oldest;
}

static void drop(struct source_cache *c, size_t lock, struct slot *at)
{
    if (!at->entry)
        return;
    c->bytes[lock] -= sizeof(*at->entry) + at->entry->bytes;
    free(at->entry);
    at->entry = NULL;
}

/* Over the limit, whole sets of the same lock go, from the next one on. */
static void make_room(struct source_cache *c, size_t set)
{
    size_t lock = set % LOCKS;

    for (size_t s = (set + LOCKS) % SETS;
         c->bytes[lock] > c->bytes_max && s != set; s = (s + LOCKS) % SETS)
        for (size_t w = 0; w < WAYS; w++)
            drop(c, lock, &c->sets[s][w]);
}

void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s)
{
    size_t set = set_of(tenant, key), lock = set % LOCKS;
    struct entry *e = entry_new(s);
    struct slot *at;

    if (!e)
        return; /* not cached is not wrong */
    pthread_mutex_lock(&c->locks[lock]);
    at = find(c, set, tenant, key);
    if (!at)
        at = victim(c, set);
    drop(c, lock, at);
    *at = (struct slot){tenant, key, ++c->clock[lock], e};
    c->bytes[lock] += sizeof(*e) + e->bytes;
    make_room(c, set);
    pthread_mutex_unlock(&c->locks[lock]);
}

void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f)
{
    size_t set = set_of(tenant, key);
    struct slot *at;

    pthread_mutex_lock(&c->locks[set % LOCKS]);
    at = find(c, set, tenant, key);
    if (at && at->entry->s.facts.docs_version < f->docs_version)
        at->entry->s.facts = *f;
    pthread_mutex_unlock(&c->locks[set % LOCKS]);
}
