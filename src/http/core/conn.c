/* conn.c - one connection: its life, its events, its deadlines.
 *
 *     IDLE -> HEAD -> WORKING -> SENDING   -> IDLE (or closed)
 *                       |  ^  \-> STREAMING -/
 *                       v  |   any answer that ends it -> LINGER
 *                       BODY   once it is known who asks
 *
 * receive.c makes requests of the bytes, send.c and stream.c answer.  A
 * request's memory is released in request_free(), and nowhere else.  When the
 * client leaves while others work on the request, it and the connection's
 * struct stay until it comes back. */
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "http/core/loop.h"

enum { LINGER_MS = 2000 };

void conn_enter(struct conn *c, enum conn_state state)
{
    c->state = state;
    c->since_ms = c->moved_ms = loop_now(c->loop);
}

/* ---- Requests ----------------------------------------------------------- */

struct request *request_new(struct conn *c)
{
    struct request *r = calloc(1, sizeof(*r));

    if (!r)
        return NULL;
    r->server = c->loop->server;
    r->conn = c;
    r->arena = ARENA(REQUEST_ARENA_BYTES);
    r->body = STR("");
    r->share = str_hash(str_c(c->address));
    r->started_ms = loop_now(c->loop);
    memcpy(r->address, c->address, sizeof(r->address));
    return r;
}

/* `cleanup` may take long, so a worker runs it and frees the rest.  The
 * connection may be gone by then. */
void request_free(struct request *r)
{
    assert(!r->away);
    stream_free(r);
    if (r->cleanup && !r->in_cleanup) {
        r->in_cleanup = true;
        if (workers_push(r->server->workers, r) == FOOTNOTE_OK)
            return;
        r->cleanup(r);
    }
    sink_free(r);
    shared_body_drop(r->reply.shared);
    buf_free(&r->reply.headers);
    buf_free(&r->head);
    buf_free(&r->body_buf);
    arena_free(&r->tree);
    budget_give_back(r);
    arena_free(&r->arena);
    free(r);
}

/* ---- Closing ------------------------------------------------------------ */

static void conn_free(struct conn *c)
{
    struct loop *l = c->loop;

    assert(c->closed && l->conns_n > 0);
    if (c->prev)
        c->prev->next = c->next;
    else
        l->conns = c->next;
    if (c->next)
        c->next->prev = c->prev;
    l->conns_n--;
    buf_free(&c->in);
    if (c->request)
        request_free(c->request);
    free(c);
    if (l->conns_n == 0 && atomic_load(&l->server->stopping))
        uv_async_send(&l->wake); /* it may be the last one */
}

static void on_closed(uv_handle_t *h)
{
    struct conn *c = h->data;
    struct server *s = c->loop->server;

    if (c->admitted && s->hooks->disconnect)
        s->hooks->disconnect(s->app, c->address);
    s->open--;
    c->closed = true;
    if (!c->request || !c->request->away)
        conn_free(c);
}

void conn_close(struct conn *c)
{
    if (c->closing)
        return;
    c->closing = true;
    uv_close((uv_handle_t *)&c->tcp, on_closed);
}

void conn_return(struct request *r)
{
    struct conn *c = r->conn;
    request_fn *then = r->then;

    assert(r->away && c->request == r);
    r->away = false;
    if (c->closing) {
        if (c->closed)
            conn_free(c);
        return;
    }
    if (then && (!r->answered || r->stream)) {
        r->then = NULL;
        then(r);
    }
    conn_continue(c);
}

/* An unread body would be taken for the next request: it ends the
 * connection. */
void conn_continue(struct conn *c)
{
    struct request *r = c->request;

    assert(r && !c->closed);
    if (r->away || r->stream)
        return;
    if (c->refuse_with && !r->answered) {
        conn_refuse(c, c->refuse_with);
        return;
    }
    if (r->wants_body && !r->answered) {
        if (c->state == CONN_BODY)
            conn_advance(c);
        else
            conn_want_body(c);
        return;
    }
    if (c->head.has_body)
        c->linger = c->close_after = true;
    if (!r->finished && r->answered && reply_is_long(r)) {
        r->away = workers_compress(r);
        if (r->away)
            return;
    }
    if (!r->finished)
        reply_finish(r);
    conn_answer(c);
}

/* ---- Bytes in ----------------------------------------------------------- */

static void on_alloc(uv_handle_t *h, size_t size, uv_buf_t *out)
{
    struct conn *c = h->data;

    (void)size;
    *out = uv_buf_init(c->loop->buffer, READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *b)
{
    struct conn *c = stream->data;

    if (n == 0 || c->closing)
        return;
    if (n < 0) {
        c->reading = false;
        c->ended = true; /* it may still read its answer */
        if (n != UV_EOF || c->state == CONN_LINGER)
            conn_close(c);
        else
            conn_advance(c);
        return;
    }
    if (c->state == CONN_LINGER)
        return;
    if (c->state != CONN_SENDING && c->state != CONN_STREAMING)
        c->moved_ms = loop_now(c->loop);
    c->in.max = AHEAD_BYTES + READ_BYTES;
    buf_add(&c->in, (struct str){b->base, (size_t)n});
    if (c->in.broken != FOOTNOTE_OK) {
        conn_close(c);
        return;
    }
    if (c->in.n >= AHEAD_BYTES) {
        uv_read_stop((uv_stream_t *)&c->tcp);
        c->reading = false;
    }
    conn_advance(c);
}

void conn_read(struct conn *c)
{
    if (!c->reading && !c->ended && !c->closing)
        c->reading =
            uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) == 0;
}

/* ---- Opening ------------------------------------------------------------ */

static void set_address(struct conn *c)
{
    struct sockaddr_storage a;
    int n = sizeof(a);

    if (uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&a, &n) != 0)
        return;
    if (a.ss_family == AF_INET)
        uv_ip4_name((struct sockaddr_in *)&a, c->address, sizeof(c->address));
    else if (a.ss_family == AF_INET6)
        uv_ip6_name((struct sockaddr_in6 *)&a, c->address, sizeof(c->address));
}

static void add_to_loop(struct loop *l, struct conn *c)
{
    c->loop = l;
    c->tcp.data = c;
    c->next = l->conns;
    if (l->conns)
        l->conns->prev = c;
    l->conns = c;
    l->conns_n++;
    l->server->connections++;
    l->server->open++;
    conn_enter(c, CONN_IDLE);
}

void conn_open(struct loop *l, int fd)
{
    const struct server *s = l->server;
    struct conn *c = calloc(1, sizeof(*c));

    if (!c || uv_tcp_init(&l->uv, &c->tcp) != 0) {
        free(c);
        close(fd);
        return;
    }
    add_to_loop(l, c);
    if (uv_tcp_open(&c->tcp, fd) != 0) {
        close(fd);
        conn_close(c);
        return;
    }
    uv_tcp_nodelay(&c->tcp, 1);
    set_address(c);
    c->admitted = !s->hooks->connect || s->hooks->connect(s->app, c->address);
    if (c->admitted)
        conn_read(c);
    else
        conn_close(c);
}

/* ---- Deadlines ---------------------------------------------------------- */

/* A steady trickle has no long gaps, so there is a lowest rate, too.  It counts
 * once as much time has passed as a head may take. */
static bool is_slow(const struct conn *c, uint64_t bytes, int64_t now_ms)
{
    const struct server_options *o = &c->loop->server->options;
    int64_t took = now_ms - c->since_ms;

    return now_ms - c->moved_ms > o->body_gap_ms ||
           (took > o->head_ms &&
            (int64_t)bytes * 1000 < took * o->body_rate_min);
}

/* A client reads when less is unsent than before. */
static bool reads_slowly(struct conn *c, int64_t now_ms)
{
    size_t unsent = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);

    if (unsent != c->unsent)
        c->moved_ms = now_ms;
    c->unsent = unsent;
    if (c->state == CONN_SENDING)
        return is_slow(c, c->bytes - unsent, now_ms);
    return unsent &&
           now_ms - c->moved_ms > c->loop->server->options.body_gap_ms;
}

void conn_tick(struct conn *c, int64_t now_ms)
{
    const struct server_options *o = &c->loop->server->options;
    int64_t took = now_ms - c->since_ms;

    if (c->closing)
        return;
    switch (c->state) {
    case CONN_IDLE:
        if (atomic_load(&c->loop->server->stopping) || took > o->idle_ms)
            conn_close(c);
        return;
    case CONN_HEAD:
        if (took > o->head_ms)
            conn_refuse(c, 408);
        return;
    case CONN_BODY:
        if (sink_is_full(c->request)) { /* we are slow: its clock stops */
            c->since_ms += TICK_MS;
            c->moved_ms = now_ms;
        } else if (is_slow(c, c->bytes, now_ms))
            conn_refuse(c, 408);
        return;
    case CONN_SENDING:
    case CONN_STREAMING:
        if (reads_slowly(c, now_ms))
            conn_close(c);
        else if (c->state == CONN_STREAMING)
            stream_heartbeat(c->request, now_ms);
        return;
    case CONN_LINGER:
        if (took > LINGER_MS)
            conn_close(c);
        return;
    case CONN_WORKING: return;
    }
}
