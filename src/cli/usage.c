/* usage.c - `footnote usage`: what each user keeps, and whether the counters
 * say so. */
#include "store/usage.h"
#include "base/json.h"
#include "cli/cli.h"

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

static void close_store(struct store **st)
{
    if (*st)
        store_close(*st);
}

/* ---- Output -------------------------------------------------------------- */

static void add_text(struct buf *b, const struct usage_account *a, bool wrong)
{
    const struct usage *u = &a->kept;
    long long bytes = u->bytes + u->source_bytes;

    buf_printf(b, "%.*s/%.*s  %lld bytes  %lld documents  %lld sessions",
               STR_ARG(a->tenant), STR_ARG(a->user), bytes,
               (long long)u->documents, (long long)u->sessions);
    bytes = a->counted.bytes + a->counted.source_bytes;
    if (wrong)
        buf_printf(b, "  counted as %lld, %lld, %lld", bytes,
                   (long long)a->counted.documents,
                   (long long)a->counted.sessions);
    buf_add_c(b, '\n');
}

static void add_number(struct json_out *w, const char *key, int64_t n)
{
    json_key(w, str_c(key));
    json_i64(w, n);
}

static void add_json(struct json_out *w, const struct usage_account *a,
                     bool wrong)
{
    json_object(w);
    json_key(w, STR("tenant"));
    json_str(w, a->tenant);
    json_key(w, STR("userId"));
    json_str(w, a->user);
    add_number(w, "bytes", a->kept.bytes + a->kept.source_bytes);
    add_number(w, "documents", a->kept.documents);
    add_number(w, "sessions", a->kept.sessions);
    json_key(w, STR("counted"));
    json_bool(w, !wrong);
    json_end(w, '}');
}

static int print(struct cli *c, const struct usage_list *list)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (c->json) {
        json_object(&w);
        json_key(&w, STR("accounts"));
        json_array(&w);
    }
    for (size_t i = 0; i < list->accounts_n; i++) {
        const struct usage_account *a = &list->accounts[i];

        if (c->json)
            add_json(&w, a, usage_is_wrong(a));
        else
            add_text(&b, a, usage_is_wrong(a));
    }
    if (c->json) {
        json_end(&w, ']');
        json_end(&w, '}');
        buf_add_c(&b, '\n');
    }
    return cli_print(c, &b);
}

/* ---- The verb ------------------------------------------------------------ */

static int run(struct cli *c, bool mend)
{
    AUTO(close_store) struct store *st = NULL;
    struct usage_list list = {.accounts = NULL};
    struct footnote_err err;
    enum footnote_rc rc = folder_enter_existing(&c->config, &err);
    bool wrong = false;
    int code;

    if (rc == FOOTNOTE_OK)
        rc = folder_open_store(&c->arena, &c->config, &st, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    rc = store_own_read(st, &c->arena, OP(usage_list), &list, &err);
    if (rc == FOOTNOTE_OK && mend)
        rc = usage_mend_all(st, &list, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    code = print(c, &list);
    for (size_t i = 0; i < list.accounts_n; i++)
        wrong |= usage_is_wrong(&list.accounts[i]);
    return code == CLI_DONE && wrong && !mend ? CLI_DAMAGED : code;
}

int verb_usage(struct cli *c)
{
    bool mend = false;
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "mend", .on = &mend}};
    int code = cli_read(c, options, 2);

    if (code == CLI_GO_ON)
        code = cli_expect(c, 0, 0, "");
    return code == CLI_GO_ON ? run(c, mend) : code;
}
