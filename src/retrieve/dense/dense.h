/* dense.h - vectors beside words, when an endpoint for embeddings is there.
 *
 * After the first search of a course, a thread embeds its passages and stores
 * their vectors.  A question is embedded by its search.  When anything fails
 * here, searches go on by words alone, and the endpoint is not asked for a
 * while.  Any thread. */
#ifndef RETRIEVE_DENSE_DENSE_H
#define RETRIEVE_DENSE_DENSE_H
#include "retrieve/dense/embed.h"
#include "store/document/search.h"

struct scope_course;

struct dense;
enum footnote_rc dense_open(struct store *st, const struct embedder *e,
                            struct dense **out, struct footnote_err *err);
void dense_close(struct dense *d); /* NULL is fine */

struct near_passage { /* its vector is near the question's */
    int64_t document, version, position;
    float score; /* cosine */
};
struct dense_question {
    struct who who;
    struct str text;
    const struct scope_course *courses;
    size_t courses_n;
    int64_t document; /* 0: all documents */
};
/* The nearest passages of the courses, best first; none when the endpoint
 * cannot be asked. */
size_t dense_nearest(struct dense *d, struct arena *a,
                     const struct dense_question *q, struct near_passage *out,
                     size_t max);
/* Waits until no passage is left to embed, or the endpoint has failed. */
void dense_wait_idle(struct dense *d);

#endif
