/* mix.h - sums of bytes that tell rot, not forgers.  Any thread.
 *
 * The product of two 64-bit words, folded: each bit of both is in each bit of
 * it.  Steps of sixteen bytes make a sum at several gigabytes a second. */
#ifndef BASE_MIX_H
#define BASE_MIX_H
#include "base/str.h"

#include <endian.h>
#include <string.h>

enum { MIX_STEP = 16 };

static inline uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The sum after `s`, whose last step is filled up with zeroes: the caller adds
 * the length.  The same on machines of either byte order. */
static inline uint64_t mix_bytes(uint64_t secret, uint64_t sum, struct str s)
{
    uint64_t v[4] = {0}, beside = sum;

    for (; s.n > 2 * MIX_STEP; s.p += 2 * MIX_STEP, s.n -= 2 * MIX_STEP) {
        memcpy(v, s.p, sizeof(v));
        sum = mix(le64toh(v[0]) ^ secret, le64toh(v[1]) ^ sum);
        beside = mix(le64toh(v[2]) ^ secret, le64toh(v[3]) ^ beside);
    }
    memset(v, 0, sizeof(v));
    if (s.n)
        memcpy(v, s.p, s.n);
    sum = mix(le64toh(v[0]) ^ secret, le64toh(v[1]) ^ sum);
    beside = mix(le64toh(v[2]) ^ secret, le64toh(v[3]) ^ beside);
    return sum + (beside << 32 | beside >> 32);
}

#endif
