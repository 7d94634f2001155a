/* retrievals.c - sources that a caller's own search found for a question. */
#include "http/api/calls.h"
#include "http/shape/cursor.h"
#include "http/shape/shape.h"
#include "store/answer/event.h"

/* ---- POST /api/sessions/{id}/retrievals --------------------------------- */

struct add_call {
    struct keyed keyed;
    struct event_add op;
};
struct add_in {
    struct str user_message, message, query;
    const struct json *sources, *citations;
    bool has_low_confidence, low_confidence;
};

#define AT(member) offsetof(struct add_in, member)
// clang-format off
static const struct field add_fields[] = {
    {FIELD_NAME("userMessageId"), FIELD_ID,
     AT(user_message), 0, 0, 0},
    {FIELD_NAME("messageId"), FIELD_ID, AT(message), 0, 0, 0},
    {FIELD_NAME("query"), FIELD_TEXT, AT(query), 0,
     STORE_QUESTION_BYTES_MAX, 0},
    {FIELD_NAME("sources"), FIELD_ANY, AT(sources), 0, 0, 0},
    {FIELD_NAME("citations"), FIELD_ANY, AT(citations), 0, 0, 0},
    {FIELD_NAME("lowConfidence"), FIELD_FLAG,
     AT(low_confidence), AT(has_low_confidence), 0, 0},
};
// clang-format on

static void answer_added(struct request *r)
{
    struct add_call *call = r->state;
    struct event_list get = {.session = call->op.session,
                             .only = keyed_result(&call->keyed)};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(event_list), &get, "session"))
        return;
    if (get.events_n == 0) { /* cleared in between */
        reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""},
                 "session");
        return;
    }
    shape_event(&b, &get.events[0]);
    reply_json(r, keyed_status(r, &call->keyed, true), &b);
}

static void added(struct request *r)
{
    if (r->rc == FOOTNOTE_INVALID && strcmp(r->err.field, "message") == 0)
        reply_problem(
            r, &(struct problem){.status = 422,
                                 .code = STR("impossible"),
                                 .text = STR("That message is not a user's"),
                                 .where = STR("/userMessageId")});
    else if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "session");
    else
        request_work(r, answer_added);
}

static bool check_add(struct intake *in, const struct add_in *body,
                      struct event_add *op)
{
    struct json_place at = {.key = body->sources ? STR("sources")
                                                 : STR("citations")};

    op->user_message =
        body->user_message.p ? body->user_message : body->message;
    if (!op->user_message.p)
        return intake_missing(in, STR("userMessageId"));
    if (body->message.p && !str_eq(body->message, op->user_message))
        return intake_refuse(in, &(struct json_place){.key = STR("messageId")},
                             400, STR("invalid_field"),
                             "messageId is not userMessageId");
    if (!body->query.p)
        return intake_missing(in, STR("query"));
    if (body->sources && body->citations)
        return intake_refuse(in, &at, 400, STR("invalid_field"),
                             "sources is given twice");
    return intake_sources(in, &at,
                          body->sources ? body->sources : body->citations,
                          &op->sources, &op->sources_n);
}

void api_retrieval_add(struct request *r)
{
    struct add_call *call = call_state(r, sizeof(*call));
    struct intake in = {.a = &r->arena};
    struct add_in body = {.sources = NULL};

    if (!call || !call_body(r, add_fields, FIELDS_N(add_fields), &body))
        return;
    if (!check_add(&in, &body, &call->op)) {
        call_refused(r, &in);
        return;
    }
    call->op.session = r->params[0];
    call->op.query = body.query;
    call->op.has_low_confidence = body.has_low_confidence;
    call->op.low_confidence = body.low_confidence;
    call->keyed.result = call->op.id_text;
    keyed_write(r, &call->keyed, r->params[0], OP(event_add), &call->op, added);
}

/* ---- GET /api/sessions/{id}/retrievals ---------------------------------- */

static void list_work(struct request *r)
{
    struct event_list op = {.events = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct page page;
    struct str next;
    size_t n;

    if (!call_param(r, 0, "session", &op.session) || !page_read(r, &page) ||
        !call_read(r, OP(event_list), &op, "session"))
        return;
    n = page_cut(r, &page, op.events_n, &next);
    buf_add(&b, STR("{\"retrievals\":["));
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_event(&b, &op.events[page.from + i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

void api_retrievals_list(struct request *r)
{
    request_work(r, list_work);
}
