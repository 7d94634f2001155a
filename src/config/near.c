/* near.c - the known word that is nearest to a mistyped one.
 *
 * By edit distance; a swap of two neighbours counts as one mistake. */
#include <assert.h>

#include "config/table.h"

enum { WORD_BYTES_MAX = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; both words are at most WORD_BYTES_MAX. */
static size_t distance(struct str a, struct str b)
{
    size_t d[WORD_BYTES_MAX + 1][WORD_BYTES_MAX + 1];

    assert(a.n <= WORD_BYTES_MAX && b.n <= WORD_BYTES_MAX);
    for (size_t i = 0; i <= a.n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= b.n; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        for (size_t j = 1; j <= b.n; j++) {
            size_t change = d[i - 1][j - 1] + (a.p[i - 1] != b.p[j - 1]);

            d[i][j] = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
                a.p[i - 2] == b.p[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.n][b.n];
}

void nearest_try(struct nearest *n, struct str candidate)
{
    size_t d;

    if (n->word.n == 0 || n->word.n > WORD_BYTES_MAX ||
        candidate.n > WORD_BYTES_MAX)
        return;
    d = distance(n->word, candidate);
    if (n->word.n >= 3 && str_starts(candidate, n->word))
        d = least(d, 1); /* a name's beginning is as good as one mistake */
    if (d > 1 + n->word.n / 4 || d >= n->word.n ||
        (n->best.p && d >= n->distance))
        return;
    n->best = candidate;
    n->distance = d;
}

const char *nearest_hint(struct arena *a, const struct nearest *n,
                         const char *prefix)
{
    const char *hint;

    if (!n->best.p)
        return "";
    hint =
        arena_printf(a, " (did you mean %s%.*s?)", prefix, STR_ARG(n->best)).p;
    return hint ? hint : "";
}
