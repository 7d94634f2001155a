/* confidence.c - whether the best passage is likely to answer the question.
 *
 *     .45 share of the question's idf in the best passage
 *   + .35 share of the question's idf in its best sentence
 *   + .2  min(1, 2 (s1 - s5) / s1): how far it stands out */
#include <assert.h>

#include "language/passage_sentence.h"
#include "retrieve/search/search.h"

static double best_sentence_share(const struct search_run *run,
                                  const struct located_hit *hit)
{
    struct str rest = hit->hit.text, sentence;
    double best = 0;

    while (passage_sentence_take(&rest, &sentence)) {
        uint64_t groups = query_groups_in(&run->query, run->analyser, sentence,
                                          hit->language);
        double share = query_idf_share(&run->query, groups);

        best = share > best ? share : best;
    }
    return best;
}

double confidence_of(const struct search_run *run,
                     const struct located_hit *hits, size_t n)
{
    double ahead;

    if (n == 0)
        return 0;
    assert(run->ranked_n >= n);
    ahead = hits[0].score > 0 && run->ranked_n >= 5
                ? 2 * (double)(run->ranked[0].score - run->ranked[4].score) /
                      (double)run->ranked[0].score
                : 1;
    return 0.45 * hits[0].hit.coverage +
           0.35 * best_sentence_share(run, &hits[0]) +
           0.2 * (ahead < 1 ? ahead : 1);
}
