/* query.h - a question against some segments: its terms, and what is found.
 *
 * One thread per query; the segments may be shared.  Everything lives in the
 * arena that query_new() was given. */
#ifndef RETRIEVE_SEARCH_QUERY_H
#define RETRIEVE_SEARCH_QUERY_H
#include "base/arena.h"
#include "retrieve/index/segment.h"

enum {
    QUERY_TERMS_MAX = 64,  /* of a question; the rest is not looked for */
    QUERY_WORDS_MAX = 128, /* function words counted */
    QUERY_ALL_MAX = 128,   /* with what a second attempt adds */
    QUERY_TOP = 200        /* candidates whose pairs are looked at */
};

/* A segment as a search sees it: a range of its passages, some dead. */
struct part {
    const struct segment *segment;
    const uint64_t *dead; /* bits by passage; NULL: none */
    uint32_t from, to;    /* passages in scope */
};

struct query_term {
    struct str word;
    float weight; /* 1, .5 for words of the previous turn only */
    float idf;
    uint64_t df;
    uint32_t group;    /* variants of one word of the question share it */
    bool repaired;     /* stands for a word that no passage has */
    uint32_t *numbers; /* per part; NO_TERM: not there */
};

struct query_pair { /* two terms that stand side by side in the question */
    uint32_t left, right;
    float weight;
};

struct query_group {
    float idf, weight; /* of its most frequent variant; as if df were 0 when
                          it is in no passage */
    bool known;        /* some passage has it, without a repair */
};

struct query {
    struct arena *arena;   /* of what stays */
    struct arena *scratch; /* of what ranking needs */
    struct analyser *analyser;
    const struct part *parts;
    size_t parts_n;
    uint64_t passages_n; /* in all parts, scope or not */
    float average;       /* length of a passage */
    uint32_t languages;  /* bits: those of the documents */
    struct query_term *terms;
    size_t terms_n;
    struct query_pair *pairs;
    size_t pairs_n;
    struct query_group *groups;
    size_t groups_n;
    size_t own_n;  /* groups of the question itself; then the turn before */
    float idf_sum; /* of its own groups */
};

/* Begins a query in q->arena, with scratch, analyser and parts, all of which
 * are borrowed. */
enum footnote_rc query_init(struct query *q, struct footnote_err *err);
/* Adds the words of a text: first of the question itself, then of the turn
 * before. */
enum footnote_rc query_text(struct query *q, struct str text, bool previous,
                            struct footnote_err *err);
/* Adds a term, or weight to one that is there. */
enum footnote_rc query_term(struct query *q, struct str word, float weight,
                            uint32_t group, struct footnote_err *err);

/* ---- Ranking ------------------------------------------------------------ */

struct ranked {
    uint32_t part, passage;
    float score;
};

/* The best passages by BM25, at most max, best first. */
enum footnote_rc rank_top(const struct query *q, struct ranked *out, size_t max,
                          size_t *n, struct footnote_err *err);
/* Best first; of equal ones, the lower number. */
void rank_sort(struct ranked *ranked, size_t n);
/* Adds what pairs of the question's words near each other are worth, and sorts
 * again. */
void rank_pairs(const struct query *q, struct ranked *ranked, size_t n);
/* Adds the terms that the best passages share to the query: a second attempt
 * finds what says it in other words. */
enum footnote_rc rank_expand(struct query *q, const struct ranked *ranked,
                             size_t n, struct footnote_err *err);
/* Which groups of the question a text has, as bits. */
uint64_t query_cover(const struct query *q, struct analyser *a, struct str text,
                     enum language language);
/* The share of the question's idf that these groups are. */
double query_share(const struct query *q, uint64_t groups);

/* The term of the index that was meant by a word (folded, not stemmed) that it
 * does not have; false: none is near. */
bool query_repair(const struct query *q, struct str word,
                  enum language language, struct str *out);

#endif
