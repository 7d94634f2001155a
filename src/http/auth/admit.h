/* admit.h - whether a request reaches its handler: hooks of the server. */
#ifndef HTTP_AUTH_ADMIT_H
#define HTTP_AUTH_ADMIT_H
#include "http/auth/auth.h"

/* The head is in: guard.c and CORS.  False: the request is answered. */
bool admit_head(struct request *r, unsigned allowed);
/* Who asks, by the row's access, and how often; then body and handler. */
void admit_run(struct request *r);

/* Before a key or token is looked up: 429 and false for an address that was
 * wrong too often. */
bool admit_may_sign_in(struct request *r);
/* auth_refuse(), and the address is counted. */
void admit_refuse(struct request *r);

#endif
