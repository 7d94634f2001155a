/* measure.c - how good a list of hits is, by the judgements. */
#include <math.h>

#include "cli/eval/collection.h"

static int grade_of(const struct collection_query *q, uint32_t doc)
{
    for (size_t i = 0; i < q->judgements_n; i++)
        if (q->judgements[i].doc == doc)
            return q->judgements[i].grade;
    return 0;
}

static int grade_at(const struct collection *c,
                    const struct collection_query *q, const struct search *s,
                    size_t i)
{
    return grade_of(q, collection_doc_of(c, &s->hits[i]));
}

static double gain(int grade, size_t rank)
{
    return (exp2(grade) - 1) / log2((double)rank + 2);
}

static double ideal(const struct collection_query *q, size_t top)
{
    double sum = 0;
    size_t rank = 0;

    for (int grade = COLLECTION_GRADE_MAX; grade > 0; grade--)
        for (size_t i = 0; i < q->judgements_n && rank < top; i++)
            if (q->judgements[i].grade == grade)
                sum += gain(grade, rank++);
    return sum;
}

double measure_ndcg_of(const struct collection_query *q, const uint32_t *docs,
                       size_t n, size_t top)
{
    double dcg = 0, best = ideal(q, top);

    for (size_t i = 0; i < n && i < top; i++)
        dcg += gain(grade_of(q, docs[i]), i);
    return best > 0 ? dcg / best : 0;
}

double measure_ndcg(const struct collection *c,
                    const struct collection_query *q, const struct search *s,
                    size_t top)
{
    double dcg = 0, best = ideal(q, top);

    for (size_t i = 0; i < s->hits_n && i < top; i++)
        dcg += gain(grade_at(c, q, s, i), i);
    return best > 0 ? dcg / best : 0;
}

double measure_recall(const struct collection *c,
                      const struct collection_query *q, const struct search *s,
                      size_t top)
{
    size_t found = 0;

    for (size_t i = 0; i < s->hits_n && i < top; i++)
        found += grade_at(c, q, s, i) > 0;
    return q->judgements_n ? (double)found / (double)q->judgements_n : 0;
}

double measure_reciprocal_rank(const struct collection *c,
                               const struct collection_query *q,
                               const struct search *s, size_t top)
{
    for (size_t i = 0; i < s->hits_n && i < top; i++)
        if (grade_at(c, q, s, i) > 0)
            return 1 / (double)(i + 1);
    return 0;
}
