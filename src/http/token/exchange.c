/* exchange.c - a code becomes somebody: the ID token, and what else the
 * provider says of them. */
#include <stdlib.h>

#include "base/base64.h"
#include "base/json.h"
#include "http/token/fetch.h"
#include "http/token/provider.h"

enum { FORM_BYTES_MAX = 16 * 1024 };

#define REFUSE(err, why) err_set(err, FOOTNOTE_INVALID, why)

void provider_add(struct buf *b, const char *name, struct str value)
{
    static const char digits[] = "0123456789ABCDEF";

    if (b->n)
        buf_add_c(b, '&');
    buf_add(b, str_c(name));
    buf_add_c(b, '=');
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            (c >= '0' && c <= '9') || strchr("-._~", c)) {
            buf_add_c(b, (char)c);
            continue;
        }
        buf_add_c(b, '%');
        buf_add_c(b, digits[c >> 4]);
        buf_add_c(b, digits[c & 15]);
    }
}

/* ---- Asking ------------------------------------------------------------- */

/* RFC 6749, 2.3.1: both parts are encoded before they are joined. */
static void add_basic(struct arena *a, const struct config *c, struct buf *out)
{
    AUTO(buf_free) struct buf id = BUF(FORM_BYTES_MAX);
    AUTO(buf_free) struct buf secret = BUF(FORM_BYTES_MAX);
    struct str pair;

    provider_add(&id, "", c->oidc_client_id);
    provider_add(&secret, "", c->oidc_client_secret);
    pair = arena_printf(a, "%.*s:%.*s", STR_ARG(str_skip(buf_str(&id), 1)),
                        STR_ARG(str_skip(buf_str(&secret), 1)));
    buf_add(out, STR("Authorization: Basic "));
    buf_add_base64(out, pair);
}

static enum footnote_rc ask_json(const struct fetch *f, struct arena *a,
                                 struct json **out, struct footnote_err *err)
{
    struct str text, kept;
    enum footnote_rc rc;

    TRY(fetch_text(f, &text, err));
    kept = arena_str(a, text);
    explicit_bzero((void *)(uintptr_t)text.p, text.n);
    free((void *)(uintptr_t)text.p);
    TRY(arena_rc(a, err));
    rc = json_read(a, kept, out, err);
    return rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG
               ? REFUSE(err, "the provider's answer is no JSON")
               : rc;
}

static enum footnote_rc ask_tokens(const struct config *c,
                                   const struct provider_urls *at,
                                   const struct provider_code *code,
                                   struct arena *a, struct json **out,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf form = BUF(FORM_BYTES_MAX);
    AUTO(buf_free) struct buf line = BUF(FORM_BYTES_MAX);
    bool basic = c->oidc_client_secret.n && !at->secret_in_form;
    struct fetch f = {.url = at->token};

    provider_add(&form, "grant_type", STR("authorization_code"));
    provider_add(&form, "code", code->code);
    provider_add(&form, "redirect_uri", code->redirect);
    provider_add(&form, "code_verifier", code->verifier);
    if (basic)
        add_basic(a, c, &line);
    else
        provider_add(&form, "client_id", c->oidc_client_id);
    if (c->oidc_client_secret.n && !basic)
        provider_add(&form, "client_secret", c->oidc_client_secret);
    buf_add_c(&line, '\0');
    TRY(arena_rc(a, err));
    TRY(buf_rc(&form, err));
    TRY(buf_rc(&line, err));
    f.form = buf_str(&form);
    f.authorization = basic ? line.p : NULL;
    return ask_json(&f, a, out, err);
}

/* ---- Checking ----------------------------------------------------------- */

/* A token may be for several, one of whom it was made for. */
static enum footnote_rc check_id_token(const struct config *c,
                                       const struct provider_code *code,
                                       const struct json *claims,
                                       struct footnote_err *err)
{
    const struct json *aud = json_get(claims, STR("aud"));
    const struct json *azp = json_get(claims, STR("azp"));

    if (!str_eq(json_text(claims, STR("nonce")), code->nonce))
        return REFUSE(err, "the token is not of this sign-in");
    if (azp ? !claim_has(azp, c->oidc_client_id)
            : aud->type == JSON_ARRAY && aud->n > 1)
        return REFUSE(err, "the token was made for another client");
    return FOOTNOTE_OK;
}

static bool lacks(const struct json *claims, struct str name)
{
    return name.n && !json_get(claims, name);
}

static bool needs_more(const struct config *c, const struct json *claims)
{
    struct str name = STR_NONE, value;

    if (c->admin_claim.p)
        (void)config_claim_value(c->admin_claim, &name, &value);
    return lacks(claims, c->oidc_user_claim) || lacks(claims, name) ||
           (c->oidc_groups.n && lacks(claims, c->oidc_groups_claim)) ||
           lacks(claims, c->tenant_claim);
}

/* What is told there is of the same person, or it counts for nothing. */
static enum footnote_rc ask_userinfo(const struct provider_urls *at,
                                     const struct json *tokens, struct arena *a,
                                     const struct json *claims,
                                     struct json **out,
                                     struct footnote_err *err)
{
    struct str access = json_text(tokens, STR("access_token"));
    struct fetch f = {.url = at->userinfo};

    *out = NULL;
    if (!at->userinfo.p || !access.n)
        return FOOTNOTE_OK;
    for (size_t i = 0; i < access.n; i++)
        if (access.p[i] <= ' ' || access.p[i] > '~')
            return REFUSE(err, "the provider's access token is none");
    f.authorization =
        arena_printf(a, "Authorization: Bearer %.*s", STR_ARG(access)).p;
    TRY(arena_rc(a, err));
    TRY(ask_json(&f, a, out, err));
    if (!str_eq(json_text(*out, STR("sub")), json_text(claims, STR("sub"))))
        return REFUSE(err, "the provider tells of somebody else");
    return FOOTNOTE_OK;
}

/* The claims of both as one object; those of the token come first. */
static const struct json *join(struct arena *a, const struct json *claims,
                               const struct json *more)
{
    struct json *all = arena_new(a, struct json);
    struct json **end;

    if (!all || !more)
        return claims;
    *all = *claims;
    all->first = NULL;
    end = &all->first;
    for (int i = 0; i < 2; i++)
        for (const struct json *j = i ? more->first : claims->first; j;
             j = j->next) {
            *end = arena_new(a, struct json);
            if (!*end)
                return claims;
            **end = *j;
            (*end)->next = NULL;
            end = &(*end)->next;
        }
    return all;
}

static enum footnote_rc name_them(const struct config *c,
                                  struct jwt_claims *out,
                                  struct footnote_err *err)
{
    const struct json *verified = json_get(out->all, STR("email_verified"));

    /* Anybody can write an address of somebody else into their profile. */
    if (str_eq(c->oidc_user_claim, STR("email")) &&
        !(verified && verified->type == JSON_TRUE))
        return REFUSE(err, "the provider has not verified the address");
    if (!claim_name(json_get(out->all, c->oidc_user_claim), &out->user))
        return REFUSE(err, "the provider names no user");
    if (c->tenant_claim.p &&
        !claim_name(json_get(out->all, c->tenant_claim), &out->tenant))
        return REFUSE(err, "the provider names no tenant");
    if (!c->tenant_claim.p)
        out->tenant = STR("default");
    return FOOTNOTE_OK;
}

enum footnote_rc provider_exchange(struct provider *p, struct arena *a,
                                   const struct provider_code *code,
                                   struct jwt_claims *out,
                                   struct footnote_err *err)
{
    const struct config *c = provider_config(p);
    struct provider_urls at;
    struct json *tokens = NULL, *more = NULL;
    enum footnote_rc rc;

    TRY(provider_urls(p, a, &at, err));
    TRY(ask_tokens(c, &at, code, a, &tokens, err));
    rc = provider_verify(p, a, json_text(tokens, STR("id_token")), out, err);
    if (rc == FOOTNOTE_NOTFOUND)
        return REFUSE(err, "the token's key is not the provider's");
    TRY(rc);
    TRY(check_id_token(c, code, out->all, err));
    if (needs_more(c, out->all))
        TRY(ask_userinfo(&at, tokens, a, out->all, &more, err));
    out->all = join(a, out->all, more);
    TRY(arena_rc(a, err));
    return name_them(c, out, err);
}
