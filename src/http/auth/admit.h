/* admit.h - whether a request reaches its handler: hooks of the server. */
#ifndef HTTP_AUTH_ADMIT_H
#define HTTP_AUTH_ADMIT_H
#include "http/auth/auth.h"

/* The head is in: guard.c and CORS.  False: the request is answered. */
bool admit_head(struct request *r, unsigned allowed);
/* Who asks, by the row's access, and how often; then body and handler. */
void admit_run(struct request *r);

/* auth_refuse(), and the client is counted; 429 when that was too often. */
void admit_refuse(struct request *r);

#endif
