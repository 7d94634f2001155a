/* shares.c - links to frozen copies of one's conversations: made, listed,
 * ended. What a link shows is shared.c's. */
#include "base/clock.h"
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/shape/access.h"
#include "http/shape/cursor.h"
#include "store/session/share.h"

enum { DAY_S = 24 * 3600, LASTS_S = 30 * DAY_S, LASTS_S_MAX = 366 * DAY_S };

/* ---- POST /api/sessions/{id}/share -------------------------------------- */

struct share_call {
    struct share_add op;
    int64_t seconds;
    bool has_seconds;
};

/* The link is told here and never again. */
static void made(struct request *r)
{
    struct share_call *call = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "session");
        return;
    }
    json_object(&w);
    json_key(&w, STR("url"));
    json_str(&w, arena_printf(&r->arena, "%.*s/s/%s",
                              STR_ARG(call_public_url(r)), call->op.token));
    shape_share_fields(&w, &call->op.share);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 201, &b);
}

#define AT(member)    offsetof(struct share_call, op.member)
#define OF_US(member) offsetof(struct share_call, member)
// clang-format off
static const struct field make_fields[] = {
    {FIELD_NAME("expiresIn"), FIELD_WHOLE, OF_US(seconds), OF_US(has_seconds),
     0, 0},
    {FIELD_NAME("messageId"), FIELD_ID, AT(message), 0, 0, 0},
    {FIELD_NAME("files"), FIELD_FLAG, AT(files), 0, 0, 0},
};
// clang-format on

void api_share_make(struct request *r)
{
    struct share_call *call = call_state(r, sizeof(*call));

    if (!call || !call_param(r, 0, "session", &call->op.session) ||
        !call_body(r, make_fields, FIELDS_N(make_fields), call))
        return;
    if (!call->has_seconds)
        call->seconds = LASTS_S;
    if (call->seconds < 1 || call->seconds > LASTS_S_MAX) {
        reply_invalid(r, STR("/expiresIn"),
                      "expiresIn is seconds, from 1 to %d", LASTS_S_MAX);
        return;
    }
    call->op.expires_ms = clock_wall_ms() + call->seconds * 1000;
    audit_with_write(r, AUDIT_SHARE, call->op.session);
    request_write(r, OP(share_add), &call->op, made);
}

/* ---- GET /api/shares ---------------------------------------------------- */

static void list_work(struct request *r)
{
    struct share_list *op = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct str next = STR_NONE;
    size_t limit = op->limit++;

    if (!call_read(r, OP(share_list), op, "share"))
        return;
    if (op->shares_n > limit) {
        op->shares_n = limit;
        next = cursor_text(r, 'h', op->shares[limit - 1].id);
    }
    json_object(&w);
    json_key(&w, STR("shares"));
    json_array(&w);
    for (size_t i = 0; i < op->shares_n; i++) {
        json_object(&w);
        shape_share_fields(&w, &op->shares[i]);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_key(&w, STR("nextCursor"));
    json_str(&w, next);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

void api_shares_list(struct request *r)
{
    struct share_list *op = call_state(r, sizeof(*op));

    if (!op || call_is_confined(r) ||
        !request_limit(r, PAGE_PRESET, PAGE_MAX, &op->limit) ||
        !cursor_read_text(r, 'h', &op->before))
        return;
    op->session = request_query(r, STR("sessionId"));
    request_work(r, list_work);
}

/* ---- DELETE /api/shares/{id} -------------------------------------------- */

/* One that is not there has ended already. */
static void ended(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        reply_empty(r, 204);
    else
        call_deleted(r, "share");
}

void api_share_end(struct request *r)
{
    struct share_revoke *op = call_state(r, sizeof(*op));

    if (!op || call_is_confined(r) || !call_gone_param(r, &op->id))
        return;
    op->tenant = caller(r)->who.tenant;
    op->user = caller(r)->who.user;
    audit_with_write(r, AUDIT_SHARE_END, op->id);
    request_write(r, OP(share_revoke), op, ended);
}
