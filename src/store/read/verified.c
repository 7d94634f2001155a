/* verified.c - messages whose digest was checked before.
 *
 * SHA-256 verifies a message.  This table remembers which messages it has
 * verified, each by a sum of all that went into the digest; a sum takes a
 * fraction of the time.  It begins with a secret of this process, so that other
 * bytes have the same sum once in 2^64 times, even if somebody chose them.  Two
 * messages may share a place: then each is verified again. */
#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/uuid.h"
#include "store/read/verified.h"
#include "store/session/message.h"
#include "store/source/digest.h"

enum { PLACES_BITS = 16, PLACES = 1 << PLACES_BITS, STEP = 16 };

struct verified {
    uint64_t secret[2];
    _Atomic uint64_t places[PLACES]; /* sums; 0: none */
};

enum footnote_rc verified_open(struct verified **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    random_bytes((*out)->secret, sizeof((*out)->secret));
    return FOOTNOTE_OK;
}

void verified_close(struct verified *p)
{
    free(p);
}

static uint64_t step(const struct verified *p, uint64_t sum, uint64_t a,
                     uint64_t b)
{
    return mix(a ^ p->secret[0], b ^ sum);
}

/* Of STEP bytes each. */
static uint64_t add_steps(const struct verified *p, uint64_t sum,
                          const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t v[2];

    for (; n > 0; at += STEP, n--) {
        memcpy(v, at, sizeof(v));
        sum = step(p, sum, v[0], v[1]);
    }
    return sum;
}

static uint64_t sum_of(const struct verified *p,
                       const struct digested_message *of)
{
    size_t whole = of->content.n / STEP, rest = of->content.n % STEP;
    char last[STEP] = {0};
    uint64_t sum =
        mix(p->secret[0] ^ (uint64_t)of->role, p->secret[1] ^ of->sources_n);

    sum = step(p, sum, of->content.n, p->secret[1]);
    sum = add_steps(p, sum, of->content.p, whole);
    if (rest)
        memcpy(last, of->content.p + of->content.n - rest, rest);
    sum = add_steps(p, sum, last, 1);
    for (size_t i = 0; i < of->sources_n; i++) {
        const struct reference *r = &of->sources[i];
        uint64_t score = 0;

        if (r->has_score)
            memcpy(&score, &r->score, sizeof(score));
        sum = add_steps(p, sum, r->digest.b, SHA256_BYTES / STEP);
        sum = step(p, sum, score, (uint64_t)r->number << 1 | r->has_score);
    }
    sum = add_steps(p, sum, of->digest->b, SHA256_BYTES / STEP);
    sum = mix(sum ^ p->secret[0], p->secret[1]);
    return sum ? sum : 1;
}

/* Messages of a session are neighbours.  Sessions that were made one after
 * another begin as far apart as can be, by the golden ratio: of 500 with 50
 * messages each none has a place of another's. */
static _Atomic uint64_t *place_of(struct verified *p,
                                  const struct digested_message *of)
{
    uint64_t session = (uint64_t)of->tenant * 31 + (uint64_t)of->session;
    uint64_t begin = session * 0x9E3779B97F4A7C15u >> (64 - PLACES_BITS);

    return &p->places[(begin + (uint64_t)of->seq) % PLACES];
}

static enum footnote_rc digest_of(struct sha256_ctx *c, struct arena *scratch,
                                  const struct digested_message *of,
                                  struct sha256 *out, struct footnote_err *err)
{
    struct digest_line *lines =
        arena_many(scratch, of->sources_n + 1, struct digest_line);

    if (!lines)
        return arena_rc(scratch, err);
    for (size_t i = 0; i < of->sources_n; i++) {
        const struct reference *r = &of->sources[i];

        lines[i] = digest_line(r->number, &r->digest, r->has_score, r->score);
    }
    message_digest(c, of->role, of->content, out, lines, of->sources_n);
    return FOOTNOTE_OK;
}

enum footnote_rc verified_check(struct verified *p, struct sha256_ctx *c,
                                struct arena *scratch,
                                const struct digested_message *of, bool *good,
                                struct footnote_err *err)
{
    uint64_t sum = sum_of(p, of);
    _Atomic uint64_t *place = place_of(p, of);
    struct sha256 now;

    assert(of->digest);
    *good = *place == sum;
    if (*good)
        return FOOTNOTE_OK;
    TRY(digest_of(c, scratch, of, &now, err));
    *good = sha256_eq(&now, of->digest);
    if (*good)
        *place = sum;
    return FOOTNOTE_OK;
}
