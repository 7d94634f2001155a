/* sink.c - a body that is written elsewhere as it comes in.
 *
 *     socket -> body_buf --swap--> out -> write(), in a worker
 *
 * While one piece is with the writer the next gathers in body_buf.  When that
 * is full nothing more is parsed, then nothing more is read, and the kernel
 * makes the client wait: a slow disk costs a client time, and us two pieces of
 * memory.  While a worker has the request, the loop touches body_buf alone. */
#include <assert.h>

#include "http/core/loop.h"

struct sink {
    sink_fn *write;
    request_fn *then;
    struct buf out; /* with the writer */
    bool last;      /* no more will come */
};

/* In a worker's thread. */
static void write_piece(struct request *r)
{
    struct sink *s = r->sink;

    s->write(r, buf_str(&s->out));
    buf_reset(&s->out);
}

static void write_next(struct request *r)
{
    struct sink *s = r->sink;
    struct buf full = r->body_buf;

    assert(!r->away);
    if (r->conn->refuse_with)
        return;
    if (full.n) {
        r->body_buf = s->out;
        r->body_buf.max = full.max - full.n; /* the rest of the body */
        s->out = full;
        request_work_then(r, write_piece, write_next);
    } else if (s->last) {
        r->wants_body = false;
        s->then(r);
    }
}

void sink_feed(struct request *r, bool last)
{
    assert(!r->sink->last); /* nothing follows the last byte */
    r->sink->last = last;
    if (!r->away)
        write_next(r);
}

size_t sink_room(const struct request *r)
{
    if (!r->sink)
        return SIZE_MAX;
    return r->body_buf.n < SINK_BYTES ? SINK_BYTES - r->body_buf.n : 0;
}

bool sink_is_full(const struct request *r)
{
    return sink_room(r) == 0;
}

void sink_free(struct request *r)
{
    if (r->sink)
        buf_free(&r->sink->out);
}

/* ---- For handlers ------------------------------------------------------- */

void request_body(struct request *r, request_fn *then)
{
    r->wants_body = true;
    r->then = then;
}

void request_sink(struct request *r, sink_fn *write, request_fn *then)
{
    r->sink = arena_new(&r->arena, struct sink);
    if (!r->sink) {
        reply_rc(r, FOOTNOTE_NOMEM, &(struct footnote_err){.text = ""}, NULL);
        return;
    }
    *r->sink = (struct sink){.write = write, .then = then};
    r->wants_body = true;
}
