/* members.c - who may read a course, or also upload to it. */
#include "base/utf8.h"
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/shape/cursor.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/course.h"

static void list_work(struct request *r)
{
    struct member_list op = {.members = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct page page;
    struct str next;
    size_t n;

    if (!call_param(r, 0, "course", &op.course) || !page_read(r, &page) ||
        !call_read(r, OP(member_list), &op, "course"))
        return;
    n = page_cut(r, &page, op.members_n, &next);
    buf_add(&b, STR("{\"members\":["));
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_member(&b, &op.members[page.from + i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

void api_members_list(struct request *r)
{
    request_work(r, list_work);
}

static void put_done(struct request *r)
{
    const struct member_put *op = r->state;
    struct member m = {.user = op->user, .role = op->role};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (r->rc != FOOTNOTE_OK) {
        call_owner_failed(r);
        return;
    }
    shape_member(&b, &m);
    reply_json(r, 200, &b);
}

void api_member_put(struct request *r)
{
    static const struct field fields[] = {
        {FIELD_NAME("role"), FIELD_TEXT, 0, 0, 0, 0}};
    struct member_put *op = call_state(r, sizeof(*op));
    struct str role = STR_NONE;

    if (!op || !call_param(r, 0, "course", &op->course) ||
        !call_body(r, fields, FIELDS_N(fields), &role))
        return;
    if (!role.p || !member_role_parse(role, &op->role)) {
        reply_invalid(r, STR("/role"), "role is reader or editor");
        return;
    }
    op->user = r->params[1];
    if (!utf8_is_name(op->user)) {
        reply_invalid(r, STR_NONE,
                      "userId is on one line, without control characters and "
                      "marks that turn the direction of text");
        return;
    }
    request_write(r, OP(member_put), op, put_done);
}

static void delete_done(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        call_owner_failed(r);
    else
        reply_empty(r, 204);
}

/* An id that is too long is no member's. */
void api_member_delete(struct request *r)
{
    struct member_put *op = call_state(r, sizeof(*op));

    if (!op || !call_param(r, 0, "course", &op->course))
        return;
    if (r->params[1].n > STORE_ID_BYTES_MAX) {
        reply_empty(r, 204);
        return;
    }
    op->user = r->params[1];
    op->role = MEMBER_NONE;
    request_write(r, OP(member_put), op, delete_done);
}
