/* embed.h - texts to vectors, by an OpenAI-compatible endpoint.  Any thread.
 *
 * Waits for the network, within a time limit. */
#ifndef RETRIEVE_REMOTE_EMBED_H
#define RETRIEVE_REMOTE_EMBED_H
#include "retrieve/remote/endpoint.h"

#define EMBED_PATH "/v1/embeddings"
enum { EMBED_FLOATS_MAX = 8192 };

struct embedding {
    const struct str *texts;
    size_t n;
    struct str model;
    enum endpoint_lane lane;
    int64_t timeout_ms;
    size_t want;   /* floats that each must have; 0: any number */
    float *floats; /* out: n vectors of length one, in `a` */
    size_t size;   /* out: floats of each; also of an answer that was refused
                      because of it */
    bool refused;  /* out: these texts were refused, or what came for them makes
                      no sense: others may pass */
};
/* A failure pauses the lane, unless it lies in the texts: nobody's question
 * keeps those of others from being asked. */
enum footnote_rc embed(struct endpoint *e, struct arena *a,
                       struct embedding *op, struct footnote_err *err);

#endif
