/* proven.c - what was proven before.
 *
 * SHA-256 proves a message; here is kept which messages it has proven, each by
 * a number made of all that went into the proof, in a fraction of its time.
 * The number begins with a secret of this process, so that other bytes have
 * the same one once in 2^64 times, whoever chose them.  A place belongs to a
 * message, and to another one far away: that one is proven again. */
#include <stdlib.h>

#include "store/reading.h"

enum { PLACES = 64 * 1024, STEP = 16 };

struct proven {
    uint64_t secret[2];
    _Atomic uint64_t places[PLACES]; /* 0: nothing was */
};

enum footnote_rc proven_open(struct proven **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    random_bytes((*out)->secret, sizeof((*out)->secret));
    return FOOTNOTE_OK;
}

void proven_close(struct proven *p)
{
    free(p);
}

static uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t add_step(const struct proven *p, uint64_t sum, const char *at)
{
    uint64_t v[2];

    memcpy(v, at, sizeof(v));
    return fold(v[0] ^ p->secret[0], v[1] ^ sum);
}

static uint64_t add(const struct proven *p, uint64_t sum, const void *bytes,
                    size_t n)
{
    const char *at = bytes;
    char rest[STEP] = {0};

    sum = fold(sum ^ p->secret[1], n ^ p->secret[0]);
    for (; n >= STEP; at += STEP, n -= STEP)
        sum = add_step(p, sum, at);
    if (n)
        memcpy(rest, at, n);
    return add_step(p, sum, rest);
}

static uint64_t number_of(const struct proven *p, const struct proof *of)
{
    uint64_t sum = fold(p->secret[0] ^ (uint64_t)of->role, p->secret[1]);

    sum = add(p, sum, of->content.p, of->content.n);
    sum = add(p, sum, of->lines, of->lines_n * sizeof(*of->lines));
    sum = add(p, sum, of->digest.b, SHA256_BYTES);
    return sum ? sum : 1;
}

/* Messages of a session are neighbours. */
static _Atomic uint64_t *place_of(struct proven *p, const struct proof *of)
{
    uint64_t session = (uint64_t)of->tenant * 31 + (uint64_t)of->session;

    return &p->places[(session * 0x9E3779B97F4A7C15u + (uint64_t)of->seq) %
                      PLACES];
}

bool proven_prove(struct proven *p, struct sha256_ctx *c,
                  const struct proof *of)
{
    uint64_t number = number_of(p, of);
    _Atomic uint64_t *place = place_of(p, of);
    struct sha256 now;

    if (*place == number)
        return true;
    message_digest(c, of->role, of->content, &now, of->lines, of->lines_n);
    if (!sha256_eq(&now, &of->digest))
        return false;
    *place = number;
    return true;
}
