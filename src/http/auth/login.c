/* login.c - a key or a token becomes a cookie.
 *
 * Logging out removes the cookie.  The key or token still works, until it is
 * revoked or expires. */
#include "http/auth/login.h"

#include "base/clock.h"
#include "chat/chat.h"
#include "http/auth/admit.h"
#include "http/auth/cookie.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/call/shares.h"
#include "http/shape/intake.h"
#include "store/usage.h"

enum { ME_BYTES_MAX = 8 * 1024 };

static void add_number(struct json_out *w, const char *name, int64_t n)
{
    json_key(w, str_c(name));
    json_i64(w, n);
}

/* null: there is none. */
static void add_limit(struct json_out *w, const char *name, int64_t n)
{
    json_key(w, str_c(name));
    if (n > 0)
        json_i64(w, n);
    else
        json_null(w);
}

static void add_usage(struct request *r, const struct usage *u,
                      struct json_out *w)
{
    struct services *s = services(r);
    struct share_counts n =
        share_count(s->shares, caller(r)->who, clock_wall_ms());

    json_key(w, STR("usage"));
    json_object(w);
    add_number(w, "bytes", u->bytes + u->source_bytes);
    add_number(w, "documents", u->documents);
    add_number(w, "sessions", u->sessions);
    add_number(w, "turnsToday", n.turns_today);
    add_number(w, "turns",
               s->chat ? (int64_t)chat_count_of(s->chat, caller(r)->who) : 0);
    add_number(w, "streams", n.running[SHARE_STREAMS]);
    add_number(w, "uploads", n.running[SHARE_UPLOADS]);
    json_end(w, '}');
}

static void add_limits(struct request *r, struct json_out *w)
{
    const struct config *c = services(r)->config;
    const struct share_limits *l = &shares_limits(services(r)->shares)->user;
    struct usage_limits kept = store_limits_of(services(r)->store)->user;
    bool limited = c->auth != CONFIG_AUTH_NONE;

    json_key(w, STR("limits"));
    json_object(w);
    add_limit(w, "bytes", kept.bytes);
    add_limit(w, "documents", kept.documents);
    add_limit(w, "sessions", kept.sessions);
    add_limit(w, "turnsToday", l->turns_a_day);
    add_limit(w, "turns", limited ? c->turns_per_user : 0);
    add_limit(w, "streams", l->running[SHARE_STREAMS]);
    add_limit(w, "uploads", l->running[SHARE_UPLOADS]);
    json_end(w, '}');
}

/* In a worker. */
static void reply_me(struct request *r)
{
    struct usage_get get = {.may_add = 0};
    struct buf b = BUF(ME_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct footnote_err err;
    enum footnote_rc rc = store_read(services(r)->store, caller(r)->who,
                                     &r->arena, OP(usage_get), &get, &err);

    if (rc != FOOTNOTE_OK) {
        reply_rc(r, rc, &err, NULL);
        return;
    }

    json_object(&w);
    json_key(&w, STR("userId"));
    json_str(&w, caller(r)->who.user);
    json_key(&w, STR("tenant"));
    json_str(&w, caller(r)->who.tenant);
    json_key(&w, STR("admin"));
    json_bool(&w, caller(r)->admin);
    json_key(&w, STR("auth"));
    json_str(&w, caller(r)->auth);
    add_usage(r, &get.user, &w);
    add_limits(r, &w);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

/* One row, asked for by every page that opens. */
void api_me(struct request *r)
{
    request_work_quick(r, reply_me, NULL);
}

static bool is_secure(const struct request *r)
{
    return cookie_is_secure(services(r)->config->public_url);
}

static void no_memory(struct request *r)
{
    struct footnote_err err;

    reply_rc(r, err_set(&err, FOOTNOTE_NOMEM, "signing in or out"), &err, NULL);
}

void api_logout(struct request *r)
{
    r->reply.no_store = true;
    if (cookie_send(r, STR(""), 0, is_secure(r)))
        reply_empty(r, 204);
    else
        no_memory(r);
}

struct login {
    struct str key, token; /* one of them */
};

/* The cookie of a token ends with the token, however long a browser keeps it.
 */
static void send_cookie(struct request *r, const struct login *l)
{
    int64_t expires_ms = clock_wall_ms() + (int64_t)COOKIE_KEY_S * 1000;
    struct str text;

    if (l->token.n > COOKIE_BYTES_MAX) {
        reply_problem(r, &(struct problem){
                             .status = 413,
                             .code = STR("too_large"),
                             .text = STR("The token is too large for a cookie"),
                             .where = STR("/token"),
                             .hint = STR("Send it as a Bearer token")});
        return;
    }
    text = l->key.p ? cookie_of_key(&r->arena, l->key, expires_ms)
                    : cookie_of_token(&r->arena, l->token);
    if (text.p && cookie_send(r, text, COOKIE_KEY_S, is_secure(r)))
        reply_me(r);
    else
        no_memory(r);
}

static void sign_in(struct request *r)
{
    const struct login *l = r->state;
    struct str credential = l->key.p ? l->key : l->token;

    /* A token in the place of a key, and the reverse, is a mistake. */
    if (str_starts(credential, STR("fn_")) != (l->key.p != NULL) ||
        auth_try(services(r)->auth, r, credential) != AUTH_OK) {
        admit_refuse(r);
        return;
    }
    send_cookie(r, l);
}

static const struct field login_fields[] = {
    {.name = {"key", 3},
     .kind = FIELD_TEXT,
     .offset = offsetof(struct login, key)},
    {.name = {"token", 5},
     .kind = FIELD_TEXT,
     .offset = offsetof(struct login, token)},
};
enum { LOGIN_FIELDS = sizeof(login_fields) / sizeof(login_fields[0]) };

void api_login(struct request *r)
{
    struct intake in = {.a = &r->arena};
    struct json *body = request_json(r);
    struct login *l = arena_new(&r->arena, struct login);

    if (!body)
        return;
    if (!l) {
        no_memory(r);
        return;
    }
    if (!intake_object(&in, NULL, body, login_fields, LOGIN_FIELDS, l)) {
        reply_problem(r, &in.problem);
        return;
    }
    if (!l->key.p == !l->token.p) {
        reply_invalid(r, STR_NONE, "Give either key or token");
        return;
    }
    r->state = l;
    if (admit_may_sign_in(r))
        request_work_quick(r, sign_in, NULL);
}
