/* history_cache.c - the cache of bodies: a hash table and a list by last use.
 *
 * While there is room every body is kept.  In a full cache a body replaces
 * others only when it is asked for a second time, soon: a client that reads all
 * sessions once does not push out those that others come back to.  And the
 * memory of a body that is not kept is still in the processor's cache for the
 * next. */
#include "http/api/history_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "store/read/history.h"

enum {
    SLOTS = 8192,
    SEEN = 4096,
    SEEN_AGO_MAX = 2, /* times the number of bodies that are kept */
    BODY_SHARE = 8    /* one body has at most an eighth of all bytes */
};

struct cached_history {
    struct cached_history *next_in_slot;
    struct cached_history *newer, *older;
    uint64_t hash;
    struct versions versions;
    unsigned form;
    struct shared_body *body;
    char tag[ETAG_BYTES];
    size_t tenant_n, user_n, session_n;
    char names[]; /* all three */
};

struct history_cache {
    pthread_mutex_t lock;
    size_t bytes, bytes_max, n;
    struct cached_history *newest, *oldest;
    struct cached_history *slots[SLOTS];
    /* Bodies that were not kept: how many, and the last of them. */
    uint64_t turned_away;
    struct {
        uint64_t hash, when;
    } seen[SEEN];
};

enum footnote_rc history_cache_open(size_t bytes_max,
                                    struct history_cache **out,
                                    struct footnote_err *err)
{
    struct history_cache *h = calloc(1, sizeof(*h));

    *out = NULL;
    if (!h)
        return err_set(err, FOOTNOTE_NOMEM, "opening the cache of histories");
    h->bytes_max = bytes_max;
    pthread_mutex_init(&h->lock, NULL);
    *out = h;
    return FOOTNOTE_OK;
}

static size_t entry_bytes(const struct cached_history *e)
{
    return sizeof(*e) + e->tenant_n + e->user_n + e->session_n + e->body->n;
}

/* ---- The list by last use ----------------------------------------------- */

static void unlink_use(struct history_cache *h, struct cached_history *e)
{
    *(e->newer ? &e->newer->older : &h->newest) = e->older;
    *(e->older ? &e->older->newer : &h->oldest) = e->newer;
}

static void link_newest(struct history_cache *h, struct cached_history *e)
{
    e->newer = NULL;
    e->older = h->newest;
    *(h->newest ? &h->newest->newer : &h->oldest) = e;
    h->newest = e;
}

/* ---- Entries ------------------------------------------------------------ */

static uint64_t hash_of(const struct history_key *k)
{
    uint64_t v = str_hash(k->who.tenant);

    v = v * 31 + str_hash(k->who.user);
    v = v * 31 + str_hash(k->session);
    return v * 31 + k->form;
}

static bool has_key(const struct cached_history *e, uint64_t hash,
                    const struct history_key *k)
{
    const char *p = e->names;

    return e->hash == hash && e->form == k->form &&
           e->tenant_n == k->who.tenant.n && e->user_n == k->who.user.n &&
           e->session_n == k->session.n &&
           memcmp(p, k->who.tenant.p, e->tenant_n) == 0 &&
           memcmp(p + e->tenant_n, k->who.user.p, e->user_n) == 0 &&
           memcmp(p + e->tenant_n + e->user_n, k->session.p, e->session_n) == 0;
}

static struct cached_history **find(struct history_cache *h, uint64_t hash,
                                    const struct history_key *k)
{
    struct cached_history **at = &h->slots[hash % SLOTS];

    while (*at && !has_key(*at, hash, k))
        at = &(*at)->next_in_slot;
    return at;
}

static void entry_free(struct cached_history *e)
{
    shared_body_drop(e->body);
    free(e);
}

static void remove_entry(struct history_cache *h, struct cached_history **at)
{
    struct cached_history *e = *at;

    assert(h->n > 0 && h->bytes >= entry_bytes(e));
    *at = e->next_in_slot;
    unlink_use(h, e);
    h->n--;
    h->bytes -= entry_bytes(e);
    entry_free(e);
}

static void remove_oldest(struct history_cache *h)
{
    struct cached_history **at = &h->slots[h->oldest->hash % SLOTS];

    while (*at != h->oldest)
        at = &(*at)->next_in_slot;
    remove_entry(h, at);
}

void history_cache_close(struct history_cache *h)
{
    if (!h)
        return;
    while (h->oldest)
        remove_oldest(h);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

struct shared_body *history_cache_get(struct history_cache *h,
                                      const struct history_key *k,
                                      char tag[ETAG_BYTES])
{
    uint64_t hash = hash_of(k);
    struct shared_body *body = NULL;

    pthread_mutex_lock(&h->lock);
    struct cached_history *e = *find(h, hash, k);
    if (e && e->versions.session_version == k->versions.session_version &&
        e->versions.course_version == k->versions.course_version &&
        e->versions.docs_version == k->versions.docs_version) {
        body = e->body;
        shared_body_hold(body);
        memcpy(tag, e->tag, ETAG_BYTES);
        unlink_use(h, e);
        link_newest(h, e);
    }
    pthread_mutex_unlock(&h->lock);
    return body;
}

bool history_cache_has(struct history_cache *h, const struct history_key *k)
{
    uint64_t hash = hash_of(k);
    bool has;

    pthread_mutex_lock(&h->lock);
    has = *find(h, hash, k) != NULL;
    pthread_mutex_unlock(&h->lock);
    return has;
}

static struct cached_history *entry_new(uint64_t hash,
                                        const struct history_key *k,
                                        struct shared_body *body,
                                        const char *tag)
{
    size_t tenant = k->who.tenant.n, user = k->who.user.n;
    struct cached_history *e =
        calloc(1, sizeof(*e) + tenant + user + k->session.n);

    if (!e)
        return NULL;
    e->hash = hash;
    e->versions = k->versions;
    e->versions.session = STR_NONE;
    e->form = k->form;
    e->tenant_n = tenant;
    e->user_n = user;
    e->session_n = k->session.n;
    memcpy(e->names, k->who.tenant.p, tenant);
    memcpy(e->names + tenant, k->who.user.p, user);
    memcpy(e->names + tenant + user, k->session.p, k->session.n);
    memcpy(e->tag, tag, ETAG_BYTES);
    shared_body_hold(body);
    e->body = body;
    return e;
}

static bool is_newer(const struct cached_history *e,
                     const struct history_key *k)
{
    return e->versions.session_version > k->versions.session_version ||
           e->versions.course_version > k->versions.course_version ||
           e->versions.docs_version > k->versions.docs_version;
}

/* Whether the body may replace others in a full cache. */
static bool was_seen(struct history_cache *h, uint64_t hash)
{
    bool soon =
        h->seen[hash % SEEN].hash == hash &&
        h->turned_away - h->seen[hash % SEEN].when < SEEN_AGO_MAX * h->n;

    if (!soon) {
        h->seen[hash % SEEN].hash = hash;
        h->seen[hash % SEEN].when = h->turned_away++;
    }
    return soon;
}

static void add_entry(struct history_cache *h, struct cached_history *e)
{
    e->next_in_slot = h->slots[e->hash % SLOTS];
    h->slots[e->hash % SLOTS] = e;
    link_newest(h, e);
    h->n++;
    h->bytes += entry_bytes(e);
    while (h->oldest && h->bytes > h->bytes_max)
        remove_oldest(h);
}

void history_cache_put(struct history_cache *h, const struct history_key *k,
                       struct shared_body *body, const char tag[ETAG_BYTES])
{
    uint64_t hash = hash_of(k);
    struct cached_history *e = NULL;

    assert(body->refs > 0);
    if (body->n <= h->bytes_max / BODY_SHARE)
        e = entry_new(hash, k, body, tag);
    if (!e)
        return;
    pthread_mutex_lock(&h->lock);
    struct cached_history **at = find(h, hash, k);
    if (*at ? is_newer(*at, k) /* a faster reader was here */
            : h->bytes + entry_bytes(e) > h->bytes_max && !was_seen(h, hash)) {
        entry_free(e);
    } else {
        if (*at)
            remove_entry(h, at);
        add_entry(h, e);
    }
    pthread_mutex_unlock(&h->lock);
}
