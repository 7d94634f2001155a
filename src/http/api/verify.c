/* verify.c - POST /api/verify: whether sources carry the sentences of a text.
 *
 * For other people's agents: the text is judged as an answer of ours is, and
 * nothing is stored. */
#include "http/api/calls.h"
#include "http/shape/shape.h"
#include "store/session/message.h"
#include "store/source/verdicts.h"

struct verify_in {
    struct str text;
    const struct json *sources;
};

#define AT(member) offsetof(struct verify_in, member)
// clang-format off
static const struct field verify_fields[] = {
    {FIELD_NAME("text"), FIELD_TEXT, AT(text), 0, STORE_CONTENT_BYTES_MAX, 0},
    {FIELD_NAME("sources"), FIELD_ANY, AT(sources), 0, 0, 0},
};
// clang-format on

static void verify_work(struct request *r)
{
    struct text_judge *op = r->state;
    struct reference *sources = (void *)(uintptr_t)op->sources; /* ours */
    struct message m = {.sources = op->sources,
                        .sources_n = op->sources_n,
                        .verdicts = &op->record,
                        .verdicts_n = 1};
    struct buf b = BUF(REPLY_BYTES_MAX);

    op->numbers = arena_many(&r->arena, op->sources_n + 1, uint32_t);
    if (!op->numbers) {
        call_no_memory(r);
        return;
    }
    if (!call_read(r, OP(text_judge), op, "text"))
        return;
    for (size_t i = 0; i < op->sources_n; i++)
        sources[i].number = op->numbers[i];
    buf_add(&b, STR("{\"verdicts\":"));
    shape_verdicts(&b, &m);
    buf_add(&b, STR(",\"unknownNumbers\":"));
    shape_numbers(&b, op->unknown, op->unknown_n);
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

void api_verify(struct request *r)
{
    struct text_judge *op = call_state(r, sizeof(*op));
    struct intake in = {.a = &r->arena};
    struct json_place at = {.key = STR("sources")};
    struct verify_in body = {.sources = NULL};
    bool ok;

    if (!op || !call_body(r, verify_fields, FIELDS_N(verify_fields), &body))
        return;
    ok = !body.text.p    ? intake_missing(&in, STR("text"))
         : !body.sources ? intake_missing(&in, STR("sources"))
                         : intake_sources(&in, &at, body.sources, &op->sources,
                                          &op->sources_n);
    if (!ok) {
        call_refused(r, &in);
        return;
    }
    op->text = body.text;
    request_work(r, verify_work);
}
