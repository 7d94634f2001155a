/* uuid.c - UUIDv7 (RFC 9562) and random bytes.
 *
 *     48 bits            4    12 bits    2   62 bits
 *     milliseconds       7    counter    2   random
 *
 * Milliseconds and counter together are one 60-bit number that only grows.  It
 * starts each millisecond at a random place in the counter's lower half, and
 * goes up by one when the clock has not moved on, or went back.  A counter
 * that overflows carries into the milliseconds, as the RFC allows. */
#include "base/uuid.h"
#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t newest; /* milliseconds << 12 | counter; under the lock */

void random_bytes(void *out, size_t n)
{
    char *p = out;

    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        assert(got > 0);
        p += got;
        n -= (size_t)got;
    }
}

static uint64_t next_stamp(uint64_t random)
{
    const uint64_t stamp_mask = (UINT64_C(1) << 60) - 1;
    uint64_t fresh = ((uint64_t)clock_wall_ms() << 12) | (random & 0x7FF);

    fresh &= stamp_mask;
    pthread_mutex_lock(&lock);
    newest = fresh > newest ? fresh : (newest + 1) & stamp_mask;
    uint64_t stamp = newest;
    pthread_mutex_unlock(&lock);
    return stamp;
}

static void put_hex(char *out, uint64_t v, int digits)
{
    while (digits-- > 0) {
        out[digits] = "0123456789abcdef"[v & 15];
        v >>= 4;
    }
}

void uuid_v7(char out[UUID_BYTES + 1])
{
    uint64_t random[2];

    random_bytes(random, sizeof(random));
    uint64_t stamp = next_stamp(random[0]);
    out[8] = out[13] = out[18] = out[23] = '-';
    put_hex(out, stamp >> 28, 8);
    put_hex(out + 9, stamp >> 12 & 0xFFFF, 4);
    put_hex(out + 14, 0x7000 | (stamp & 0xFFF), 4);
    put_hex(out + 19, 0x8000 | (random[1] >> 48 & 0x3FFF), 4);
    put_hex(out + 24, random[1], 12);
    out[UUID_BYTES] = '\0';
}
