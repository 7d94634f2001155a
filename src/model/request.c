/* request.c - the body of POST {base}/chat/completions. */
#include "model/request.h"

#include <assert.h>

#include "base/json.h"

/* The model may ask for one more search.  We decide what is searched; a model
 * can only narrow it. */
#define TOOLS                                                                  \
    "[{\"type\":\"function\",\"function\":{\"name\":\"" MODEL_SEARCH_TOOL      \
    "\",\"description\":\"Search the course materials for passages about a "   \
    "question. Use it when the passages at hand do not answer the question."   \
    "\",\"parameters\":{\"type\":\"object\",\"properties\":{\"query\":{"       \
    "\"type\":\"string\",\"description\":\"What to look for, in the words "    \
    "that the materials would use\"},\"documentId\":{\"type\":\"string\","     \
    "\"description\":\"Search this document only\"},\"kinds\":{\"type\":"      \
    "\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"slides\","           \
    "\"lecture\",\"journal\",\"page\",\"text\"]},\"description\":\"Search "    \
    "documents of these kinds only\"},\"dateFrom\":{\"type\":\"string\","      \
    "\"description\":\"Search only what is dated this day or later, as "       \
    "2026-02-26\"},\"dateTo\":{\"type\":\"string\",\"description\":\"And "     \
    "this day or earlier\"}},\"required\":[\"query\"]"                         \
    "}}}]"

static void key_text(struct json_out *w, struct str key, struct str text)
{
    json_key(w, key);
    json_str(w, text);
}

static struct str role_word(enum model_role role)
{
    switch (role) {
    case MODEL_SYSTEM: return STR("system");
    case MODEL_USER: return STR("user");
    case MODEL_ASSISTANT: return STR("assistant");
    case MODEL_TOOL: return STR("tool");
    }
    return STR("user");
}

/* A text and a picture. */
static void write_parts(struct json_out *w, const struct model_line *l)
{
    json_array(w);
    if (l->text.n) {
        json_object(w);
        key_text(w, STR("type"), STR("text"));
        key_text(w, STR("text"), l->text);
        json_end(w, '}');
    }
    json_object(w);
    key_text(w, STR("type"), STR("image_url"));
    json_key(w, STR("image_url"));
    json_object(w);
    key_text(w, STR("url"), l->image_url);
    json_end(w, '}');
    json_end(w, '}');
    json_end(w, ']');
}

static void write_calls(struct json_out *w, const struct model_line *l)
{
    json_key(w, STR("tool_calls"));
    json_array(w);
    for (size_t i = 0; i < l->calls_n; i++) {
        const struct model_tool_call *c = &l->calls[i];

        json_object(w);
        key_text(w, STR("id"), c->id);
        key_text(w, STR("type"), STR("function"));
        json_key(w, STR("function"));
        json_object(w);
        key_text(w, STR("name"), c->name);
        key_text(w, STR("arguments"), c->arguments);
        json_end(w, '}');
        if (c->extra.p) {
            json_key(w, STR("extra_content"));
            json_raw(w, c->extra);
        }
        json_end(w, '}');
    }
    json_end(w, ']');
}

static void write_line(struct json_out *w, const struct model_line *l,
                       bool images)
{
    json_object(w);
    key_text(w, STR("role"), role_word(l->role));
    if (l->role == MODEL_TOOL)
        key_text(w, STR("tool_call_id"), l->call_id);
    json_key(w, STR("content"));
    if (l->image_url.p && images)
        write_parts(w, l);
    else if (l->calls_n && l->text.n == 0)
        json_null(w);
    else
        json_str(w, l->text.p ? l->text : STR(""));
    if (l->calls_n)
        write_calls(w, l);
    json_end(w, '}');
}

enum footnote_rc model_request_write(struct model_request *r,
                                     const struct model_ask *ask,
                                     struct footnote_err *err)
{
    struct json_out w = JSON_OUT(&r->text);

    json_object(&w);
    key_text(&w, STR("model"), ask->model->upstream_name);
    json_key(&w, STR("messages"));
    json_array(&w);
    for (size_t i = 0; i < ask->lines_n; i++)
        write_line(&w, &ask->lines[i], ask->model->images);
    json_end(&w, ']');
    json_key(&w, STR("stream"));
    json_bool(&w, true);
    r->base_n = r->text.n; /* model_request_finish() adds its } */
    return buf_rc(&r->text, err);
}

enum footnote_rc model_request_finish(struct model_request *r, bool tools,
                                      bool usage, struct footnote_err *err)
{
    assert(r->base_n > 0 && r->base_n <= r->text.n);
    r->text.n = r->base_n;
    if (tools)
        buf_add(&r->text, STR(",\"tools\":" TOOLS));
    if (usage)
        buf_add(&r->text, STR(",\"stream_options\":{\"include_usage\":true}"));
    buf_add_c(&r->text, '}');
    return buf_rc(&r->text, err);
}
