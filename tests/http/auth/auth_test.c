/* auth_test.c - who is let in: every mode, on requests made by hand. */
#include "http/auth/auth.h"

#include "base/clock.h"
#include "http/auth/cookie.h"
#include "http/call/caller.h"
#include "store/session/login.h"
#include "test.h"
#include "tokens.h"

static struct arena arena = {.max_bytes = 16 << 20};

static struct store *open_store(void)
{
    struct footnote_err err;
    struct store *st;
    struct str url = arena_printf(&arena, "sqlite:%s/test.db", test_dir());

    CHECK_OK(store_open(url.p, &st, &err), &err);
    return st;
}

static struct auth *open_auth(const struct config *c, struct store *st)
{
    struct footnote_err err;
    struct auth *a;

    CHECK_OK(auth_open(c, st, &a, &err), &err);
    return a;
}

static struct str add_key(struct store *st, const char *user, bool admin)
{
    struct access_key_add op = {.admin = admin};
    struct footnote_err err;

    CHECK_OK(store_write(st, (struct who){STR("acme"), str_c(user)},
                         OP(access_key_add), &op, &err),
             &err);
    return arena_str(&arena, str_c(op.key_text));
}

static struct request *request(const char *address)
{
    static struct header headers[HTTP_HEADERS_MAX];
    static struct request r;

    arena_free(&r.arena);
    buf_free(&r.reply.headers);
    r = (struct request){.path = STR("/api/me")};
    r.arena = ARENA(1 << 20);
    r.headers = headers;
    CHECK(caller_new(&r));
    snprintf(r.address, sizeof(r.address), "%s", address);
    return &r;
}

static void header(struct request *r, const char *name, struct str value)
{
    r->headers[r->headers_n++] = (struct header){str_c(name), value};
}

/* As the core does it. */
static bool let_in(struct auth *a, struct request *r)
{
    enum auth_verdict v = auth_check(a, r);

    if (v == AUTH_ASK)
        v = auth_ask(a, r);
    CHECK(v != AUTH_ASK);
    return v == AUTH_OK;
}

static bool bearer(struct auth *a, struct request *r, struct str credential)
{
    header(r, "authorization",
           arena_printf(&arena, "Bearer %.*s", STR_ARG(credential)));
    return let_in(a, r);
}

static void check_who(const struct request *r, const char *tenant,
                      const char *user, const char *mode)
{
    CHECK_TEXT(caller(r)->who.tenant, str_c(tenant));
    CHECK_TEXT(caller(r)->who.user, str_c(user));
    CHECK_TEXT(caller(r)->auth, str_c(mode));
}

/* ---- none and proxy ------------------------------------------------------ */

TEST(without_auth_this_machine_alone_is_let_in)
{
    static const char *const ours[] = {"127.0.0.1", "127.1.2.3", "::1",
                                       "::ffff:127.0.0.1"};
    static const char *const others[] = {
        "10.0.0.1", "128.0.0.1", "::2", "", "::ffff:10.0.0.1", "::127.0.0.1"};
    struct config c = {.auth = CONFIG_AUTH_NONE};
    struct auth *a = open_auth(&c, NULL);
    struct request *r;

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        r = request(ours[i]);
        CHECK(let_in(a, r));
        check_who(r, "default", "local", "none");
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        CHECK(!let_in(a, request(others[i])));
    /* Clients that cannot do without a key send one. */
    CHECK(bearer(a, request("127.0.0.1"), STR("sk-whatever")));
    auth_close(a);
}

static struct request *proxied(const char *address, const char *user)
{
    struct request *r = request(address);

    header(r, "remote-user", str_c(user));
    return r;
}

TEST(a_trusted_proxy_names_the_user)
{
    static const char *const trusted[] = {"10.1.2.3", "::ffff:10.9.9.9",
                                          "192.168.1.7", "fd00:1::5"};
    static const char *const others[] = {"11.1.2.3",  "192.168.1.8", "fe00::1",
                                         "127.0.0.1", "bad",         ""};
    struct config c = {.auth = CONFIG_AUTH_PROXY,
                       .auth_header = STR("Remote-User"),
                       .trusted_proxies =
                           STR("10.0.0.0/8, 192.168.1.7 fd00::/8")};
    struct auth *a = open_auth(&c, NULL);
    struct request *r;

    for (size_t i = 0; i < sizeof(trusted) / sizeof(trusted[0]); i++) {
        r = proxied(trusted[i], "ann@example.org");
        CHECK(let_in(a, r));
        check_who(r, "default", "ann@example.org", "proxy");
        CHECK(!caller(r)->admin);
        CHECK(!let_in(a, request(trusted[i])));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        CHECK(!let_in(a, proxied(others[i], "ann")));
    auth_close(a);
}

TEST(a_proxy_names_one_user_and_a_proper_one)
{
    static const char *const bad[] = {"", "*", "a\tb", "\x7f", "\xff"};
    struct config c = {.auth = CONFIG_AUTH_PROXY,
                       .auth_header = STR("X-User"),
                       .trusted_proxies = STR("10.0.0.1")};
    struct auth *a = open_auth(&c, NULL);
    struct request *r = request("10.0.0.1");
    char large[STORE_ID_BYTES_MAX + 2] = {0};

    header(r, "x-user", STR("ann"));
    CHECK(let_in(a, r));
    header(r, "x-user", STR("root"));
    CHECK(!let_in(a, r));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        r = request("10.0.0.1");
        header(r, "x-user", str_c(bad[i]));
        CHECK(!let_in(a, r));
    }
    memset(large, 'x', STORE_ID_BYTES_MAX + 1);
    r = request("10.0.0.1");
    header(r, "x-user", str_c(large));
    CHECK(!let_in(a, r));
    auth_close(a);
}

TEST(modes_that_lack_a_setting_do_not_start)
{
    struct config bad[] = {
        {.auth = CONFIG_AUTH_JWT},
        {.auth = CONFIG_AUTH_JWT, .jwt_secret = STR("short")},
        {.auth = CONFIG_AUTH_PROXY, .auth_header = STR("X-User")},
        {.auth = CONFIG_AUTH_PROXY, .trusted_proxies = STR("10.0.0.1")},
        {.auth = CONFIG_AUTH_PROXY,
         .auth_header = STR("X-User"),
         .trusted_proxies = STR("10.0.0.0/33")},
        {.auth = CONFIG_AUTH_PROXY,
         .auth_header = STR("X-User"),
         .trusted_proxies = STR("proxy.example")}};
    struct auth *a;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(auth_open(&bad[i], NULL, &a, NULL), FOOTNOTE_INVALID);
        CHECK(a == NULL);
    }
}

/* ---- Keys ---------------------------------------------------------------- */

TEST(a_key_is_let_in_until_it_is_revoked)
{
    struct config c = {.auth = CONFIG_AUTH_KEY};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct str key = add_key(st, "ann", true);
    struct access_key_revoke op = {.prefix = access_prefix(key)};
    struct request *r = request("10.0.0.1");

    CHECK(bearer(a, r, key));
    check_who(r, "acme", "ann", "key");
    CHECK(caller(r)->admin);
    r = request("10.0.0.1");
    header(r, "authorization", arena_printf(&arena, "bEARER   %s", key.p));
    CHECK(let_in(a, r));
    CHECK(store_write(st, (struct who){STR("default"), STR("local")},
                      OP(access_key_revoke), &op, NULL) == FOOTNOTE_OK);
    CHECK(!bearer(a, request("10.0.0.1"), key));
    auth_close(a);
    store_close(st);
}

TEST(anything_but_the_key_is_refused)
{
    struct config c = {.auth = CONFIG_AUTH_KEY};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct str key = add_key(st, "ann", false), other;
    char *p = arena_alloc(&arena, key.n + 2);
    struct request *r = request("127.0.0.1");

    CHECK(!let_in(a, r));
    auth_refuse(r);
    CHECK_INT(r->reply.status, 401);
    memcpy(p, key.p, key.n);
    for (size_t i = 0; i < key.n; i++) {
        p[i] = p[i] == 'A' ? 'B' : 'A';
        CHECK(!bearer(a, request("127.0.0.1"), (struct str){p, key.n}));
        CHECK(!bearer(a, request("127.0.0.1"), (struct str){p, i}));
        p[i] = key.p[i];
    }
    p[key.n] = 'A';
    CHECK(!bearer(a, request("127.0.0.1"), (struct str){p, key.n + 1}));
    /* The prefix of one and the secret of another. */
    other = add_key(st, "bob", false);
    memcpy(p, other.p, 3 + ACCESS_PREFIX_BYTES);
    CHECK(!bearer(a, request("127.0.0.1"), (struct str){p, key.n}));
    r = request("127.0.0.1");
    header(r, "authorization", key);
    CHECK(!let_in(a, r));
    r = request("127.0.0.1");
    header(r, "authorization", arena_printf(&arena, "Basic %s", key.p));
    CHECK(!let_in(a, r));
    auth_close(a);
    store_close(st);
}

/* A credential that does not hold is refused even where none is needed. */
TEST(a_bad_key_does_not_become_the_local_user)
{
    struct config c = {.auth = CONFIG_AUTH_KEY | CONFIG_AUTH_NONE};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct str key = add_key(st, "ann", false);
    char bad[ACCESS_KEY_BYTES + 1];
    struct request *r = request("127.0.0.1");

    memcpy(bad, key.p, sizeof(bad));
    bad[ACCESS_KEY_BYTES - 1] ^= 1;
    CHECK(!bearer(a, r, str_c(bad)));
    r = request("127.0.0.1");
    CHECK(bearer(a, r, key));
    check_who(r, "acme", "ann", "key");
    r = request("127.0.0.1");
    CHECK(let_in(a, r));
    check_who(r, "default", "local", "none");
    /* A browser keeps sending a stale cookie: that is not a credential. */
    r = request("127.0.0.1");
    header(r, "cookie",
           STR("footnote=l1.0193a1c2-0000-7000-8000-000000000000.x"));
    CHECK(let_in(a, r));
    check_who(r, "default", "local", "none");
    auth_close(a);
    store_close(st);
}

/* ---- Tokens -------------------------------------------------------------- */

#define HS     "{\"alg\":\"HS256\"}"
#define CLAIMS "{\"sub\":\"ann\",\"exp\":1772000100,\"org\":\"acme\"}"

TEST(a_token_is_let_in_while_it_holds)
{
    struct config c = {.auth = CONFIG_AUTH_JWT | CONFIG_AUTH_KEY,
                       .jwt_secret = STR(TOKENS_SECRET)};
    struct auth *a = open_auth(&c, NULL);
    struct str token = token_make(&arena, BY_SECRET, HS, CLAIMS);
    struct request *r = request("10.0.0.1");

    tokens_clock(TOKENS_NOW_S);
    CHECK(bearer(a, r, token));
    check_who(r, "default", "ann", "jwt");
    CHECK(!caller(r)->admin);
    tokens_clock(TOKENS_NOW_S + 100 + 60);
    CHECK(!bearer(a, request("10.0.0.1"), token));
    auth_close(a);
}

TEST(the_tenant_of_a_token_is_a_claim)
{
    struct config c = {.auth = CONFIG_AUTH_JWT,
                       .jwt_secret = STR(TOKENS_SECRET),
                       .tenant_claim = STR("org")};
    struct auth *a = open_auth(&c, NULL);
    struct request *r = request("10.0.0.1");

    tokens_clock(TOKENS_NOW_S);
    CHECK(bearer(a, r, token_make(&arena, BY_SECRET, HS, CLAIMS)));
    check_who(r, "acme", "ann", "jwt");
    CHECK(!bearer(a, request("10.0.0.1"),
                  token_make(&arena, BY_SECRET, HS,
                             "{\"sub\":\"ann\",\"exp\":1772000100}")));
    auth_close(a);
}

/* ---- Logins ---------------------------------------------------------------
 */

static struct request *with_cookie(struct str text)
{
    struct request *r = request("10.0.0.1");

    header(r, "cookie",
           arena_printf(&arena, "a=1; footnote=%.*s; b=2", STR_ARG(text)));
    return r;
}

static struct str sign_in(struct store *st, struct str key, int64_t lasts_ms)
{
    struct login_add op = {.method = key.p ? STR("key") : STR("jwt"),
                           .key_prefix = access_prefix(key),
                           .expires_ms = clock_wall_ms() + lasts_ms};
    struct footnote_err err;

    CHECK_OK(store_write(st, (struct who){STR("acme"), STR("ann")},
                         OP(login_add), &op, &err),
             &err);
    return arena_str(&arena, str_c(op.cookie));
}

static void revoke_key(struct store *st, struct str key)
{
    struct access_key_revoke op = {.prefix = access_prefix(key)};

    CHECK(store_write(st, (struct who){STR("acme"), STR("ann")},
                      OP(access_key_revoke), &op, NULL) == FOOTNOTE_OK);
}

static void revoke_login(struct store *st, struct str cookie)
{
    struct login_revoke op = {.tenant = STR("acme"), .user = STR("ann")};
    struct sha256 digest;

    CHECK(login_cookie_read(cookie, &op.id, &digest));
    CHECK(store_write(st, (struct who){STR("acme"), STR("ann")},
                      OP(login_revoke), &op, NULL) == FOOTNOTE_OK);
}

#define HOUR_MS INT64_C(3600000)

TEST(a_login_ends_with_its_key_and_at_every_node_when_it_is_revoked)
{
    struct config c = {.auth = CONFIG_AUTH_KEY};
    struct store *st = open_store(), *elsewhere = open_store();
    struct auth *a = open_auth(&c, st), *second = open_auth(&c, elsewhere);
    struct str key = add_key(st, "ann", true), mine = sign_in(st, key, HOUR_MS),
               stolen = sign_in(st, key, HOUR_MS);
    struct request *r = with_cookie(mine);

    CHECK(let_in(a, r));
    check_who(r, "acme", "ann", "key");
    CHECK(caller(r)->admin);
    CHECK(let_in(second, with_cookie(stolen)));
    revoke_login(st, stolen);
    CHECK(!let_in(second, with_cookie(stolen)));
    CHECK(!let_in(a, with_cookie(stolen)));
    CHECK(let_in(second, with_cookie(mine)));
    revoke_key(st, key);
    CHECK(!let_in(second, with_cookie(mine)));
    auth_close(a);
    auth_close(second);
    store_close(st);
    store_close(elsewhere);
}

TEST(a_login_ends_after_its_time_and_after_nobody_was_there)
{
    struct config c = {.auth = CONFIG_AUTH_JWT,
                       .jwt_secret = STR(TOKENS_SECRET),
                       .login_idle_ms = HOUR_MS};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct str cookie;

    tokens_clock(TOKENS_NOW_S);
    cookie = sign_in(st, STR_NONE, 2 * HOUR_MS);
    CHECK(let_in(a, with_cookie(cookie)));
    tokens_clock(TOKENS_NOW_S + 3600);
    CHECK(!let_in(a, with_cookie(cookie))); /* an hour without being there */
    tokens_clock(TOKENS_NOW_S + 1800);
    CHECK(let_in(a, with_cookie(cookie))); /* it is said that it was there */
    store_close(st);                       /* after what waits is written */
    st = open_store();
    auth_close(a);
    a = open_auth(&c, st);
    tokens_clock(TOKENS_NOW_S + 5000);
    CHECK(let_in(a, with_cookie(cookie)));
    c.login_idle_ms = 0;
    tokens_clock(TOKENS_NOW_S + 7199);
    CHECK(let_in(a, with_cookie(cookie)));
    tokens_clock(TOKENS_NOW_S + 7200);
    CHECK(!let_in(a, with_cookie(cookie)));
    auth_close(a);
    store_close(st);
}

TEST(a_login_is_only_as_good_as_the_modes_that_are_on)
{
    struct config keys = {.auth = CONFIG_AUTH_KEY},
                  tokens = {.auth = CONFIG_AUTH_JWT,
                            .jwt_secret = STR(TOKENS_SECRET)};
    struct store *st = open_store();
    struct auth *by_key = open_auth(&keys, st),
                *by_token = open_auth(&tokens, st);
    struct str with_key = sign_in(st, add_key(st, "ann", false), HOUR_MS),
               with_token = sign_in(st, STR_NONE, HOUR_MS);

    CHECK(let_in(by_key, with_cookie(with_key)));
    CHECK(let_in(by_token, with_cookie(with_token)));
    CHECK(!let_in(by_key, with_cookie(with_token)));
    CHECK(!let_in(by_token, with_cookie(with_key)));
    auth_close(by_key);
    auth_close(by_token);
    store_close(st);
}

TEST(no_part_of_a_login_can_be_changed_or_made_from_the_database)
{
    struct config c = {.auth = CONFIG_AUTH_KEY};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct str text = sign_in(st, add_key(st, "ann", false), HOUR_MS);
    struct login_find row = {.id = {text.p + 3, UUID_BYTES}};
    char *p = arena_alloc(&arena, text.n + 1);

    memcpy(p, text.p, text.n);
    CHECK(let_in(a, with_cookie((struct str){p, text.n})));
    for (size_t i = 0; i < text.n; i++) {
        p[i] = p[i] == '0' ? '1' : '0';
        CHECK(!let_in(a, with_cookie((struct str){p, text.n})));
        CHECK(!let_in(a, with_cookie((struct str){p, i})));
        p[i] = text.p[i];
    }
    p[text.n] = '0';
    CHECK(!let_in(a, with_cookie((struct str){p, text.n + 1})));
    /* What the row has does not open it. */
    CHECK(store_own_read(st, &arena, OP(login_find), &row, NULL) ==
          FOOTNOTE_OK);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(p + 3 + UUID_BYTES + 1 + 2 * i, 3, "%02x",
                 row.login.digest.b[i]);
    CHECK(!let_in(a, with_cookie((struct str){p, text.n})));
    auth_close(a);
    store_close(st);
}

TEST(a_key_is_let_in_until_it_expires_and_is_as_confined_as_it_was_made)
{
    struct config c = {.auth = CONFIG_AUTH_KEY};
    struct store *st = open_store();
    struct auth *a = open_auth(&c, st);
    struct access_key_add op = {.label = STR("laptop"),
                                .scope = STR("read\nphysics")};
    struct request *r;
    struct str key;

    tokens_clock(TOKENS_NOW_S);
    op.expires_ms = clock_wall_ms() + HOUR_MS;
    CHECK(store_write(st, (struct who){STR("acme"), STR("ann")},
                      OP(access_key_add), &op, NULL) == FOOTNOTE_OK);
    key = str_c(op.key_text);
    r = request("10.0.0.1");
    CHECK(bearer(a, r, key));
    CHECK_TEXT(caller(r)->who.scope, STR("read\nphysics"));
    r = with_cookie(sign_in(st, key, 9 * HOUR_MS));
    CHECK(let_in(a, r)); /* a login is as confined as its key */
    CHECK_TEXT(caller(r)->who.scope, STR("read\nphysics"));
    tokens_clock(TOKENS_NOW_S + 3600);
    CHECK(!bearer(a, request("10.0.0.1"), key));
    CHECK(!let_in(a, with_cookie(sign_in(st, key, 9 * HOUR_MS))));
    auth_close(a);
    store_close(st);
}

TEST(with_tls_only_the_host_cookie_counts)
{
    struct request *r = request("10.0.0.1");

    header(r, "cookie", STR("footnote=plain; __Host-footnote=host"));
    CHECK_TEXT(cookie_find(r, true), STR("host"));
    CHECK_TEXT(cookie_find(r, false), STR("plain"));
    header(r, "cookie", STR("footnote=again"));
    CHECK(!cookie_find(r, false).p); /* two: whose is which? */
    CHECK(cookie_is_secure(STR("https://notes.example")));
    CHECK(!cookie_is_secure(STR("http://notes.example")));
    CHECK(!cookie_is_secure(STR_NONE));
}

TEST(the_cookie_line_has_what_keeps_it_safe)
{
    struct request *r = request("10.0.0.1");

    CHECK(cookie_send(r, STR("x"), 60, true));
    CHECK_TEXT(buf_str(&r->reply.headers),
               STR("Set-Cookie: __Host-footnote=x; Path=/; HttpOnly; "
                   "SameSite=Lax; Max-Age=60; Secure\r\n"));
    r = request("10.0.0.1");
    CHECK(cookie_send(r, STR(""), 0, false));
    CHECK_TEXT(buf_str(&r->reply.headers),
               STR("Set-Cookie: footnote=; Path=/; HttpOnly; SameSite=Lax; "
                   "Max-Age=0\r\n"));
}

/* ---- The answer ---------------------------------------------------------- */

TEST(every_refusal_is_the_same_small_answer)
{
    struct request *r = request("10.0.0.1");

    r->id = STR("id");
    auth_refuse(r);
    CHECK_INT(r->reply.status, 401);
    CHECK_TEXT(r->reply.body,
               STR("{\"error\":\"Sign in first\",\"code\":\"unauthorized\","
                   "\"requestId\":\"id\"}"));
    CHECK_TEXT(buf_str(&r->reply.headers), STR("WWW-Authenticate: Bearer\r\n"));
}

TEST(a_store_that_cannot_be_asked_is_not_a_refusal)
{
    struct request *r = request("10.0.0.1");

    r->rc = err_set(&r->err, FOOTNOTE_BUSY, "the disk is full");
    auth_refuse(r);
    CHECK_INT(r->reply.status, 503);
}
