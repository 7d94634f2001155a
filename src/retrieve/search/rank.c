/* rank.c - the best passages by BM25, most of them unseen.
 *
 * MaxScore over windows of passage numbers.  For each window every term has
 * an upper bound from its blocks' maxima.  Terms are sorted by it; the weak
 * ones that together cannot lift a passage over the k-th best so far do not
 * bring passages of their own ("lookups"), they are only asked about passages
 * that the strong ones brought ("drivers"), and only while these can still
 * make it.  A window in which all terms together are too weak is skipped.
 *
 * Drivers add into a flat array with a bit per passage: no heap of cursors,
 * few branches. */
#include <stdlib.h>

#include "retrieve/search/query.h"

enum { WINDOW = 4096 };
#define SLACK 1.00001F /* sums are rounded; bounds must not be */

struct lane { /* a term in this segment */
    struct postings postings;
    float weight; /* of tf / (tf + K) */
    float scale;  /* of maxima, when lengths have another average by now */
    uint32_t at;  /* in the decoded block */
    float bound;  /* in this window */
};

struct ranking {
    const struct query *query;
    const struct part *part;
    uint32_t part_index;
    float norms[256];
    struct lane *lanes, **sorted;
    size_t lanes_n;
    float *sums; /* bounds of the weakest 1, 2, ... lanes */
    float scores[WINDOW];
    uint64_t touched[WINDOW / 64];
    struct ranked *heap; /* the smallest first */
    size_t heap_n, heap_max;
};

/* ---- The best so far ---------------------------------------------------- */

/* Of equal scores, the one that was found first is better. */
static bool is_worse(const struct ranked *a, const struct ranked *b)
{
    if (a->score < b->score || b->score < a->score)
        return a->score < b->score;
    return a->part != b->part ? a->part > b->part : a->passage > b->passage;
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

/* What a passage must score more than. */
static float threshold(const struct ranking *r)
{
    return r->heap_n == r->heap_max ? r->heap[0].score : 0;
}

static void offer(struct ranking *r, uint32_t passage, float score)
{
    struct ranked item = {r->part_index, passage, score};
    const uint64_t *dead = r->part->dead;

    if (dead && (dead[passage / 64] >> passage % 64 & 1))
        return;
    if (r->heap_n < r->heap_max) {
        r->heap[r->heap_n] = item;
        sift_up(r->heap, r->heap_n++);
    } else if (score > r->heap[0].score) {
        r->heap[0] = item;
        sift_down(r->heap, r->heap_n, 0);
    }
}

/* ---- Lanes -------------------------------------------------------------- */

/* Makes the first posting from `passage` on the current one; false when there
 * is none. */
static bool advance(struct lane *l, uint32_t passage)
{
    struct postings *p = &l->postings;
    uint32_t block = postings_seek(p, passage);

    if (block >= p->blocks_n) {
        p->block = p->blocks_n;
        p->n = 0;
        return false;
    }
    if (!p->n || block != p->block) {
        p->n = 0;
        postings_decode(p, block);
        l->at = 0;
    }
    while (l->at < p->n && p->passages[l->at] < passage)
        l->at++;
    if (l->at < p->n)
        return true;
    p->block = p->blocks_n; /* behind the only block of a rare term */
    p->n = 0;
    return false;
}

/* The largest score that it can give to a passage in [from, to). */
static float bound(struct lane *l, uint32_t from, uint32_t to)
{
    struct postings *p = &l->postings;
    uint32_t i = p->block < p->blocks_n ? postings_seek(p, from) : p->blocks_n;
    uint32_t most = 0;

    if (p->term.df <= BLOCK && i < p->blocks_n) {
        if (!advance(l, from) || p->passages[l->at] >= to)
            return 0;
        return l->weight * l->scale * (float)p->term.max / 255;
    }
    for (; i < p->blocks_n; i++) {
        uint32_t max = postings_max(p, i);

        most = max > most ? max : most;
        if (postings_last(p, i) >= to - 1)
            break;
    }
    return l->weight * l->scale * (float)most / 255;
}

static inline float score_at(const struct ranking *r, const struct lane *l,
                             uint32_t i)
{
    const struct postings *p = &l->postings;
    float tf = p->counts[i];

    return l->weight * tf /
           (tf + r->norms[r->part->segment->lengths[p->passages[i]]]);
}

/* Adds all of its postings in [from, to). */
static void drive(struct ranking *r, struct lane *l, uint32_t from, uint32_t to)
{
    struct postings *p = &l->postings;

    for (uint32_t next = from; advance(l, next);
         next = p->passages[p->n - 1] + 1) {
        uint32_t i = l->at;

        for (; i < p->n && p->passages[i] < to; i++) {
            uint32_t at = p->passages[i] - from;

            r->scores[at] += score_at(r, l, i);
            r->touched[at / 64] |= 1ull << at % 64;
        }
        l->at = i;
        if (i < p->n)
            return;
    }
}

/* ---- A window ----------------------------------------------------------- */

static void sort_lanes(struct ranking *r, uint32_t from, uint32_t to)
{
    float sum = 0;

    for (size_t i = 0; i < r->lanes_n; i++) {
        struct lane *l = r->sorted[i];
        size_t j = i;

        l->bound = bound(l, from, to);
        for (; j > 0 && r->sorted[j - 1]->bound > l->bound; j--)
            r->sorted[j] = r->sorted[j - 1];
        r->sorted[j] = l;
    }
    for (size_t i = 0; i < r->lanes_n; i++) {
        sum += r->sorted[i]->bound;
        r->sums[i] = sum * SLACK;
    }
}

/* Asks the lookups about a passage, the strongest first. */
static void settle(struct ranking *r, uint32_t passage, float score,
                   size_t lookups)
{
    float least = threshold(r);

    for (size_t i = lookups; i-- > 0;) {
        struct lane *l = r->sorted[i];

        if (score + r->sums[i] <= least)
            return;
        if (advance(l, passage) && l->postings.passages[l->at] == passage)
            score += score_at(r, l, l->at);
    }
    if (score > least)
        offer(r, passage, score);
}

static void search_window(struct ranking *r, uint32_t from, uint32_t to)
{
    size_t lookups = 0;

    sort_lanes(r, from, to);
    while (lookups < r->lanes_n && r->sums[lookups] <= threshold(r))
        lookups++;
    if (lookups == r->lanes_n)
        return;
    for (size_t i = lookups; i < r->lanes_n; i++)
        if (r->sorted[i]->bound > 0)
            drive(r, r->sorted[i], from, to);
    for (uint32_t w = 0; w < WINDOW / 64; w++) {
        uint64_t bits = r->touched[w];

        r->touched[w] = 0;
        for (; bits; bits &= bits - 1) {
            uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits);
            float score = r->scores[at];

            r->scores[at] = 0;
            settle(r, from + at, score, lookups);
        }
    }
}

/* ---- A segment ---------------------------------------------------------- */

static void open_lanes(struct ranking *r, uint32_t part)
{
    const struct query *q = r->query;
    const struct segment *s = r->part->segment;
    float scale = q->average > s->average ? q->average / s->average : 1;

    r->lanes_n = 0;
    for (size_t i = 0; i < q->terms_n; i++) {
        const struct query_term *t = &q->terms[i];
        struct lane *l = &r->lanes[r->lanes_n];

        if (t->numbers[part] == NO_TERM || t->weight <= 0)
            continue;
        postings_open(&l->postings, s, t->numbers[part]);
        l->weight = t->weight * t->idf * (BM25_K1 + 1);
        l->scale = scale;
        l->at = 0;
        r->sorted[r->lanes_n++] = l;
    }
}

static void search_part(struct ranking *r, uint32_t part)
{
    r->part = &r->query->parts[part];
    r->part_index = part;
    open_lanes(r, part);
    if (r->lanes_n == 0)
        return;
    for (uint32_t from = r->part->from; from < r->part->to;) {
        uint32_t left = r->part->to - from;
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
    r->lanes = arena_many(q->scratch, q->terms_n + 1, struct lane);
    r->sorted = arena_many(q->scratch, q->terms_n + 1, struct lane *);
    r->sums = arena_many(q->scratch, q->terms_n + 1, float);
    TRY(arena_rc(q->scratch, err));
    bm25_norms(q->average, r->norms);
    for (uint32_t i = 0; i < q->parts_n && max > 0; i++)
        search_part(r, i);
    rank_sort(out, r->heap_n);
    *n = r->heap_n;
    return FOOTNOTE_OK;
}
