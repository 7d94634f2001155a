/* config.c - `footnote config`: shows the settings, or checks them. */
#include "cli/cli.h"
#include "config/table.h"

enum { TEXT_BYTES_MAX = 1024 * 1024, ORIGIN_COLUMN = 44 };

/* Prints a file that --config can read again.  Secrets, which such a file must
 * not hold, are comments. */
static void show_text(struct buf *b, const struct cli *c, bool origin)
{
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        size_t start = b->n;

        buf_printf(b, "%s%s = ", s->secrecy == CONFIG_SECRET ? "# " : "",
                   s->name);
        config_print(b, s, &c->config);
        while (origin && b->n > start && b->n - start < ORIGIN_COLUMN &&
               !b->broken)
            buf_add_c(b, ' ');
        if (origin)
            buf_printf(b, " # %.*s", STR_ARG(c->in.from[i].where));
        buf_add_c(b, '\n');
    }
    config_models_print(b, &c->config);
}

static void show_json(struct buf *b, const struct cli *c, bool origin)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        json_key(&w, str_c(s->name));
        if (!origin) {
            config_print_json(&w, s, &c->config);
            continue;
        }
        json_object(&w);
        json_key(&w, STR("value"));
        config_print_json(&w, s, &c->config);
        json_key(&w, STR("origin"));
        json_str(&w, c->in.from[i].where);
        json_end(&w, '}');
    }
    json_key(&w, STR("models"));
    config_models_print_json(&w, &c->config);
    json_end(&w, '}');
    buf_add_c(b, '\n');
}

int verb_config(struct cli *c)
{
    bool origin = false;
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "origin", .on = &origin}};
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct footnote_err err;
    int code = cli_read(c, options, 2);

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "show or check");
    if (code != CLI_GO_ON)
        return code;
    if (str_eq(c->operands[0], STR("check"))) {
        if (preflight(c, &err) != FOOTNOTE_OK)
            return cli_fail_config(c, &err);
        buf_add(&b, c->json ? STR("{\"ok\":true}\n") : STR("ok\n"));
        return cli_print(c, &b);
    }
    if (!str_eq(c->operands[0], STR("show")))
        return cli_usage(c, "\"%.50s\" is neither show nor check",
                         c->operands[0].p);
    if (c->json)
        show_json(&b, c, origin);
    else
        show_text(&b, c, origin);
    return cli_print(c, &b);
}
