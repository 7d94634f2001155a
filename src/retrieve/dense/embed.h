/* embed.h - texts to vectors, by an OpenAI-compatible endpoint.  Any thread.
 *
 * Waits for the network, within time limits. */
#ifndef RETRIEVE_DENSE_EMBED_H
#define RETRIEVE_DENSE_EMBED_H
#include "base/arena.h"

enum {
    EMBED_CONNECT_MS = 1000,
    EMBED_QUESTION_MS = 2000, /* a person waits */
    EMBED_PASSAGES_MS = 30000,
    EMBED_BYTES_MAX = 32 * 1024 * 1024,
    EMBED_FLOATS_MAX = 8192
};

struct embedder {
    const char *url; /* ends in /v1/embeddings, or that is added */
    const char *model;
    const char *key; /* NULL: none */
};

struct embedding {
    const struct str *texts;
    size_t n;
    int timeout_ms;
    float *floats; /* out: n vectors of length one, in `a` */
    size_t size;   /* out: floats of each */
};
enum footnote_rc embed(const struct embedder *e, struct arena *a,
                       struct embedding *op, struct footnote_err *err);

#endif
