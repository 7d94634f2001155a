/* chat_view.c - a feed as bytes on a connection.
 *
 * A viewer sends what there is, and the next piece when that has gone out: a
 * slow client gets larger pieces, and holds nothing up.  A client that falls
 * too far behind is cut off, in a way that it notices, and can come again. */
#include <assert.h>
#include <stdlib.h>

#include "http/call/shares.h"
#include "http/stream/chat.h"

enum {
    PIECE_BYTES = 16 * 1024,
    PIECE_BYTES_MAX = 8 * 1024 * 1024,
    TEXTS_BYTES_MAX = 64 * 1024
};

struct viewer {
    struct request *r;
    struct view *view;
    struct format_state format;
    struct arena texts; /* of `format` */
    struct shares *shares;
    struct share_holder *share;
    struct buf out;
    bool ready; /* all that was sent has gone out */
};

static void viewer_free(struct viewer *v)
{
    view_close(v->view);
    buf_free(&v->out);
    arena_free(&v->texts);
    share_give(v->shares, v->share, SHARE_STREAMS);
    free(v);
}

static bool add_entry(void *arg, const struct feed_entry *e)
{
    struct viewer *v = arg;

    if (v->out.n >= PIECE_BYTES)
        return false;
    v->format.kind->entry(&v->out, &v->format, e);
    return true;
}

static void end_viewer(struct viewer *v, bool clean)
{
    struct request *r = v->r;

    viewer_free(v);
    stream_end(r, clean);
}

/* True when it has gone out and there may be more to read. */
static bool send_entries(struct viewer *v)
{
    bool full = v->out.n >= PIECE_BYTES;

    if (v->out.n)
        v->ready = stream_send_now(v->r, buf_str(&v->out));
    buf_free(&v->out); /* an idle viewer keeps nothing */
    v->out = BUF(PIECE_BYTES_MAX);
    return full && v->ready;
}

static void pump(struct viewer *v)
{
    do {
        if (!view_read(v->view, add_entry, v) || v->out.broken != FOOTNOTE_OK) {
            end_viewer(v, false);
            return;
        }
    } while (send_entries(v));
    if (view_is_over(v->view))
        end_viewer(v, true);
}

static void on_proceed(struct request *r, void *arg)
{
    struct viewer *v = arg;

    (void)r;
    v->ready = true;
    pump(v);
}

static void on_wake(void *arg)
{
    struct viewer *v = arg;

    if (v->ready)
        pump(v);
}

static void on_stop(struct request *r, void *arg)
{
    (void)r;
    viewer_free(arg);
}

static struct viewer *viewer_new(struct request *r, struct feed *f,
                                 struct chat_loop *l,
                                 const struct format_state *s)
{
    struct viewer *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->r = r;
    v->shares = services(r)->shares;
    v->texts = ARENA(TEXTS_BYTES_MAX);
    v->out = BUF(PIECE_BYTES_MAX);
    v->format = *s;
    v->format.head = feed_head(f);
    v->format.model = arena_str(&v->texts, s->model);
    v->format.public_url = arena_str(&v->texts, s->public_url);
    v->view = view_open(f, l, on_wake, v);
    if (v->view && !v->texts.failed)
        return v;
    viewer_free(v);
    return NULL;
}

/* A viewer lasts as long as its answer, so it keeps nothing of the request. */
void chat_view(struct request *r, struct feed *f, const struct format_state *s,
               size_t after)
{
    struct chat_loop *l = chat_loop_of(r);
    struct share_holder *share = l ? call_share(r, SHARE_STREAMS) : NULL;
    struct viewer *v = share ? viewer_new(r, f, l, s) : NULL;

    feed_drop(f); /* the view has its own */
    if (!v) {
        if (share)
            call_no_memory(r);
        share_give(services(r)->shares, share, SHARE_STREAMS);
        return;
    }
    v->share = share;
    if (after)
        view_skip(v->view, after);
    else if (s->kind->open)
        s->kind->open(&v->out, &v->format);
    reply_header(r, STR("X-Accel-Buffering"), STR("no"));
    r->reply.no_store = true;
    r->reply.uncompressed = true;
    if (stream_begin(r, 200, STR("text/event-stream"), on_proceed, on_stop, v))
        stream_forget(r);
    else
        viewer_free(v);
}

/* ---- Waiting for the end ------------------------------------------------ */

static bool skip_entry(void *arg, const struct feed_entry *e)
{
    (void)arg;
    (void)e;
    return true;
}

static void reply_lost(struct request *r, struct str failure)
{
    struct str why = failure.p ? failure : STR("The answer was lost");

    reply_problem(r, &(struct problem){.status = 503,
                                       .code = STR("model_unavailable"),
                                       .text = arena_str(&r->arena, why)});
}

static void reply_with_end(struct request *r)
{
    struct chat_call *call = r->state;
    const struct feed_end *end = feed_end(call->feed);

    if (end->message && !end->failure.p)
        call->then(r);
    else
        reply_lost(r, end->failure);
    feed_drop(call->feed);
    call->feed = NULL;
}

static void on_feed_change(void *arg)
{
    struct request *r = arg;
    struct chat_call *call = r->state;
    struct feed *f = call->feed;

    view_skip(call->view, SIZE_MAX); /* only the end is of interest */
    (void)view_read(call->view, skip_entry, NULL);
    if (!view_is_over(call->view))
        return;
    view_close(call->view);
    call->view = NULL;
    if (!request_resume(r, reply_with_end))
        feed_drop(f);
}

/* Not from inside of the caller, which may not be done with the request. */
void chat_collect(struct request *r, struct feed *f, request_fn *then)
{
    struct chat_call *call = r->state;
    struct chat_loop *l = chat_loop_of(r);

    assert(f && !call->view);
    call->feed = f;
    call->then = then;
    call->view = l ? view_open(f, l, on_feed_change, r) : NULL;
    if (!call->view) {
        feed_drop(f);
        call->feed = NULL;
        if (l)
            call_no_memory(r);
        return;
    }
    request_park(r);
    view_wake(call->view);
}
