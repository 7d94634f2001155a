/* gate.c - what stands between a request and its handler.
 *
 *     hook `admit` -> route -> size -> hook `run` -> body -> handler
 *                                                \-> handler -> body
 *
 * Each step may answer instead of going on.  No body is read before the hook
 * `run` has found out who asks.  Uploads take the lower way: their handlers say
 * where the body goes. */
#include <assert.h>

#include "base/uuid.h"
#include "http/core/loop.h"
#include "http/core/text.h"

/* ---- Before the body ---------------------------------------------------- */

/* `allowed` is a bit per method; HEAD goes with GET, OPTIONS with all. */
static void add_allow(struct request *r, unsigned allowed)
{
    AUTO(buf_free) struct buf b = BUF(256);

    for (int m = 0; m < METHODS; m++) {
        if (!(allowed & (1u << m)) || m == METHOD_OPTIONS || m == METHOD_HEAD)
            continue;
        buf_add(&b, str_c(method_name((enum method)m)));
        buf_add(&b, m == METHOD_GET ? STR(", HEAD, ") : STR(", "));
    }
    buf_add(&b, STR("OPTIONS"));
    reply_header(r, STR("Allow"), buf_str(&b));
}

static void no_route(struct request *r, unsigned allowed)
{
    if (allowed) {
        add_allow(r, allowed);
        reply_problem(r, &(struct problem){.status = 405,
                                           .code = STR("method"),
                                           .text = STR("Not this method")});
        return;
    }
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = STR("Nothing is here")});
}

static bool refuse_address(struct request *r)
{
    struct footnote_err err;

    if (arena_rc(&r->arena, &err) != FOOTNOTE_OK) {
        reply_rc(r, FOOTNOTE_NOMEM, &err, NULL);
        return false;
    }
    reply_problem(r, &(struct problem){.status = 400,
                                       .code = STR("invalid_field"),
                                       .text = STR("The address is not "
                                                   "percent-encoded UTF-8")});
    return false;
}

/* Each parameter is decoded by itself: an encoded slash is data.  A handler
 * decodes the parts of the query that it asks for; a query that cannot be
 * decoded is refused now, so that none of it seems to be absent. */
static bool check_address(struct request *r)
{
    struct str query;

    if (!text_decode(&r->arena, r->query, true, &query))
        return refuse_address(r);
    for (size_t i = 0; i < HTTP_PARAMS_MAX; i++) {
        if (!r->params[i].p)
            continue;
        if (!text_decode(&r->arena, r->params[i], false, &r->params[i]))
            return refuse_address(r);
    }
    return true;
}

static bool is_request_id(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= 0x20 || (unsigned char)s.p[i] >= 0x7f)
            return false;
    return s.n > 0 && s.n <= 100;
}

void gate_make_id(struct request *r)
{
    struct str brought = request_header(r, STR("x-request-id"));
    char made[UUID_BYTES + 1];

    if (r->id.p)
        return;
    if (brought.p && is_request_id(brought)) {
        r->id = brought;
        return;
    }
    uuid_v7(made);
    r->id = arena_str(&r->arena, str_c(made));
}

bool gate_is_upload(const struct request *r)
{
    return r->route->body_bytes_max == HTTP_UPLOAD_BYTES_MAX;
}

bool gate_head(struct conn *c, struct request *r)
{
    const struct server *s = c->loop->server;
    const struct route *route;
    unsigned allowed;

    gate_make_id(r);
    route = route_find(s->routes, s->routes_n, r->method, r->path, r->params,
                       &allowed);
    if (str_eq(r->path, STR("*")))
        allowed = (1u << METHODS) - 1;
    if (s->hooks->admit && !s->hooks->admit(r, allowed))
        return false;
    r->route = route;
    if (r->method == METHOD_OPTIONS && allowed) {
        add_allow(r, allowed);
        reply_empty(r, 204);
        return false;
    }
    if (!r->route) {
        no_route(r, allowed);
        return false;
    }
    return check_address(r);
}

/* ---- Once it is known who asks ------------------------------------------ */

void gate_run(struct request *r)
{
    assert(r->route && !r->answered);
    if (r->server->hooks->run)
        r->server->hooks->run(r);
    else
        request_admitted(r);
}

void request_admitted(struct request *r)
{
    assert(r->route && !r->answered);
    if (r->conn->head.has_body && !gate_is_upload(r))
        request_body(r, r->route->handler);
    else
        r->route->handler(r);
}
