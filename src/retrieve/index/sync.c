/* sync.c - brings the index of a course up to date with the store.
 *
 * One list of documents says what should be there.  What is missing is read,
 * in runs of documents that follow each other, and becomes new segments. */
#include <stdlib.h>

#include "base/clock.h"
#include "retrieve/index/indexes.h"
#include "store/document/search.h"
#include "store/store.h"

enum {
    PASSAGES_AT_ONCE = 500, /* read from the store */
    PASSAGES_MADE = 50000,  /* of one segment, while it is made */
    GUESS_BYTES = 16 * 1024 /* of a document, to tell its language */
};
#define GUESS_BYTES_MAX ((size_t)1 << 20)
#define LIST_BYTES_MAX  ((size_t)1 << 30)
#define BATCH_BYTES_MAX ((size_t)256 << 20)

/* Nobody asks: these reads are the index's own. */
static struct who reader(const struct book *b)
{
    return (struct who){book_tenant(b), STR("index")};
}

static uint64_t short_digest(const struct sha256 *d)
{
    uint64_t v;

    memcpy(&v, d->b, sizeof(v));
    return v;
}

/* ---- What should be there ----------------------------------------------- */

static enum footnote_rc list_live(struct book *b,
                                  const struct index_documents *op,
                                  struct footnote_err *err)
{
    struct live *live = calloc(op->documents_n + 1, sizeof(*live));

    if (!live)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    for (size_t i = 0; i < op->documents_n; i++) {
        const struct index_document *d = &op->documents[i];

        live[i] = (struct live){.key = d->key,
                                .digest = short_digest(&d->digest),
                                .version = (uint32_t)d->version};
    }
    free(b->live);
    b->live = live;
    b->live_n = op->documents_n;
    return FOOTNOTE_OK;
}

static bool has(const struct segment *s, const struct live *l)
{
    uint32_t i = segment_document(s, l->key);

    return i < s->documents_n && s->documents[i].version == l->version &&
           s->documents[i].digest == l->digest;
}

static bool is_missing(const struct live *l, struct segment *const *segments,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has(segments[i], l))
            return false;
    return true;
}

/* ---- Making what is missing --------------------------------------------- */

struct making {
    struct shelf *shelf;
    struct book *book;
    const struct index_documents *list;
    const bool *missing; /* by index in list */
    struct builder *builder;
    struct analyser *analyser;
    int64_t current; /* document that the builder is at */
    struct segment ***segments;
    size_t *segments_n;
};

static enum footnote_rc keep_segment(struct segment ***segments, size_t *n,
                                     struct segment *s,
                                     struct footnote_err *err)
{
    struct segment **more =
        realloc(*segments, (*n + 1) * sizeof(struct segment *));

    if (!more) {
        segment_drop(s);
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    }
    *segments = more;
    more[(*n)++] = s;
    return FOOTNOTE_OK;
}

static enum footnote_rc flush(struct making *m, struct footnote_err *err)
{
    struct segment *s;

    TRY(builder_finish(m->builder, &s, err));
    return keep_segment(m->segments, m->segments_n, s, err);
}

/* A document's language by its first passages; most are English when there is
 * too little text to tell, so that is what is taken. */
static enum language guess(struct making *m, const struct index_passage *p,
                           size_t n)
{
    AUTO(buf_free) struct buf b = BUF(GUESS_BYTES_MAX);
    enum language l;

    for (size_t i = 0;
         i < n && p[i].document == p->document && b.n < GUESS_BYTES; i++) {
        buf_add(&b, p[i].text);
        buf_add_c(&b, '\n');
    }
    l = language_guess(m->analyser, buf_str(&b));
    return l == LANGUAGE_NONE ? LANGUAGE_EN : l;
}

static enum footnote_rc begin_document(struct making *m,
                                       const struct index_document *d,
                                       enum language language,
                                       struct footnote_err *err)
{
    struct segment_document s = {.key = d->key,
                                 .digest = short_digest(&d->digest),
                                 .version = (uint32_t)d->version,
                                 .kind = (uint32_t)d->kind,
                                 .language = language};

    return builder_document(m->builder, &s, d->title, err);
}

static enum footnote_rc add_passage(struct making *m, size_t document,
                                    const struct index_passage *p, size_t n,
                                    struct footnote_err *err)
{
    if (m->current != p->document) {
        if (builder_passages_n(m->builder) >= PASSAGES_MADE)
            TRY(flush(m, err));
        TRY(begin_document(m, &m->list->documents[document], guess(m, p, n),
                           err));
        m->current = p->document;
    }
    return builder_passage(m->builder, p->position, p->heading, p->text, err);
}

/* Documents [*at, last] of the list.  One that has changed since the list was
 * read is left out; the next search sees it. */
static enum footnote_rc add_passages(struct making *m, size_t *at, size_t last,
                                     const struct index_passages *op,
                                     struct footnote_err *err)
{
    const struct index_document *d = m->list->documents;

    for (size_t i = 0; i < op->passages_n; i++) {
        const struct index_passage *p = &op->passages[i];

        while (*at < last && d[*at].key < p->document)
            ++*at;
        if (d[*at].key == p->document && d[*at].version == p->version)
            TRY(add_passage(m, *at, p, op->passages_n - i, err));
    }
    return FOOTNOTE_OK;
}

/* Documents [first, last] of the list. */
static enum footnote_rc make_run(struct making *m, size_t first, size_t last,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(BATCH_BYTES_MAX);
    const struct index_document *d = m->list->documents;
    struct index_passages op = {.course = m->book->key,
                                .after_document = d[first].key,
                                .after_position = 0,
                                .last_document = d[last].key,
                                .limit = PASSAGES_AT_ONCE};

    do {
        const struct index_passage *p;

        arena_reset(&a);
        TRY(store_read(m->shelf->store, reader(m->book), &a, OP(index_passages),
                       &op, err));
        TRY(add_passages(m, &first, last, &op, err));
        if (op.passages_n == 0)
            break;
        p = &op.passages[op.passages_n - 1];
        op.after_document = p->document;
        op.after_position = p->position;
    } while (op.passages_n == PASSAGES_AT_ONCE);
    return FOOTNOTE_OK;
}

static enum footnote_rc make_missing(struct making *m, struct footnote_err *err)
{
    for (size_t i = 0; i < m->list->documents_n; i++) {
        size_t last = i;

        if (!m->missing[i])
            continue;
        while (last + 1 < m->list->documents_n && m->missing[last + 1])
            last++;
        TRY(make_run(m, i, last, err));
        i = last;
    }
    return builder_passages_n(m->builder) ? flush(m, err) : FOOTNOTE_OK;
}

static enum footnote_rc make_segments(struct shelf *s, struct book *b,
                                      const struct index_documents *list,
                                      struct segment ***segments, size_t *n,
                                      struct footnote_err *err)
{
    AUTO(builder_closep) struct builder *builder = NULL;
    bool *missing = calloc(list->documents_n + 1, sizeof(*missing));
    struct making m = {.shelf = s,
                       .book = b,
                       .list = list,
                       .missing = missing,
                       .segments = segments};
    enum footnote_rc rc = FOOTNOTE_OK;
    bool any = false;

    if (!missing)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    for (size_t i = 0; i < b->live_n; i++)
        any |= missing[i] = is_missing(&b->live[i], *segments, *n);
    m.segments_n = n;
    m.analyser = any ? shelf_analyser(s) : NULL;
    if (any && !m.analyser)
        rc = err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    if (any && rc == FOOTNOTE_OK)
        rc = builder_open(m.analyser, &builder, err);
    m.builder = builder;
    if (any && rc == FOOTNOTE_OK)
        rc = make_missing(&m, err);
    shelf_analyser_give(s, m.analyser);
    free(missing);
    return rc;
}

/* ---- All of it ---------------------------------------------------------- */

/* The segments that are there: those of the snapshot, or of the files. */
static enum footnote_rc gather(struct shelf *s, struct book *b,
                               struct segment ***segments, size_t *n,
                               struct footnote_err *err)
{
    struct snapshot *now = book_snapshot(s, b);
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!now)
        return book_load(b, segments, n, err);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < now->held_n; i++)
        rc = keep_segment(segments, n, segment_hold(now->held[i].segment), err);
    snapshot_drop(now);
    return rc;
}

enum footnote_rc book_sync(struct shelf *s, struct book *b,
                           struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    struct index_documents list = {.course = b->key};
    struct segment **segments = NULL;
    size_t n = 0;
    enum footnote_rc rc;

    TRY(store_read(s->store, reader(b), &a, OP(index_documents), &list, err));
    rc = list_live(b, &list, err);
    if (rc == FOOTNOTE_OK)
        rc = gather(s, b, &segments, &n, err);
    if (rc == FOOTNOTE_OK)
        rc = make_segments(s, b, &list, &segments, &n, err);
    if (rc == FOOTNOTE_OK) {
        rc = book_install(s, b, segments, n, list.docs_version, err);
        n = 0;
    }
    while (n > 0)
        segment_drop(segments[--n]);
    free(segments);
    return rc;
}
