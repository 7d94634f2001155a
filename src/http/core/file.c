/* file.c - a file as an answer.
 *
 *     worker: plan, open --> loop: head --> worker: read a piece
 *                                    ^             |
 *                                    +-- proceed --+--> loop: send it
 *
 * One piece is in memory, and one on its way out.  A whole file is digested as
 * it goes; when the digest differs, the last piece is not sent and the
 * connection ends, so that the client knows. */
#include <assert.h>
#include <unistd.h>

#include "base/log.h"
#include "http/core/http.h"
#include "http/core/range.h"

enum { PIECE_BYTES = 128 * 1024, NAME_BYTES_MAX = 4 * 1024 };

struct file_stream {
    struct file_out file;
    struct file_window window;
    int status;
    struct byte_range left;
    char *piece; /* PIECE_BYTES */
    size_t piece_n;
    bool failed;
    struct sha256_ctx *sum; /* NULL: not digested */
    struct sha256 want;
};

static void close_window(struct file_window *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
}

/* Of a file that lies elsewhere only the bytes that are about to go out are
 * fetched. */
static enum footnote_rc move_window(struct file_stream *f,
                                    struct footnote_err *err)
{
    struct file_window *w = &f->window;
    int64_t from = (int64_t)f->left.from;

    if (w->fd >= 0 && from >= w->from && from - w->from < w->bytes)
        return FOOTNOTE_OK;
    close_window(w);
    TRY(f->file.window(f->file.arg, from, (int64_t)f->left.n, w, err));
    assert(w->fd >= 0 && w->from <= from && from - w->from < w->bytes);
    return FOOTNOTE_OK;
}

static void file_close(struct file_stream *f)
{
    close_window(&f->window);
    sha256_close(f->sum);
    f->sum = NULL;
}

/* ---- In a worker's thread ----------------------------------------------- */

static size_t next_piece_bytes(const struct file_stream *f)
{
    const struct file_window *w = &f->window;
    uint64_t here = (uint64_t)(w->from + w->bytes) - f->left.from;
    uint64_t n = f->left.n < here ? f->left.n : here;

    return n < PIECE_BYTES ? (size_t)n : PIECE_BYTES;
}

static void read_piece(struct request *r)
{
    struct file_stream *f = r->state;
    struct footnote_err err = {.text = "it is short, or not what it was"};
    struct sha256 got;
    ssize_t n = 0;

    if (move_window(f, &err) == FOOTNOTE_OK)
        n = pread(f->window.fd, f->piece, next_piece_bytes(f),
                  (off_t)f->left.from - f->window.from);
    f->piece_n = n > 0 ? (size_t)n : 0;
    assert(f->piece_n <= f->left.n);
    f->left.from += f->piece_n;
    f->left.n -= f->piece_n;
    f->failed = f->piece_n == 0;
    if (f->sum)
        sha256_add(f->sum, (struct str){f->piece, f->piece_n});
    if (f->sum && f->left.n == 0) {
        sha256_end(f->sum, &got);
        f->failed |= !sha256_eq(&got, &f->want);
    }
    if (f->failed)
        log_write(LOG_ERROR, "a file is damaged", LOG_TEXT("path", r->path),
                  LOG_TEXT("why", str_c(err.text)));
}

/* ---- On the loop -------------------------------------------------------- */

static void stop(struct request *r, void *arg)
{
    (void)r;
    file_close(arg);
}

static void end_file(struct request *r, struct file_stream *f, bool clean)
{
    file_close(f);
    stream_end(r, clean);
}

static void send_file_piece(struct request *r)
{
    struct file_stream *f = r->state;

    if (f->failed)
        end_file(r, f, false);
    else if (stream_send(r, (struct str){f->piece, f->piece_n}) &&
             f->left.n == 0)
        end_file(r, f, true);
}

static void proceed(struct request *r, void *arg)
{
    if (!stream_work(r, read_piece, send_file_piece))
        end_file(r, arg, false);
}

static void begin_stream(struct request *r)
{
    struct file_stream *f = r->state;

    r->reply.has_length = true;
    r->reply.length = f->left.n;
    if (!stream_begin(r, f->status, f->file.type, proceed, stop, f))
        file_close(f);
}

/* ---- For handlers ------------------------------------------------------- */

static enum footnote_rc open_file(struct request *r, struct file_stream *f,
                                  struct footnote_err *err)
{
    const struct file_out *file = &f->file;

    f->piece = arena_alloc(&r->arena, PIECE_BYTES);
    if (!f->piece)
        return err_set(err, FOOTNOTE_NOMEM, "sending a file");
    if (file->digest && f->left.n == file->bytes) {
        TRY(sha256_open(&f->sum, err));
        f->want = *file->digest;
        sha256_begin(f->sum);
    }
    return move_window(f, err);
}

/* The headers of the file are not those of the error. */
static void reply_failed(struct request *r, enum footnote_rc rc,
                         const struct footnote_err *err)
{
    buf_reset(&r->reply.headers);
    reply_rc(r, rc, err, NULL);
}

void reply_file(struct request *r, const struct file_out *file)
{
    struct file_stream *f = arena_new(&r->arena, struct file_stream);
    struct footnote_err err = {.text = ""};
    struct byte_range part;
    int status = range_plan(r, file->bytes, file->etag, &part);
    enum footnote_rc rc;

    if (status == 0)
        return;
    if (!f) {
        reply_failed(r, FOOTNOTE_NOMEM, &err);
        return;
    }
    *f = (struct file_stream){
        .file = *file, .window.fd = -1, .status = status, .left = part};
    if (r->method == METHOD_HEAD || part.n == 0) { /* nothing is read */
        r->reply.has_length = true;
        r->reply.length = part.n;
        reply_text(r, status, file->type, STR(""));
        return;
    }
    rc = open_file(r, f, &err);
    if (rc != FOOTNOTE_OK) {
        file_close(f);
        reply_failed(r, rc, &err);
        return;
    }
    r->state = f;
    r->then = begin_stream;
}

/* ---- Its name ----------------------------------------------------------- */

/* RFC 8187's attr-char. */
static bool is_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("!#$&+-.^_`|~", c));
}

/* For clients that do not know filename*: what they cannot read is "_". */
static void add_fallback(struct buf *b, struct str name)
{
    buf_add(b, STR("filename=\""));
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        bool odd = c < 0x20 || c >= 0x7f || strchr("\"\\%/", c);

        if (c < 0x80 || c >= 0xc0) /* else the rest of a character */
            buf_add(b, odd ? STR("_") : (struct str){name.p + i, 1});
    }
    buf_add_c(b, '"');
}

void reply_attachment(struct request *r, bool attachment, struct str name)
{
    AUTO(buf_free) struct buf b = BUF(NAME_BYTES_MAX);
    bool plain = true;

    buf_add(&b, attachment ? STR("attachment") : STR("inline"));
    if (name.n) {
        buf_add(&b, STR("; "));
        add_fallback(&b, name);
    }
    for (size_t i = 0; i < name.n; i++)
        plain &= is_plain((unsigned char)name.p[i]) || name.p[i] == ' ';
    if (!plain) {
        buf_add(&b, STR("; filename*=UTF-8''"));
        for (size_t i = 0; i < name.n; i++) {
            unsigned char c = (unsigned char)name.p[i];

            if (is_plain(c))
                buf_add_c(&b, (char)c);
            else
                buf_printf(&b, "%%%02X", c);
        }
    }
    if (buf_rc(&b, NULL) == FOOTNOTE_OK)
        reply_header(r, STR("Content-Disposition"), buf_str(&b));
}
