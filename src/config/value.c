/* value.c - a setting's value, from text and to text.
 *
 * A text means the same in a flag, in the environment and, in quotes, in a
 * file. */
#include <assert.h>

#include "base/utf8.h"
#include "config/table.h"

enum { TEXT_BYTES_MAX = 64 * 1024, SHOWN_BYTES_MAX = 2 * TEXT_BYTES_MAX };

static const void *const_field(const struct setting *s, const struct config *c)
{
    return (const char *)c + s->offset;
}

/* ---- From text ----------------------------------------------------------- */

/* Line ends could break headers and log lines. */
static enum footnote_rc check_text(struct str s, struct footnote_err *err)
{
    if (s.n > TEXT_BYTES_MAX)
        return err_set(err, FOOTNOTE_INVALID, "it is longer than 64 KB");
    if (!utf8_valid(s))
        return err_set(err, FOOTNOTE_INVALID, "it is not UTF-8");
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7F)
            return err_set(err, FOOTNOTE_INVALID, "it has a control character");
    return FOOTNOTE_OK;
}

static struct str trim(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_skip(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

bool config_next_item(struct str *list, struct str *item)
{
    size_t end = str_find(*list, ',');

    if (list->n == 0)
        return false;
    *item = (struct str){list->p, end};
    *list = str_skip(*list, end < list->n ? end + 1 : end);
    return true;
}

/* Joins the items of a text or a list with single commas. */
static enum footnote_rc put_list(struct arena *a, const struct config_value *v,
                                 struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    const struct str *items = v->form == FORM_LIST ? v->items : &v->text;
    size_t n = v->form == FORM_LIST ? v->items_n : 1;
    struct str item;

    for (size_t i = 0; i < n; i++) {
        struct str left = items[i];

        TRY(check_text(left, err));
        while (config_next_item(&left, &item)) {
            item = trim(item);
            if (item.n && b.n)
                buf_add_c(&b, ',');
            buf_add(&b, item);
        }
    }
    TRY(buf_rc(&b, err));
    *out = b.n ? arena_str(a, buf_str(&b)) : STR_NONE;
    return arena_rc(a, err);
}

/* The index of a word in "a|b|c", or -1. */
static int word_index(const char *words, struct str word)
{
    struct str left = str_c(words);

    for (int i = 0; left.n; i++) {
        size_t end = str_find(left, '|');

        if (str_eq((struct str){left.p, end}, word))
            return i;
        left = str_skip(left, end < left.n ? end + 1 : end);
    }
    return -1;
}

static enum footnote_rc refuse_word(const struct setting *s, struct str word,
                                    struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_INVALID, "\"%.*s\" is none of %s",
                   word.n < 40 ? (int)word.n : 40, word.p, s->words);
}

static enum footnote_rc put_words(struct arena *a, const struct setting *s,
                                  const struct config_value *v, unsigned *out,
                                  struct footnote_err *err)
{
    struct str list, word;
    unsigned bits = 0;

    TRY(put_list(a, v, &list, err));
    while (config_next_item(&list, &word)) {
        int i = word_index(s->words, word);

        if (i < 0)
            return refuse_word(s, word, err);
        assert(i < 32);
        bits |= 1U << i;
    }
    if (bits == 0)
        return err_set(err, FOOTNOTE_INVALID, "it is empty; it takes %s",
                       s->words);
    *out = bits;
    return FOOTNOTE_OK;
}

struct unit {
    struct str name;
    int64_t factor;
};

/* Reads digits and a unit; false for anything else and on overflow. */
static bool read_number(struct str text, const struct unit *units, size_t n,
                        int64_t *out)
{
    int64_t factor = 1;

    for (size_t i = 0; i < n; i++) {
        struct str name = units[i].name;

        if (text.n > name.n &&
            memcmp(text.p + text.n - name.n, name.p, name.n) == 0) {
            text.n -= name.n;
            factor = units[i].factor;
            break;
        }
    }
    return str_i64(text, out) && !__builtin_mul_overflow(*out, factor, out);
}

static enum footnote_rc put_number(const struct setting *s, struct str text,
                                   int64_t *out, struct footnote_err *err)
{
    const struct unit bytes[] = {{STR("K"), INT64_C(1) << 10},
                                 {STR("M"), INT64_C(1) << 20},
                                 {STR("G"), INT64_C(1) << 30}};
    const struct unit ms[] = {
        {STR("ms"), 1}, {STR("s"), 1000}, {STR("h"), INT64_C(3600) * 1000}};
    int64_t v;
    bool ok = s->type == CONFIG_BYTES ? read_number(text, bytes, 3, &v)
              : s->type == CONFIG_MS  ? read_number(text, ms, 3, &v)
                                      : read_number(text, NULL, 0, &v);
    const char *kind = s->type == CONFIG_BYTES ? "bytes, as 4096, 64K or 1M"
                       : s->type == CONFIG_MS
                           ? "milliseconds, as 500, 10s or 2h"
                           : "a number";

    assert(s->min < s->max);
    if (!ok || v < s->min || v > s->max)
        return err_set(err, FOOTNOTE_INVALID, "it takes %s, from %lld to %lld",
                       kind, (long long)s->min, (long long)s->max);
    *out = v;
    return FOOTNOTE_OK;
}

static enum footnote_rc put_switch(struct str text, bool *out,
                                   struct footnote_err *err)
{
    static const char *const yes[] = {"true", "1", "yes", "on"};
    static const char *const no[] = {"false", "0", "no", "off"};

    for (size_t i = 0; i < 4; i++) {
        bool is_yes = str_eq(text, str_c(yes[i]));

        if (is_yes || str_eq(text, str_c(no[i]))) {
            *out = is_yes;
            return FOOTNOTE_OK;
        }
    }
    return err_set(err, FOOTNOTE_INVALID, "it takes true or false");
}

/* In a file only numbers and switches are unquoted, and only lists have
 * brackets. */
static enum footnote_rc check_form(const struct setting *s,
                                   const struct config_value *v,
                                   struct footnote_err *err)
{
    bool list = s->type == CONFIG_LIST || s->type == CONFIG_WORDS;
    bool bare = s->type == CONFIG_INTEGER || s->type == CONFIG_BYTES ||
                s->type == CONFIG_MS || s->type == CONFIG_SWITCH;

    if (v->form == FORM_LIST && !list)
        return err_set(err, FOOTNOTE_INVALID, "it takes one value, no list");
    if (v->form == FORM_UNQUOTED && !bare)
        return err_set(err, FOOTNOTE_INVALID, "it takes a text in quotes");
    return FOOTNOTE_OK;
}

/* An empty text unsets the setting. */
static enum footnote_rc put_text(struct arena *a, struct str text,
                                 struct str *out, struct footnote_err *err)
{
    TRY(check_text(text, err));
    *out = text.n ? arena_str(a, text) : STR_NONE;
    return arena_rc(a, err);
}

enum footnote_rc config_put(struct arena *a, const struct setting *s,
                            const struct config_value *v, struct config *c,
                            struct footnote_err *err)
{
    void *to = (char *)c + s->offset;

    assert(s->offset < sizeof(*c));
    TRY(check_form(s, v, err));
    switch (s->type) {
    case CONFIG_TEXT: return put_text(a, v->text, to, err);
    case CONFIG_WORD:
        if (word_index(s->words, v->text) < 0)
            return refuse_word(s, v->text, err);
        return put_text(a, v->text, to, err);
    case CONFIG_WORDS: return put_words(a, s, v, to, err);
    case CONFIG_LIST: return put_list(a, v, to, err);
    case CONFIG_INTEGER:
    case CONFIG_BYTES:
    case CONFIG_MS: return put_number(s, v->text, to, err);
    case CONFIG_SWITCH: return put_switch(v->text, to, err);
    }
    return FOOTNOTE_OK;
}

/* ---- To text ------------------------------------------------------------- */

/* The password ends at the last @, so that one with an @ or a / in it is hidden
 * as a whole. */
static bool find_password(struct str url, size_t *from, size_t *to)
{
    const char *slashes = memmem(url.p, url.n, "://", 3);
    size_t host = url.n;

    if (!slashes)
        return false;
    *from = (size_t)(slashes - url.p) + 3;
    *from += str_find(str_skip(url, *from), ':') + 1;
    while (host > *from && url.p[host - 1] != '@')
        host--;
    *to = host - 1;
    return host > *from;
}

/* Hides a password, before the host or in the query, as "(set)". */
static void add_url(struct buf *b, struct str url)
{
    const struct str name = STR("password=");
    const char *query;
    size_t from, to;

    if (find_password(url, &from, &to)) {
        buf_add(b, (struct str){url.p, from});
        buf_add(b, STR("(set)"));
        url = str_skip(url, to);
    }
    while ((query = memmem(url.p, url.n, name.p, name.n))) {
        from = (size_t)(query - url.p) + name.n;
        buf_add(b, (struct str){url.p, from});
        buf_add(b, STR("(set)"));
        url = str_skip(url, from);
        url = str_skip(url, str_find(url, '&'));
    }
    buf_add(b, url);
}

static void print_text(struct json_out *w, const struct setting *s,
                       struct str text)
{
    AUTO(buf_free) struct buf shown = BUF(SHOWN_BYTES_MAX);

    if (text.p && s->secrecy == CONFIG_SECRET)
        text = STR("(set)");
    if (text.p) {
        add_url(&shown, text);
        text = buf_rc(&shown, NULL) == FOOTNOTE_OK ? buf_str(&shown)
                                                   : STR("(set)");
    }
    json_str(w, text);
}

struct str config_hide_passwords(struct arena *a, struct str text)
{
    AUTO(buf_free) struct buf shown = BUF(SHOWN_BYTES_MAX);

    add_url(&shown, text);
    return buf_rc(&shown, NULL) == FOOTNOTE_OK ? arena_str(a, buf_str(&shown))
                                               : STR_NONE;
}

static void print_list(struct json_out *w, const struct setting *s,
                       struct str list)
{
    struct str item;

    json_array(w);
    while (config_next_item(&list, &item))
        print_text(w, s, item);
    json_end(w, ']');
}

static void print_words(struct json_out *w, const char *words, unsigned bits)
{
    struct str left = str_c(words);

    json_array(w);
    for (unsigned i = 0; left.n; i++) {
        size_t end = str_find(left, '|');

        if (bits & 1U << i)
            json_str(w, (struct str){left.p, end});
        left = str_skip(left, end < left.n ? end + 1 : end);
    }
    json_end(w, ']');
}

void config_print_json(struct json_out *w, const struct setting *s,
                       const struct config *c)
{
    const void *at = const_field(s, c);

    switch (s->type) {
    case CONFIG_TEXT:
    case CONFIG_WORD: print_text(w, s, *(const struct str *)at); break;
    case CONFIG_WORDS: print_words(w, s->words, *(const unsigned *)at); break;
    case CONFIG_LIST: print_list(w, s, *(const struct str *)at); break;
    case CONFIG_INTEGER:
    case CONFIG_BYTES:
    case CONFIG_MS: json_i64(w, *(const int64_t *)at); break;
    case CONFIG_SWITCH: json_bool(w, *(const bool *)at); break;
    }
}

/* A file has the values of JSON, except for a text that is not set. */
void config_print(struct buf *b, const struct setting *s,
                  const struct config *c)
{
    struct json_out w = JSON_OUT(b);
    bool text = s->type == CONFIG_TEXT || s->type == CONFIG_WORD;

    if (text && !((const struct str *)const_field(s, c))->p)
        buf_add(b, STR("\"\""));
    else
        config_print_json(&w, s, c);
}
