/* completions.c - the OpenAI surface: /v1/chat/completions and /v1/models. */
#include "http/call/services.h"
#include "http/shape/shape.h"
#include "http/stream/openai.h"
#include "model/model.h"
#include "store/session/course.h"
#include "store/session/message.h"

enum { COURSES_MAX = 200 };

/* ---- POST /v1/chat/completions ------------------------------------------ */

static void send_answer(struct request *r)
{
    struct chat_call *call = r->state;
    const struct feed_end *end = feed_end(call->feed);
    struct buf b = BUF(REPLY_BYTES_MAX);

    call->format.head = feed_head(call->feed);
    openai_head(&b, &call->format, "chat.completion");
    buf_add(&b, STR(",\"choices\":[{\"index\":0,\"message\":{"
                    "\"role\":\"assistant\",\"content\":"));
    shape_str(&b, end->message->content);
    buf_add(&b, STR(",\"refusal\":null,\"annotations\":"));
    openai_annotations(&b, &call->format, end->message);
    buf_add(&b, STR("},\"logprobs\":null,\"finish_reason\":"));
    buf_add_json(&b, openai_finish(end));
    buf_add(&b, STR("}],\"usage\":"));
    openai_usage(&b, end);
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

static void send_feed(struct request *r)
{
    struct chat_call *call = r->state;
    const struct feed_head *head = feed_head(call->feed);
    struct feed *f = call->feed;

    if (head->session.p) {
        reply_header(r, STR("X-Session-Id"), head->session);
        reply_header(r, STR("X-Message-Id"), head->answer);
    }
    if (!call->stream) {
        chat_collect(r, f, send_answer);
        return;
    }
    call->feed = NULL;
    chat_view(r, f, &call->format, 0);
}

static void start_turn(struct request *r)
{
    chat_start(r, send_feed);
}

static void read_body(struct request *r)
{
    struct chat_call *call = r->state;

    if (!openai_intake(r, call))
        return;
    if (!models_find(services(r)->models, call->ask.model))
        openai_no_model(r, call->format.model);
    else if (chat_check(r, &call->ask))
        r->then = start_turn;
}

void api_completions(struct request *r)
{
    struct chat_call *call = call_state(r, sizeof(*call));

    if (!call)
        return;
    call->format.kind = &openai_format;
    call->format.public_url = call_public_url(r);
    request_work(r, read_body);
}

/* ---- GET /v1/models ----------------------------------------------------- */

struct model_list {
    struct request *r;
    struct buf *b;
    struct str only; /* absent: all */
    size_t n;
};

static void add_model(struct model_list *l, struct str course, struct str model)
{
    struct str id =
        arena_printf(&l->r->arena, "footnote%s%.*s%s%.*s", course.p ? ":" : "",
                     STR_ARG(course), model.p ? "@" : "", STR_ARG(model));

    if (l->only.p && !str_eq(l->only, id))
        return;
    if (l->n++)
        buf_add_c(l->b, ',');
    buf_add(l->b, STR("{\"id\":"));
    buf_add_json(l->b, id.p ? id : STR(""));
    buf_add(l->b, STR(",\"object\":\"model\",\"created\":0,"
                      "\"owned_by\":\"footnote\"}"));
}

/* A name for each course with each model, and for all courses with each. */
static bool add_models(struct model_list *l)
{
    const struct models *m = services(l->r)->models;
    struct course_list op = {.limit = COURSES_MAX};

    if (!call_read(l->r, OP(course_list), &op, "course"))
        return false;
    add_model(l, STR_NONE, STR_NONE);
    for (size_t i = 0; i < op.courses_n; i++)
        add_model(l, op.courses[i].id, STR_NONE);
    for (size_t k = 0; k < models_count(m); k++) {
        add_model(l, STR_NONE, models_at(m, k)->name);
        for (size_t i = 0; i < op.courses_n; i++)
            add_model(l, op.courses[i].id, models_at(m, k)->name);
    }
    return true;
}

static void list_models(struct request *r)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct model_list l = {.r = r, .b = &b};

    buf_add(&b, STR("{\"object\":\"list\",\"data\":["));
    if (!add_models(&l)) {
        buf_free(&b);
        return;
    }
    buf_add(&b, STR("]}"));
    reply_json(r, 200, &b);
}

void api_models(struct request *r)
{
    request_work(r, list_models);
}

static void find_model(struct request *r)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct model_list l = {.r = r, .b = &b, .only = r->params[0]};

    if (add_models(&l) && l.n) {
        reply_json(r, 200, &b);
        return;
    }
    buf_free(&b);
    if (!r->answered)
        openai_no_model(r, r->params[0]);
}

void api_model(struct request *r)
{
    request_work(r, find_model);
}
