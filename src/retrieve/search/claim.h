/* claim.h - which words carry a claim: of its passage, and where that stands.
 *
 * A claim is what an answer says before a marker.  When it stands in the
 * passage, its own words carry it; else the sentence of the passage that
 * supports it most.  Pure; any thread; results live in the arena. */
#ifndef RETRIEVE_SEARCH_CLAIM_H
#define RETRIEVE_SEARCH_CLAIM_H
#include "ingest/text/find_words.h"

enum {
    CLAIM_BYTES_MAX = 4 * 1024,
    CLAIM_PASSAGE_WORDS_MAX = 4000 /* what is behind is not looked at */
};

struct claim_passage {
    struct str text;
    struct str *words; /* views into `text` */
    size_t words_n;
    struct letters letters;
};
enum footnote_rc claim_passage_read(struct arena *a, struct str text,
                                    struct claim_passage *out,
                                    struct footnote_err *err);

struct claim {
    struct str text;  /* without markers; of several sentences the last one,
                         and those before it as far as they are verbatim */
    struct str carry; /* out: the words that carry it; absent: none do */
    bool exact;       /* out: they are the claim's own */
    bool *marked;     /* out: these words, by word of the passage */
};
enum footnote_rc claim_find(struct arena *a, const struct claim_passage *p,
                            struct claim *claim, struct footnote_err *err);

/* The same for a claim whose words are known: `carry` is a part of the
 * passage, or empty. */
enum footnote_rc claim_mark(struct arena *a, const struct claim_passage *p,
                            struct claim *claim, struct footnote_err *err);

/* Words of pages, or of the lines of a recording, in the order of reading. */
struct claim_place {
    const struct str *words;
    const uint32_t *page; /* of each word */
    size_t words_n;
    size_t from;   /* a word of the page that the passage is said to be on */
    bool *passage; /* out: the words of the passage; none: it is not there */
    bool **claims; /* out: those that carry each claim */
};
enum footnote_rc claim_find_place(struct arena *a,
                                  const struct claim_passage *p,
                                  const struct claim *claims, size_t claims_n,
                                  struct claim_place *place,
                                  struct footnote_err *err);

#endif
