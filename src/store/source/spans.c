/* spans.c - where a source's markers stand, as a few bytes.
 *
 * Pairs [start, end) in UTF-16 units, ascending.  Each is two varints: the
 * distance from the end of the one before, and the length. */
#include <assert.h>

#include "base/varint.h"
#include "store/source/spans.h"

struct str spans_pack(struct arena *a, const uint32_t *pairs, size_t n)
{
    unsigned char *p = arena_alloc(a, n * 2 * VARINT_BYTES_MAX + 1);
    uint32_t at = 0;
    size_t bytes = 0;

    if (!p || n == 0)
        return STR_NONE;
    for (size_t i = 0; i < n; i++) {
        assert(at <= pairs[2 * i] && pairs[2 * i] <= pairs[2 * i + 1]);
        bytes += varint_put(pairs[2 * i] - at, p + bytes);
        bytes += varint_put(pairs[2 * i + 1] - pairs[2 * i], p + bytes);
        at = pairs[2 * i + 1];
    }
    return (struct str){(char *)p, bytes};
}

enum footnote_rc spans_unpack(struct str blob, uint32_t *pairs, size_t *n,
                              struct footnote_err *err)
{
    uint64_t at = 0, distance;

    for (*n = 0; blob.n; ++*n)
        for (size_t i = 0; i < 2; i++) {
            if (!varint_take(&blob, &distance) || distance > UINT32_MAX - at)
                return err_set(err, FOOTNOTE_DAMAGED, "spans cannot be read");
            at += distance;
            *pairs++ = (uint32_t)at;
        }
    return FOOTNOTE_OK;
}
