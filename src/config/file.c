/* file.c - the file of settings: a small part of TOML.
 *
 * Every file it accepts is TOML with the same meaning.  Other TOML (nested
 * tables, dates, multi-line strings) is an error that names the line. */
#include <assert.h>

#include "base/utf8.h"
#include "config/table.h"

enum { LISTS_MAX = 4, ITEMS_MAX = 256, KEY_BYTES_MAX = 100, KEYS_MAX = 400 };

struct toml_reader {
    struct arena *a;
    struct str text; /* the unread rest */
    int line;
    struct str section;
    struct str list; /* of the current [[item]]; absent: outside of lists */
    size_t item;
    struct str lists[LISTS_MAX]; /* seen so far, with the items of each */
    size_t lists_n, items_n[LISTS_MAX];
    struct config_key keys[KEYS_MAX]; /* seen so far, to find duplicates */
    size_t keys_n;
    struct footnote_err *err;
};

#define REFUSE(r, ...) err_set((r)->err, FOOTNOTE_INVALID, __VA_ARGS__)

/* ---- Characters ---------------------------------------------------------- */

static char peek(const struct toml_reader *r)
{
    if (r->text.n == 0)
        return '\0';
    return *r->text.p;
}

static void skip(struct toml_reader *r, size_t n)
{
    assert(n <= r->text.n);
    r->text = str_skip(r->text, n);
}

static void skip_blanks(struct toml_reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t')
        skip(r, 1);
}

static void skip_comment(struct toml_reader *r)
{
    skip_blanks(r);
    if (peek(r) == '#')
        skip(r, str_find(r->text, '\n'));
    if (str_starts(r->text, STR("\r\n")))
        skip(r, 1);
}

/* Blanks, comments and line ends, as between the items of a list. */
static void skip_lines(struct toml_reader *r)
{
    for (skip_comment(r); peek(r) == '\n'; skip_comment(r)) {
        r->line++;
        skip(r, 1);
    }
}

static enum footnote_rc end_line(struct toml_reader *r)
{
    skip_comment(r);
    if (r->text.n && peek(r) != '\n')
        return REFUSE(r, "text after the value");
    return FOOTNOTE_OK;
}

static bool is_key(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* ---- Keys ---------------------------------------------------------------- */

static enum footnote_rc read_name(struct toml_reader *r, struct str *out)
{
    size_t n = 0;

    skip_blanks(r);
    while (n < r->text.n && is_key(r->text.p[n]))
        n++;
    if (n == 0)
        return REFUSE(r, "a name is missing");
    if (n > KEY_BYTES_MAX)
        return REFUSE(r, "a name is too long");
    *out = (struct str){r->text.p, n};
    skip(r, n);
    skip_blanks(r);
    return FOOTNOTE_OK;
}

/* Completes a key's name with its section; refuses a duplicate. */
static enum footnote_rc whole_key(struct toml_reader *r, struct config_key *key)
{
    struct str name = key->name;

    if (r->section.n)
        key->name =
            arena_printf(r->a, "%.*s-%.*s", STR_ARG(r->section), STR_ARG(name));
    TRY(arena_rc(r->a, r->err));
    key->list = r->list;
    key->item = r->item;
    for (size_t i = 0; i < r->keys_n; i++)
        if (str_eq(r->keys[i].name, key->name) &&
            str_eq(r->keys[i].list, key->list) && r->keys[i].item == key->item)
            return REFUSE(r, "%.*s is there twice", STR_ARG(key->name));
    if (r->keys_n == KEYS_MAX)
        return REFUSE(r, "more than %d settings", KEYS_MAX);
    r->keys[r->keys_n++] = *key;
    return FOOTNOTE_OK;
}

static enum footnote_rc begin_item(struct toml_reader *r, struct str list)
{
    size_t i = 0;

    while (i < r->lists_n && !str_eq(r->lists[i], list))
        i++;
    if (i == LISTS_MAX)
        return REFUSE(r, "more than %d lists", LISTS_MAX);
    if (i == r->lists_n)
        r->lists[r->lists_n++] = list;
    r->list = list;
    r->item = r->items_n[i]++;
    r->section = STR_NONE;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_section(struct toml_reader *r)
{
    bool is_item = str_starts(r->text, STR("[["));
    struct str name;

    skip(r, is_item ? 2 : 1);
    TRY(read_name(r, &name));
    if (!str_starts(r->text, is_item ? STR("]]") : STR("]")))
        return REFUSE(r, "a section is written [name], an item of a list "
                         "[[name]]");
    skip(r, is_item ? 2 : 1);
    r->section = name;
    r->list = STR_NONE;
    r->item = 0;
    if (is_item)
        TRY(begin_item(r, name));
    return end_line(r);
}

/* ---- Values -------------------------------------------------------------- */

static enum footnote_rc unescape(struct toml_reader *r, struct str raw,
                                 struct str *out)
{
    char *to = arena_alloc(r->a, raw.n + 1);
    size_t n = 0;

    if (!to)
        return arena_rc(r->a, r->err);
    for (size_t i = 0; i < raw.n; i++) {
        if (raw.p[i] == '\\') {
            i++; /* read_string() made sure that another byte follows */
            assert(i < raw.n);
            if (raw.p[i] != '"' && raw.p[i] != '\\')
                return REFUSE(r, "only \\\" and \\\\ may follow a \\");
        }
        to[n++] = raw.p[i];
    }
    *out = (struct str){to, n};
    return FOOTNOTE_OK;
}

static enum footnote_rc read_string(struct toml_reader *r, struct str *out)
{
    size_t n = 0;

    if (peek(r) != '"')
        return REFUSE(r, "a text is written in \"quotes\"");
    skip(r, 1);
    while (n < r->text.n && r->text.p[n] != '"' && r->text.p[n] != '\n')
        n += r->text.p[n] == '\\' && n + 1 < r->text.n ? 2 : 1;
    if (n >= r->text.n || r->text.p[n] != '"')
        return REFUSE(r, "a text has no closing quote");
    TRY(unescape(r, (struct str){r->text.p, n}, out));
    skip(r, n + 1);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_list(struct toml_reader *r, struct config_value *v)
{
    struct str *items = arena_many(r->a, ITEMS_MAX, struct str);

    if (!items)
        return arena_rc(r->a, r->err);
    *v = (struct config_value){.form = FORM_LIST, .items = items};
    skip(r, 1);
    skip_lines(r);
    while (peek(r) != ']') {
        if (v->items_n == ITEMS_MAX)
            return REFUSE(r, "more than %d items", ITEMS_MAX);
        TRY(read_string(r, &items[v->items_n++]));
        skip_lines(r);
        if (peek(r) != ',' && peek(r) != ']')
            return REFUSE(r, "a list has no closing ]");
        if (peek(r) == ',')
            skip(r, 1);
        skip_lines(r);
    }
    skip(r, 1);
    return FOOTNOTE_OK;
}

/* A whole number, true or false.  TOML has no number 010. */
static enum footnote_rc read_unquoted(struct toml_reader *r,
                                      struct config_value *v)
{
    struct str word = {r->text.p, 0};
    int64_t number;

    while (word.n < r->text.n && is_key(word.p[word.n]))
        word.n++;
    *v = (struct config_value){.form = FORM_UNQUOTED, .text = word};
    skip(r, word.n);
    if (str_eq(word, STR("true")) || str_eq(word, STR("false")))
        return FOOTNOTE_OK;
    if (!str_i64(word, &number) || (word.n > 1 && word.p[0] == '0'))
        return REFUSE(r, "a value is \"text\", a whole number, true, false or "
                         "[\"a list\"]");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_value(struct toml_reader *r,
                                   struct config_value *v)
{
    skip_blanks(r);
    if (peek(r) == '[')
        return read_list(r, v);
    if (peek(r) != '"')
        return read_unquoted(r, v);
    *v = (struct config_value){.form = FORM_TEXT};
    return read_string(r, &v->text);
}

static enum footnote_rc read_line(struct toml_reader *r, config_line_fn *fn,
                                  void *arg)
{
    struct config_value v;
    struct config_key key = {.line = r->line};

    skip_comment(r);
    if (r->text.n == 0 || peek(r) == '\n')
        return FOOTNOTE_OK;
    if (peek(r) == '[')
        return read_section(r);
    TRY(read_name(r, &key.name));
    if (peek(r) != '=')
        return REFUSE(r, "a setting is written name = value");
    skip(r, 1);
    TRY(whole_key(r, &key));
    TRY(read_value(r, &v));
    TRY(end_line(r));
    return fn(arg, &key, &v, r->err);
}

enum footnote_rc config_parse(struct arena *a, struct str text,
                              config_line_fn *fn, void *arg,
                              struct footnote_err *err)
{
    struct toml_reader *r = arena_new(a, struct toml_reader);

    if (!r)
        return arena_rc(a, err);
    *r = (struct toml_reader){.a = a, .text = text, .err = err};
    if (!utf8_valid(text))
        return REFUSE(r, "it is not UTF-8");
    for (r->line = 1; r->text.n; r->line++) {
        int line = r->line;
        enum footnote_rc rc = read_line(r, fn, arg);

        if (rc == FOOTNOTE_INVALID)
            err_prefix(err, "line %d", line);
        TRY(rc);
        assert(r->text.n == 0 || peek(r) == '\n');
        skip(r, r->text.n > 0); /* the line end */
    }
    return FOOTNOTE_OK;
}
