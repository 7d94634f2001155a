/* tag.c - a tag that tells two versions of a body apart.
 *
 * Not a digest: whoever wants two bodies with one tag can make them, and then
 * has made his own client keep the older of his own two histories.  In return
 * it costs a twentieth of one, which is what a history that is read for the
 * first time notices.  Each of eight sums takes every eighth word; a step can
 * be turned back, so one word that differs always shows, and eight of them are
 * under way at once, since a multiplication takes its time. */
#include <stdio.h>

#include "http/history.h"

enum { LANES = 8, STEP = LANES * 8 };
static const uint64_t prime_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;

static uint64_t turn(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static inline void add(uint64_t sums[LANES], const char *p)
{
    uint64_t v[LANES];

    memcpy(v, p, STEP);
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++)
        sums[i] = turn(sums[i] ^ v[i], 31) * prime_1;
}

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 33) * prime_2;
    v = (v ^ v >> 29) * prime_1;
    return v ^ v >> 32;
}

void history_tag(struct str body, char out[HISTORY_TAG_BYTES])
{
    uint64_t sums[LANES];
    uint64_t high = body.n, low = ~(uint64_t)body.n;
    char rest[STEP] = {0};
    size_t at = 0;

    for (int i = 0; i < LANES; i++)
        sums[i] = prime_2 * (unsigned)(i + 1);
    for (; body.n - at >= STEP; at += STEP)
        add(sums, body.p + at);
    memcpy(rest, body.p + at, body.n - at);
    add(sums, rest);
    for (int i = 0; i < LANES; i++) {
        high = mix(high ^ sums[i]);
        low = mix(low + turn(sums[i], 17 + i));
    }
    (void)snprintf(out, HISTORY_TAG_BYTES, "\"%016llx%016llx\"",
                   (unsigned long long)high, (unsigned long long)low);
}
