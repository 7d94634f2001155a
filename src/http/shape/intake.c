/* intake.c - reads an object by a table of its fields. */
#include "http/shape/intake.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "http/core/text.h"
#include "store/store.h"

enum { POINTER_BYTES_MAX = 4096, SENTENCE_BYTES = 200, NAME_SHOWN = 60 };

/* ---- Problems ----------------------------------------------------------- */

/* RFC 6901: "~" and "/" in a key are escaped. */
static void add_key(struct buf *b, struct str key)
{
    for (size_t i = 0; i < key.n; i++) {
        if (key.p[i] == '~')
            buf_add(b, STR("~0"));
        else if (key.p[i] == '/')
            buf_add(b, STR("~1"));
        else
            buf_add_c(b, key.p[i]);
    }
}

static void add_place(struct buf *b, const struct json_place *at)
{
    if (!at)
        return;
    add_place(b, at->up);
    buf_add_c(b, '/');
    if (at->key.p)
        add_key(b, at->key);
    else
        buf_add_i64(b, (int64_t)at->index);
}

/* Absent when it is too long to be told. */
static struct str json_pointer(struct arena *a, const struct json_place *at)
{
    AUTO(buf_free) struct buf b = BUF(POINTER_BYTES_MAX);

    add_place(&b, at);
    if (!at || buf_rc(&b, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_str(a, buf_str(&b));
}

bool intake_refuse(struct intake *in, const struct json_place *at, int status,
                   struct str code, const char *format, ...)
{
    char text[SENTENCE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    struct str whole = {text, strlen(text)};
    whole.n = utf8_whole(whole);
    assert(status >= 400);
    in->problem = (struct problem){.status = status,
                                   .code = code,
                                   .text = arena_str(in->a, whole),
                                   .where = json_pointer(in->a, at)};
    return false;
}

bool intake_missing(struct intake *in, struct str name)
{
    struct json_place at = {.key = name};

    return intake_refuse(in, &at, 400, STR("invalid_field"), "%.*s is missing",
                         STR_ARG(name));
}

/* ---- Values ------------------------------------------------------------- */

/* A value of the body, its place there, and the struct that it goes to. */
struct intake_value {
    const struct field *field;
    const struct json *value;
    const struct json_place *at;
    void *out;
};

static bool refuse(struct intake *in, const struct intake_value *s,
                   const char *must)
{
    return intake_refuse(in, s->at, 400, STR("invalid_field"),
                         "%.*s must be %s", STR_ARG(s->field->name), must);
}

static bool too_large(struct intake *in, const struct intake_value *s, size_t n,
                      const char *unit)
{
    return intake_refuse(in, s->at, 413, STR("too_large"),
                         "%.*s has %zu %s, at most %zu",
                         STR_ARG(s->field->name), n, unit, s->field->max);
}

static void store_value(const struct intake_value *s, const void *value,
                        size_t bytes)
{
    memcpy((char *)s->out + s->field->offset, value, bytes);
    if (s->field->has_offset)
        *(bool *)((char *)s->out + s->field->has_offset) = true;
}

/* PostgreSQL has no NUL in its texts. */
static bool read_text(struct intake *in, const struct intake_value *s,
                      struct str *out)
{
    if (s->value->type != JSON_STR)
        return refuse(in, s, "a string");
    *out = s->value->s;
    if (memchr(out->p, 0, out->n))
        return refuse(in, s, "without U+0000");
    if (s->field->max && out->n > s->field->max)
        return too_large(in, s, out->n, "bytes");
    return true;
}

static bool read_texts(struct intake *in, const struct intake_value *s)
{
    static const struct field item = {.kind = FIELD_TEXT};
    struct texts list = {NULL, 0};
    struct str *items;

    if (s->value->type != JSON_ARRAY)
        return refuse(in, s, "a list of strings");
    if (s->field->max && s->value->n > s->field->max)
        return too_large(in, s, s->value->n, "items");
    items = arena_many(in->a, s->value->n + 1, struct str);
    if (!items)
        return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
    list.items = items;
    for (const struct json *v = s->value->first; v; v = v->next) {
        struct field f = item;
        struct json_place at = {.up = s->at, .index = list.n};
        struct intake_value one = {&f, v, &at, NULL};

        f.name = s->field->name;
        f.max = STORE_TITLE_BYTES_MAX;
        if (!read_text(in, &one, &items[list.n++]))
            return false;
    }
    store_value(s, &list, sizeof(list));
    return true;
}

static bool read_number(struct intake *in, const struct intake_value *s)
{
    const struct json *v = s->value;
    double number;

    if (v->type != JSON_I64 && v->type != JSON_F64)
        return refuse(in, s, "a number");
    number = v->type == JSON_I64 ? (double)v->i : v->f;
    store_value(s, &number, sizeof(number));
    return true;
}

static bool read_value(struct intake *in, const struct intake_value *s)
{
    const struct json *v = s->value;
    struct str text = STR_NONE;
    bool flag;
    int64_t ms;

    switch (s->field->kind) {
    case FIELD_TEXT:
    case FIELD_LINE:
    case FIELD_ID:
        if (!read_text(in, s, &text))
            return false;
        if (s->field->kind != FIELD_TEXT && !utf8_is_name(text))
            return refuse(in, s,
                          "on one line, without control characters and marks "
                          "that turn the direction of text");
        if (s->field->kind == FIELD_ID &&
            (text.n == 0 || text.n > STORE_ID_BYTES_MAX))
            return refuse(in, s, "1 to 200 bytes long");
        store_value(s, &text, sizeof(text));
        return true;
    case FIELD_FLAG:
        if (v->type != JSON_TRUE && v->type != JSON_FALSE)
            return refuse(in, s, "true or false");
        flag = v->type == JSON_TRUE;
        store_value(s, &flag, sizeof(flag));
        return true;
    case FIELD_WHOLE:
        if (v->type != JSON_I64)
            return refuse(in, s, "a whole number");
        store_value(s, &v->i, sizeof(v->i));
        return true;
    case FIELD_TIME:
        if (v->type != JSON_STR || !time_parse(v->s, &ms))
            return refuse(in, s, "a time like 2026-02-26T20:15:00.123Z");
        store_value(s, &ms, sizeof(ms));
        return true;
    case FIELD_OBJECT:
        if (v->type != JSON_OBJECT)
            return refuse(in, s, "an object");
        store_value(s, &v->raw, sizeof(v->raw));
        return true;
    case FIELD_NUMBER: return read_number(in, s);
    case FIELD_TEXTS: return read_texts(in, s);
    case FIELD_ANY:
        store_value(s, &v, sizeof(const struct json *));
        return true;
    case FIELD_SKIP: return true;
    }
    return true;
}

/* ---- Objects ------------------------------------------------------------ */

struct str intake_name(const struct json *o, struct str camel)
{
    if (o->type != JSON_OBJECT)
        return camel;
    for (const struct json *v = o->first; v; v = v->next)
        if (text_is_name(camel, v->key))
            return v->key;
    return camel;
}

static size_t find_field(const struct field *fields, size_t n, struct str key)
{
    for (size_t i = 0; i < n; i++)
        if (text_is_name(fields[i].name, key))
            return i;
    return n;
}

bool intake_object(struct intake *in, const struct json_place *at,
                   const struct json *o, const struct field *fields, size_t n,
                   void *out)
{
    uint64_t seen = 0;

    assert(n <= 64); /* a bit each */
    if (o->type != JSON_OBJECT)
        return intake_refuse(in, at, 400, STR("invalid_field"),
                             "An object is wanted here");
    for (const struct json *v = o->first; v; v = v->next) {
        struct json_place here = {.up = at, .key = v->key};
        size_t i = find_field(fields, n, v->key);

        if (i == n && in->open)
            continue;
        if (i == n)
            return intake_refuse(
                in, &here, 400, STR("unknown_field"), "Unknown field %.*s",
                v->key.n < NAME_SHOWN ? (int)v->key.n : NAME_SHOWN, v->key.p);
        struct intake_value s = {&fields[i], v, &here, out};
        if (seen >> i & 1)
            return intake_refuse(in, &here, 400, STR("invalid_field"),
                                 "%.*s is given twice", STR_ARG(s.field->name));
        if (v->type == JSON_NULL
                ? s.field->not_null && !refuse(in, &s, "a value, not null")
                : !read_value(in, &s))
            return false;
        seen |= UINT64_C(1) << i;
    }
    return true;
}
