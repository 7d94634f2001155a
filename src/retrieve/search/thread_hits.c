/* thread_hits.c - hits that fit the session rather than the question: the
 * documents that it cited most, each by its best passage, and the newest
 * journal entries.  They come after the hits that were found. */
#include <assert.h>

#include "retrieve/search/search.h"
#include "store/document/search.h"

/* ---- The most cited documents ------------------------------------------- */

static bool is_among(const int64_t *keys, size_t n, int64_t key)
{
    for (size_t i = 0; i < n; i++)
        if (keys[i] == key)
            return true;
    return false;
}

static size_t most_cited(const struct search_run *run, int64_t *keys)
{
    size_t n = 0;

    while (n < THREAD_DOCUMENTS) {
        int64_t best = 0, most = 0;

        for (size_t i = 0; i < run->scope.citations_n; i++) {
            int64_t key = run->scope.citations[i].document_key;

            if (key && !is_among(keys, n, key) &&
                document_cited_n(&run->scope, key) > most) {
                best = key;
                most = document_cited_n(&run->scope, key);
            }
        }
        if (!best)
            break;
        keys[n++] = best;
    }
    return n;
}

/* The passage of a document that ranks best, or its first. */
static enum footnote_rc best_passage(struct search_run *run, int64_t key,
                                     struct ranked *out, size_t *n,
                                     struct footnote_err *err)
{
    struct segment_range *ranges = arena_many(
        &run->scratch, run->query.ranges_n + 1, struct segment_range);
    struct query q = run->query;
    struct ranked first = {.score = 0};
    bool has_first = false;

    TRY(arena_rc(&run->scratch, err));
    for (uint32_t i = 0; i < q.ranges_n; i++) {
        const struct segment *s = q.ranges[i].segment;
        uint32_t d = segment_document(s, key);

        ranges[i] = q.ranges[i];
        ranges[i].from = d < s->documents_n ? s->documents[d].first : 0;
        ranges[i].to = d < s->documents_n ? s->documents[d + 1].first : 0;
        if (ranges[i].from < ranges[i].to &&
            !passage_is_dead(ranges[i].dead, ranges[i].from)) {
            first = (struct ranked){i, ranges[i].from, 0};
            has_first = true;
        }
    }
    q.ranges = ranges;
    TRY(rank_top(&q, out, 1, n, err));
    if (*n == 0 && has_first) {
        *out = first;
        *n = 1;
    }
    return FOOTNOTE_OK;
}

/* ---- Journal entries ---------------------------------------------------- */

static enum footnote_rc recent_journals(struct search_run *run,
                                        struct located_hit *found, size_t *n,
                                        struct footnote_err *err)
{
    struct journal_recent op = {.courses = run->scope.courses,
                                .courses_n = run->scope.courses_n,
                                .limit = THREAD_JOURNALS};
    size_t got = 0;

    TRY(store_read(run->retriever->store, run->search->who, &run->scratch,
                   OP(journal_recent), &op, err));
    for (size_t k = 0; k < op.hits_n; k++)
        found[*n + k] = (struct located_hit){.language = LANGUAGE_EN};
    TRY(hits_fill(run, op.hits, op.hits_n, found + *n, &got, err));
    *n += got;
    return FOOTNOTE_OK;
}

/* ---- Both --------------------------------------------------------------- */

static bool has_hit(const struct search *s, const struct hit *h)
{
    for (size_t i = 0; i < s->hits_n; i++)
        if (str_eq(s->hits[i].doc_ref, h->doc_ref) &&
            str_eq(s->hits[i].text, h->text))
            return true;
    return false;
}

enum footnote_rc add_thread_hits(struct search_run *run, float max,
                                 struct footnote_err *err)
{
    struct located_hit found[THREAD_DOCUMENTS + THREAD_JOURNALS];
    int64_t keys[THREAD_DOCUMENTS];
    size_t keys_n = most_cited(run, keys), n = 0;

    for (size_t i = 0; i < keys_n; i++) {
        struct ranked best;
        size_t ranked_n = 0, got = 0;

        TRY(best_passage(run, keys[i], &best, &ranked_n, err));
        TRY(hits_fetch(run, &best, ranked_n, found + n, &got, err));
        n += got;
    }
    assert(n <= THREAD_DOCUMENTS);
    TRY(recent_journals(run, found, &n, err));
    for (size_t i = 0; i < n; i++) {
        struct hit *h = &found[i].hit;
        uint64_t groups = query_groups_in(&run->query, run->analyser, h->text,
                                          found[i].language);

        if (has_hit(run->search, h))
            continue;
        h->score = max > 0 ? (double)(found[i].score / max) : 0;
        h->score = h->score < 1 ? h->score : 1;
        h->coverage = query_idf_share(&run->query, groups);
        run->search->hits[run->search->hits_n++] = *h;
    }
    return FOOTNOTE_OK;
}
