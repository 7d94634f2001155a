/* parts.h - puts a segment together: for builder.c and merge.c.  One thread.
 *
 * In this order: documents with their passages, parts_lengths(), then terms,
 * most frequent first, then parts_finish(). */
#ifndef RETRIEVE_INDEX_PARTS_H
#define RETRIEVE_INDEX_PARTS_H
#include "retrieve/index/segment.h"

struct parts {
    struct buf documents, positions, lengths, forward_at, forward;
    struct buf terms, letters, words;
    struct buf block_last, block_at, block_max, postings;
    uint32_t passages_n, documents_n, terms_n, blocks_n;
    uint64_t length_sum;
    float average, norms[256]; /* K by length code */
};

void parts_init(struct parts *p);
void parts_free(struct parts *p);
void parts_document(struct parts *p, const struct segment_document *d);
void parts_passage(struct parts *p, uint32_t position, uint8_t length);
/* A term of the passage's forward list, in order, before parts_passage. */
void parts_forward(struct parts *p, uint32_t term);
void parts_lengths(struct parts *p);
void parts_term(struct parts *p, struct str word, const uint32_t *passages,
                const uint8_t *counts, uint32_t n);
enum footnote_rc parts_finish(struct parts *p, struct segment **out,
                              struct footnote_err *err);

#endif
