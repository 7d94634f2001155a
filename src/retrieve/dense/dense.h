/* dense.h - vectors beside words, when there is an embedder.  Any thread.
 *
 * Threads of our own make the vectors of all passages, beginning when a
 * document is ready, and store them; others load what the store has.  Of all
 * servers on a database one makes those of a course at a time.  A failure only
 * delays: what has no vector yet is asked for again.  A search waits for the
 * embedder up to a deadline, and goes on by words alone when it fails. */
#ifndef RETRIEVE_DENSE_DENSE_H
#define RETRIEVE_DENSE_DENSE_H
#include "retrieve/dense/vectors.h"
#include "retrieve/remote/endpoint.h"
#include "store/store.h"

struct scope_course;

struct dense_options {
    const char *url, *model;
    const char *key;                           /* NULL: none is needed */
    const char *query_prefix, *passage_prefix; /* NULL: none */
    size_t bytes_max; /* in memory; the least recently searched go */
    int64_t wait_ms;  /* that a search waits at most */
    bool only_reads;  /* it makes no vectors of passages */
};

struct dense;
enum footnote_rc dense_open(struct store *st, const struct dense_options *o,
                            struct dense **out, struct footnote_err *err);
/* Breaks off what is under way: the next process goes on. */
void dense_close(struct dense *d); /* NULL is fine */

/* What can be searched in a course has changed. */
void dense_changed(struct dense *d, struct str tenant, struct str course);
/* Vectors of all courses of the store are made. */
void dense_all(struct dense *d);

struct dense_question {
    struct who who;
    struct str text;
    const struct scope_course *courses;
    size_t courses_n;
    const struct vectors_only *only; /* documents; NULL: all */
    bool wait;                       /* until what the store has is loaded */
};
struct dense_found {
    struct near_passage *near; /* best first */
    size_t n;
    bool failed;              /* there are vectors, but not the question's */
    struct vectors **vectors; /* of the courses; inner */
    size_t vectors_n;
};
/* The nearest passages, at most max.  dense_found_free() when done. */
void dense_find(struct dense *d, struct arena *a,
                const struct dense_question *q, size_t max,
                struct dense_found *out);
/* Whether a passage was compared: new ones wait for their vectors. */
bool dense_compared(const struct dense_found *f, int64_t document,
                    int64_t version, int64_t position);
void dense_found_free(struct dense_found *f); /* fit for AUTO */

struct dense_progress {
    int64_t passages, vectors; /* that there are; that are made */
};
/* Of one course, or with an absent one of all that are known here. */
struct dense_progress dense_progress(struct dense *d, struct str tenant,
                                     struct str course);
struct endpoint *dense_endpoint(struct dense *d);
/* Waits until nothing is left to load and to embed, or the endpoint is paused.
 */
void dense_wait_idle(struct dense *d);

#endif
