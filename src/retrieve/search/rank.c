/* rank.c - the best passages by BM25, most of them unseen.
 *
 * MaxScore over windows of passage numbers.  For each window every term has
 * an upper bound from its blocks' maxima, and terms are sorted by it.  The
 * strong terms ("drivers") bring their passages.  The weak ones ("lookups"),
 * which together cannot lift a passage over the k-th best so far, are only
 * asked about these passages, and only while a passage can still make it.  A
 * window in which all terms together are too weak is skipped.
 *
 * Drivers add into a flat array with a bit per passage: no heap of cursors,
 * few branches. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/search/query.h"

enum { WINDOW = 4096 };
#define SLACK 1.00001F /* sums are rounded; bounds must not be */

struct term_cursor { /* a term of the query in the current segment */
    struct postings postings;
    float weight; /* of tf / (tf + K) */
    float scale;  /* of maxima, which were made for another average length */
    uint32_t at;  /* in the decoded block */
    float bound;  /* max_score() in this window */
};

struct ranking {
    const struct query *query;
    const struct segment_range *range;
    uint32_t range_index;
    float norms[256];
    struct term_cursor *cursors, **sorted;
    size_t cursors_n;
    float *sums; /* bounds of the weakest 1, 2, ... cursors */
    float scores[WINDOW];
    uint64_t touched[WINDOW / 64];
    struct ranked *heap; /* the smallest first */
    size_t heap_n, heap_max;
};

/* ---- The best so far ---------------------------------------------------- */

/* Of equal scores, the lower range and passage is better. */
static bool is_worse(const struct ranked *a, const struct ranked *b)
{
    if (a->score < b->score || b->score < a->score)
        return a->score < b->score;
    return a->range != b->range ? a->range > b->range : a->passage > b->passage;
}

static void sift_down(struct ranked *heap, size_t n, size_t i)
{
    struct ranked item = heap[i];

    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= n)
            break;
        if (child + 1 < n && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &item))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = item;
}

static void sift_up(struct ranked *heap, size_t i)
{
    struct ranked item = heap[i];

    while (i > 0 && is_worse(&item, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = item;
}

/* A passage must score more than this. */
static float threshold(const struct ranking *r)
{
    return r->heap_n == r->heap_max ? r->heap[0].score : 0;
}

static void offer(struct ranking *r, uint32_t passage, float score)
{
    struct ranked item = {r->range_index, passage, score};

    if (passage_is_dead(r->range->dead, passage))
        return;
    if (r->heap_n < r->heap_max) {
        r->heap[r->heap_n] = item;
        sift_up(r->heap, r->heap_n++);
    } else if (score > r->heap[0].score) {
        r->heap[0] = item;
        sift_down(r->heap, r->heap_n, 0);
    }
}

/* ---- Cursors ------------------------------------------------------------ */

/* Makes the first posting from `passage` on the current one; false when there
 * is none. */
static bool advance(struct term_cursor *c, uint32_t passage)
{
    struct postings *p = &c->postings;
    uint32_t block = postings_seek(p, passage);

    if (block >= p->blocks_n) {
        p->block = p->blocks_n;
        p->n = 0;
        return false;
    }
    if (!p->n || block != p->block) {
        p->n = 0;
        postings_decode(p, block);
        c->at = 0;
    }
    while (c->at < p->n && p->passages[c->at] < passage)
        c->at++;
    if (c->at < p->n)
        return true;
    p->block = p->blocks_n; /* a rare term's only block has ended */
    p->n = 0;
    return false;
}

/* The largest score that the term can give to a passage in [from, to). */
static float max_score(struct term_cursor *c, uint32_t from, uint32_t to)
{
    struct postings *p = &c->postings;
    uint32_t i = p->block < p->blocks_n ? postings_seek(p, from) : p->blocks_n;
    uint32_t most = 0;

    if (p->term.df <= BLOCK && i < p->blocks_n) {
        if (!advance(c, from) || p->passages[c->at] >= to)
            return 0;
        return c->weight * c->scale * (float)p->term.max / 255;
    }
    for (; i < p->blocks_n; i++) {
        uint32_t max = postings_max(p, i);

        most = max > most ? max : most;
        if (postings_last(p, i) >= to - 1)
            break;
    }
    return c->weight * c->scale * (float)most / 255;
}

static inline float score_at(const struct ranking *r,
                             const struct term_cursor *c, uint32_t i)
{
    const struct postings *p = &c->postings;
    float tf = p->counts[i];

    return c->weight * tf /
           (tf + r->norms[r->range->segment->lengths[p->passages[i]]]);
}

/* Adds the scores of all postings in [from, to). */
static void add_postings(struct ranking *r, struct term_cursor *c,
                         uint32_t from, uint32_t to)
{
    struct postings *p = &c->postings;

    for (uint32_t next = from; advance(c, next);
         next = p->passages[p->n - 1] + 1) {
        uint32_t i = c->at;

        for (; i < p->n && p->passages[i] < to; i++) {
            uint32_t at = p->passages[i] - from;

            r->scores[at] += score_at(r, c, i);
            r->touched[at / 64] |= 1ull << at % 64;
        }
        c->at = i;
        if (i < p->n)
            return;
    }
}

/* ---- A window ----------------------------------------------------------- */

static void sort_cursors(struct ranking *r, uint32_t from, uint32_t to)
{
    float sum = 0;

    for (size_t i = 0; i < r->cursors_n; i++) {
        struct term_cursor *c = r->sorted[i];
        size_t j = i;

        c->bound = max_score(c, from, to);
        for (; j > 0 && r->sorted[j - 1]->bound > c->bound; j--)
            r->sorted[j] = r->sorted[j - 1];
        r->sorted[j] = c;
    }
    for (size_t i = 0; i < r->cursors_n; i++) {
        sum += r->sorted[i]->bound;
        r->sums[i] = sum * SLACK;
    }
}

/* Adds the scores of the lookups to a passage's, the strongest first, and
 * offers it. */
static void offer_with_lookups(struct ranking *r, uint32_t passage, float score,
                               size_t lookups)
{
    float least = threshold(r);

    for (size_t i = lookups; i-- > 0;) {
        struct term_cursor *c = r->sorted[i];

        if (score + r->sums[i] <= least)
            return;
        if (advance(c, passage) && c->postings.passages[c->at] == passage)
            score += score_at(r, c, c->at);
    }
    if (score > least)
        offer(r, passage, score);
}

static void search_window(struct ranking *r, uint32_t from, uint32_t to)
{
    size_t lookups = 0;

    assert(from < to && to - from <= WINDOW);
    sort_cursors(r, from, to);
    while (lookups < r->cursors_n && r->sums[lookups] <= threshold(r))
        lookups++;
    if (lookups == r->cursors_n)
        return;
    for (size_t i = lookups; i < r->cursors_n; i++)
        if (r->sorted[i]->bound > 0)
            add_postings(r, r->sorted[i], from, to);
    for (uint32_t w = 0; w < WINDOW / 64; w++) {
        uint64_t bits = r->touched[w];

        r->touched[w] = 0;
        for (; bits; bits &= bits - 1) {
            uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits);
            float score = r->scores[at];

            r->scores[at] = 0;
            offer_with_lookups(r, from + at, score, lookups);
        }
    }
}

/* ---- A segment ---------------------------------------------------------- */

static void open_cursors(struct ranking *r, uint32_t range)
{
    const struct query *q = r->query;
    const struct segment *s = r->range->segment;
    float scale = q->average > s->average ? q->average / s->average : 1;

    r->cursors_n = 0;
    for (size_t i = 0; i < q->terms_n; i++) {
        const struct query_term *t = &q->terms[i];
        struct term_cursor *c = &r->cursors[r->cursors_n];

        if (t->numbers[range] == NO_TERM || t->weight <= 0)
            continue;
        postings_open(&c->postings, s, t->numbers[range]);
        c->weight = t->weight * t->idf * (BM25_K1 + 1);
        c->scale = scale;
        c->at = 0;
        r->sorted[r->cursors_n++] = c;
    }
}

static void search_range(struct ranking *r, uint32_t range)
{
    r->range = &r->query->ranges[range];
    r->range_index = range;
    assert(r->range->to <= r->range->segment->passages_n);
    open_cursors(r, range);
    if (r->cursors_n == 0)
        return;
    for (uint32_t from = r->range->from; from < r->range->to;) {
        uint32_t left = r->range->to - from;
        uint32_t to = from + (left < WINDOW ? left : WINDOW);

        search_window(r, from, to);
        from = to;
    }
}

static int by_score(const void *a, const void *b)
{
    return is_worse(a, b) ? 1 : is_worse(b, a) ? -1 : 0;
}

void rank_sort(struct ranked *ranked, size_t n)
{
    qsort(ranked, n, sizeof(*ranked), by_score);
}

enum footnote_rc rank_top(const struct query *q, struct ranked *out, size_t max,
                          size_t *n, struct footnote_err *err)
{
    struct ranking *r = arena_new(q->scratch, struct ranking);

    *n = 0;
    if (!r)
        return arena_rc(q->scratch, err);
    r->query = q;
    r->heap = out;
    r->heap_max = max;
    r->cursors = arena_many(q->scratch, q->terms_n + 1, struct term_cursor);
    r->sorted = arena_many(q->scratch, q->terms_n + 1, struct term_cursor *);
    r->sums = arena_many(q->scratch, q->terms_n + 1, float);
    TRY(arena_rc(q->scratch, err));
    bm25_norms(q->average, r->norms);
    for (uint32_t i = 0; i < q->ranges_n && max > 0; i++)
        search_range(r, i);
    rank_sort(out, r->heap_n);
    *n = r->heap_n;
    return FOOTNOTE_OK;
}

#define OTHER_LANGUAGE 0.85F

void rank_language(const struct query *q, struct ranked *ranked, size_t n)
{
    uint32_t others = q->languages & ~(1u << q->own | 1u << LANGUAGE_NONE);

    if (q->own == LANGUAGE_NONE || !(q->languages >> q->own & 1) || !others)
        return;
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = q->ranges[ranked[i].range].segment;
        uint32_t d = segment_document_of(s, ranked[i].passage);

        if (others >> s->documents[d].language & 1)
            ranked[i].score *= OTHER_LANGUAGE;
    }
    rank_sort(ranked, n);
}
