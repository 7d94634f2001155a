/* feedback.c - what the reader of an answer says of it: good, or what is wrong
 * with it or with one of its numbers. */
#include "store/session/feedback.h"

#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/read/history.h"
#include "store/session/message.h"

struct feedback_in {
    struct str rating, note;
    bool has_number;
    int64_t number;
};
#define AT(member) offsetof(struct feedback_in, member)
// clang-format off
static const struct field feedback_fields[] = {
    {FIELD_NAME("rating"), FIELD_TEXT, AT(rating), 0, 0, 0},
    {FIELD_NAME("number"), FIELD_WHOLE, AT(number), AT(has_number), 0, 0},
    {FIELD_NAME("note"), FIELD_TEXT, AT(note), 0, FEEDBACK_NOTE_BYTES_MAX, 0},
};
// clang-format on

static bool number_ok(struct request *r, int64_t number)
{
    if (number >= 1 && number <= STORE_NUMBER_MAX)
        return true;
    reply_invalid(r, STR("/number"), "number is that of a source");
    return false;
}

/* All that is said of it now. */
static void answer_said(struct request *r)
{
    const struct feedback_put *op = r->state;
    struct messages_by_id get = {.ids = &op->id, .ids_n = 1};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(messages_by_id), &get, "message"))
        return;
    buf_add(&b, STR("{\"feedback\":"));
    shape_feedback_list(&b, get.messages->feedback, get.messages->feedback_n);
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

static void said(struct request *r)
{
    if (r->rc == FOOTNOTE_INVALID && strcmp(r->err.field, "message") == 0) {
        reply_problem(r, &(struct problem){
                             .status = 422,
                             .code = STR("impossible"),
                             .text = STR("Only an answer that has ended can "
                                         "be good or bad")});
        return;
    }
    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "message");
        return;
    }
    request_work(r, answer_said);
}

void api_feedback_put(struct request *r)
{
    struct feedback_put *op = call_state(r, sizeof(*op));
    struct feedback_in in = {.number = 0};
    struct intake intake = {.a = &r->arena};

    if (!op || !call_param(r, 0, "message", &op->id) ||
        !call_body(r, feedback_fields, FIELDS_N(feedback_fields), &in))
        return;
    if (!in.rating.p) {
        intake_missing(&intake, STR("rating"));
        call_refused(r, &intake);
        return;
    }
    if (!feedback_parse(in.rating, &op->one.rating)) {
        reply_invalid(r, STR("/rating"),
                      "rating is none of good, bad, not_true, wrong_source, "
                      "not_asked, missing");
        return;
    }
    if (in.has_number && !number_ok(r, in.number))
        return;
    op->one.number = (uint32_t)in.number;
    op->one.note = in.note.n ? in.note : STR_NONE;
    request_write(r, OP(feedback_put), op, said);
}

/* What is not there is taken back already. */
static void taken_back(struct request *r)
{
    if (r->rc == FOOTNOTE_INVALID || r->rc == FOOTNOTE_NOTFOUND)
        r->rc = FOOTNOTE_OK;
    call_deleted(r, "message");
}

void api_feedback_delete(struct request *r)
{
    struct feedback_put *op = call_state(r, sizeof(*op));
    int64_t number = 0;

    if (!op || !call_gone_param(r, &op->id) ||
        !call_number(r, STR("number"), 1, STORE_NUMBER_MAX, &number))
        return;
    op->one = (struct feedback){.number = (uint32_t)number};
    request_write(r, OP(feedback_put), op, taken_back);
}
