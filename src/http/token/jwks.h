/* jwks.h - the keys that tokens are verified by, kept fresh.  Any thread.
 *
 * The secret of HS256, and a JWK set from a file or a URL that the operator
 * named; never from anything a token says.  A set is read again after ten
 * minutes, and when a token names a key that is not in it, but not twice in a
 * minute.  One that cannot be read leaves the keys as they are. */
#ifndef HTTP_TOKEN_JWKS_H
#define HTTP_TOKEN_JWKS_H
#include "http/token/jwt.h"

enum {
    JWKS_BYTES_MAX = 256 * 1024,
    JWKS_FRESH_MS = 10 * 60 * 1000,
    JWKS_GAP_MS = 60 * 1000,
    JWKS_WAITERS_MAX = 2 /* threads that wait for another's reading */
};

struct jwks;

/* `secret` and `set` (https://…, http:// on loopback only, or a path) may each
 * be absent.  Reads the set: a file that is missing or bad is INVALID, a URL
 * that does not answer is asked again later.  *out is yours: jwks_close(). */
enum footnote_rc jwks_open(struct str secret, struct str set, struct jwks **out,
                           struct footnote_err *err);
void jwks_close(struct jwks *j); /* NULL is fine */

/* As jwt_verify.  Never waits for a file or the network. */
enum footnote_rc jwks_verify(struct jwks *j, const struct jwt_rules *rules,
                             struct arena *a, struct str token,
                             struct jwt_claims *out, struct footnote_err *err);
/* Whether the set may be read again: it is old or, if `unknown`, a token named
 * a key that is not there. */
bool jwks_is_due(struct jwks *j, bool unknown);
/* Reads it, when that is still due; may wait.  True when there are new keys.
 */
bool jwks_refresh(struct jwks *j, bool unknown);

/* Adds the keys of a set, in a file or at a URL, to `keys`. */
enum footnote_rc jwks_read(const char *where, struct jwt_keys *keys,
                           struct footnote_err *err);

bool jwks_is_url(struct str set);

#endif
