/* keys.c - API keys of a tenant, for its admins: list, make, revoke. */
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/shape/access.h"
#include "http/shape/cursor.h"
#include "store/session/access.h"
#include "store/session/scope.h"

/* ---- GET /api/keys ------------------------------------------------------ */

static void list_work(struct request *r)
{
    struct access_key_list op = {.tenant = caller(r)->who.tenant,
                                 .user = request_query(r, STR("userId"))};
    struct page page;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct str next;
    size_t n;

    if (!page_read(r, &page) || !call_read(r, OP(access_key_list), &op, "key"))
        return;
    n = page_cut(r, &page, op.keys_n, &next);
    json_object(&w);
    json_key(&w, STR("keys"));
    json_array(&w);
    for (size_t i = 0; i < n; i++) {
        json_object(&w);
        shape_key_fields(&w, &op.keys[page.from + i]);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_key(&w, STR("nextCursor"));
    json_str(&w, next);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

void api_keys_list(struct request *r)
{
    request_work(r, list_work);
}

/* ---- POST /api/keys ----------------------------------------------------- */

struct key_call {
    struct access_key_add op;
    struct texts courses;
    bool read_only;
};

#define AT(member)    offsetof(struct key_call, op.member)
#define OF_US(member) offsetof(struct key_call, member)
// clang-format off
static const struct field make_fields[] = {
    {FIELD_NAME("userId"), FIELD_ID, AT(user), 0, 0, 0},
    {FIELD_NAME("label"), FIELD_LINE, AT(label), 0, ACCESS_LABEL_BYTES_MAX, 0},
    {FIELD_NAME("admin"), FIELD_FLAG, AT(admin), 0, 0, 0},
    {FIELD_NAME("expiresAt"), FIELD_TIME, AT(expires_ms), 0, 0, 0},
    {FIELD_NAME("readOnly"), FIELD_FLAG, OF_US(read_only), 0, 0, 0},
    {FIELD_NAME("courses"), FIELD_TEXTS, OF_US(courses), 0, SCOPE_COURSES_MAX,
     0},
};
// clang-format on

/* The key is told here and never again. */
static void made(struct request *r)
{
    struct key_call *call = r->state;
    struct access_key_add *op = &call->op;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct access_key k = {.prefix = access_prefix(str_c(op->key_text)),
                           .tenant = caller(r)->who.tenant,
                           .user = op->user,
                           .admin = op->admin,
                           .label = op->label,
                           .scope = op->scope,
                           .created_ms = op->created_ms,
                           .expires_ms = op->expires_ms};

    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "key");
        return;
    }
    json_object(&w);
    json_key(&w, STR("key"));
    json_str(&w, str_c(op->key_text));
    shape_key_fields(&w, &k);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 201, &b);
}

void api_key_make(struct request *r)
{
    struct key_call *call = call_state(r, sizeof(*call));
    struct intake in = {.a = &r->arena};
    struct footnote_err err;
    enum footnote_rc rc;

    if (!call || !call_body(r, make_fields, FIELDS_N(make_fields), call))
        return;
    if (!call->op.user.p) {
        intake_missing(&in, STR("userId"));
        call_refused(r, &in);
        return;
    }
    rc = scope_make(&r->arena, call->read_only, call->courses.items,
                    call->courses.n, &call->op.scope, &err);
    if (rc != FOOTNOTE_OK) {
        call_failed(r, rc, &err, "key");
        return;
    }
    audit_with_write(r, AUDIT_KEY_MAKE, call->op.user);
    call->op.note = &caller(r)->note;
    request_write(r, OP(access_key_add), &call->op, made);
}

/* ---- DELETE /api/keys/{prefix} ------------------------------------------ */

/* One that is not there is gone already. */
static void revoked(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        reply_empty(r, 204);
    else
        call_deleted(r, "key");
}

void api_key_revoke(struct request *r)
{
    struct access_key_revoke *op = call_state(r, sizeof(*op));

    if (!op || !call_gone_param(r, &op->prefix))
        return;
    if (str_starts(op->prefix, STR("fn_")))
        op->prefix = str_skip(op->prefix, 3);
    op->tenant = caller(r)->who.tenant;
    audit_with_write(r, AUDIT_KEY_REVOKE, op->prefix);
    request_write(r, OP(access_key_revoke), op, revoked);
}
