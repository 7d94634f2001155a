/* sync.c - brings the index of a course up to date with the store.
 *
 * The store's list of documents says what the index should have.  Documents
 * that no segment has are read, in runs that follow each other in the list,
 * and become new segments. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/index/course_index.h"

enum {
    PASSAGES_AT_ONCE = 500,       /* read from the store */
    SEGMENT_PASSAGES_NEW = 50000, /* a new segment ends behind so many */
    GUESS_BYTES = 16 * 1024       /* of a document, to tell its language */
};
#define GUESS_BYTES_MAX ((size_t)1 << 20)
#define LIST_BYTES_MAX  ((size_t)1 << 30)
#define BATCH_BYTES_MAX ((size_t)256 << 20)

/* The index reads for itself, not for a user. */
static struct who reader(const struct course_index *c)
{
    return (struct who){str_c(c->tenant), STR("index")};
}

static uint64_t short_digest(const struct sha256 *d)
{
    uint64_t v;

    memcpy(&v, d->b, sizeof(v));
    return v;
}

/* ---- What the index should have ------------------------------------------ */

static enum footnote_rc list_live(struct course_index *c,
                                  const struct index_documents *list,
                                  struct footnote_err *err)
{
    struct live_document *live = calloc(list->documents_n + 1, sizeof(*live));

    if (!live)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    for (size_t i = 0; i < list->documents_n; i++) {
        const struct index_document *d = &list->documents[i];

        assert(i == 0 || d[-1].key < d->key);
        live[i] = (struct live_document){.key = d->key,
                                         .digest = short_digest(&d->digest),
                                         .version = (uint32_t)d->version};
    }
    free(c->live);
    c->live = live;
    c->live_n = list->documents_n;
    return FOOTNOTE_OK;
}

static bool is_missing(const struct live_document *l,
                       const struct segment_list *segments)
{
    for (size_t i = 0; i < segments->n; i++) {
        const struct segment *s = segments->items[i];
        uint32_t d = segment_document(s, l->key);

        if (d < s->documents_n && s->documents[d].version == l->version &&
            s->documents[d].digest == l->digest)
            return false;
    }
    return true;
}

/* ---- Making what is missing --------------------------------------------- */

struct course_sync {
    struct store *store;
    const struct course_index *course;
    const struct index_documents *list;
    const bool *missing; /* by index in list */
    struct builder *builder;
    struct analyser *analyser;
    int64_t current; /* document that the builder is at */
    struct segment_list *segments;
};

static enum footnote_rc end_segment(struct course_sync *sync,
                                    struct footnote_err *err)
{
    struct segment *s;

    TRY(builder_finish(sync->builder, &s, err));
    return segment_list_add(sync->segments, s, err);
}

/* A document's language by its first passages; English when they are too
 * short to tell. */
static enum language guess_language(struct course_sync *sync,
                                    const struct index_passage *p, size_t n)
{
    AUTO(buf_free) struct buf b = BUF(GUESS_BYTES_MAX);
    enum language l;

    for (size_t i = 0;
         i < n && p[i].document == p->document && b.n < GUESS_BYTES; i++) {
        buf_add(&b, p[i].text);
        buf_add_c(&b, '\n');
    }
    l = language_guess(sync->analyser, buf_str(&b));
    return l == LANGUAGE_NONE ? LANGUAGE_EN : l;
}

static enum footnote_rc begin_document(struct course_sync *sync,
                                       const struct index_document *d,
                                       const struct index_passage *p, size_t n,
                                       struct footnote_err *err)
{
    struct segment_document new = {.key = d->key,
                                   .digest = short_digest(&d->digest),
                                   .version = (uint32_t)d->version,
                                   .kind = (uint32_t)d->kind,
                                   .language = guess_language(sync, p, n)};

    if (builder_passages_n(sync->builder) >= SEGMENT_PASSAGES_NEW)
        TRY(end_segment(sync, err));
    sync->current = d->key;
    return builder_document(sync->builder, &new, d->title, err);
}

/* Passages of documents [*at, last] of the list.  A document that has changed
 * since the list was read is left out; the next search sees it. */
static enum footnote_rc add_passages(struct course_sync *sync, size_t *at,
                                     size_t last,
                                     const struct index_passages *op,
                                     struct footnote_err *err)
{
    const struct index_document *d = sync->list->documents;

    for (size_t i = 0; i < op->passages_n; i++) {
        const struct index_passage *p = &op->passages[i];

        while (*at < last && d[*at].key < p->document)
            ++*at;
        if (d[*at].key != p->document || d[*at].version != p->version)
            continue;
        if (sync->current != p->document)
            TRY(begin_document(sync, &d[*at], p, op->passages_n - i, err));
        TRY(builder_passage(sync->builder, p->position, p->heading, p->text,
                            err));
    }
    return FOOTNOTE_OK;
}

/* Documents [first, last] of the list. */
static enum footnote_rc add_documents(struct course_sync *sync, size_t first,
                                      size_t last, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(BATCH_BYTES_MAX);
    const struct index_document *d = sync->list->documents;
    struct index_passages op = {.course = sync->course->key,
                                .after_document = d[first].key,
                                .after_position = 0,
                                .last_document = d[last].key,
                                .limit = PASSAGES_AT_ONCE};

    do {
        const struct index_passage *p;

        arena_reset(&a);
        TRY(store_read(sync->store, reader(sync->course), &a,
                       OP(index_passages), &op, err));
        TRY(add_passages(sync, &first, last, &op, err));
        if (op.passages_n == 0)
            break;
        p = &op.passages[op.passages_n - 1];
        op.after_document = p->document;
        op.after_position = p->position;
    } while (op.passages_n == PASSAGES_AT_ONCE);
    return FOOTNOTE_OK;
}

static enum footnote_rc add_missing(struct course_sync *sync,
                                    struct footnote_err *err)
{
    AUTO(builder_closep) struct builder *builder = NULL;
    size_t n = sync->list->documents_n;

    TRY(builder_open(sync->analyser, &builder, err));
    sync->builder = builder;
    for (size_t i = 0; i < n; i++) {
        size_t last = i;

        if (!sync->missing[i])
            continue;
        while (last + 1 < n && sync->missing[last + 1])
            last++;
        TRY(add_documents(sync, i, last, err));
        i = last;
    }
    return builder_passages_n(builder) ? end_segment(sync, err) : FOOTNOTE_OK;
}

static enum footnote_rc make_segments(struct indexes *ix,
                                      const struct course_index *c,
                                      const struct index_documents *list,
                                      struct segment_list *segments,
                                      struct footnote_err *err)
{
    bool *missing = calloc(list->documents_n + 1, sizeof(*missing)),
         any = false;
    struct course_sync sync = {.store = ix->store,
                               .course = c,
                               .list = list,
                               .missing = missing,
                               .segments = segments};
    enum footnote_rc rc = FOOTNOTE_OK;

    assert(c->live_n == list->documents_n);
    for (size_t i = 0; missing && i < c->live_n; i++)
        any |= missing[i] = is_missing(&c->live[i], segments);
    sync.analyser = any ? indexes_borrow_analyser(ix) : NULL;
    if (!missing || (any && !sync.analyser))
        rc = err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    else if (any)
        rc = add_missing(&sync, err);
    indexes_return_analyser(ix, sync.analyser);
    free(missing);
    return rc;
}

/* ---- All of it ---------------------------------------------------------- */

/* The segments of the snapshot; without one, those on disk. */
static enum footnote_rc gather_segments(struct indexes *ix,
                                        struct course_index *c,
                                        struct segment_list *list,
                                        struct footnote_err *err)
{
    struct index_snapshot *now = course_index_snapshot(ix, c);
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!now)
        return course_index_load(c, list, err);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < now->segments_n; i++)
        rc =
            segment_list_add(list, segment_hold(now->segments[i].segment), err);
    index_snapshot_drop(now);
    return rc;
}

enum footnote_rc course_index_sync(struct indexes *ix, struct course_index *c,
                                   struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    AUTO(segment_list_free) struct segment_list segments = {.n = 0};
    struct index_documents list = {.course = c->key};

    TRY(store_read(ix->store, reader(c), &a, OP(index_documents), &list, err));
    TRY(list_live(c, &list, err));
    TRY(gather_segments(ix, c, &segments, err));
    TRY(make_segments(ix, c, &list, &segments, err));
    return course_index_install(ix, c, &segments, list.docs_version, err);
}
