/* history.h - whole histories, kept as the bytes that go out.  Any thread.
 *
 * A body is kept for one reader, one session and one form, with the versions
 * it was read at, and is given only to who brings the same versions: the
 * caller asks the store for them at every request, so a change by another
 * node or a right that was taken away is seen at once.  The lock is inside;
 * bodies are counted and outlive their place here. */
#ifndef HTTP_API_HISTORY_H
#define HTTP_API_HISTORY_H
#include "http/core/http.h"
#include "store/read/history.h"
#include "store/store.h"

struct histories;

/* At most so many bytes, bodies and all; 0 keeps nothing. */
enum footnote_rc histories_open(size_t bytes_max, struct histories **out,
                                struct footnote_err *err);
void histories_close(struct histories *h); /* NULL is fine */

struct history_key {
    struct who who;
    struct str session;
    unsigned form; /* as=, fields=, versions= and encoding, as bits */
    struct versions versions;
};
/* A reference that is yours to drop, or NULL; `tag` is its ETag. */
struct shared_body *histories_get(struct histories *h,
                                  const struct history_key *k,
                                  char tag[ETAG_BYTES]);
/* Whether a body is kept, true or not: if none is, versions need not be asked
 * for. */
bool histories_has(struct histories *h, const struct history_key *k);
/* Keeps the body too, if it fits; when it is full, one that was put shortly
 * before as well. */
void histories_put(struct histories *h, const struct history_key *k,
                   struct shared_body *body, const char tag[ETAG_BYTES]);

#endif
