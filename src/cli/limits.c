/* limits.c - what a question of the command line is limited to. */
#include "cli/limits.h"

#include "http/shape/scope.h"

struct str limits_next(struct str *rest)
{
    struct str item = {rest->p, str_find(*rest, ',')};

    *rest = str_skip(*rest, item.n < rest->n ? item.n + 1 : item.n);
    return item;
}

static int read_documents(struct cli *c, struct limits *l)
{
    struct str rest = l->documents;
    struct str *ids = arena_many(&c->arena, FILTER_DOCUMENTS_MAX, struct str);
    struct footnote_err err;

    if (!ids)
        return cli_fail(c, arena_rc(&c->arena, &err), &err);
    l->filter.documents = ids;
    while (rest.n) {
        if (l->filter.documents_n == FILTER_DOCUMENTS_MAX)
            return cli_usage(c, "--document: at most %d",
                             (int)FILTER_DOCUMENTS_MAX);
        ids[l->filter.documents_n++] = limits_next(&rest);
    }
    return CLI_GO_ON;
}

int limits_read(struct cli *c, struct limits *l)
{
    struct str rest = l->kinds;
    struct footnote_err err = {.text = ""};

    while (rest.n)
        if (!scope_add_kind(&l->filter, limits_next(&rest)))
            return cli_usage(c, "--kind: is slides, lecture, journal, page or "
                                "text");
    if (l->changed.p && !scope_set_changed(&l->filter, l->changed))
        return cli_usage(c, "--changed-since: is a day, or a time like "
                            "2026-02-26T20:15:00Z");
    l->filter.from = l->from;
    l->filter.to = l->to;
    if (filter_check(&l->filter, &err) != FOOTNOTE_OK)
        return cli_usage(c, "%s", err.text);
    return read_documents(c, l);
}

void limits_say_empty(struct buf *b, bool waits)
{
    buf_add(b, waits ? STR("What the question is limited to is still being "
                           "read in.\n")
                     : STR("No document lies in what the question is limited "
                           "to.\n"));
}
