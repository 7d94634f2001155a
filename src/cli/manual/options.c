/* options.c - the options that the help of a verb lists.
 *
 *     "  --course NAME           its id or title"
 *     "  -q, --quiet             say less"
 *     "  --data DIR, --config FILE   as for serve" */
#include "cli/help.h"

/* A value is in capitals, or words to choose from. */
static struct str take_value(struct str *line)
{
    struct str rest = str_skip(*line, 1);
    size_t n = 0;

    if (line->n < 2 || line->p[0] != ' ')
        return STR_NONE;
    while (n < rest.n && rest.p[n] != ' ' && rest.p[n] != ',')
        n++;
    if (n == 0 || rest.p[0] == '-' ||
        !((rest.p[0] >= 'A' && rest.p[0] <= 'Z') ||
          memchr(rest.p, '|', n) != NULL))
        return STR_NONE;
    *line = str_skip(rest, n);
    return (struct str){rest.p, n};
}

static void take_help(struct str line, struct help_option *out)
{
    while (line.n && line.p[0] == ' ')
        line = str_skip(line, 1);
    out->help = line;
}

/* The next line that begins an option. */
static bool next_line(struct str *usage, struct str *line)
{
    while (usage->n) {
        size_t n = str_find(*usage, '\n');

        *line = (struct str){usage->p, n};
        *usage = str_skip(*usage, n < usage->n ? n + 1 : n);
        if (str_starts(*line, STR("  -")))
            return true;
    }
    return false;
}

bool help_next_option(struct help_options *o, struct help_option *out)
{
    size_t n = 0;

    if (!o->line.n || o->line.p[0] != '-') {
        if (!next_line(&o->usage, &o->line))
            return false;
        o->line = str_skip(o->line, 2);
    }
    while (n < o->line.n && o->line.p[n] != ' ' && o->line.p[n] != ',')
        n++;
    *out = (struct help_option){.name = {o->line.p, n}, .help = STR("")};
    o->line = str_skip(o->line, n);
    out->value = take_value(&o->line);
    if (str_starts(o->line, STR(", -"))) {
        o->line = str_skip(o->line, 2);
        return true;
    }
    if (o->line.n && o->line.p[0] != ',')
        take_help(o->line, out);
    o->line = STR_NONE;
    return true;
}

bool help_more(struct help_options *o, struct str *line)
{
    const struct str indent = STR("          ");

    if (o->line.n || !str_starts(o->usage, indent))
        return false;
    *line = (struct str){o->usage.p, str_find(o->usage, '\n')};
    o->usage = str_skip(o->usage, line->n < o->usage.n ? line->n + 1 : line->n);
    while (line->n && line->p[0] == ' ')
        *line = str_skip(*line, 1);
    return true;
}

bool help_is_own(const struct verb *v, struct str name)
{
    struct help_options list = {.usage = str_c(v->usage)};
    struct help_option o;

    while (help_next_option(&list, &o))
        if (str_eq(o.name, name))
            return true;
    return false;
}
