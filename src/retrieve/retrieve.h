/* retrieve.h - a question in, ranked passages that can be cited out.
 *
 * One retriever per process; any thread.  It keeps an index per course, made
 * from the stored passages when a course is first searched, kept in step with
 * the store by version numbers (so another node's changes are seen as well),
 * and forgotten when memory runs short.  Who may read what is asked of the
 * store for every search: a passage of a course that is not the asker's is
 * never found.
 *
 * Calls wait for the store, so they do not belong on an event loop. */
#ifndef RETRIEVE_RETRIEVE_H
#define RETRIEVE_RETRIEVE_H
#include "base/arena.h"
#include "base/str.h"
#include "cite/source.h"
#include "store/store.h"

struct document_change;

enum {
    RETRIEVE_HITS = 8,          /* when no limit is given */
    RETRIEVE_HITS_MAX = 200,    /* a higher limit is cut */
    RETRIEVE_QUERY_BYTES = 4096 /* of a question; what is behind is not read */
};

struct retriever; /* opaque */

struct retriever_options {
    const char *folder; /* of index files; NULL: nothing is kept on disk */
    size_t bytes_max;   /* of all indexes in memory; 0: 1 GB */
    const char *embeddings_url, *embeddings_model; /* NULL: no vectors */
    const char *embeddings_key;                    /* NULL: none is needed */
};

/* *out is yours: retriever_close().  `st` is borrowed until then. */
enum footnote_rc retriever_open(struct store *st,
                                const struct retriever_options *o,
                                struct retriever **out,
                                struct footnote_err *err);
void retriever_close(struct retriever *r); /* NULL is fine */

/* A document of the course was added, replaced or deleted here: look soon.
 * Only a hint; a search always sees what is committed.  Of a deleted course
 * the files go as well, which no search would look for. */
void retriever_changed(struct retriever *r, const struct document_change *c);

struct hit {
    struct source source;     /* as it can be cited: key fields, preview = the
                                 passage, title, ... */
    struct str text;          /* the passage */
    struct str before, after; /* its neighbours' text, absent at the ends */
    struct str doc_ref; /* "date:title" of a journal entry, else the document's
                           id */
    double score;       /* 0 to 1, of the best */
    double coverage;    /* share of the question's idf that is in it */
};

struct query; /* what became of the question: query.h */

struct search {
    struct who who;
    struct str course, document; /* absent course: all the asker may read */
    struct str session;          /* absent: no prior from a thread */
    struct str query, previous;  /* previous user turn, may be absent */
    size_t limit;                /* 0: RETRIEVE_HITS */
    bool no_prior;               /* the thread's past citations do not count */
    bool seed; /* also the thread's most cited documents and recent
                  journal entries, behind what was found */
    /* Out; all of it lives in `out`. */
    struct hit *hits;
    size_t hits_n;
    bool low_confidence;
    double confidence;
    const struct query *ready; /* inner */
};

/* NOTFOUND: course or document is not there, or not the asker's.  A session
 * that is not there for them has cited nothing: clients name a thread before
 * its first question.  No hits is OK, with low_confidence. */
enum footnote_rc retriever_search(struct retriever *r, struct arena *out,
                                  struct search *s, struct footnote_err *err);

/* The best one to `max` sentences of the hits of a search, verbatim, in the
 * order in which they should be said.  Texts are views into the hits'. */
struct picked {
    size_t hit; /* index in s->hits */
    struct str sentence;
    double score;
};
enum footnote_rc retriever_pick(struct retriever *r, struct arena *out,
                                const struct search *s, struct picked *picked,
                                size_t max, size_t *n,
                                struct footnote_err *err);

#endif
