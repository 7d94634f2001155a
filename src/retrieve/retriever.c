/* retriever.c - one search, from the question to hits.
 *
 *     scope -> snapshots -> query -> rank -> pairs -> prior -> hits
 *                             ^                                  |
 *                             +---- once more, when unsure ------+
 */
#include "retrieve/search/search.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "store/document/document.h"
#include "store/document/search.h"
#include "store/store.h"

enum {
    EXTRA_HITS = 8 /* read beyond the limit, for the prior to choose from */
};
#define BYTES_DEFAULT     ((size_t)1 << 30)
#define SCRATCH_BYTES_MAX ((size_t)256 << 20)

/* ---- Life --------------------------------------------------------------- */

enum footnote_rc retriever_open(struct store *st,
                                const struct retriever_options *o,
                                struct retriever **out,
                                struct footnote_err *err)
{
    struct indexes_options so = {.folder = o->folder,
                                 .bytes_max = o->bytes_max ? o->bytes_max
                                                           : BYTES_DEFAULT};
    struct embedder e = {o->embeddings_url, o->embeddings_model,
                         o->embeddings_key};
    struct retriever *r = calloc(1, sizeof(*r));
    enum footnote_rc rc;

    *out = NULL;
    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    r->store = st;
    rc = indexes_open(st, &so, &r->indexes, err);
    if (rc == FOOTNOTE_OK && e.url && e.model)
        rc = dense_open(st, &e, &r->dense, err);
    if (rc != FOOTNOTE_OK)
        retriever_close(r);
    else
        *out = r;
    return rc;
}

void retriever_close(struct retriever *r)
{
    if (!r)
        return;
    dense_close(r->dense);
    indexes_close(r->indexes);
    free(r);
}

void retriever_changed(struct retriever *r, const struct document_change *c)
{
    indexes_changed(r->indexes, c);
}

/* ---- Where to look ------------------------------------------------------ */

static enum footnote_rc open_scope(struct finding *f, struct footnote_err *err)
{
    const struct search *s = f->s;

    f->scope = (struct search_scope){
        .course = s->course,
        .document = s->document,
        .session = s->no_prior && !s->seed ? STR_NONE : s->session};
    TRY(store_read(f->r->store, s->who, &f->scratch, OP(search_scope),
                   &f->scope, err));
    f->snapshots = arena_many(&f->scratch, f->scope.courses_n + 1,
                              struct index_snapshot *);
    TRY(arena_rc(&f->scratch, err));
    for (size_t i = 0; i < f->scope.courses_n; i++)
        TRY(indexes_get(f->r->indexes, s->who.tenant, &f->scope.courses[i],
                        f->scope.docs_version, &f->snapshots[i], err));
    return FOOTNOTE_OK;
}

/* A document is a range of one segment; the others count for statistics. */
static struct part part_of(const struct snapshot_segment *h, int64_t document)
{
    const struct segment *s = h->segment;
    struct part p = {s, h->dead, 0, s->passages_n};
    uint32_t i;

    if (!document)
        return p;
    i = segment_document(s, document);
    p.to = 0;
    if (i < s->documents_n) {
        p.from = s->documents[i].first;
        p.to = s->documents[i + 1].first;
    }
    return p;
}

static enum footnote_rc open_parts(struct finding *f, struct footnote_err *err)
{
    struct part *parts;
    size_t n = 0, max = 0;

    for (size_t i = 0; i < f->scope.courses_n; i++)
        max += f->snapshots[i]->segments_n;
    parts = arena_many(&f->scratch, max + 1, struct part);
    TRY(arena_rc(&f->scratch, err));
    for (size_t i = 0; i < f->scope.courses_n; i++)
        for (size_t k = 0; k < f->snapshots[i]->segments_n; k++)
            parts[n++] =
                part_of(&f->snapshots[i]->segments[k], f->scope.document_key);
    f->query.parts = parts;
    f->query.parts_n = n;
    return FOOTNOTE_OK;
}

/* ---- Looking ------------------------------------------------------------ */

static struct str cut(struct str s)
{
    if (s.n <= RETRIEVE_QUERY_BYTES)
        return s;
    s.n = RETRIEVE_QUERY_BYTES;
    s.n = utf8_whole(s);
    return s;
}

static enum footnote_rc ask(struct finding *f, struct footnote_err *err)
{
    struct query *q = &f->query;

    q->arena = f->out;
    q->scratch = &f->scratch;
    q->analyser = f->analyser;
    TRY(query_init(q, err));
    TRY(query_text(q, cut(f->s->query), false, err));
    if (f->s->previous.p)
        TRY(query_text(q, cut(f->s->previous), true, err));
    return FOOTNOTE_OK;
}

struct attempt {
    float max; /* best score, before it becomes a share */
    struct ranked *ranked;
    struct found *found;
    size_t ranked_n, found_n;
    double confidence;
};

static void cover(const struct finding *f, struct found *found, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct hit *h = &found[i].hit;
        uint64_t groups =
            query_cover(&f->query, f->analyser, h->text, found[i].language) |
            query_cover(&f->query, f->analyser, h->source.title,
                        found[i].language);

        h->coverage = query_share(&f->query, groups);
    }
}

static size_t limit_of(const struct search *s)
{
    size_t limit = s->limit ? s->limit : RETRIEVE_HITS;

    return limit < RETRIEVE_HITS_MAX ? limit : RETRIEVE_HITS_MAX;
}

static enum footnote_rc attempt(struct finding *f, struct attempt *a,
                                struct footnote_err *err)
{
    size_t want = limit_of(f->s) + (f->scope.citations_n ? EXTRA_HITS : 0);

    a->ranked = arena_many(&f->scratch, QUERY_TOP, struct ranked);
    a->found = arena_many(&f->scratch, QUERY_TOP, struct found);
    TRY(arena_rc(&f->scratch, err));
    TRY(rank_top(&f->query, a->ranked, QUERY_TOP, &a->ranked_n, err));
    rank_pairs(&f->query, a->ranked, a->ranked_n);
    a->max = a->ranked_n ? a->ranked[0].score : 0;
    if (f->r->dense)
        TRY(fuse(f, a->ranked, &a->ranked_n, err));
    prior_documents(f, a->ranked, a->ranked_n);
    TRY(hits_fetch(f, a->ranked, a->ranked_n < want ? a->ranked_n : want,
                   a->found, &a->found_n, err));
    prior_passages(f, a->found, a->found_n);
    if (a->found_n > limit_of(f->s))
        a->found_n = limit_of(f->s);
    cover(f, a->found, a->found_n);
    f->ranked = a->ranked;
    f->ranked_n = a->ranked_n;
    a->confidence = confidence_of(f, a->found, a->found_n);
    return FOOTNOTE_OK;
}

/* ---- Results ------------------------------------------------------------ */

static enum footnote_rc give(struct finding *f, const struct attempt *a,
                             struct footnote_err *err)
{
    struct search *s = f->s;
    float max = a->found_n ? a->found[0].score : 1;
    struct query *kept = arena_new(f->out, struct query);

    s->hits = arena_many(f->out, a->found_n + SEED_DOCUMENTS + SEED_JOURNALS,
                         struct hit);
    TRY(arena_rc(f->out, err));
    for (size_t i = 0; i < a->found_n; i++) {
        s->hits[i] = a->found[i].hit;
        s->hits[i].score = (double)(a->found[i].score / (max > 0 ? max : 1));
    }
    s->hits_n = a->found_n;
    s->confidence = a->confidence;
    s->low_confidence = a->confidence < CONFIDENCE_LOW;
    *kept = f->query;
    s->ready = kept;
    return FOOTNOTE_OK;
}

static void finding_free(struct finding *f)
{
    for (size_t i = 0; f->snapshots && i < f->scope.courses_n; i++)
        index_snapshot_drop(f->snapshots[i]);
    indexes_return_analyser(f->r->indexes, f->analyser);
    arena_free(&f->scratch);
}

enum footnote_rc retriever_search(struct retriever *r, struct arena *out,
                                  struct search *s, struct footnote_err *err)
{
    AUTO(finding_free) struct finding f = {.r = r, .s = s, .out = out};
    struct attempt first = {.found_n = 0}, second = {.found_n = 0}, *best;

    f.scratch = ARENA(SCRATCH_BYTES_MAX);
    s->hits = NULL;
    s->hits_n = 0;
    if (!s->query.p || !utf8_valid(s->query) ||
        (s->previous.p && !utf8_valid(s->previous)))
        return err_set(err, FOOTNOTE_INVALID, "query: is missing or not UTF-8");
    TRY(open_scope(&f, err));
    f.analyser = indexes_borrow_analyser(r->indexes);
    if (!f.analyser)
        return err_set(err, FOOTNOTE_NOMEM, "searching");
    TRY(open_parts(&f, err));
    TRY(ask(&f, err));
    TRY(attempt(&f, &first, err));
    if (first.confidence < CONFIDENCE_LOW && first.ranked_n > 0) {
        TRY(rank_expand(&f.query, first.ranked, first.ranked_n, err));
        TRY(attempt(&f, &second, err));
    }
    best = second.confidence > first.confidence ? &second : &first;
    TRY(give(&f, best, err));
    return s->seed && !s->document.p ? seed(&f, best->max, err) : FOOTNOTE_OK;
}
