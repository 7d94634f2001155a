/* json_schema.c - checks a value against a schema. */
#include "json_schema.h"

#include <stdarg.h>

#include "base/utf8.h"
#include "http/api/upload.h"
#include "http/ops/openapi.h"
#include "http/shape/intake.h"
#include "test.h"

struct check {
    const struct json *document;
    char *why;
    char path[SCHEMA_WHY / 2]; /* of what is looked at */
};

static bool holds(struct check *c, const struct json *schema,
                  const struct json *v);

__attribute__((format(printf, 2, 3))) static bool complain(
    const struct check *c, const char *format, ...)
{
    va_list args;
    int n = snprintf(c->why, SCHEMA_WHY, "%s: ", c->path[0] ? c->path : "/");

    va_start(args, format);
    vsnprintf(c->why + n, SCHEMA_WHY - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* ---- Types -------------------------------------------------------------- */

static bool is_type(const struct json *v, struct str type)
{
    switch (v->type) {
    case JSON_NULL: return str_eq(type, STR("null"));
    case JSON_FALSE:
    case JSON_TRUE: return str_eq(type, STR("boolean"));
    case JSON_I64:
        return str_eq(type, STR("integer")) || str_eq(type, STR("number"));
    case JSON_F64: return str_eq(type, STR("number"));
    case JSON_STR: return str_eq(type, STR("string"));
    case JSON_ARRAY: return str_eq(type, STR("array"));
    case JSON_OBJECT: return str_eq(type, STR("object"));
    }
    return false;
}

static bool check_type(struct check *c, const struct json *type,
                       const struct json *v)
{
    if (type->type == JSON_STR && is_type(v, type->s))
        return true;
    if (type->type == JSON_ARRAY)
        for (const struct json *t = type->first; t; t = t->next)
            if (is_type(v, t->s))
                return true;
    return complain(c, "is no %.*s", STR_ARG(type->raw));
}

static bool check_enum(struct check *c, const struct json *list,
                       const struct json *v)
{
    for (const struct json *one = list->first; one; one = one->next)
        if (str_eq(one->raw, v->raw))
            return true;
    return complain(c, "is none of %.*s", STR_ARG(list->raw));
}

/* ---- Limits ------------------------------------------------------------- */

static double number_of(const struct json *v)
{
    return v->type == JSON_I64 ? (double)v->i : v->f;
}

static size_t length_of(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; n++)
        utf8_next(s, &i);
    return n;
}

/* What a limit is about: a number, or how many there are. */
static bool measure(const struct json *v, struct str word, double *out)
{
    struct str about = STR_NONE;

    *out = (double)v->n;
    if (v->type == JSON_I64 || v->type == JSON_F64) {
        about = STR("imum");
        *out = number_of(v);
    } else if (v->type == JSON_STR) {
        about = STR("Length");
        *out = (double)length_of(v->s);
    } else if (v->type == JSON_ARRAY) {
        about = STR("Items");
    } else if (v->type == JSON_OBJECT) {
        about = STR("Properties");
    }
    return str_eq(word, about);
}

static bool check_limit(struct check *c, const struct json *rule,
                        const struct json *v)
{
    bool min = str_starts(rule->key, STR("min"));
    double have, limit = number_of(rule);

    if (!measure(v, str_skip(rule->key, 3), &have) ||
        (min ? have >= limit : have <= limit))
        return true;
    return complain(c, "%.*s is %.*s", STR_ARG(rule->key), STR_ARG(rule->raw));
}

/* ---- Parts -------------------------------------------------------------- */

static bool go_down(struct check *c, struct str name, const struct json *schema,
                    const struct json *v)
{
    size_t n = strlen(c->path);
    bool ok;

    snprintf(c->path + n, sizeof(c->path) - n, "/%.*s", STR_ARG(name));
    ok = holds(c, schema, v);
    c->path[n] = '\0';
    return ok;
}

static bool check_items(struct check *c, const struct json *schema,
                        const struct json *v)
{
    if (v->type != JSON_ARRAY)
        return true;
    for (const struct json *one = v->first; one; one = one->next)
        if (!go_down(c, STR("-"), schema, one))
            return false;
    return true;
}

static bool check_required(struct check *c, const struct json *names,
                           const struct json *v)
{
    if (v->type != JSON_OBJECT)
        return true;
    for (const struct json *name = names->first; name; name = name->next)
        if (!json_get(v, name->s))
            return complain(c, "has no %.*s", STR_ARG(name->s));
    return true;
}

static bool check_members(struct check *c, const struct json *schema,
                          const struct json *v)
{
    const struct json *known = json_get(schema, STR("properties"));
    const struct json *others = json_get(schema, STR("additionalProperties"));
    bool open = others ? others->type == JSON_TRUE : !known;

    if (v->type != JSON_OBJECT)
        return true;
    for (const struct json *m = v->first; m; m = m->next) {
        const struct json *rule = json_get(known, m->key);

        if (!rule && others && others->type == JSON_OBJECT)
            rule = others;
        if (!rule && !open)
            return complain(c, "has %.*s", STR_ARG(m->key));
        if (rule && !go_down(c, m->key, rule, m))
            return false;
    }
    return true;
}

static bool check_any(struct check *c, const struct json *list,
                      const struct json *v)
{
    for (const struct json *one = list->first; one; one = one->next)
        if (holds(c, one, v))
            return true;
    return false;
}

static bool check_format(struct check *c, const struct json *format,
                         const struct json *v)
{
    int64_t ms;

    if (v->type != JSON_STR)
        return true;
    if (str_eq(format->s, STR("date-time")))
        return time_parse(v->s, &ms) || complain(c, "is no time");
    if (str_eq(format->s, STR("date")))
        return upload_is_date(v->s) || complain(c, "is no day");
    if (str_eq(format->s, STR("uri")))
        return upload_is_url(v->s) || complain(c, "is no address");
    FAIL("a schema has the format %.*s", STR_ARG(format->s));
}

static bool check_rule(struct check *c, const struct json *rule,
                       const struct json *v)
{
    struct str k = rule->key;

    if (str_eq(k, STR("type")))
        return check_type(c, rule, v);
    if (str_eq(k, STR("enum")))
        return check_enum(c, rule, v);
    if (str_starts(k, STR("min")) || str_starts(k, STR("max")))
        return check_limit(c, rule, v);
    if (str_eq(k, STR("items")))
        return check_items(c, rule, v);
    if (str_eq(k, STR("required")))
        return check_required(c, rule, v);
    if (str_eq(k, STR("anyOf")))
        return check_any(c, rule, v);
    if (str_eq(k, STR("format")))
        return check_format(c, rule, v);
    if (str_eq(k, STR("description")) || str_eq(k, STR("properties")) ||
        str_eq(k, STR("additionalProperties")) || str_eq(k, STR("$ref")))
        return true;
    FAIL("a schema says %.*s", STR_ARG(k));
}

static bool holds(struct check *c, const struct json *schema,
                  const struct json *v)
{
    const struct json *target = openapi_resolve(c->document, schema);

    if (!target)
        FAIL("%.*s leads nowhere", STR_ARG(schema->raw));
    if (target != schema && !holds(c, target, v))
        return false;
    for (const struct json *rule = schema->first; rule; rule = rule->next)
        if (!check_rule(c, rule, v))
            return false;
    /* Beside a reference there are only words, no members. */
    return target != schema || check_members(c, schema, v);
}

bool schema_holds(const struct json *document, const struct json *schema,
                  const struct json *v, char why[SCHEMA_WHY])
{
    struct check c = {.document = document, .why = why};

    why[0] = '\0';
    return holds(&c, schema, v);
}
