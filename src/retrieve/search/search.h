/* search.h - what the files of one search share.  One thread per search. */
#ifndef RETRIEVE_SEARCH_SEARCH_H
#define RETRIEVE_SEARCH_SEARCH_H
#include "retrieve/dense/dense.h"
#include "retrieve/index/indexes.h"
#include "retrieve/retrieve.h"
#include "retrieve/search/query.h"
#include "store/document/search.h"

struct retriever {
    struct store *store;
    struct indexes *indexes;
    struct dense *dense; /* NULL: by words alone */
};

/* A search at work. */
struct finding {
    struct retriever *r;
    struct search *s;
    struct arena *out;
    struct arena scratch;
    struct analyser *analyser;
    struct search_scope scope;
    struct index_snapshot **snapshots; /* one per course of the scope */
    struct query query;
    struct ranked *ranked;
    size_t ranked_n;
    struct near *near; /* NULL: the endpoint was not asked yet */
    size_t near_n;
};

/* ---- hits.c: from places in the index to what can be cited --------------- */

struct found { /* a hit and where it is */
    struct hit hit;
    struct str key; /* of its source */
    uint32_t part, passage;
    float score;
    enum language language;
};
/* Reads the first `max` of ranked that the asker may still read. */
enum footnote_rc hits_fetch(struct finding *f, const struct ranked *ranked,
                            size_t n, struct found *out, size_t *out_n,
                            struct footnote_err *err);
/* Hits by their keys in the store, ranked or not: seeds. */
enum footnote_rc hits_fill(struct finding *f, struct hit_read *reads, size_t n,
                           struct found *out, size_t *out_n,
                           struct footnote_err *err);

/* ---- prior.c: what the thread has cited before --------------------------- */

/* Scores become shares of the best plus what past citations of the document
 * are worth; sorted again. */
void prior_documents(const struct finding *f, struct ranked *ranked, size_t n);
/* The same for single passages. */
void prior_passages(const struct finding *f, struct found *found, size_t n);

/* ---- fuse.c -------------------------------------------------------------- */

/* Mixes what is near by its vector into what was found by words.  Ranked has
 * room for QUERY_TOP. */
enum footnote_rc fuse(struct finding *f, struct ranked *ranked, size_t *n,
                      struct footnote_err *err);

/* ---- seed.c -------------------------------------------------------------- */

enum { SEED_DOCUMENTS = 2, SEED_JOURNALS = 2 };
/* Adds hits to those of the search, which has room for them.  `max` is the
 * best score by words alone. */
enum footnote_rc seed(struct finding *f, float max, struct footnote_err *err);

/* ---- confidence.c -------------------------------------------------------- */

/* How sure one can be that the best of these answers the question, 0 to 1. */
double confidence_of(const struct finding *f, const struct found *found,
                     size_t n);
/* Under this, a search is of low confidence. */
#define CONFIDENCE_LOW 0.5

#endif
