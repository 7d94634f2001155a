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

#endif
