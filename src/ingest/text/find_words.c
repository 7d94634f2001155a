/* find_words.c - finds a text among words.
 *
 *     words    [the][effi][cient][clas][sifi]...   letters, and whose they are
 *     text             efficientclassification...
 *
 * In the worst case every pair of words is compared, but mostly by one letter:
 * a page of 2000 words and a passage of 200, half of it not there, took 1.4 ms
 * on a busy machine. */
#include "ingest/text/find_words.h"
#include "base/utf8.h"
#include <assert.h>
#include <utf8proc.h>

enum {
    RUN_LETTERS = 8, /* a shorter run is chance, and so is a single word */
    NEAR_WORDS = 24, /* a foot, a head and a number of a page */
};

/* ---- Letters ------------------------------------------------------------ */

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

/* A character of three bytes or more may become 18 letters, one of fewer at
 * most 3. */
enum footnote_rc letters_new(struct arena *a, const struct str *words, size_t n,
                             struct letters *out, struct footnote_err *err)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += words[i].n;
    *out = (struct letters){.c = arena_many(a, bytes * 6 + 32, int32_t),
                            .at = arena_many(a, n + 1, size_t),
                            .words_n = n};
    if (!out->c || !out->at)
        return arena_rc(a, err);
    for (size_t i = 0; i < n; i++) {
        size_t end = out->at[i];

        for (size_t at = 0; at < words[i].n;)
            end += fold_char(utf8_next(words[i], &at), out->c + end);
        out->at[i + 1] = end;
    }
    return FOOTNOTE_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* The next word between spaces; false at the end. */
static bool next_word(struct str *rest, struct str *word)
{
    size_t n = 0;

    while (rest->n && is_space(rest->p[0]))
        *rest = str_skip(*rest, 1);
    while (n < rest->n && !is_space(rest->p[n]))
        n++;
    *word = (struct str){rest->p, n};
    *rest = str_skip(*rest, n);
    return n > 0;
}

enum footnote_rc split_words(struct arena *a, struct str text, size_t most,
                             struct str **words, size_t *n,
                             struct footnote_err *err)
{
    struct str rest = text, word;

    *n = 0;
    while (*n < most && next_word(&rest, &word))
        ++*n;
    *words = arena_many(a, *n + 1, struct str);
    if (!*words)
        return arena_rc(a, err);
    rest = text;
    for (size_t i = 0; i < *n; i++)
        (void)next_word(&rest, &(*words)[i]);
    return FOOTNOTE_OK;
}

/* ---- Runs --------------------------------------------------------------- */

static bool is_empty(const struct letters *l, size_t word)
{
    return l->at[word] == l->at[word + 1];
}

/* How many letters the text from letter `at` on, and word j of `in` and what
 * follows, share. */
static size_t count_alike(const struct find_words *f, size_t at, size_t j)
{
    const int32_t *x = f->text->c + at;
    const int32_t *y = f->in->c + f->in->at[j];
    size_t left = letters_n(f->text) - at;
    size_t other = letters_n(f->in) - f->in->at[j];
    size_t n = 0;

    if (other < left)
        left = other;
    while (n < left && x[n] == y[n])
        n++;
    return n;
}

static bool same_page(const struct find_words *f, size_t i, size_t j)
{
    return !f->page || f->page[i] == f->page[j];
}

/* The longest run that begins as word i of the text does.  Of equal ones the
 * first behind `after`, since texts mostly go forward, on the page of the word
 * before if there is one. */
static size_t longest_run(const struct find_words *f, size_t i, size_t after,
                          size_t *where)
{
    size_t best = 0, n = f->in->words_n;
    size_t last = f->found && after ? after - 1 : after;

    for (size_t k = 0; k < n; k++) {
        size_t j = (after + k) % n;
        if (is_empty(f->in, j))
            continue;
        size_t run = count_alike(f, f->text->at[i], j);
        if (run > best || (run && run == best && same_page(f, last, j) &&
                           !same_page(f, last, *where))) {
            best = run;
            *where = j;
        }
    }
    return best;
}

/* Marks the words that have at least half of their letters in the run; returns
 * the word behind the run. */
static size_t mark_run(struct find_words *f, size_t j, size_t run)
{
    const struct letters *in = f->in;
    size_t end = in->at[j] + run;

    assert(j < in->words_n && end <= letters_n(in));
    for (; j < in->words_n && in->at[j] < end; j++) {
        size_t size = in->at[j + 1] - in->at[j];
        size_t have = end - in->at[j];
        if (have > size)
            have = size;
        f->marked[j] = f->marked[j] || (size && 2 * have >= size);
    }
    f->found += run;
    return j;
}

/* Whether a run from word i on is long enough to be no chance: the words of a
 * text are also in other sentences. */
static bool is_enough(const struct letters *text, size_t i, size_t run)
{
    size_t end = text->at[i] + run;
    bool two = i + 2 <= text->words_n && text->at[i + 2] <= end;

    return (run >= RUN_LETTERS && two) || (run > 0 && run == letters_n(text));
}

/* Whether it is at least a word, and begins close behind the last run. */
static bool is_near(const struct find_words *f, size_t i, size_t run,
                    size_t after, size_t where)
{
    return f->near && f->found && where >= after &&
           where - after <= NEAR_WORDS &&
           run >= f->text->at[i + 1] - f->text->at[i];
}

/* The words of the text before its first run, which began at word `first` of
 * `in`, close before that. */
static void find_beginning(struct find_words *f, size_t words, size_t first)
{
    size_t want = f->text->at[words];

    for (size_t k = 1; want && k <= first && k <= NEAR_WORDS + words; k++) {
        size_t j = first - k;

        if (is_empty(f->in, j) || count_alike(f, 0, j) < want)
            continue;
        (void)mark_run(f, j, want);
        return;
    }
}

/* The rest of a word that is hyphenated at the end of a page: letters `at` to
 * `end` of the text, close behind.  Returns how long the run is; 0: not there.
 */
static size_t find_rest(struct find_words *f, size_t at, size_t end,
                        size_t *after)
{
    for (size_t k = 0; k <= NEAR_WORDS && *after + k < f->in->words_n; k++) {
        size_t run = count_alike(f, at, *after + k);

        if (run < end - at || is_empty(f->in, *after + k))
            continue;
        *after = mark_run(f, *after + k, run);
        return run;
    }
    return 0;
}

/* Marks the bullets and dashes between two marked words. */
static void mark_between(struct find_words *f)
{
    size_t n = f->in->words_n;

    for (size_t j = 1; j + 1 < n; j++)
        if (is_empty(f->in, j) && f->marked[j - 1])
            for (size_t k = j; k + 1 < n && is_empty(f->in, k); k++)
                f->marked[j] = f->marked[j] || f->marked[k + 1];
}

/* Moves *i to the first word that the text has behind letter `end`. */
static void pass_words(const struct letters *text, size_t *i, size_t end)
{
    while (*i < text->words_n && text->at[*i + 1] <= end)
        ++*i;
}

void find_words(struct find_words *f)
{
    const struct letters *text = f->text;
    size_t after = f->from, i = 0;

    assert(after < f->in->words_n || f->in->words_n == 0);
    f->found = 0;
    while (f->in->words_n && i < text->words_n) {
        size_t where = 0;
        size_t run = is_empty(text, i) ? 0 : longest_run(f, i, after, &where);

        if (!is_enough(text, i, run) &&
            !(run && is_near(f, i, run, after, where))) {
            i++;
            continue;
        }
        bool first = f->found == 0;
        after = mark_run(f, where, run);
        if (first && f->near)
            find_beginning(f, i, where);
        size_t end = text->at[i] + run;
        for (; pass_words(text, &i, end), run && i < text->words_n; end += run)
            run = f->near && text->at[i] < end
                      ? find_rest(f, end, text->at[i + 1], &after)
                      : 0;
        if (i < text->words_n && text->at[i] < end)
            i++; /* the rest of a word that is hyphenated elsewhere */
    }
    mark_between(f);
}
