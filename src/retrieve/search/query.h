/* query.h - a question against some segments: its terms, and what is found.
 *
 * One thread per query; the segments may be shared. */
#ifndef RETRIEVE_SEARCH_QUERY_H
#define RETRIEVE_SEARCH_QUERY_H
#include "base/arena.h"
#include "retrieve/index/segment.h"

enum {
    QUERY_GROUPS_MAX = 64, /* words of a question; the rest is not searched */
    QUERY_WORDS_MAX = 128, /* the same, with function words */
    QUERY_TERMS_MAX = 128, /* variants and what rank_expand() adds included */
    QUERY_TOP = 200        /* passages that rank_top() finds for a search */
};

/* The passages [from, to) of a segment are searched. */
struct segment_range {
    const struct segment *segment;
    const uint64_t *dead; /* bits by passage; NULL: none */
    uint32_t from, to;
};

struct query_term {
    struct str word;
    float weight; /* 1; less if only an earlier question has it */
    float idf;
    uint64_t df;
    uint32_t group;     /* the word of the question that it is a variant of */
    uint32_t languages; /* whose variant it is, as bits; 0: it is none */
    uint32_t *numbers;  /* its number in each range's segment, or NO_TERM */
};

struct query_pair { /* two terms side by side in the question */
    uint32_t left, right;
    float weight;
};

struct query_group { /* a word of the question with its variants */
    float idf; /* of the most frequent variant; when no passage has any, as of
                  a term with df 0 */
    float weight;     /* 1; less in an earlier question */
    bool known;       /* some passage has it as it was typed */
    struct str typed; /* folded */
    struct str meant; /* the term that it is a misspelling of; absent: none */
};

struct query {
    struct arena *arena;   /* for the query itself */
    struct arena *scratch; /* for ranking */
    struct analyser *analyser;
    const struct segment_range *ranges;
    size_t ranges_n;
    uint64_t passages_n; /* of all segments, in range or not */
    float average;       /* length of a passage */
    uint32_t languages;  /* of the documents, as bits */
    enum language own;   /* of the question; NONE: it cannot be told */
    struct query_term *terms;
    size_t terms_n;
    struct query_pair *pairs;
    size_t pairs_n;
    struct query_group *groups;
    size_t groups_n;
    size_t own_n;  /* groups of the question itself, which come first */
    float idf_sum; /* of these */
};

/* Begins a query.  The caller has set arena, scratch, analyser and ranges,
 * which are borrowed. */
enum footnote_rc query_init(struct query *q, struct footnote_err *err);
/* Adds the words of the question, then those of an earlier one. */
enum footnote_rc query_add_text(struct query *q, struct str text, bool earlier,
                                struct footnote_err *err);
/* Adds a term, or weight to one that the query has. */
enum footnote_rc query_add_term(struct query *q, struct str word, float weight,
                                uint32_t group, struct footnote_err *err);
/* NULL: the query does not have the word. */
struct query_term *query_find(const struct query *q, struct str word);

/* ---- Ranking ------------------------------------------------------------ */

struct ranked {
    uint32_t range; /* index in the query's ranges */
    uint32_t passage;
    float score;
};

/* The best passages by BM25, at most max, best first. */
enum footnote_rc rank_top(const struct query *q, struct ranked *out, size_t max,
                          size_t *n, struct footnote_err *err);
/* Best first; of equal scores, the lower range and passage first. */
void rank_sort(struct ranked *ranked, size_t n);
/* Adds a score for pairs of the question's words that stand near each other,
 * and sorts again. */
void rank_proximity(const struct query *q, struct ranked *ranked, size_t n);
/* Of a book in several languages, the one that was asked in comes first: the
 * scores of documents in other languages are less, and sorted again. */
void rank_language(const struct query *q, struct ranked *ranked, size_t n);
/* Adds to the query the terms that the best passages share, so that a second
 * attempt finds passages that use other words. */
enum footnote_rc rank_expand(struct query *q, const struct ranked *ranked,
                             size_t n, struct footnote_err *err);
/* The groups of the question that a text has, as bits. */
uint64_t query_groups_in(const struct query *q, struct analyser *a,
                         struct str text, enum language language);
/* The share that these groups have of the question's idf. */
double query_idf_share(const struct query *q, uint64_t groups);

/* The term of the index that a mistyped word (folded, not stemmed) stands for;
 * false: none is near. */
bool query_repair(const struct query *q, struct str word,
                  enum language language, struct str *out);

#endif
