/* segment.c - looking into a segment: terms, documents, postings. */
#include "retrieve/index/segment.h"

#include <assert.h>
#include <math.h>

#include "base/varint.h"

/* Above 128, lengths grow in steps of 3 %: BM25 does not see the difference. */
enum { EXACT = 128, STEPS = 24 };

uint8_t length_code(uint32_t length)
{
    double steps;

    if (length <= EXACT)
        return (uint8_t)length;
    steps = round(log2((double)length / EXACT) * STEPS);
    return (uint8_t)(EXACT + (steps < 126 ? steps : 126));
}

uint32_t length_of(uint8_t code)
{
    if (code <= EXACT)
        return code;
    return (uint32_t)lround(EXACT * exp2((double)(code - EXACT) / STEPS));
}

void bm25_norms(float average, float norms[256])
{
    for (int i = 0; i < 256; i++)
        norms[i] = BM25_K1 * (1 - BM25_B +
                              BM25_B * (float)length_of((uint8_t)i) / average);
}

uint32_t letters_of(struct str word)
{
    uint32_t letters = 0;

    for (size_t i = 0; i < word.n; i++)
        letters |= 1u << (word.p[i] & 31);
    return letters;
}

/* ---- Terms and documents ------------------------------------------------ */

struct str segment_word(const struct segment *s, uint32_t term)
{
    const char *w = s->words + s->terms[term].word;

    return (struct str){w + 1, (unsigned char)*w};
}

uint32_t segment_find(const struct segment *s, struct str term)
{
    uint64_t h = str_hash(term);

    for (;; h++) {
        uint32_t slot = s->slots[h & (s->slots_n - 1)];

        if (!slot)
            return NO_TERM;
        if (str_eq(segment_word(s, slot - 1), term))
            return slot - 1;
    }
}

uint32_t segment_document(const struct segment *s, int64_t key)
{
    uint32_t low = 0, high = s->documents_n;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (s->documents[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->documents_n && s->documents[low].key == key
               ? low
               : s->documents_n;
}

uint32_t segment_document_of(const struct segment *s, uint32_t passage)
{
    uint32_t low = 0, high = s->documents_n;

    assert(passage < s->passages_n);
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;

        if (s->documents[mid].first <= passage)
            low = mid;
        else
            high = mid;
    }
    return low;
}

size_t segment_forward(const struct segment *s, uint32_t passage, uint32_t *out,
                       size_t max)
{
    uint32_t at = s->forward_at[passage];
    struct str list = {(const char *)s->forward + at,
                       s->forward_at[passage + 1] - at};
    uint64_t term;
    size_t n = 0;

    assert(passage < s->passages_n);
    /* A file may say anything here: see segment_adopt_unknown(). */
    while (n < max && varint_take(&list, &term) && term < s->terms_n)
        out[n++] = (uint32_t)term;
    return n;
}

/* ---- Postings ----------------------------------------------------------- */

void postings_open(struct postings *p, const struct segment *s, uint32_t term)
{
    assert(term < s->terms_n);
    p->segment = s;
    p->term = s->terms[term];
    p->blocks_n = (p->term.df + BLOCK - 1) / BLOCK;
    p->block = 0;
    p->n = 0;
}

uint32_t postings_last(const struct postings *p, uint32_t i)
{
    if (p->term.df > BLOCK)
        return p->segment->block_last[p->term.at + i];
    return UINT32_MAX - 1; /* unknown before the only block is decoded */
}

uint32_t postings_max(const struct postings *p, uint32_t i)
{
    return p->term.df > BLOCK ? p->segment->block_max[p->term.at + i]
                              : p->term.max;
}

/* Steps that double, as the next block is mostly near; then by halves. */
uint32_t postings_seek(const struct postings *p, uint32_t passage)
{
    const uint32_t *last = p->segment->block_last + p->term.at;
    uint32_t low = p->block, high = p->blocks_n;

    if (p->term.df <= BLOCK)
        return low;
    for (uint32_t step = 1; low < high; step *= 2) {
        if (last[low] >= passage)
            return low;
        if (low + step >= high || last[low + step] >= passage) {
            high = low + step < high ? low + step : high;
            low++;
            break;
        }
        low += step;
    }
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (last[mid] < passage)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Value i of those packed at p, each of `width` bits, at most 32. */
static inline uint32_t packed_value(const uint8_t *p, uint32_t i,
                                    unsigned width)
{
    size_t bit = (size_t)i * width;
    uint64_t v;

    memcpy(&v, p + bit / 8, sizeof(v));
    return (uint32_t)(v >> bit % 8 & ((1ull << width) - 1));
}

void postings_decode(struct postings *p, uint32_t block)
{
    const struct segment *s = p->segment;
    bool many = p->term.df > BLOCK;
    const uint8_t *at =
        s->postings + (many ? s->block_at[p->term.at + block] : p->term.at);
    uint32_t left = p->term.df - block * BLOCK;
    uint32_t passage =
        block ? s->block_last[p->term.at + block - 1] : UINT32_MAX;
    unsigned gap_width = at[0], count_width = at[1];
    const uint8_t *counts;

    assert(block < p->blocks_n);
    if (p->n && p->block == block)
        return;
    p->block = block;
    p->n = left < BLOCK ? left : BLOCK;
    at += 2;
    counts = at + ((size_t)p->n * gap_width + 7) / 8;
    for (uint32_t i = 0; i < p->n; i++) {
        passage += packed_value(at, i, gap_width) + 1;
        p->passages[i] = passage;
    }
    if (count_width == 0)
        memset(p->counts, 1, p->n);
    else
        for (uint32_t i = 0; i < p->n; i++)
            p->counts[i] = (uint8_t)(packed_value(counts, i, count_width) + 1);
}
