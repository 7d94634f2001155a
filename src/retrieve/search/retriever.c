/* retriever.c - one search, from the question to hits.
 *
 *     scope -> snapshots -> query -> ranking -> hits -> confidence
 *                             ^                             |
 *                             +--- once more, when unsure --+
 */
#include "retrieve/search/outline.h"
#include "retrieve/search/search.h"

#include <assert.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "retrieve/remote/rerank.h"
#include "store/document/document.h"
#include "store/document/search.h"

enum {
    ENDPOINT_MS = 2000,
    EXTRA_HITS = 8 /* read beyond the limit, for cited passages to rise from */
};
#define BYTES_DEFAULT     ((size_t)1 << 30)
#define SCRATCH_BYTES_MAX ((size_t)256 << 20)

/* ---- Life --------------------------------------------------------------- */

static enum footnote_rc open_reranker(struct retriever *r,
                                      const struct retriever_options *o,
                                      struct footnote_err *err)
{
    r->rerank_ms = o->rerank_ms ? o->rerank_ms : ENDPOINT_MS;
    r->rerank_model = strdup(o->rerank_model ? o->rerank_model : "");
    if (!r->rerank_model)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    return endpoint_open("the reranker", o->rerank_url, RERANK_PATH,
                         o->rerank_key, &r->reranker, err);
}

enum footnote_rc retriever_open(struct store *st,
                                const struct retriever_options *o,
                                struct retriever **out,
                                struct footnote_err *err)
{
    struct indexes_options so = {.folder = o->folder,
                                 .bytes_max = o->bytes_max ? o->bytes_max
                                                           : BYTES_DEFAULT};
    struct dense_options dense = {.url = o->embeddings_url,
                                  .model = o->embeddings_model,
                                  .key = o->embeddings_key,
                                  .query_prefix = o->query_prefix,
                                  .passage_prefix = o->passage_prefix,
                                  .bytes_max = so.bytes_max,
                                  .wait_ms = o->embeddings_ms ? o->embeddings_ms
                                                              : ENDPOINT_MS,
                                  .only_reads = o->only_reads};
    struct retriever *r = calloc(1, sizeof(*r));
    enum footnote_rc rc;

    *out = NULL;
    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    r->store = st;
    rc = indexes_open(st, &so, &r->indexes, err);
    if (rc == FOOTNOTE_OK && dense.url && dense.model)
        rc = dense_open(st, &dense, &r->dense, err);
    if (rc == FOOTNOTE_OK && o->rerank_url)
        rc = open_reranker(r, o, err);
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
    endpoint_close(r->reranker);
    free(r->rerank_model);
    indexes_close(r->indexes);
    free(r);
}

void retriever_changed(struct retriever *r, const struct document_change *c)
{
    indexes_changed(r->indexes, c);
    if (r->dense && (c->deleted || c->status == DOCUMENT_READY))
        dense_changed(r->dense, c->tenant, c->course);
}

void retriever_index_all(struct retriever *r)
{
    indexes_all(r->indexes);
    if (r->dense)
        dense_all(r->dense);
}

bool retriever_progress(struct retriever *r, struct str tenant,
                        struct str course, struct retriever_progress *out)
{
    struct dense_progress p = {0, 0};

    if (r->dense)
        p = dense_progress(r->dense, tenant, course);
    *out = (struct retriever_progress){p.passages, p.vectors};
    return r->dense != NULL;
}

enum footnote_rc retriever_wait_vectors(struct retriever *r,
                                        struct footnote_err *err)
{
    struct retriever_progress p;
    struct endpoint_state s;

    if (!r->dense)
        return FOOTNOTE_OK;
    dense_all(r->dense);
    dense_wait_idle(r->dense);
    (void)retriever_progress(r, STR_NONE, STR_NONE, &p);
    if (p.vectors >= p.passages)
        return FOOTNOTE_OK;
    endpoint_look(dense_endpoint(r->dense), &s);
    return err_set(
        err, FOOTNOTE_BUSY, "%lld of %lld passages have no vector: %s",
        (long long)(p.passages - p.vectors), (long long)p.passages, s.cause);
}

struct endpoint *retriever_embedder(const struct retriever *r)
{
    return r->dense ? dense_endpoint(r->dense) : NULL;
}

struct endpoint *retriever_reranker(const struct retriever *r)
{
    return r->reranker;
}

uint64_t retriever_damaged(const struct retriever *r)
{
    return indexes_damaged(r->indexes);
}

void retriever_watch(struct retriever *r, retriever_watch_fn *fn, void *arg)
{
    indexes_watch(r->indexes, fn, arg);
}

/* ---- Scope and query ---------------------------------------------------- */

static enum footnote_rc open_scope(struct search_run *run,
                                   struct footnote_err *err)
{
    struct search *s = run->search;
    bool needs_citations = !s->ignore_citations || s->thread_hits;

    run->scope = (struct search_scope){.course = s->course,
                                       .filter = s->filter,
                                       .within = s->within,
                                       .kept = s->kept,
                                       .session = needs_citations ? s->session
                                                                  : STR_NONE};
    TRY(store_read(run->retriever->store, s->who, &run->scratch,
                   OP(search_scope), &run->scope, err));
    s->scope_empty = run->scope.limited && run->scope.documents_n == 0;
    s->scope_waits = s->scope_empty && run->scope.waits;
    if (s->scope_empty)
        return FOOTNOTE_OK;
    run->snapshots = arena_many(&run->scratch, run->scope.courses_n + 1,
                                struct index_snapshot *);
    TRY(arena_rc(&run->scratch, err));
    for (size_t i = 0; i < run->scope.courses_n; i++) {
        bool behind = false;

        TRY(indexes_get(run->retriever->indexes, s->who.tenant,
                        &run->scope.courses[i], s->patience == SEARCH_WAIT,
                        &run->snapshots[i], &behind, err));
        s->indexing |= behind;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc open_query(struct search_run *run,
                                   struct footnote_err *err)
{
    struct query *q = &run->query;

    q->arena = run->out;
    q->scratch = &run->scratch;
    q->analyser = run->analyser;
    TRY(query_init(q, err));
    return query_add_thread(q, run->search, err);
}

/* ---- Ranking ------------------------------------------------------------ */

/* The features of the ranking: each adds to scores and sorts again. */
static enum footnote_rc rank_passages(struct search_run *run,
                                      struct search_attempt *a,
                                      struct footnote_err *err)
{
    TRY(rank_top(&run->query, a->ranked, QUERY_TOP, &a->ranked_n, err));
    rank_proximity(&run->query, a->ranked, a->ranked_n);
    rank_language(&run->query, a->ranked, a->ranked_n);
    a->max_by_words = a->ranked_n ? a->ranked[0].score : 0;
    if (run->retriever->dense && run->search->by != SEARCH_BY_WORDS)
        TRY(fuse_vectors(run, a->ranked, &a->ranked_n, err));
    boost_cited_documents(run, a->ranked, a->ranked_n);
    return FOOTNOTE_OK;
}

static void set_coverage(const struct search_run *run, struct search_attempt *a)
{
    const struct query *q = &run->query;

    for (size_t i = 0; i < a->hits_n; i++) {
        struct hit *h = &a->hits[i].hit;
        enum language l = a->hits[i].language;

        h->coverage = query_idf_share(
            q, query_groups_in(q, run->analyser, h->text, l) |
                   query_groups_in(q, run->analyser, h->source.title, l));
    }
}

/* The same text in two documents of one title, which are copies, is one hit:
 * the first, which is the better one.  Returns how many are left. */
static size_t drop_copies(struct located_hit *hits, size_t n)
{
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        bool copy = false;

        for (size_t k = 0; k < left && !copy; k++)
            copy = hits[i].hit.source.type == hits[k].hit.source.type &&
                   str_eq(hits[i].hit.source.title, hits[k].hit.source.title) &&
                   !str_eq(hits[i].hit.doc_ref, hits[k].hit.doc_ref) &&
                   str_eq(hits[i].hit.text, hits[k].hit.text);
        if (!copy)
            hits[left++] = hits[i];
    }
    return left;
}

/* The best `want` passages as hits, without copies. */
static enum footnote_rc fetch_hits(struct search_run *run,
                                   struct search_attempt *a, size_t want,
                                   struct footnote_err *err)
{
    size_t from = 0;

    a->hits_n = 0;
    while (from < a->ranked_n && a->hits_n < want) {
        size_t more = want - a->hits_n, got = 0;

        more = more < a->ranked_n - from ? more : a->ranked_n - from;
        TRY(hits_fetch(run, a->ranked + from, more, a->hits + a->hits_n, &got,
                       err));
        a->hits_n = drop_copies(a->hits, a->hits_n + got);
        from += more;
    }
    return FOOTNOTE_OK;
}

static size_t limit_of(const struct search_run *run)
{
    size_t limit = run->search->limit ? run->search->limit : RETRIEVE_HITS;

    return limit < RETRIEVE_HITS_MAX ? limit : RETRIEVE_HITS_MAX;
}

/* The surest of the new order's hits tells how sure the search is. */
static void rerank_attempt(struct search_run *run, struct search_attempt *a)
{
    size_t limit = limit_of(run);

    if (rerank_hits(run, a->hits, a->hits_n)) {
        run->ranked = a->ranked;
        run->ranked_n = a->ranked_n;
        a->confidence = confidence_of(run, a->hits, a->hits_n, a->max_by_words);
    }
    if (a->hits_n > limit)
        a->hits_n = limit;
}

static enum footnote_rc try_search(struct search_run *run,
                                   struct search_attempt *a,
                                   struct footnote_err *err)
{
    size_t limit = limit_of(run);
    size_t want;

    if (run->retriever->reranker && limit < RERANK_HITS)
        limit = RERANK_HITS;
    want = limit + (run->scope.citations_n ? EXTRA_HITS : 0);
    a->ranked = arena_many(&run->scratch, QUERY_TOP, struct ranked);
    a->hits = arena_many(&run->scratch, QUERY_TOP, struct located_hit);
    TRY(arena_rc(&run->scratch, err));
    TRY(rank_passages(run, a, err));
    assert(a->ranked_n <= QUERY_TOP);
    TRY(fetch_hits(run, a, want, err));
    boost_cited_passages(run, a->hits, a->hits_n);
    if (a->hits_n > limit)
        a->hits_n = limit;
    set_coverage(run, a);
    run->ranked = a->ranked;
    run->ranked_n = a->ranked_n;
    a->confidence = confidence_of(run, a->hits, a->hits_n, a->max_by_words);
    return FOOTNOTE_OK;
}

/* ---- Results ------------------------------------------------------------ */

static enum footnote_rc set_results(struct search_run *run,
                                    const struct search_attempt *a,
                                    struct footnote_err *err)
{
    struct search *s = run->search;
    float max = a->hits_n ? a->hits[0].score : 1;
    struct query *parsed = arena_new(run->out, struct query);

    s->hits = arena_many(
        run->out, a->hits_n + THREAD_DOCUMENTS + THREAD_JOURNALS, struct hit);
    TRY(arena_rc(run->out, err));
    for (size_t i = 0; i < a->hits_n; i++) {
        s->hits[i] = a->hits[i].hit;
        s->hits[i].score = (double)(a->hits[i].score / (max > 0 ? max : 1));
    }
    s->hits_n = a->hits_n;
    s->confidence = a->confidence;
    s->low_confidence = a->confidence < CONFIDENCE_LOW;
    TRY(repaired_words(run, a, err));
    *parsed = run->query;
    s->parsed = parsed;
    return FOOTNOTE_OK;
}

static void search_run_free(struct search_run *run)
{
    for (size_t i = 0; run->snapshots && i < run->scope.courses_n; i++)
        index_snapshot_drop(run->snapshots[i]);
    indexes_return_analyser(run->retriever->indexes, run->analyser);
    dense_found_free(&run->near);
    arena_free(&run->scratch);
}

enum footnote_rc retriever_search(struct retriever *r, struct arena *out,
                                  struct search *s, struct footnote_err *err)
{
    AUTO(search_run_free)
    struct search_run run = {.retriever = r, .search = s, .out = out};
    struct search_attempt first = {.hits_n = 0}, second = {.hits_n = 0}, *best;

    run.scratch = ARENA(SCRATCH_BYTES_MAX);
    s->hits = NULL;
    s->hits_n = 0;
    s->indexing = s->words_alone = s->not_reranked = false;
    s->outline = NULL;
    s->repaired_n = 0;
    if (!s->query.p || !utf8_valid(s->query))
        return err_field(err, FOOTNOTE_INVALID, "query",
                         "is missing or not UTF-8");
    TRY(open_scope(&run, err));
    s->confidence = 0;
    s->low_confidence = s->scope_empty;
    if (s->scope_empty)
        return FOOTNOTE_OK;
    if (s->indexing && s->patience == SEARCH_LATER)
        return FOOTNOTE_OK;
    run.analyser = indexes_borrow_analyser(r->indexes);
    if (!run.analyser)
        return err_set(err, FOOTNOTE_NOMEM, "searching");
    TRY(open_ranges(&run, err));
    if (s->outline_max && outline_is_asked(run.analyser, query_cut(s->query))) {
        TRY(outline_find(&run, err));
        if (s->hits_n > 0)
            return FOOTNOTE_OK;
    }
    TRY(open_query(&run, err));
    TRY(try_search(&run, &first, err));
    if (first.confidence < CONFIDENCE_LOW && first.ranked_n > 0) {
        TRY(rank_expand(&run.query, first.ranked, first.ranked_n, err));
        TRY(try_search(&run, &second, err));
    }
    best = second.confidence > first.confidence ? &second : &first;
    if (r->reranker)
        rerank_attempt(&run, best);
    TRY(set_results(&run, best, err));
    if (s->thread_hits && !run.scope.limited)
        TRY(add_thread_hits(&run, best->max_by_words, err));
    return FOOTNOTE_OK;
}
