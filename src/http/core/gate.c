/* gate.c - what stands between a request and its handler.
 *
 *     guard (Host, Origin) -> route -> size -> body -> who -> handler
 *                                           \-> who -> handler -> body
 *
 * Each step may answer instead of going on.  The lower way is that of uploads:
 * what is large is not read from strangers. */
#include <stdio.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "http/core/loop.h"
#include "http/core/text.h"
#include "store/store.h"

enum { LINGER_MS = 2 };

/* ---- Before the body ---------------------------------------------------- */

/* `allowed` is a bit per method; HEAD goes with GET, OPTIONS with all. */
static void allow(struct request *r, unsigned allowed)
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
    struct str text = STR("Nothing is here");

    if (allowed) {
        allow(r, allowed);
        reply_problem(r, &(struct problem){.status = 405,
                                           .code = STR("method"),
                                           .text = STR("Not this method")});
        return;
    }
    if (str_starts(r->path, STR("/v1/")))
        text = STR("Nothing is here: use /v1/chat/completions");
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = text});
}

static bool refuse_text(struct request *r)
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

/* Each parameter is decoded by itself: an encoded slash is data.  The query
 * is decoded by whoever asks for a part of it; what cannot be is refused now,
 * so that it does not look as if it were not there. */
static bool check_address(struct request *r)
{
    struct str query;

    if (!text_decode(&r->arena, r->query, true, &query))
        return refuse_text(r);
    for (size_t i = 0; i < HTTP_PARAMS_MAX; i++) {
        if (!r->params[i].p)
            continue;
        if (!text_decode(&r->arena, r->params[i], false, &r->params[i]))
            return refuse_text(r);
    }
    return true;
}

static bool is_id(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= 0x20 || (unsigned char)s.p[i] >= 0x7f)
            return false;
    return s.n > 0 && s.n <= 100;
}

void gate_name(struct request *r)
{
    struct str brought = request_header(r, STR("x-request-id"));
    char made[UUID_BYTES + 1];

    if (r->id.p)
        return;
    if (brought.p && is_id(brought)) {
        r->id = brought;
        return;
    }
    uuid_v7(made);
    r->id = arena_str(&r->arena, str_c(made));
}

bool gate_head(struct conn *c, struct request *r)
{
    const struct server *s = c->loop->server;
    const struct config *config = s->config;
    unsigned allowed;

    gate_name(r);
    if (!guard_check(config, r))
        return false;
    r->route = route_find(s->routes, s->routes_n, r->method, r->path, r->params,
                          &allowed);
    if (str_eq(r->path, STR("*")))
        allowed = (1u << METHODS) - 1;
    if (guard_cors(config, r, allowed))
        return false;
    if (r->method == METHOD_OPTIONS && allowed) {
        allow(r, allowed);
        reply_empty(r, 204);
        return false;
    }
    if (!r->route) {
        no_route(r, allowed);
        return false;
    }
    return check_address(r);
}

/* ---- After it ----------------------------------------------------------- */

static void reply_wait(struct request *r, int seconds, struct str text)
{
    char wait[16];

    snprintf(wait, sizeof(wait), "%d", seconds);
    reply_header(r, STR("Retry-After"), str_c(wait));
    reply_problem(r, &(struct problem){.status = 429,
                                       .code = STR("rate_limited"),
                                       .text = text});
}

static bool too_many(struct request *r)
{
    struct server *s = r->server;
    int wait = str_eq(r->auth, STR("none"))
                   ? 0
                   : limits_request(s->limits, r->who, clock_mono_ms());

    if (wait)
        reply_wait(r, wait, STR("Too many requests"));
    return wait > 0;
}

bool gate_may_sign_in(struct request *r)
{
    int wait = limits_sign_in(r->server->limits, r->address, clock_mono_ms());

    if (wait)
        reply_wait(r, wait, STR("Too many keys or tokens were wrong"));
    return wait == 0;
}

/* Who brought nothing was not wrong: a page that asks before it signs in. */
void gate_refuse(struct request *r)
{
    bool brought = request_header(r, STR("authorization")).p ||
                   r->route->access == ACCESS_PUBLIC;

    if (brought && r->rc == FOOTNOTE_OK)
        limits_failed(r->server->limits, r->address, clock_mono_ms());
    auth_refuse(r);
}

/* On the loop, once it is known who asks. */
static void go_on(struct request *r)
{
    if (r->verdict != AUTH_OK)
        gate_refuse(r);
    else if (r->route->access == ACCESS_ADMIN && !r->admin)
        reply_problem(r, &(struct problem){.status = 403,
                                           .code = STR("forbidden"),
                                           .text = STR("For admins only")});
    else if (!too_many(r))
        r->route->handler(r);
}

static void ask(struct request *r)
{
    r->verdict = auth_ask(r->server->auth, r);
}

void gate_run(struct request *r)
{
    if (r->route->access == ACCESS_PUBLIC) {
        r->route->handler(r);
        return;
    }
    r->verdict = auth_check(r->server->auth, r);
    if (r->verdict == AUTH_ASK && !gate_may_sign_in(r))
        return;
    if (r->verdict == AUTH_ASK)
        request_work_then(r, ask, go_on);
    else
        go_on(r);
}

/* ---- Going elsewhere ---------------------------------------------------- */

static void busy(struct request *r)
{
    reply_problem(r, &(struct problem){.status = 503,
                                       .code = STR("store_busy"),
                                       .text = STR("Too much is waiting")});
}

static void go(struct request *r, struct workers *to)
{
    r->away = true;
    if (!workers_push(to, r)) {
        r->away = false;
        r->then = NULL;
        busy(r);
    }
}

void request_work(struct request *r, request_fn *work)
{
    r->work = work;
    go(r, r->server->workers);
}

/* The loop's clock stands while it goes round. */
bool request_may_linger(const struct request *r)
{
    int64_t now_ms = (int64_t)(uv_hrtime() / 1000000);

    return now_ms - loop_now(r->conn->loop) < LINGER_MS;
}

void request_together(struct request *r, requests_fn *work, request_fn *then)
{
    r->together = work;
    r->then = then;
    go(r, r->server->together);
}

void request_park(struct request *r)
{
    r->away = true;
}

bool request_resume(struct request *r, request_fn *then)
{
    bool there = !r->conn->closing;

    r->then = then;
    conn_return(r);
    return there;
}

void request_paint(struct request *r, request_fn *work)
{
    r->work = work;
    go(r, r->server->painters);
}

void request_work_then(struct request *r, request_fn *work, request_fn *then)
{
    r->then = then;
    request_work(r, work);
}

bool stream_work(struct request *r, request_fn *work, request_fn *then)
{
    r->work = work;
    r->then = then;
    r->away = workers_push(r->server->workers, r);
    return r->away;
}

/* In the writer's thread. */
static void written(struct store_job *job, enum footnote_rc rc,
                    const struct footnote_err *err)
{
    struct request *r =
        (struct request *)((char *)job - offsetof(struct request, job));

    r->rc = rc;
    r->err = *err;
    loop_post(r->conn->loop, r);
}

void request_write(struct request *r, const struct store_op *kind, void *op,
                   request_fn *then)
{
    struct footnote_err err;
    enum footnote_rc rc = arena_rc(&r->arena, &err);

    r->then = then;
    r->away = true;
    r->job = (struct store_job){.who = r->who,
                                .kind = kind,
                                .op = op,
                                .no_wait = true,
                                .done = written};
    if (rc == FOOTNOTE_OK) /* else it may not be what was sent */
        rc = store_submit(server_store(r->server), &r->job, &err);
    if (rc == FOOTNOTE_OK)
        return; /* r may be elsewhere by now */
    r->rc = rc;
    r->err = err;
    r->away = false;
    r->then = NULL;
    then(r);
}
