/* verb.c - `footnote help` and `footnote completion`. */
#include "cli/manual/manual.h"

/* ---- The verb ------------------------------------------------------------ */

/* What `footnote help` prints instead of help. */
struct other_form {
    bool man, toml, schema, table, verbs;
};

static int print_other(struct cli *c, const struct other_form *f,
                       const struct verb *v)
{
    AUTO(buf_free) struct buf b = BUF(CLI_MANUAL_BYTES_MAX);

    if (f->man && c->operands_n && !v)
        manual_settings_page(&b);
    else if (f->man)
        manual_page(&b, v);
    else if (f->toml)
        manual_toml(&b);
    else if (f->schema)
        manual_schema(&b);
    else if (f->table)
        manual_table(&b);
    else
        manual_verbs(&b);
    return cli_print(c, &b);
}

int verb_help(struct cli *c)
{
    AUTO(buf_free) struct buf b = BUF(CLI_HELP_BYTES_MAX);
    struct other_form f = {.man = false};
    const struct cli_option options[] = {{.name = "man", .on = &f.man},
                                         {.name = "toml", .on = &f.toml},
                                         {.name = "schema", .on = &f.schema},
                                         {.name = "table", .on = &f.table},
                                         {.name = "verbs", .on = &f.verbs}};
    const struct verb *v = NULL;
    int code = cli_read(c, options, 5), n = 0;

    if (code == CLI_GO_ON)
        code = cli_expect(c, 0, 1, "");
    if (code != CLI_GO_ON)
        return code;
    n = f.man + f.toml + f.schema + f.table + f.verbs;
    if (n > 1)
        return cli_usage(c, "one form at a time");
    if (c->operands_n)
        v = cli_find_verb(c->operands[0]);
    if (c->operands_n && !v &&
        !(f.man && str_eq(c->operands[0], STR("footnote.toml"))))
        return cli_usage(c, "there is no verb \"%.50s\"", c->operands[0].p);
    if (n)
        return print_other(c, &f, v);
    if (v)
        help_verb(&b, v);
    else
        help_program(&b);
    return cli_print(c, &b);
}

int verb_completion(struct cli *c)
{
    AUTO(buf_free) struct buf b = BUF(CLI_MANUAL_BYTES_MAX);
    int code = cli_read(c, NULL, 0);

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "bash, zsh or fish");
    if (code != CLI_GO_ON)
        return code;
    if (!manual_completion(&b, c->operands[0]))
        return cli_usage(c, "\"%.50s\" is none of bash, zsh and fish",
                         c->operands[0].p);
    return cli_print(c, &b);
}
