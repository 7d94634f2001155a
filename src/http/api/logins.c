/* logins.c - browsers that are signed in: one's own, and for admins those of
 * their tenant. */
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/shape/access.h"
#include "http/shape/cursor.h"
#include "store/session/login.h"

/* ---- GET /api/logins ---------------------------------------------------- */

static void answer_list(struct request *r, const struct login_list *op,
                        struct str next)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_object(&w);
    json_key(&w, STR("logins"));
    json_array(&w);
    for (size_t i = 0; i < op->logins_n; i++)
        shape_login(&w, &op->logins[i],
                    str_eq(op->logins[i].id, caller(r)->login));
    json_end(&w, ']');
    json_key(&w, STR("nextCursor"));
    json_str(&w, next);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

static void list_work(struct request *r)
{
    struct login_list *op = r->state;
    struct str next = STR_NONE;
    size_t limit = op->limit++;

    if (!call_read(r, OP(login_list), op, "login"))
        return;
    if (op->logins_n > limit) {
        op->logins_n = limit;
        next = cursor_text(r, 'l', op->logins[limit - 1].id);
    }
    answer_list(r, op, next);
}

void api_logins_list(struct request *r)
{
    struct login_list *op = call_state(r, sizeof(*op));
    struct str user = request_query(r, STR("userId"));
    struct who who = caller(r)->who;

    if (!op || call_is_confined(r) ||
        !request_limit(r, PAGE_PRESET, PAGE_MAX, &op->limit) ||
        !cursor_read_text(r, 'l', &op->before))
        return;
    op->tenant = who.tenant;
    op->user = user.p ? user : who.user;
    if (!str_eq(op->user, who.user)) {
        if (!caller(r)->admin) {
            call_forbidden(r, "an admin");
            return;
        }
        audit_aside(r, AUDIT_ADMIN_VIEW, STR("listLogins"));
        if (str_eq(user, STR("*"))) /* nobody is called so */
            op->user = STR_NONE;
    }
    request_work(r, list_work);
}

/* ---- DELETE /api/logins/{id} -------------------------------------------- */

/* One that is not there is gone already. */
static void revoked(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        reply_empty(r, 204);
    else
        call_deleted(r, "login");
}

void api_login_revoke(struct request *r)
{
    struct login_revoke *op = call_state(r, sizeof(*op));
    const struct caller *c = caller(r);

    if (!op || call_is_confined(r) || !call_gone_param(r, &op->id))
        return;
    op->tenant = c->who.tenant;
    op->user = c->admin ? STR_NONE : c->who.user;
    audit_with_write(r, AUDIT_LOGIN_REVOKE, op->id);
    request_write(r, OP(login_revoke), op, revoked);
}
