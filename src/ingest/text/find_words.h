/* find_words.h - finds a text among words, wherever lines and pages break.
 *
 * Words and text become sequences of bare letters: no case, no accents, no
 * hyphens, no spaces.  So "effi-" "cient" on a page and "efficient" in a
 * passage are the same letters, and so are a ligature and its parts.  Any
 * thread; all lives in the caller's arena. */
#ifndef INGEST_TEXT_FIND_WORDS_H
#define INGEST_TEXT_FIND_WORDS_H
#include "base/arena.h"

/* Words as letters.  Word i is c[at[i]] up to, but not including, c[at[i + 1]];
 * a bullet has none. */
struct letters {
    int32_t *c;
    size_t *at;
    size_t words_n;
};

enum footnote_rc letters_new(struct arena *a, const struct str *words, size_t n,
                             struct letters *out, struct footnote_err *err);
/* How many there are. */
static inline size_t letters_n(const struct letters *l)
{
    return l->at[l->words_n];
}

/* The words of a text, between spaces: views into it, `most` at most. */
enum footnote_rc split_words(struct arena *a, struct str text, size_t most,
                             struct str **words, size_t *n,
                             struct footnote_err *err);

/* Looks for a text, which may be there in several pieces in another order, or
 * not at all.  From each word of it the longest run that begins at a word of
 * `in` is marked; then from behind that run.  A piece of a few letters is
 * chance, unless it is all of the text, or, with `near`, stands close behind
 * the piece before it or close before the first one. */
struct find_words {
    const struct letters *text, *in;
    const uint32_t *page; /* of each word of `in`; NULL: one for all.  Of equal
                             runs one on the page of the last is taken */
    size_t from;          /* word of `in` to look at first */
    bool near;
    bool *marked; /* by word of `in`; those that are found are set */
    size_t found; /* out: how many letters of the text were */
};
void find_words(struct find_words *f);

#endif
