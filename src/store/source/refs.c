/* refs.c - all references of a message as a few bytes. */
#include "store/source/refs.h"

#include <assert.h>
#include <endian.h>
#include <math.h>

#include "base/varint.h"
#include "store/store.h"

enum {
    HAS_SUPPORT = 1,
    HAS_SPANS = 2,
    HAS_SCORE = 4,
    FLAGS_UNKNOWN = 8 | 16 | 32, /* room for later ones in the same byte */
    HEAD_BITS = 6,
    SCORE_BYTES = 8,
    SUPPORT_MAX = 1000,
    /* Head, source, support and length of the spans. */
    FIXED_BYTES_MAX = 4 * VARINT_BYTES_MAX + SCORE_BYTES
};

/* ---- In ----------------------------------------------------------------- */

static size_t put(const struct ref *r, uint32_t before, unsigned char *out)
{
    uint64_t head = (uint64_t)(r->number - before) << HEAD_BITS, score;
    size_t n;

    assert(r->number > before && r->source > 0 && r->support <= SUPPORT_MAX);
    head |= (r->support >= 0 ? HAS_SUPPORT : 0) | (r->spans.p ? HAS_SPANS : 0) |
            (r->has_score ? HAS_SCORE : 0);
    n = varint_put(head, out);
    n += varint_put((uint64_t)r->source, out + n);
    if (r->support >= 0)
        n += varint_put((uint64_t)r->support, out + n);
    if (r->spans.p) {
        n += varint_put(r->spans.n, out + n);
        memcpy(out + n, r->spans.p, r->spans.n);
        n += r->spans.n;
    }
    if (r->has_score) {
        memcpy(&score, &r->score, sizeof(score));
        score = htobe64(score);
        memcpy(out + n, &score, SCORE_BYTES);
        n += SCORE_BYTES;
    }
    return n;
}

struct str refs_pack(struct arena *a, const struct ref *refs, size_t n)
{
    size_t max = VARINT_BYTES_MAX, bytes;
    unsigned char *p;

    if (n == 0)
        return STR_NONE;
    for (size_t i = 0; i < n; i++)
        max += FIXED_BYTES_MAX + refs[i].spans.n;
    p = arena_alloc(a, max);
    if (!p)
        return STR_NONE;
    bytes = varint_put(n, p);
    for (size_t i = 0; i < n; i++)
        bytes += put(&refs[i], i ? refs[i - 1].number : 0, p + bytes);
    return (struct str){(char *)p, bytes};
}

/* ---- Out ---------------------------------------------------------------- */

static bool take_bytes(struct str *in, uint64_t n, struct str *out)
{
    if (n > in->n)
        return false;
    *out = (struct str){in->p, n};
    *in = str_skip(*in, n);
    return true;
}

static bool take_source(struct str *in, int64_t *out)
{
    uint64_t v;

    if (!varint_take(in, &v) || v == 0 || v > INT32_MAX)
        return false;
    *out = (int64_t)v;
    return true;
}

static bool take_support(struct str *in, int *out)
{
    uint64_t v;

    if (!varint_take(in, &v) || v > SUPPORT_MAX)
        return false;
    *out = (int)v;
    return true;
}

static bool take_spans(struct str *in, struct str *out)
{
    uint64_t n;

    return varint_take(in, &n) && n > 0 && take_bytes(in, n, out);
}

static bool take_score(struct str *in, double *out)
{
    struct str bytes;
    uint64_t bits;

    if (!take_bytes(in, SCORE_BYTES, &bytes))
        return false;
    memcpy(&bits, bytes.p, SCORE_BYTES);
    bits = be64toh(bits);
    memcpy(out, &bits, SCORE_BYTES);
    return isfinite(*out);
}

static bool take(struct refs *r, struct ref *out)
{
    struct str in = r->rest;
    uint64_t head;

    if (!varint_take(&in, &head) || (head & FLAGS_UNKNOWN) ||
        head >> HEAD_BITS == 0 ||
        head >> HEAD_BITS > STORE_NUMBER_MAX - r->number)
        return false;
    r->number += head >> HEAD_BITS;
    *out = (struct ref){.number = (uint32_t)r->number,
                        .support = -1,
                        .has_score = (head & HAS_SCORE) != 0};
    if (!take_source(&in, &out->source) ||
        ((head & HAS_SUPPORT) && !take_support(&in, &out->support)) ||
        ((head & HAS_SPANS) && !take_spans(&in, &out->spans)) ||
        ((head & HAS_SCORE) && !take_score(&in, &out->score)))
        return false;
    r->rest = in;
    return true;
}

static enum footnote_rc damaged(struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_DAMAGED,
                   "references of a message cannot be read");
}

enum footnote_rc refs_begin(struct refs *r, struct str packed,
                            struct footnote_err *err)
{
    uint64_t n = 0;

    *r = (struct refs){.rest = packed};
    if (!packed.p)
        return FOOTNOTE_OK;
    if (!varint_take(&r->rest, &n) || n == 0 || n > STORE_SOURCES_MAX)
        return damaged(err);
    r->n = n;
    return FOOTNOTE_OK;
}

enum footnote_rc refs_next(struct refs *r, struct ref *out,
                           struct footnote_err *err)
{
    assert(r->n > 0);
    if (!take(r, out) || (--r->n == 0 && r->rest.n > 0))
        return damaged(err);
    return FOOTNOTE_OK;
}
