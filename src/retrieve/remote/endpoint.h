/* endpoint.h - a server that searches ask for help: for vectors, or for a
 * better order.  Any thread.
 *
 * It is not trusted, and nobody depends on it: each request has a deadline and
 * a largest answer, redirects are not followed, and after a failure it is left
 * alone for a while.  Lanes are paused apart: a limit on the thousands of
 * requests of the background does not keep a question from being asked. */
#ifndef RETRIEVE_REMOTE_ENDPOINT_H
#define RETRIEVE_REMOTE_ENDPOINT_H
#include "base/arena.h"

enum endpoint_lane {
    ENDPOINT_QUESTIONS, /* a person waits */
    ENDPOINT_PASSAGES,  /* nobody does */
    ENDPOINT_LANES
};
enum { ENDPOINT_CAUSE_BYTES = 200, ENDPOINT_BYTES_MAX = 32 * 1024 * 1024 };

struct endpoint; /* opaque */

/* `what` names it in the log and in errors, as "the embedder"; a literal.
 * `path` is added to a URL that does not end in it: "/v1/embeddings". */
enum footnote_rc endpoint_open(const char *what, const char *url,
                               const char *path, const char *key,
                               struct endpoint **out, struct footnote_err *err);
void endpoint_close(struct endpoint *e); /* NULL is fine */
/* Breaks off what is under way; nothing more is asked. */
void endpoint_stop(struct endpoint *e);

/* One request.  The caller reads the answer, and then says how it ended: an
 * answer that makes no sense is a failure as well. */
struct endpoint_call {
    enum endpoint_lane lane;
    struct str body;    /* JSON */
    int64_t timeout_ms; /* for all of it */
    struct buf *answer; /* out */
    int status;         /* out: of HTTP; 0: there was no answer */
    int64_t retry_ms;   /* out: Retry-After; 0: there was none */
    int64_t began_ms;   /* inner */
};
enum footnote_rc endpoint_post(struct endpoint *e, struct endpoint_call *c,
                               struct footnote_err *err);
/* The text itself was refused (400, 413, 422): another one may pass. */
bool endpoint_refused(const struct endpoint_call *c);
/* `why` is NULL after a success.  A failure pauses the lane, longer each time;
 * the first one and the end of it are logged.  With `no_pause` it only counts.
 */
void endpoint_ended(struct endpoint *e, const struct endpoint_call *c,
                    const struct footnote_err *why, bool no_pause);

/* Milliseconds until the lane may be used; 0: now. */
int64_t endpoint_pause_ms(struct endpoint *e, enum endpoint_lane lane);

struct endpoint_counts {
    uint64_t requests, failures;
    int64_t ms; /* of all requests together */
};
struct endpoint_state {
    struct endpoint_counts lanes[ENDPOINT_LANES];
    int64_t answered_ms, failed_ms;   /* wall; 0: never */
    bool failing;                     /* the last request of a lane failed */
    char cause[ENDPOINT_CAUSE_BYTES]; /* of the last failure */
};
void endpoint_look(struct endpoint *e, struct endpoint_state *out);
const char *endpoint_url(const struct endpoint *e);

#endif
