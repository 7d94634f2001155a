/* provider.h - an OpenID provider: where it is asked, and what it says of
 * somebody.  Any thread; these wait for the network.
 *
 * The authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636,
 * RFC 9207).  What the provider says of itself is read when it is first needed,
 * and again after an hour; one that does not answer then stays as it was. */
#ifndef HTTP_TOKEN_PROVIDER_H
#define HTTP_TOKEN_PROVIDER_H
#include "base/buf.h"
#include "config/config.h"
#include "http/token/jwt.h"

enum { PROVIDER_FRESH_MS = 60 * 60 * 1000, PROVIDER_URL_BYTES_MAX = 2048 };

struct provider;
enum footnote_rc provider_open(const struct config *c, struct provider **out,
                               struct footnote_err *err);
void provider_close(struct provider *p); /* NULL is fine */

/* What its discovery says; texts are the caller's, and end in NUL. */
struct provider_urls {
    struct str authorization, token;
    struct str userinfo, end_session; /* may be absent */
    bool secret_in_form;              /* it takes the secret no other way */
    bool names_itself;                /* its answers have `iss` */
};
/* BUSY: it does not answer. */
enum footnote_rc provider_urls(struct provider *p, struct arena *a,
                               struct provider_urls *out,
                               struct footnote_err *err);

/* Who came back with this code.  `nonce` and `verifier` are those that the
 * browser left with.  INVALID: it is nobody. */
struct provider_code {
    struct str code, redirect, nonce, verifier;
};
enum footnote_rc provider_exchange(struct provider *p, struct arena *a,
                                   const struct provider_code *code,
                                   struct jwt_claims *out,
                                   struct footnote_err *err);

/* "NAME=VALUE", encoded as a form is, after a & when there is something. */
void provider_add(struct buf *b, const char *name, struct str value);

/* exchange.c's: the ID token is of this provider, for us, and holds now. */
enum footnote_rc provider_verify(struct provider *p, struct arena *a,
                                 struct str token, struct jwt_claims *out,
                                 struct footnote_err *err);
const struct config *provider_config(const struct provider *p);

#endif
