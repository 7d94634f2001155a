/* version.c - `footnote version`: version, commit, schema and compiler. */
#include "base/json.h"
#include "cli/cli.h"

static void add_json(struct buf *b)
{
    const struct config_build build = config_build();
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("version"));
    json_str(&w, build.version);
    json_key(&w, STR("git"));
    json_str(&w, build.git);
    json_key(&w, STR("schema"));
    json_i64(&w, build.schema);
    json_key(&w, STR("compiler"));
    json_str(&w, build.compiler);
    json_end(&w, '}');
}

int verb_version(struct cli *c)
{
    const struct cli_option options[] = {{.name = "json", .on = &c->json}};
    AUTO(buf_free) struct buf b = BUF(4096);
    int code = cli_read(c, options, 1);

    if (code == CLI_GO_ON)
        code = cli_expect(c, 0, 0, "");
    if (code != CLI_GO_ON)
        return code;
    if (c->json)
        add_json(&b);
    else
        buf_printf(&b, "footnote %s", config_build().version.p);
    buf_add_c(&b, '\n');
    return cli_print(c, &b);
}
