/* auth.h - who is asking.  Any thread.
 *
 * `--auth` is a list; every request is tried against each.  A request without
 * a valid credential gets a 401 with the same small body, whatever was wrong.
 */
#ifndef HTTP_AUTH_AUTH_H
#define HTTP_AUTH_AUTH_H
#include "config/config.h"
#include "http/core/http.h"

struct auth;
struct store;

enum footnote_rc auth_open(const struct config *c, struct store *st,
                           struct auth **out, struct footnote_err *err);
void auth_close(struct auth *a); /* NULL is fine */

/* The address that the request came from, behind proxies that are believed. */
void auth_client(const struct auth *a, const struct request *r, char out[46]);

enum auth_verdict {
    AUTH_OK,      /* who, admin and auth of caller(r) are set */
    AUTH_REFUSED, /* 401 */
    AUTH_ASK      /* needs the database or the network: call auth_ask() in a
                     worker's thread, where it may wait */
};
/* The modes are tried in this order; the first that lets in decides.
 *
 *     Authorization: Bearer   key, jwt; an invalid one is refused, even if
 *                             another mode would let the request in
 *     the login cookie        key, jwt, oidc; one that is over counts as none
 *     --auth-header           proxy, from a trusted address, once
 *     the peer is loopback    none, as an admin
 *
 * auth_check() never waits. */
enum auth_verdict auth_check(struct auth *a, struct request *r);
enum auth_verdict auth_ask(struct auth *a, struct request *r);
/* What the request is tried by: those of one user have the same, before it is
 * known who that is.  Absent: nothing of ours. */
struct str auth_credential(const struct auth *a, const struct request *r);
/* A key or token that did not come in a header (login).  May wait. */
enum auth_verdict auth_try(struct auth *a, struct request *r,
                           struct str credential);
/* The login that the request's cookie names, over or not.  May wait. */
struct login;
bool auth_login_of(struct auth *a, struct request *r, struct login *out);
/* Answers a request that was refused: 401, always the same, or 5xx when
 * the store could not be asked (r->rc says so). */
void auth_refuse(struct request *r);

/* Before anything else: Host must be the listen address, a loopback name or
 * that of --public-url (421 wrong_host); an unsafe method that a browser sent
 * needs Sec-Fetch-Site same-origin or none, or an allowed Origin (403
 * bad_origin).  True when it may go on, else the request is answered. */
/* Links of an answer begin with it: the public URL that was asked for, else the
 * first; absent without one. */
struct str guard_public_url(const struct config *c, const struct request *r);
bool guard_check(const struct config *c, struct request *r);
/* CORS headers for an allowed Origin; true when this was a preflight and is
 * answered.  `allowed` is a bit per method of the path. */
bool guard_cors(const struct config *c, struct request *r, unsigned allowed);

#endif
