/* messages.c - messages and sources that a caller's own agent brings. */
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/shape/intake_message.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"

/* ---- Answering with a message ------------------------------------------- */

static bool read_message(struct request *r, struct str id, struct message **out)
{
    struct messages_by_id get = {.ids = &id, .ids_n = 1};

    if (!call_read(r, OP(messages_by_id), &get, "message"))
        return false;
    *out = get.messages;
    if ((*out)->id.p)
        return true;
    reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""},
             "message");
    return false;
}

/* What is asked of a message that it cannot do, though every field is well
 * formed. */
static void refused(struct request *r)
{
    if (r->rc != FOOTNOTE_INVALID || strcmp(r->err.field, "message") != 0) {
        call_failed(r, r->rc, &r->err, "message");
        return;
    }
    reply_problem(r, &(struct problem){
                         .status = 422,
                         .code = STR("impossible"),
                         .text = STR("Only an answer has sources, and only a "
                                     "question retrievals")});
}

/* ---- POST /api/sessions/{id}/messages ----------------------------------- */

struct save_call {
    struct keyed keyed;
    struct message_save op;
    const struct json *body;
    bool has_time; /* as what was read from us */
};

/* A repeat is compared with what is stored: a request that was sent before only
 * in what we set ourselves, since more sources may have come; a message as it
 * was read in all that it says. */
static bool check_repeat(struct request *r, const struct save_call *call,
                         const struct message *m)
{
    struct intake in = {.a = &r->arena};

    if (call->op.made ||
        intake_is_shown(&in, call->body, m,
                        r->rc == FOOTNOTE_OK ? SHOWN_OURS : SHOWN_ALL))
        return true;
    call_refused(r, &in);
    return false;
}

static void answer_saved(struct request *r)
{
    struct save_call *call = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct message *m;

    if (!read_message(r, keyed_result(&call->keyed), &m) ||
        !check_repeat(r, call, m))
        return;
    shape_message(&b, m);
    reply_json(r, keyed_status(r, &call->keyed, call->op.made), &b);
}

/* The message is there, with another request's digest: it may have been read
 * from us, with all that we have added. */
static void answer_taken(struct request *r)
{
    struct save_call *call = r->state;
    struct str id = call->op.message.id;
    struct messages_by_id get = {.ids = &id, .ids_n = 1};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(messages_by_id), &get, "message"))
        return;
    if (!get.messages->id.p ||
        !str_eq(get.messages->session, call->op.message.session)) {
        call_failed(r, r->rc, &r->err, "session");
        return;
    }
    if (!check_repeat(r, call, get.messages))
        return;
    reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    shape_message(&b, get.messages);
    reply_json(r, 200, &b);
}

static void saved(struct request *r)
{
    const struct save_call *call = r->state;

    if (r->rc == FOOTNOTE_CONFLICT && call->has_time && call->op.message.id.p)
        request_work(r, answer_taken);
    else if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "session");
    else
        request_work(r, answer_saved);
}

void api_message_save(struct request *r)
{
    struct save_call *call = call_state(r, sizeof(*call));
    struct json *body = call ? request_json(r) : NULL;
    struct intake in = {.a = &r->arena};
    struct message_in message;

    if (!body)
        return;
    if (!intake_message(&in, body, &message)) {
        call_refused(r, &in);
        return;
    }
    if (!call_course_share(r, message.share, &call->op.share))
        return;
    call->op.message = message.m;
    call->op.course = message.course;
    call->op.digest = message.digest;
    call->body = body;
    call->has_time = message.has_time;
    call->op.message.session = r->params[0];
    call->keyed.result = call->op.id_text;
    keyed_write(r, &call->keyed, r->params[0], OP(message_save), &call->op,
                saved);
}

/* ---- POST /api/messages/{id}/sources ------------------------------------ */

struct cite_call {
    struct keyed keyed;
    struct message_cite op;
    char id[STORE_ID_BYTES_MAX + 1];
};
struct cite_in {
    struct str session;
    const struct json *sources;
};
// clang-format off
static const struct field cite_fields[] = {
    {FIELD_NAME("sources"), FIELD_ANY, offsetof(struct cite_in, sources),
     0, 0, 0},
    {FIELD_NAME("sessionId"), FIELD_ID,
     offsetof(struct cite_in, session), 0, 0, 0},
};
// clang-format on

static const struct reference *find_number(const struct message *m, uint32_t n)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].number == n)
            return &m->sources[i];
    return NULL;
}

/* The sources that were sent, in that order, as they are stored.  A repeat
 * under a key does not know their numbers and shows all of the message's. */
static void answer_cited(struct request *r)
{
    struct cite_call *call = r->state;
    const struct message_cite *op = &call->op;
    struct buf b = BUF(REPLY_BYTES_MAX);
    bool first = !call->keyed.has_key || call->keyed.write.first;
    struct message *m;

    if (!read_message(r, op->message, &m))
        return;
    if (!first)
        reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    buf_add(&b, STR("{\"sources\":"));
    if (first) {
        char before = '[';

        for (size_t i = 0; i < op->sources_n; i++) {
            const struct reference *ref = find_number(m, op->numbers[i]);

            if (!ref)
                continue;
            buf_add_c(&b, before);
            before = ',';
            shape_source(&b, ref, SOURCE_CAMEL);
        }
        buf_add(&b, before == '[' ? STR("[]") : STR("]"));
    } else {
        shape_sources(&b, m->sources, m->sources_n, SOURCE_CAMEL);
    }
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

static void cited(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        refused(r);
    else
        request_work(r, answer_cited);
}

static bool read_cite(struct request *r, struct cite_call *call)
{
    struct json_place at = {.key = STR("sources")};
    struct intake in = {.a = &r->arena};
    struct cite_in body = {.sources = NULL};
    struct message_cite *op = &call->op;
    bool ok;

    if (!call_body(r, cite_fields, FIELDS_N(cite_fields), &body))
        return false;
    ok = body.sources ? intake_sources(&in, &at, body.sources, &op->sources,
                                       &op->sources_n)
                      : intake_missing(&in, STR("sources"));
    if (!ok) {
        call_refused(r, &in);
        return false;
    }
    op->session = body.session;
    op->numbers = arena_many(&r->arena, op->sources_n + 1, uint32_t);
    if (!op->numbers)
        call_no_memory(r);
    return op->numbers != NULL;
}

void api_message_cite(struct request *r)
{
    struct cite_call *call = call_state(r, sizeof(*call));

    if (!call || !call_param(r, 0, "message", &call->op.message) ||
        !read_cite(r, call))
        return;
    memcpy(call->id, call->op.message.p, call->op.message.n);
    call->keyed.result = call->id;
    keyed_write(r, &call->keyed,
                call->op.session.p ? call->op.session : STR(""),
                OP(message_cite), &call->op, cited);
}

/* ---- PATCH /api/messages/{id} ------------------------------------------- */

struct change_call {
    struct answer_patch op;
    struct answer_measure measure; /* before it ends */
    struct str status;
};
#define AT(member) offsetof(struct change_call, member)
// clang-format off
static const struct field change_fields[] = {
    {FIELD_NAME("append"), FIELD_TEXT, AT(op.append), 0,
     STORE_CONTENT_BYTES_MAX, 0},
    {FIELD_NAME("status"), FIELD_TEXT, AT(status), 0, 0, 0},
    {FIELD_NAME("lowConfidence"), FIELD_FLAG,
     AT(op.low_confidence), AT(op.has_low_confidence), 0, 0},
};
// clang-format on

static void answer_changed(struct request *r)
{
    const struct change_call *call = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct message *m;

    if (!read_message(r, call->op.id, &m))
        return;
    shape_message(&b, m);
    reply_json(r, 200, &b);
}

static void changed(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "message");
    else
        request_work(r, answer_changed);
}

static void write_change(struct request *r)
{
    struct change_call *call = r->state;

    request_write(r, OP(answer_patch), &call->op, changed);
}

/* If it fails, the sources have no support. */
static void measure_change(struct request *r)
{
    struct change_call *call = r->state;

    call->measure =
        (struct answer_measure){.id = call->op.id, .append = call->op.append};
    (void)store_read(services(r)->store, caller(r)->who, &r->arena,
                     OP(answer_measure), &call->measure, NULL);
    call->op.measured = &call->measure.measured;
}

void api_message_change(struct request *r)
{
    struct change_call *call = call_state(r, sizeof(*call));

    if (!call || !call_param(r, 0, "message", &call->op.id) ||
        !call_body(r, change_fields, FIELDS_N(change_fields), call))
        return;
    call->op.status = FOOTNOTE_STREAMING;
    if (call->status.p && !status_parse(call->status, &call->op.status)) {
        reply_invalid(r, STR("/status"),
                      "status is none of streaming, complete, stopped, "
                      "interrupted, failed");
        return;
    }
    if (call->op.status == FOOTNOTE_STREAMING)
        write_change(r);
    else
        request_work_then(r, measure_change, write_change);
}

/* ---- POST /api/sources/by-message --------------------------------------- */

static bool is_repeated(const struct texts *ids, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (str_eq(ids->items[j], ids->items[i]))
            return true;
    return false;
}

static void by_message_work(struct request *r)
{
    const struct texts *ids = r->state;
    struct messages_by_id get = {.ids = ids->items, .ids_n = ids->n};
    struct buf b = BUF(REPLY_BYTES_MAX);
    char before = '{';

    if (!call_read(r, OP(messages_by_id), &get, "message"))
        return;
    for (size_t i = 0; i < ids->n; i++) {
        const struct message *m = &get.messages[i];

        if (is_repeated(ids, i))
            continue;
        buf_add_c(&b, before);
        before = ',';
        buf_add_json(&b, ids->items[i]);
        buf_add_c(&b, ':');
        shape_sources(&b, m->sources, m->sources_n, SOURCE_CAMEL);
    }
    buf_add(&b, before == '{' ? STR("{}") : STR("}"));
    reply_json(r, 200, &b);
}

void api_sources_by_message(struct request *r)
{
    // clang-format off
    static const struct field fields[] = {
        {FIELD_NAME("messageIds"), FIELD_TEXTS, 0,
         0, STORE_IDS_MAX, 0}};
    // clang-format on
    struct texts *ids = call_state(r, sizeof(*ids));
    struct intake in = {.a = &r->arena};

    if (!ids || !call_body(r, fields, FIELDS_N(fields), ids))
        return;
    if (ids->items) {
        request_work(r, by_message_work);
        return;
    }
    intake_missing(&in, STR("messageIds"));
    call_refused(r, &in);
}

/* ---- DELETE /api/sessions/{id}/sources ---------------------------------- */

/* In a session that is gone there is nothing left to delete. */
static void cleared(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        r->rc = FOOTNOTE_OK;
    call_deleted(r, "session");
}

void api_sources_clear(struct request *r)
{
    struct session_clear *op = call_state(r, sizeof(*op));

    if (!op || !call_gone_param(r, &op->id))
        return;
    audit_with_write(r, AUDIT_DELETE, op->id);
    request_write(r, OP(session_clear), op, cleared);
}
