/* http.h - what a handler sees: a request, and the ways to answer it.
 *
 * A request belongs to the loop that has its connection.  Its handler is
 * called there and returns at once; it answers then, or later:
 *
 *     request_work    runs `work` in a worker's thread, where it may wait; what
 *                     it has answered is sent when it returns
 *     request_park    another part of the program has it, until it calls
 *                     request_resume() or request_return()
 *
 * Exactly one answer per request.  Everything a request makes lives in its
 * arena, which conn.c frees after the last byte is out: the only place. */
#ifndef HTTP_CORE_HTTP_H
#define HTTP_CORE_HTTP_H
#include "base/fair_queue.h"
#include "base/json.h"
#include "base/sha256.h"
#include "http/core/server.h"

struct conn;
typedef void request_fn(struct request *r);
typedef void requests_fn(struct request **list, size_t n);

/* Bytes that several replies share, with a count.  Any thread. */
struct shared_body {
    _Atomic int refs;
    size_t n;
    char *bytes;
};
/* Takes over the text of the buffer, which is empty then; one reference is
 * yours.  NULL: the buffer is broken or there is no memory, and the text stays
 * where it is. */
struct shared_body *shared_body_new(struct buf *text);
void shared_body_hold(struct shared_body *s);
void shared_body_drop(struct shared_body *s); /* NULL is fine */

enum method {
    METHOD_GET,
    METHOD_POST,
    METHOD_PUT,
    METHOD_PATCH,
    METHOD_DELETE,
    METHOD_OPTIONS,
    METHOD_HEAD, /* is answered like GET, without the body */
    METHODS
};

struct header {
    struct str name, value; /* name in lower case */
};

enum {
    HTTP_HEAD_BYTES_MAX = 16 * 1024,
    HTTP_HEADERS_MAX = 100,
    HTTP_PARAMS_MAX = 4,
    /* In a row the first three stand for the server's options. */
    HTTP_JSON_BYTES_MAX = 1024 * 1024,
    HTTP_LARGE_BYTES_MAX = 32 * 1024 * 1024,
    HTTP_UPLOAD_BYTES_MAX = 512 * 1024 * 1024, /* see request_sink */
    HTTP_BODIES_BYTES = 256 * 1024 * 1024,
    REQUEST_ARENA_BYTES = 256 * 1024 * 1024
};

struct http_reply {
    int status;
    struct buf headers; /* further header lines, each with its CRLF */
    struct str body;    /* in the arena, static, or of `shared` */
    struct str type;    /* content type; absent: no body */
    bool no_store;      /* Cache-Control: no-store, and no ETag */
    bool immutable;     /* may be kept for a year: its address has a version */
    bool uncompressed;  /* goes out as it is */
    bool per_user;      /* depends on who asks: caches are told */
    struct shared_body *shared; /* released after it is sent */
    bool has_length; /* of a stream, or of a body that HEAD leaves out */
    uint64_t length;
};

struct request {
    struct fair_item item; /* core's, as are the next three */
    struct conn *conn;
    request_fn *work;
    requests_fn *together;
    struct server *server;
    struct arena arena;
    enum method method;
    struct str path, query; /* as they came; params are decoded */
    struct header *headers; /* in the arena */
    size_t headers_n;
    struct str body;
    struct str id;                      /* X-Request-Id, brought or made */
    char address[46];                   /* of the peer */
    const struct route *route;          /* NULL: none matches */
    struct str params[HTTP_PARAMS_MAX]; /* of the route's {…}, in order */
    void *app;                          /* the program's own, in the arena */
    uint64_t share; /* of threads and memory: those of one user have one, which
                       the program sets; before, those of one address */
    /* Outcome of work elsewhere, for `then`. */
    enum footnote_rc rc;
    struct footnote_err err;
    request_fn *then;
    void *state;         /* the handler's own, in the arena */
    request_fn *cleanup; /* if set, run in a worker before it is freed */
    struct http_reply reply;
    bool answered;
    /* Core's. */
    bool away;         /* a worker has it, or it is parked */
    bool wants_body;   /* the body may come */
    bool in_cleanup;   /* only `cleanup` is left to do */
    bool finished;     /* its reply is as it goes out */
    int64_t queued_ms; /* when it went to a worker */
    bool http_1_0;
    struct stream *stream;
    struct sink *sink;
    struct buf head; /* the reply's, as it goes out */
    struct buf body_buf;
    struct arena tree; /* what request_json() reads */
    struct json *json; /* once it has; NULL: it could not, and why: */
    enum footnote_rc json_rc;
    struct str json_error;
    bool json_done;
    int over_budget;           /* with this status; 0: it is not */
    size_t held, held_counted; /* bytes of body and tree; see budget.c */
    int64_t started_ms;        /* on the loop's clock */
};

/* ---- The table of routes ------------------------------------------------ */

/* Who may call it: the hook `run` decides. */
enum access { ACCESS_PUBLIC, ACCESS_USER, ACCESS_ADMIN };

struct route {
    enum method method;
    const char *pattern; /* "/api/sessions/{id}" */
    enum access access;
    size_t body_bytes_max; /* 0: it takes none; UPLOAD: see request_sink */
    request_fn *handler;
    const char *doc;  /* one line */
    const char *name; /* operationId in openapi.json */
};

/* Finds the row and the parameters.  Without a row *allowed is a bit per method
 * that the path has: 0 is 404, else it is 405. */
const struct route *route_find(const struct route *routes, size_t n,
                               enum method method, struct str path,
                               struct str params[HTTP_PARAMS_MAX],
                               unsigned *allowed);
const char *method_name(enum method m);

/* ---- Reading a request (any thread) -------------------------------------- */

/* The value of a header, by its lower-case name; may be absent. */
struct str request_header(const struct request *r, struct str name);
/* A parameter of the query, decoded into the arena. */
struct str request_query(struct request *r, struct str name);
/* The same of one that may be there several times: *rest begins as r->query. */
bool request_query_next(struct request *r, struct str name, struct str *rest,
                        struct str *out);
/* ?limit=: 1 to max, `preset` when absent.  Answers 400 and false else. */
bool request_limit(struct request *r, size_t preset, size_t max, size_t *out);
/* Reads the body as a JSON object; answers and returns NULL when it is none, or
 * when it takes too much memory.  What is large has been read by a worker. */
struct json *request_json(struct request *r);
/* Whether If-None-Match has this quoted tag, or is "*". */
bool request_has_etag(const struct request *r, struct str etag);
/* The media type of Content-Type without its parameters, in lower case. */
struct str request_type(struct request *r);

/* ---- Answering ----------------------------------------------------------- */

void reply_json(struct request *r, int status, struct buf *body); /* takes it */
void reply_text(struct request *r, int status, struct str type,
                struct str body);
void reply_empty(struct request *r, int status);
/* A header line.  A value with CR or LF is left out. */
void reply_header(struct request *r, struct str name, struct str value);

/* One shape for all errors; `where` and `hint` may be absent. */
struct problem {
    int status;
    struct str code, text, where, hint;
};
/* For the hook `write_problem`: nothing is written when `value` is absent. */
void problem_member(struct json_out *w, struct str key, struct str value);
void reply_problem(struct request *r, const struct problem *p);
/* The meaning of a code; `thing` names what was not found: "session" gives
 * session_not_found and "Session not found". */
void reply_rc(struct request *r, enum footnote_rc rc,
              const struct footnote_err *err, const char *thing);
/* 400 invalid_field at `where` (a JSON Pointer). */
void reply_invalid(struct request *r, struct str where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A digest as ETag, quoted. */
enum { ETAG_BYTES = 2 + 32 + 1 };
void etag_of_digest(const struct sha256 *digest, char out[ETAG_BYTES]);
/* With the ETag of the body: 304 when the client has it.  It is JSON. */
void reply_cached(struct request *r, struct buf *body);
void reply_cached_as(struct request *r, struct str type, struct buf *body);

/* A body of which a client may ask for a part (Range, If-Range): 200, 206, 304
 * or 416.  `etag` is quoted.  The body must outlive the request, or live in
 * its arena. */
void reply_range(struct request *r, struct str type, struct str body,
                 struct str etag);

/* A part of a file: its byte i is at i - from of `fd`. */
struct file_window {
    int fd; /* -1: none */
    int64_t from, bytes;
};
struct file_out {
    /* Opens a window that begins at `from` or before and has at least that
     * byte; up to n are wanted.  In a worker's thread; `arg` outlives the
     * request.  The core closes out->fd. */
    enum footnote_rc (*window)(void *arg, int64_t from, int64_t n,
                               struct file_window *out,
                               struct footnote_err *err);
    void *arg;
    uint64_t bytes;
    struct str type, etag; /* quoted */
    struct sha256 *digest; /* NULL: not checked.  A whole file with another
                              digest is cut off before its last byte */
};
/* A file as an answer; a client may ask for a part, as in reply_range.  From a
 * worker's thread.  The bytes are read in workers and go out as a stream, so
 * the file is never in memory as a whole. */
void reply_file(struct request *r, const struct file_out *file);
/* Content-Disposition (RFC 6266, 8187) with any UTF-8 name. */
void reply_attachment(struct request *r, bool attachment, struct str name);

/* ---- Streaming (the loop's thread only) -----------------------------------
 *
 * The producer sends when it has something.  `proceed` tells it that this has
 * gone out.  A stream ends by stream_end() or by `stop`, never by both; then
 * nothing more may be called. */

enum { STREAM_BYTES_MAX = 256 * 1024 };
typedef void stream_fn(struct request *r, void *arg);

/* Sends the head; then `proceed` is called for the first time.  `stop` is
 * called when the client has gone, or when the server ends it.  False: the
 * request is answered without a body (HEAD, or no memory), and neither will be
 * called.  Neither is ever called from inside of these functions. */
bool stream_begin(struct request *r, int status, struct str type,
                  stream_fn *proceed, stream_fn *stop, void *arg);
/* For a stream that lasts: frees the request's arena, with r->state. */
void stream_forget(struct request *r);
/* Copies.  False, and nothing is sent, when STREAM_BYTES_MAX already wait
 * (`proceed` will follow), or when the connection closes (`stop` will). */
bool stream_send(struct request *r, struct str s);
/* stream_send() without waiting.  True: all of it has gone out, and no
 * `proceed` follows.  Else `proceed` or `stop` does. */
bool stream_send_now(struct request *r, struct str s);
/* Not clean: the client sees that something is missing. */
void stream_end(struct request *r, bool clean);
/* Runs `work` in a worker while the stream goes on, then `then` on the loop
 * unless `stop` came first.  False when too much waits for workers. */
bool stream_work(struct request *r, request_fn *work, request_fn *then);

/* ---- Bodies ----------------------------------------------------------------
 *
 * No body is read before it is known who asks, and the client is told to go on
 * (100) only then.  A handler finds its body in r->body.  The handler of a row
 * with HTTP_UPLOAD_BYTES_MAX is called before any of the body is read: it
 * answers, and the body is not read; or it says where the body goes. */

/* Reads the body into r->body, of an upload up to the limit for JSON; then
 * calls `then` on the loop. */
void request_body(struct request *r, request_fn *then);
/* Hands the body to `write` piece by piece, in order, in a worker's thread,
 * where it may wait.  While one piece is written the next gathers; when that is
 * full, the client is not read from.  A `write` that answers ends the request.
 * After the last piece `then` is called on the loop. */
enum { SINK_BYTES = 256 * 1024 };
typedef void sink_fn(struct request *r, struct str piece);
void request_sink(struct request *r, sink_fn *write, request_fn *then);

/* ---- Going elsewhere (work.c) ----------------------------------------------
 *
 * Each of these has threads of its own, in which users take turns by r->share.
 * Too much that waits is 503, or 429 when it is of the same user. */

void request_work(struct request *r, request_fn *work);
/* Another part of the program has the request now.  It brings it back on its
 * loop by request_resume(), which calls `then`; or from any thread by
 * request_return(), and the loop calls r->then.  False, and nothing is called:
 * the client has gone, and the request with it. */
void request_park(struct request *r);
bool request_resume(struct request *r, request_fn *then);
void request_return(struct request *r);
/* request_work(); what the work has not answered goes on with `then`. */
void request_work_then(struct request *r, request_fn *work, request_fn *then);
/* request_work_then() for work that is cheaper for many requests at once, in a
 * thread of its own: `work` gets all that wait, at most TOGETHER_MAX. */
enum { TOGETHER_MAX = 64 };
void request_work_together(struct request *r, requests_fn *work,
                           request_fn *then);
/* request_work for what takes long and starts programs; few at a time. */
void request_work_slow(struct request *r, request_fn *work);
/* request_work_then for what is always short, and which others wait for. */
void request_work_quick(struct request *r, request_fn *work, request_fn *then);
/* The loop's clock, and what the program has on the loop; on the loop. */
int64_t request_now_ms(const struct request *r);
void *request_loop(const struct request *r);

#endif
