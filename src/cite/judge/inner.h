/* inner.h - what the parts of the judge share. */
#ifndef CITE_JUDGE_INNER_H
#define CITE_JUDGE_INNER_H
#include "cite/judge/judge.h"
#include "cite/judge/vocabulary.h"

enum {
    JUDGE_SENTENCES_MAX = 1000, /* of a source; the last one takes the rest */
    JUDGE_ASKED_MAX = 8, /* negators and missing numbers that are looked into */
    JUDGE_ITEMS_MAX = 256, /* of a sentence; those behind are not looked at */
    CREDIT_ALL = 100,      /* credits are hundredths */
    CREDIT_FOUND = 50      /* as much is "it is there" */
};

struct judge {
    struct analyser *words;
    struct lexicon *lexicons[LANGUAGES]; /* opened when first needed */
};
enum footnote_rc judge_lexicon(struct judge *j, enum language language,
                               const struct lexicon **out,
                               struct footnote_err *err);

/* ---- reading.c: a text as words ----------------------------------------- */

enum judge_word_kind {
    WORD_LIGHT, /* function words and negators */
    WORD_PLAIN,
    WORD_NAME,
    WORD_NUMBER,
    WORD_DATE /* a month */
};

struct judge_word {
    struct str text;         /* as it is written, a view */
    struct str folded, stem; /* absent of numbers and dates */
    uint64_t key;            /* equal: the same word, number or month */
    uint64_t head;           /* of the stem's first five letters; 0: shorter */
    uint32_t sentence;
    enum judge_word_kind kind;
    unsigned senses; /* of vocabulary.h */
    bool capital;
    bool year;  /* a number that looks like one */
    bool after; /* a clause may end before it: , ; : . ! ? ( ) " */
};

struct judge_text {
    struct judge_word *words;
    size_t n;
    enum language language;
    const struct lexicon *lexicon;
};

/* The words of `text`, all of sentence `sentence`, behind those of *out. */
struct reading {
    struct judge *judge;
    struct arena *arena;
    struct judge_text *out;
    size_t room; /* words that fit */
};
enum footnote_rc reading_add(struct reading *r, struct str text,
                             uint32_t sentence, struct footnote_err *err);

/* number.c: the number that begins at words[i] of the raw words of a text.
 * How many words it takes, 0: none begins here. */
struct raw_word {
    struct str folded, stem;
    size_t start, end;
    struct senses senses;
    bool stop;
};
struct read_number {
    double value, second; /* of "2016-17": both years; else second is -1 */
    bool year, month;     /* value is a month's */
};
size_t number_at(const struct vocabulary *v, struct str text,
                 const struct raw_word *words, size_t n, size_t i,
                 struct read_number *out);

/* ---- The source --------------------------------------------------------- */

struct judge_source {
    struct judge_text text; /* of title and passage */
    uint32_t sentences_n;
    struct str *sentences; /* the title, then those of the passage */
    uint32_t *first;       /* word of each, and of the end */
    struct str passage;
};

/* ---- credit.c: a sentence against a source ------------------------------ */

struct item { /* one of the sentence's different words */
    const struct judge_word *word;
    double weight;
    int best;         /* its best credit anywhere in the source */
    int three;        /* in the best three */
    uint32_t *places; /* words of the source with credit enough, in order */
    size_t places_n;
    uint16_t next_key, next_head; /* in their chains; 0: the last */
};

struct trial {
    struct arena *arena;
    const struct judge_text *claim;
    const struct judge_source *source;
    struct item *items;
    size_t items_n;
    uint16_t *item_of; /* by word of the claim; JUDGE_ITEMS_MAX: none */
    uint8_t *credits;  /* by item, then by sentence of the source */
    double *covered;   /* by sentence: the share of the claim's weight */
    double weight;
    uint32_t three[3]; /* sentences, the best first */
    size_t three_n;
    double c1, g3;
};
/* Everything of a trial from its arena, claim and source. */
enum footnote_rc trial_run(struct trial *t, struct footnote_err *err);
static inline const struct item *trial_item(const struct trial *t, size_t word)
{
    return t->item_of[word] < t->items_n ? &t->items[t->item_of[word]] : NULL;
}
static inline int trial_credit(const struct trial *t, size_t item, uint32_t s)
{
    return t->credits[item * t->source->sentences_n + s];
}
static inline bool word_counts(const struct judge_word *w)
{
    return w->kind != WORD_LIGHT;
}

/* ---- doubts.c, denial.c: what speaks against a sentence ----------------- */

struct doubts {
    int numbers, names; /* missing */
    int pairs, lonely_numbers, lonely_names;
    bool clash, denies, dropped, opposite;
    /* A word of the claim for each reason; NULL: none. */
    const struct judge_word *number, *name, *apart, *clashing, *denied,
        *undenied, *opposed;
};
void doubts_find(const struct trial *t, struct doubts *d);
void denials_find(const struct trial *t, struct doubts *d);

#endif
