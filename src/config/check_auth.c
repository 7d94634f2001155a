/* check_auth.c - whether each mode of --auth has what it needs. */
#include "config/check.h"

enum { SECRET_BYTES_MIN = 32 };

static enum footnote_rc check_jwt(const struct config *c,
                                  struct footnote_err *err)
{
    if (c->jwt_secret.p && c->jwt_secret.n < SECRET_BYTES_MIN)
        return err_set(err, FOOTNOTE_INVALID,
                       "jwt-secret: it has %zu bytes; a secret that cannot be "
                       "guessed has at least %d",
                       c->jwt_secret.n, SECRET_BYTES_MIN);
    if ((c->auth & CONFIG_AUTH_JWT) && !c->jwt_secret.p && !c->jwks.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: jwt needs --jwt-secret-file or --jwks");
    if ((c->auth & CONFIG_AUTH_JWT) && c->jwks.p &&
        (!c->jwt_issuer.n || !c->jwt_audience.n))
        return err_set(err, FOOTNOTE_INVALID,
                       "jwks: say whose tokens are taken and for whom: "
                       "--jwt-issuer and --jwt-audience; without them a token "
                       "for any other application signs in here");
    return FOOTNOTE_OK;
}

/* ---- A provider ---------------------------------------------------------- */

static bool split(struct str s, char at, struct str *before, struct str *after)
{
    size_t n = s.n;

    while (n > 0 && s.p[n - 1] != at)
        n--;
    if (n < 2 || n == s.n)
        return false;
    *before = (struct str){s.p, n - 1};
    *after = str_skip(s, n);
    return true;
}

bool config_group_course(struct str item, struct str *group, struct str *course,
                         struct str *role)
{
    struct str rest;

    return split(item, '=', group, &rest) && split(rest, ':', course, role) &&
           (str_eq(*role, STR("reader")) || str_eq(*role, STR("editor")));
}

bool config_claim_value(struct str item, struct str *name, struct str *value)
{
    size_t eq = str_find(item, '=');

    if (eq == 0 || eq + 1 >= item.n)
        return false;
    *name = (struct str){item.p, eq};
    *value = str_skip(item, eq + 1);
    return true;
}

/* Whoever sits on the line could be the provider. */
static bool is_issuer(struct str url)
{
    return config_is_base_url(url) &&
           (str_starts(url, STR("https://")) ||
            config_is_loopback(config_url_host(url)));
}

static enum footnote_rc check_oidc(const struct config *c,
                                   struct footnote_err *err)
{
    struct str left = c->oidc_groups, item, group, course, role;

    while (config_next_item(&left, &item))
        if (!config_group_course(item, &group, &course, &role))
            return err_set(err, FOOTNOTE_INVALID,
                           "oidc-groups: %.*s is not GROUP=COURSE:reader or "
                           "GROUP=COURSE:editor",
                           item.n < 60 ? (int)item.n : 60, item.p);
    if (!(c->auth & CONFIG_AUTH_OIDC))
        return FOOTNOTE_OK;
    if (!c->oidc_issuer.n || !c->oidc_client_id.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: oidc needs --oidc-issuer and --oidc-client-id");
    if (!is_issuer(c->oidc_issuer))
        return err_set(err, FOOTNOTE_INVALID,
                       "oidc-issuer: it takes https://HOST[:PORT][/PATH], and "
                       "http on this machine only");
    if (!c->oidc_user_claim.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "oidc-user-claim: say which claim names the user");
    return FOOTNOTE_OK;
}

enum footnote_rc config_check_auth(const struct config *c,
                                   struct footnote_err *err)
{
    struct str name, value;

    TRY(check_jwt(c, err));
    TRY(check_oidc(c, err));
    if (c->admin_claim.p && !config_claim_value(c->admin_claim, &name, &value))
        return err_set(err, FOOTNOTE_INVALID,
                       "admin-claim: it takes NAME=VALUE, such as "
                       "groups=footnote-admins");
    if ((c->auth & CONFIG_AUTH_PROXY) && !c->trusted_proxies.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "auth: proxy needs --trusted-proxies");
    return FOOTNOTE_OK;
}
