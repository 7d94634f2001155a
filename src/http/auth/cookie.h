/* cookie.h - what a signed-in browser carries instead of a key.  Any thread.
 *
 * It names a login, which is a row of the store (store/session/login.h). */
#ifndef HTTP_AUTH_COOKIE_H
#define HTTP_AUTH_COOKIE_H
#include "http/core/http.h"

/* The login cookie of a request; absent when it has none, or several. */
struct str cookie_find(const struct request *r, bool secure);
/* Sends it; "" and 0 seconds take it away.  False when out of memory. */
bool cookie_send(struct request *r, struct str text, int64_t seconds,
                 bool secure);
/* The same of a browser that is on its way to a provider and back: oidc.c. */
struct str cookie_find_trip(const struct request *r, bool secure);
bool cookie_send_trip(struct request *r, struct str text, int64_t seconds,
                      bool secure);
/* Does the browser reach us by TLS? */
bool cookie_is_secure(struct str public_url);

#endif
