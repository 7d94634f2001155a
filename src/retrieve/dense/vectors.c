/* vectors.c - the vectors of a course in memory, and the nearest of them. */
#include "retrieve/dense/vectors.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- Blocks -------------------------------------------------------------- */

struct vector_block *vector_block_new(int64_t document, int64_t version,
                                      size_t n, size_t size)
{
    struct vector_block *b = calloc(1, sizeof(*b));

    if (!b)
        return NULL;
    b->refs = 1;
    b->document = document;
    b->version = version;
    b->size = size;
    b->positions = calloc(n + 1, sizeof(*b->positions));
    b->values = calloc(n * size + 1, sizeof(*b->values));
    if (b->positions && b->values)
        return b;
    vector_block_drop(b);
    return NULL;
}

static int16_t fixed(float f)
{
    float v = f < -1 ? -1 : f > 1 ? 1 : f; /* what is no number becomes 1 */

    return (int16_t)lrintf(v * VECTOR_ONE);
}

void vector_block_add(struct vector_block *b, int64_t position,
                      const char *floats)
{
    int16_t *out = b->values + b->n * b->size;
    float f;

    for (size_t i = 0; i < b->size; i++) {
        memcpy(&f, floats + i * sizeof(f), sizeof(f));
        out[i] = fixed(f);
    }
    b->positions[b->n++] = (int32_t)position;
}

void vector_block_drop(struct vector_block *b)
{
    if (!b || atomic_fetch_sub(&b->refs, 1) > 1)
        return;
    free(b->positions);
    free(b->values);
    free(b);
}

/* ---- Bits ---------------------------------------------------------------- */

static size_t words_of(const struct vectors *v)
{
    return (v->size + 63) / 64;
}

static void to_bits(const struct vectors *v, const int16_t *values,
                    uint64_t *out)
{
    memset(out, 0, words_of(v) * sizeof(*out));
    for (size_t i = 0; i < v->size; i++)
        out[i / 64] |= (uint64_t)(values[i] > v->middle[i]) << i % 64;
}

/* Vectors of one model lean the same way, so a bit says on which side of their
 * middle a number is. */
static bool find_middle(struct vectors *v)
{
    int64_t *sums = calloc(v->size, sizeof(*sums));

    v->middle = calloc(v->size, sizeof(*v->middle));
    for (size_t i = 0; sums && v->middle && i < v->blocks_n; i++)
        for (size_t k = 0; k < v->blocks[i]->n; k++)
            for (size_t j = 0; j < v->size; j++)
                sums[j] += v->blocks[i]->values[k * v->size + j];
    for (size_t j = 0; sums && v->middle && j < v->size; j++)
        v->middle[j] = (int16_t)(sums[j] / (int64_t)v->n);
    free(sums);
    return sums && v->middle;
}

static bool make_bits(struct vectors *v)
{
    uint64_t *at;

    if (!find_middle(v))
        return false;
    v->bits = calloc(v->n * words_of(v), sizeof(*v->bits));
    at = v->bits;
    for (size_t i = 0; at && i < v->blocks_n; i++)
        for (size_t k = 0; k < v->blocks[i]->n; k++, at += words_of(v))
            to_bits(v, v->blocks[i]->values + k * v->size, at);
    v->bytes += v->n * words_of(v) * sizeof(*v->bits);
    return v->bits != NULL;
}

/* ---- Snapshots ----------------------------------------------------------- */

static void take_blocks(struct vectors *v, struct vector_block **blocks,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct vector_block *b = blocks[i];

        if (b->n == 0 || b->size != v->size) {
            vector_block_drop(b);
            continue;
        }
        v->first[v->blocks_n] = (uint32_t)v->n;
        v->blocks[v->blocks_n++] = b;
        v->n += b->n;
        v->bytes += sizeof(*b) + b->n * (sizeof(*b->positions) +
                                         b->size * sizeof(*b->values));
    }
    v->first[v->blocks_n] = (uint32_t)v->n;
}

struct vectors *vectors_new(struct vector_block **blocks, size_t blocks_n,
                            size_t size, struct str model)
{
    struct vectors *v = calloc(1, sizeof(*v));

    if (v) {
        v->refs = 1;
        v->size = size;
        v->model = strndup(model.p, model.n);
        v->blocks = calloc(blocks_n + 1, sizeof(struct vector_block *));
        v->first = calloc(blocks_n + 1, sizeof(*v->first));
    }
    if (!v || !v->model || !v->blocks || !v->first) {
        for (size_t i = 0; i < blocks_n; i++)
            vector_block_drop(blocks[i]);
        vectors_drop(v);
        return NULL;
    }
    take_blocks(v, blocks, blocks_n);
    if (v->n <= VECTORS_EXACT || make_bits(v))
        return v;
    vectors_drop(v);
    return NULL;
}

void vectors_drop(struct vectors *v)
{
    if (!v || atomic_fetch_sub(&v->refs, 1) > 1)
        return;
    for (size_t i = 0; i < v->blocks_n; i++)
        vector_block_drop(v->blocks[i]);
    free(v->blocks);
    free(v->first);
    free(v->bits);
    free(v->middle);
    free(v->model);
    free(v);
}

const struct vector_block *vectors_find(const struct vectors *v,
                                        int64_t document)
{
    size_t from = 0, to = v->blocks_n;

    while (from < to) {
        size_t half = from + (to - from) / 2;

        if (v->blocks[half]->document < document)
            from = half + 1;
        else
            to = half;
    }
    return from < v->blocks_n && v->blocks[from]->document == document
               ? v->blocks[from]
               : NULL;
}

/* ---- The nearest --------------------------------------------------------- */

struct nearest {
    const struct vectors *vectors;
    int16_t *question;
    struct near_passage *out;
    size_t *n, max;
};

static int32_t dot(const int16_t *a, const int16_t *b, size_t n)
{
    int32_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Keeps `out` sorted; max is small. */
static void insert(struct nearest *w, struct near_passage item)
{
    size_t i;

    if (*w->n == w->max && (!w->max || item.score <= w->out[*w->n - 1].score))
        return;
    i = *w->n < w->max ? (*w->n)++ : *w->n - 1;
    for (; i > 0 && w->out[i - 1].score < item.score; i--)
        w->out[i] = w->out[i - 1];
    w->out[i] = item;
}

static void compare(struct nearest *w, const struct vector_block *b, size_t i)
{
    int32_t sum = dot(w->question, b->values + i * b->size, b->size);

    insert(w, (struct near_passage){b->document, b->version, b->positions[i],
                                    (float)sum /
                                        ((float)VECTOR_ONE * VECTOR_ONE)});
}

static void compare_block(struct nearest *w, const struct vector_block *b)
{
    for (size_t i = 0; i < b->n; i++)
        compare(w, b, i);
}

#if defined(__x86_64__)
#define BITS_FAST __attribute__((target("popcnt")))
#else
#define BITS_FAST
#endif

#define COUNT_DIFFERENT(v, question, out)                                      \
    do {                                                                       \
        const uint64_t *at_ = (v)->bits;                                       \
        size_t words_ = words_of(v);                                           \
        for (size_t i_ = 0; i_ < (v)->n; i_++) {                               \
            unsigned n_ = 0;                                                   \
            for (size_t k_ = 0; k_ < words_; k_++)                             \
                n_ += (unsigned)__builtin_popcountll(*at_++ ^ (question)[k_]); \
            (out)[i_] = (uint16_t)n_;                                          \
        }                                                                      \
    } while (0)

BITS_FAST static void count_fast(const struct vectors *v,
                                 const uint64_t *question, uint16_t *out)
{
    COUNT_DIFFERENT(v, question, out);
}

static void count_different(const struct vectors *v, const uint64_t *question,
                            uint16_t *out)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("popcnt")) {
        COUNT_DIFFERENT(v, question, out);
        return;
    }
#endif
    count_fast(v, question, out);
}

/* So few bits differ in VECTORS_NEAREST vectors, or a few more. */
static unsigned find_limit(const struct vectors *v, const uint16_t *different,
                           uint32_t *counts)
{
    size_t seen = 0;
    unsigned limit = 0;

    for (size_t i = 0; i < v->n; i++)
        counts[different[i]]++;
    while (limit < v->size && seen + counts[limit] < VECTORS_NEAREST)
        seen += counts[limit++];
    return limit;
}

static bool compare_by_bits(struct nearest *w, struct arena *scratch)
{
    const struct vectors *v = w->vectors;
    uint64_t *bits = arena_many(scratch, words_of(v), uint64_t);
    uint16_t *different = arena_many(scratch, v->n, uint16_t);
    uint32_t *counts = arena_many(scratch, v->size + 1, uint32_t);
    unsigned limit;

    if (!bits || !different || !counts)
        return false;
    to_bits(v, w->question, bits);
    count_different(v, bits, different);
    limit = find_limit(v, different, counts);
    for (size_t b = 0; b < v->blocks_n; b++)
        for (uint32_t i = v->first[b]; i < v->first[b + 1]; i++)
            if (different[i] <= limit)
                compare(w, v->blocks[b], i - v->first[b]);
    return true;
}

void vectors_nearest(const struct vectors *v, struct arena *scratch,
                     const float *question, const struct vectors_only *only,
                     struct near_passage *out,
                     /* NOLINTNEXTLINE(readability-non-const-parameter) */
                     size_t *n /* of what is added */, size_t max)
{
    struct nearest w = {.vectors = v, .out = out, .n = n, .max = max};

    w.question = arena_many(scratch, v->size + 1, int16_t);
    if (!w.question)
        return;
    for (size_t i = 0; i < v->size; i++)
        w.question[i] = fixed(question[i]);
    if (only) {
        for (size_t i = 0; i < only->documents_n; i++) {
            const struct vector_block *b = vectors_find(v, only->documents[i]);

            if (b)
                compare_block(&w, b);
        }
    } else if (!v->bits || !compare_by_bits(&w, scratch)) {
        for (size_t i = 0; i < v->blocks_n; i++)
            compare_block(&w, v->blocks[i]);
    }
}
