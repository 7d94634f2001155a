/* auth.c - the modes of --auth, one after the other.
 *
 * A key is looked up for every request, by one point read in a worker's thread:
 * a cached one could be revoked meanwhile. */
#include "http/auth/auth.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/utf8.h"
#include "http/auth/cookie.h"
#include "http/auth/jwks.h"
#include "http/call/caller.h"
#include "http/core/net.h"
#include "store/session/access.h"

enum { ARENA_BYTES = 1024 * 1024 };

struct auth {
    const struct config *config;
    struct store *store;
    struct arena arena;
    struct jwks *jwks; /* NULL: mode jwt is off */
    struct jwt_rules rules;
    struct str proxy_header; /* in lower case */
    struct net *proxies;
    size_t proxies_n;
    bool secure; /* cookies */
};

static enum auth_verdict admit(struct request *r, struct who who, bool admin,
                               struct str mode)
{
    assert(who.tenant.n && who.user.n && mode.n);
    caller(r)->who = who;
    caller(r)->admin = admin;
    caller(r)->auth = mode;
    return AUTH_OK;
}

/* ---- Keys --------------------------------------------------------------- */

/* A failed look-up is not a refusal: auth_refuse() tells them apart by r->rc.
 */
static enum auth_verdict lookup_failed(struct request *r, enum footnote_rc rc,
                                       const struct footnote_err *err)
{
    r->rc = rc;
    r->err = *err;
    return AUTH_REFUSED;
}

/* The key of that prefix, unless it is revoked. */
static bool find_key(struct auth *a, struct request *r, struct str prefix,
                     struct access_key *out)
{
    /* The look-up is on behalf of no account: any will do. */
    struct who who = {STR("default"), STR("local")};
    struct access_key_find op = {.prefix = prefix};
    struct footnote_err err;
    enum footnote_rc rc =
        store_read(a->store, who, &r->arena, OP(access_key_find), &op, &err);

    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_NOTFOUND)
        lookup_failed(r, rc, &err);
    *out = op.key;
    return rc == FOOTNOTE_OK && op.key.revoked_ms == 0;
}

static enum auth_verdict admit_key(struct request *r,
                                   const struct access_key *k)
{
    return admit(r, (struct who){k->tenant, k->user}, k->admin, STR("key"));
}

static enum auth_verdict try_key(struct auth *a, struct request *r,
                                 struct str key, bool may_wait)
{
    struct str prefix = access_prefix(key);
    struct access_key k;
    struct sha256 digest;

    if (!prefix.p)
        return AUTH_REFUSED;
    if (!may_wait)
        return AUTH_ASK;
    if (!find_key(a, r, prefix, &k) ||
        sha256(key, &digest, NULL) != FOOTNOTE_OK ||
        CRYPTO_memcmp(digest.b, k.digest.b, SHA256_BYTES) != 0)
        return AUTH_REFUSED;
    return admit_key(r, &k);
}

/* ---- Tokens ------------------------------------------------------------- */

static enum auth_verdict try_token(struct auth *a, struct request *r,
                                   struct str token, bool may_wait)
{
    struct jwt_claims claims;
    struct footnote_err err;
    enum footnote_rc rc =
        jwks_verify(a->jwks, &a->rules, &r->arena, token, &claims, &err);
    bool unknown = rc == FOOTNOTE_NOTFOUND;

    if ((rc == FOOTNOTE_OK || unknown) && jwks_is_due(a->jwks, unknown)) {
        if (!may_wait)
            return AUTH_ASK;
        if (jwks_refresh(a->jwks, unknown))
            rc = jwks_verify(a->jwks, &a->rules, &r->arena, token, &claims,
                             &err);
    }
    if (rc == FOOTNOTE_NOMEM)
        return lookup_failed(r, rc, &err);
    if (rc != FOOTNOTE_OK) {
        log_write(LOG_DEBUG, "a token is refused",
                  LOG_TEXT("why", str_c(err.text)), LOG_TEXT("req_id", r->id));
        return AUTH_REFUSED;
    }
    if (!claims.tenant.p)
        claims.tenant = STR("default");
    return admit(r, (struct who){claims.tenant, claims.user}, false,
                 STR("jwt"));
}

static enum auth_verdict try_credential(struct auth *a, struct request *r,
                                        struct str credential, bool may_wait)
{
    if (str_starts(credential, STR("fn_")))
        return a->config->auth & CONFIG_AUTH_KEY
                   ? try_key(a, r, credential, may_wait)
                   : AUTH_REFUSED;
    return a->jwks ? try_token(a, r, credential, may_wait) : AUTH_REFUSED;
}

enum auth_verdict auth_try(struct auth *a, struct request *r,
                           struct str credential)
{
    return try_credential(a, r, credential, true);
}

/* ---- Where they come from ----------------------------------------------- */

/* The text after "Bearer "; absent for other schemes, which a proxy in front of
 * us may use. */
static struct str bearer_of(const struct request *r)
{
    struct str v = request_header(r, STR("authorization"));
    struct str word = {v.p, str_find(v, ' ')};

    if (word.n == v.n || !net_same_name(word, STR("Bearer")))
        return STR_NONE;
    while (word.n < v.n && v.p[word.n] == ' ')
        word.n++;
    return str_skip(v, word.n);
}

struct str auth_credential(const struct auth *a, const struct request *r)
{
    struct str bearer = bearer_of(r);

    return bearer.p ? bearer : cookie_find(r, a->secure);
}

static enum auth_verdict try_cookie(struct auth *a, struct request *r,
                                    bool may_wait)
{
    struct cookie c;
    struct access_key k;
    struct str text = cookie_find(r, a->secure);

    if (!text.p || !cookie_read(&r->arena, text, &c))
        return AUTH_REFUSED;
    if (c.token.p)
        return a->jwks ? try_token(a, r, c.token, may_wait) : AUTH_REFUSED;
    if (!(a->config->auth & CONFIG_AUTH_KEY))
        return AUTH_REFUSED;
    if (!may_wait)
        return AUTH_ASK;
    if (!find_key(a, r, c.prefix, &k) || !cookie_holds(&c, &k))
        return AUTH_REFUSED;
    return admit_key(r, &k);
}

static bool is_trusted(const struct auth *a, const struct request *r)
{
    for (size_t i = 0; i < a->proxies_n; i++)
        if (net_has(&a->proxies[i], str_c(r->address)))
            return true;
    return false;
}

/* A name that the store takes, without characters that hide in a log. */
static bool is_user_name(struct str s)
{
    if (s.n == 0 || s.n > STORE_ID_BYTES_MAX || str_eq(s, STR("*")))
        return false;
    return utf8_is_name(s);
}

/* Of two such headers one is the client's own, and it is unknown which. */
static enum auth_verdict try_proxy(const struct auth *a, struct request *r)
{
    struct str user = STR_NONE;
    size_t found = 0;

    if (!(a->config->auth & CONFIG_AUTH_PROXY) || !is_trusted(a, r))
        return AUTH_REFUSED;
    for (size_t i = 0; i < r->headers_n; i++)
        if (str_eq(r->headers[i].name, a->proxy_header)) {
            user = r->headers[i].value;
            found++;
        }
    if (found != 1 || !is_user_name(user))
        return AUTH_REFUSED;
    return admit(r, (struct who){STR("default"), user}, false, STR("proxy"));
}

static enum auth_verdict try_all(struct auth *a, struct request *r,
                                 bool may_wait)
{
    if (a->config->auth & (CONFIG_AUTH_KEY | CONFIG_AUTH_JWT)) {
        struct str bearer = bearer_of(r);
        enum auth_verdict v;

        if (bearer.p)
            return try_credential(a, r, bearer, may_wait);
        v = try_cookie(a, r, may_wait);
        if (v != AUTH_REFUSED || r->rc != FOOTNOTE_OK)
            return v;
    }
    if (try_proxy(a, r) == AUTH_OK)
        return AUTH_OK;
    if (!(a->config->auth & CONFIG_AUTH_NONE) ||
        !net_is_loopback(str_c(r->address)))
        return AUTH_REFUSED;
    return admit(r, (struct who){STR("default"), STR("local")}, true,
                 STR("none"));
}

enum auth_verdict auth_check(struct auth *a, struct request *r)
{
    return try_all(a, r, false);
}

enum auth_verdict auth_ask(struct auth *a, struct request *r)
{
    return try_all(a, r, true);
}

void auth_refuse(struct request *r)
{
    if (r->rc != FOOTNOTE_OK) {
        reply_rc(r, r->rc, &r->err, "key");
        return;
    }
    reply_header(r, STR("WWW-Authenticate"), STR("Bearer"));
    reply_problem(r, &(struct problem){.status = 401,
                                       .code = STR("unauthorized"),
                                       .text = STR("Sign in first")});
}

/* ---- Opening ------------------------------------------------------------ */

static enum footnote_rc open_jwt(struct auth *a, struct footnote_err *err)
{
    const struct config *c = a->config;

    if (!c->jwt_secret.p && !c->jwks.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: jwt needs --jwt-secret-file or --jwks");
    a->rules = (struct jwt_rules){.audience = c->jwt_audience,
                                  .issuer = c->jwt_issuer,
                                  .tenant_claim = c->tenant_claim};
    return jwks_open(c->jwt_secret, c->jwks, &a->jwks, err);
}

static enum footnote_rc open_proxy(struct auth *a, struct footnote_err *err)
{
    const struct config *c = a->config;
    char *name = arena_alloc(&a->arena, c->auth_header.n + 1);

    TRY(net_list(&a->arena, c->trusted_proxies, &a->proxies, &a->proxies_n,
                 err));
    if (!name)
        return arena_rc(&a->arena, err);
    if (!a->proxies_n || !c->auth_header.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: proxy needs --trusted-proxies and --auth-header");
    for (size_t i = 0; i < c->auth_header.n; i++)
        name[i] = net_lower(c->auth_header.p[i]);
    a->proxy_header = (struct str){name, c->auth_header.n};
    return FOOTNOTE_OK;
}

enum footnote_rc auth_open(const struct config *c, struct store *st,
                           struct auth **out, struct footnote_err *err)
{
    struct auth *a = calloc(1, sizeof(*a));
    enum footnote_rc rc;

    *out = NULL;
    if (!a)
        return err_set(err, FOOTNOTE_NOMEM, "opening auth");
    a->config = c;
    a->store = st;
    a->arena = ARENA(ARENA_BYTES);
    a->secure = cookie_is_secure(c->public_url);
    rc = c->auth & CONFIG_AUTH_JWT ? open_jwt(a, err) : FOOTNOTE_OK;
    if (rc == FOOTNOTE_OK && c->auth & CONFIG_AUTH_PROXY)
        rc = open_proxy(a, err);
    if (rc == FOOTNOTE_OK)
        *out = a;
    else
        auth_close(a);
    return rc;
}

void auth_close(struct auth *a)
{
    if (!a)
        return;
    jwks_close(a->jwks);
    arena_free(&a->arena);
    free(a);
}
