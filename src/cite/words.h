/* words.h - a text as words, for who counts them.  One thread per struct.
 *
 * A word is a run of letters and digits, ASCII letters made small.  A number
 * keeps the points and commas between its digits.  Chinese and Japanese
 * characters are words of their own, because nothing else parts them. */
#ifndef CITE_WORDS_H
#define CITE_WORDS_H
#include "base/str.h"

enum { WORD_BYTES_MAX = 64 }; /* a longer word is cut */

struct words {
    struct str text; /* valid UTF-8 */
    size_t at;
    char word[WORD_BYTES_MAX];
};

/* The next word, borrowed until the next call; false at the end. */
bool words_next(struct words *w, struct str *word);

#endif
