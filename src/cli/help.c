/* help.c - help, made from the tables of verbs and settings. */
#include <assert.h>
#include <stdio.h>

#include "cli/help.h"

enum { COLUMN = 26, WIDTH = 79 };

const char help_common[] =
    "  -q, --quiet             only what went wrong\n"
    "  -v, --verbose           what happens inside, on stderr\n"
    "  --color auto|always|never   default: on a terminal, without NO_COLOR\n"
    "  -h, --help              this text\n";

void help_program(struct buf *b)
{
    buf_add(b, STR("footnote - answers from your own documents, with citations "
                   "that last\n\n"
                   "  footnote serve --demo --data try    try it\n\n"));
    for (size_t i = 0; i < cli_verbs_n; i++)
        buf_printf(b, "  %-10s %s\n", cli_verbs[i].name, cli_verbs[i].summary);
    buf_add(b, STR("\nfootnote VERB --help tells more.\n"));
}

const char *help_value_name(const struct setting *s)
{
    if (s->secrecy == CONFIG_SECRET)
        return "FILE";
    if (s->value)
        return s->value;
    switch (s->type) {
    case CONFIG_TEXT: return "TEXT";
    case CONFIG_WORD:
    case CONFIG_WORDS: return s->words;
    case CONFIG_LIST: return "LIST";
    case CONFIG_INTEGER: return "N";
    case CONFIG_BYTES: return "BYTES";
    case CONFIG_MS: return "TIME";
    case CONFIG_SWITCH: return "";
    }
    return "";
}

/* Adds a text from COLUMN on, broken between words. */
static void add_wrapped(struct buf *b, size_t at, const char *text)
{
    struct str left = str_c(text);

    while (left.n) {
        size_t n = str_find(left, ' ');

        if (at > COLUMN && at + 1 + n > WIDTH) {
            buf_add_c(b, '\n');
            at = 0;
        } else if (at > COLUMN) {
            buf_add_c(b, ' ');
            at++;
        }
        for (; at < COLUMN; at++)
            buf_add_c(b, ' ');
        buf_add(b, (struct str){left.p, n});
        at += n;
        left = str_skip(left, n < left.n ? n + 1 : n);
    }
    buf_add_c(b, '\n');
}

static void add_setting(struct buf *b, const struct setting *s)
{
    size_t start = b->n;
    bool shown = s->preset && s->type != CONFIG_SWITCH;
    char text[256];
    int n;

    buf_printf(b, "  --%s%s %s", s->name,
               s->secrecy == CONFIG_SECRET ? "-file" : "", help_value_name(s));
    n = snprintf(text, sizeof(text), "%s%s%s%s", s->help, shown ? " [" : "",
                 shown ? s->preset : "", shown ? "]" : "");
    assert(n > 0 && (size_t)n < sizeof(text));
    if (b->n - start > COLUMN - 2) {
        buf_add_c(b, '\n');
        start = b->n;
    }
    add_wrapped(b, b->n - start, text);
}

static void add_settings(struct buf *b)
{
    const char *group = "";

    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        if (strcmp(group, s->group) != 0)
            buf_printf(b, "\n%s:\n", s->group);
        group = s->group;
        add_setting(b, s);
    }
    buf_add(b, STR("\nA setting is a flag (--head-ms 5s), a variable "
                   "(FOOTNOTE_HEAD_MS=5s) or a line\n"
                   "of a file (head-ms = 5000), which --config FILE or "
                   "FOOTNOTE_CONFIG names.\n"));
}

void help_verb(struct buf *b, const struct verb *v)
{
    buf_printf(b, "footnote %s - %s\n\n%s", v->name, v->summary, v->usage);
    buf_add(b, STR("\nEvery verb:\n"));
    buf_add(b, str_c(help_common)); /* its own words above are more exact */
    if (v->shows_settings)
        add_settings(b);
}
