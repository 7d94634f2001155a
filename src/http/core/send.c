/* send.c - an answer goes out; then the next request, or the end. */
#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "http/core/loop.h"

struct sending {
    uv_write_t write;
    struct conn *conn;
};

/* Closing a socket on which unread bytes wait resets it, and the client may
 * never see the answer that says why.  So only our side is closed, and bytes
 * that still come are thrown away for a while. */
static void linger(struct conn *c)
{
    uv_os_fd_t fd;

    if (uv_fileno((uv_handle_t *)&c->tcp, &fd) != 0 ||
        shutdown(fd, SHUT_WR) != 0 || c->ended) {
        conn_close(c);
        return;
    }
    buf_free(&c->in);
    c->in_used = 0;
    conn_enter(c, CONN_LINGER);
    conn_read(c);
}

void conn_sent(struct conn *c, bool ok)
{
    struct request *r = c->request;

    assert(r && !r->away);
    c->request = NULL;
    request_free(r);
    if (ok && c->linger) {
        linger(c);
        return;
    }
    if (!ok || c->close_after) {
        conn_close(c);
        return;
    }
    conn_enter(c, CONN_IDLE);
    conn_advance(c);
}

static void on_sent(uv_write_t *w, int status)
{
    struct sending *s = (struct sending *)w;
    struct conn *c = s->conn;

    free(s);
    if (!c->closing)
        conn_sent(c, status == 0);
}

/* Bytes that the socket does not take at once wait in libuv. */
static void send_bufs(struct conn *c, uv_buf_t *bufs, unsigned n)
{
    struct sending *s;
    int done = uv_try_write((uv_stream_t *)&c->tcp, bufs, n);
    size_t left = done > 0 ? (size_t)done : 0;

    while (n && left >= bufs->len) {
        left -= bufs->len;
        bufs++;
        n--;
    }
    if (n == 0) {
        conn_sent(c, true);
        return;
    }
    bufs->base += left;
    bufs->len -= left;
    s = malloc(sizeof(*s));
    if (!s || (done < 0 && done != UV_EAGAIN)) {
        free(s);
        conn_sent(c, false);
        return;
    }
    s->conn = c;
    if (uv_write(&s->write, (uv_stream_t *)&c->tcp, bufs, n, on_sent) != 0) {
        free(s);
        conn_sent(c, false);
        return;
    }
    c->unsent = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
}

bool conn_begin_answer(struct conn *c)
{
    struct server *s = c->loop->server;
    struct request *r = c->request;

    assert(r->answered);
    /* The handler may have taken its time, which is neither the client's
     * fault nor to be hidden from the metrics. */
    uv_update_time(&c->loop->uv);
    if (atomic_load(&s->stopping))
        c->close_after = true;
    s->requests++;
    s->errors += r->reply.status >= 500;
    if (s->hooks->answering)
        s->hooks->answering(r, loop_now(c->loop) - r->started_ms);
    return reply_head(r, !c->close_after);
}

void conn_answer(struct conn *c)
{
    struct request *r = c->request;
    bool body = r->method != METHOD_HEAD && r->reply.status != 204 &&
                r->reply.status != 304;
    uv_buf_t bufs[2];

    if (!conn_begin_answer(c)) {
        conn_sent(c, false);
        return;
    }
    conn_enter(c, CONN_SENDING);
    bufs[0] = uv_buf_init(r->head.p, (unsigned)r->head.n);
    bufs[1] = uv_buf_init((char *)(uintptr_t)r->reply.body.p,
                          (unsigned)(body ? r->reply.body.n : 0));
    c->bytes = bufs[0].len + bufs[1].len;
    send_bufs(c, bufs, bufs[1].len ? 2 : 1);
}
