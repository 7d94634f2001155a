/* judge.h - whether a source's words carry a sentence that cites it.
 *
 * A verdict is a measure of words: deterministic, linear in the text, the same
 * on every machine.  It is never called "verified".
 *
 * The sentence becomes items: its different words, names, numbers and dates.
 * Each gets the credit of its best match in each sentence of the source, and
 * the best three sentences together say how much of it is there.  Then come
 * the reasons to doubt it: numbers and names that are missing or stand apart,
 * and negations that only one of the two sides has.  docs/verdicts.md has the
 * method, its weights and what was measured.
 *
 * A judge keeps stems between calls; one thread per judge. */
#ifndef CITE_JUDGE_JUDGE_H
#define CITE_JUDGE_JUDGE_H
#include "base/arena.h"

enum {
    JUDGE_SENTENCE_BYTES_MAX = 4 * 1024, /* what is behind is not read */
    JUDGE_SOURCE_BYTES_MAX = 64 * 1024
};

/* Both are stored: they only grow. */
enum verdict_kind {
    VERDICT_NO_SOURCE,
    VERDICT_CARRIED,
    VERDICT_PARTLY,
    VERDICT_NOT_FOUND,
    VERDICT_CONTRADICTS
};

/* What speaks most against the sentence; `word` of the verdict says which. */
enum verdict_reason {
    REASON_NONE,
    REASON_WORDS,    /* too few of its words are there */
    REASON_NUMBER,   /* a number or date is not in the source */
    REASON_NAME,     /* a name is not in the source */
    REASON_APART,    /* names or numbers are there, but not together */
    REASON_DENIES,   /* the sentence denies what the source does not */
    REASON_DROPPED,  /* the source denies what the sentence does not */
    REASON_OPPOSITE, /* the source has a word's opposite */
    REASON_CLASH,    /* the source has another number in that place */
    REASON_UNKNOWN   /* it names a number that no source has */
};

enum { JUDGE_MISSING_MAX = 4 };

struct verdict {
    enum verdict_kind kind;
    enum verdict_reason reason;
    int support; /* 0..1000 */
    int covered; /* 0..1000: what that sentence of the passage has of it */
    size_t start, end; /* bytes of the passage: the sentence that carries most;
                          both 0: none */
    struct str word;   /* of the sentence, a view: what the reason is about */
    /* Of a sentence that is partly carried: what is not, in order, views. */
    struct str missing[JUDGE_MISSING_MAX];
    size_t missing_n;
    double score; /* the unclipped measure, for the evaluation */
};

struct judge;
enum footnote_rc judge_open(struct judge **out, struct footnote_err *err);
void judge_close(struct judge *j);                /* NULL is fine */
static inline void judge_closep(struct judge **j) /* fit for AUTO */
{
    judge_close(*j);
}

/* A source read once, for any number of sentences.  Lives in the arena, and is
 * used with this judge alone.  Title and passage are valid UTF-8, or absent. */
struct judge_source;
enum footnote_rc judge_source_read(struct judge *j, struct arena *a,
                                   struct str title, struct str passage,
                                   struct judge_source **out,
                                   struct footnote_err *err);

/* `sentence` is valid UTF-8; markers in it are no words.  Scratch memory comes
 * from `a`. */
enum footnote_rc judge_sentence(struct judge *j, struct arena *a,
                                struct str sentence,
                                const struct judge_source *source,
                                struct verdict *out, struct footnote_err *err);

#endif
