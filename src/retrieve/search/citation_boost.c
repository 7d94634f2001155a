/* citation_boost.c - documents and passages that the session has cited before
 * are a little more likely to answer it now.
 *
 *     s' = s / max + .2 min(1, log2(1 + citations of the document) / 3)
 *                  + .05 min(1, log2(1 + citations of the passage) / 2)
 *
 * The document counts more than the passage, and neither can lift a passage
 * that hardly matches.  This helps sessions that stay with a document, and
 * costs little when they change the subject. */
#include <math.h>
#include <stdlib.h>

#include "retrieve/search/search.h"
#include "store/document/search.h"

#define DOCUMENT_SHARE 0.2F
#define PASSAGE_SHARE  0.05F

static float boost(int64_t cited_n, float share, float full)
{
    float share_of_full = log2f(1 + (float)cited_n) / full;

    return share * (share_of_full < 1 ? share_of_full : 1);
}

int64_t document_cited_n(const struct search_scope *scope, int64_t key)
{
    int64_t n = 0;

    for (size_t i = 0; i < scope->citations_n; i++)
        if (scope->citations[i].document_key == key)
            n += scope->citations[i].cited_n;
    return n;
}

static int64_t passage_cited_n(const struct search_scope *scope, struct str key)
{
    for (size_t i = 0; i < scope->citations_n; i++)
        if (str_eq(scope->citations[i].source_key, key))
            return scope->citations[i].cited_n;
    return 0;
}

static bool has_citations(const struct search_run *run)
{
    return run->scope.citations_n > 0 && !run->search->ignore_citations;
}

void boost_cited_documents(const struct search_run *run, struct ranked *ranked,
                           size_t n)
{
    float max = n ? ranked[0].score : 1;

    for (size_t i = 0; i < n; i++) {
        const struct segment *s = run->query.ranges[ranked[i].range].segment;
        uint32_t d = segment_document_of(s, ranked[i].passage);

        ranked[i].score /= max > 0 ? max : 1;
        if (has_citations(run))
            ranked[i].score +=
                boost(document_cited_n(&run->scope, s->documents[d].key),
                      DOCUMENT_SHARE, 3);
    }
    if (has_citations(run))
        rank_sort(ranked, n);
}

static int by_score(const void *a, const void *b)
{
    const struct located_hit *x = a, *y = b;

    if (x->score < y->score || y->score < x->score)
        return x->score < y->score ? 1 : -1;
    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->passage < y->passage ? -1 : x->passage > y->passage;
}

void boost_cited_passages(const struct search_run *run,
                          struct located_hit *hits, size_t n)
{
    if (!has_citations(run))
        return;
    for (size_t i = 0; i < n; i++)
        hits[i].score +=
            boost(passage_cited_n(&run->scope, hits[i].key), PASSAGE_SHARE, 2);
    qsort(hits, n, sizeof(*hits), by_score);
}
