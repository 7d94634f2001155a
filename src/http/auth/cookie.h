/* cookie.h - what a signed-in browser carries instead of a key.  Any thread.
 *
 * Nothing is kept on the server, so any node takes it, and a revoked key or an
 * expired token stops working with the next request:
 *
 *     k1.PREFIX.EXPIRES.PROOF.MAC   signed in with a key
 *     t1.TOKEN                      with a JWT, verified again each time
 *
 * PROOF (access_proof()) is made from the key alone, and does not reveal it.
 * The database has the digest of PROOF only: reading the database is not enough
 * to make a cookie.  MAC is keyed by the digest of the key, which only the
 * database has: a stolen cookie cannot be made to last longer. */
#ifndef HTTP_AUTH_COOKIE_H
#define HTTP_AUTH_COOKIE_H
#include "http/core/http.h"
#include "store/session/access.h"

struct access_key;

enum {
    COOKIE_KEY_S = 30 * 24 * 3600, /* a login with a key lasts so long */
    COOKIE_BYTES_MAX = 3800        /* browsers take 4096 with all around it */
};

struct cookie {
    struct str prefix; /* of a key; absent: it is a token */
    int64_t expires_ms;
    struct sha256 proof, mac;
    struct str signed_text;
    struct str token;
};

/* The login cookie of a request; absent when it has none, or several. */
struct str cookie_find(const struct request *r, bool secure);
/* False when the text is not a cookie of ours, or has expired. */
bool cookie_read(struct arena *a, struct str text, struct cookie *out);
/* Whether it was made from this key, revoked or not. */
bool cookie_holds(const struct cookie *c, const struct access_key *key);

/* The cookie's text, in `a`; absent when out of memory, or for a token that is
 * too large. */
struct str cookie_of_key(struct arena *a, struct str key, int64_t expires_ms);
struct str cookie_of_token(struct arena *a, struct str token);
/* Sends it; "" and 0 seconds take it away.  False when out of memory. */
bool cookie_send(struct request *r, struct str text, int64_t seconds,
                 bool secure);
/* Does the browser reach us by TLS? */
bool cookie_is_secure(struct str public_url);

#endif
