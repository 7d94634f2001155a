/* search.h - what the files of one search share.  One thread per search.
 *
 * The features of the ranking are listed in rank_passages() of retriever.c. */
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
    struct dense *dense;       /* NULL: search by words alone */
    struct endpoint *reranker; /* NULL: hits stay as they are */
    char *rerank_model;        /* "": the endpoint has one */
    int64_t rerank_ms;
};

struct search_run {
    struct retriever *retriever;
    struct search *search;
    struct arena *out;
    struct arena scratch;
    struct analyser *analyser;
    struct search_scope scope;
    struct index_snapshot **snapshots; /* one per course of the scope */
    struct query query;
    struct ranked *ranked;
    size_t ranked_n;
    struct dense_found near; /* by vectors */
    bool asked_near;
};

/* ---- ranges.c ------------------------------------------------------------ */

/* Of the query: what the scope leaves of the snapshots. */
enum footnote_rc open_ranges(struct search_run *run, struct footnote_err *err);

/* ---- thread_words.c ------------------------------------------------------ */

/* The part of a question that is searched. */
struct str query_cut(struct str question);
/* Adds the words of the search's question, and of earlier ones when it does not
 * stand by itself. */
enum footnote_rc query_add_thread(struct query *q, const struct search *s,
                                  struct footnote_err *err);

/* ---- hits.c: passages of the index become sources that can be cited ------ */

struct located_hit { /* a hit, and its passage in the index */
    struct hit hit;
    struct str key; /* of its source */
    uint32_t range, passage;
    float score;
    enum language language;
};
/* The hits of the n passages, without those that the user may not read. */
enum footnote_rc hits_fetch(struct search_run *run, const struct ranked *ranked,
                            size_t n, struct located_hit *out, size_t *out_n,
                            struct footnote_err *err);
/* Fills in the hits of n reads by key, and drops those that were not found. */
enum footnote_rc hits_fill(struct search_run *run, struct hit_read *reads,
                           size_t n, struct located_hit *out, size_t *out_n,
                           struct footnote_err *err);

struct search_attempt {
    float max_by_words; /* best score, before it becomes a share */
    struct ranked *ranked;
    struct located_hit *hits;
    size_t ranked_n, hits_n;
    double confidence;
};

/* ---- repaired.c ---------------------------------------------------------- */

/* Sets the search's words that were repaired. */
enum footnote_rc repaired_words(const struct search_run *run,
                                const struct search_attempt *a,
                                struct footnote_err *err);

/* ---- citation_boost.c ---------------------------------------------------- */

/* How often the session has cited a document. */
int64_t document_cited_n(const struct search_scope *scope, int64_t key);
/* Scores become shares of the best, plus a boost for documents that the session
 * has cited; sorted again. */
void boost_cited_documents(const struct search_run *run, struct ranked *ranked,
                           size_t n);
/* Adds the boost for passages that the session has cited; sorted again. */
void boost_cited_passages(const struct search_run *run,
                          struct located_hit *hits, size_t n);

/* ---- fuse.c -------------------------------------------------------------- */

/* Mixes the passages nearest by vector into those found by words.  `ranked` has
 * room for QUERY_TOP. */
enum footnote_rc fuse_vectors(struct search_run *run, struct ranked *ranked,
                              size_t *n, struct footnote_err *err);

/* ---- rerank_hits.c --------------------------------------------------------
 */

enum { RERANK_HITS = 50 };
/* Puts the first RERANK_HITS of the hits into another order; false: it could
 * not, and they are as they were. */
bool rerank_hits(struct search_run *run, struct located_hit *hits, size_t n);

/* ---- thread_hits.c ------------------------------------------------------- */

enum { THREAD_DOCUMENTS = 2, THREAD_JOURNALS = 2 };
/* Adds to the search's hits, which have room for them.  `max` is the best score
 * by words alone. */
enum footnote_rc add_thread_hits(struct search_run *run, float max,
                                 struct footnote_err *err);

/* ---- confidence.c -------------------------------------------------------- */

/* How likely these hits answer the question, 0 to 1.  `by_words` is the best
 * score by words alone, before it becomes a share of anything. */
double confidence_of(const struct search_run *run,
                     const struct located_hit *hits, size_t n, float by_words);
/* Below this, a search has low confidence. */
#define CONFIDENCE_LOW 0.45

#endif
