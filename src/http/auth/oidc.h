/* oidc.h - signing in at an OpenID provider: handlers of api.c. */
#ifndef HTTP_AUTH_OIDC_H
#define HTTP_AUTH_OIDC_H
#include "http/core/http.h"

/* GET /api/login, public: the ways in that there are. */
request_fn api_login_ways;
/* GET /api/oidc/start?to=PATH, public: sends the browser to the provider. */
request_fn api_oidc_start;
/* GET /api/oidc/callback, public: it comes back here; the login, or the page
 * that says that it was not completed. */
request_fn api_oidc_callback;

/* Where a browser ends its login at the provider, too; absent: there is no such
 * place.  In the request's arena.  Waits. */
struct str oidc_logout_url(struct request *r);

#endif
