/* intake_ui.c - a message of the AI SDK, as ?as=ui shows it, as a message.
 *
 * Its text and its data-rag-source parts are what is stored; the links beside
 * them and data-citations are made of that again.  What stands in its metadata
 * are fields of the message, but for those that only we set. */
#include "http/shape/intake_message.h"

static struct json *new_value(struct intake *in, enum json_type type,
                              struct str key)
{
    struct json *v = arena_new(in->a, struct json);

    if (v)
        *v = (struct json){.type = type, .key = key};
    else
        intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
    return v;
}

static void add(struct json *to, struct json ***end, struct json *v)
{
    v->next = NULL;
    **end = v;
    *end = &v->next;
    to->n++;
}

static bool copy(struct intake *in, struct json *to, struct json ***end,
                 const struct json *v)
{
    struct json *copied = new_value(in, v->type, v->key);

    if (!copied)
        return false;
    *copied = *v;
    add(to, end, copied);
    return true;
}

static bool add_text(struct intake *in, struct buf *text, const struct json *p,
                     const struct json_place *at)
{
    struct str s = json_text(p, STR("text"));

    if (!s.p)
        return intake_refuse(in, at, 400, STR("invalid_field"),
                             "A text part has a text");
    buf_add(text, s);
    return true;
}

/* Texts, one after the other, and sources. */
static bool read_parts(struct intake *in, const struct json *parts,
                       struct json *sources, struct buf *text)
{
    struct json **end = &sources->first;
    struct json_place list = {.key = STR("parts")};
    struct json_place at = {.up = &list};

    if (parts->type != JSON_ARRAY)
        return intake_refuse(in, &list, 400, STR("invalid_field"),
                             "parts must be a list");
    for (const struct json *p = parts->first; p; p = p->next, at.index++) {
        struct str type = json_text(p, STR("type"));
        const struct json *data = json_get(p, STR("data"));

        if (str_eq(type, STR("text")) && !add_text(in, text, p, &at))
            return false;
        if (!str_eq(type, STR("data-rag-source")))
            continue;
        if (!data || data->type != JSON_OBJECT)
            return intake_refuse(in, &at, 400, STR("invalid_field"),
                                 "A data-rag-source part has data");
        if (!copy(in, sources, &end, data))
            return false;
    }
    return true;
}

/* model and versions are ours, and are not fields of a message. */
static bool add_metadata(struct intake *in, const struct json *metadata,
                         struct json *to, struct json ***end)
{
    struct json_place at = {.key = STR("metadata")};

    if (!metadata || metadata->type == JSON_NULL)
        return true;
    if (metadata->type != JSON_OBJECT)
        return intake_refuse(in, &at, 400, STR("invalid_field"),
                             "metadata must be an object");
    for (const struct json *v = metadata->first; v; v = v->next)
        if (!str_eq(v->key, STR("model")) && !str_eq(v->key, STR("versions")) &&
            !copy(in, to, end, v))
            return false;
    return true;
}

const struct json *intake_ui(struct intake *in, const struct json *message)
{
    AUTO(buf_free) struct buf text = BUF((size_t)2 * STORE_CONTENT_BYTES_MAX);
    struct json *out = new_value(in, JSON_OBJECT, STR_NONE);
    struct json *content = new_value(in, JSON_STR, STR("content"));
    struct json *sources = new_value(in, JSON_ARRAY, STR("sources"));
    struct json **end = out ? &out->first : NULL;

    if (!out || !content || !sources ||
        !read_parts(in, json_get(message, STR("parts")), sources, &text))
        return NULL;
    for (const struct json *v = message->first; v; v = v->next)
        if (!str_eq(v->key, STR("parts")) && !str_eq(v->key, STR("metadata")) &&
            !copy(in, out, &end, v))
            return NULL;
    if (!add_metadata(in, json_get(message, STR("metadata")), out, &end))
        return NULL;
    content->s = text.n ? arena_str(in->a, buf_str(&text)) : STR("");
    if (buf_rc(&text, NULL) != FOOTNOTE_OK || !content->s.p) {
        intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
        return NULL;
    }
    add(out, &end, content);
    if (sources->first)
        add(out, &end, sources);
    return out;
}
