/* spans.c - where a source's markers stand, as a few bytes.
 *
 * Pairs [start, end) in UTF-16 units, ascending.  Each is two LEB128 varints:
 * the distance from the end of the one before, and the length. */
#include "store/inner.h"

enum { VARINT_MAX = 5 };

static size_t put(unsigned char *p, uint32_t v)
{
    size_t n = 0;

    for (; v >= 0x80; v >>= 7)
        p[n++] = (unsigned char)(v | 0x80);
    p[n++] = (unsigned char)v;
    return n;
}

struct str spans_pack(struct arena *a, const uint32_t *pairs, size_t n)
{
    unsigned char *p = arena_alloc(a, n * 2 * VARINT_MAX + 1);
    uint32_t at = 0;
    size_t bytes = 0;

    if (!p || n == 0)
        return STR_NONE;
    for (size_t i = 0; i < n; i++) {
        bytes += put(p + bytes, pairs[2 * i] - at);
        bytes += put(p + bytes, pairs[2 * i + 1] - pairs[2 * i]);
        at = pairs[2 * i + 1];
    }
    return (struct str){(char *)p, bytes};
}

static bool get(struct str blob, size_t *at, uint32_t *out)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 7 * VARINT_MAX; shift += 7) {
        unsigned char c;

        if (*at == blob.n)
            return false;
        c = (unsigned char)blob.p[(*at)++];
        v |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80)) {
            *out = (uint32_t)v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

enum footnote_rc spans_unpack(struct arena *a, struct str blob,
                              const uint32_t **pairs, size_t *n,
                              struct footnote_err *err)
{
    uint32_t *p, at = 0;
    size_t i = 0;

    *pairs = NULL;
    *n = 0;
    if (!blob.p)
        return FOOTNOTE_OK;
    p = arena_many(a, blob.n + 2, uint32_t);
    if (!p)
        return arena_rc(a, err);
    while (i < blob.n) {
        uint32_t skip, length;

        if (!get(blob, &i, &skip) || !get(blob, &i, &length))
            return err_set(err, FOOTNOTE_DAMAGED, "spans cannot be read");
        p[2 * *n] = at + skip;
        p[2 * *n + 1] = at = at + skip + length;
        ++*n;
    }
    *pairs = p;
    return FOOTNOTE_OK;
}
