/* segment.h - an immutable inverted index of some documents.  Any thread.
 *
 * One piece of memory, of our own: files are read and checked once, and never
 * looked at again, so that whatever becomes of them changes no search.
 *
 *     head | documents | positions | lengths | forward_at | forward
 *          | terms | letters | words | slots
 *          | block_last | block_at | block_max | postings
 *
 * Passages are numbered in the order (document, position), so that a document
 * is a range of numbers.  Terms are numbered by how many passages have them,
 * most first, so that small numbers are frequent: a passage's forward list has
 * its terms in order, as varints, without function words.
 *
 * Postings come in blocks of 128, packed to the bit: first the passages' gaps,
 * then how often (less one).  A term in at most 128 passages has one block,
 * named by the term itself; the others have entries in the block_ arrays.
 * "max" is the largest tf / (tf + K) of a block in 255ths, rounded up, with K
 * by the segment's own average length.  It lets a search skip blocks.
 *
 * Nothing is ever deleted from a segment: a snapshot (indexes.h) knows which of
 * its documents are alive. */
#ifndef RETRIEVE_INDEX_SEGMENT_H
#define RETRIEVE_INDEX_SEGMENT_H
#include <stdatomic.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "language/analyse.h"

enum {
    BLOCK = 128,
    TF_MAX = 255,
    SEGMENT_PASSAGES_MAX = 1 << 28,
    SEGMENT_FORWARD_MAX = 4096 /* terms of a passage; the rest is not indexed */
};

/* BM25.  Lengths and counts leave function words out. */
#define BM25_K1 1.2F
#define BM25_B  0.75F
/* K of BM25 by length code: what tf is compared with. */
void bm25_norms(float average, float norms[256]);

struct segment_document {
    int64_t key;
    uint64_t digest; /* the first bytes of its version's digest */
    uint32_t version;
    uint32_t first; /* passage; the next document's first ends it */
    uint32_t kind, language;
};

struct segment_term {
    uint32_t word; /* offset in words: a byte of length, then the bytes */
    uint32_t df;   /* passages that have it */
    uint32_t at;   /* df <= BLOCK: offset in postings; else its first block */
    uint32_t max;  /* of all its blocks */
};

struct segment {
    uint32_t passages_n, documents_n, terms_n, slots_n;
    uint64_t length_sum;                      /* of all passages */
    float average;                            /* length that `max` is for */
    const struct segment_document *documents; /* by key; one more at the end */
    const uint32_t *positions;
    const uint8_t *lengths; /* codes: length_of() */
    const uint32_t *forward_at;
    const uint8_t *forward;
    const struct segment_term *terms;
    const uint32_t *letters; /* by term: letters_of() */
    const char *words;
    const uint32_t *slots; /* hash table of terms, + 1 */
    const uint32_t *block_last, *block_at;
    const uint8_t *block_max;
    const uint8_t *postings;
    /* Inner. */
    const uint8_t *memory;
    size_t bytes;
    _Atomic unsigned refs;
    char *path; /* its file; NULL: only in memory */
};

/* ---- Making ------------------------------------------------------------- */

/* Collects passages, which come in (document, position) order.  One thread. */
struct builder;
enum footnote_rc builder_open(struct analyser *a, struct builder **out,
                              struct footnote_err *err);
void builder_close(struct builder *b);                /* NULL is fine */
static inline void builder_closep(struct builder **b) /* fit for AUTO */
{
    builder_close(*b);
}
/* The passages that follow are of this document; `first` is not read. */
enum footnote_rc builder_document(struct builder *b,
                                  const struct segment_document *d,
                                  struct str title, struct footnote_err *err);
/* `last`: it is ranked behind all others, but found. */
enum footnote_rc builder_passage(struct builder *b, int64_t position,
                                 struct str heading, struct str text, bool last,
                                 struct footnote_err *err);
size_t builder_passages_n(const struct builder *b);
/* A segment of all passages, refs 1; the builder is empty again.  ENDED as soon
 * as *stop is set, which may be NULL. */
enum footnote_rc builder_finish(struct builder *b, const atomic_bool *stop,
                                struct segment **out, struct footnote_err *err);

/* One segment of several, without their dead passages.  A document is dead as
 * a whole, and alive in one input at most.  ENDED as soon as *stop is set,
 * which may be NULL. */
struct segment_input {
    const struct segment *segment;
    const uint64_t *dead; /* bits by passage; NULL: none */
};
static inline bool passage_is_dead(const uint64_t *dead, uint32_t passage)
{
    return dead && (dead[passage / 64] >> passage % 64 & 1);
}
enum footnote_rc segment_merge(const struct segment_input *in, size_t n,
                               const atomic_bool *stop, struct segment **out,
                               struct footnote_err *err);

/* ---- Keeping ------------------------------------------------------------ */

struct segment *segment_hold(struct segment *s);     /* one reference more */
void segment_drop(struct segment *s);                /* NULL is fine */
static inline void segment_dropp(struct segment **s) /* fit for AUTO */
{
    segment_drop(*s);
}
/* Durable under `path`, which becomes s->path; for the course of that name. */
enum footnote_rc segment_save(struct segment *s, const char *path,
                              const struct sha256 *course,
                              struct footnote_err *err);
/* NOTFOUND when there is no file, DAMAGED when it is not what was saved for
 * this course, BUSY when the system cannot open one more. */
enum footnote_rc segment_load(const char *path, const struct sha256 *course,
                              struct segment **out, struct footnote_err *err);
/* From memory that a writer has filled, and that becomes the segment's
 * (malloc). */
enum footnote_rc segment_adopt(uint8_t *memory, size_t bytes,
                               struct segment **out, struct footnote_err *err);
/* The same of memory that may have any bytes: DAMAGED when looking into it
 * would go astray.  What is accepted can be searched and merged. */
enum footnote_rc segment_adopt_unknown(uint8_t *memory, size_t bytes,
                                       struct segment **out,
                                       struct footnote_err *err);

/* ---- Looking ------------------------------------------------------------ */

#define NO_TERM UINT32_MAX
/* The number of a term, or NO_TERM. */
uint32_t segment_find(const struct segment *s, struct str term);
struct str segment_word(const struct segment *s, uint32_t term);
/* The document's index, or documents_n. */
uint32_t segment_document(const struct segment *s, int64_t key);
/* The document that a passage is of. */
uint32_t segment_document_of(const struct segment *s, uint32_t passage);
/* Terms of a passage in order; returns how many, at most max. */
size_t segment_forward(const struct segment *s, uint32_t passage, uint32_t *out,
                       size_t max);
/* Which letters a word has, as bits. */
uint32_t letters_of(struct str word);
/* Lengths of passages in one byte: exact up to 128, then within 1.5 %. */
enum {
    LENGTH_LAST = 255
}; /* of a passage that is ranked behind all others:
      longer than any can be */
uint8_t length_code(uint32_t length);
uint32_t length_of(uint8_t code);

/* Walks the postings of a term block by block. */
struct postings {
    const struct segment *segment;
    struct segment_term term;
    uint32_t blocks_n, block; /* the block that is decoded, or that would be */
    uint32_t n;               /* postings in it; 0: not decoded */
    bool has_counts;
    uint32_t passages[BLOCK];
    uint8_t counts[BLOCK];
};
void postings_open(struct postings *p, const struct segment *s, uint32_t term);
/* The last passage of block i, and its largest tf / (tf + K) in 255ths. */
uint32_t postings_last(const struct postings *p, uint32_t i);
uint32_t postings_max(const struct postings *p, uint32_t i);
/* The first block from p->block on whose last passage is >= `passage`, or
 * blocks_n. */
uint32_t postings_seek(const struct postings *p, uint32_t passage);
void postings_decode(struct postings *p, uint32_t block);

#endif
