/* analyse.h - text into terms: the same for passages and for questions.
 *
 * A word is a run of letters and digits.  "3.14" stays whole, "1,000" becomes
 * 1000, a possessive 's is dropped, C++ and C# keep their signs; each Chinese
 * or Japanese character is a word.  Thai, Lao, Khmer and Burmese have no spaces
 * between words either: every two syllables that follow each other are one.
 * Words are lowercased and lose their accents, then their endings (Snowball, by
 * language): accents go first, so that "energia" finds "energía".  One thread
 * per analyser. */
#ifndef LANGUAGE_ANALYSE_H
#define LANGUAGE_ANALYSE_H
#include "base/err.h"

enum language {
    LANGUAGE_NONE, /* words are left as they are */
    LANGUAGE_EN,
    LANGUAGE_ES,
    LANGUAGE_DE,
    LANGUAGE_FR,
    LANGUAGE_IT,
    LANGUAGE_PT,
    LANGUAGE_NL,
    LANGUAGE_RU,
    LANGUAGE_AR,
    LANGUAGE_EL,
    LANGUAGE_HY,
    LANGUAGE_HI,
    LANGUAGE_NE,
    LANGUAGE_TA,
    LANGUAGE_YI,
    LANGUAGE_SR,
    LANGUAGE_SV,
    LANGUAGE_DA,
    LANGUAGE_NO,
    LANGUAGE_FI,
    LANGUAGE_HU,
    LANGUAGE_RO,
    LANGUAGE_TR,
    LANGUAGE_CA,
    LANGUAGE_ID,
    LANGUAGE_LT,
    LANGUAGE_EU,
    LANGUAGE_GA,
    LANGUAGES
};

enum { TERM_BYTES_MAX = 40 }; /* longer words are cut */

struct token {
    struct str term;   /* borrowed until the next call, as is `word` */
    struct str word;   /* folded, not stemmed */
    size_t start, end; /* bytes of the word in the text */
    bool stop;         /* a function or question word, or a form of one */
};

struct analyser;
enum footnote_rc analyser_open(struct analyser **out, struct footnote_err *err);
void analyser_close(struct analyser *a);                /* NULL is fine */
static inline void analyser_closep(struct analyser **a) /* fit for AUTO */
{
    analyser_close(*a);
}

/* Begins `text`, valid UTF-8, which is borrowed until the last token. */
void analyse(struct analyser *a, struct str text, enum language language);
bool analyse_next(struct analyser *a, struct token *out);

/* The term of a single folded word. */
struct str analyse_word(struct analyser *a, struct str word,
                        enum language language);

/* The language of a text by its function words; NONE when too few of them are
 * of a language that we know. */
enum language language_guess(struct analyser *a, struct str text);
/* Whether the folded `word` is a function or question word. */
bool is_stop(enum language language, struct str word);
const char *const *stop_words(enum language language, size_t *n);

#endif
