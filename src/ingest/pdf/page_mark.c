/* page_mark.c - finds a passage among the words of its page.
 *
 * Page and passage become sequences of bare letters: no case, no accents, no
 * hyphens, no spaces.  So "effi-" "cient" on the page and "efficient" in the
 * passage are the same letters, and so are a ligature and its parts.
 *
 *     page     [the][effi][cient][clas][sifi]...   letters, and whose they are
 *     passage         efficientclassification...
 *
 * From each word of the passage marked, the longest run that begins at a word
 * of the page is marked; then from behind that run.
 *
 * In the worst case every pair of words is compared, but mostly by one letter:
 * a page of 2000 words and a passage of 200, half of it not there, took 1.4 ms
 * on a busy machine. */
#include "base/utf8.h"
#include "ingest/pdf/page.h"
#include <assert.h>
#include <utf8proc.h>

enum {
    RUN_LETTERS = 8, /* a shorter run is chance, and so is a single word, */
                     /* unless it is the whole passage */
    PASSAGE_WORDS_MAX = 4000,
};

/* Words as letters.  Word i is c[at[i]] up to, but not including, c[at[i + 1]].
 */
struct letters {
    int32_t *c;
    size_t *at;
    size_t words_n;
};

/* The letters of a character in compatible form, folded, without marks: 0 to 18
 * of them. */
static size_t fold_char(uint32_t c, int32_t out[32])
{
    utf8proc_int32_t parts[32];
    int last = 0;
    size_t n = 0;
    utf8proc_ssize_t got =
        utf8proc_decompose_char((utf8proc_int32_t)c, parts, 32,
                                UTF8PROC_COMPAT | UTF8PROC_CASEFOLD, &last);

    for (utf8proc_ssize_t i = 0; i < got && i < 32; i++) {
        utf8proc_category_t k = utf8proc_category(parts[i]);
        if ((k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) ||
            (k >= UTF8PROC_CATEGORY_ND && k <= UTF8PROC_CATEGORY_NO))
            out[n++] = parts[i];
    }
    return n;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* The next word between spaces; false at the end. */
static bool next_word(struct str *rest, struct str *word)
{
    while (rest->n && is_space(rest->p[0]))
        *rest = str_skip(*rest, 1);
    size_t n = 0;
    while (n < rest->n && !is_space(rest->p[n]))
        n++;
    *word = (struct str){rest->p, n};
    *rest = str_skip(*rest, n);
    return n > 0;
}

/* Room for `words` words of `bytes` bytes together: a character of three bytes
 * or more may become 18 letters, one of fewer at most 3. */
static bool letters_new(struct letters *l, struct arena *a, size_t words,
                        size_t bytes)
{
    l->c = arena_many(a, bytes * 6 + 32, int32_t);
    l->at = arena_many(a, words + 1, size_t);
    l->words_n = 0;
    return l->c && l->at;
}

static void letters_add(struct letters *l, struct str word)
{
    size_t n = l->at[l->words_n];

    for (size_t i = 0; i < word.n;)
        n += fold_char(utf8_next(word, &i), l->c + n);
    l->at[++l->words_n] = n;
}

static bool page_letters(const struct page_words *page, struct arena *a,
                         struct letters *l)
{
    size_t bytes = 0;

    for (size_t i = 0; i < page->words_n; i++)
        bytes += page->words[i].text.n;
    if (!letters_new(l, a, page->words_n, bytes))
        return false;
    for (size_t i = 0; i < page->words_n; i++)
        letters_add(l, page->words[i].text);
    return true;
}

static bool passage_letters(struct str text, struct arena *a, struct letters *l)
{
    struct str word;

    if (!letters_new(l, a, PASSAGE_WORDS_MAX, text.n))
        return false;
    while (l->words_n < PASSAGE_WORDS_MAX && next_word(&text, &word))
        letters_add(l, word);
    return true;
}

/* --- Matching ---------------------------------------------------------------
 */

/* How many letters word i of a and word j of b, and what follows, share. */
static size_t count_alike(const struct letters *a, size_t i,
                          const struct letters *b, size_t j)
{
    const int32_t *x = a->c + a->at[i], *y = b->c + b->at[j];
    size_t left = a->at[a->words_n] - a->at[i];
    size_t other = b->at[b->words_n] - b->at[j];
    size_t n = 0;

    if (other < left)
        left = other;
    while (n < left && x[n] == y[n])
        n++;
    return n;
}

/* The longest run on the page that begins as passage word i does; of equal ones
 * the first behind `after`, since passages mostly go forward. */
static size_t longest_run(const struct letters *passage, size_t i,
                          const struct letters *page, size_t after,
                          size_t *where)
{
    size_t best = 0;

    for (size_t k = 0; k < page->words_n; k++) {
        size_t j = (after + k) % page->words_n;
        if (page->at[j] == page->at[j + 1])
            continue; /* a bullet: no letters */
        size_t n = count_alike(passage, i, page, j);
        if (n > best) {
            best = n;
            *where = j;
        }
    }
    return best;
}

/* Marks the words that have at least half of their letters in the run; returns
 * the word behind the run. */
static size_t mark_run(const struct letters *page, size_t j, size_t run,
                       bool *marked)
{
    size_t end = page->at[j] + run;

    assert(j < page->words_n && end <= page->at[page->words_n]);
    for (; j < page->words_n && page->at[j] < end; j++) {
        size_t size = page->at[j + 1] - page->at[j];
        size_t have = end - page->at[j];
        if (have > size)
            have = size;
        marked[j] = marked[j] || (size && 2 * have >= size);
    }
    return j;
}

/* Whether a run from passage word i on is long enough to be no chance: the
 * words of a passage are also in other sentences of its page. */
static bool is_enough(const struct letters *passage, size_t i, size_t run)
{
    size_t end = passage->at[i] + run;
    bool two = i + 2 <= passage->words_n && passage->at[i + 2] <= end;

    return (run >= RUN_LETTERS && two) ||
           (run > 0 && run == passage->at[passage->words_n]);
}

static void mark_passage_words(const struct letters *passage,
                               const struct letters *page, bool *marked)
{
    size_t after = 0;

    for (size_t i = 0; i < passage->words_n;) {
        size_t where = 0;
        size_t run = passage->at[i] == passage->at[i + 1]
                         ? 0
                         : longest_run(passage, i, page, after, &where);
        if (!is_enough(passage, i, run)) {
            i++;
            continue;
        }
        after = mark_run(page, where, run, marked) % page->words_n;
        size_t end = passage->at[i] + run;
        while (i < passage->words_n && passage->at[i + 1] <= end)
            i++;
        if (i < passage->words_n && passage->at[i] < end)
            i++; /* the rest of a word that is hyphenated elsewhere */
    }
}

/* --- Ranges -----------------------------------------------------------------
 */

/* Marks the bullets and dashes between two marked words. */
static void mark_between(const struct letters *page, bool *marked)
{
    for (size_t j = 1; j + 1 < page->words_n; j++)
        if (page->at[j] == page->at[j + 1] && marked[j - 1])
            for (size_t k = j;
                 k + 1 < page->words_n && page->at[k] == page->at[k + 1]; k++)
                marked[j] = marked[j] || marked[k + 1];
}

enum footnote_rc page_mark(const struct page_words *page, struct str passage,
                           struct arena *a, struct page_marks *out,
                           struct footnote_err *err)
{
    struct letters there, wanted;

    *out = (struct page_marks){0};
    if (page->words_n == 0 || passage.n == 0)
        return FOOTNOTE_OK;
    bool *marked = arena_many(a, page->words_n, bool);
    out->ranges = arena_many(a, page->words_n, struct page_range);
    if (!marked || !out->ranges || !page_letters(page, a, &there) ||
        !passage_letters(passage, a, &wanted))
        return arena_rc(a, err);
    mark_passage_words(&wanted, &there, marked);
    assert(there.words_n == page->words_n);
    mark_between(&there, marked);
    for (size_t j = 0; j < page->words_n; j++) {
        if (!marked[j])
            continue;
        if (j == 0 || !marked[j - 1])
            out->ranges[out->ranges_n++].from = j;
        out->ranges[out->ranges_n - 1].to = j + 1;
    }
    return FOOTNOTE_OK;
}
