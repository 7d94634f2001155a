/* segment_adopt.c - a segment is made of its bytes, and goes with them.
 *
 * Bytes that a writer has just made are taken as they are.  Others are looked
 * through first: digests say that a file is what some program saved, not that
 * its program was this one.  Whatever searching and merging use as a place is
 * within its bounds then; what is only a wrong number makes a wrong order. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "retrieve/index/format.h"
#include "retrieve/index/segment.h"

/* ---- Life --------------------------------------------------------------- */

struct segment *segment_hold(struct segment *s)
{
    s->refs++;
    return s;
}

void segment_drop(struct segment *s)
{
    if (!s)
        return;
    assert(s->refs > 0);
    if (--s->refs > 0)
        return;
    free((void *)(uintptr_t)s->memory);
    free(s->path);
    free(s);
}

/* ---- Sections ----------------------------------------------------------- */

static void find_sections(struct segment *s, const struct format_head *h)
{
    const uint8_t *m = s->memory;
    const uint64_t *at = h->section_at;

    s->documents = (const void *)(m + at[SECTION_DOCUMENTS]);
    s->positions = (const void *)(m + at[SECTION_POSITIONS]);
    s->lengths = m + at[SECTION_LENGTHS];
    s->forward_at = (const void *)(m + at[SECTION_FORWARD_AT]);
    s->forward = m + at[SECTION_FORWARD];
    s->terms = (const void *)(m + at[SECTION_TERMS]);
    s->letters = (const void *)(m + at[SECTION_LETTERS]);
    s->words = (const char *)m + at[SECTION_WORDS];
    s->slots = (const void *)(m + at[SECTION_SLOTS]);
    s->block_last = (const void *)(m + at[SECTION_BLOCK_LAST]);
    s->block_at = (const void *)(m + at[SECTION_BLOCK_AT]);
    s->block_max = m + at[SECTION_BLOCK_MAX];
    s->postings = m + at[SECTION_POSTINGS];
}

/* The memory is freed on failure as well. */
enum footnote_rc segment_adopt(uint8_t *memory, size_t bytes,
                               struct segment **out, struct footnote_err *err)
{
    struct segment *s = calloc(1, sizeof(*s));
    struct format_head h;

    *out = NULL;
    assert(bytes >= sizeof(h));
    if (!s) {
        free(memory);
        return err_set(err, FOOTNOTE_NOMEM, "opening an index");
    }
    memcpy(&h, memory, sizeof(h));
    *s = (struct segment){.memory = memory,
                          .bytes = bytes,
                          .passages_n = h.passages_n,
                          .documents_n = h.documents_n,
                          .terms_n = h.terms_n,
                          .slots_n = h.slots_n,
                          .length_sum = h.length_sum,
                          .average = h.average};
    s->refs = 1;
    find_sections(s, &h);
    *out = s;
    return FOOTNOTE_OK;
}

/* ---- Bytes that may be anything ------------------------------------------ */

static bool sections_fit(const struct format_head *h, size_t bytes)
{
    const uint64_t *n = h->section_bytes;
    uint64_t passages = h->passages_n;

    for (int i = 0; i < SECTIONS; i++)
        if (h->section_at[i] % 8 || h->section_at[i] > bytes ||
            n[i] > bytes - h->section_at[i])
            return false;

    return n[SECTION_DOCUMENTS] ==
               (h->documents_n + 1ull) * sizeof(struct segment_document) &&
           n[SECTION_POSITIONS] == passages * 4 &&
           n[SECTION_LENGTHS] == passages &&
           n[SECTION_FORWARD_AT] == (passages + 1) * 4 &&
           n[SECTION_TERMS] == h->terms_n * sizeof(struct segment_term) &&
           n[SECTION_LETTERS] == h->terms_n * 4ull && h->slots_n > h->terms_n &&
           n[SECTION_SLOTS] == h->slots_n * 4ull &&
           (h->slots_n & (h->slots_n - 1)) == 0 &&
           n[SECTION_BLOCK_LAST] == n[SECTION_BLOCK_AT] &&
           n[SECTION_BLOCK_LAST] == n[SECTION_BLOCK_MAX] * 4;
}

static bool head_fits(const struct format_head *h, size_t bytes)
{
    return memcmp(h->magic, FORMAT_MAGIC, sizeof(FORMAT_MAGIC)) == 0 &&
           h->bytes == bytes && h->passages_n <= SEGMENT_PASSAGES_MAX &&
           isfinite(h->average) && h->average >= 1 && sections_fit(h, bytes);
}

/* Documents divide all passages among them, by key. */
static bool documents_fit(const struct segment *s)
{
    const struct segment_document *d = s->documents;

    if (d[0].first != 0 || d[s->documents_n].first != s->passages_n)
        return false;
    for (uint32_t i = 0; i < s->documents_n; i++)
        if (d[i].first > d[i + 1].first || (i && d[i - 1].key >= d[i].key) ||
            d[i].language >= LANGUAGES)
            return false;
    return true;
}

static bool forward_fits(const struct segment *s, uint64_t bytes)
{
    if (s->forward_at[0] != 0 || s->forward_at[s->passages_n] > bytes)
        return false;
    for (uint32_t i = 0; i < s->passages_n; i++)
        if (s->forward_at[i] > s->forward_at[i + 1])
            return false;
    return true;
}

/* Each slot names a term, and one is empty, where looking ends. */
static bool slots_fit(const struct segment *s)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < s->slots_n; i++) {
        if (s->slots[i] > s->terms_n)
            return false;
        used += s->slots[i] != 0;
    }
    return used == s->terms_n;
}

/* Each word is found as its own term: so there are no two of them. */
static bool words_fit(const struct segment *s, uint64_t bytes)
{
    for (uint32_t i = 0; i < s->terms_n; i++) {
        uint64_t at = s->terms[i].word;
        struct str word;

        if (at >= bytes)
            return false;
        word = segment_word(s, i);
        if (word.n == 0 || word.n > TERM_BYTES_MAX || word.n >= bytes - at)
            return false;
    }
    for (uint32_t i = 0; i < s->terms_n; i++)
        if (segment_find(s, segment_word(s, i)) != i)
            return false;
    return true;
}

/* The block's bytes, and the eight that decoding reads beyond. */
static bool block_fits(const struct segment *s, uint64_t at, uint32_t n,
                       uint64_t bytes)
{
    uint64_t need = 2 + 8;

    if (at + need > bytes || s->postings[at] > 32 || s->postings[at + 1] > 8)
        return false;
    need += (n * (uint64_t)s->postings[at] + 7) / 8;
    need += (n * (uint64_t)s->postings[at + 1] + 7) / 8;
    return at + need <= bytes;
}

static bool ascends(const struct segment *s, const struct postings *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->passages[i] >= s->passages_n || p->counts[i] == 0 ||
            (i && p->passages[i - 1] >= p->passages[i]))
            return false;
    return true;
}

static bool postings_fit(const struct segment *s, uint32_t term,
                         const uint64_t *section_bytes)
{
    const struct segment_term *t = &s->terms[term];
    bool many = t->df > BLOCK;
    int64_t before = -1;
    struct postings p;

    if (t->df == 0 || t->df > s->passages_n)
        return false;
    postings_open(&p, s, term);
    if (many && t->at + (uint64_t)p.blocks_n > section_bytes[SECTION_BLOCK_MAX])
        return false;
    for (uint32_t b = 0; b < p.blocks_n; b++) {
        uint32_t left = t->df - b * BLOCK;

        if (!block_fits(s, many ? s->block_at[t->at + b] : t->at,
                        left < BLOCK ? left : BLOCK,
                        section_bytes[SECTION_POSTINGS]))
            return false;
        postings_decode(&p, b);
        if (!ascends(s, &p) || p.passages[0] <= before ||
            (many && s->block_last[t->at + b] != p.passages[p.n - 1]))
            return false;
        before = p.passages[p.n - 1];
    }
    return true;
}

static bool segment_fits(const struct segment *s, const struct format_head *h)
{
    const uint64_t *n = h->section_bytes;

    if (!documents_fit(s) || !forward_fits(s, n[SECTION_FORWARD]) ||
        !slots_fit(s) || !words_fit(s, n[SECTION_WORDS]))
        return false;
    for (uint32_t i = 0; i < s->terms_n; i++)
        if (!postings_fit(s, i, n))
            return false;
    return true;
}

enum footnote_rc segment_adopt_unknown(uint8_t *memory, size_t bytes,
                                       struct segment **out,
                                       struct footnote_err *err)
{
    struct format_head h = {.bytes = 0};

    *out = NULL;
    if (bytes >= sizeof(h))
        memcpy(&h, memory, sizeof(h));
    if (!head_fits(&h, bytes)) {
        free(memory);
        return err_set(err, FOOTNOTE_DAMAGED, "it is not an index of ours");
    }
    TRY(segment_adopt(memory, bytes, out, err));
    if (segment_fits(*out, &h))
        return FOOTNOTE_OK;
    segment_drop(*out);
    *out = NULL;
    return err_set(err, FOOTNOTE_DAMAGED, "its places are out of bounds");
}
