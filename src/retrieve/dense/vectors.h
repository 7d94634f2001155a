/* vectors.h - the vectors of a course in memory, and the nearest of them.
 *
 * A number takes two bytes: a vector of length one is kept with length
 * VECTOR_ONE, which loses nothing that a ranking could see.  Of a large course,
 * a bit for each number is compared first, and the best of these exactly, so
 * that not all of its memory is read for each question.  A snapshot never
 * changes and is counted; its blocks are shared with the next one. */
#ifndef RETRIEVE_DENSE_VECTORS_H
#define RETRIEVE_DENSE_VECTORS_H
#include <stdatomic.h>

#include "base/arena.h"

enum {
    VECTOR_ONE = 32000,    /* a sum of products stays below 2^31 */
    VECTORS_EXACT = 16384, /* so many are compared without bits */
    VECTORS_NEAREST = 4096 /* at least so many of a large course are, after */
};

struct vector_block { /* of a version of a document */
    _Atomic unsigned refs;
    int64_t document, version;
    size_t stored_n; /* that the store had, sound or not */
    size_t n, size;  /* vectors, and numbers of each */
    int32_t *positions;
    int16_t *values;
};
/* *out is yours, with room for n vectors; NULL: no memory. */
struct vector_block *vector_block_new(int64_t document, int64_t version,
                                      size_t n, size_t size);
/* `floats` are bytes, as the store has them. */
void vector_block_add(struct vector_block *b, int64_t position,
                      const char *floats);
void vector_block_drop(struct vector_block *b); /* NULL is fine */

struct vectors {
    _Atomic unsigned refs;
    struct vector_block **blocks; /* by document */
    uint32_t *first;              /* of each block: its first vector */
    size_t blocks_n;
    size_t n, size; /* vectors, and numbers of each */
    size_t bytes;
    uint64_t *bits; /* NULL: they are few */
    int16_t *middle;
    char *model; /* that made them, as the store has it */
};
/* Takes over references to the blocks, sorted by document, also on failure;
 * blocks of another size are dropped.  *out is yours. */
struct vectors *vectors_new(struct vector_block **blocks, size_t blocks_n,
                            size_t size, struct str model);
void vectors_drop(struct vectors *v); /* NULL is fine */
/* NULL: the document has none. */
const struct vector_block *vectors_find(const struct vectors *v,
                                        int64_t document);

struct near_passage { /* its vector is near the question's */
    int64_t document, version, position;
    float score; /* cosine */
};
struct vectors_only { /* documents, each once */
    const int64_t *documents;
    size_t documents_n;
};
/* Adds the nearest to `out`, sorted, of which `n` are there already.  `only`
 * may be NULL: of all documents. */
void vectors_nearest(const struct vectors *v, struct arena *scratch,
                     const float *question, const struct vectors_only *only,
                     struct near_passage *out, size_t *n, size_t max);

#endif
