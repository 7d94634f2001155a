/* varint.h - whole numbers as few bytes: unsigned LEB128.  Any thread. */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H
#include "base/str.h"

enum { VARINT_BYTES_MAX = 10 };

/* Writes v, lowest seven bits first, and returns how many bytes it took. */
size_t varint_put(uint64_t v, unsigned char out[VARINT_BYTES_MAX]);

/* Takes a number off the front of *in.  False when it is cut off, over 64 bits
 * or longer than need be: a number has one form. */
bool varint_take(struct str *in, uint64_t *out);

#endif
