/* openai_intake.c - what an OpenAI client sends.
 *
 *     model      footnote[:COURSE][@MODEL]
 *     messages   the last one is the question; the others are the thread when
 *                no session keeps it
 *     scope      ours: as that of /api/chat
 *     session    X-Session-Id, or metadata.session_id; none: nothing is kept */
#include "http/stream/openai.h"

#include "base/utf8.h"
#include "store/answer/answer.h"

enum { LINES_MAX = 200, NAME_SHOWN_BYTES = 100 };

static bool refuse(struct request *r, struct str where, const char *text)
{
    reply_invalid(r, where, "%s", text);
    return false;
}

static bool read_messages(struct request *r, const struct json *list,
                          struct chat_ask *ask)
{
    struct chat_line *lines;
    size_t n = 0;

    if (!list || list->type != JSON_ARRAY || !list->first)
        return refuse(r, STR("/messages"), "messages: are missing");
    lines = arena_many(&r->arena, LINES_MAX + 1, struct chat_line);
    if (!lines) {
        call_no_memory(r);
        return false;
    }
    for (const struct json *m = list->first; m; m = m->next) {
        const struct json *content = json_get(m, STR("content"));
        struct str role = json_text(m, STR("role"));
        bool user = str_eq(role, STR("user"));

        if (!user && !str_eq(role, STR("assistant")))
            continue; /* instructions are ours alone */
        if (n == LINES_MAX) {
            memmove(lines, lines + 1, (LINES_MAX - 1) * sizeof(*lines));
            n--;
        }
        lines[n++] =
            (struct chat_line){user ? FOOTNOTE_USER : FOOTNOTE_ASSISTANT,
                               content && content->type == JSON_ARRAY
                                   ? chat_parts(r, content)
                                   : json_text(m, STR("content"))};
    }
    if (n == 0 || lines[n - 1].role != FOOTNOTE_USER ||
        chat_is_blank(lines[n - 1].text))
        return refuse(r, STR("/messages"),
                      "messages: the last must be the user's");
    if (lines[n - 1].text.n > STORE_QUESTION_BYTES_MAX) {
        reply_problem(r, &(struct problem){.status = 413,
                                           .code = STR("too_large"),
                                           .text = STR("The question is over "
                                                       "64 KB")});
        return false;
    }
    ask->question.content = lines[n - 1].text;
    ask->before = lines;
    ask->before_n = n - 1;
    return true;
}

void openai_no_model(struct request *r, struct str model)
{
    if (model.n > NAME_SHOWN_BYTES)
        model.n = utf8_whole((struct str){model.p, NAME_SHOWN_BYTES});
    reply_problem(
        r, &(struct problem){.status = 404,
                             .code = STR("model_not_found"),
                             .text = arena_printf(&r->arena,
                                                  "The model %.*s does not "
                                                  "exist",
                                                  STR_ARG(model))});
}

static bool read_model(struct request *r, struct str name, struct chat_ask *ask)
{
    struct str rest = name;
    size_t at;

    if (!str_starts(name, STR("footnote"))) {
        openai_no_model(r, name);
        return false;
    }
    rest = str_skip(rest, STR("footnote").n);
    at = str_find(rest, '@');
    if (at < rest.n)
        ask->model = str_skip(rest, at + 1);
    rest.n = at;
    if (rest.n > 1 && rest.p[0] == ':')
        ask->course = str_skip(rest, 1);
    else if (rest.n) {
        openai_no_model(r, name);
        return false;
    }
    return true;
}

static bool read_session(struct request *r, const struct json *body,
                         struct chat_ask *ask)
{
    const struct json *metadata = json_get(body, STR("metadata"));
    struct str id = request_header(r, STR("x-session-id"));

    if (!id.p && metadata)
        id = json_text(metadata, intake_name(metadata, STR("sessionId")));
    if (id.n > STORE_ID_BYTES_MAX)
        return refuse(r, STR("/metadata/session_id"),
                      "session_id: over 200 bytes");
    if (id.n == 0)
        return true;
    ask->question.session = id;
    ask->before_n = 0; /* the session has its own history */
    return true;
}

static bool is_on(const struct json *o, struct str key)
{
    const struct json *v = json_get(o, key);

    return v && v->type == JSON_TRUE;
}

bool openai_intake(struct request *r, struct chat_call *call)
{
    const struct json *body = request_json(r);
    struct chat_ask *ask = &call->ask;

    if (!body)
        return false;
    call->format.model = json_text(body, STR("model"));
    if (!call->format.model.p)
        return refuse(r, STR("/model"), "model: is missing");
    call->stream = is_on(body, STR("stream"));
    call->format.usage =
        is_on(json_get(body, STR("stream_options")), STR("include_usage"));
    ask->mode = ANSWER_NEW;
    return read_model(r, call->format.model, ask) &&
           read_messages(r, json_get(body, STR("messages")), ask) &&
           read_session(r, body, ask) &&
           chat_scope(r, json_get(body, STR("scope")), ask);
}
