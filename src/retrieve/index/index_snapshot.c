/* index_snapshot.c - which passages of which segments can be searched now. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/index/course_index.h"

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

static void snapshot_free(struct index_snapshot *s)
{
    for (size_t i = 0; i < s->segments_n; i++) {
        segment_drop(s->segments[i].segment);
        free(s->segments[i].dead);
    }
    free(s->segments);
    free(s);
}

void index_snapshot_drop(struct index_snapshot *s)
{
    if (!s)
        return;
    assert(s->refs > 0);
    if (--s->refs == 0)
        snapshot_free(s);
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
                                      int64_t index_version,
                                      struct footnote_err *err)
{
    struct index_snapshot *new = calloc(1, sizeof(*new)), *old;
    enum footnote_rc rc;

    if (!new)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    new->refs = 1;
    new->index_version = index_version;
    if (list->n > 0)
        qsort(list->items, list->n, sizeof(struct segment *), by_size);
    rc = fill(c, new, list, err);
    if (rc != FOOTNOTE_OK) {
        snapshot_free(new);
        return rc;
    }
    pthread_mutex_lock(&ix->lock);
    old = c->snapshot;
    c->snapshot = new;
    make_room(ix, c);
    index_queue(ix, c, INDEX_KEEP);
    pthread_mutex_unlock(&ix->lock);
    index_snapshot_drop(old);
    return FOOTNOTE_OK;
}
