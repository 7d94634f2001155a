/* value.c - reads values of other programs' JSON. */
#include "import/value.h"

#include <math.h>

#include "base/number.h"
#include "http/core/text.h"
#include "http/shape/intake.h"

enum { WRAPPED_MAX = 3 };

/* Where seconds end and milliseconds begin: in 1973 and in 5138. */
static const double seconds_max = 1e11;

const struct json *field(const struct json *o, const struct names *names)
{
    for (size_t i = 0; i < IMPORT_NAMES_MAX && names->item[i]; i++) {
        const struct json *v = json_get(o, str_c(names->item[i]));

        if (v && v->type != JSON_NULL)
            return v;
    }
    return NULL;
}

enum footnote_rc value_parsed(struct arena *a, const struct json *v,
                              const struct json **out, struct footnote_err *err)
{
    struct json *o = NULL;

    *out = v;
    if (!v || v->type != JSON_STR)
        return FOOTNOTE_OK;
    TRY(json_read(a, v->s, &o, err));
    *out = o;
    return FOOTNOTE_OK;
}

const struct json *field_named(const struct json *o, struct str camel)
{
    if (!o || o->type != JSON_OBJECT)
        return NULL;
    for (const struct json *v = o->first; v; v = v->next)
        if (v->type != JSON_NULL && text_is_name(camel, v->key))
            return v;
    return NULL;
}

/* What MongoDB wraps a value in, so that JSON keeps its type. */
static const struct json *unwrap(const struct json *v)
{
    for (int i = 0; i < WRAPPED_MAX; i++) {
        if (!v || v->type != JSON_OBJECT || v->n != 1 || v->first->key.n < 2 ||
            v->first->key.p[0] != '$')
            return v;
        v = v->first;
    }
    return v;
}

struct str value_text(const struct json *v)
{
    v = unwrap(v);
    if (!v)
        return STR_NONE;
    if (v->type == JSON_STR)
        return v->s;
    return v->type == JSON_I64 || v->type == JSON_F64 ? v->raw : STR_NONE;
}

bool value_whole(const struct json *v, int64_t *out)
{
    double f;

    v = unwrap(v);
    if (v && v->type == JSON_I64) {
        *out = v->i;
        return true;
    }
    if (v && v->type == JSON_STR && str_i64(v->s, out))
        return true;
    if (!value_number(v, &f) || f != floor(f) || fabs(f) > 9007199254740992.0)
        return false;
    *out = (int64_t)f;
    return true;
}

/* A text that is a number as JSON writes it. */
static bool read_text(struct str s, double *out)
{
    AUTO(arena_free) struct arena a = ARENA(4096);
    struct json *v;

    if (s.n > NUMBER_BYTES || json_read(&a, s, &v, NULL) != FOOTNOTE_OK ||
        (v->type != JSON_I64 && v->type != JSON_F64))
        return false;
    *out = v->type == JSON_I64 ? (double)v->i : v->f;
    return true;
}

bool value_number(const struct json *v, double *out)
{
    v = unwrap(v);
    if (!v)
        return false;
    if (v->type == JSON_I64)
        *out = (double)v->i;
    else if (v->type == JSON_F64)
        *out = v->f;
    else
        return v->type == JSON_STR && read_text(v->s, out);
    return true;
}

bool value_flag(const struct json *v, bool *out)
{
    if (!v || (v->type != JSON_TRUE && v->type != JSON_FALSE))
        return false;
    *out = v->type == JSON_TRUE;
    return true;
}

bool value_time(const struct json *v, int64_t *ms)
{
    double f;

    v = unwrap(v);
    if (v && v->type == JSON_STR && time_parse(v->s, ms))
        return true;
    if (!value_number(v, &f) || f <= 0 || f > 253402300800000.0)
        return false;
    *ms = (int64_t)(f < seconds_max ? f * 1000 + 0.5 : f);
    return true;
}

bool value_texts(struct arena *a, const struct json *v, const struct str **out,
                 size_t *n)
{
    struct str *list;

    *n = 0;
    if (!v || v->type != JSON_ARRAY)
        return false;
    list = arena_many(a, v->n + 1, struct str);
    for (const struct json *i = v->first; list && i; i = i->next) {
        list[*n] = value_text(i);
        if (!list[(*n)++].p)
            return false;
    }
    *out = list;
    return list != NULL;
}
