/* indexes.c - the indexes of all courses that are searched here. */
#include "retrieve/index/indexes.h"
#include "store/document/document.h"
#include "store/document/search.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Snapshots ---------------------------------------------------------- */

void snapshot_drop(struct snapshot *s)
{
    if (!s || --s->refs > 0)
        return;
    for (size_t i = 0; i < s->held_n; i++) {
        segment_drop(s->held[i].segment);
        free(s->held[i].dead);
    }
    free(s->held);
    free(s);
}

static struct snapshot *hold(struct snapshot *s)
{
    if (s)
        s->refs++;
    return s;
}

struct snapshot *book_snapshot(struct shelf *s, struct book *b)
{
    struct snapshot *held;

    pthread_mutex_lock(&s->lock);
    held = hold(b->snapshot);
    pthread_mutex_unlock(&s->lock);
    return held;
}

struct str book_tenant(const struct book *b)
{
    return str_c(b->tenant);
}

/* ---- What is alive ------------------------------------------------------ */

static int by_key(const void *key, const void *item)
{
    const int64_t *k = key;
    const struct live *l = item;

    return *k < l->key ? -1 : *k > l->key;
}

/* The first segment that has the version which the store has claims it. */
static bool claim(struct book *b, const struct segment_document *d)
{
    struct live *l =
        b->live_n ? bsearch(&d->key, b->live, b->live_n, sizeof(*l), by_key)
                  : NULL;

    if (!l || l->claimed || l->version != d->version || l->digest != d->digest)
        return false;
    l->claimed = true;
    return true;
}

/* Bit by bit would do; a document is long and a word has 64. */
static void bury(uint64_t *dead, uint32_t from, uint32_t to)
{
    for (; from < to && from % 64; from++)
        dead[from / 64] |= 1ull << from % 64;
    for (; from + 64 <= to; from += 64)
        dead[from / 64] = UINT64_MAX;
    for (; from < to; from++)
        dead[from / 64] |= 1ull << from % 64;
}

static enum footnote_rc mark(struct book *b, struct held *h,
                             struct footnote_err *err)
{
    const struct segment *s = h->segment;
    uint64_t *dead = calloc(s->passages_n / 64 + 1ul, sizeof(*dead));

    if (!dead)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    h->live_n = s->passages_n;
    for (uint32_t i = 0; i < s->documents_n; i++) {
        uint32_t from = s->documents[i].first, to = s->documents[i + 1].first;

        if (claim(b, &s->documents[i]))
            continue;
        bury(dead, from, to);
        h->live_n -= to - from;
    }
    if (h->live_n < s->passages_n) {
        h->dead = dead;
        return FOOTNOTE_OK;
    }
    free(dead);
    return FOOTNOTE_OK;
}

/* ---- A new snapshot ----------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    struct segment *const *x = a, *const *y = b;

    return (*x)->passages_n < (*y)->passages_n   ? 1
           : (*x)->passages_n > (*y)->passages_n ? -1
                                                 : 0;
}

static enum footnote_rc fill(struct book *b, struct snapshot *new,
                             struct segment **segments, size_t n,
                             struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;

    for (size_t i = 0; i < b->live_n; i++)
        b->live[i].claimed = false;
    for (size_t i = 0; i < n; i++) {
        struct held h = {.segment = segments[i]};

        segments[i] = NULL;
        if (rc == FOOTNOTE_OK)
            rc = mark(b, &h, err);
        if (rc != FOOTNOTE_OK || h.live_n == 0) {
            segment_drop(h.segment);
            free(h.dead);
            continue;
        }
        new->held[new->held_n++] = h;
        new->bytes += h.segment->bytes;
    }
    return rc;
}

/* Forgets the indexes that were asked for least recently, until the others
 * fit.  They come back from disk, or are made again. */
static void make_room(struct shelf *s, const struct book *keep)
{
    for (;;) {
        struct book *oldest = NULL;
        size_t bytes = 0;

        for (struct book *b = s->books; b; b = b->next) {
            bytes += b->snapshot ? b->snapshot->bytes : 0;
            if (b->snapshot && b != keep && (!oldest || b->used < oldest->used))
                oldest = b;
        }
        if (!oldest || bytes <= s->bytes_max)
            return;
        snapshot_drop(oldest->snapshot);
        oldest->snapshot = NULL;
    }
}

enum footnote_rc book_install(struct shelf *s, struct book *b,
                              struct segment **segments, size_t n,
                              int64_t docs_version, struct footnote_err *err)
{
    struct snapshot *new = calloc(1, sizeof(*new)), *old;
    enum footnote_rc rc = FOOTNOTE_NOMEM;

    if (new)
        new->held = calloc(n + 1, sizeof(*new->held));
    if (new &&new->held) {
        new->refs = 1;
        new->docs_version = docs_version;
        if (n > 0)
            qsort(segments, n, sizeof(struct segment *), by_size);
        rc = fill(b, new, segments, n, err);
    }
    for (size_t i = 0; i < n; i++)
        segment_drop(segments[i]);
    if (rc != FOOTNOTE_OK) {
        if (new &&new->held)
            snapshot_drop(new);
        else
            free(new);
        return err_set(err, rc, "no memory for the index of a course");
    }
    pthread_mutex_lock(&s->lock);
    old = b->snapshot;
    b->snapshot = new;
    b->untidy = true;
    make_room(s, b);
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
    snapshot_drop(old);
    return FOOTNOTE_OK;
}

/* ---- Books -------------------------------------------------------------- */

static void book_free(struct book *b)
{
    if (!b)
        return;
    snapshot_drop(b->snapshot);
    pthread_mutex_destroy(&b->making);
    free(b->tenant);
    free(b->id);
    free(b->folder);
    free(b->live);
    free(b);
}

/* Tenants have names of any kind: their folders are named by a digest. */
static char *folder_of(const struct shelf *s, struct str tenant, int64_t key)
{
    struct sha256 d;
    char hex[SHA256_HEX + 1], *path = NULL;

    if (!s->folder || sha256(tenant, &d, NULL) != FOOTNOTE_OK)
        return NULL;
    sha256_hex(&d, hex);
    if (asprintf(&path, "%s/%.16s-%lld", s->folder, hex, (long long)key) < 0)
        return NULL;
    return path;
}

static struct book *book_make(struct shelf *s, struct str tenant,
                              const struct scope_course *c)
{
    struct book *b = calloc(1, sizeof(*b));

    if (!b)
        return NULL;
    pthread_mutex_init(&b->making, NULL);
    b->tenant = strndup(tenant.p, tenant.n);
    b->id = strndup(c->id.p, c->id.n);
    b->key = c->key;
    b->folder = folder_of(s, tenant, c->key);
    if (b->tenant && b->id)
        return b;
    book_free(b);
    return NULL;
}

/* The caller holds the lock. */
static struct book *book_find(struct shelf *s, struct str tenant,
                              const struct scope_course *c)
{
    struct book *b = s->books;

    while (b && (b->key != c->key || !str_eq(str_c(b->tenant), tenant)))
        b = b->next;
    if (b)
        return b;
    b = book_make(s, tenant, c);
    if (!b)
        return NULL;
    b->next = s->books;
    s->books = b;
    return b;
}

static bool is_new_enough(struct shelf *s, struct book *b, int64_t docs_version,
                          struct snapshot **out)
{
    *out = book_snapshot(s, b);
    if (*out && (*out)->docs_version >= docs_version)
        return true;
    snapshot_drop(*out);
    *out = NULL;
    return false;
}

enum footnote_rc shelf_get(struct shelf *s, struct str tenant,
                           const struct scope_course *course,
                           int64_t docs_version, struct snapshot **out,
                           struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;
    struct book *b;

    *out = NULL;
    pthread_mutex_lock(&s->lock);
    b = book_find(s, tenant, course);
    if (b)
        b->used = ++s->clock;
    pthread_mutex_unlock(&s->lock);
    if (!b)
        return err_set(err, FOOTNOTE_NOMEM, "opening the index of a course");
    if (is_new_enough(s, b, docs_version, out))
        return FOOTNOTE_OK;
    pthread_mutex_lock(&b->making);
    if (!is_new_enough(s, b, docs_version, out)) {
        rc = book_sync(s, b, err);
        *out = rc == FOOTNOTE_OK ? book_snapshot(s, b) : NULL;
    }
    pthread_mutex_unlock(&b->making);
    if (rc == FOOTNOTE_OK && !*out) /* forgotten again at once */
        return err_set(err, FOOTNOTE_BUSY, "the index does not fit in memory");
    return rc;
}

void shelf_changed(struct shelf *s, const struct document_change *c)
{
    struct scope_course deleted = {c->course_key, c->course};

    pthread_mutex_lock(&s->lock);
    if (deleted.key)
        (void)book_find(s, c->tenant, &deleted);
    for (struct book *b = s->books; b; b = b->next) {
        if (!str_eq(str_c(b->id), c->course) ||
            !str_eq(str_c(b->tenant), c->tenant) ||
            (!b->snapshot && !deleted.key))
            continue;
        b->untidy = b->behind = true;
        pthread_cond_signal(&s->work);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- The shelf's thread ------------------------------------------------- */

static struct book *next_untidy(struct shelf *s)
{
    struct book *b = s->books;

    while (b && !b->untidy)
        b = b->next;
    return b;
}

static void look_after(struct shelf *s, struct book *b, bool behind)
{
    if (behind) {
        pthread_mutex_lock(&b->making);
        (void)book_sync(s, b, NULL); /* the next search tries again */
        pthread_mutex_unlock(&b->making);
    }
    book_tidy(s, b);
}

static void *work(void *arg)
{
    struct shelf *s = arg;

    pthread_mutex_lock(&s->lock);
    while (!s->closing) {
        struct book *b = next_untidy(s);
        bool behind;

        if (!b) {
            s->busy = false;
            pthread_cond_broadcast(&s->idle);
            pthread_cond_wait(&s->work, &s->lock);
            continue;
        }
        s->busy = true;
        behind = b->behind;
        b->untidy = b->behind = false;
        pthread_mutex_unlock(&s->lock);
        look_after(s, b, behind);
        pthread_mutex_lock(&s->lock);
    }
    s->busy = false;
    pthread_cond_broadcast(&s->idle);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

void shelf_settle(struct shelf *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->closing && (s->busy || next_untidy(s)))
        pthread_cond_wait(&s->idle, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* ---- Analysers ---------------------------------------------------------- */

struct analyser *shelf_analyser(struct shelf *s)
{
    struct analyser *a = NULL;

    pthread_mutex_lock(&s->lock);
    if (s->analysers_n)
        a = s->analysers[--s->analysers_n];
    pthread_mutex_unlock(&s->lock);
    if (!a)
        (void)analyser_open(&a, NULL);
    return a;
}

void shelf_analyser_give(struct shelf *s, struct analyser *a)
{
    pthread_mutex_lock(&s->lock);
    if (a && s->analysers_n < ANALYSERS) {
        s->analysers[s->analysers_n++] = a;
        a = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    analyser_close(a);
}

/* ---- Life --------------------------------------------------------------- */

static void closep(struct shelf **s)
{
    shelf_close(*s);
}

enum footnote_rc shelf_open(struct store *st, const struct shelf_options *o,
                            struct shelf **out, struct footnote_err *err)
{
    AUTO(closep) struct shelf *s = calloc(1, sizeof(*s));

    *out = NULL;
    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->idle, NULL);
    s->store = st;
    s->bytes_max = o->bytes_max;
    s->folder = o->folder ? strdup(o->folder) : NULL;
    if (o->folder && !s->folder)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    if (pthread_create(&s->thread, NULL, work, s) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "no thread for the retriever");
    s->has_thread = true;
    *out = s;
    s = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void shelf_close(struct shelf *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    if (s->has_thread)
        pthread_join(s->thread, NULL);
    while (s->books) {
        struct book *b = s->books;

        s->books = b->next;
        book_free(b);
    }
    while (s->analysers_n)
        analyser_close(s->analysers[--s->analysers_n]);
    pthread_cond_destroy(&s->work);
    pthread_cond_destroy(&s->idle);
    pthread_mutex_destroy(&s->lock);
    free(s->folder);
    free(s);
}
