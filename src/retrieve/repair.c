/* repair.c - a word that no passage has is taken for the nearest that some
 * have: one edit away, two from eight letters on; the more frequent wins.
 *
 * An edit is a letter more, less, another one, or two exchanged.  The index
 * keeps which letters each term has: a term whose letters differ too much is
 * left out without being looked at, and that is nearly all of them. */
#include "retrieve/query.h"

enum { LETTERS_MIN = 4, LETTERS_FAR = 8 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Edits between two words, counted by bytes; over max: max + 1. */
static size_t distance(struct str a, struct str b, size_t max)
{
    size_t rows[3][TERM_BYTES_MAX + 1];
    size_t *old = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b.n; j++)
        above[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t least = row[0] = i, *spare = old;

        for (size_t j = 1; j <= b.n; j++) {
            bool same = a.p[i - 1] == b.p[j - 1];

            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
                a.p[i - 2] == b.p[j - 1] && old[j - 2] + 1 < row[j])
                row[j] = old[j - 2] + 1;
            least = row[j] < least ? row[j] : least;
        }
        if (least > max)
            return max + 1;
        old = above;
        above = row;
        row = spare;
    }
    return above[b.n];
}

static bool has_digit(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] >= '0' && word.p[i] <= '9')
            return true;
    return false;
}

struct best {
    struct str word;
    size_t distance;
    uint64_t df;
};

static uint64_t df_of(const struct query *q, struct str word)
{
    uint64_t df = 0;

    for (size_t i = 0; i < q->parts_n; i++) {
        uint32_t t = segment_find(q->parts[i].segment, word);

        if (t != NO_TERM)
            df += q->parts[i].segment->terms[t].df;
    }
    return df;
}

static void try_term(const struct query *q, const struct segment *s,
                     uint32_t term, struct str word, struct best *best)
{
    struct str other = segment_word(s, term);
    size_t far = other.n > word.n ? other.n - word.n : word.n - other.n, d;
    uint64_t df;

    if (far > best->distance || other.n + 1 < LETTERS_MIN || has_digit(other))
        return;
    d = distance(word, other, best->distance);
    if (d > best->distance)
        return;
    df = df_of(q, other);
    if (d == best->distance && df <= best->df)
        return;
    *best = (struct best){other, d, df};
}

bool query_repair(const struct query *q, struct str word, struct str *out)
{
    struct best best = {.distance = word.n >= LETTERS_FAR ? 2 : 1};
    uint32_t letters = letters_of(word);

    if (word.n < LETTERS_MIN || has_digit(word))
        return false;
    for (size_t i = 0; i < q->parts_n; i++) {
        const struct segment *s = q->parts[i].segment;

        for (uint32_t t = 0; t < s->terms_n; t++)
            if (__builtin_popcount(s->letters[t] ^ letters) <=
                2 * (int)best.distance)
                try_term(q, s, t, word, &best);
    }
    *out = best.word;
    return best.df > 0;
}
