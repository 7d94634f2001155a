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

/* Of STEP bytes each. */
static uint64_t add_steps(const struct proven *p, uint64_t sum, const char *at,
                          size_t n)
{
    uint64_t v[2];

    for (; n > 0; at += STEP, n--) {
        memcpy(v, at, sizeof(v));
        sum = fold(v[0] ^ p->secret[0], v[1] ^ sum);
    }
    return sum;
}

static uint64_t add(const struct proven *p, uint64_t sum, const void *bytes,
                    size_t n)
{
    char rest[STEP] = {0};

    sum = fold(sum ^ p->secret[1], n ^ p->secret[0]);
    sum = add_steps(p, sum, bytes, n / STEP);
    if (n % STEP)
        memcpy(rest, (const char *)bytes + n - n % STEP, n % STEP);
    return add_steps(p, sum, rest, 1);
}

static struct digest_line line_of(const struct reference *r)
{
    return digest_line(r->number, &r->digest, r->has_score, r->score);
}

static uint64_t number_of(const struct proven *p, const struct proof *of)
{
    uint64_t sum =
        fold(p->secret[0] ^ (uint64_t)of->role, p->secret[1] ^ of->sources_n);

    sum = add(p, sum, of->content.p, of->content.n);
    for (size_t i = 0; i < of->sources_n; i++) {
        struct digest_line line = line_of(&of->sources[i]);

        sum = add_steps(p, sum, (const char *)&line, sizeof(line) / STEP);
    }
    sum = add_steps(p, sum, (const char *)of->digest->b, SHA256_BYTES / STEP);
    return sum ? sum : 1;
}

/* Messages of a session are neighbours. */
static _Atomic uint64_t *place_of(struct proven *p, const struct proof *of)
{
    uint64_t session = (uint64_t)of->tenant * 31 + (uint64_t)of->session;

    return &p->places[(session * 0x9E3779B97F4A7C15u + (uint64_t)of->seq) %
                      PLACES];
}

static enum footnote_rc digest_of(struct sha256_ctx *c, struct arena *scratch,
                                  const struct proof *of, struct sha256 *out,
                                  struct footnote_err *err)
{
    struct digest_line *lines =
        arena_many(scratch, of->sources_n + 1, struct digest_line);

    if (!lines)
        return arena_rc(scratch, err);
    for (size_t i = 0; i < of->sources_n; i++)
        lines[i] = line_of(&of->sources[i]);
    message_digest(c, of->role, of->content, out, lines, of->sources_n);
    return FOOTNOTE_OK;
}

enum footnote_rc proven_prove(struct proven *p, struct sha256_ctx *c,
                              struct arena *scratch, const struct proof *of,
                              bool *good, struct footnote_err *err)
{
    uint64_t number = number_of(p, of);
    _Atomic uint64_t *place = place_of(p, of);
    struct sha256 now;

    *good = *place == number;
    if (*good)
        return FOOTNOTE_OK;
    TRY(digest_of(c, scratch, of, &now, err));
    *good = sha256_eq(&now, of->digest);
    if (*good)
        *place = number;
    return FOOTNOTE_OK;
}
