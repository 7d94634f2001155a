/* histories.c - the cache of bodies: a hash table and a list by last use.
 *
 * While there is room every body is kept.  Then one drives out another only
 * when it is asked for a second time, soon: who goes through all of their
 * sessions once, or a program that reads everything, leaves alone what others
 * come back to.  And a body that is not kept is written over while it is still
 * in the processor's cache. */
#include "http/api/history.h"
#include "store/read/history.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    SLOTS = 8192,
    SEEN = 4096,
    SOON = 2,     /* times as many others as are kept */
    SHARE_MAX = 8 /* of all bytes, that one body may have */
};

struct entry {
    struct entry *next_in_slot;
    struct entry *newer, *older;
    uint64_t hash;
    struct versions versions;
    unsigned form;
    struct shared_body *body;
    char tag[ETAG_BYTES];
    size_t tenant_n, user_n, session_n;
    char names[]; /* all three */
};

struct histories {
    pthread_mutex_t lock;
    size_t bytes, bytes_max, n;
    struct entry *newest, *oldest;
    struct entry *slots[SLOTS];
    uint64_t turned_away; /* so far, */
    struct {
        uint64_t hash, when; /* and the last ones */
    } seen[SEEN];
};

enum footnote_rc histories_open(size_t bytes_max, struct histories **out,
                                struct footnote_err *err)
{
    struct histories *h = calloc(1, sizeof(*h));

    *out = NULL;
    if (!h)
        return err_set(err, FOOTNOTE_NOMEM, "opening the cache of histories");
    h->bytes_max = bytes_max;
    pthread_mutex_init(&h->lock, NULL);
    *out = h;
    return FOOTNOTE_OK;
}

static size_t size_of(const struct entry *e)
{
    return sizeof(*e) + e->tenant_n + e->user_n + e->session_n + e->body->n;
}

/* ---- The list by last use ----------------------------------------------- */

static void unlink_use(struct histories *h, struct entry *e)
{
    *(e->newer ? &e->newer->older : &h->newest) = e->older;
    *(e->older ? &e->older->newer : &h->oldest) = e->newer;
}

static void link_newest(struct histories *h, struct entry *e)
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

static bool is_for(const struct entry *e, uint64_t hash,
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

static struct entry **find(struct histories *h, uint64_t hash,
                           const struct history_key *k)
{
    struct entry **at = &h->slots[hash % SLOTS];

    while (*at && !is_for(*at, hash, k))
        at = &(*at)->next_in_slot;
    return at;
}

static void entry_free(struct entry *e)
{
    shared_body_drop(e->body);
    free(e);
}

static void drop(struct histories *h, struct entry **at)
{
    struct entry *e = *at;

    *at = e->next_in_slot;
    unlink_use(h, e);
    h->n--;
    h->bytes -= size_of(e);
    entry_free(e);
}

static void drop_oldest(struct histories *h)
{
    struct entry **at = &h->slots[h->oldest->hash % SLOTS];

    while (*at != h->oldest)
        at = &(*at)->next_in_slot;
    drop(h, at);
}

void histories_close(struct histories *h)
{
    if (!h)
        return;
    while (h->oldest)
        drop_oldest(h);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static bool same_versions(const struct versions *a, const struct versions *b)
{
    return a->session_version == b->session_version &&
           a->course_version == b->course_version &&
           a->docs_version == b->docs_version;
}

struct shared_body *histories_get(struct histories *h,
                                  const struct history_key *k,
                                  char tag[ETAG_BYTES])
{
    uint64_t hash = hash_of(k);
    struct shared_body *body = NULL;

    pthread_mutex_lock(&h->lock);
    struct entry *e = *find(h, hash, k);
    if (e && same_versions(&e->versions, &k->versions)) {
        body = e->body;
        shared_body_hold(body);
        memcpy(tag, e->tag, ETAG_BYTES);
        unlink_use(h, e);
        link_newest(h, e);
    }
    pthread_mutex_unlock(&h->lock);
    return body;
}

bool histories_has(struct histories *h, const struct history_key *k)
{
    uint64_t hash = hash_of(k);
    bool has;

    pthread_mutex_lock(&h->lock);
    has = *find(h, hash, k) != NULL;
    pthread_mutex_unlock(&h->lock);
    return has;
}

static struct entry *entry_new(uint64_t hash, const struct history_key *k,
                               struct shared_body *body, const char *tag)
{
    size_t tenant = k->who.tenant.n, user = k->who.user.n;
    struct entry *e = calloc(1, sizeof(*e) + tenant + user + k->session.n);

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

static bool is_newer(const struct entry *e, const struct history_key *k)
{
    return e->versions.session_version > k->versions.session_version ||
           e->versions.course_version > k->versions.course_version ||
           e->versions.docs_version > k->versions.docs_version;
}

/* Whether another one may have to go for it. */
static bool was_seen(struct histories *h, uint64_t hash)
{
    bool soon = h->seen[hash % SEEN].hash == hash &&
                h->turned_away - h->seen[hash % SEEN].when < SOON * h->n;

    if (!soon) {
        h->seen[hash % SEEN].hash = hash;
        h->seen[hash % SEEN].when = h->turned_away++;
    }
    return soon;
}

static void add(struct histories *h, struct entry *e)
{
    e->next_in_slot = h->slots[e->hash % SLOTS];
    h->slots[e->hash % SLOTS] = e;
    link_newest(h, e);
    h->n++;
    h->bytes += size_of(e);
    while (h->oldest && h->bytes > h->bytes_max)
        drop_oldest(h);
}

void histories_put(struct histories *h, const struct history_key *k,
                   struct shared_body *body, const char tag[ETAG_BYTES])
{
    uint64_t hash = hash_of(k);
    struct entry *e = NULL;

    if (body->n <= h->bytes_max / SHARE_MAX)
        e = entry_new(hash, k, body, tag);
    if (!e)
        return;
    pthread_mutex_lock(&h->lock);
    struct entry **at = find(h, hash, k);
    if (*at ? is_newer(*at, k) /* a faster reader was here */
            : h->bytes + size_of(e) > h->bytes_max && !was_seen(h, hash)) {
        entry_free(e);
    } else {
        if (*at)
            drop(h, at);
        add(h, e);
    }
    pthread_mutex_unlock(&h->lock);
}
