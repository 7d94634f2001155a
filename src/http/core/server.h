/* server.h - an HTTP/1.1 server: loops, connections, workers.
 *
 * One libuv loop per core, each with its own listening socket on the same port
 * (SO_REUSEPORT): a connection lives on one loop, without locks.  Work that
 * waits is done by worker threads and comes back to the request's loop.
 *
 * This folder knows HTTP and nothing of the program that it serves: that gives
 * it options, a table of routes (http.h) and hooks. */
#ifndef HTTP_CORE_SERVER_H
#define HTTP_CORE_SERVER_H
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct server;
struct request;
struct route;
struct problem;
struct json_out;
struct uv_loop_s; /* libuv's uv_loop_t */

struct server_options {
    struct str listen;       /* ADDRESS:PORT */
    int socket;              /* listens there already; the server's; 0: none */
    int64_t loops, workers;  /* threads; 0 loops: one per core */
    int64_t slow_workers;    /* for request_work_slow() */
    int64_t quick_workers;   /* for request_work_quick() */
    int64_t connections_max; /* fewer when descriptors are short */
    /* Deadlines of a connection, and the slowest a body may come or go. */
    int64_t idle_ms, head_ms, body_gap_ms, body_rate_min;
    int64_t grace_ms; /* for requests that run when the server stops */
    /* What a row's HTTP_..._BYTES_MAX stand for; 0: themselves. */
    int64_t body_bytes_max, large_bytes_max, upload_bytes_max;
    /* Memory for bodies and their JSON; 0: HTTP_BODIES_BYTES.  One user has a
     * quarter of it. */
    int64_t bodies_bytes;
};

struct streamed {
    struct str id;        /* of the request */
    int64_t first_ms, ms; /* to its first byte, to its last */
};

/* What the program does; each may be NULL.  They run on the loop of their
 * connection, `write_problem` also in a worker. */
struct server_hooks {
    /* A connection from this address: false closes it.  `disconnect` follows
     * those that were let in. */
    bool (*connect)(void *app, const char *address);
    void (*disconnect)(void *app, const char *address);
    /* The head of a request is in; r->route is not set yet.  `allowed` is a bit
     * per method that its path has.  False: the request is answered. */
    bool (*admit)(struct request *r, unsigned allowed);
    /* The head is in and has a row: who asks?  Calls request_admitted(), now or
     * later, or answers; the body is not read before.  NULL: anyone may ask. */
    void (*run)(struct request *r);
    /* Writes the members of the JSON object that tells of a problem, and may
     * add headers.  False, and nothing is written: those of reply_problem. */
    bool (*write_problem)(struct request *r, const struct problem *p,
                          struct json_out *w);
    /* An answer is about to go out, so long after its request came.  May add
     * headers. */
    void (*answering)(struct request *r, int64_t ms);
    /* A stream has ended, or its client has gone; `answering` was told of its
     * beginning.  Only the route, the method and the status of `r` are left. */
    void (*streamed)(struct request *r, const struct streamed *s);
    /* What the program has on each loop: made before the first connection,
     * NULL is fine.  The other three get it, if it is not NULL. */
    void *(*loop_open)(struct server *s, struct uv_loop_s *uv);
    /* The loop has gone round: at each tick, and after server_wake(). */
    void (*loop_turn)(void *state);
    /* The server stops: whether nothing of the program runs on the loop. */
    bool (*loop_is_idle)(const void *state);
    /* The last connection has gone.  Calls `closed`, now or later, when the
     * loop may end; the state is gone then. */
    void (*loop_close)(void *state, void (*closed)(void *arg), void *arg);
};

/* For the hook `run`, on the loop: reads the body and calls the handler. */
void request_admitted(struct request *r);

/* Listens, but serves nobody yet.  The port is taken when this returns.  The
 * options' text and the hooks must outlive the server.  *out is yours:
 * server_close(). */
enum footnote_rc server_open(const struct server_options *o,
                             const struct server_hooks *hooks, void *app,
                             struct server **out, struct footnote_err *err);
/* BUSY, with the address and the reason, when nobody could listen there now. */
enum footnote_rc server_try_address(struct str listen,
                                    struct footnote_err *err);
/* The table.  Before server_run(). */
void server_use_routes(struct server *s, const struct route *routes, size_t n);
/* Serves until server_stop(); then finishes what is under way. */
void server_run(struct server *s);
/* Any thread.  server_is_draining() says so from now on, and nothing else
 * changes: balancers get time to send their requests elsewhere. */
void server_drain(struct server *s);
bool server_is_draining(const struct server *s); /* or stopping */
/* Any thread.  The first call stops accepting and lets requests finish within
 * the grace time; the second ends them at once. */
void server_stop(struct server *s);
void server_close(struct server *s); /* NULL is fine */

/* Any thread. */
void server_wake(struct server *s); /* every loop goes round */
/* Every loop that runs has gone round within so long. */
bool server_turns(const struct server *s, int64_t within_ms);
bool server_is_stopping(const struct server *s);
int server_port(const struct server *s);
void *server_app(const struct server *s);

/* Counters only grow; open_connections and body_bytes are gauges. */
struct server_counts {
    uint64_t connections, requests, errors;
    uint64_t open_connections;
    uint64_t body_bytes; /* bodies in memory, with their JSON */
};
void server_count(const struct server *s, struct server_counts *out);

#endif
