/* man.c - manual pages, in the macros of man(7). */
#include <stdio.h>

#include "cli/help.h"
#include "cli/manual/manual.h"

/* ---- Text ---------------------------------------------------------------- */

/* A dash must stay one when it is copied; a dot at a line's beginning would be
 * a macro. */
static void add_line(struct buf *b, struct str line)
{
    if (line.n && (line.p[0] == '.' || line.p[0] == '\''))
        buf_add(b, STR("\\&"));
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '\\')
            buf_add(b, STR("\\e"));
        else if (line.p[i] == '-')
            buf_add(b, STR("\\-"));
        else
            buf_add_c(b, line.p[i]);
    }
    buf_add_c(b, '\n');
}

static void add_text(struct buf *b, const char *text)
{
    add_line(b, str_c(text));
}

static void begin(struct buf *b, const char *title, int section)
{
    struct config_build build = config_build();

    buf_printf(b, ".TH \"%s\" \"%d\" \"\" \"footnote %.*s\" \"Footnote\"\n",
               title, section, STR_ARG(build.version));
}

/* ---- Parts of a verb's help -----------------------------------------------
 */

static struct str take_line(struct str *text)
{
    size_t n = str_find(*text, '\n');
    struct str line = {text->p, n};

    *text = str_skip(*text, n < text->n ? n + 1 : n);
    return line;
}

/* The examples come first, up to an empty line. */
static void add_examples(struct buf *b, struct str *usage)
{
    buf_add(b, STR(".SH EXAMPLES\n.nf\n"));
    while (usage->n) {
        struct str line = take_line(usage);

        if (line.n == 0)
            break;
        add_line(b, str_starts(line, STR("  ")) ? str_skip(line, 2) : line);
    }
    buf_add(b, STR(".fi\n"));
}

/* Then it is said what the verb does, up to the options. */
static void add_description(struct buf *b, struct str usage)
{
    bool drawn = false;

    buf_add(b, STR(".SH DESCRIPTION\n"));
    while (usage.n && !str_starts(usage, STR("  -"))) {
        struct str line = take_line(&usage);
        bool table = str_starts(line, STR("  "));

        if (table != drawn)
            buf_add(b, table ? STR(".nf\n") : STR(".fi\n"));
        drawn = table;
        if (line.n == 0)
            buf_add(b, STR(".PP\n"));
        else
            add_line(b, line);
    }
    if (drawn)
        buf_add(b, STR(".fi\n"));
}

/* Of those that every verb has, the ones that `v` says nothing about. */
static void add_options(struct buf *b, const char *usage, const struct verb *v)
{
    struct help_options list = {.usage = str_c(usage)};
    struct help_option o;
    struct str more;

    while (help_next_option(&list, &o)) {
        if (v && help_is_own(v, o.name))
            continue;
        buf_add(b, STR(".TP\n.B "));
        add_line(b, o.name);
        b->n -= b->n > 0; /* the value stands on the same line */
        if (o.value.n)
            buf_printf(b, " \\fI%.*s\\fR", STR_ARG(o.value));
        buf_add_c(b, '\n');
        if (o.help.n)
            add_line(b, o.help);
        while (help_more(&list, &more))
            add_line(b, more);
    }
}

static void add_settings(struct buf *b, bool as_flags)
{
    const char *group = "";

    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        const char *file = s->secrecy == CONFIG_SECRET ? "-file" : "";

        if (strcmp(group, s->group) != 0)
            buf_printf(b, ".SS \"%s\"\n", s->group);
        group = s->group;
        buf_printf(b, ".TP\n.B %s%s%s", as_flags ? "\\-\\-" : "", s->name,
                   file);
        if (*help_value_name(s))
            buf_printf(b, "%s\\fI%s\\fR", as_flags ? " " : " = ",
                       help_value_name(s));
        buf_add_c(b, '\n');
        add_text(b, s->help);
        if (s->preset)
            buf_printf(b, "Default: %s\n", s->preset);
    }
}

/* ---- The pages ------------------------------------------------------------
 */

static void add_exit_codes(struct buf *b)
{
    static const char *const codes[][2] = {
        {"0", "done"},
        {"1", "failed"},
        {"2", "wrong words"},
        {"3", "not found"},
        {"4", "some items failed, the others are done"},
        {"5", "the server cannot be reached"},
        {"6", "not allowed"},
        {"7", "wrong settings"},
        {"8", "data is damaged, or newer than the program"},
        {"75", "not now: try again"},
        {"128+n", "ended by signal n"}};

    buf_add(b, STR(".SH \"EXIT STATUS\"\n"));
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        buf_printf(b, ".TP\n.B %s\n%s\n", codes[i][0], codes[i][1]);
}

static void add_files(struct buf *b)
{
    buf_add(b, STR(".SH FILES\n.TP\n.I /etc/footnote/footnote.toml\n"
                   "settings, see footnote.toml(5)\n.TP\n"
                   ".I ~/.config/footnote/footnote.toml\n"
                   "your own, instead of the former\n"));
}

static void whole_page(struct buf *b)
{
    begin(b, "FOOTNOTE", 1);
    buf_add(b, STR(".SH NAME\nfootnote \\- answers from your own documents, "
                   "with citations that last\n.SH SYNOPSIS\n.B footnote\n"
                   ".I VERB\n[options]\n.SH VERBS\n"));
    for (size_t i = 0; i < cli_verbs_n; i++)
        buf_printf(b, ".TP\n.B %s\n%s: see footnote\\-%s(1)\n",
                   cli_verbs[i].name, cli_verbs[i].summary, cli_verbs[i].name);
    buf_add(b, STR(".SH OPTIONS\nof every verb:\n"));
    add_options(b, help_common, NULL);
    add_exit_codes(b);
    add_files(b);
}

void manual_page(struct buf *b, const struct verb *v)
{
    struct str usage;
    char title[64];

    if (!v) {
        whole_page(b);
        return;
    }
    usage = str_c(v->usage);
    snprintf(title, sizeof(title), "footnote-%s", v->name);
    begin(b, title, 1);
    buf_printf(b,
               ".SH NAME\nfootnote\\-%s \\- %s\n.SH SYNOPSIS\n.B footnote %s\n"
               "[options]\n",
               v->name, v->summary, v->name);
    add_examples(b, &usage);
    add_description(b, usage);
    buf_add(b, STR(".SH OPTIONS\n"));
    add_options(b, v->usage, NULL);
    add_options(b, help_common, v);
    if (v->shows_settings) {
        buf_add(b, STR(".SH SETTINGS\n"));
        add_settings(b, true);
    }
    add_exit_codes(b);
    buf_add(b, STR(".SH \"SEE ALSO\"\nfootnote(1), footnote.toml(5)\n"));
}

void manual_settings_page(struct buf *b)
{
    begin(b, "footnote.toml", 5);
    buf_add(b, STR(".SH NAME\nfootnote.toml \\- settings of footnote\n"
                   ".SH DESCRIPTION\nA setting is a line of this file, a flag "
                   "of\n.B footnote serve\nor a variable: idle\\-ms = 5000, "
                   "\\-\\-idle\\-ms 5s, FOOTNOTE_IDLE_MS=5s.\n"
                   "A flag wins over a variable, that over the file that "
                   "\\-\\-config names,\nthat over your own file, that over "
                   "the one in /etc.\n.PP\n.B footnote help \\-\\-toml\n"
                   "prints a file of all of them.\n.SH SETTINGS\n"));
    add_settings(b, false);
    buf_add(b, STR(".SH \"SEE ALSO\"\nfootnote\\-serve(1), "
                   "footnote\\-config(1)\n"));
}
