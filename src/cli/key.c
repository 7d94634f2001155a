/* key.c - `footnote key`: adds, lists and revokes keys for --auth key.
 *
 * It works on the database itself: a user who can open that needs no key. */
#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"
#include "http/shape/access.h"
#include "store/session/access.h"
#include "store/session/scope.h"

#include <assert.h>
#include <stdio.h>

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };
#define DAY_MS INT64_C(86400000)

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

/* What `add` takes beside the user. */
struct new_key {
    struct str tenant, label, courses, days;
    bool admin, read_only;
};

static enum footnote_rc read_new(struct cli *c, const struct new_key *n,
                                 struct access_key_add *op,
                                 struct footnote_err *err)
{
    struct str courses[SCOPE_COURSES_MAX + 1], left = n->courses;
    size_t courses_n = 0;
    int64_t days;

    op->admin = n->admin;
    op->label = n->label;
    while (courses_n <= SCOPE_COURSES_MAX &&
           config_next_item(&left, &courses[courses_n]))
        courses_n++;
    if (n->courses.p && courses_n == 0)
        return err_field(err, FOOTNOTE_INVALID, "courses", "none is named");
    if (n->days.p && (!str_i64(n->days, &days) || days < 1 || days > 36500))
        return err_field(err, FOOTNOTE_INVALID, "days", "it takes 1 to 36500");
    if (n->days.p)
        op->expires_ms = clock_wall_ms() + days * DAY_MS;
    return scope_make(&c->arena, n->read_only, courses, courses_n, &op->scope,
                      err);
}

static int add_key(struct cli *c, struct store *st, const struct new_key *n)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct who who = {n->tenant, c->operands[1]};
    struct access_key_add op = {.user = who.user};
    struct footnote_err err;
    enum footnote_rc rc = read_new(c, n, &op, &err);
    struct json_out w = JSON_OUT(&b);

    if (rc == FOOTNOTE_OK)
        rc = store_write(st, who, OP(access_key_add), &op, &err);

    if (rc == FOOTNOTE_INVALID)
        return cli_usage(c, "%s", err.text);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    if (c->json) {
        struct str key = str_c(op.key_text);
        struct access_key k = {.prefix = access_prefix(key),
                               .tenant = who.tenant,
                               .user = who.user,
                               .admin = n->admin,
                               .label = op.label,
                               .scope = op.scope,
                               .expires_ms = op.expires_ms,
                               .created_ms = op.created_ms};

        json_object(&w);
        json_key(&w, STR("key"));
        json_str(&w, key);
        shape_key_fields(&w, &k);
        json_end(&w, '}');
        buf_add_c(&b, '\n');
    } else {
        buf_printf(&b, "%s\n", op.key_text);
    }
    explicit_bzero(op.key_text, sizeof(op.key_text));
    return cli_print(c, &b);
}

/* ---- list ---------------------------------------------------------------- */

static void add_time(struct buf *b, const char *word, int64_t ms)
{
    char text[CLOCK_TEXT + 1];

    clock_text(ms, text);
    if (ms)
        buf_printf(b, "  %s %s", word, text);
}

/* "  read only, for physics, chemistry" */
static void add_scope(struct buf *b, struct str scope)
{
    struct str rest = scope, course;
    const char *before = "  for ";

    if (scope_reads_only(scope))
        buf_add(b, STR("  read only"));
    while (scope_next(&rest, &course)) {
        buf_printf(b, "%s%.*s", before, STR_ARG(course));
        before = ", ";
    }
}

static void list_text(struct buf *b, const struct access_key_list *op)
{
    char made[CLOCK_TEXT + 1];

    for (size_t i = 0; i < op->keys_n; i++) {
        const struct access_key *k = &op->keys[i];

        clock_text(k->created_ms, made);
        buf_printf(b, "fn_%.*s  %s  %.*s/%.*s%s", STR_ARG(k->prefix), made,
                   STR_ARG(k->tenant), STR_ARG(k->user),
                   k->admin ? "  admin" : "");
        if (k->label.p)
            buf_printf(b, "  \"%.*s\"", STR_ARG(k->label));
        add_scope(b, k->scope);
        add_time(b, "used", k->last_used_ms);
        add_time(b, "expires", k->expires_ms);
        add_time(b, "revoked", k->revoked_ms);
        buf_add_c(b, '\n');
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
        shape_key_fields(&w, &op->keys[i]);
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

static int run(struct cli *c, const struct new_key *n)
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
    return add_key(c, st, n);
}

/* The operands that fit the first of them, and nothing of `add` for others. */
static int check_words(struct cli *c, const struct new_key *n)
{
    struct str what = c->operands[0];
    bool is_add = str_eq(what, STR("add"));
    int code;

    if (str_eq(what, STR("list")))
        code = cli_expect(c, 1, 1, "");
    else if (str_eq(what, STR("revoke")))
        code = cli_expect(c, 2, 2, "the beginning of the key");
    else if (is_add)
        code = cli_expect(c, 2, 2, "the user");
    else
        code =
            cli_usage(c, "\"%.50s\" is none of add, list and revoke", what.p);
    if (code == CLI_GO_ON && !is_add &&
        (n->admin || n->tenant.p || n->label.p || n->courses.p || n->days.p ||
         n->read_only))
        code = cli_usage(c, "--admin, --tenant, --label, --courses, "
                            "--read-only and --days are for a new key");
    return code;
}

int verb_key(struct cli *c)
{
    struct new_key n = {.admin = false};
    const struct cli_option options[] = {
        {.name = "json", .on = &c->json},
        {.name = "admin", .on = &n.admin},
        {.name = "tenant", .text = &n.tenant},
        {.name = "label", .text = &n.label},
        {.name = "courses", .text = &n.courses},
        {.name = "read-only", .on = &n.read_only},
        {.name = "days", .text = &n.days}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 2, "add, list or revoke");
    if (code == CLI_GO_ON)
        code = check_words(c, &n);
    if (code != CLI_GO_ON)
        return code;
    if (!n.tenant.p)
        n.tenant = STR("default");
    return run(c, &n);
}
