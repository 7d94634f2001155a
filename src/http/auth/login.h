/* login.h - signing in and out with a browser: handlers of api.c. */
#ifndef HTTP_AUTH_LOGIN_H
#define HTTP_AUTH_LOGIN_H
#include "http/core/http.h"

/* POST /api/login {key} or {token}, public: the login cookie and who it is;
 * 401 when it does not hold. */
request_fn api_login;
/* POST /api/logout, public: 204, and the cookie goes. */
request_fn api_logout;
/* GET /api/me: {userId, tenant, admin, auth}. */
request_fn api_me;

/* A new login of caller(r), which somebody has found out: the row, with its
 * sign-in in the audit, and the cookie.  It ends with the key or token, however
 * long a browser keeps the cookie.  `groups` may be NULL.  False: r->rc says
 * why; OK is that the key or token is over.  Waits. */
struct group_courses;
bool login_make(struct request *r, const struct group_courses *groups);

#endif
