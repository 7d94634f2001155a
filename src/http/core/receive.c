/* receive.c - a connection's bytes become requests.
 *
 * Requests that are sent ahead wait in `in` until their turn, so answers never
 * interleave. */
#include <assert.h>

#include "http/core/loop.h"

enum { LOOP_BODY_BYTES = 64 * 1024 /* more is read by a worker */ };

/* ---- Refusing ----------------------------------------------------------- */

void conn_refuse(struct conn *c, int status)
{
    struct problem p = problem_of_status(status);

    if (c->request && c->request->away) {
        c->refuse_with = status; /* a worker has it */
        return;
    }
    if (!c->request)
        c->request = request_new(c);
    if (!c->request) {
        conn_close(c);
        return;
    }
    c->close_after = c->linger = true;
    gate_make_id(c->request);
    reply_problem(c->request, &p);
    conn_answer(c);
}

/* ---- Reading ------------------------------------------------------------ */

static struct str unread(const struct conn *c)
{
    return c->in.p ? (struct str){c->in.p + c->in_used, c->in.n - c->in_used}
                   : STR("");
}

/* Parsed bytes are removed once, not per request: many may wait behind them.
 * An idle connection keeps no buffer. */
static void drop_used(struct conn *c)
{
    struct str rest = unread(c);

    if (rest.n == 0) {
        buf_free(&c->in);
    } else if (c->in_used) {
        memmove(c->in.p, rest.p, rest.n);
        c->in.n = rest.n;
    }
    c->in_used = 0;
}

/* Rows name three limits that are options.  A body that an upload's handler
 * wants in memory is no larger than any other. */
static size_t body_max(const struct conn *c)
{
    const struct server_options *o = &c->loop->server->options;
    const struct request *r = c->request;
    size_t max = r->route->body_bytes_max;
    int64_t set = 0;

    if (gate_is_upload(r) && (r->sink || !r->wants_body))
        set = o->upload_bytes_max;
    else if (gate_is_upload(r) || max == HTTP_JSON_BYTES_MAX)
        set = o->body_bytes_max;
    else if (max == HTTP_LARGE_BYTES_MAX)
        set = o->large_bytes_max;
    return set > 0 ? (size_t)set : max;
}

/* Room for so many bytes of the body: as much again as there is, so that it is
 * seldom moved, but not more than can come.  Nothing is taken that the budget
 * does not have.  Returns a status, 0: it is there. */
static int make_room(struct conn *c, size_t bytes)
{
    struct buf *b = &c->request->body_buf;
    size_t most = c->head.chunked ? b->max : (size_t)c->head.length;
    size_t want = b->n + bytes < 2 * b->cap ? 2 * b->cap : b->n + bytes;
    int status;

    if (c->request->sink || b->n + bytes < b->cap || b->cap > most)
        return 0;
    if (want > most)
        want = most;
    status = budget_take(c->request, want + 1 - b->cap);
    if (!status)
        buf_reserve(b, want);
    return status;
}

static void body_is_in(struct conn *c)
{
    struct request *r = c->request;
    request_fn *then = r->then;

    assert(!r->answered && r->wants_body);
    c->head.has_body = false;
    conn_enter(c, CONN_WORKING);
    if (r->sink) {
        sink_feed(r, true);
    } else {
        r->wants_body = false;
        r->then = NULL;
        r->body = buf_str(&r->body_buf);
        if (r->body.n > LOOP_BODY_BYTES)
            request_work_then(r, request_read_json, then);
        else
            then(r);
    }
    conn_continue(c);
}

void conn_want_body(struct conn *c)
{
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    uv_buf_t go_ahead = uv_buf_init(text, sizeof(text) - 1);

    assert(c->request && !c->request->answered);
    if (c->head.length > body_max(c)) {
        conn_refuse(c, 413);
        return;
    }
    c->request->body_buf.max = body_max(c);
    c->bytes = 0;
    if (!c->head.has_body) {
        body_is_in(c);
        return;
    }
    if (c->head.expects_continue && unread(c).n == 0)
        (void)uv_try_write((uv_stream_t *)&c->tcp, &go_ahead, 1);
    conn_enter(c, CONN_BODY);
    conn_advance(c); /* does nothing when it has called us */
}

/* Some clients end a body with an empty line, which does no harm. */
static void skip_empty_line(struct conn *c)
{
    struct str s = unread(c);

    if (c->skipped || s.n < 2 || s.p[0] != '\r' || s.p[1] != '\n')
        return;
    c->skipped = true;
    c->in_used += 2;
}

/* The whole head is there, or its beginning cannot become one: *status. */
static bool head_is_in(struct conn *c, size_t *n, int *status)
{
    struct str s = unread(c);

    *n = head_length(s);
    *status = 0;
    if (*n > HTTP_HEAD_BYTES_MAX || (*n == 0 && s.n > HTTP_HEAD_BYTES_MAX))
        *status = 431;
    else if (*n)
        *status = head_check((struct str){s.p, *n});
    else if (s.n > 1 || (s.n == 1 && *s.p != '\r'))
        *status = head_check_start(s);
    return *n || *status;
}

static void read_head(struct conn *c)
{
    struct str s;
    size_t n;
    int status;

    assert(!c->request);
    skip_empty_line(c);
    if (unread(c).n == 0) {
        conn_enter(c, CONN_IDLE);
        return;
    }
    if (!head_is_in(c, &n, &status))
        return;
    s = (struct str){unread(c).p, n};
    c->skipped = false;
    c->head = (struct head){.length = 0};
    c->request = request_new(c);
    if (!c->request) {
        conn_close(c);
        return;
    }
    if (!status)
        status = parse_head(&c->parser, c->request, s, &c->head);
    c->in_used += n;
    if (status) {
        conn_refuse(c, status);
        return;
    }
    c->close_after = !c->head.keep_alive;
    if (gate_head(c, c->request)) {
        if (c->head.length > body_max(c)) {
            conn_refuse(c, 413);
            return;
        }
        conn_enter(c, CONN_WORKING);
        gate_run(c->request);
    }
    conn_continue(c);
}

static void read_body(struct conn *c)
{
    struct request *r = c->request;
    struct str bytes = unread(c);
    size_t room = sink_room(r), used = 0;
    bool done = false;
    int status;

    if (bytes.n > room)
        bytes.n = room;
    if (c->refuse_with || bytes.n == 0)
        return;
    status = make_room(c, bytes.n);
    if (!status)
        status = parse_body(&c->parser, bytes, &r->body_buf, &used, &done);
    c->bytes += used;
    c->in_used += used;
    if (status) {
        conn_refuse(c, status);
    } else if (done) {
        body_is_in(c);
    } else if (r->sink) {
        sink_feed(r, false);
        conn_continue(c); /* it may be too much for the workers */
    }
}

/* ---- Going on ----------------------------------------------------------- */

/* The client has said all that it will. */
static void on_client_end(struct conn *c)
{
    switch (c->state) {
    case CONN_BODY:
        if (!sink_is_full(c->request)) /* else not all of it has been read */
            conn_refuse(c, 400);
        return;
    case CONN_HEAD: conn_refuse(c, 400); return;
    case CONN_IDLE:
    case CONN_STREAMING:
    case CONN_LINGER: conn_close(c); return;
    case CONN_WORKING:
    case CONN_SENDING: return; /* it still gets its answer */
    }
}

/* A request may be answered at once and the next one be there already: a loop,
 * not a recursion, however many were sent ahead. */
void conn_advance(struct conn *c)
{
    if (c->advancing)
        return;
    c->advancing = true;
    while (!c->closing) {
        enum conn_state before = c->state;
        size_t at = c->in_used;

        if (c->state == CONN_IDLE && unread(c).n)
            conn_enter(c, CONN_HEAD);
        if (c->state == CONN_HEAD)
            read_head(c);
        else if (c->state == CONN_BODY)
            read_body(c);
        if (c->state == before && c->in_used == at)
            break;
    }
    if (c->ended && !c->closing)
        on_client_end(c);
    c->advancing = false;
    if (c->closing)
        return;
    assert(c->in_used <= c->in.n);
    drop_used(c);
    if (c->in.n < AHEAD_BYTES)
        conn_read(c);
}
