/* sink.c - a body that goes on to a writer as it comes.
 *
 *     socket -> body_buf --swap--> out -> write(), in a worker
 *
 * While one piece is with the writer the next gathers in body_buf.  When that
 * is full nothing more is taken out of `in`, then nothing more is read, and
 * the kernel makes the client wait: a slow disk costs a client time, and us
 * two pieces of memory.  The loop touches body_buf alone while a worker has
 * the request. */
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

static void swap(struct request *r)
{
    struct sink *s = r->sink;
    struct buf full = r->body_buf;

    r->body_buf = s->out;
    r->body_buf.max = full.max - full.n; /* of the body that is to come */
    s->out = full;
}

/* Nobody has the request. */
static void go_on(struct request *r)
{
    struct sink *s = r->sink;

    if (r->conn->late)
        return;
    if (r->body_buf.n) {
        swap(r);
        request_work_then(r, write_piece, go_on);
    } else if (s->last) {
        r->taking = false;
        s->then(r);
    }
}

void sink_feed(struct request *r, bool last)
{
    r->sink->last = last;
    if (!r->away)
        go_on(r);
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
    r->taking = true;
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
    r->taking = true;
}
