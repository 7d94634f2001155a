/* oidc.c - a browser goes to the provider, and comes back with a code.
 *
 * What it left with is in its own cookie, so it may come back to any node and
 * strangers make no rows here:
 *
 *     t1.SECRET.TO      256 random bits, and the page to come back to
 *
 * State, nonce and verifier are digests of the secret: the provider sees the
 * first two and, only with the code, the third.  The cookie goes with the first
 * return, and a provider takes a code once. */
#include "http/auth/oidc.h"

#include <openssl/crypto.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/uuid.h"
#include "http/auth/admins.h"
#include "http/auth/admit.h"
#include "http/auth/auth.h"
#include "http/auth/cookie.h"
#include "http/auth/limit.h"
#include "http/auth/login.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/core/base64url.h"
#include "http/core/net.h"
#include "http/shape/shape.h"
#include "http/token/provider.h"
#include "store/session/group.h"

enum {
    SECRET_BYTES = 32,
    DERIVED_BYTES = 43, /* a digest in base64url */
    TO_BYTES_MAX = 1500,
    TRIP_BYTES_MAX = 4096,
    TRIP_SECONDS = 15 * 60,
    URL_BYTES_MAX = 16 * 1024,
    GROUPS_MAX = 1000,
    WAYS_BYTES_MAX = 4096
};

/* ---- The trip ----------------------------------------------------------- */

struct trip {
    struct str secret; /* as it stands in the cookie */
    struct str to;
};

/* A page of ours: no other host, and nothing that a browser reads as one. */
static bool is_own_page(struct str to)
{
    if (to.n < 1 || to.n > TO_BYTES_MAX || to.p[0] != '/' ||
        (to.n > 1 && (to.p[1] == '/' || to.p[1] == '\\')) ||
        str_starts(to, STR("/api/")))
        return false;
    for (size_t i = 0; i < to.n; i++)
        if (to.p[i] <= ' ' || to.p[i] > '~' || to.p[i] == '\\')
            return false;
    return true;
}

static struct str derive(struct arena *a, const char *what, struct str secret)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);
    struct sha256 digest;
    struct str text = arena_printf(a, "%s %.*s", what, STR_ARG(secret));

    if (!text.p || sha256(text, &digest, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    base64url_write(&b, (struct str){(const char *)digest.b, SHA256_BYTES});
    return buf_rc(&b, NULL) == FOOTNOTE_OK ? arena_str(a, buf_str(&b))
                                           : STR_NONE;
}

static struct str encode(struct arena *a, const void *bytes, size_t n)
{
    AUTO(buf_free) struct buf b = BUF(TRIP_BYTES_MAX);

    base64url_write(&b, (struct str){bytes, n});
    return arena_str(a, b.n ? buf_str(&b) : STR(""));
}

static bool trip_read(struct request *r, struct trip *out)
{
    struct str s =
        cookie_find_trip(r, cookie_is_secure(services(r)->config->public_url));
    size_t dot;

    *out = (struct trip){.to = STR("/")};
    if (!str_starts(s, STR("t1.")) || s.n > TRIP_BYTES_MAX)
        return false;
    s = str_skip(s, 3);
    dot = str_find(s, '.');
    if (dot != DERIVED_BYTES || dot == s.n)
        return false;
    out->secret = (struct str){s.p, dot};
    if (base64url_read(&r->arena, str_skip(s, dot + 1), &out->to, NULL) !=
            FOOTNOTE_OK ||
        !is_own_page(out->to))
        out->to = STR("/");
    return true;
}

static bool trip_end(struct request *r)
{
    return cookie_send_trip(r, STR(""), 0,
                            cookie_is_secure(services(r)->config->public_url));
}

static void go(struct request *r, struct str url)
{
    r->reply.no_store = true;
    reply_header(r, STR("Referrer-Policy"), STR("no-referrer"));
    reply_header(r, STR("Location"), url);
    reply_empty(r, 303);
}

/* The page says that it was not completed, and lets them try again there. */
static void go_back(struct request *r, struct str to)
{
    size_t end = str_find(to, '#');

    go(r, arena_printf(&r->arena, "%.*s%csignin=failed%.*s", (int)end, to.p,
                       str_find((struct str){to.p, end}, '?') < end ? '&' : '?',
                       STR_ARG(str_skip(to, end))));
}

static void not_completed(struct request *r, const struct trip *t,
                          const char *why)
{
    log_write(LOG_INFO, "a sign-in was not completed",
              LOG_TEXT("why", str_c(why)), LOG_TEXT("req_id", r->id));
    go_back(r, t->to);
}

static struct str redirect_url(struct request *r)
{
    struct str url = guard_public_url(services(r)->config, r);
    struct str host = request_header(r, STR("host"));

    if (url.n)
        return arena_printf(&r->arena, "%.*s/api/oidc/callback", STR_ARG(url));
    return arena_printf(&r->arena, "http://%.*s/api/oidc/callback",
                        STR_ARG(host));
}

/* ---- Leaving ------------------------------------------------------------ */

static struct str scopes_of(struct request *r)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);
    struct str left = services(r)->config->oidc_scopes, item;

    buf_add(&b, STR("openid"));
    while (config_next_item(&left, &item)) {
        if (str_eq(item, STR("openid")))
            continue;
        buf_add_c(&b, ' ');
        buf_add(&b, item);
    }
    return arena_str(&r->arena, buf_str(&b));
}

static struct str leave_url(struct request *r, const struct provider_urls *at,
                            struct str secret)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);
    struct arena *a = &r->arena;
    struct str verifier = derive(a, "verifier", secret);
    struct sha256 challenge;

    if (sha256(verifier, &challenge, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    provider_add(&b, "response_type", STR("code"));
    provider_add(&b, "client_id", services(r)->config->oidc_client_id);
    provider_add(&b, "redirect_uri", redirect_url(r));
    provider_add(&b, "scope", scopes_of(r));
    provider_add(&b, "state", derive(a, "state", secret));
    provider_add(&b, "nonce", derive(a, "nonce", secret));
    provider_add(&b, "code_challenge", encode(a, challenge.b, SHA256_BYTES));
    provider_add(&b, "code_challenge_method", STR("S256"));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK || arena_rc(a, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_printf(
        a, "%.*s%c%.*s", STR_ARG(at->authorization),
        memchr(at->authorization.p, '?', at->authorization.n) ? '&' : '?',
        STR_ARG(buf_str(&b)));
}

static void leave(struct request *r)
{
    struct str to = request_query(r, STR("to"));
    struct trip t = {.to = is_own_page(to) ? to : STR("/")};
    struct provider_urls at;
    struct footnote_err err;
    uint8_t bits[SECRET_BYTES];
    struct str url, text;

    if (provider_urls(services(r)->provider, &r->arena, &at, &err) !=
        FOOTNOTE_OK) {
        not_completed(r, &t, err.text);
        return;
    }
    random_bytes(bits, sizeof(bits));
    t.secret = encode(&r->arena, bits, sizeof(bits));
    url = leave_url(r, &at, t.secret);
    text = arena_printf(&r->arena, "t1.%.*s.%.*s", STR_ARG(t.secret),
                        STR_ARG(encode(&r->arena, t.to.p, t.to.n)));
    if (url.p && text.p &&
        cookie_send_trip(r, text, TRIP_SECONDS,
                         cookie_is_secure(services(r)->config->public_url)))
        go(r, url);
    else
        not_completed(r, &t, "out of memory");
}

static bool is_on(struct request *r)
{
    if (services(r)->provider)
        return true;
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = STR("No provider is set up"),
                                       .hint = STR("See --auth oidc")});
    return false;
}

/* With the threads of what takes long: a provider that hangs holds up nobody
 * who is signed in. */
void api_oidc_start(struct request *r)
{
    if (!is_on(r))
        return;
    r->share = net_client_hash(str_c(caller(r)->client));
    request_work_slow(r, leave);
}

/* ---- Coming back -------------------------------------------------------- */

/* NULL: it is what this browser left with. */
static const char *refuse_return(struct request *r, const struct trip *t,
                                 const struct provider_urls *at)
{
    struct str state = request_query(r, STR("state"));
    struct str ours = derive(&r->arena, "state", t->secret);
    struct str iss = request_query(r, STR("iss"));

    if (!ours.p || state.n != ours.n ||
        CRYPTO_memcmp(state.p, ours.p, ours.n) != 0)
        return "the state is another's";
    if (iss.p ? !str_eq(iss, services(r)->config->oidc_issuer)
              : at->names_itself)
        return "another issuer answers";
    if (request_query(r, STR("error")).p)
        return "the provider says no";
    if (!request_query(r, STR("code")).n)
        return "there is no code";
    return NULL;
}

static bool has_group(const struct config *c, const struct json *all,
                      struct str group)
{
    return claim_has(json_get(all, c->oidc_groups_claim), group);
}

/* NULL: groups are nothing here, and memberships stay as they are. */
static struct group_courses *courses_of(struct request *r,
                                        const struct json *all)
{
    const struct config *c = services(r)->config;
    struct group_courses *out = arena_new(&r->arena, struct group_courses);
    struct group_course *items =
        arena_many(&r->arena, GROUPS_MAX, struct group_course);
    struct str left = c->oidc_groups, item, group, course, role;

    if (!c->oidc_groups.n || !out || !items)
        return NULL;
    out->items = items;
    while (out->n < GROUPS_MAX && config_next_item(&left, &item)) {
        if (!config_group_course(item, &group, &course, &role) ||
            !has_group(c, all, group))
            continue;
        items[out->n++] = (struct group_course){
            course,
            str_eq(role, STR("editor")) ? MEMBER_EDITOR : MEMBER_READER};
    }
    return out;
}

static void let_in(struct request *r, const struct trip *t,
                   const struct jwt_claims *claims)
{
    struct group_courses *groups = courses_of(r, claims->all);

    caller(r)->who = (struct who){claims->tenant, claims->user};
    caller(r)->auth = STR("oidc");
    caller(r)->claims_admin = admins_claim(services(r)->config, claims->all);
    if (arena_rc(&r->arena, &r->err) == FOOTNOTE_OK && login_make(r, groups))
        go(r, t->to);
    else
        not_completed(r, t, r->err.text);
}

static void come_back(struct request *r)
{
    struct provider *p = services(r)->provider;
    struct trip t;
    bool has_trip = trip_read(r, &t);
    struct provider_urls at;
    struct provider_code code = {.redirect = redirect_url(r)};
    struct jwt_claims claims;
    struct footnote_err err;
    const char *why = "the browser did not leave from here";

    if (!trip_end(r)) {
        not_completed(r, &t, "out of memory");
        return;
    }
    if (has_trip) {
        why = provider_urls(p, &r->arena, &at, &err) == FOOTNOTE_OK
                  ? refuse_return(r, &t, &at)
                  : err.text;
    }
    if (!why) {
        code.code = request_query(r, STR("code"));
        code.nonce = derive(&r->arena, "nonce", t.secret);
        code.verifier = derive(&r->arena, "verifier", t.secret);
        if (provider_exchange(p, &r->arena, &code, &claims, &err) !=
            FOOTNOTE_OK)
            why = err.text;
    }
    if (!why) {
        let_in(r, &t, &claims);
        return;
    }
    (void)limits_failed(services(r)->limits, str_c(caller(r)->client),
                        clock_mono_ms());
    not_completed(r, &t, why);
}

/* Who came back with nothing all the time does not ask the provider again. */
void api_oidc_callback(struct request *r)
{
    const struct trip front = {.to = STR("/")};

    if (!is_on(r))
        return;
    if (limits_suspects(services(r)->limits, str_c(caller(r)->client),
                        clock_mono_ms())) {
        not_completed(r, &front, "too many of this client were wrong");
        return;
    }
    r->share = net_client_hash(str_c(caller(r)->client));
    request_work_slow(r, come_back);
}

/* ---- Ways in, and out --------------------------------------------------- */

static struct str name_of(const struct config *c)
{
    size_t at = str_find(c->oidc_issuer, '/') + 2;
    struct str host = str_skip(c->oidc_issuer, at);

    if (c->oidc_name.n)
        return c->oidc_name;
    return (struct str){host.p, str_find(host, '/')};
}

void api_login_ways(struct request *r)
{
    const struct config *c = services(r)->config;
    struct buf b = BUF(WAYS_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_object(&w);
    json_key(&w, STR("key"));
    json_bool(&w, (c->auth & CONFIG_AUTH_KEY) != 0);
    json_key(&w, STR("token"));
    json_bool(&w, (c->auth & CONFIG_AUTH_JWT) != 0);
    json_key(&w, STR("providers"));
    json_array(&w);
    if (services(r)->provider) {
        json_object(&w);
        json_key(&w, STR("name"));
        json_str(&w, name_of(c));
        json_key(&w, STR("url"));
        json_str(&w, STR("/api/oidc/start"));
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

struct str oidc_logout_url(struct request *r)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);
    const struct config *c = services(r)->config;
    struct str back = redirect_url(r);
    struct provider_urls at;
    struct footnote_err err;

    if (!services(r)->provider || !back.p ||
        provider_urls(services(r)->provider, &r->arena, &at, &err) !=
            FOOTNOTE_OK ||
        !at.end_session.p)
        return STR_NONE;
    back.n -= strlen("api/oidc/callback");
    provider_add(&b, "client_id", c->oidc_client_id);
    provider_add(&b, "post_logout_redirect_uri", back);
    if (buf_rc(&b, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_printf(&r->arena, "%.*s%c%.*s", STR_ARG(at.end_session),
                        memchr(at.end_session.p, '?', at.end_session.n) ? '&'
                                                                        : '?',
                        STR_ARG(buf_str(&b)));
}
