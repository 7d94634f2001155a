/* confidence.c - whether what was found is likely to answer the question.
 *
 *     .3   score by words, as a share of what the question's words can reach
 *   + .175 share of the question's idf in the best sentence and its title
 *   + .175 the same without the title
 *   + .175 share in two neighbouring sentences of the first READ_HITS hits
 *   + .175 min(1, 2 (s1 - s5) / s1): how far the best passage stands out
 *
 * Sentences are of the best passage unless said.  Of a search's two attempts
 * the surer one counts.  What vectors say belongs in here. */
#include <assert.h>

#include "language/passage_sentence.h"
#include "retrieve/search/search.h"

enum { READ_HITS = 5 };
#define WORDS_SHARE 0.3
#define EACH_SHARE  0.175
/* A passage of common length that has all of the question's words, some of them
 * twice and side by side, scores about this many times their idf. */
#define REACHABLE 2.2

static double best_of(double a, double b)
{
    return a > b ? a : b;
}

/* The largest shares that sentences of a hit have. */
struct sentence_shares {
    double one, titled, two;
};

static void read_sentences(const struct search_run *run,
                           const struct located_hit *hit,
                           struct sentence_shares *most)
{
    const struct query *q = &run->query;
    struct str rest = hit->hit.text, sentence;
    uint64_t before = 0;
    uint64_t title =
        query_groups_in(q, run->analyser, hit->hit.source.title, hit->language);

    while (passage_sentence_take(&rest, &sentence)) {
        uint64_t groups =
            query_groups_in(q, run->analyser, sentence, hit->language);

        most->one = best_of(most->one, query_idf_share(q, groups));
        most->titled =
            best_of(most->titled, query_idf_share(q, groups | title));
        most->two = best_of(most->two, query_idf_share(q, groups | before));
        before = groups;
    }
}

static double ahead(const struct search_run *run)
{
    double first = (double)run->ranked[0].score, share;

    if (first <= 0 || run->ranked_n < READ_HITS)
        return 1;
    share = 2 * (first - (double)run->ranked[READ_HITS - 1].score) / first;
    return share < 1 ? share : 1;
}

/* Words of an earlier question may be searched for as well, with less weight.
 */
static double reached(const struct query *q, float by_words)
{
    double reachable = (double)q->idf_sum;

    for (size_t i = q->own_n; i < q->groups_n; i++)
        reachable += (double)(q->groups[i].idf * q->groups[i].weight);
    reachable *= REACHABLE;
    if (reachable <= 0)
        return 0;
    return (double)by_words < reachable ? (double)by_words / reachable : 1;
}

double confidence_of(const struct search_run *run,
                     const struct located_hit *hits, size_t n, float by_words)
{
    struct sentence_shares best = {0, 0, 0}, others = {0, 0, 0};

    if (n == 0)
        return 0;
    assert(run->ranked_n >= n);
    read_sentences(run, &hits[0], &best);
    others.two = best.two;
    for (size_t i = 1; i < n && i < READ_HITS; i++)
        read_sentences(run, &hits[i], &others);
    return WORDS_SHARE * reached(&run->query, by_words) +
           EACH_SHARE * (best.titled + best.one + others.two + ahead(run));
}
