/* rerank.h - how well texts answer a question, by an endpoint of the form that
 * Jina and Cohere have.  Any thread.
 *
 * Waits for the network, within a time limit. */
#ifndef RETRIEVE_REMOTE_RERANK_H
#define RETRIEVE_REMOTE_RERANK_H
#include "retrieve/remote/endpoint.h"

#define RERANK_PATH "/v1/rerank"

struct reranking {
    struct str query;
    const struct str *texts;
    size_t n;
    struct str model; /* absent: the endpoint has one */
    int64_t timeout_ms;
    double *scores; /* out: n, of any range, in `a` */
};
enum footnote_rc rerank(struct endpoint *e, struct arena *a,
                        struct reranking *op, struct footnote_err *err);

#endif
