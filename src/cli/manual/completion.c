/* completion.c - what shells complete the words of a command with. */
#include "cli/help.h"
#include "cli/manual/manual.h"

/* ---- What a value is ------------------------------------------------------
 */

enum kind { NOTHING, WORDS, FOLDER, FILE_NAME, TEXT };

static enum kind kind_of(struct str value, struct str name)
{
    if (!value.n)
        return NOTHING;
    if (str_find(value, '|') < value.n &&
        !(value.p[0] >= 'A' && value.p[0] <= 'Z'))
        return WORDS;
    if (str_eq(value, STR("DIR")))
        return FOLDER;
    if (str_eq(value, STR("FILE")) || str_eq(value, STR("FILE|URL")) ||
        str_eq(name, STR("config")))
        return FILE_NAME;
    return TEXT;
}

/* Words with spaces between instead of bars. */
static void add_words(struct buf *b, struct str words)
{
    for (size_t i = 0; i < words.n; i++) {
        char c = words.p[i];

        if (c == '|')
            c = ' ';
        buf_add_c(b, c);
    }
}

/* ---- All options of a verb, one after the other ----------------------------
 */

struct option {
    struct str name, value, help; /* name with its dashes */
    bool is_secret;               /* NAME-file */
};
struct walk {
    const struct verb *v;
    struct help_options own, common;
    size_t setting;
};

static struct walk walk_of(const struct verb *v)
{
    return (struct walk){.v = v,
                         .own = {.usage = str_c(v->usage)},
                         .common = {.usage = str_c(help_common)},
                         .setting = v->shows_settings ? 0 : config_settings_n};
}

/* The name of a setting has no dashes: `is_setting` says so. */
static bool next(struct walk *w, struct option *out, bool *is_setting)
{
    struct help_option o;
    bool found = help_next_option(&w->own, &o);

    while (!found && help_next_option(&w->common, &o))
        found = !help_is_own(w->v, o.name);
    *is_setting = false;
    if (found) {
        *out = (struct option){o.name, o.value, o.help, false};
        return true;
    }
    if (w->setting == config_settings_n)
        return false;
    const struct setting *s = &config_settings[w->setting++];
    *out = (struct option){str_c(s->name), str_c(help_value_name(s)),
                           str_c(s->help), s->secrecy == CONFIG_SECRET};
    *is_setting = true;
    return true;
}

static void add_name(struct buf *b, const struct option *o, bool is_setting)
{
    buf_printf(b, "%s%.*s%s", is_setting ? "--" : "", STR_ARG(o->name),
               o->is_secret ? "-file" : "");
}

/* ---- bash -----------------------------------------------------------------
 */

static void bash_values(struct buf *b)
{
    buf_add(b, STR("    case $verb:$prev in\n"));
    for (size_t i = 0; i < cli_verbs_n; i++) {
        struct walk w = walk_of(&cli_verbs[i]);
        struct option o;
        bool is_setting;

        while (next(&w, &o, &is_setting)) {
            enum kind kind = kind_of(o.value, o.name);

            if (kind == NOTHING)
                continue;
            buf_printf(b, "    %s:", cli_verbs[i].name);
            add_name(b, &o, is_setting);
            buf_add(b, STR(") "));
            if (kind == WORDS) {
                buf_add(b, STR("COMPREPLY=($(compgen -W \""));
                add_words(b, o.value);
                buf_add(b, STR("\" -- \"$cur\")); return ;;\n"));
            } else if (kind == TEXT) {
                buf_add(b, STR("return ;;\n"));
            } else {
                buf_printf(b,
                           "COMPREPLY=($(compgen -%c -- \"$cur\")); return "
                           ";;\n",
                           kind == FOLDER ? 'd' : 'f');
            }
        }
    }
    buf_add(b, STR("    esac\n"));
}

static void bash(struct buf *b)
{
    buf_add(b, STR("# bash completion for footnote, by `footnote completion "
                   "bash`\n_footnote() {\n"
                   "    local cur=${COMP_WORDS[COMP_CWORD]} words=\n"
                   "    local prev=${COMP_WORDS[COMP_CWORD-1]} "
                   "verb=${COMP_WORDS[1]}\n"
                   "    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "        COMPREPLY=($(compgen -W \""));
    for (size_t i = 0; i < cli_verbs_n; i++)
        buf_printf(b, "%s%s", i ? " " : "", cli_verbs[i].name);
    buf_add(b, STR("\" -- \"$cur\"))\n        return\n    fi\n"));
    bash_values(b);
    buf_add(b, STR("    case $verb in\n"));
    for (size_t i = 0; i < cli_verbs_n; i++) {
        struct walk w = walk_of(&cli_verbs[i]);
        struct option o;
        bool is_setting;

        buf_printf(b, "    %s) words=\"", cli_verbs[i].name);
        while (next(&w, &o, &is_setting)) {
            add_name(b, &o, is_setting);
            buf_add_c(b, ' ');
        }
        buf_add(b, STR("\" ;;\n"));
    }
    buf_add(b, STR("    esac\n"
                   "    if [[ $cur == -* ]]; then\n"
                   "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                   "    else\n"
                   "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                   "    fi\n}\ncomplete -o filenames -F _footnote footnote\n"));
}

/* ---- zsh ------------------------------------------------------------------
 */

/* Inside of '...[...]': neither quotes nor brackets nor colons as they are. */
static void zsh_text(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_add(b, STR("'\\''"));
        else if (strchr("[]:\\", s.p[i]))
            buf_printf(b, "\\%c", s.p[i]);
        else
            buf_add_c(b, s.p[i]);
    }
}

static void zsh_option(struct buf *b, const struct option *o, bool is_setting)
{
    enum kind kind = kind_of(o->value, o->name);

    buf_add(b, STR("            '"));
    add_name(b, o, is_setting);
    buf_add_c(b, '[');
    zsh_text(b, o->help);
    buf_add_c(b, ']');
    if (kind == WORDS) {
        buf_add(b, STR(":value:("));
        add_words(b, o->value);
        buf_add_c(b, ')');
    } else if (kind != NOTHING) {
        buf_add(b, kind == FOLDER      ? STR(":folder:_files -/")
                   : kind == FILE_NAME ? STR(":file:_files")
                                       : STR(":value: "));
    }
    buf_add(b, STR("' \\\n"));
}

static void zsh(struct buf *b)
{
    buf_add(b, STR("#compdef footnote\n# by `footnote completion zsh`\n"
                   "_footnote() {\n    local -a verbs\n    verbs=(\n"));
    for (size_t i = 0; i < cli_verbs_n; i++) {
        buf_printf(b, "        '%s:", cli_verbs[i].name);
        zsh_text(b, str_c(cli_verbs[i].summary));
        buf_add(b, STR("'\n"));
    }
    buf_add(b, STR("    )\n    if (( CURRENT == 2 )); then\n"
                   "        _describe verb verbs\n        return\n    fi\n"
                   "    case $words[2] in\n"));
    for (size_t i = 0; i < cli_verbs_n; i++) {
        struct walk w = walk_of(&cli_verbs[i]);
        struct option o;
        bool is_setting;

        buf_printf(b, "    %s)\n        _arguments \\\n", cli_verbs[i].name);
        while (next(&w, &o, &is_setting))
            zsh_option(b, &o, is_setting);
        buf_add(b, STR("            '*:file:_files'\n        ;;\n"));
    }
    buf_add(b, STR("    esac\n}\nif [ \"$funcstack[1]\" = _footnote ]; then\n"
                   "    _footnote \"$@\"\nelse\n"
                   "    compdef _footnote footnote\nfi\n"));
}

/* ---- fish -----------------------------------------------------------------
 */

static void fish_text(struct buf *b, struct str s)
{
    buf_add_c(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'' || s.p[i] == '\\')
            buf_add_c(b, '\\');
        buf_add_c(b, s.p[i]);
    }
    buf_add_c(b, '\'');
}

static void fish_option(struct buf *b, const char *verb, const struct option *o,
                        bool is_setting)
{
    enum kind kind = kind_of(o->value, o->name);
    bool is_letter = !is_setting && o->name.n == 2;
    struct str name = is_setting  ? o->name
                      : is_letter ? str_skip(o->name, 1)
                                  : str_skip(o->name, 2);

    buf_printf(b,
               "complete -c footnote -n '__fish_seen_subcommand_from %s' "
               "-%c %.*s%s",
               verb, is_letter ? 's' : 'l', STR_ARG(name),
               o->is_secret ? "-file" : "");
    if (o->help.n) {
        buf_add(b, STR(" -d "));
        fish_text(b, o->help);
    }
    if (kind == WORDS) {
        buf_add(b, STR(" -x -a '"));
        add_words(b, o->value);
        buf_add_c(b, '\'');
    } else if (kind == FOLDER) {
        buf_add(b, STR(" -x -a '(__fish_complete_directories)'"));
    } else if (kind != NOTHING) {
        buf_add(b, kind == FILE_NAME ? STR(" -r -F") : STR(" -x"));
    }
    buf_add_c(b, '\n');
}

static void fish(struct buf *b)
{
    buf_add(b, STR("# fish completion for footnote, by `footnote completion "
                   "fish`\n"));
    for (size_t i = 0; i < cli_verbs_n; i++) {
        struct walk w = walk_of(&cli_verbs[i]);
        struct option o;
        bool is_setting;

        buf_printf(b,
                   "complete -c footnote -f -n __fish_use_subcommand -a %s "
                   "-d ",
                   cli_verbs[i].name);
        fish_text(b, str_c(cli_verbs[i].summary));
        buf_add_c(b, '\n');
        while (next(&w, &o, &is_setting))
            fish_option(b, cli_verbs[i].name, &o, is_setting);
    }
}

bool manual_completion(struct buf *b, struct str shell)
{
    if (str_eq(shell, STR("bash")))
        bash(b);
    else if (str_eq(shell, STR("zsh")))
        zsh(b);
    else if (str_eq(shell, STR("fish")))
        fish(b);
    else
        return false;
    return true;
}
