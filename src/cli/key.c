/* key.c - `footnote key`: adds, lists and revokes keys for --auth key.
 *
 * It works on the database itself: a user who can open that needs no key. */
#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"
#include "store/session/access.h"

#include <assert.h>
#include <stdio.h>

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

/* Any name will do: these operations see every tenant. */
static struct who operator(void)
{
    return (struct who){STR("default"), STR("local")};
}

static void close_store(struct store **st)
{
    if (*st)
        store_close(*st);
}

/* ---- add ----------------------------------------------------------------- */

static void add_time(struct json_out *w, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT + 1];

    clock_text(ms, text);
    json_key(w, str_c(key));
    json_str(w, ms ? str_c(text) : STR_NONE);
}

static void key_json(struct json_out *w, const struct access_key *k)
{
    json_key(w, STR("prefix"));
    json_str(w, k->prefix);
    json_key(w, STR("tenant"));
    json_str(w, k->tenant);
    json_key(w, STR("userId"));
    json_str(w, k->user);
    json_key(w, STR("admin"));
    json_bool(w, k->admin);
    add_time(w, "createdAt", k->created_ms);
}

static int add_key(struct cli *c, struct store *st, struct who who, bool admin)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct access_key_add op = {.admin = admin};
    struct footnote_err err;
    enum footnote_rc rc = store_write(st, who, OP(access_key_add), &op, &err);
    struct json_out w = JSON_OUT(&b);

    if (rc == FOOTNOTE_INVALID)
        return cli_usage(c, "%s", err.text);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    if (c->json) {
        struct str key = str_c(op.key_text);
        struct access_key k = {access_prefix(key), who.tenant, who.user, admin,
                               .created_ms = op.created_ms};

        json_object(&w);
        json_key(&w, STR("key"));
        json_str(&w, key);
        key_json(&w, &k);
        json_end(&w, '}');
        buf_add_c(&b, '\n');
    } else {
        buf_printf(&b, "%s\n", op.key_text);
    }
    explicit_bzero(op.key_text, sizeof(op.key_text));
    return cli_print(c, &b);
}

/* ---- list ---------------------------------------------------------------- */

static void list_text(struct buf *b, const struct access_key_list *op)
{
    char made[CLOCK_TEXT + 1], revoked[CLOCK_TEXT + 1];

    for (size_t i = 0; i < op->keys_n; i++) {
        const struct access_key *k = &op->keys[i];

        clock_text(k->created_ms, made);
        clock_text(k->revoked_ms, revoked);
        buf_printf(b, "fn_%.*s  %s  %.*s/%.*s%s%s%s\n", STR_ARG(k->prefix),
                   made, STR_ARG(k->tenant), STR_ARG(k->user),
                   k->admin ? "  admin" : "", k->revoked_ms ? "  revoked " : "",
                   k->revoked_ms ? revoked : "");
    }
}

static void list_json(struct buf *b, const struct access_key_list *op)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("keys"));
    json_array(&w);
    for (size_t i = 0; i < op->keys_n; i++) {
        json_object(&w);
        key_json(&w, &op->keys[i]);
        add_time(&w, "revokedAt", op->keys[i].revoked_ms);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_end(&w, '}');
    buf_add_c(b, '\n');
}

static int list_keys(struct cli *c, struct store *st)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct access_key_list op = {.limit = 0};
    struct footnote_err err;
    enum footnote_rc rc =
        store_read(st, operator(), &c->arena, OP(access_key_list), &op, &err);

    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    if (c->json)
        list_json(&b, &op);
    else
        list_text(&b, &op);
    return cli_print(c, &b);
}

/* ---- revoke -------------------------------------------------------------- */

static int revoke_key(struct cli *c, struct store *st, struct str word)
{
    struct access_key_revoke op = {.prefix = access_prefix(word)};
    struct footnote_err err;
    enum footnote_rc rc;

    if (!op.prefix.p) /* not a whole key: fn_PREFIX or PREFIX */
        op.prefix = str_skip(word, str_starts(word, STR("fn_")) ? 3 : 0);
    rc = store_write(st, operator(), OP(access_key_revoke), &op, &err);
    return rc == FOOTNOTE_OK ? CLI_DONE : cli_fail(c, rc, &err);
}

/* ---- The verb ------------------------------------------------------------ */

static int run(struct cli *c, struct str tenant, bool admin)
{
    AUTO(close_store) struct store *st = NULL;
    struct str what = c->operands[0];
    struct footnote_err err;
    enum footnote_rc rc = str_eq(what, STR("add"))
                              ? folder_enter(&c->config, &err)
                              : folder_enter_existing(&c->config, &err);

    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    rc = folder_open_store(&c->arena, &c->config, &st, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    if (str_eq(what, STR("list")))
        return list_keys(c, st);
    assert(c->operands_n == 2);
    if (str_eq(what, STR("revoke")))
        return revoke_key(c, st, c->operands[1]);
    return add_key(c, st, (struct who){tenant, c->operands[1]}, admin);
}

int verb_key(struct cli *c)
{
    struct str tenant = STR_NONE;
    bool admin = false, is_add;
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "admin", .on = &admin},
                                         {.name = "tenant", .text = &tenant}};
    int code = cli_read(c, options, 3);

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 2, "add, list or revoke");
    if (code != CLI_GO_ON)
        return code;
    is_add = str_eq(c->operands[0], STR("add"));
    if (str_eq(c->operands[0], STR("list")))
        code = cli_expect(c, 1, 1, "");
    else if (str_eq(c->operands[0], STR("revoke")))
        code = cli_expect(c, 2, 2, "the beginning of the key");
    else if (is_add)
        code = cli_expect(c, 2, 2, "the user");
    else
        code = cli_usage(c, "\"%.50s\" is none of add, list and revoke",
                         c->operands[0].p);
    if (code == CLI_GO_ON && !is_add && (admin || tenant.p))
        code = cli_usage(c, "--admin and --tenant are for a new key");
    if (code != CLI_GO_ON)
        return code;
    return run(c, tenant.p ? tenant : STR("default"), admin);
}
