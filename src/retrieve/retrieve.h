/* retrieve.h - a question in, ranked passages that can be cited out.
 *
 * One retriever per process; any thread.  It keeps an index per course, made
 * from the stored passages by threads of its own, kept in step with the store
 * by version numbers (so another node's changes are seen as well), and
 * forgotten when memory runs short.  Every search asks the store what its user
 * may read, and finds nothing else.
 *
 * Calls wait for the store, so they do not belong on an event loop. */
#ifndef RETRIEVE_RETRIEVE_H
#define RETRIEVE_RETRIEVE_H
#include "cite/source.h"
#include "store/store.h"

struct document_change;
struct search_filter; /* store/document/filter.h */

enum {
    RETRIEVE_HITS = 8,          /* when no limit is given */
    RETRIEVE_HITS_MAX = 200,    /* a higher limit is cut */
    RETRIEVE_QUERY_BYTES = 4096 /* of a question; the rest is not read */
};

struct retriever; /* opaque */

struct retriever_options {
    const char *folder; /* of index files; NULL: nothing is kept on disk */
    size_t bytes_max;   /* of all indexes in memory; 0: 1 GB */
    const char *embeddings_url, *embeddings_model; /* NULL: no vectors */
    const char *embeddings_key;                    /* NULL: none is needed */
    const char *query_prefix, *passage_prefix;     /* NULL: none */
    int64_t embeddings_ms; /* that a search waits for a vector; 0: 2 s */
    const char *rerank_url, *rerank_model; /* NULL: none; its only one */
    const char *rerank_key;                /* NULL: none is needed */
    int64_t rerank_ms; /* that a search waits for an order; 0: 2 s */
    bool only_reads;   /* vectors are used, and none are made */
};

/* *out is yours: retriever_close().  `st` is borrowed until then. */
enum footnote_rc retriever_open(struct store *st,
                                const struct retriever_options *o,
                                struct retriever **out,
                                struct footnote_err *err);
void retriever_close(struct retriever *r); /* NULL is fine */

/* A document was added, replaced or deleted in this process: its course is
 * indexed soon.  Only a hint, as a search always sees that it is behind; but
 * the index files of a deleted course are removed by this alone. */
void retriever_changed(struct retriever *r, const struct document_change *c);
/* For a server: all courses are indexed, also those that nobody has searched
 * yet, one after the other. */
void retriever_index_all(struct retriever *r);
/* How many passages there are in the courses that are known here, and how many
 * have a vector; false: there is no embedder.  An absent course: all. */
struct retriever_progress {
    int64_t passages, vectors;
};
bool retriever_progress(struct retriever *r, struct str tenant,
                        struct str course, struct retriever_progress *out);
/* Waits until all passages have their vectors; BUSY: the embedder failed. */
enum footnote_rc retriever_wait_vectors(struct retriever *r,
                                        struct footnote_err *err);
/* The servers that help; NULL: there is none. */
struct endpoint *retriever_embedder(const struct retriever *r);
struct endpoint *retriever_reranker(const struct retriever *r);
/* How many index files were damaged so far, and made again. */
uint64_t retriever_damaged(const struct retriever *r);
/* `fn` is called, by any thread, after a course was indexed; it must be quick.
 * One at a time; NULL: none any more. */
typedef void retriever_watch_fn(void *arg, struct str tenant,
                                struct str course);
void retriever_watch(struct retriever *r, retriever_watch_fn *fn, void *arg);

struct hit {
    struct source source; /* as it can be cited: key fields, preview = the
                             passage, title, ... */
    struct str text;      /* the passage */
    struct str doc_ref; /* "date:title" of a journal entry, else the document's
                           id */
    int64_t version;    /* of its document */
    double score;       /* 0 to 1, of the best */
    double coverage;    /* share of the question's idf that it has */
};

struct query; /* query.h */

struct outline_line {
    struct str text; /* a title or heading, of the hit with its index */
    bool inner;      /* a heading of the document before */
};

/* A word that no document has, and the one that was searched for instead. */
struct repaired {
    struct str typed, used;
};

/* What a search does when documents that are ready are not in the index yet. */
enum search_patience {
    SEARCH_WAIT,  /* it waits until they are */
    SEARCH_LATER, /* it returns at once, with `indexing` and no hits */
    SEARCH_NOW    /* it searches what is there, with `indexing` */
};

/* By what passages are ranked, where there are vectors; both is what a search
 * is for, the others are measured. */
enum search_by { SEARCH_BY_BOTH, SEARCH_BY_WORDS, SEARCH_BY_VECTORS };

struct search {
    struct who who;
    struct str course;                  /* absent: all the asker may read */
    const struct search_filter *filter; /* what it is limited to; NULL: all */
    const struct search_filter *within; /* further, as a model asks; NULL */
    bool kept;          /* documents of `filter` may be gone since */
    struct str session; /* whose past citations count; may be absent */
    struct str query;
    const struct str *earlier; /* questions of the thread, oldest first: what a
                                  question like "Why?" is about */
    size_t earlier_n;
    size_t limit; /* 0: RETRIEVE_HITS */
    enum search_by by;
    bool ignore_citations; /* past citations do not change the ranking */
    enum search_patience patience;
    size_t outline_max; /* "What is this course about?" finds at most so many
                           titles and headings; 0: passages, as any question */
    bool thread_hits; /* also find the session's most cited documents and recent
                       journal entries; they come last */
    /* Out; all of it lives in `out`. */
    struct hit *hits;
    size_t hits_n;
    bool indexing;     /* documents that are ready were not searched */
    bool words_alone;  /* there are vectors, but the embedder failed */
    bool not_reranked; /* there is a reranker, but it failed */
    bool low_confidence;
    bool scope_empty; /* no document lies in what it was limited to, */
    bool scope_waits; /* or only such as are still being read in */
    double confidence;
    const struct repaired *repaired; /* mistyped words of the question */
    size_t repaired_n;
    const struct query *parsed;   /* for retriever_sentences() */
    struct outline_line *outline; /* one for each hit, when the question was
                                     what the course is about; else NULL */
};

/* NOTFOUND: there is no such course or document, or not for this user.  A
 * session that does not exist for them has cited nothing: clients name a
 * session before its first question.  No hits is OK, with low_confidence. */
enum footnote_rc retriever_search(struct retriever *r, struct arena *out,
                                  struct search *s, struct footnote_err *err);

/* The best sentences of a search's hits, at most `max`, verbatim, in the order
 * in which to say them.  Sentences are views into the hits' texts; of an
 * outline, they are its lines. */
struct best_sentence {
    size_t hit; /* index in s->hits */
    struct str sentence;
    double score;
};
enum footnote_rc retriever_sentences(struct retriever *r,
                                     const struct search *s,
                                     struct best_sentence *out, size_t max,
                                     size_t *n, struct footnote_err *err);

#endif
