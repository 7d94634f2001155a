/* intake_shown.c - whether a message that a client sends is the stored one.
 *
 * The stored message is written as a reader gets it, read again as JSON, and
 * compared value by value.  So whatever is shown is compared, and no field can
 * be forgotten. */
#include "base/json.h"
#include "http/core/text.h"
#include "http/shape/intake_message.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"

enum { SHOWN_BYTES_MAX = 64 * 1024 * 1024 };

/* What only we set, wherever it stands. */
static bool is_ours(struct str name)
{
    static const struct str ours[] = {
        {"cited", 5},   {"support", 7},          {"spans", 5},
        {"state", 5},   {"documentVersion", 15}, {"digest", 6},
        {"failure", 7}, {"replacedBy", 10}};

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (text_is_name(ours[i], name))
            return true;
    return false;
}

/* Where such values stand. */
static bool holds_ours(struct str name)
{
    return str_eq(name, STR("sources")) || str_eq(name, STR("citations")) ||
           str_eq(name, STR("parts")) || str_eq(name, STR("data")) ||
           str_eq(name, STR("metadata"));
}

/* Not of the message: its session's course, a link that is made afresh each
 * time, and what other messages say. */
static bool is_passed_over(struct str name, const struct json *o)
{
    bool picture = json_get(o, STR("s3key")) && json_get(o, STR("url")) &&
                   !json_get(o, STR("sourceType"));

    return text_is_name(STR("courseId"), name)
               ? json_get(o, STR("role")) != NULL
               : text_is_name(STR("courseShare"), name) ||
                     str_eq(name, STR("versions")) ||
                     (picture && str_eq(name, STR("url")));
}

struct compared {
    struct intake *in;
    enum as_shown which;
};

static bool refuse(const struct compared *c, const struct json_place *at)
{
    const struct json_place *named = at;

    while (named && !named->key.p)
        named = named->up;
    return intake_refuse(c->in, at, 409, STR("id_taken"),
                         "%.*s is not what the stored message has",
                         named ? (int)named->key.n : 4,
                         named ? named->key.p : "This");
}

static bool same(const struct compared *c, const struct json_place *at,
                 const struct json *sent, const struct json *shown);

/* The state of a graph and the history of a session have names of their own. */
static const struct json *shown_as(const struct json *o, struct str key)
{
    if (json_get(o, STR("createdAt")) && json_get(o, STR("role"))) {
        if (str_eq(key, STR("timestamp")))
            key = STR("createdAt");
        if (str_eq(key, STR("citations")))
            key = STR("sources");
        if (str_eq(key, STR("type")))
            key = STR("role");
    }
    for (const struct json *v = o->first; v; v = v->next)
        if (str_eq(v->key, key) || text_is_name(v->key, key))
            return v;
    return NULL;
}

static bool same_role(struct str sent, struct str shown)
{
    enum footnote_role x, y;

    return role_parse(sent, &x) && role_parse(shown, &y) && x == y;
}

static bool same_object(const struct compared *c, const struct json_place *at,
                        const struct json *sent, const struct json *shown)
{
    for (const struct json *v = sent->first; v; v = v->next) {
        struct json_place here = {.up = at, .key = v->key};
        const struct json *its = shown_as(shown, v->key);
        bool first = text_is_name(STR("parentId"), v->key) &&
                     v->type == JSON_STR && v->s.n == 0;

        if (v->type == JSON_NULL || is_passed_over(v->key, shown) ||
            (c->which == SHOWN_OURS && !is_ours(v->key) && !holds_ours(v->key)))
            continue;
        if (its && its->type == JSON_NULL && first)
            continue; /* "" is the parent of a first message */
        if (its && str_eq(v->key, STR("type")) && v->type == JSON_STR &&
            its->type == JSON_STR && same_role(v->s, its->s))
            continue;
        if (!its ? !refuse(c, &here) : !same(c, &here, v, its))
            return false;
    }
    return true;
}

static bool same_list(const struct compared *c, const struct json_place *at,
                      const struct json *sent, const struct json *shown)
{
    const struct json *other = shown->first;
    struct json_place here = {.up = at};

    if (sent->n != shown->n && c->which == SHOWN_ALL)
        return refuse(c, at);
    for (const struct json *v = sent->first; v && other; v = v->next) {
        if (!same(c, &here, v, other))
            return false;
        other = other->next;
        here.index++;
    }
    return true;
}

static double number_of(const struct json *v)
{
    return v->type == JSON_I64 ? (double)v->i : v->f;
}

static bool is_number(const struct json *v)
{
    return v->type == JSON_I64 || v->type == JSON_F64;
}

static bool same_text(struct str sent, struct str shown)
{
    int64_t x, y;

    return str_eq(sent, shown) ||
           (time_parse(sent, &x) && time_parse(shown, &y) && x == y);
}

static bool same(const struct compared *c, const struct json_place *at,
                 const struct json *sent, const struct json *shown)
{
    bool equal = sent->type == shown->type;

    if (is_number(sent) && is_number(shown)) {
        double x = number_of(sent), y = number_of(shown);

        equal = sent->type == JSON_I64 && shown->type == JSON_I64
                    ? sent->i == shown->i
                    : !(x < y) && !(y < x);
    } else if (equal && sent->type == JSON_STR) {
        equal = same_text(sent->s, shown->s);
    } else if (equal && sent->type == JSON_ARRAY) {
        return same_list(c, at, sent, shown);
    } else if (equal && sent->type == JSON_OBJECT) {
        return same_object(c, at, sent, shown);
    }
    return equal || refuse(c, at);
}

/* ---- The stored message ------------------------------------------------- */

bool intake_is_shown(struct intake *in, const struct json *body,
                     const struct message *stored, enum as_shown which)
{
    AUTO(buf_free) struct buf b = BUF(SHOWN_BYTES_MAX);
    struct compared c = {in, which};
    struct json *shown;

    if (json_get(body, STR("parts")))
        shape_ui_message(&b, stored);
    else
        shape_message(&b, stored);
    if (buf_rc(&b, NULL) != FOOTNOTE_OK ||
        json_read(in->a, arena_str(in->a, buf_str(&b)), &shown, NULL) !=
            FOOTNOTE_OK)
        return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
    return same(&c, NULL, body, shown);
}
