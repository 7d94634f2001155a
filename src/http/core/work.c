/* work.c - a request goes to a worker, or is parked, and comes back. */
#include <assert.h>

#include "http/core/loop.h"

static void send_to(struct workers *to, struct request *r)
{
    enum footnote_rc rc;

    assert(!r->away);
    r->away = true;
    rc = workers_push(to, r);
    if (rc == FOOTNOTE_OK)
        return;
    r->away = false;
    r->then = NULL;
    reply_problem(r, rc == FOOTNOTE_TOOBIG
                         ? &(struct problem){.status = 429,
                                             .code = STR("rate_limited"),
                                             .text = STR("Too many of your "
                                                         "requests wait")}
                         : &(struct problem){.status = 503,
                                             .code = STR("store_busy"),
                                             .text = STR("Too much is "
                                                         "waiting")});
}

void request_work(struct request *r, request_fn *work)
{
    r->work = work;
    send_to(r->server->workers, r);
}

void request_work_together(struct request *r, requests_fn *work,
                           request_fn *then)
{
    r->together = work;
    r->then = then;
    send_to(r->server->together, r);
}

void request_park(struct request *r)
{
    assert(!r->away);
    r->away = true;
}

bool request_resume(struct request *r, request_fn *then)
{
    bool there = !r->conn->closing;

    r->then = then;
    conn_return(r);
    return there;
}

void request_return(struct request *r)
{
    loop_post(r->conn->loop, r);
}

void request_work_quick(struct request *r, request_fn *work, request_fn *then)
{
    r->work = work;
    r->then = then;
    send_to(r->server->quick, r);
}

void request_work_slow(struct request *r, request_fn *work)
{
    r->work = work;
    send_to(r->server->slow, r);
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
    r->away = workers_push(r->server->workers, r) == FOOTNOTE_OK;
    return r->away;
}

int64_t request_now_ms(const struct request *r)
{
    return loop_now(r->conn->loop);
}

void *request_loop(const struct request *r)
{
    return r->conn->loop->app;
}
