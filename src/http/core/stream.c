/* stream.c - an answer that is made while it goes out.
 *
 * One write is under way at a time; bytes that are sent meanwhile wait.  A
 * write always ends in a later turn of the loop, so `proceed` is never called
 * from inside of stream_send(), and a producer that answers it by sending does
 * not recurse. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "http/core/loop.h"

enum {
    HEARTBEAT_MS = 15 * 1000,
    CHUNK_PARTS = 3,
    NS_PER_MS = 1000000, /* the loop counts the former since the same moment */
    ID_BYTES = 100,      /* as gate.c takes it */
    CHUNK_HEAD_BYTES = 2 * sizeof(size_t) + sizeof("\r\n")
};

struct stream {
    uv_write_t write;
    stream_fn *proceed, *stop;
    void *arg;
    struct buf out;     /* in the write under way */
    struct buf waiting; /* for the next */
    bool writing;
    bool ended, clean; /* stream_end() was called */
    int64_t first_ms;  /* from the request to its first byte */
    size_t id_n;       /* the request's own is forgotten */
    char id[ID_BYTES];
};

static void send_next(struct request *r);

static void on_written(uv_write_t *w, int status)
{
    struct request *r = w->data;
    struct stream *s = r->stream;

    s->writing = false;
    if (r->conn->closing)
        return;        /* request_free() tells the producer */
    buf_free(&s->out); /* a stream that waits for events keeps nothing */
    if (status != 0)
        conn_close(r->conn);
    else
        send_next(r);
}

static void write_out(struct request *r)
{
    struct stream *s = r->stream;
    struct buf b = s->out;
    uv_buf_t bytes;

    s->out = s->waiting;
    s->waiting = b;
    s->waiting.max = s->out.max;
    bytes = uv_buf_init(s->out.p, (unsigned)s->out.n);
    s->write.data = r;
    s->writing = true;
    if (uv_write(&s->write, (uv_stream_t *)&r->conn->tcp, &bytes, 1,
                 on_written) != 0) {
        s->writing = false;
        conn_close(r->conn);
        return;
    }
    r->conn->unsent =
        uv_stream_get_write_queue_size((uv_stream_t *)&r->conn->tcp);
    r->conn->moved_ms = loop_now(r->conn->loop);
}

static void send_next(struct request *r)
{
    struct stream *s = r->stream;

    assert(!s->writing);
    if (s->waiting.n)
        write_out(r);
    else if (s->ended)
        conn_sent(r->conn, s->clean && s->waiting.broken == FOOTNOTE_OK);
    else
        s->proceed(r, s->arg);
}

/* ---- For handlers ------------------------------------------------------- */

static bool is_bodiless(const struct request *r)
{
    return r->method == METHOD_HEAD;
}

bool stream_begin(struct request *r, int status, struct str type,
                  stream_fn *proceed, stream_fn *stop, void *arg)
{
    struct stream *s = is_bodiless(r) ? NULL : malloc(sizeof(*s));

    assert(!r->stream && !r->away);
    if (!s) {
        reply_text(r, is_bodiless(r) ? status : 503, type, STR(""));
        return false;
    }
    *s = (struct stream){.proceed = proceed, .stop = stop, .arg = arg};
    s->waiting.max = SIZE_MAX - 1;
    s->id_n = r->id.n < ID_BYTES ? r->id.n : ID_BYTES;
    memcpy(s->id, r->id.n ? r->id.p : "", s->id_n);
    r->stream = s;
    reply_text(r, status, type, STR(""));
    r->finished = true;
    if (r->http_1_0 && !r->reply.has_length)
        r->conn->close_after = true;
    if (!conn_begin_answer(r->conn)) {
        conn_close(r->conn);
        return true;
    }
    conn_enter(r->conn, CONN_STREAMING);
    s->first_ms = loop_now(r->conn->loop) - r->started_ms;
    buf_add(&s->waiting, buf_str(&r->head));
    if (s->waiting.broken == FOOTNOTE_OK)
        write_out(r);
    else
        conn_close(r->conn);
    return true;
}

/* Without chunks: its length is told, or its end is the connection's. */
static bool is_unframed(const struct request *r)
{
    return r->http_1_0 || r->reply.has_length;
}

/* The bytes as a chunk.  Returns how many parts it has. */
static unsigned frame_chunk(const struct request *r, struct str bytes,
                            char size[CHUNK_HEAD_BYTES],
                            uv_buf_t out[CHUNK_PARTS])
{
    int n = snprintf(size, CHUNK_HEAD_BYTES, "%zx\r\n", bytes.n);
    uv_buf_t middle =
        uv_buf_init((char *)(uintptr_t)bytes.p, (unsigned)bytes.n);

    out[0] = is_unframed(r) ? middle : uv_buf_init(size, (unsigned)n);
    out[1] = middle;
    out[2] = uv_buf_init(size + n - 2, 2);
    return is_unframed(r) ? 1 : CHUNK_PARTS;
}

/* Keeps what the socket did not take for the next write. */
static void queue_rest(struct stream *s, const uv_buf_t *parts, unsigned n,
                       size_t done)
{
    for (unsigned i = 0; i < n; i++) {
        size_t skip = done < parts[i].len ? done : parts[i].len;

        buf_add(&s->waiting,
                (struct str){parts[i].base + skip, parts[i].len - skip});
        done -= skip;
    }
    assert(done == 0);
}

/* The head was copied into `waiting`. */
void stream_forget(struct request *r)
{
    r->headers = NULL;
    r->headers_n = 0;
    r->path = r->query = r->body = r->id = STR_NONE;
    memset(r->params, 0, sizeof(r->params));
    r->state = r->app = NULL;
    r->json = NULL;
    buf_free(&r->reply.headers);
    buf_free(&r->head);
    buf_free(&r->body_buf);
    arena_free(&r->tree);
    budget_give_back(r);
    arena_free(&r->arena);
}

bool stream_send(struct request *r, struct str bytes)
{
    struct stream *s = r->stream;
    char size[CHUNK_HEAD_BYTES];
    uv_buf_t parts[CHUNK_PARTS];

    if (r->conn->closing || s->ended ||
        s->waiting.n + (s->writing ? s->out.n : 0) >= STREAM_BYTES_MAX)
        return false;
    if (bytes.n == 0) /* an empty chunk would be the last one */
        return true;
    queue_rest(s, parts, frame_chunk(r, bytes, size, parts), 0);
    if (s->waiting.broken != FOOTNOTE_OK) {
        conn_close(r->conn); /* half a chunk may be there */
        return false;
    }
    if (!s->writing)
        write_out(r);
    return !r->conn->closing;
}

/* No copy, and no later turn of the loop, for an event that just goes out.
 * uv_write() would need both, and a system call more to tell the kernel that
 * it does not want to write. */
bool stream_send_now(struct request *r, struct str bytes)
{
    struct stream *s = r->stream;
    struct conn *c = r->conn;
    char size[CHUNK_HEAD_BYTES];
    uv_buf_t parts[CHUNK_PARTS];
    unsigned n = frame_chunk(r, bytes, size, parts);
    int done;

    if (c->closing || s->ended || s->writing || bytes.n == 0)
        return stream_send(r, bytes) && bytes.n == 0;
    done = uv_try_write((uv_stream_t *)&c->tcp, parts, n);
    queue_rest(s, parts, n, done > 0 ? (size_t)done : 0);
    c->moved_ms = loop_now(c->loop);
    if (s->waiting.n == 0)
        return true;
    if ((done < 0 && done != UV_EAGAIN) || s->waiting.broken != FOOTNOTE_OK)
        conn_close(c);
    else
        write_out(r);
    return false;
}

void stream_end(struct request *r, bool clean)
{
    struct stream *s = r->stream;

    assert(!s->ended);
    s->ended = true;
    s->clean = clean;
    if (clean && !is_unframed(r))
        buf_add(&s->waiting, STR("0\r\n\r\n"));
    if (s->writing || r->conn->closing)
        return;
    /* Never conn_sent(), which would free a request that is in use. */
    if (s->waiting.n && s->waiting.broken == FOOTNOTE_OK)
        write_out(r);
    else
        conn_close(r->conn);
}

/* Only a stream of events has comments. */
void stream_heartbeat(struct request *r, int64_t now_ms)
{
    if (now_ms - r->conn->moved_ms >= HEARTBEAT_MS && !r->stream->writing &&
        str_eq(r->reply.type, STR("text/event-stream")))
        (void)stream_send(r, STR(": keep-alive\n\n"));
}

void stream_free(struct request *r)
{
    struct stream *s = r->stream;

    if (!s)
        return;
    if (!s->ended) {
        s->ended = true;
        s->stop(r, s->arg);
    }
    if (r->server->hooks->streamed)
        r->server->hooks->streamed(
            r, &(struct streamed){
                   .id = {s->id, s->id_n},
                   .first_ms = s->first_ms,
                   .ms = (int64_t)(uv_hrtime() / NS_PER_MS) - r->started_ms,
               });
    buf_free(&s->out);
    buf_free(&s->waiting);
    free(s);
    r->stream = NULL;
}
