/* cli.c - reads the words of a command, prints errors and results. */
#include "cli/cli.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/help.h"
#include "config/table.h"

enum { ERROR_BYTES_MAX = 16 * 1024 };

/* ---- Errors -------------------------------------------------------------- */

static const char *verb_name(const struct cli *c)
{
    return c->verb ? c->verb->name : "";
}

bool cli_has_color(const struct cli *c, FILE *to)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    if (c->color.p && !str_eq(c->color, STR("auto")))
        return str_eq(c->color, STR("always"));
    return isatty(fileno(to)) && !(no && no[0]) &&
           !(term && strcmp(term, "dumb") == 0);
}

/* One line for people, or the object of the HTTP API. */
static int print_error(struct cli *c, int exit_code, const char *code,
                       const char *text)
{
    AUTO(buf_free) struct buf b = BUF(ERROR_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (!c->json) {
        bool color = cli_has_color(c, stderr);

        fprintf(stderr, "%sfootnote%s%s:%s %s\n", color ? "\033[31m" : "",
                c->verb ? " " : "", verb_name(c), color ? "\033[0m" : "", text);
        return exit_code;
    }
    json_object(&w);
    json_key(&w, STR("error"));
    json_str(&w, str_c(text));
    json_key(&w, STR("code"));
    json_str(&w, str_c(code));
    json_end(&w, '}');
    if (buf_rc(&b, NULL) == FOOTNOTE_OK)
        fprintf(stderr, "%.*s\n", STR_ARG(buf_str(&b)));
    return exit_code;
}

int cli_usage(struct cli *c, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    print_error(c, CLI_USAGE, "usage", text);
    if (!c->json)
        fprintf(stderr, "Try: footnote %s%s--help\n", verb_name(c),
                c->verb ? " " : "");
    return CLI_USAGE;
}

int cli_fail_config(struct cli *c, const struct footnote_err *err)
{
    if (err->rc != FOOTNOTE_INVALID)
        return cli_fail(c, err->rc, err);
    return print_error(c, CLI_CONFIG, "config_invalid", err->text);
}

int cli_exit_code(enum footnote_rc rc)
{
    switch (rc) {
    case FOOTNOTE_OK: return CLI_DONE;
    case FOOTNOTE_NOTFOUND: return CLI_NOTFOUND;
    case FOOTNOTE_DAMAGED:
    case FOOTNOTE_FOREIGN: return CLI_DAMAGED;
    case FOOTNOTE_BUSY:
    case FOOTNOTE_RUNNING:
    case FOOTNOTE_UNSURE: return CLI_TEMPORARY;
    case FOOTNOTE_INVALID:
    case FOOTNOTE_CONFLICT:
    case FOOTNOTE_NUMBER:
    case FOOTNOTE_ENDED:
    case FOOTNOTE_TOOBIG:
    case FOOTNOTE_QUOTA:
    case FOOTNOTE_REUSED:
    case FOOTNOTE_INTERNAL:
    case FOOTNOTE_READONLY:
    case FOOTNOTE_NOMEM:
    case FOOTNOTE_FULL:
    case FOOTNOTE_RC_N: break;
    }
    return CLI_FAILED;
}

int cli_fail(struct cli *c, enum footnote_rc rc, const struct footnote_err *err)
{
    assert(rc != FOOTNOTE_OK && rc < FOOTNOTE_RC_N);
    return print_error(c, cli_exit_code(rc), rc_code(rc), err->text);
}

int cli_print(struct cli *c, struct buf *text)
{
    struct footnote_err err;
    enum footnote_rc rc = buf_rc(text, &err);

    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    if (fwrite(text->p ? text->p : "", 1, text->n, stdout) != text->n ||
        fflush(stdout) != 0)
        return print_error(c, CLI_FAILED, "internal", "cannot write to stdout");
    return CLI_DONE;
}

/* ---- Words --------------------------------------------------------------- */

/* Whether the word stands before any "--".  It looks at the words alone, so
 * --help works when the settings are wrong. */
static bool has_word(const struct cli *c, const char *word)
{
    for (int i = 0; i < c->in.argc; i++) {
        if (strcmp(c->in.argv[i], "--") == 0)
            return false;
        if (strcmp(c->in.argv[i], word) == 0)
            return true;
    }
    return false;
}

static const struct cli_option *find_in(const struct cli_option *options,
                                        size_t n, struct str word)
{
    for (size_t i = 0; i < n; i++) {
        const struct cli_option *o = &options[i];

        if (str_starts(word, STR("--")) &&
            str_eq(str_skip(word, 2), str_c(o->name)))
            return o;
        if (word.n == 2 && o->letter && word.p[1] == o->letter)
            return o;
    }
    return NULL;
}

enum { COMMON = 3 };

/* A verb may have an option of the same name for itself. */
static bool find_option(struct cli *c, const struct cli_option *options,
                        size_t n, struct str word, struct cli_option *out)
{
    const struct cli_option common[COMMON] = {
        {.name = "quiet", .letter = 'q', .on = &c->quiet},
        {.name = "verbose", .letter = 'v', .on = &c->verbose},
        {.name = "color", .text = &c->color}};
    const struct cli_option *found = find_in(options, n, word);

    if (!found)
        found = find_in(common, COMMON, word);
    if (found)
        *out = *found;
    return found != NULL;
}

static int refuse_option(struct cli *c, const struct cli_option *options,
                         size_t n, struct str word)
{
    struct str name = str_skip(word, str_starts(word, STR("--")) ? 2 : 1);
    struct nearest near = {.word = name};

    for (size_t i = 0; i < n; i++)
        nearest_try(&near, str_c(options[i].name));
    for (size_t i = 0; c->verb->reads_config && i < config_settings_n; i++)
        nearest_try(&near, config_flag_name(&c->arena, &config_settings[i]));
    return cli_usage(c, "%.*s is not an option%s",
                     word.n < 100 ? (int)word.n : 100, word.p,
                     nearest_hint(&c->arena, &near, "--"));
}

/* The option at rest[*i], which begins with a dash. */
static int read_option(struct cli *c, const struct cli_option *options,
                       size_t n, size_t *i)
{
    struct str all = c->in.rest[*i];
    struct str word = {all.p, str_find(all, '=')};
    struct cli_option o;

    if (!find_option(c, options, n, word, &o))
        return refuse_option(c, options, n, word);
    assert(!o.on != !o.text);
    if (o.on && word.n < all.n)
        return cli_usage(c, "--%s takes no value", o.name);
    if (o.on) {
        *o.on = true;
        return CLI_GO_ON;
    }
    if (word.n < all.n)
        *o.text = str_skip(all, word.n + 1);
    else if (*i + 1 < c->in.rest_n)
        *o.text = c->in.rest[++*i];
    else
        return cli_usage(c, "--%s: its value is missing", o.name);
    return CLI_GO_ON;
}

static int read_words(struct cli *c, const struct cli_option *options, size_t n)
{
    bool ended = false;

    for (size_t i = 0; i < c->in.rest_n; i++) {
        struct str word = c->in.rest[i];
        int code = CLI_GO_ON;

        if (!ended && str_eq(word, STR("--")))
            ended = true;
        else if (!ended && word.n > 1 && word.p[0] == '-')
            code = read_option(c, options, n, &i);
        else
            c->operands[c->operands_n++] = word;
        assert(c->operands_n <= c->in.rest_n);
        if (code != CLI_GO_ON)
            return code;
    }
    return CLI_GO_ON;
}

/* For verbs that read no configuration: all words are theirs. */
static enum footnote_rc copy_words(struct cli *c, struct footnote_err *err)
{
    size_t n = (size_t)(c->in.argc > 0 ? c->in.argc : 0);

    c->in.rest = arena_many(&c->arena, n + 1, struct str);
    TRY(arena_rc(&c->arena, err));
    for (c->in.rest_n = 0; c->in.rest_n < n; c->in.rest_n++)
        c->in.rest[c->in.rest_n] = str_c(c->in.argv[c->in.rest_n]);
    return FOOTNOTE_OK;
}

/* Programs are found in PATH; before the first thread. */
static enum footnote_rc put_before_path(struct cli *c, struct footnote_err *err)
{
    const char *path = getenv("PATH");
    struct str longer =
        arena_printf(&c->arena, "%.*s:%s", STR_ARG(c->config.poppler),
                     path ? path : "/usr/bin:/bin");

    TRY(arena_rc(&c->arena, err));
    if (setenv("PATH", longer.p, 1) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "poppler: no memory");
    return FOOTNOTE_OK;
}

static int check_color(struct cli *c)
{
    static const char *const words[] = {"auto", "always", "never"};

    for (size_t i = 0; c->color.p && i < 3; i++)
        if (str_eq(c->color, str_c(words[i])))
            return CLI_GO_ON;
    return c->color.p ? cli_usage(c, "--color: auto, always or never")
                      : CLI_GO_ON;
}

/* The help of a verb is what manual pages and completions are made of. */
static bool is_documented(const struct verb *v, const char *name)
{
    char word[64];

    snprintf(word, sizeof(word), "--%s", name);
    return strstr(v->usage, word) || strstr(help_common, word);
}

int cli_read(struct cli *c, const struct cli_option *options, size_t n)
{
    AUTO(buf_free) struct buf help = BUF(CLI_HELP_BYTES_MAX);
    struct footnote_err err;
    enum footnote_rc rc;
    int code;

    assert(c->verb && c->operands_n == 0);
    for (size_t i = 0; i < n; i++)
        assert(is_documented(c->verb, options[i].name));
    if (has_word(c, "-h") || has_word(c, "--help")) {
        help_verb(&help, c->verb);
        return cli_print(c, &help);
    }
    c->json = has_word(c, "--json");
    c->in.env = environ;
    rc = c->verb->reads_config
             ? config_read(&c->arena, &c->in, &c->config, &err)
             : copy_words(c, &err);
    if (rc == FOOTNOTE_OK && c->config.poppler.p)
        rc = put_before_path(c, &err);
    if (rc == FOOTNOTE_INVALID && c->in.usage)
        return cli_usage(c, "%s", err.text);
    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    c->operands = arena_many(&c->arena, c->in.rest_n + 1, struct str);
    rc = arena_rc(&c->arena, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    code = read_words(c, options, n);
    if (code == CLI_GO_ON)
        code = check_color(c);
    if (code == CLI_GO_ON)
        log_setup(STDERR_FILENO, c->verbose ? LOG_DEBUG : LOG_WARN, LOG_AUTO);
    return code;
}

int cli_expect(struct cli *c, size_t from, size_t to, const char *what)
{
    assert(from <= to);
    if (c->operands_n < from)
        return cli_usage(c, "%s is missing", what);
    if (c->operands_n > to)
        return cli_usage(c, "\"%.100s\" is one word too many",
                         c->operands[to].p);
    return CLI_GO_ON;
}
