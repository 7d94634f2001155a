/* auth.c - the modes of --auth, one after the other.
 *
 * A key is looked up for every request, by one point read in a worker's thread:
 * a cached one could be revoked meanwhile. */
#include "http/auth/auth.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "http/auth/admins.h"
#include "http/auth/cookie.h"
#include "http/auth/forwarded.h"
#include "http/call/aside.h"
#include "http/call/caller.h"
#include "http/core/net.h"
#include "http/token/jwks.h"
#include "store/session/login.h"

enum {
    ARENA_BYTES = 1024 * 1024,
    TRIED_MS = 60 * 1000 /* that a key is used is not said more often */
};

struct auth {
    const struct config *config;
    struct store *store;
    struct arena arena;
    struct jwks *jwks; /* NULL: mode jwt is off */
    struct jwt_rules rules;
    struct str proxy_header;   /* in lower case */
    struct proxies proxies;    /* that may name the user */
    struct proxies forwarders; /* that may name the client */
    bool secure;               /* cookies */
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

/* Somebody that another names to us. */
static enum auth_verdict admit_named(const struct auth *a, struct request *r,
                                     struct who who, struct str mode)
{
    bool admin = caller(r)->claims_admin || admins_have(a->config, who);

    return admit(r, who, admin, mode);
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

static bool found(struct request *r, enum footnote_rc rc,
                  const struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_NOTFOUND)
        lookup_failed(r, rc, err);
    return rc == FOOTNOTE_OK;
}

/* Some minutes coarse, and never waited for. */
static void note_use(struct auth *a, struct request *r,
                     const struct access_key *k)
{
    struct access_key_used op = {.first = false};

    if (clock_wall_ms() - k->last_used_ms < ACCESS_USED_MS ||
        !aside_is_due(k->prefix, TRIED_MS))
        return;
    audit_note_make(&op.note, AUDIT_KEY_USE, k->prefix, k->prefix,
                    str_c(caller(r)->client));
    aside_write(a->store, (struct who){k->tenant, k->user}, OP(access_key_used),
                &op, sizeof(op));
}

static enum auth_verdict admit_key(struct auth *a, struct request *r,
                                   const struct access_key *k)
{
    note_use(a, r, k);
    caller(r)->key_prefix = k->prefix;
    caller(r)->expires_ms = k->expires_ms;
    return admit(r, (struct who){k->tenant, k->user, k->scope}, k->admin,
                 STR("key"));
}

static enum auth_verdict try_key(struct auth *a, struct request *r,
                                 struct str key, bool may_wait)
{
    struct access_key_find op = {.prefix = access_prefix(key)};
    struct footnote_err err;
    struct sha256 digest;

    if (!op.prefix.p)
        return AUTH_REFUSED;
    if (!may_wait)
        return AUTH_ASK;
    if (!found(
            r,
            store_own_read(a->store, &r->arena, OP(access_key_find), &op, &err),
            &err) ||
        sha256(key, &digest, NULL) != FOOTNOTE_OK ||
        CRYPTO_memcmp(digest.b, op.key.digest.b, SHA256_BYTES) != 0 ||
        !access_holds(&op.key, clock_wall_ms()))
        return AUTH_REFUSED;
    return admit_key(a, r, &op.key);
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
    caller(r)->expires_ms = claims.expires_ms;
    caller(r)->claims_admin = admins_claim(a->config, claims.all);
    return admit_named(a, r, (struct who){claims.tenant, claims.user},
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

/* Whether the login has not ended, nor what it was made with. */
static bool is_signed_in(const struct auth *a, const struct login_find *f,
                         int64_t now_ms)
{
    const struct login *l = &f->login;
    int64_t idle_ms = a->config->login_idle_ms;

    if (l->revoked_ms || l->expires_ms <= now_ms ||
        (idle_ms > 0 && l->seen_ms + idle_ms <= now_ms))
        return false;
    if (str_eq(l->method, STR("jwt")))
        return a->jwks != NULL;
    if (str_eq(l->method, STR("oidc")))
        return (a->config->auth & CONFIG_AUTH_OIDC) != 0;
    return a->config->auth & CONFIG_AUTH_KEY && f->has_key &&
           access_holds(&f->key, now_ms);
}

/* Coarse, but much finer than the time after which it would be over. */
static void note_seen(struct auth *a, const struct login *l, int64_t now_ms)
{
    struct login_seen op = {.at_ms = now_ms};
    int64_t idle_ms = a->config->login_idle_ms, every = LOGIN_SEEN_MS;

    if (idle_ms > 0 && idle_ms / 8 < every)
        every = idle_ms / 8;
    if (now_ms - l->seen_ms < every || !aside_is_due(l->id, every))
        return;
    memcpy(op.id, l->id.p, l->id.n < UUID_BYTES ? l->id.n : UUID_BYTES);
    aside_write(a->store, (struct who){l->tenant, l->user}, OP(login_seen), &op,
                sizeof(op));
}

static bool find_login(struct auth *a, struct request *r, struct str cookie,
                       struct login_find *out)
{
    struct footnote_err err;
    struct sha256 digest;

    return login_cookie_read(cookie, &out->id, &digest) &&
           found(r,
                 store_own_read(a->store, &r->arena, OP(login_find), out, &err),
                 &err) &&
           CRYPTO_memcmp(digest.b, out->login.digest.b, SHA256_BYTES) == 0;
}

static enum auth_verdict try_cookie(struct auth *a, struct request *r,
                                    bool may_wait)
{
    struct str text = cookie_find(r, a->secure), id;
    struct login_find f = {.id = STR_NONE};
    int64_t now_ms = clock_wall_ms();
    struct sha256 digest;

    if (!text.p || !login_cookie_read(text, &id, &digest))
        return AUTH_REFUSED;
    if (!may_wait)
        return AUTH_ASK;
    if (!find_login(a, r, text, &f) || !is_signed_in(a, &f, now_ms))
        return AUTH_REFUSED;
    note_seen(a, &f.login, now_ms);
    caller(r)->login = f.login.id;
    if (f.has_key)
        return admit_key(a, r, &f.key);
    caller(r)->claims_admin = f.login.admin;
    return admit_named(a, r, (struct who){f.login.tenant, f.login.user},
                       f.login.method);
}

bool auth_login_of(struct auth *a, struct request *r, struct login *out)
{
    struct str text = cookie_find(r, a->secure);
    struct login_find f = {.id = STR_NONE};

    if (!text.p || !find_login(a, r, text, &f))
        return false;
    *out = f.login;
    return true;
}

void auth_client(const struct auth *a, const struct request *r, char out[46])
{
    forwarded_client(&a->forwarders, r, out);
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

    if (!(a->config->auth & CONFIG_AUTH_PROXY) ||
        !proxies_have(&a->proxies, str_c(r->address)))
        return AUTH_REFUSED;
    for (size_t i = 0; i < r->headers_n; i++)
        if (str_eq(r->headers[i].name, a->proxy_header)) {
            user = r->headers[i].value;
            found++;
        }
    if (found != 1 || !is_user_name(user))
        return AUTH_REFUSED;
    return admit_named(a, r, (struct who){STR("default"), user}, STR("proxy"));
}

static enum auth_verdict try_all(struct auth *a, struct request *r,
                                 bool may_wait)
{
    if (a->config->auth &
        (CONFIG_AUTH_KEY | CONFIG_AUTH_JWT | CONFIG_AUTH_OIDC)) {
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

    if (!name)
        return arena_rc(&a->arena, err);
    if (!a->proxies.n || !c->auth_header.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: proxy needs --trusted-proxies and --auth-header");
    for (size_t i = 0; i < c->auth_header.n; i++)
        name[i] = net_lower(c->auth_header.p[i]);
    a->proxy_header = (struct str){name, c->auth_header.n};
    return FOOTNOTE_OK;
}

/* Behind a public address a program on this machine is the proxy, whether it
 * may name users or not. */
static enum footnote_rc read_proxies(struct auth *a, struct footnote_err *err)
{
    struct net *nets;

    TRY(net_list(&a->arena, a->config->trusted_proxies, &nets, &a->proxies.n,
                 err));
    a->proxies.nets = nets;
    a->forwarders = a->proxies;
    a->forwarders.loopback = a->config->public_url.n > 0;
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
    rc = read_proxies(a, err);
    if (rc == FOOTNOTE_OK && c->auth & CONFIG_AUTH_JWT)
        rc = open_jwt(a, err);
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
