/* confidence.c - whether the best passage is likely to answer the question.
 *
 *     .45 share of the question's idf in the best passage
 *   + .35 the same in its best sentence
 *   + .2  min(1, 2 (s1 - s5) / s1): how far it stands out */
#include "retrieve/search/search.h"
#include "retrieve/search/sentence.h"

static double best_sentence(const struct finding *f, const struct found *found)
{
    struct str rest = found->hit.text, sentence;
    double best = 0;

    while (sentence_take(&rest, &sentence)) {
        uint64_t groups =
            query_cover(&f->query, f->analyser, sentence, found->language);
        double share = query_share(&f->query, groups);

        best = share > best ? share : best;
    }
    return best;
}

double confidence_of(const struct finding *f, const struct found *found,
                     size_t n)
{
    double ahead;

    if (n == 0)
        return 0;
    ahead = found[0].score > 0 && f->ranked_n >= 5
                ? 2 * (double)(f->ranked[0].score - f->ranked[4].score) /
                      (double)f->ranked[0].score
                : 1;
    return 0.45 * found[0].hit.coverage + 0.35 * best_sentence(f, &found[0]) +
           0.2 * (ahead < 1 ? ahead : 1);
}
