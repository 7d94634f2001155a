/* repair.c - a word that no passage has is taken for a misspelling of the
 * nearest word in the index: one edit away, or two from eight letters on.  Of
 * several, the most frequent wins.
 *
 * An edit adds, drops or replaces a letter, or exchanges two.  The index has
 * stems, and a mistake in an ending spoils the stem.  So first every edit of
 * the word itself, some 500, is stemmed and looked up.  Two edits are too many
 * for that: the stem is compared with all terms of the index, and the bits of
 * their letters rule nearly all of them out at once. */
#include "retrieve/search/query.h"

#include <assert.h>

/* Words of three letters have too many near ones: Peru is not "per". */
enum { LETTERS_MIN = 4, LETTERS_FAR = 8 };

/* Edits between two words, in bytes; max + 1 when there are more than max. */
static size_t distance(struct str a, struct str b, size_t max)
{
    size_t rows[3][TERM_BYTES_MAX + 1];
    size_t *old = rows[0], *above = rows[1], *row = rows[2];

    assert(a.n <= TERM_BYTES_MAX && b.n <= TERM_BYTES_MAX);
    for (size_t j = 0; j <= b.n; j++)
        above[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t least = row[0] = i, *spare = old;

        for (size_t j = 1; j <= b.n; j++) {
            row[j] = above[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            if (above[j] + 1 < row[j])
                row[j] = above[j] + 1;
            if (row[j - 1] + 1 < row[j])
                row[j] = row[j - 1] + 1;
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

struct repair {
    struct str word;
    size_t distance;
    bool same_start; /* first letters are rarely wrong */
    uint64_t df;
};

static uint64_t df_of(const struct query *q, struct str word)
{
    uint64_t df = 0;

    for (size_t i = 0; i < q->ranges_n; i++) {
        uint32_t t = segment_find(q->ranges[i].segment, word);

        if (t != NO_TERM)
            df += q->ranges[i].segment->terms[t].df;
    }
    return df;
}

static void try_term(const struct query *q, const struct segment *s,
                     uint32_t term, struct str word, struct repair *best)
{
    struct str other = segment_word(s, term);
    size_t far = other.n > word.n ? other.n - word.n : word.n - other.n, d;
    bool same_start = other.p[0] == word.p[0];
    uint64_t df;

    if (far > best->distance || other.n < LETTERS_MIN || has_digit(other))
        return;
    d = distance(word, other, best->distance);
    if (d > best->distance)
        return;
    df = df_of(q, other);
    if (d == best->distance && best->df > 0 &&
        (same_start < best->same_start ||
         (same_start == best->same_start && df <= best->df)))
        return;
    *best = (struct repair){other, d, same_start, df};
}

/* ---- Edits of the word itself ------------------------------------------- */

struct editing {
    const struct query *query;
    enum language language;
    char first; /* letter of the word */
    struct repair *best;
    char found[TERM_BYTES_MAX];
};

static void try_edit(struct editing *e, const char *text, size_t n)
{
    struct str term =
        analyse_word(e->query->analyser, (struct str){text, n}, e->language);
    uint64_t df = term.n >= LETTERS_MIN && term.n <= TERM_BYTES_MAX
                      ? df_of(e->query, term)
                      : 0;
    bool same_start = text[0] == e->first;

    if (df == 0 || same_start < e->best->same_start ||
        (same_start == e->best->same_start && df <= e->best->df))
        return;
    memcpy(e->found, term.p, term.n);
    *e->best = (struct repair){{e->found, term.n}, 1, same_start, df};
}

/* Replaces the letter at `at`, and inserts one before it. */
static void try_letters(struct editing *e, struct str word, size_t at)
{
    char text[TERM_BYTES_MAX + 1];

    for (int c = 'a'; c <= 'z'; c++) {
        memcpy(text, word.p, word.n);
        text[at] = (char)c;
        if (at < word.n && word.p[at] != c)
            try_edit(e, text, word.n);
        memcpy(text + at + 1, word.p + at, word.n - at);
        try_edit(e, text, word.n + 1);
    }
}

static void try_edits(struct editing *e, struct str word)
{
    char text[TERM_BYTES_MAX + 1];

    for (size_t i = 0; i <= word.n; i++) {
        try_letters(e, word, i);
        if (i == word.n)
            return;
        memcpy(text, word.p, i);
        memcpy(text + i, word.p + i + 1, word.n - i - 1);
        try_edit(e, text, word.n - 1);
        if (i + 1 == word.n)
            continue;
        memcpy(text, word.p, word.n);
        text[i] = word.p[i + 1];
        text[i + 1] = word.p[i];
        try_edit(e, text, word.n);
    }
}

/* ---- All of it ----------------------------------------------------------- */

/* Two edits change at most four bits of the letters. */
static bool may_be_near(uint32_t a, uint32_t b)
{
    uint32_t differ = a ^ b;

    for (int i = 0; i < 4; i++)
        differ &= differ - 1;
    return differ == 0;
}

/* Two edits, compared with the stem. */
static void try_terms(const struct query *q, struct str word,
                      enum language language, struct repair *best)
{
    struct str stem =
        arena_str(q->scratch, analyse_word(q->analyser, word, language));
    uint32_t letters;

    best->distance = 2;
    if (!stem.p || stem.n > TERM_BYTES_MAX)
        return;
    letters = letters_of(stem);
    for (size_t i = 0; i < q->ranges_n; i++) {
        const struct segment *s = q->ranges[i].segment;

        for (uint32_t t = 0; t < s->terms_n; t++)
            if (may_be_near(s->letters[t], letters))
                try_term(q, s, t, stem, best);
    }
}

bool query_repair(const struct query *q, struct str word,
                  enum language language, struct str *out)
{
    struct repair best = {.distance = 1};
    struct editing e = {.query = q, .language = language, .best = &best};

    if (word.n < LETTERS_MIN || word.n >= TERM_BYTES_MAX || has_digit(word))
        return false;
    e.first = word.p[0];
    try_edits(&e, word);
    if (best.df == 0 && word.n >= LETTERS_FAR)
        try_terms(q, word, language, &best);
    *out = arena_str(q->arena, best.word);
    return best.df > 0 && out->p;
}
