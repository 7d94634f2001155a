/* server.h - the HTTP server as a whole.
 *
 * One libuv loop per core, each with its own listening socket on the same port
 * (SO_REUSEPORT): a connection lives on one loop, without locks.  Reads run in
 * worker threads, writes in the store's writer; both come back to the loop
 * through its mailbox. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H
#include "config/config.h"

struct server;
struct chat;
struct ingest;
struct models;
struct objects;
struct retriever;

/* What the server works with.  Whoever opens it opens these before, and closes
 * them after it. */
struct services {
    struct store *store;
    struct objects *objects;     /* NULL: no documents are taken or given */
    struct retriever *retriever; /* NULL: nothing can be searched */
    struct ingest *ingest;       /* NULL: another server reads documents in */
    struct models *models;       /* NULL, as the next: nobody answers */
    struct chat *chat;
};

/* Listens, but serves nobody yet.  The port is taken when this returns.  *out
 * is yours: server_close(). */
enum footnote_rc server_open(const struct config *c,
                             const struct services *with, struct server **out,
                             struct footnote_err *err);
/* Other rows than those of api.c (tests).  Before server_run(). */
struct route;
void server_use_routes(struct server *s, const struct route *routes, size_t n);
int server_port(const struct server *s);
/* Serves until server_stop(); then finishes what is under way. */
void server_run(struct server *s);
/* Any thread.  The first call stops accepting and lets requests finish within
 * the grace time; the second ends them at once. */
void server_stop(struct server *s);
void server_close(struct server *s); /* NULL is fine */
/* Any thread: every loop that runs has gone round within so long. */
bool server_turns(const struct server *s, int64_t within_ms);

/* For handlers. */
const struct config *server_config(const struct server *s);
struct store *server_store(struct server *s);
struct objects *server_objects(struct server *s);
struct retriever *server_retriever(struct server *s);
struct auth *server_auth(struct server *s);
const struct models *server_models(const struct server *s);
struct metrics *server_metrics(struct server *s);
struct chat *server_chat(struct server *s);     /* NULL: nobody answers */
struct ingest *server_ingest(struct server *s); /* NULL: nobody reads */
bool server_is_stopping(const struct server *s);

/* What /metrics shows.  Counters only grow. */
struct server_counts {
    uint64_t connections, requests, errors;
    uint64_t open_connections;
};
void server_count(const struct server *s, struct server_counts *out);

#endif
