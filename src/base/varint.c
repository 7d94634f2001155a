/* varint.c - whole numbers as few bytes. */
#include "base/varint.h"

size_t varint_put(uint64_t v, unsigned char out[VARINT_BYTES_MAX])
{
    size_t n = 0;

    for (; v >= 0x80; v >>= 7)
        out[n++] = (unsigned char)(v | 0x80);
    out[n++] = (unsigned char)v;
    return n;
}

/* By value, so that a loop over numbers can keep its place in registers. */
struct varint varint_take_long(struct str in)
{
    struct varint v = {0, STR_NONE};

    for (size_t n = 0; n < in.n && n < VARINT_BYTES_MAX; n++) {
        unsigned char c = (unsigned char)in.p[n];

        if (n == VARINT_BYTES_MAX - 1 && c > 1)
            return v;
        v.value |= (uint64_t)(c & 0x7f) << (7 * n);
        if (c < 0x80) {
            if (c > 0 || n == 0)
                v.rest = (struct str){in.p + n + 1, in.n - n - 1};
            return v;
        }
    }
    return v;
}
