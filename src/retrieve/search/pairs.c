/* pairs.c - words of the question that stand together in a passage, and a
 * second attempt with words that the best passages share. */
#include <stdlib.h>

#include "retrieve/search/query.h"

/* ---- Pairs -------------------------------------------------------------- */

/* What words of the question are worth when they stand together, by the mean
 * of their idf. */
#define PAIR_ORDERED   0.3F
#define PAIR_UNORDERED 0.2F
enum { PAIR_NEAR = 8, PLACES_MAX = 512 };

struct place {
    uint32_t at, term;
};

/* Where terms of the query stand in a passage. */
static size_t find_places(const struct query *q, const struct ranked *ranked,
                          struct place *places)
{
    uint32_t terms[SEGMENT_FORWARD_MAX];
    const struct segment *s = q->parts[ranked->part].segment;
    size_t n = segment_forward(s, ranked->passage, terms, SEGMENT_FORWARD_MAX);
    size_t found = 0;

    for (uint32_t i = 0; i < n && found < PLACES_MAX; i++)
        for (uint32_t t = 0; t < q->terms_n; t++)
            if (q->terms[t].numbers[ranked->part] == terms[i]) {
                places[found++] = (struct place){i, t};
                break;
            }
    return found;
}

static void count_pair(const struct query_pair *pair,
                       const struct place *places, size_t n, float *ordered,
                       float *near)
{
    *ordered = *near = 0;
    for (size_t i = 0; i < n; i++) {
        if (places[i].term != pair->left && places[i].term != pair->right)
            continue;
        for (size_t j = i + 1; j < n && places[j].at - places[i].at < PAIR_NEAR;
             j++) {
            bool right_way =
                places[i].term == pair->left && places[j].term == pair->right;

            if (!right_way && !(places[i].term == pair->right &&
                                places[j].term == pair->left))
                continue;
            ++*near;
            if (right_way && places[j].at == places[i].at + 1)
                ++*ordered;
        }
    }
}

static float pairs_score(const struct query *q, const struct ranked *ranked,
                         float norm)
{
    struct place places[PLACES_MAX];
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

void rank_pairs(const struct query *q, struct ranked *ranked, size_t n)
{
    float norms[256];

    if (q->pairs_n == 0)
        return;
    bm25_norms(q->average, norms);
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = q->parts[ranked[i].part].segment;

        ranked[i].score +=
            pairs_score(q, &ranked[i], norms[s->lengths[ranked[i].passage]]);
    }
    rank_sort(ranked, n);
}

/* ---- A second attempt ---------------------------------------------------- */

enum { EXPAND_PASSAGES = 5, EXPAND_TERMS = 30, EXPAND_SEEN = 2048 };
#define EXPAND_SHARE 0.15F /* of the new query; the old one has the rest */

struct shared {
    struct str word;
    float share;
};

static void add_share(struct shared *seen, size_t *n, struct str word,
                      float share)
{
    for (size_t i = 0; i < *n; i++)
        if (str_eq(seen[i].word, word)) {
            seen[i].share += share;
            return;
        }
    if (*n < EXPAND_SEEN)
        seen[(*n)++] = (struct shared){word, share};
}

static int by_share(const void *a, const void *b)
{
    const struct shared *x = a, *y = b;

    if (x->share < y->share || y->share < x->share)
        return x->share < y->share ? 1 : -1;
    return str_cmp(x->word, y->word);
}

static size_t gather(const struct query *q, const struct ranked *ranked,
                     size_t n, struct shared *seen)
{
    uint32_t terms[SEGMENT_FORWARD_MAX];
    size_t seen_n = 0;
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += ranked[i].score;
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = q->parts[ranked[i].part].segment;
        size_t m =
            segment_forward(s, ranked[i].passage, terms, SEGMENT_FORWARD_MAX);

        for (size_t t = 0; t < m; t++)
            add_share(seen, &seen_n, segment_word(s, terms[t]),
                      ranked[i].score / sum / (float)m);
    }
    return seen_n;
}

enum footnote_rc rank_expand(struct query *q, const struct ranked *ranked,
                             size_t n, struct footnote_err *err)
{
    struct shared *seen = arena_many(q->scratch, EXPAND_SEEN, struct shared);
    float own = 0, all = 0;
    size_t seen_n;

    TRY(arena_rc(q->scratch, err));
    seen_n = gather(q, ranked, n < EXPAND_PASSAGES ? n : EXPAND_PASSAGES, seen);
    qsort(seen, seen_n, sizeof(*seen), by_share);
    seen_n = seen_n < EXPAND_TERMS ? seen_n : EXPAND_TERMS;
    for (size_t i = 0; i < q->terms_n; i++)
        own += q->terms[i].weight;
    for (size_t i = 0; i < seen_n; i++)
        all += seen[i].share;
    for (size_t i = 0; i < seen_n; i++)
        TRY(query_term(q, seen[i].word,
                       own * seen[i].share / all * EXPAND_SHARE /
                           (1 - EXPAND_SHARE),
                       QUERY_TERMS_MAX, err));
    return FOOTNOTE_OK;
}
