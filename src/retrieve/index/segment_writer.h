/* segment_writer.h - puts a segment together, for builder.c and merge.c.  One
 * thread.
 *
 * In this order: documents, each followed by its passages; end_passages();
 * terms, the most frequent first; finish(). */
#ifndef RETRIEVE_INDEX_SEGMENT_WRITER_H
#define RETRIEVE_INDEX_SEGMENT_WRITER_H
#include "retrieve/index/format.h"
#include "retrieve/index/segment.h"

struct segment_writer {
    struct buf sections[SECTIONS];
    uint32_t passages_n, documents_n, terms_n, blocks_n;
    uint64_t length_sum;
    float average, norms[256]; /* bm25_norms() */
};

void segment_writer_init(struct segment_writer *w);
void segment_writer_free(struct segment_writer *w); /* fit for AUTO */
void segment_writer_add_document(struct segment_writer *w,
                                 const struct segment_document *d);
/* Adds a term to the forward list of the passage that is added next. */
void segment_writer_add_forward(struct segment_writer *w, uint32_t term);
void segment_writer_add_passage(struct segment_writer *w, uint32_t position,
                                uint8_t length);
enum footnote_rc segment_writer_end_passages(struct segment_writer *w,
                                             struct footnote_err *err);
/* A term of one to TERM_BYTES_MAX bytes and its n > 0 postings, ascending. */
void segment_writer_add_term(struct segment_writer *w, struct str word,
                             const uint32_t *passages, const uint8_t *counts,
                             uint32_t n);
enum footnote_rc segment_writer_finish(struct segment_writer *w,
                                       struct segment **out,
                                       struct footnote_err *err);

/* Whoever makes a segment looks between documents and between terms. */
static inline bool is_stopped(const atomic_bool *stop)
{
    return stop && *stop;
}
static inline enum footnote_rc check_stopped(const atomic_bool *stop,
                                             struct footnote_err *err)
{
    return is_stopped(stop)
               ? err_set(err, FOOTNOTE_ENDED, "making an index was stopped")
               : FOOTNOTE_OK;
}

/* Numbers n terms by df, the most frequent first: order[number] is the term,
 * number[term] its number. */
void number_by_df(uint32_t *df, uint32_t n, uint32_t *order, uint32_t *number);

#endif
