/* expand.c - a second attempt with words that the best passages share. */
#include <stdlib.h>

#include "retrieve/search/query.h"

enum { EXPAND_PASSAGES = 5, EXPAND_TERMS = 30, SHARED_MAX = 2048 };
#define EXPAND_SHARE 0.15F /* of the new query; the old one has the rest */

struct shared_term {
    struct str word;
    float share;
};

static void add_share(struct shared_term *shared, size_t *n, struct str word,
                      float share)
{
    for (size_t i = 0; i < *n; i++)
        if (str_eq(shared[i].word, word)) {
            shared[i].share += share;
            return;
        }
    if (*n < SHARED_MAX)
        shared[(*n)++] = (struct shared_term){word, share};
}

static int by_share(const void *a, const void *b)
{
    const struct shared_term *x = a, *y = b;

    if (x->share < y->share || y->share < x->share)
        return x->share < y->share ? 1 : -1;
    return str_cmp(x->word, y->word);
}

static size_t gather_shared(const struct query *q, const struct ranked *ranked,
                            size_t n, struct shared_term *shared)
{
    uint32_t terms[SEGMENT_FORWARD_MAX];
    size_t shared_n = 0;
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += ranked[i].score;
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = q->ranges[ranked[i].range].segment;
        size_t m =
            segment_forward(s, ranked[i].passage, terms, SEGMENT_FORWARD_MAX);

        for (size_t t = 0; t < m; t++)
            add_share(shared, &shared_n, segment_word(s, terms[t]),
                      ranked[i].score / sum / (float)m);
    }
    return shared_n;
}

enum footnote_rc rank_expand(struct query *q, const struct ranked *ranked,
                             size_t n, struct footnote_err *err)
{
    struct shared_term *shared =
        arena_many(q->scratch, SHARED_MAX, struct shared_term);
    float own = 0, all = 0;
    size_t shared_n;

    TRY(arena_rc(q->scratch, err));
    shared_n = gather_shared(q, ranked,
                             n < EXPAND_PASSAGES ? n : EXPAND_PASSAGES, shared);
    qsort(shared, shared_n, sizeof(*shared), by_share);
    shared_n = shared_n < EXPAND_TERMS ? shared_n : EXPAND_TERMS;
    for (size_t i = 0; i < q->terms_n; i++)
        own += q->terms[i].weight;
    for (size_t i = 0; i < shared_n; i++)
        all += shared[i].share;
    for (size_t i = 0; i < shared_n; i++)
        TRY(query_add_term(q, shared[i].word,
                           own * shared[i].share / all * EXPAND_SHARE /
                               (1 - EXPAND_SHARE),
                           QUERY_GROUPS_MAX, err));
    return FOOTNOTE_OK;
}
