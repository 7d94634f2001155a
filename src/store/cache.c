/* cache.c - sources by key, for readers.
 *
 * Sources never change, so a copy is as good as the row; only what is known
 * of their documents does, and that is stamped (struct facts).  An entry is
 * one allocation: the struct, the face and the texts behind it, so that handing
 * it out is one copy and moving a dozen pointers, or none.  Sets of eight with
 * a lock per group; keys lie in the set itself, so that looking for one touches
 * no other entry.  What does not fit drives out the one that was used least. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "store/reading.h"

enum {
    WAYS = 8,
    SETS = 8 * 1024,
    LOCKS = 64,
    LINE_BYTES = 64, /* of the processor's cache */
    WARM_BYTES = 8 * LINE_BYTES
};

struct entry {
    struct stored_source s;
    int64_t tenant;
    uint64_t used;
    size_t bytes; /* of the texts */
    size_t face_bytes;
    uint32_t face_ends[FACE_PARTS];
    char texts[]; /* behind the face */
};
/* Written under the lock; cache_warm() alone reads without it. */
struct set {
    _Atomic int64_t keys[WAYS]; /* a line of the processor's cache */
    struct entry *_Atomic entries[WAYS];
};
struct source_cache {
    pthread_mutex_t locks[LOCKS];
    uint64_t clock[LOCKS];
    size_t bytes[LOCKS], bytes_max; /* per lock */
    struct set sets[SETS];
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
            free(c->sets[i].entries[w]);
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&c->locks[i]);
    free(c);
}

static size_t set_of(int64_t tenant, int64_t key)
{
    return ((uint64_t)(key + tenant) * 0x9E3779B97F4A7C15u) >> 40 & (SETS - 1);
}

void cache_hint(const struct source_cache *c, int64_t tenant, int64_t key)
{
    const struct set *set = &c->sets[set_of(tenant, key)];

    __builtin_prefetch(set->keys);
    __builtin_prefetch(set->entries);
}

/* Only its key is compared: a wrong guess costs nothing.  Nor does an entry
 * that is freed meanwhile: no byte of it is read.  It is the face that most
 * come for, and what is known of the source. */
void cache_warm(const struct source_cache *c, int64_t tenant, int64_t key)
{
    const struct set *set = &c->sets[set_of(tenant, key)];

    for (size_t w = 0; w < WAYS; w++) {
        const char *e = (const char *)set->entries[w];

        if (!e || set->keys[w] != key)
            continue;
        e += offsetof(struct entry, s.digest);
        for (size_t at = 0; at < WARM_BYTES; at += LINE_BYTES)
            __builtin_prefetch(e + at);
    }
}

/* Where in the set it is, or WAYS.  Under the set's lock, as all below. */
static size_t find(const struct set *set, int64_t tenant, int64_t key)
{
    size_t w = 0;

    while (w < WAYS && (set->keys[w] != key || !set->entries[w] ||
                        set->entries[w]->tenant != tenant))
        w++;
    return w;
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

bool cache_has(struct source_cache *c, int64_t tenant, int64_t key)
{
    size_t set = set_of(tenant, key), lock = set % LOCKS;
    bool has;

    pthread_mutex_lock(&c->locks[lock]);
    has = find(&c->sets[set], tenant, key) < WAYS;
    pthread_mutex_unlock(&c->locks[lock]);
    return has;
}

static struct str texts_of(const struct entry *e)
{
    return (struct str){e->texts + e->face_bytes, e->bytes};
}

bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out)
{
    size_t set = set_of(tenant, key), lock = set % LOCKS, w;
    struct str copy = STR_NONE;

    pthread_mutex_lock(&c->locks[lock]);
    w = find(&c->sets[set], tenant, key);
    if (w < WAYS) {
        struct entry *e = c->sets[set].entries[w];

        e->used = ++c->clock[lock];
        copy = arena_str(a, texts_of(e));
        *out = e->s;
    }
    pthread_mutex_unlock(&c->locks[lock]);
    if (copy.p)
        move_texts(&out->source, copy.p);
    return copy.p != NULL;
}

bool cache_face(struct source_cache *c, int64_t tenant, int64_t key,
                int64_t docs_version, struct arena *a,
                struct stored_source *out, struct face *face)
{
    size_t set = set_of(tenant, key), lock = set % LOCKS, w;

    face->text = STR_NONE;
    pthread_mutex_lock(&c->locks[lock]);
    w = find(&c->sets[set], tenant, key);
    if (w < WAYS) {
        struct entry *e = c->sets[set].entries[w];

        e->used = ++c->clock[lock];
        if (e->face_bytes && e->s.facts.docs_version == docs_version) {
            face->text = arena_str(a, (struct str){e->texts, e->face_bytes});
            memcpy(face->ends, e->face_ends, sizeof(face->ends));
            out->digest = e->s.digest;
            out->pool = e->s.pool;
            out->version = e->s.version;
            out->redacted = e->s.redacted;
            out->facts = e->s.facts;
        }
    }
    pthread_mutex_unlock(&c->locks[lock]);
    return face->text.p != NULL;
}

static struct entry *entry_new(int64_t tenant, const struct stored_source *s,
                               const struct face *face)
{
    struct stored_source copy = *s;
    struct entry *e;
    size_t bytes = 0, at = face ? face->text.n : 0;

    for (size_t i = 0; i < TEXTS; i++)
        bytes +=
            text_at(&copy.source, i)->p ? text_at(&copy.source, i)->n + 1 : 0;
    if (at + bytes > CACHED_BYTES_MAX)
        return NULL;
    e = malloc(sizeof(*e) + at + bytes);
    if (!e)
        return NULL;
    *e = (struct entry){.s = *s, .tenant = tenant, .bytes = bytes};
    if (face) {
        e->face_bytes = face->text.n;
        memcpy(e->face_ends, face->ends, sizeof(e->face_ends));
        memcpy(e->texts, face->text.p, face->text.n);
    }
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
    return sizeof(*e) + e->face_bytes + e->bytes;
}

static void drop(struct source_cache *c, size_t lock, struct entry *_Atomic *e)
{
    if (!*e)
        return;
    c->bytes[lock] -= size_of(*e);
    free(*e);
    *e = NULL;
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

void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s, const struct face *face)
{
    size_t n = set_of(tenant, key), lock = n % LOCKS, w;
    struct entry *e = entry_new(tenant, s, face);
    struct set *set = &c->sets[n];

    if (!e)
        return; /* not cached is not wrong */
    pthread_mutex_lock(&c->locks[lock]);
    w = find(set, tenant, key);
    if (w == WAYS)
        w = victim(set);
    drop(c, lock, &set->entries[w]);
    e->used = ++c->clock[lock];
    set->keys[w] = key;
    set->entries[w] = e;
    c->bytes[lock] += size_of(e);
    make_room(c, n);
    pthread_mutex_unlock(&c->locks[lock]);
}

void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f)
{
    size_t n = set_of(tenant, key), w;
    struct set *set = &c->sets[n];

    pthread_mutex_lock(&c->locks[n % LOCKS]);
    w = find(set, tenant, key);
    if (w < WAYS && set->entries[w]->s.facts.docs_version < f->docs_version)
        set->entries[w]->s.facts = *f;
    pthread_mutex_unlock(&c->locks[n % LOCKS]);
}
