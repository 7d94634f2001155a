/* parts.c - sections of a segment grow apart, then become one block. */
#include "retrieve/index/parts.h"
#include "base/varint.h"

#include <math.h>
#include <stdlib.h>

#include "base/varint.h"
#include "retrieve/index/format.h"

static void add(struct buf *b, const void *p, size_t n)
{
    buf_add(b, (struct str){p, n});
}

static void add_u32(struct buf *b, uint32_t v)
{
    add(b, &v, sizeof(v));
}

void parts_init(struct parts *p)
{
    struct buf *all[] = {&p->documents,  &p->positions, &p->lengths,
                         &p->forward_at, &p->forward,   &p->terms,
                         &p->letters,    &p->words,     &p->block_last,
                         &p->block_at,   &p->block_max, &p->postings};

    *p = (struct parts){.passages_n = 0};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        *all[i] = BUF(SECTION_BYTES_MAX);
}

void parts_free(struct parts *p)
{
    buf_free(&p->documents);
    buf_free(&p->positions);
    buf_free(&p->lengths);
    buf_free(&p->forward_at);
    buf_free(&p->forward);
    buf_free(&p->terms);
    buf_free(&p->letters);
    buf_free(&p->words);
    buf_free(&p->block_last);
    buf_free(&p->block_at);
    buf_free(&p->block_max);
    buf_free(&p->postings);
}

void parts_document(struct parts *p, const struct segment_document *d)
{
    struct segment_document copy = *d;

    copy.first = p->passages_n;
    add(&p->documents, &copy, sizeof(copy));
    p->documents_n++;
}

void parts_forward(struct parts *p, uint32_t term)
{
    unsigned char bytes[VARINT_BYTES_MAX];

    add(&p->forward, bytes, varint_put(term, bytes));
}

void parts_passage(struct parts *p, uint32_t position, uint8_t length)
{
    if (p->passages_n == 0)
        add_u32(&p->forward_at, 0);
    add_u32(&p->forward_at, (uint32_t)p->forward.n);
    add_u32(&p->positions, position);
    add(&p->lengths, &length, 1);
    p->length_sum += length_of(length);
    p->passages_n++;
}

void norms_of(float average, float norms[256])
{
    for (int i = 0; i < 256; i++)
        norms[i] = BM25_K1 * (1 - BM25_B +
                              BM25_B * (float)length_of((uint8_t)i) / average);
}

void parts_lengths(struct parts *p)
{
    p->average =
        p->passages_n ? (float)p->length_sum / (float)p->passages_n : 1.0F;
    if (p->average < 1)
        p->average = 1;
    norms_of(p->average, p->norms);
}

/* ---- Postings ----------------------------------------------------------- */

static unsigned bits_for(uint32_t v)
{
    return v ? 32 - (unsigned)__builtin_clz(v) : 0;
}

/* Values of `width` bits one behind the other; returns the bytes used.  Up to
 * 8 bytes behind them are written as well. */
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

static uint8_t block_max(const struct parts *p, const uint32_t *passages,
                         const uint8_t *counts, uint32_t n)
{
    float most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint8_t code = (uint8_t)p->lengths.p[passages[i]];
        float tf = counts[i], part = tf / (tf + p->norms[code]);

        most = part > most ? part : most;
    }
    return (uint8_t)fminf(255, ceilf(most * 255 + 0.01F));
}

/* The gaps are counted from `before`, the last passage of the block before,
 * or from -1. */
static void add_block(struct parts *p, uint32_t before,
                      const uint32_t *passages, const uint8_t *counts,
                      uint32_t n)
{
    uint8_t bytes[2 + BLOCK * 4 + BLOCK + 8];
    uint32_t gaps[BLOCK], less[BLOCK], all_gaps = 0, all_less = 0;
    size_t size = 2;

    for (uint32_t i = 0; i < n; i++) {
        gaps[i] = passages[i] - (i ? passages[i - 1] : before) - 1;
        less[i] = counts[i] - 1u;
        all_gaps |= gaps[i];
        all_less |= less[i];
    }
    bytes[0] = (uint8_t)bits_for(all_gaps);
    bytes[1] = (uint8_t)bits_for(all_less);
    size += pack(bytes + size, gaps, n, bytes[0]);
    size += pack(bytes + size, less, n, bytes[1]);
    add(&p->postings, bytes, size);
}

static uint32_t add_blocks(struct parts *p, const uint32_t *passages,
                           const uint8_t *counts, uint32_t n)
{
    uint32_t most = 0, before = UINT32_MAX;

    for (uint32_t i = 0; i < n; i += BLOCK) {
        uint32_t m = n - i < BLOCK ? n - i : BLOCK;
        uint8_t max = block_max(p, passages + i, counts + i, m);

        if (n > BLOCK) {
            add_u32(&p->block_last, passages[i + m - 1]);
            add_u32(&p->block_at, (uint32_t)p->postings.n);
            add(&p->block_max, &max, 1);
            p->blocks_n++;
        }
        add_block(p, before, passages + i, counts + i, m);
        before = passages[i + m - 1];
        most = max > most ? max : most;
    }
    return most;
}

void parts_term(struct parts *p, struct str word, const uint32_t *passages,
                const uint8_t *counts, uint32_t n)
{
    struct segment_term t = {.word = (uint32_t)p->words.n, .df = n};
    uint8_t length = (uint8_t)word.n;

    t.at = n > BLOCK ? p->blocks_n : (uint32_t)p->postings.n;
    t.max = add_blocks(p, passages, counts, n);
    add(&p->terms, &t, sizeof(t));
    add_u32(&p->letters, letters_of(word));
    add(&p->words, &length, 1);
    buf_add(&p->words, word);
    p->terms_n++;
}

/* ---- One block ---------------------------------------------------------- */

static uint32_t slots_for(uint32_t terms_n)
{
    uint32_t n = 16;

    while (n < terms_n + terms_n / 2)
        n *= 2;
    return n;
}

static void fill_slots(const struct parts *p, uint32_t *slots, uint32_t n)
{
    const struct segment_term *terms = (const void *)p->terms.p;

    for (uint32_t i = 0; i < p->terms_n; i++) {
        const char *w = p->words.p + terms[i].word;
        uint64_t h = str_hash((struct str){w + 1, (unsigned char)*w});

        while (slots[h & (n - 1)])
            h++;
        slots[h & (n - 1)] = i + 1;
    }
}

static enum footnote_rc check(const struct parts *p, struct footnote_err *err)
{
    const struct buf *all[] = {&p->documents,  &p->positions, &p->lengths,
                               &p->forward_at, &p->forward,   &p->terms,
                               &p->letters,    &p->words,     &p->block_last,
                               &p->block_at,   &p->block_max, &p->postings};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        TRY(buf_rc(all[i], err));
    return FOOTNOTE_OK;
}

static void close_ends(struct parts *p)
{
    struct segment_document end = {.first = p->passages_n};
    uint64_t padding = 0;

    add(&p->documents, &end, sizeof(end));
    if (p->passages_n == 0)
        add_u32(&p->forward_at, 0);
    add(&p->postings, &padding, sizeof(padding)); /* decoding reads 8 bytes */
}

static void place(const struct parts *p, struct format_head *h,
                  struct str sections[SECTIONS], struct str slots)
{
    size_t at = sizeof(*h);
    const struct str all[SECTIONS] = {
        buf_str(&p->documents),  buf_str(&p->positions), buf_str(&p->lengths),
        buf_str(&p->forward_at), buf_str(&p->forward),   buf_str(&p->terms),
        buf_str(&p->letters),    buf_str(&p->words),     slots,
        buf_str(&p->block_last), buf_str(&p->block_at),  buf_str(&p->block_max),
        buf_str(&p->postings)};

    for (int i = 0; i < SECTIONS; i++) {
        sections[i] = all[i];
        h->section_at[i] = at;
        h->section_bytes[i] = all[i].n;
        at += (all[i].n + 7) / 8 * 8;
    }
    h->bytes = at;
}

enum footnote_rc parts_finish(struct parts *p, struct segment **out,
                              struct footnote_err *err)
{
    struct format_head h = {.magic = FORMAT_MAGIC,
                            .passages_n = p->passages_n,
                            .documents_n = p->documents_n,
                            .terms_n = p->terms_n,
                            .slots_n = slots_for(p->terms_n),
                            .length_sum = p->length_sum,
                            .average = p->average};
    uint32_t *slots = calloc(h.slots_n, sizeof(*slots));
    struct str sections[SECTIONS];
    uint8_t *memory = NULL;

    *out = NULL;
    close_ends(p);
    if (slots && check(p, err) == FOOTNOTE_OK) {
        fill_slots(p, slots, h.slots_n);
        place(p, &h, sections,
              (struct str){(const char *)slots, h.slots_n * sizeof(*slots)});
        memory = calloc(1, h.bytes);
    }
    if (!memory) {
        free(slots);
        return err_set(err, FOOTNOTE_NOMEM, "putting an index together");
    }
    memcpy(memory, &h, sizeof(h));
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].n)
            memcpy(memory + h.section_at[i], sections[i].p, sections[i].n);
    free(slots);
    return segment_adopt(memory, h.bytes, out, err);
}
