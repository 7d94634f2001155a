/* loop.h - what the core's files share: server, loop, connection.
 *
 *     loop.c    a thread: its listener, its clock, requests that come back
 *     conn.c    one connection: its life, its events, its deadlines
 *     receive.c bytes in, to requests; head.c, parse.c and body.c read them
 *     sink.c    a body that is written elsewhere as it comes in
 *     budget.c  memory for all bodies, and a share of it per user
 *     gate.c    admission, route, who asks, then body and handler
 *     reply.c   what a handler answers, as bytes
 *     send.c    bytes out; stream.c: an answer that is made while it goes out
 *     work.c    a request goes elsewhere and comes back
 *     worker.c  threads that wait so that loops need not */
#ifndef HTTP_CORE_LOOP_H
#define HTTP_CORE_LOOP_H
#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include "http/core/http.h"
#include "http/core/parse.h"

enum {
    READ_BYTES = 64 * 1024,   /* a loop's buffer for reading */
    AHEAD_BYTES = 128 * 1024, /* pipelined bytes that may wait */
    TICK_MS = 250
};

struct loop {
    struct server *server;
    pthread_t thread;
    bool started; /* uv is initialised */
    bool running; /* thread is */
    uv_loop_t uv;
    uv_poll_t listener;
    uv_async_t wake;
    uv_timer_t tick;
    int fd;
    bool accepting, closing;
    _Atomic int64_t turned_ms; /* its last tick; INT64_MAX: it does not run */
    int64_t retry_ms;          /* when to accept again, after EMFILE */
    struct conn *conns;
    size_t conns_n;
    char *buffer; /* READ_BYTES */
    void *app;    /* the program's; NULL: none, or not any more */
    bool app_closing;
    pthread_mutex_t lock;
    /* Requests that workers and others bring back, linked by item.next. */
    struct request *returned, **returned_tail;
};

struct server {
    struct server_options options;
    const struct server_hooks *hooks;
    void *app;
    struct loop *loops;
    size_t loops_n;
    struct budget *budget;
    struct workers *workers;
    struct workers *quick;    /* request_work_quick() */
    struct workers *slow;     /* request_work_slow() */
    struct workers *together; /* request_work_together() */
    struct workers *compressing;
    const struct route *routes;
    size_t routes_n;
    int port;
    uint64_t connections_max;
    _Atomic int stopping; /* how often server_stop was called */
    _Atomic bool draining;
    _Atomic int64_t stop_by_ms;
    _Atomic uint64_t connections, requests, errors, open;
};

enum conn_state {
    CONN_IDLE,      /* between requests */
    CONN_HEAD,      /* its head is coming in */
    CONN_BODY,      /* its body is coming in */
    CONN_WORKING,   /* its handler works on the answer */
    CONN_SENDING,   /* the answer goes out */
    CONN_STREAMING, /* the answer is made while it goes out */
    CONN_LINGER     /* answered and ended by us; the client still sends */
};

struct conn {
    uv_tcp_t tcp;
    struct loop *loop;
    struct conn *next, *prev;
    struct request *request;
    struct parser parser;
    struct head head; /* of the request: how its body comes */
    struct buf in;    /* bytes that were read */
    size_t in_used;   /* of these, already parsed */
    enum conn_state state;
    bool closing; /* uv_close was called */
    bool closed;  /* uv_close is done */
    bool advancing;
    bool reading;
    bool ended;       /* the client sends no more */
    bool close_after; /* no further request on it */
    bool linger;      /* its last answer may meet bytes that we do not read */
    bool skipped;     /* an empty line, before this request */
    bool admitted;    /* by the hook `connect` */
    int64_t since_ms; /* when the state was entered */
    int64_t moved_ms; /* when bytes last went in or out */
    uint64_t bytes;   /* of the body that came, or of the answer that goes */
    size_t unsent;    /* of the answer, in libuv */
    int refuse_with;  /* this status, when the request is back; 0: do not */
    char address[46];
};

/* ---- loop.c ---- */
enum footnote_rc loop_init(struct loop *l, struct server *s, int fd,
                           struct footnote_err *err);
void loop_free(struct loop *l);
void *loop_run(void *loop);
void loop_stop_listening(struct loop *l);
/* Any thread: the request is the loop's again; `then` says what to do. */
void loop_post(struct loop *l, struct request *r);
int64_t loop_now(const struct loop *l);

/* ---- conn.c ---- */
void conn_open(struct loop *l, int fd);
void conn_tick(struct conn *c, int64_t now_ms);
void conn_close(struct conn *c);
void conn_enter(struct conn *c, enum conn_state state);
void conn_read(struct conn *c); /* goes on reading */
/* Its request comes back from a worker or the writer. */
void conn_return(struct request *r);
/* The handler has returned: sends its answer, or reads on, or waits. */
void conn_continue(struct conn *c);
struct request *request_new(struct conn *c); /* NULL: no memory */
void request_free(struct request *r);

/* ---- receive.c ---- */
/* Parses what has come, and starts its requests. */
void conn_advance(struct conn *c);
/* Answers by itself, before or without a handler, and ends the connection. */
void conn_refuse(struct conn *c, int status);
/* The body is wanted: tells the client, and reads on. */
void conn_want_body(struct conn *c);

/* ---- sink.c ---- */
/* Room for body bytes; 0: the writer is behind. */
size_t sink_room(const struct request *r);
/* Body bytes have come, or the last one has. */
void sink_feed(struct request *r, bool last);
/* Whether the writer, not the client, is slow. */
bool sink_is_full(const struct request *r);
void sink_free(struct request *r); /* NULL is fine */

/* ---- budget.c ---- */
enum footnote_rc budget_open(int64_t bytes, struct budget **out,
                             struct footnote_err *err);
void budget_close(struct budget *b); /* NULL is fine */
uint64_t budget_used(const struct budget *b);
/* The request takes so many bytes more for its body or what is made of it.  0,
 * or the status that says why not: 413 when it alone has more than a user's
 * share, 429 when the user's requests together have, 503 when all have too
 * much.  Any thread. */
int budget_take(struct request *r, size_t bytes);
void budget_give_back(struct request *r); /* all that it has */

/* ---- query.c ---- */
/* Reads the JSON of the body for request_json(); answers nothing. */
void request_read_json(struct request *r);

/* ---- problem.c ---- */
/* What the core refuses by itself with this status. */
struct problem problem_of_status(int status);

/* ---- send.c ---- */
/* Its request has been answered: sends it. */
void conn_answer(struct conn *c);
/* Makes r->head and counts it; false: no memory. */
bool conn_begin_answer(struct conn *c);
/* Its answer is out, or never will be: the next one. */
void conn_sent(struct conn *c, bool ok);

/* ---- stream.c ---- */
/* Sends a comment to a client that has heard nothing for long. */
void stream_heartbeat(struct request *r, int64_t now_ms);
/* Tells the producer, if there is one, and frees what waits. */
void stream_free(struct request *r);

/* ---- gate.c ---- */
/* Gives it an id, brought or made. */
void gate_make_id(struct request *r);
/* The head is in: is there such a row?  False: the request is answered. */
bool gate_head(struct conn *c, struct request *r);
/* Whether the row's handler says where the body goes. */
bool gate_is_upload(const struct request *r);
/* Off to the hook `run`, and from there to the handler. */
void gate_run(struct request *r);

/* ---- reply.c ---- */
/* The body as it goes out, in the arena. */
void reply_finish(struct request *r);
/* Whether that takes long enough to be done elsewhere. */
bool reply_is_long(const struct request *r);
/* The head as it goes out, in r->head; false: no memory. */
bool reply_head(struct request *r, bool keep_alive);

/* ---- worker.c ---- */
struct workers;
enum footnote_rc workers_open(size_t threads, struct workers **out,
                              struct footnote_err *err);
/* One thread, for request_work_together(). */
enum footnote_rc workers_open_together(struct workers **out,
                                       struct footnote_err *err);
void workers_close(struct workers *w); /* NULL is fine */
/* BUSY when too much waits already, TOOBIG when too much of its user's does. */
enum footnote_rc workers_push(struct workers *w, struct request *r);
/* reply_finish() in a thread for that; false when too much waits for it. */
bool workers_compress(struct request *r);

#endif
