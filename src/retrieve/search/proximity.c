/* proximity.c - words of the question that stand together in a passage. */
#include "retrieve/search/query.h"

/* Shares of the mean idf that two words near each other are worth: side by side
 * in the question's order, and anywhere within PAIR_NEAR terms. */
#define PAIR_ORDERED   0.3F
#define PAIR_UNORDERED 0.2F
enum { PAIR_NEAR = 8, PLACES_MAX = 512 };

struct term_place {
    uint32_t at;   /* in the passage's forward list */
    uint32_t term; /* index in the query's terms */
};

/* Where a passage has terms of the query. */
static size_t find_places(const struct query *q, const struct ranked *ranked,
                          struct term_place *places)
{
    uint32_t terms[SEGMENT_FORWARD_MAX];
    const struct segment *s = q->ranges[ranked->range].segment;
    size_t n = segment_forward(s, ranked->passage, terms, SEGMENT_FORWARD_MAX);
    size_t found = 0;

    for (uint32_t i = 0; i < n && found < PLACES_MAX; i++)
        for (uint32_t t = 0; t < q->terms_n; t++)
            if (q->terms[t].numbers[ranked->range] == terms[i]) {
                places[found++] = (struct term_place){i, t};
                break;
            }
    return found;
}

static void count_pair(const struct query_pair *pair,
                       const struct term_place *places, size_t n,
                       float *ordered, float *near)
{
    *ordered = *near = 0;
    for (size_t i = 0; i < n; i++) {
        if (places[i].term != pair->left && places[i].term != pair->right)
            continue;
        for (size_t j = i + 1; j < n && places[j].at - places[i].at < PAIR_NEAR;
             j++) {
            bool in_order =
                places[i].term == pair->left && places[j].term == pair->right;

            if (!in_order && !(places[i].term == pair->right &&
                               places[j].term == pair->left))
                continue;
            ++*near;
            if (in_order && places[j].at == places[i].at + 1)
                ++*ordered;
        }
    }
}

static float proximity_score(const struct query *q, const struct ranked *ranked,
                             float norm)
{
    struct term_place places[PLACES_MAX];
    size_t n = find_places(q, ranked, places);
    float score = 0;

    for (size_t i = 0; i < q->pairs_n; i++) {
        const struct query_pair *pair = &q->pairs[i];
        float ordered, near, idf;

        count_pair(pair, places, n, &ordered, &near);
        if (near <= 0)
            continue;
        idf = (q->terms[pair->left].idf + q->terms[pair->right].idf) / 2;
        score += pair->weight * idf * (BM25_K1 + 1) *
                 (PAIR_ORDERED * ordered / (ordered + norm) +
                  PAIR_UNORDERED * near / (near + norm));
    }
    return score;
}

void rank_proximity(const struct query *q, struct ranked *ranked, size_t n)
{
    float norms[256];

    if (q->pairs_n == 0)
        return;
    bm25_norms(q->average, norms);
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = q->ranges[ranked[i].range].segment;

        ranked[i].score += proximity_score(
            q, &ranked[i], norms[s->lengths[ranked[i].passage]]);
    }
    rank_sort(ranked, n);
}
