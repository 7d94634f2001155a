/* varint.h - whole numbers as few bytes: unsigned LEB128.  Any thread. */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H
#include "base/str.h"

enum { VARINT_BYTES_MAX = 10 };

/* Writes v, lowest seven bits first, and returns how many bytes it took. */
size_t varint_put(uint64_t v, unsigned char out[VARINT_BYTES_MAX]);

/* Takes a number off the front of *in.  False when it is cut off, over 64 bits
 * or longer than need be: a number has one form. */
struct varint {
    uint64_t value;
    struct str rest; /* absent: there is none */
};
struct varint varint_take_long(struct str in); /* the same, of any length */
static inline bool varint_take(struct str *in, uint64_t *out)
{
    const unsigned char *p = (const unsigned char *)in->p;
    struct varint v;

    if (in->n > 0 && p[0] < 0x80)
        v = (struct varint){p[0], {in->p + 1, in->n - 1}};
    else if (in->n > 1 && p[1] > 0 && p[1] < 0x80)
        v = (struct varint){(uint64_t)p[1] << 7 | (p[0] & 0x7f),
                            {in->p + 2, in->n - 2}};
    else
        v = varint_take_long(*in);
    if (!v.rest.p)
        return false;
    *out = v.value;
    *in = v.rest;
    return true;
}

#endif
