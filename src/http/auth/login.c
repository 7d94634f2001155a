/* login.c - a key or a token becomes a login, and its cookie.
 *
 * Signing out ends that login everywhere.  The key or token still works, until
 * it is revoked or expires. */
#include "http/auth/login.h"

#include "base/clock.h"
#include "chat/chat.h"
#include "http/auth/admit.h"
#include "http/auth/cookie.h"
#include "http/auth/oidc.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/call/shares.h"
#include "http/shape/intake.h"
#include "store/session/login.h"
#include "store/session/scope.h"
#include "store/usage.h"

enum { ME_BYTES_MAX = 8 * 1024, OUT_BYTES_MAX = 32 * 1024 };
#define LASTS_MS (INT64_C(30) * 24 * 3600 * 1000)

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
    json_key(&w, STR("readOnly"));
    json_bool(&w, scope_reads_only(caller(r)->who.scope));
    json_key(&w, STR("confined"));
    json_bool(&w, scope_confines(caller(r)->who.scope));
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

/* ---- Signing out -------------------------------------------------------- */

/* Whoever signed in at a provider is told where to sign out there, too. */
static void signed_out(struct request *r, const struct login *l)
{
    struct str url =
        l && str_eq(l->method, STR("oidc")) ? oidc_logout_url(r) : STR_NONE;
    struct buf b = BUF(OUT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (!cookie_send(r, STR(""), 0, is_secure(r))) {
        no_memory(r);
        return;
    }
    if (!url.p) {
        reply_empty(r, 204);
        return;
    }
    json_object(&w);
    json_key(&w, STR("logoutUrl"));
    json_str(&w, url);
    json_end(&w, '}');
    reply_json(r, 200, &b);
}

/* The row first: when that fails the browser can try again. */
static void sign_out(struct request *r)
{
    struct login_revoke op = {.id = STR_NONE};
    struct footnote_err err;
    struct login l;
    bool had;
    enum footnote_rc rc = r->rc;

    r->reply.no_store = true;
    had = auth_login_of(services(r)->auth, r, &l) && !l.revoked_ms;
    if (had) {
        struct audit_note note;

        audit_note_make(&note, AUDIT_SIGN_OUT, l.id, l.key_prefix,
                        str_c(caller(r)->client));
        op = (struct login_revoke){l.id, l.tenant, l.user};
        rc = store_write_noted(services(r)->store,
                               (struct who){l.tenant, l.user}, OP(login_revoke),
                               &op, &note, &err);
    } else if (r->rc != FOOTNOTE_OK) {
        rc = r->rc;
        err = r->err;
    }
    if (rc != FOOTNOTE_OK)
        reply_rc(r, rc, &err, NULL);
    else
        signed_out(r, had ? &l : NULL);
}

void api_logout(struct request *r)
{
    if (services(r)->provider) /* it may be asked where */
        request_work_slow(r, sign_out);
    else
        request_work_quick(r, sign_out, NULL);
}

/* ---- Signing in --------------------------------------------------------- */

struct credentials {
    struct str key, token; /* one of them */
};

static int64_t earlier(int64_t a, int64_t b)
{
    return b > 0 && b < a ? b : a;
}

bool login_make(struct request *r, const struct group_courses *groups)
{
    const struct caller *c = caller(r);
    const struct config *config = services(r)->config;
    int64_t now_ms = clock_wall_ms();
    int64_t most = config->login_ms_max > 0 ? config->login_ms_max : LASTS_MS;
    struct login_add op = {.method = c->auth,
                           .key_prefix = c->key_prefix,
                           .agent = request_header(r, STR("user-agent")),
                           .admin = c->claims_admin,
                           .groups = groups,
                           .expires_ms = earlier(now_ms + most, c->expires_ms)};
    struct who who = {c->who.tenant, c->who.user};
    struct audit_note note;
    bool sent = false;

    audit_note_make(&note, AUDIT_SIGN_IN, c->auth, c->key_prefix,
                    str_c(c->client));
    if (op.expires_ms <= now_ms) {
        r->rc = FOOTNOTE_OK;
        return false;
    }
    r->rc = store_write_noted(services(r)->store, who, OP(login_add), &op,
                              &note, &r->err);
    if (r->rc == FOOTNOTE_OK) {
        sent = cookie_send(r, str_c(op.cookie), (op.expires_ms - now_ms) / 1000,
                           is_secure(r));
        if (!sent)
            r->rc = err_set(&r->err, FOOTNOTE_NOMEM, "signing in");
    }
    explicit_bzero(op.cookie, sizeof(op.cookie));
    return sent;
}

static void make_login(struct request *r)
{
    if (login_make(r, NULL))
        reply_me(r);
    else if (r->rc != FOOTNOTE_OK)
        reply_rc(r, r->rc, &r->err, NULL);
    else
        admit_refuse(r);
}

static void sign_in(struct request *r)
{
    const struct credentials *l = r->state;
    struct str credential = l->key.p ? l->key : l->token;

    /* A token in the place of a key, and the reverse, is a mistake. */
    if (str_starts(credential, STR("fn_")) != (l->key.p != NULL) ||
        auth_try(services(r)->auth, r, credential) != AUTH_OK)
        admit_refuse(r);
    else
        make_login(r);
}

static const struct field login_fields[] = {
    {.name = {"key", 3},
     .kind = FIELD_TEXT,
     .offset = offsetof(struct credentials, key)},
    {.name = {"token", 5},
     .kind = FIELD_TEXT,
     .offset = offsetof(struct credentials, token)},
};
enum { LOGIN_FIELDS = sizeof(login_fields) / sizeof(login_fields[0]) };

void api_login(struct request *r)
{
    struct intake in = {.a = &r->arena};
    struct json *body = request_json(r);
    struct credentials *l = arena_new(&r->arena, struct credentials);

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
    request_work_quick(r, sign_in, NULL);
}
