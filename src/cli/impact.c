/* impact.c - `footnote impact DOC`: what becomes of answers when it goes. */
#include "store/read/impact.h"
#include "cli/cli.h"
#include "http/shape/shape.h"

enum { TEXT_BYTES_MAX = 4 * 1024 * 1024, LISTED = 20, LISTED_MAX = 1000 };

static void close_store(struct store **st)
{
    if (*st)
        store_close(*st);
}

static void add_count(struct buf *b, const struct document_impact *i, size_t n,
                      const char *one, const char *many)
{
    buf_printf(b, "%s%zu %s", i->complete ? "" : "at least ", n,
               n == 1 ? one : many);
}

static void add_line(struct buf *b, const struct document_impact *i,
                     const char *when, const struct impact_counts *n,
                     const char *state)
{
    buf_printf(b, "  %s  ", when);
    add_count(b, i, n->answers, "answer reads", "answers read");
    buf_printf(b, " \"%s\", and %zu of them cite%s it in their text\n", state,
               n->cited, n->cited == 1 ? "s" : "");
}

static void show_list(struct buf *b, const struct document_impact *i,
                      struct str user)
{
    if (i->list_n == 0)
        return;
    buf_printf(b, "\nThose of %.*s:\n", STR_ARG(user));
    for (size_t k = 0; k < i->list_n; k++) {
        const struct impact_answer *a = &i->list[k];

        buf_printf(b, "  %.*s  %.*s  deleted%s%s\n", STR_ARG(a->session),
                   STR_ARG(a->message), a->replaced ? ", changed" : "",
                   a->cited ? "" : "  (only read)");
    }
    if (i->list_more)
        buf_add(b, STR("  and more: --limit N\n"));
}

static void show_text(struct buf *b, const struct document_impact *i,
                      struct str user)
{
    buf_printf(b, "%.*s (%.*s in %.*s), version %lld\n",
               STR_ARG(i->title.p ? i->title : i->document),
               STR_ARG(i->document), STR_ARG(i->course), (long long)i->version);
    if (i->deleted.answers == 0) {
        buf_add(b, STR("No answer rests on it.\n"));
        return;
    }
    add_count(b, i, i->deleted.answers, "answer", "answers");
    buf_printf(b, " of %zu session%s rest%s on it.\n", i->sessions,
               i->sessions == 1 ? "" : "s", i->deleted.answers == 1 ? "s" : "");
    add_line(b, i, "if it is deleted:    ", &i->deleted, "deleted");
    add_line(b, i, "if it gets a version:", &i->replaced, "changed");
    show_list(b, i, user);
}

static enum footnote_rc run(struct cli *c, struct who who,
                            struct document_impact *op, struct buf *b,
                            struct footnote_err *err)
{
    AUTO(close_store) struct store *st = NULL;

    TRY(folder_enter(&c->config, err));
    TRY(folder_open_store(&c->arena, &c->config, &st, err));
    TRY(store_read(st, who, &c->arena, OP(document_impact), op, err));
    if (c->json) {
        shape_impact(b, op);
        buf_add_c(b, '\n');
    } else {
        show_text(b, op, who.user);
    }
    return FOOTNOTE_OK;
}

int verb_impact(struct cli *c)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct document_impact op = {.complete = true};
    struct who who = {STR("default"), STR("local")};
    struct str limit = STR_NONE;
    const struct cli_option options[] = {
        {.name = "json", .on = &c->json},
        {.name = "course", .text = &op.course},
        {.name = "user", .text = &who.user},
        {.name = "tenant", .text = &who.tenant},
        {.name = "limit", .text = &limit}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));
    struct footnote_err err;
    enum footnote_rc rc;
    int64_t n = LISTED;

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "the document's id");
    if (code != CLI_GO_ON)
        return code;
    if (limit.p && (!str_i64(limit, &n) || n < 1 || n > LISTED_MAX))
        return cli_usage(c, "--limit: not 1 to %d", LISTED_MAX);
    op.limit = (size_t)n;
    op.document = c->operands[0];
    rc = run(c, who, &op, &b, &err);
    return rc == FOOTNOTE_OK ? cli_print(c, &b) : cli_fail(c, rc, &err);
}
