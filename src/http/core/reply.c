/* reply.c - what a handler answers, and the bytes that go out.
 *
 * The handler's thread fills r->reply; reply_finish() compresses it in that
 * same thread, or what is long in one for that, so that loops only copy
 * bytes. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>
#include <zlib.h>

#include "base/clock.h"
#include "http/core/loop.h"
#include "http/core/text.h"

enum {
    HEADERS_BYTES_MAX = 8 * 1024,
    HEAD_BYTES_MAX = 16 * 1024,
    GZIP_BYTES_MIN = 1024,
    GZIP_BYTES_LONG = 256 * 1024, /* takes some milliseconds */
    GZIP_LEVEL = 1
};

/* "q=0", "q=0.", "q=0.000": not wanted. */
static bool is_refused(struct str item)
{
    const char *q = memmem(item.p, item.n, "q=0", 3);
    struct str rest = q ? str_skip(item, (size_t)(q - item.p) + 3) : STR("1");

    while (rest.n && (*rest.p == '0' || *rest.p == '.' || *rest.p == ' '))
        rest = str_skip(rest, 1);
    return rest.n == 0;
}

bool text_accepts(struct str list, struct str word)
{
    while (list.n) {
        size_t end = str_find(list, ',');
        struct str item = {list.p, end};

        while (item.n && (*item.p == ' ' || *item.p == '\t'))
            item = str_skip(item, 1);
        if (item.n >= word.n && strncasecmp(item.p, word.p, word.n) == 0 &&
            (item.n == word.n || strchr("; \t", item.p[word.n])))
            return !is_refused(str_skip(item, word.n));
        list = str_skip(list, end < list.n ? end + 1 : end);
    }
    return false;
}

/* ---- For handlers ------------------------------------------------------- */

void reply_header(struct request *r, struct str name, struct str value)
{
    struct buf *b = &r->reply.headers;

    b->max = HEADERS_BYTES_MAX;
    if (str_find(value, '\r') != value.n || str_find(value, '\n') != value.n)
        return; /* it could start another header */
    buf_add(b, name);
    buf_add(b, STR(": "));
    buf_add(b, value);
    buf_add(b, STR("\r\n"));
}

void reply_text(struct request *r, int status, struct str type, struct str body)
{
    assert(!r->answered);
    r->answered = true;
    r->reply.status = status;
    r->reply.type = type;
    r->reply.body = body;
}

void reply_empty(struct request *r, int status)
{
    reply_text(r, status, STR_NONE, STR(""));
}

static void reply_buf(struct request *r, int status, struct str type,
                      struct buf *body)
{
    struct footnote_err err;
    enum footnote_rc rc = buf_rc(body, &err);
    struct str copy = arena_str(&r->arena, buf_str(body));

    buf_free(body);
    if (rc == FOOTNOTE_OK && r->arena.failed)
        rc = err_set(&err, FOOTNOTE_NOMEM, "out of memory");
    if (rc != FOOTNOTE_OK)
        reply_rc(r, rc, &err, NULL);
    else
        reply_text(r, status, type, copy.p ? copy : STR(""));
}

void reply_json(struct request *r, int status, struct buf *body)
{
    reply_buf(r, status, STR("application/json"), body);
}

/* ---- ETag --------------------------------------------------------------- */

/* Half of it is enough. */
void etag_of_digest(const struct sha256 *digest, char out[ETAG_BYTES])
{
    char hex[SHA256_HEX + 1];

    sha256_hex(digest, hex);
    snprintf(out, ETAG_BYTES, "\"%.32s\"", hex);
}

void reply_cached_as(struct request *r, struct str type, struct buf *body)
{
    char tag[ETAG_BYTES];
    struct footnote_err err;
    struct sha256 digest;

    if (buf_rc(body, NULL) != FOOTNOTE_OK ||
        sha256(buf_str(body), &digest, &err) != FOOTNOTE_OK) {
        reply_buf(r, 200, type, body); /* answers with the error */
        return;
    }
    etag_of_digest(&digest, tag);
    reply_header(r, STR("ETag"), str_c(tag));
    if (request_has_etag(r, str_c(tag))) {
        buf_free(body);
        reply_empty(r, 304);
        return;
    }
    reply_buf(r, 200, type, body);
}

void reply_cached(struct request *r, struct buf *body)
{
    reply_cached_as(r, STR("application/json"), body);
}

/* ---- Out ---------------------------------------------------------------- */

struct str text_gzip(struct arena *a, struct str body)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)body.p,
                  .avail_in = (uInt)body.n};
    char *out = NULL;
    size_t n = 0;

    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return STR_NONE;
    uLong bound = deflateBound(&z, (uLong)body.n);
    out = arena_alloc(a, bound);
    if (out) {
        z.next_out = (Bytef *)out;
        z.avail_out = (uInt)bound;
        n = deflate(&z, Z_FINISH) == Z_STREAM_END ? bound - z.avail_out : 0;
    }
    deflateEnd(&z);
    return n ? (struct str){out, n} : STR_NONE;
}

static bool may_gzip(const struct request *r)
{
    return !r->reply.shared && !r->reply.uncompressed &&
           r->reply.body.n >= GZIP_BYTES_MIN &&
           (str_starts(r->reply.type, STR("application/json")) ||
            str_starts(r->reply.type, STR("text/"))) &&
           text_accepts(request_header(r, STR("accept-encoding")), STR("gzip"));
}

bool reply_is_long(const struct request *r)
{
    return r->reply.body.n >= GZIP_BYTES_LONG && may_gzip(r);
}

void reply_finish(struct request *r)
{
    struct str small;

    assert(!r->finished);
    r->finished = true;
    if (!r->answered)
        reply_problem(r, &(struct problem){.status = 500,
                                           .code = STR("internal"),
                                           .text = STR("No answer")});
    if (!may_gzip(r))
        return;
    small = text_gzip(&r->arena, r->reply.body);
    if (!small.p || small.n >= r->reply.body.n)
        return;
    r->reply.body = small;
    reply_header(r, STR("Content-Encoding"), STR("gzip"));
}

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {{200, "OK"},
                   {201, "Created"},
                   {202, "Accepted"},
                   {204, "No Content"},
                   {206, "Partial Content"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {408, "Request Timeout"},
                   {409, "Conflict"},
                   {413, "Content Too Large"},
                   {415, "Unsupported Media Type"},
                   {416, "Range Not Satisfiable"},
                   {417, "Expectation Failed"},
                   {421, "Misdirected Request"},
                   {422, "Unprocessable Content"},
                   {429, "Too Many Requests"},
                   {431, "Request Header Fields Too Large"},
                   {500, "Internal Server Error"},
                   {501, "Not Implemented"},
                   {503, "Service Unavailable"},
                   {505, "HTTP Version Not Supported"},
                   {507, "Insufficient Storage"}};

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "Other";
}

static void add_caching(struct buf *b, const struct request *r)
{
    if (r->stream && str_eq(r->reply.type, STR("text/event-stream")))
        buf_add(b, STR("Cache-Control: no-cache, no-transform\r\n"));
    else if (r->reply.no_store ||
             (r->method != METHOD_GET && r->method != METHOD_HEAD))
        buf_add(b, STR("Cache-Control: no-store\r\n"));
    else if (r->reply.immutable && r->reply.status < 400)
        buf_add(b, STR("Cache-Control: private, max-age=31536000, "
                       "immutable\r\n"));
    else if (r->reply.per_user)
        buf_add(b, STR("Cache-Control: private, no-cache\r\n"));
    if (r->reply.per_user)
        buf_add(b, STR("Vary: Authorization, Cookie, Origin, "
                       "Accept-Encoding\r\n"));
}

/* Made once a second in each thread. */
static void add_date(struct buf *b)
{
    static _Thread_local time_t made;
    static _Thread_local char text[64];
    time_t now = (time_t)(clock_wall_ms() / 1000);
    struct tm tm;

    if (now != made || !text[0]) {
        gmtime_r(&now, &tm);
        strftime(text, sizeof(text), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n",
                 &tm);
        made = now;
    }
    buf_add(b, str_c(text));
}

static void add_content_length(struct buf *b, uint64_t bytes)
{
    buf_add(b, STR("Content-Length: "));
    buf_add_i64(b, (int64_t)bytes);
    buf_add(b, STR("\r\n"));
}

static void add_length(struct buf *b, const struct request *r)
{
    const struct http_reply *p = &r->reply;

    if (p->has_length)
        add_content_length(b, p->length);
    else if (r->stream && !r->http_1_0)
        buf_add(b, STR("Transfer-Encoding: chunked\r\n"));
    else if (!r->stream && p->status != 204 && p->status != 304)
        add_content_length(b, p->body.n);
}

/* Not in the arena: an answer about lack of memory must get out. */
bool reply_head(struct request *r, bool keep_alive)
{
    struct buf *b = &r->head;
    struct http_reply *p = &r->reply;

    assert(b->n == 0 && p->status >= 200 && p->status < 600);
    b->max = HEAD_BYTES_MAX;
    buf_add(b, STR("HTTP/1.1 "));
    buf_add_i64(b, p->status);
    buf_add_c(b, ' ');
    buf_add(b, str_c(reason(p->status)));
    buf_add(b, STR("\r\n"));
    add_date(b);
    if (p->type.p) {
        buf_add(b, STR("Content-Type: "));
        buf_add(b, p->type);
        buf_add(b, STR("\r\nX-Content-Type-Options: nosniff\r\n"));
    }
    add_length(b, r);
    add_caching(b, r);
    if (r->id.p) {
        buf_add(b, STR("X-Request-Id: "));
        buf_add(b, r->id);
        buf_add(b, STR("\r\n"));
    }
    buf_add(b, buf_str(&p->headers));
    buf_add(b, keep_alive ? STR("Connection: keep-alive\r\n\r\n")
                          : STR("Connection: close\r\n\r\n"));
    return b->broken == FOOTNOTE_OK && p->headers.broken == FOOTNOTE_OK;
}
