/* intake.c - reads an object by a table of its fields. */
#include "http/shape/intake.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
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

static void add_place(struct buf *b, const struct place *at)
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

/* A place that is too long to be told is left out. */
static struct str pointer(struct arena *a, const struct place *at)
{
    AUTO(buf_free) struct buf b = BUF(POINTER_BYTES_MAX);

    add_place(&b, at);
    if (!at || buf_rc(&b, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_str(a, buf_str(&b));
}

bool intake_refuse(struct intake *in, const struct place *at, int status,
                   struct str code, const char *format, ...)
{
    char text[SENTENCE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    struct str whole = {text, strlen(text)};
    whole.n = utf8_whole(whole);
    in->problem = (struct problem){.status = status,
                                   .code = code,
                                   .text = arena_str(in->a, whole),
                                   .where = pointer(in->a, at)};
    return false;
}

bool intake_missing(struct intake *in, struct str name)
{
    struct place at = {.key = name};

    return intake_refuse(in, &at, 400, STR("invalid_field"), "%.*s is missing",
                         STR_ARG(name));
}

/* ---- Values ------------------------------------------------------------- */

/* What is being read: a value at its place, and where it goes. */
struct slot {
    const struct field *field;
    const struct json *value;
    const struct place *at;
    void *out;
};

static bool refuse(struct intake *in, const struct slot *s, const char *must)
{
    return intake_refuse(in, s->at, 400, STR("invalid_field"),
                         "%.*s must be %s", STR_ARG(s->field->name), must);
}

static bool too_large(struct intake *in, const struct slot *s, size_t n,
                      const char *unit)
{
    return intake_refuse(in, s->at, 413, STR("too_large"),
                         "%.*s has %zu %s, at most %zu",
                         STR_ARG(s->field->name), n, unit, s->field->max);
}

static void put(const struct slot *s, const void *value, size_t bytes)
{
    memcpy((char *)s->out + s->field->offset, value, bytes);
    if (s->field->has_offset)
        *(bool *)((char *)s->out + s->field->has_offset) = true;
}

/* PostgreSQL has no NUL in its texts. */
static bool read_text(struct intake *in, const struct slot *s, struct str *out)
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

static bool take_text(struct intake *in, const struct slot *s)
{
    struct str text = STR_NONE;

    if (!read_text(in, s, &text))
        return false;
    if (s->field->kind == FIELD_ID &&
        (text.n == 0 || text.n > STORE_ID_BYTES_MAX))
        return refuse(in, s, "1 to 200 bytes long");
    put(s, &text, sizeof(text));
    return true;
}

static bool take_flag(struct intake *in, const struct slot *s)
{
    bool v = s->value->type == JSON_TRUE;

    if (!v && s->value->type != JSON_FALSE)
        return refuse(in, s, "true or false");
    put(s, &v, sizeof(v));
    return true;
}

static bool take_whole(struct intake *in, const struct slot *s)
{
    if (s->value->type != JSON_I64)
        return refuse(in, s, "a whole number");
    put(s, &s->value->i, sizeof(s->value->i));
    return true;
}

static bool take_number(struct intake *in, const struct slot *s)
{
    double v;

    if (s->value->type != JSON_I64 && s->value->type != JSON_F64)
        return refuse(in, s, "a number");
    v = s->value->type == JSON_I64 ? (double)s->value->i : s->value->f;
    put(s, &v, sizeof(v));
    return true;
}

static bool take_time(struct intake *in, const struct slot *s)
{
    int64_t ms;

    if (s->value->type != JSON_STR || !time_parse(s->value->s, &ms))
        return refuse(in, s, "a time like 2026-02-26T20:15:00.123Z");
    put(s, &ms, sizeof(ms));
    return true;
}

static bool take_texts(struct intake *in, const struct slot *s)
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
        struct place at = {.up = s->at, .index = list.n};
        struct slot one = {&f, v, &at, NULL};

        f.name = s->field->name;
        f.max = STORE_TITLE_BYTES_MAX;
        if (!read_text(in, &one, &items[list.n++]))
            return false;
    }
    put(s, &list, sizeof(list));
    return true;
}

static bool take_object(struct intake *in, const struct slot *s)
{
    if (s->value->type != JSON_OBJECT)
        return refuse(in, s, "an object");
    put(s, &s->value->raw, sizeof(s->value->raw));
    return true;
}

static bool take(struct intake *in, const struct slot *s)
{
    switch (s->field->kind) {
    case FIELD_TEXT:
    case FIELD_ID: return take_text(in, s);
    case FIELD_FLAG: return take_flag(in, s);
    case FIELD_WHOLE: return take_whole(in, s);
    case FIELD_NUMBER: return take_number(in, s);
    case FIELD_TIME: return take_time(in, s);
    case FIELD_TEXTS: return take_texts(in, s);
    case FIELD_OBJECT: return take_object(in, s);
    case FIELD_ANY: put(s, &s->value, sizeof(void *)); return true;
    case FIELD_SKIP: return true;
    }
    return true;
}

/* ---- Objects ------------------------------------------------------------ */

static size_t find(const struct field *fields, size_t n, struct str key)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(key, fields[i].name) ||
            (fields[i].snake.p && str_eq(key, fields[i].snake)))
            return i;
    return n;
}

static bool take_member(struct intake *in, const struct slot *s, bool repeated)
{
    if (repeated)
        return intake_refuse(in, s->at, 400, STR("invalid_field"),
                             "%.*s is given twice", STR_ARG(s->field->name));
    if (s->value->type != JSON_NULL)
        return take(in, s);
    return !s->field->keep || refuse(in, s, "a value, not null");
}

bool intake_object(struct intake *in, const struct place *at,
                   const struct json *o, const struct field *fields, size_t n,
                   void *out)
{
    uint64_t seen = 0; /* a table has fewer fields than bits */

    if (o->type != JSON_OBJECT)
        return intake_refuse(in, at, 400, STR("invalid_field"),
                             "An object is wanted here");
    for (const struct json *v = o->first; v; v = v->next) {
        struct place here = {.up = at, .key = v->key};
        size_t i = find(fields, n, v->key);

        if (i == n)
            return intake_refuse(
                in, &here, 400, STR("unknown_field"), "Unknown field %.*s",
                v->key.n < NAME_SHOWN ? (int)v->key.n : NAME_SHOWN, v->key.p);
        struct slot s = {&fields[i], v, &here, out};
        if (!take_member(in, &s, seen >> i & 1))
            return false;
        seen |= UINT64_C(1) << i;
    }
    return true;
}
