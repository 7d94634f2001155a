/* json_read.c - text becomes a tree in an arena.
 *
 * One pass from left to right, one function for each rule of RFC 8259.  It
 * recurses at most JSON_DEPTH_MAX deep. */
#include "base/json_reader.h"
#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

enum { KEYS_COMPARED = 16, KEY_SHOWN = 60 };

static enum footnote_rc read_value(struct json_reader *r, struct json *out);

static void skip_space(struct json_reader *r)
{
    for (char c = json_peek(r); c == ' ' || c == '\n' || c == '\r' || c == '\t';
         c = json_peek(r))
        r->at++;
}

static struct str from(const struct json_reader *r, size_t start)
{
    return (struct str){r->text.p + start, r->at - start};
}

static bool skip_digits(struct json_reader *r)
{
    size_t start = r->at;

    while (json_peek(r) >= '0' && json_peek(r) <= '9')
        r->at++;
    return r->at > start;
}

/* Moves over a number; *whole says that it has neither fraction nor exponent.
 */
static enum footnote_rc scan_number(struct json_reader *r, bool *whole)
{
    json_accept(r, '-');
    if (!json_accept(r, '0') && !skip_digits(r))
        return JSON_REFUSE(r, r->at, "a digit is missing");
    size_t end = r->at;
    if (json_accept(r, '.') && !skip_digits(r))
        return JSON_REFUSE(r, r->at, "a digit is missing after the point");
    if (json_accept(r, 'e') || json_accept(r, 'E')) {
        if (!json_accept(r, '-'))
            json_accept(r, '+');
        if (!skip_digits(r))
            return JSON_REFUSE(r, r->at, "a digit is missing in the exponent");
    }
    *whole = r->at == end;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_number(struct json_reader *r, struct json *out)
{
    size_t start = r->at;
    bool whole;

    TRY(scan_number(r, &whole));
    struct str digits = from(r, start);
    /* An int64 has no -0, and it must come back as it was. */
    bool minus_zero = str_eq(digits, STR("-0"));
    if (whole && !minus_zero && str_i64(digits, &out->i)) {
        out->type = JSON_I64;
        return FOOTNOTE_OK;
    }
    out->type = JSON_F64;
    if (!number_read(digits, &out->f))
        return JSON_REFUSE(r, start, "the number is too large");
    return FOOTNOTE_OK;
}

/* A new member at the end of a list. */
static enum footnote_rc append(struct json_reader *r, struct json *box,
                               struct json ***tail)
{
    struct json *item = arena_new(r->a, struct json);

    if (!item)
        return arena_rc(r->a, r->err);
    **tail = item;
    *tail = &item->next;
    box->n++;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_array(struct json_reader *r, struct json *out)
{
    struct json **tail = &out->first;

    out->type = JSON_ARRAY;
    skip_space(r);
    if (json_accept(r, ']'))
        return FOOTNOTE_OK;
    do {
        struct json **item = tail;
        TRY(append(r, out, &tail));
        TRY(read_value(r, *item));
        skip_space(r);
    } while (json_accept(r, ','));
    if (!json_accept(r, ']'))
        return JSON_REFUSE(r, r->at, "a comma or ] is missing");
    return FOOTNOTE_OK;
}

/* The key of a member stands before its value.  Only errors need to know
 * where, so it is looked for instead of kept: back to the closing quote, and
 * on to the one before it that is not escaped. */
static size_t key_byte(const struct json_reader *r, const struct json *member)
{
    const char *p = member->raw.p;

    while (*--p != '"')
        continue;
    for (;;) {
        while (*--p != '"')
            continue;
        size_t slashes = 0;
        while (p[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return (size_t)(p - r->text.p);
    }
}

static enum footnote_rc duplicate(struct json_reader *r,
                                  const struct json *second)
{
    struct str key = second->key;

    if (key.n > KEY_SHOWN)
        key.n = utf8_whole((struct str){key.p, KEY_SHOWN});
    return err_set(r->err, FOOTNOTE_INVALID, "byte %zu: duplicate key \"%.*s\"",
                   key_byte(r, second), STR_ARG(key));
}

static int by_key(const void *a, const void *b)
{
    const struct json *x = *(struct json *const *)a;
    const struct json *y = *(struct json *const *)b;
    int order = str_cmp(x->key, y->key);

    return order ? order : (x->raw.p > y->raw.p) - (x->raw.p < y->raw.p);
}

/* Sorted and not hashed: a client cannot choose keys that make this slow. */
static enum footnote_rc check_many(struct json_reader *r,
                                   const struct json *object)
{
    size_t n = 0;
    struct json **sorted = arena_many(r->a, object->n, struct json *);

    if (!sorted)
        return arena_rc(r->a, r->err);
    for (struct json *m = object->first; m; m = m->next)
        sorted[n++] = m;
    qsort(sorted, n, sizeof(struct json *), by_key);
    for (size_t i = 1; i < n; i++) {
        if (str_eq(sorted[i - 1]->key, sorted[i]->key))
            return duplicate(r, sorted[i]);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc check_keys(struct json_reader *r,
                                   const struct json *object)
{
    if (object->n > KEYS_COMPARED)
        return check_many(r, object);
    for (struct json *m = object->first; m; m = m->next) {
        if (json_get(object, m->key) != m)
            return duplicate(r, m);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_member(struct json_reader *r, struct json *out)
{
    skip_space(r);
    TRY(json_read_string(r, &out->key));
    skip_space(r);
    if (!json_accept(r, ':'))
        return JSON_REFUSE(r, r->at, "a colon is missing");
    return read_value(r, out);
}

static enum footnote_rc read_object(struct json_reader *r, struct json *out)
{
    struct json **tail = &out->first;

    out->type = JSON_OBJECT;
    skip_space(r);
    if (json_accept(r, '}'))
        return FOOTNOTE_OK;
    do {
        struct json **member = tail;
        TRY(append(r, out, &tail));
        TRY(read_member(r, *member));
        skip_space(r);
    } while (json_accept(r, ','));
    if (!json_accept(r, '}'))
        return JSON_REFUSE(r, r->at, "a comma or } is missing");
    return check_keys(r, out);
}

static enum footnote_rc read_box(struct json_reader *r, struct json *out)
{
    if (r->depth == JSON_DEPTH_MAX)
        return err_set(r->err, FOOTNOTE_INVALID,
                       "byte %zu: nested deeper than %d", r->at,
                       JSON_DEPTH_MAX);
    r->depth++;
    if (json_accept(r, '['))
        TRY(read_array(r, out));
    else if (json_accept(r, '{'))
        TRY(read_object(r, out));
    r->depth--;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_word(struct json_reader *r, struct str word,
                                  enum json_type type, struct json *out)
{
    if (!str_starts(str_skip(r->text, r->at), word))
        return JSON_REFUSE(r, r->at, "a value is missing");
    r->at += word.n;
    out->type = type;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_any(struct json_reader *r, struct json *out)
{
    switch (json_peek(r)) {
    case '{':
    case '[': return read_box(r, out);
    case '"': out->type = JSON_STR; return json_read_string(r, &out->s);
    case 't': return read_word(r, STR("true"), JSON_TRUE, out);
    case 'f': return read_word(r, STR("false"), JSON_FALSE, out);
    case 'n': return read_word(r, STR("null"), JSON_NULL, out);
    default: break;
    }
    if (json_peek(r) != '-' && (json_peek(r) < '0' || json_peek(r) > '9'))
        return JSON_REFUSE(r, r->at, "a value is missing");
    return read_number(r, out);
}

static enum footnote_rc read_value(struct json_reader *r, struct json *out)
{
    skip_space(r);
    size_t start = r->at;
    TRY(read_any(r, out));
    out->raw = from(r, start);
    return FOOTNOTE_OK;
}

enum footnote_rc json_read(struct arena *a, struct str text, struct json **out,
                           struct footnote_err *err)
{
    struct json_reader r = {.a = a, .text = text, .err = err};

    *out = NULL;
    if (text.n > UINT32_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "over 4 GB of JSON");
    struct json *top = arena_new(a, struct json);
    if (!top)
        return arena_rc(a, err);
    TRY(read_value(&r, top));
    skip_space(&r);
    if (r.at < text.n)
        return JSON_REFUSE(&r, r.at, "text after the end");
    *out = top;
    return FOOTNOTE_OK;
}

struct json *json_get(const struct json *o, struct str key)
{
    if (!o || o->type != JSON_OBJECT)
        return NULL;
    for (struct json *m = o->first; m; m = m->next) {
        if (str_eq(m->key, key))
            return m;
    }
    return NULL;
}

struct str json_text(const struct json *o, struct str key)
{
    const struct json *v = json_get(o, key);

    return v && v->type == JSON_STR ? v->s : STR_NONE;
}

double json_number(const struct json *v)
{
    if (!v)
        return (double)NAN;
    return v->type == JSON_F64   ? v->f
           : v->type == JSON_I64 ? (double)v->i
                                 : (double)NAN;
}
