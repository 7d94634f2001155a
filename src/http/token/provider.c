/* provider.c - what an OpenID provider says of itself, and its keys.
 *
 * One lock is held while it is asked: whoever signs in meanwhile waits for the
 * same answer. */
#include "http/token/provider.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "http/token/fetch.h"
#include "http/token/jwks.h"

enum { ARENA_BYTES = 1024 * 1024, GAP_MS = 10 * 1000 };

struct provider {
    const struct config *config;
    pthread_mutex_t lock; /* of all that follows */
    struct arena arena;   /* of `urls` */
    struct provider_urls urls;
    struct jwks *jwks;
    int64_t read_ms; /* when it was last read; 0: never */
    int64_t tried_ms;
};

/* ---- Reading ------------------------------------------------------------ */

/* Absent when it is not there, or nothing that a browser may be sent to. */
static struct str url_of(struct arena *a, const struct json *j,
                         const char *name)
{
    struct str url = json_text(j, str_c(name));

    if (!jwks_is_url(url) || url.n > PROVIDER_URL_BYTES_MAX)
        return STR_NONE;
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] <= ' ' || url.p[i] > '~' || url.p[i] == '#')
            return STR_NONE;
    return arena_str(a, url);
}

static bool has_word(const struct json *j, const char *name, const char *word)
{
    return claim_has(json_get(j, str_c(name)), str_c(word));
}

/* What it calls itself must be what the operator wrote: else a page of the
 * same host could be another provider. */
static enum footnote_rc take(struct provider *p, const struct json *j,
                             struct arena *a, struct provider_urls *out,
                             struct str *jwks, struct footnote_err *err)
{
    static const char methods[] = "token_endpoint_auth_methods_supported";

    if (!str_eq(json_text(j, STR("issuer")), p->config->oidc_issuer))
        return err_set(err, FOOTNOTE_INVALID,
                       "the provider calls itself otherwise than oidc-issuer");
    *out = (struct provider_urls){
        .authorization = url_of(a, j, "authorization_endpoint"),
        .token = url_of(a, j, "token_endpoint"),
        .userinfo = url_of(a, j, "userinfo_endpoint"),
        .end_session = url_of(a, j, "end_session_endpoint"),
        .secret_in_form = has_word(j, methods, "client_secret_post") &&
                          !has_word(j, methods, "client_secret_basic"),
    };
    out->names_itself =
        json_get(j, STR("authorization_response_iss_parameter_supported")) &&
        json_get(j, STR("authorization_response_iss_parameter_supported"))
                ->type == JSON_TRUE;
    *jwks = url_of(a, j, "jwks_uri");
    TRY(arena_rc(a, err));
    if (!out->authorization.p || !out->token.p || !jwks->p)
        return err_set(err, FOOTNOTE_INVALID,
                       "the provider does not say where it is asked");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_discovery(struct provider *p, struct arena *a,
                                       struct json **out,
                                       struct footnote_err *err)
{
    struct str issuer = p->config->oidc_issuer, text, kept;
    struct fetch f;
    enum footnote_rc rc;

    if (issuer.p[issuer.n - 1] == '/')
        issuer.n--;
    f = (struct fetch){
        .url = arena_printf(a, "%.*s/.well-known/openid-configuration",
                            STR_ARG(issuer))};
    TRY(arena_rc(a, err));
    TRY(fetch_text(&f, &text, err));
    kept = arena_str(a, text);
    free((void *)(uintptr_t)text.p);
    TRY(arena_rc(a, err));
    rc = json_read(a, kept, out, err);
    return rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG
               ? err_set(err, FOOTNOTE_BUSY, "the provider's answer is no JSON")
               : rc;
}

static enum footnote_rc discover(struct provider *p, struct footnote_err *err)
{
    struct arena a = ARENA(ARENA_BYTES);
    struct provider_urls urls;
    struct jwks *jwks = NULL;
    struct json *j = NULL;
    struct str where;
    enum footnote_rc rc = read_discovery(p, &a, &j, err);

    if (rc == FOOTNOTE_OK)
        rc = take(p, j, &a, &urls, &where, err);
    if (rc == FOOTNOTE_OK)
        rc = jwks_open(STR_NONE, where, &jwks, err);
    if (rc != FOOTNOTE_OK) {
        arena_free(&a);
        return rc;
    }
    jwks_close(p->jwks);
    arena_free(&p->arena);
    p->arena = a;
    p->urls = urls;
    p->jwks = jwks;
    p->read_ms = clock_mono_ms();
    return FOOTNOTE_OK;
}

/* With the lock.  Who is down is not asked by every sign-in. */
static enum footnote_rc ready(struct provider *p, struct footnote_err *err)
{
    int64_t now = clock_mono_ms();
    struct footnote_err why;
    enum footnote_rc rc;

    if (p->read_ms && now - p->read_ms < PROVIDER_FRESH_MS)
        return FOOTNOTE_OK;
    if (p->tried_ms && now - p->tried_ms < GAP_MS)
        return p->read_ms ? FOOTNOTE_OK
                          : err_set(err, FOOTNOTE_BUSY,
                                    "the provider did not answer just now");
    p->tried_ms = now;
    rc = discover(p, &why);
    if (rc == FOOTNOTE_OK)
        return rc;
    log_write(LOG_WARN, "the provider of sign-ins was not read",
              LOG_TEXT("why", str_c(why.text)));
    return p->read_ms ? FOOTNOTE_OK : err_set(err, rc, "%s", why.text);
}

static struct str copy(struct arena *a, struct str s)
{
    return s.p ? arena_str(a, s) : STR_NONE;
}

enum footnote_rc provider_urls(struct provider *p, struct arena *a,
                               struct provider_urls *out,
                               struct footnote_err *err)
{
    enum footnote_rc rc;

    pthread_mutex_lock(&p->lock);
    rc = ready(p, err);
    if (rc == FOOTNOTE_OK) {
        *out = p->urls;
        out->authorization = copy(a, out->authorization);
        out->token = copy(a, out->token);
        out->userinfo = copy(a, out->userinfo);
        out->end_session = copy(a, out->end_session);
        rc = arena_rc(a, err);
    }
    pthread_mutex_unlock(&p->lock);
    return rc;
}

/* ---- Its tokens --------------------------------------------------------- */

enum footnote_rc provider_verify(struct provider *p, struct arena *a,
                                 struct str token, struct jwt_claims *out,
                                 struct footnote_err *err)
{
    const struct config *c = p->config;
    const struct jwt_rules rules = {.audience = c->oidc_client_id,
                                    .issuer = c->oidc_issuer};
    enum footnote_rc rc;

    pthread_mutex_lock(&p->lock);
    rc = ready(p, err);
    if (rc == FOOTNOTE_OK) {
        if (jwks_is_due(p->jwks, false))
            (void)jwks_refresh(p->jwks, false);
        rc = jwks_verify(p->jwks, &rules, a, token, out, err);
        /* The provider gave it a moment ago, so its keys are new. */
        if (rc == FOOTNOTE_NOTFOUND && discover(p, err) == FOOTNOTE_OK)
            rc = jwks_verify(p->jwks, &rules, a, token, out, err);
    }
    pthread_mutex_unlock(&p->lock);
    return rc;
}

const struct config *provider_config(const struct provider *p)
{
    return p->config;
}

/* ---- Opening ------------------------------------------------------------ */

enum footnote_rc provider_open(const struct config *c, struct provider **out,
                               struct footnote_err *err)
{
    struct provider *p = calloc(1, sizeof(*p));

    *out = p;
    if (!p)
        return err_set(err, FOOTNOTE_NOMEM, "opening the provider");
    p->config = c;
    p->arena = ARENA(ARENA_BYTES);
    pthread_mutex_init(&p->lock, NULL);
    return FOOTNOTE_OK;
}

void provider_close(struct provider *p)
{
    if (!p)
        return;
    jwks_close(p->jwks);
    arena_free(&p->arena);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
