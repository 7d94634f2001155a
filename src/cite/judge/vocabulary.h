/* vocabulary.h - what some words of a language do to a sentence.
 *
 * One table a language, in a file of its own: lists of folded words, parted by
 * spaces.  A language without a table has words and numbers, but nothing in it
 * is ever said to contradict. */
#ifndef CITE_JUDGE_VOCABULARY_H
#define CITE_JUDGE_VOCABULARY_H
#include "base/err.h"
#include "language/analyse.h"

struct vocabulary {
    bool names;          /* a capital letter makes a name */
    bool decimal_comma;  /* 1.000,5 */
    const char *negates; /* the words around it are denied */
    const char *drops;   /* those of them that cannot be meant otherwise */
    const char *none_of; /* those that are none before a number: "no 7" */
    const char *mild;    /* "not only": behind them it denies nothing */
    const char *later;   /* "not until": it denies nothing in a source */
    const char *denies;  /* in a source these say as much as a negation */
    const char *undo;    /* beginnings that deny the rest of a word */
    const char *months;  /* january,jan february,feb ... */
    const char *always_capital; /* months that else are other words */
    const char *numbers;        /* two=2 ... */
    const char *ordinals;       /* third=3 ... */
    const char *scales;         /* hundred=100 ... */
    const char *joins;          /* and: "a hundred and two" */
    const char *opposites;      /* more/fewer ... */
};

extern const struct vocabulary vocabulary_en, vocabulary_de, vocabulary_fr,
    vocabulary_es;

enum sense {
    SENSE_NEGATES = 1 << 0,
    SENSE_DROPS = 1 << 1,
    SENSE_NONE_OF = 1 << 2,
    SENSE_MILD = 1 << 3,
    SENSE_LATER = 1 << 4,
    SENSE_DENIES = 1 << 5,
    SENSE_MONTH = 1 << 6,
    SENSE_CAPITAL = 1 << 7, /* a month only with a capital */
    SENSE_NUMBER = 1 << 8,
    SENSE_ORDINAL = 1 << 9,
    SENSE_SCALE = 1 << 10,
    SENSE_JOINS = 1 << 11,
};

/* What is known of one word. */
struct senses {
    unsigned all;
    double value; /* of a number or month */
};

/* A table made ready: words by their hashes, as analyse.h folds and stems. */
struct lexicon;
enum footnote_rc lexicon_open(struct analyser *words, enum language language,
                              struct lexicon **out, struct footnote_err *err);
void lexicon_close(struct lexicon *l);
/* NULL when the language has no table. */
const struct vocabulary *lexicon_vocabulary(const struct lexicon *l);
struct senses lexicon_senses(const struct lexicon *l, struct str word,
                             struct str stem);
/* The stems' hashes of each pair of opposites. */
struct opposites {
    uint64_t one, other;
};
const struct opposites *lexicon_opposites(const struct lexicon *l, size_t *n);

#endif
