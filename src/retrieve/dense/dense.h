/* dense.h - vectors beside words, when an endpoint for embeddings is there.
 *
 * Passages are embedded by a thread of its own, after the first search of
 * their course, and kept in the store.  A question is embedded while it is
 * asked.  Whatever fails here, a search goes on by words alone; after a failure
 * the endpoint is left alone for a while.  Any thread. */
#ifndef RETRIEVE_DENSE_DENSE_H
#define RETRIEVE_DENSE_DENSE_H
#include "retrieve/dense/embed.h"
#include "store/document/search.h"
#include "store/store.h"

struct scope_course;

struct dense;
enum footnote_rc dense_open(struct store *st, const struct embedder *e,
                            struct dense **out, struct footnote_err *err);
void dense_close(struct dense *d); /* NULL is fine */

struct near { /* a passage whose vector is near the question's */
    int64_t document, version, position;
    float score; /* cosine */
};
/* The nearest passages of a course, best first; none when that cannot be
 * known now.  Only `document` when it is not 0. */
struct dense_question {
    struct who who;
    struct str text;
    const struct scope_course *courses;
    size_t courses_n;
    int64_t document, docs_version;
};
size_t dense_nearest(struct dense *d, struct arena *a,
                     const struct dense_question *q, struct near *out,
                     size_t max);
/* Waits until no passage is left to embed, or the endpoint failed. */
void dense_settle(struct dense *d);

#endif
