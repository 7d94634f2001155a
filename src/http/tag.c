/* tag.c - a tag that tells two versions of a body apart.
 *
 * Not a digest: whoever wants two bodies with one tag can make them, and then
 * has made his own client keep the older of his own two histories.  In return
 * it costs a tenth of one, which is what a history that is read for the first
 * time notices.  Four sums over eight bytes each, as in XXH64. */
#include <stdio.h>

#include "http/history.h"

enum { LANES = 4, STEP = LANES * 8 };
static const uint64_t prime_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;

static uint64_t turn(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static void add(uint64_t sums[LANES], const char *p)
{
    uint64_t v[LANES];

    memcpy(v, p, STEP);
    for (int i = 0; i < LANES; i++)
        sums[i] = turn(sums[i] + v[i] * prime_2, 31) * prime_1;
}

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 33) * prime_2;
    v = (v ^ v >> 29) * prime_1;
    return v ^ v >> 32;
}

void history_tag(struct str body, char out[HISTORY_TAG_BYTES])
{
    uint64_t sums[LANES] = {prime_1, prime_2, body.n, ~prime_1};
    uint64_t high = body.n, low = ~(uint64_t)body.n;
    char rest[STEP] = {0};
    size_t at = 0;

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
