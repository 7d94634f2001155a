/* rerank_hits.c - the first hits in the order that a reranker gives them.
 *
 * Their scores stay between the best and the least that they had, so that what
 * comes behind them stays there.  When the reranker fails, nothing changes. */
#include <stdlib.h>

#include "base/utf8.h"
#include "retrieve/remote/rerank.h"
#include "retrieve/search/search.h"

enum { TEXT_BYTES = 4096 }; /* models read no more */

static struct str text_of(struct arena *a, const struct hit *h)
{
    struct str text = h->source.title.n ? arena_printf(a, "%.*s\n%.*s",
                                                       STR_ARG(h->source.title),
                                                       STR_ARG(h->text))
                                        : h->text;

    if (text.n > TEXT_BYTES) {
        text.n = TEXT_BYTES;
        text.n = utf8_whole(text);
    }
    return text;
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

static void set_scores(struct located_hit *hits, size_t n, const double *scores)
{
    float best = hits[0].score, least = hits[n - 1].score;
    double low = scores[0], high = scores[0];

    for (size_t i = 0; i < n; i++) {
        low = scores[i] < low ? scores[i] : low;
        high = scores[i] > high ? scores[i] : high;
    }
    if (high <= low) /* it knows no difference */
        return;
    if (best <= least) /* nor did words */
        best = least + 1;
    for (size_t i = 0; i < n; i++)
        hits[i].score =
            least + (best - least) * (float)((scores[i] - low) / (high - low));
    qsort(hits, n, sizeof(*hits), by_score);
}

bool rerank_hits(struct search_run *run, struct located_hit *hits, size_t n)
{
    const struct retriever *r = run->retriever;
    struct str texts[RERANK_HITS];
    struct reranking op = {.query = run->search->query,
                           .texts = texts,
                           .n = n < RERANK_HITS ? n : RERANK_HITS,
                           .model = str_c(r->rerank_model),
                           .timeout_ms = r->rerank_ms};

    if (op.n < 2 || op.query.n == 0 || op.query.n > RETRIEVE_QUERY_BYTES)
        return false;
    run->search->not_reranked = true;
    if (endpoint_pause_ms(r->reranker, ENDPOINT_QUESTIONS) > 0)
        return false;
    for (size_t i = 0; i < op.n; i++)
        texts[i] = text_of(&run->scratch, &hits[i].hit);
    if (arena_rc(&run->scratch, NULL) != FOOTNOTE_OK ||
        rerank(r->reranker, &run->scratch, &op, NULL) != FOOTNOTE_OK)
        return false;
    set_scores(hits, op.n, op.scores);
    run->search->not_reranked = false;
    return true;
}
