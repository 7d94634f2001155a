/* history_cache.h - whole histories, kept as the bytes that go out.  Any
 * thread.
 *
 * A body is kept for one reader, one session and one form, with the versions
 * that it was read at.  It is given out for the same versions only, and every
 * request asks the store for them, so a change by another node or a lost right
 * is seen at once.  The lock is inside; bodies have a count of references. */
#ifndef HTTP_API_HISTORY_CACHE_H
#define HTTP_API_HISTORY_CACHE_H
#include "http/core/http.h"
#include "store/read/history.h"

struct history_cache;

/* At most so many bytes, bodies and all; 0 keeps nothing. */
enum footnote_rc history_cache_open(size_t bytes_max,
                                    struct history_cache **out,
                                    struct footnote_err *err);
void history_cache_close(struct history_cache *h); /* NULL is fine */

struct history_key {
    struct who who;
    struct str session;
    unsigned form; /* as=, fields=, versions= and encoding, as bits */
    struct versions versions;
};
/* A reference that is yours to drop, or NULL; `tag` is its ETag. */
struct shared_body *history_cache_get(struct history_cache *h,
                                      const struct history_key *k,
                                      char tag[ETAG_BYTES]);
/* Whether a body is kept, of any versions.  If none is, the caller need not ask
 * for versions. */
bool history_cache_has(struct history_cache *h, const struct history_key *k);
/* Keeps the body too, if there is room; when the cache is full, only if the
 * same body was put shortly before. */
void history_cache_put(struct history_cache *h, const struct history_key *k,
                       struct shared_body *body, const char tag[ETAG_BYTES]);

#endif
