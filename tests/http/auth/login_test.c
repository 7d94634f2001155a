/* login_test.c - signing in and out over real sockets, on both engines. */
#include "base/clock.h"
#include "contract.h"
#include "help/talk.h"
#include "store/session/access.h"

/* "Cookie: NAME=VALUE" of the last answer's Set-Cookie. */
static const char *cookie_line(struct site *s)
{
    struct str line = talk_header("Set-Cookie");

    CHECK(line.p != NULL);
    line.n = str_find(line, ';');
    return arena_printf(&s->arena, "Cookie: %.*s", STR_ARG(line)).p;
}

static const char *body(struct site *s, const char *name, struct str value)
{
    return arena_printf(&s->arena, "{'%s':'%.*s'}", name, STR_ARG(value)).p;
}

static void revoke(struct site *s, struct str key)
{
    struct access_key_revoke op = {.prefix = access_prefix(key)};
    struct footnote_err err;

    CHECK_OK(store_write(s->served.store,
                         (struct who){STR("default"), STR("local")},
                         OP(access_key_revoke), &op, &err),
             &err);
}

CONTRACT(thread_login_with_a_key_lasts_until_it_is_revoked)
{
    SITE(s);
    struct str key = site_key(&s);
    const char *cookie;
    struct json *v = talk(&s, 200, "POST", "/api/login", body(&s, "key", key));

    CHECK_AT(&s, v, "userId", "'ada'");
    CHECK_AT(&s, v, "auth", "'key'");
    CHECK_TEXT(talk_header("Cache-Control"), STR("no-store"));
    cookie = cookie_line(&s);
    v = talk_with(&s, cookie, 200, "GET", "/api/me", NULL);
    CHECK_AT(&s, v, "userId", "'ada'");
    talk_with(&s, cookie, 201, "POST", "/api/sessions", "{'id':'mine'}");
    talk_with(&s, cookie, 200, "GET", "/api/sessions/mine", NULL);
    revoke(&s, key);
    /* Mode none is on as well: without a key it is another user. */
    v = talk_with(&s, cookie, 200, "GET", "/api/me", NULL);
    CHECK_AT(&s, v, "userId", "'local'");
    talk_with(&s, cookie, 404, "GET", "/api/sessions/mine", NULL);
    talk_with(&s, arena_printf(&s.arena, "Authorization: Bearer %s", key.p).p,
              401, "GET", "/api/me", NULL);
    talk(&s, 401, "POST", "/api/login", body(&s, "key", key));
}

TEST(thread_logout_takes_the_cookie_away)
{
    SITE(s);

    talk(&s, 204, "POST", "/api/logout", NULL);
    CHECK_TEXT(talk_header("Set-Cookie"),
               STR("footnote=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"));
}

TEST(thread_login_with_anything_else_is_refused)
{
    SITE(s);
    struct str key = site_key(&s);

    talk_refused(&s, 401, "unauthorized", NULL, "POST", "/api/login",
                 "{'key':'fn_'}");
    talk_refused(&s, 401, "unauthorized", NULL, "POST", "/api/login",
                 "{'key':'a.b.c'}");
    talk_refused(&s, 401, "unauthorized", NULL, "POST", "/api/login",
                 body(&s, "token", key));
    talk_refused(&s, 400, "invalid_field", NULL, "POST", "/api/login", "{}");
    talk_refused(&s, 400, "invalid_field", NULL, "POST", "/api/login",
                 "{'key':'a','token':'b'}");
    talk_refused(&s, 400, "invalid_field", "/key", "POST", "/api/login",
                 "{'key':7}");
    talk_refused(&s, 400, "unknown_field", "/user~1id", "POST", "/api/login",
                 "{'user/id':'ann'}");
    CHECK(!talk_header("Set-Cookie").p);
}

static const char *wrong_key(struct site *s, int i)
{
    return arena_printf(&s->arena,
                        "Authorization: Bearer fn_a%09d_"
                        "0123456789012345678901234567890123456789012",
                        i)
        .p;
}

/* The clock stands still, so that no minute ends in between. */
static int64_t frozen(void)
{
    return 60000;
}

TEST(thread_login_that_fails_too_often_has_to_wait)
{
    static const struct clock_source still = {frozen, frozen};
    struct site s = {.served.config.failed_sign_ins_per_minute = 3};
    struct str key;

    clock_replace(&still);
    site_open(&s);
    key = site_key(&s);
    for (int i = 0; i < 2; i++)
        talk_with(&s, wrong_key(&s, i), 401, "GET", "/api/me", NULL);
    talk(&s, 200, "GET", "/api/me", NULL); /* who brings none is not wrong */
    talk(&s, 401, "POST", "/api/login", "{'key':'fn_'}");
    talk_with(&s, wrong_key(&s, 3), 429, "GET", "/api/me", NULL);
    CHECK_TEXT(talk_header("Retry-After"), STR("61"));
    talk_refused(&s, 429, "rate_limited", NULL, "POST", "/api/login",
                 "{'key':'fn_'}");
    /* A key that holds is never refused for those that do not. */
    talk(&s, 200, "POST", "/api/login", body(&s, "key", key));
    talk_with(&s, arena_printf(&s.arena, "Authorization: Bearer %s", key.p).p,
              200, "GET", "/api/me", NULL);
    talk(&s, 200, "GET", "/api/me", NULL);
    site_close(&s);
    clock_replace(NULL);
}

TEST(thread_login_from_a_foreign_page_is_refused)
{
    SITE(s);
    const char *login = body(&s, "key", site_key(&s));

    talk_with(&s, "Sec-Fetch-Site: cross-site", 403, "POST", "/api/login",
              login);
    talk_with(&s, "Origin: https://evil.example", 403, "POST", "/api/login",
              login);
    talk_with(&s, "Host: evil.example", 421, "GET", "/api/me", NULL);
    talk_with(&s, "Sec-Fetch-Site: same-origin", 200, "POST", "/api/login",
              login);
}
