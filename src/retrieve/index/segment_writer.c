/* segment_writer.c - sections of a segment grow apart, then become one block.
 */
#include "retrieve/index/segment_writer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/varint.h"

static void add(struct segment_writer *w, enum section section, const void *p,
                size_t n)
{
    buf_add(&w->sections[section], (struct str){p, n});
}

static void add_u32(struct segment_writer *w, enum section section, uint32_t v)
{
    add(w, section, &v, sizeof(v));
}

void segment_writer_init(struct segment_writer *w)
{
    *w = (struct segment_writer){.passages_n = 0};
    for (int i = 0; i < SECTIONS; i++)
        w->sections[i] = BUF(SECTION_BYTES_MAX);
}

void segment_writer_free(struct segment_writer *w)
{
    for (int i = 0; i < SECTIONS; i++)
        buf_free(&w->sections[i]);
}

/* ---- Documents and passages --------------------------------------------- */

void segment_writer_add_document(struct segment_writer *w,
                                 const struct segment_document *d)
{
    struct segment_document copy = *d;

    copy.first = w->passages_n;
    add(w, SECTION_DOCUMENTS, &copy, sizeof(copy));
    w->documents_n++;
}

void segment_writer_add_forward(struct segment_writer *w, uint32_t term)
{
    unsigned char bytes[VARINT_BYTES_MAX];

    add(w, SECTION_FORWARD, bytes, varint_put(term, bytes));
}

void segment_writer_add_passage(struct segment_writer *w, uint32_t position,
                                uint8_t length)
{
    assert(w->documents_n > 0 && w->terms_n == 0);
    if (w->passages_n == 0)
        add_u32(w, SECTION_FORWARD_AT, 0);
    add_u32(w, SECTION_FORWARD_AT, (uint32_t)w->sections[SECTION_FORWARD].n);
    add_u32(w, SECTION_POSITIONS, position);
    add(w, SECTION_LENGTHS, &length, 1);
    w->length_sum += length == LENGTH_LAST ? 0 : length_of(length);
    w->passages_n++;
}

enum footnote_rc segment_writer_end_passages(struct segment_writer *w,
                                             struct footnote_err *err)
{
    TRY(buf_rc(&w->sections[SECTION_LENGTHS], err)); /* block_max() reads it */
    w->average =
        w->passages_n ? (float)w->length_sum / (float)w->passages_n : 1.0F;
    if (w->average < 1)
        w->average = 1;
    bm25_norms(w->average, w->norms);
    return FOOTNOTE_OK;
}

/* ---- Terms -------------------------------------------------------------- */

static int by_df(const void *a, const void *b, void *arg)
{
    const uint32_t *df = arg, *x = a, *y = b;

    if (df[*x] != df[*y])
        return df[*x] < df[*y] ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

void number_by_df(uint32_t *df, uint32_t n, uint32_t *order, uint32_t *number)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof(*order), by_df, df);
    for (uint32_t i = 0; i < n; i++)
        number[order[i]] = i;
}

static unsigned bits_for(uint32_t v)
{
    return v ? 32 - (unsigned)__builtin_clz(v) : 0;
}

/* Writes values of `width` bits without gaps and returns the bytes used.  Up
 * to 8 bytes more are overwritten. */
static size_t pack(uint8_t *out, const uint32_t *values, uint32_t n,
                   unsigned width)
{
    size_t bytes = ((size_t)n * width + 7) / 8;

    memset(out, 0, bytes + 8);
    for (uint32_t i = 0; i < n; i++) {
        size_t bit = (size_t)i * width;
        uint64_t v;

        memcpy(&v, out + bit / 8, sizeof(v));
        v |= (uint64_t)values[i] << bit % 8;
        memcpy(out + bit / 8, &v, sizeof(v));
    }
    return bytes;
}

static uint8_t block_max(const struct segment_writer *w,
                         const uint32_t *passages, const uint8_t *counts,
                         uint32_t n)
{
    const char *lengths = w->sections[SECTION_LENGTHS].p;
    float most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint8_t code = (uint8_t)lengths[passages[i]];
        float tf = counts[i], part = tf / (tf + w->norms[code]);

        most = part > most ? part : most;
    }
    return (uint8_t)fminf(255, ceilf(most * 255 + 0.01F));
}

/* Gaps are counted from `before`: the last passage of the previous block, or
 * -1. */
static void add_block(struct segment_writer *w, uint32_t before,
                      const uint32_t *passages, const uint8_t *counts,
                      uint32_t n)
{
    uint8_t bytes[2 + BLOCK * 4 + BLOCK + 8];
    uint32_t gaps[BLOCK], less[BLOCK], all_gaps = 0, all_less = 0;
    size_t size = 2;

    for (uint32_t i = 0; i < n; i++) {
        assert(i == 0 || passages[i - 1] < passages[i]);
        gaps[i] = passages[i] - (i ? passages[i - 1] : before) - 1;
        less[i] = counts[i] - 1u;
        all_gaps |= gaps[i];
        all_less |= less[i];
    }
    bytes[0] = (uint8_t)bits_for(all_gaps);
    bytes[1] = (uint8_t)bits_for(all_less);
    size += pack(bytes + size, gaps, n, bytes[0]);
    size += pack(bytes + size, less, n, bytes[1]);
    add(w, SECTION_POSTINGS, bytes, size);
}

static uint32_t add_blocks(struct segment_writer *w, const uint32_t *passages,
                           const uint8_t *counts, uint32_t n)
{
    uint32_t most = 0, before = UINT32_MAX;

    for (uint32_t i = 0; i < n; i += BLOCK) {
        uint32_t m = n - i < BLOCK ? n - i : BLOCK;
        uint8_t max = block_max(w, passages + i, counts + i, m);

        if (n > BLOCK) {
            add_u32(w, SECTION_BLOCK_LAST, passages[i + m - 1]);
            add_u32(w, SECTION_BLOCK_AT,
                    (uint32_t)w->sections[SECTION_POSTINGS].n);
            add(w, SECTION_BLOCK_MAX, &max, 1);
            w->blocks_n++;
        }
        add_block(w, before, passages + i, counts + i, m);
        before = passages[i + m - 1];
        most = max > most ? max : most;
    }
    return most;
}

void segment_writer_add_term(struct segment_writer *w, struct str word,
                             const uint32_t *passages, const uint8_t *counts,
                             uint32_t n)
{
    struct segment_term t = {.word = (uint32_t)w->sections[SECTION_WORDS].n,
                             .df = n};
    uint8_t length = (uint8_t)word.n;

    assert(word.n > 0 && word.n <= TERM_BYTES_MAX);
    assert(n > 0 && passages[n - 1] < w->passages_n);
    t.at = n > BLOCK ? w->blocks_n : (uint32_t)w->sections[SECTION_POSTINGS].n;
    t.max = add_blocks(w, passages, counts, n);
    add(w, SECTION_TERMS, &t, sizeof(t));
    add_u32(w, SECTION_LETTERS, letters_of(word));
    add(w, SECTION_WORDS, &length, 1);
    add(w, SECTION_WORDS, word.p, word.n);
    w->terms_n++;
}

/* ---- One block ---------------------------------------------------------- */

static void fill_slots(const struct segment_writer *w, uint32_t *slots,
                       uint32_t n)
{
    const struct segment_term *terms =
        (const void *)w->sections[SECTION_TERMS].p;

    for (uint32_t i = 0; i < w->terms_n; i++) {
        const char *word = w->sections[SECTION_WORDS].p + terms[i].word;
        uint64_t h = str_hash((struct str){word + 1, (unsigned char)*word});

        while (slots[h & (n - 1)])
            h++;
        slots[h & (n - 1)] = i + 1;
    }
}

enum footnote_rc segment_writer_finish(struct segment_writer *w,
                                       struct segment **out,
                                       struct footnote_err *err)
{
    struct segment_document end = {.first = w->passages_n};
    uint64_t padding = 0; /* decoding reads 8 bytes at a time */
    struct format_head h = {.magic = FORMAT_MAGIC,
                            .passages_n = w->passages_n,
                            .documents_n = w->documents_n,
                            .terms_n = w->terms_n,
                            .slots_n = 16,
                            .length_sum = w->length_sum,
                            .average = w->average,
                            .bytes = sizeof(h)};
    uint8_t *memory = NULL;
    bool ok = true;

    *out = NULL;
    add(w, SECTION_DOCUMENTS, &end, sizeof(end));
    if (w->passages_n == 0)
        add_u32(w, SECTION_FORWARD_AT, 0);
    add(w, SECTION_POSTINGS, &padding, sizeof(padding));
    while (h.slots_n < w->terms_n + w->terms_n / 2)
        h.slots_n *= 2;
    for (int i = 0; i < SECTIONS; i++) {
        ok = ok && w->sections[i].broken == FOOTNOTE_OK;
        h.section_at[i] = h.bytes;
        h.section_bytes[i] = i == SECTION_SLOTS ? h.slots_n * sizeof(uint32_t)
                                                : w->sections[i].n;
        h.bytes += (h.section_bytes[i] + 7) / 8 * 8;
    }
    if (ok)
        memory = calloc(1, h.bytes);
    if (!memory)
        return err_set(err, FOOTNOTE_NOMEM, "putting an index together");
    memcpy(memory, &h, sizeof(h));
    for (int i = 0; i < SECTIONS; i++)
        if (w->sections[i].n)
            memcpy(memory + h.section_at[i], w->sections[i].p,
                   w->sections[i].n);
    fill_slots(w, (void *)(memory + h.section_at[SECTION_SLOTS]), h.slots_n);
    return segment_adopt(memory, h.bytes, out, err);
}
