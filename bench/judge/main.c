/* main.c - what a verdict costs: by the length of the source, and beside the
 * digest of the same bytes, which every source that is shown costs as well.
 *
 *     build/bench/judge            sources of 1, 10, 20 and 40 kB
 *
 * A source is read once for all sentences that cite it, so reading and judging
 * are told apart.  Linear: twice the source is twice the time.  Wanted: at most
 * 1 ms for a sentence against 10 kB, with its reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "base/sha256.h"
#include "cite/judge/judge.h"

enum { ROUNDS = 41, CLAIMS = 8, TEXT_BYTES = 64 * 1024 };

static const char *const subjects[] = {"The committee",         "Ada Lovelace",
                                       "A reversible computer", "Oxford",
                                       "The second engine",     "Maxwell"};
static const char *const verbs[] = {"described",     "did not reach",
                                    "measured",      "has refused",
                                    "improved upon", "never printed"};
static const char *const objects[] = {
    "the temperature of the bath", "1,204 pages of notes",
    "a theory of heat in 1871",    "the bound on erasing one bit",
    "three tables of numbers",     "what Babbage had planned in London"};

/* Sentences that have names, numbers and negations, never the same in a row. */
static size_t fill(char *text, size_t bytes, unsigned seed)
{
    size_t n = 0;

    while (n + 120 < bytes) {
        seed = seed * 1103515245U + 12345U;
        n +=
            (size_t)snprintf(text + n, bytes - n, "%s %s %s, as page %u says. ",
                             subjects[seed >> 8 & 3], verbs[(seed >> 12) % 6],
                             objects[(seed >> 16) % 6], seed >> 20 & 511);
    }
    return n;
}

static void must(enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK)
        die("judging", err->text);
}

struct times {
    double read, sentence, digest; /* seconds */
};

/* The arena is used again, as it is for the sources of an answer. */
static struct times round_of(struct judge *j, struct arena *a,
                             struct str source, const char *const *claims)
{
    struct judge_source *read;
    struct footnote_err err;
    struct sha256 digest;
    struct verdict v;
    struct times t;
    double from = cpu_seconds_now();

    must(judge_source_read(j, a, STR("Notes"), source, &read, &err), &err);
    t.read = cpu_seconds_now() - from;
    from = cpu_seconds_now();
    for (int i = 0; i < CLAIMS; i++)
        must(judge_sentence(j, a, str_c(claims[i]), read, &v, &err), &err);
    t.sentence = (cpu_seconds_now() - from) / CLAIMS;
    from = cpu_seconds_now();
    must(sha256(source, &digest, &err), &err);
    t.digest = cpu_seconds_now() - from;
    arena_reset(a);
    return t;
}

static double measure(struct judge *j, const char *text, size_t bytes,
                      const char *const *claims, double base)
{
    struct arena a = ARENA((size_t)64 << 20);
    double read[ROUNDS], sentence[ROUNDS], digest[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        struct times t = round_of(j, &a, (struct str){text, bytes}, claims);

        read[i] = t.read;
        sentence[i] = t.sentence;
        digest[i] = t.digest;
    }
    arena_free(&a);
    double r = median(read, ROUNDS), s = median(sentence, ROUNDS);
    double all = r + s;

    printf("%6zu  %7.3f  %7.3f  %7.3f  %9.1f  %10.2f\n", bytes, r * 1e3,
           s * 1e3, all * 1e3, all / median(digest, ROUNDS),
           base > 0 ? all / (double)bytes / base : 1.0);
    return all / (double)bytes;
}

int main(void)
{
    static const size_t sizes[] = {1200, 10000, 20000, 40000};
    static char text[TEXT_BYTES], claims_text[CLAIMS][256];
    const char *claims[CLAIMS];
    struct footnote_err err;
    struct judge *j;
    double base = 0;

    fill(text, sizeof(text), 7);
    for (int i = 0; i < CLAIMS; i++) {
        fill(claims_text[i], 220, 1000U + (unsigned)i);
        claims[i] = claims_text[i];
    }
    must(judge_open(&j, &err), &err);
    printf("a verdict, ms of processor time, median of %d\n\n"
           " bytes  reading  judging      sum  x SHA-256  x per byte\n",
           ROUNDS);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        double per_byte = measure(j, text, sizes[i], claims, base);

        if (sizes[i] == 10000)
            base = per_byte;
    }
    judge_close(j);
    return 0;
}
