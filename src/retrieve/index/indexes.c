/* indexes.c - the indexes of all courses that are searched here. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "retrieve/index/course_index.h"
#include "store/document/document.h"

/* ---- Segments and snapshots --------------------------------------------- */

enum footnote_rc segment_list_add(struct segment_list *l, struct segment *s,
                                  struct footnote_err *err)
{
    struct segment **more =
        realloc(l->items, (l->n + 1) * sizeof(struct segment *));

    if (!more) {
        segment_drop(s);
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    }
    l->items = more;
    l->items[l->n++] = s;
    return FOOTNOTE_OK;
}

void segment_list_free(struct segment_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        segment_drop(l->items[i]);
    free(l->items);
    *l = (struct segment_list){.n = 0};
}

void index_snapshot_drop(struct index_snapshot *s)
{
    if (!s)
        return;
    assert(s->refs > 0);
    if (--s->refs > 0)
        return;
    for (size_t i = 0; i < s->segments_n; i++) {
        segment_drop(s->segments[i].segment);
        free(s->segments[i].dead);
    }
    free(s->segments);
    free(s);
}

struct index_snapshot *course_index_snapshot(struct indexes *ix,
                                             struct course_index *c)
{
    struct index_snapshot *s;

    pthread_mutex_lock(&ix->lock);
    s = c->snapshot;
    if (s)
        s->refs++;
    pthread_mutex_unlock(&ix->lock);
    return s;
}

/* ---- Live documents ----------------------------------------------------- */

static int by_key(const void *key, const void *item)
{
    const int64_t *k = key;
    const struct live_document *l = item;

    return *k < l->key ? -1 : *k > l->key;
}

/* A live document is claimed by the first segment that has its version. */
static bool claim(struct course_index *c, const struct segment_document *d)
{
    struct live_document *l =
        c->live_n ? bsearch(&d->key, c->live, c->live_n, sizeof(*l), by_key)
                  : NULL;

    if (!l || l->claimed || l->version != d->version || l->digest != d->digest)
        return false;
    l->claimed = true;
    return true;
}

/* Sets the bits [from, to), whole words at a time: a document is long. */
static void set_bits(uint64_t *bits, uint32_t from, uint32_t to)
{
    for (; from < to && from % 64; from++)
        bits[from / 64] |= 1ull << from % 64;
    for (; from + 64 <= to; from += 64)
        bits[from / 64] = UINT64_MAX;
    for (; from < to; from++)
        bits[from / 64] |= 1ull << from % 64;
}

static enum footnote_rc find_dead(struct course_index *c,
                                  struct snapshot_segment *out,
                                  struct footnote_err *err)
{
    const struct segment *s = out->segment;
    uint64_t *dead = calloc(s->passages_n / 64 + 1ul, sizeof(*dead));

    if (!dead)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    out->live_n = s->passages_n;
    for (uint32_t i = 0; i < s->documents_n; i++) {
        uint32_t from = s->documents[i].first, to = s->documents[i + 1].first;

        if (claim(c, &s->documents[i]))
            continue;
        set_bits(dead, from, to);
        assert(out->live_n >= to - from);
        out->live_n -= to - from;
    }
    if (out->live_n < s->passages_n)
        out->dead = dead;
    else
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

static enum footnote_rc fill(struct course_index *c, struct index_snapshot *s,
                             const struct segment_list *list,
                             struct footnote_err *err)
{
    s->segments = calloc(list->n + 1, sizeof(*s->segments));
    if (!s->segments)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    for (size_t i = 0; i < c->live_n; i++)
        c->live[i].claimed = false;
    for (size_t i = 0; i < list->n; i++) {
        struct snapshot_segment part = {.segment = list->items[i]};

        TRY(find_dead(c, &part, err));
        if (part.live_n == 0) {
            free(part.dead);
            continue;
        }
        segment_hold(part.segment);
        s->segments[s->segments_n++] = part;
        s->bytes += part.segment->bytes;
    }
    return FOOTNOTE_OK;
}

/* Forgets the indexes that were asked for least recently, until the others
 * fit.  They come back from disk, or are made again. */
static void make_room(struct indexes *ix, const struct course_index *keep)
{
    for (;;) {
        struct course_index *oldest = NULL;
        size_t bytes = 0;

        for (struct course_index *c = ix->courses; c; c = c->next) {
            bytes += c->snapshot ? c->snapshot->bytes : 0;
            if (c->snapshot && c != keep && (!oldest || c->used < oldest->used))
                oldest = c;
        }
        if (!oldest || bytes <= ix->bytes_max)
            return;
        index_snapshot_drop(oldest->snapshot);
        oldest->snapshot = NULL;
    }
}

enum footnote_rc course_index_install(struct indexes *ix,
                                      struct course_index *c,
                                      struct segment_list *list,
                                      int64_t docs_version,
                                      struct footnote_err *err)
{
    struct index_snapshot *new = calloc(1, sizeof(*new)), *old;
    enum footnote_rc rc;

    if (!new)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    new->refs = 1;
    new->docs_version = docs_version;
    if (list->n > 0)
        qsort(list->items, list->n, sizeof(struct segment *), by_size);
    rc = fill(c, new, list, err);
    if (rc != FOOTNOTE_OK) {
        index_snapshot_drop(new);
        return rc;
    }
    pthread_mutex_lock(&ix->lock);
    old = c->snapshot;
    c->snapshot = new;
    c->needs_maintenance = true;
    make_room(ix, c);
    pthread_cond_signal(&ix->work);
    pthread_mutex_unlock(&ix->lock);
    index_snapshot_drop(old);
    return FOOTNOTE_OK;
}

/* ---- Courses ------------------------------------------------------------ */

static void course_index_free(struct course_index *c)
{
    if (!c)
        return;
    index_snapshot_drop(c->snapshot);
    pthread_mutex_destroy(&c->update_lock);
    free(c->tenant);
    free(c->id);
    free(c->folder);
    free(c->live);
    free(c);
}

/* A tenant's name may have any character: its folder is named by a digest. */
static char *folder_of(const struct indexes *ix, struct str tenant, int64_t key)
{
    struct sha256 d;
    char hex[SHA256_HEX + 1], *path = NULL;

    if (!ix->folder || sha256(tenant, &d, NULL) != FOOTNOTE_OK)
        return NULL;
    sha256_hex(&d, hex);
    if (asprintf(&path, "%s/%.16s-%lld", ix->folder, hex, (long long)key) < 0)
        return NULL;
    return path;
}

/* The index of a course, made when there is none; NULL: no memory.  The caller
 * holds the lock. */
static struct course_index *find_or_make(struct indexes *ix, struct str tenant,
                                         const struct scope_course *course)
{
    struct course_index *c = ix->courses;

    while (c && (c->key != course->key || !str_eq(str_c(c->tenant), tenant)))
        c = c->next;
    if (c)
        return c;
    c = calloc(1, sizeof(*c));
    if (!c)
        return NULL;
    pthread_mutex_init(&c->update_lock, NULL);
    c->tenant = strndup(tenant.p, tenant.n);
    c->id = strndup(course->id.p, course->id.n);
    c->key = course->key;
    c->folder = folder_of(ix, tenant, course->key);
    if (!c->tenant || !c->id) {
        course_index_free(c);
        return NULL;
    }
    c->next = ix->courses;
    ix->courses = c;
    return c;
}

static bool is_new_enough(struct indexes *ix, struct course_index *c,
                          int64_t docs_version, struct index_snapshot **out)
{
    *out = course_index_snapshot(ix, c);
    if (*out && (*out)->docs_version >= docs_version)
        return true;
    index_snapshot_drop(*out);
    *out = NULL;
    return false;
}

enum footnote_rc indexes_get(struct indexes *ix, struct str tenant,
                             const struct scope_course *course,
                             int64_t docs_version, struct index_snapshot **out,
                             struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;
    struct course_index *c;

    *out = NULL;
    pthread_mutex_lock(&ix->lock);
    c = find_or_make(ix, tenant, course);
    if (c)
        c->used = ++ix->searches_n;
    pthread_mutex_unlock(&ix->lock);
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "opening the index of a course");
    if (is_new_enough(ix, c, docs_version, out))
        return FOOTNOTE_OK;
    pthread_mutex_lock(&c->update_lock);
    if (!is_new_enough(ix, c, docs_version, out)) {
        rc = course_index_sync(ix, c, err);
        *out = rc == FOOTNOTE_OK ? course_index_snapshot(ix, c) : NULL;
    }
    pthread_mutex_unlock(&c->update_lock);
    if (rc == FOOTNOTE_OK && !*out) /* forgotten again at once */
        return err_set(err, FOOTNOTE_BUSY, "the index does not fit in memory");
    return rc;
}

void indexes_changed(struct indexes *ix, const struct document_change *change)
{
    struct scope_course deleted = {change->course_key, change->course};

    pthread_mutex_lock(&ix->lock);
    if (deleted.key)
        (void)find_or_make(ix, change->tenant, &deleted);
    for (struct course_index *c = ix->courses; c; c = c->next) {
        if (!str_eq(str_c(c->id), change->course) ||
            !str_eq(str_c(c->tenant), change->tenant) ||
            (!c->snapshot && !deleted.key))
            continue;
        c->needs_maintenance = c->needs_sync = true;
        pthread_cond_signal(&ix->work);
    }
    pthread_mutex_unlock(&ix->lock);
}

/* ---- The thread --------------------------------------------------------- */

static struct course_index *next_in_need(struct indexes *ix)
{
    struct course_index *c = ix->courses;

    while (c && !c->needs_maintenance)
        c = c->next;
    return c;
}

static void *work(void *arg)
{
    struct indexes *ix = arg;

    pthread_mutex_lock(&ix->lock);
    while (!ix->closing) {
        struct course_index *c = next_in_need(ix);
        bool sync;

        ix->busy = c != NULL;
        if (!c) {
            pthread_cond_broadcast(&ix->idle);
            pthread_cond_wait(&ix->work, &ix->lock);
            continue;
        }
        sync = c->needs_sync;
        c->needs_maintenance = c->needs_sync = false;
        pthread_mutex_unlock(&ix->lock);
        if (sync) {
            pthread_mutex_lock(&c->update_lock);
            (void)course_index_sync(ix, c, NULL); /* a search tries again */
            pthread_mutex_unlock(&c->update_lock);
        }
        course_index_maintain(ix, c);
        pthread_mutex_lock(&ix->lock);
    }
    ix->busy = false;
    pthread_cond_broadcast(&ix->idle);
    pthread_mutex_unlock(&ix->lock);
    return NULL;
}

void indexes_wait_idle(struct indexes *ix)
{
    pthread_mutex_lock(&ix->lock);
    while (!ix->closing && (ix->busy || next_in_need(ix)))
        pthread_cond_wait(&ix->idle, &ix->lock);
    pthread_mutex_unlock(&ix->lock);
}

/* ---- Analysers ---------------------------------------------------------- */

struct analyser *indexes_borrow_analyser(struct indexes *ix)
{
    struct analyser *a = NULL;

    pthread_mutex_lock(&ix->lock);
    if (ix->analysers_n)
        a = ix->analysers[--ix->analysers_n];
    pthread_mutex_unlock(&ix->lock);
    if (!a)
        (void)analyser_open(&a, NULL);
    return a;
}

void indexes_return_analyser(struct indexes *ix, struct analyser *a)
{
    pthread_mutex_lock(&ix->lock);
    if (a && ix->analysers_n < ANALYSERS) {
        ix->analysers[ix->analysers_n++] = a;
        a = NULL;
    }
    pthread_mutex_unlock(&ix->lock);
    analyser_close(a);
}

/* ---- Life --------------------------------------------------------------- */

static void closep(struct indexes **ix)
{
    indexes_close(*ix);
}

enum footnote_rc indexes_open(struct store *st, const struct indexes_options *o,
                              struct indexes **out, struct footnote_err *err)
{
    AUTO(closep) struct indexes *ix = calloc(1, sizeof(*ix));

    *out = NULL;
    if (!ix)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    pthread_mutex_init(&ix->lock, NULL);
    pthread_cond_init(&ix->work, NULL);
    pthread_cond_init(&ix->idle, NULL);
    ix->store = st;
    ix->bytes_max = o->bytes_max;
    ix->folder = o->folder ? strdup(o->folder) : NULL;
    if (o->folder && !ix->folder)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    if (pthread_create(&ix->thread, NULL, work, ix) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "no thread for the retriever");
    ix->has_thread = true;
    *out = ix;
    ix = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void indexes_close(struct indexes *ix)
{
    if (!ix)
        return;
    pthread_mutex_lock(&ix->lock);
    ix->closing = true;
    pthread_cond_broadcast(&ix->work);
    pthread_mutex_unlock(&ix->lock);
    if (ix->has_thread)
        pthread_join(ix->thread, NULL);
    while (ix->courses) {
        struct course_index *c = ix->courses;

        ix->courses = c->next;
        course_index_free(c);
    }
    while (ix->analysers_n)
        analyser_close(ix->analysers[--ix->analysers_n]);
    pthread_cond_destroy(&ix->work);
    pthread_cond_destroy(&ix->idle);
    pthread_mutex_destroy(&ix->lock);
    free(ix->folder);
    free(ix);
}
