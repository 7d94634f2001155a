/* kept_sources.c - the sources of a kept message or search, and what all parts
 * of a session refuse alike. */
#include <math.h>

#include "base/json.h"
#include "export/kept_parts.h"
#include "store/session/whole.h"

bool kept_no_memory(struct intake *in)
{
    return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
}

bool kept_refuse(struct intake *in, const struct json_place *at,
                 const char *what)
{
    return intake_refuse(in, at, 400, STR("invalid_field"), "%s", what);
}

bool kept_check_list(struct intake *in, const struct json_place *at,
                     const struct json *list, size_t max)
{
    if (list && list->type != JSON_ARRAY)
        return kept_refuse(in, at, "A list is wanted here");
    if (list && list->n > max)
        return intake_refuse(in, at, 413, STR("too_large"), "%u, at most %zu",
                             list->n, max);
    return true;
}

/* ---- Sources ------------------------------------------------------------- */

struct marks_in {
    const struct json *spans;
    bool cited, has_support;
    double support;
};
#define AT(member) offsetof(struct marks_in, member)
// clang-format off
static const struct field marks_fields[] = {
    {NAME("cited"), FIELD_FLAG, AT(cited), 0, 0, 0},
    {NAME("support"), FIELD_NUMBER, AT(support), AT(has_support), 0, 0},
    {NAME("spans"), FIELD_ANY, AT(spans), 0, 0, 0},
};
// clang-format on
#undef AT

/* meta may be the text of an object: it is one from here on. */
static bool open_meta(struct intake *in, const struct json_place *at,
                      struct json *source)
{
    struct json *first = source->type == JSON_OBJECT ? source->first : NULL;

    for (struct json *v = first; v; v = v->next) {
        struct json_place here = {.up = at, .key = v->key};
        struct json *object;

        if (v->type != JSON_STR || !str_eq(v->key, STR("meta")))
            continue;
        if (json_read(in->a, v->s, &object, NULL) != FOOTNOTE_OK ||
            object->type != JSON_OBJECT)
            return kept_refuse(in, &here, "meta must be an object");
        v->type = JSON_OBJECT;
        v->raw = v->s;
        v->n = object->n;
        v->first = object->first;
    }
    return true;
}

static bool read_span(const struct json *v, uint32_t out[2])
{
    const struct json *end =
        v->type == JSON_ARRAY && v->n == 2 ? v->first->next : NULL;

    if (!end || v->first->type != JSON_I64 || end->type != JSON_I64 ||
        v->first->i < 0 || v->first->i > UINT32_MAX || end->i < 0 ||
        end->i > UINT32_MAX)
        return false;
    out[0] = (uint32_t)v->first->i;
    out[1] = (uint32_t)end->i;
    return true;
}

static bool read_spans(struct intake *in, const struct json_place *at,
                       const struct json *list, struct reference *out)
{
    struct json_place here = {.up = at, .key = STR("spans")};
    uint32_t *spans;

    if (!kept_check_list(in, &here, list, WHOLE_SPANS_MAX))
        return false;
    if (!list || list->n == 0)
        return true;
    spans = arena_many(in->a, 2 * (size_t)list->n, uint32_t);
    if (!spans)
        return kept_no_memory(in);
    out->spans = spans;
    for (const struct json *v = list->first; v; v = v->next)
        if (!read_span(v, &spans[2 * out->spans_n++]))
            return kept_refuse(in, &here,
                               "spans must be pairs of whole numbers");
    return true;
}

static bool read_marks(struct intake *in, const struct json_place *at,
                       const struct json *source, struct reference *out)
{
    struct intake open = {.a = in->a, .open = true};
    struct json_place support = {.up = at, .key = STR("support")};
    struct marks_in marks = {.cited = false};

    if (!intake_object(&open, at, source, marks_fields, COUNT(marks_fields),
                       &marks)) {
        in->problem = open.problem;
        return false;
    }
    if (marks.has_support && !(marks.support >= 0 && marks.support <= 1))
        return kept_refuse(in, &support, "support must be from 0 to 1");
    out->cited = marks.cited;
    out->support = marks.has_support ? (int)lround(marks.support * 1000) : -1;
    return read_spans(in, at, marks.spans, out);
}

bool kept_read_sources(struct intake *in, const struct json_place *up,
                       struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("sources")};
    struct reference *refs;
    size_t n = 0;

    for (struct json *v = list && list->type == JSON_ARRAY ? list->first : NULL;
         v; v = v->next) {
        struct json_place here = {.up = &at, .index = n++};

        if (!open_meta(in, &here, v))
            return false;
    }
    if (!intake_sources(in, &at, list, &out->sources, &out->sources_n))
        return false;
    refs = (void *)(uintptr_t)out->sources; /* of our arena */
    n = 0;
    for (const struct json *v = list && out->sources_n ? list->first : NULL; v;
         v = v->next, n++) {
        struct json_place here = {.up = &at, .index = n};

        if (!read_marks(in, &here, v, &refs[n]))
            return false;
    }
    return true;
}
