/* client.h - a server in this process, and a client that sends raw bytes.
 *
 *     struct served s = SERVED;
 *     served_start(&s);
 *     client_open(&c, s.port);
 *     client_send(&c, STR("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
 *     CHECK(client_answer(&c, &a));
 *     CHECK_INT(a.status, 200);
 *
 * Everything waits for what it wants, up to a limit far above what it takes;
 * a limit that is met is a failed check. */
#ifndef CLIENT_H
#define CLIENT_H
#include <pthread.h>

#include "http/serve.h"
#include "test.h"

/* Fails when this process has grown by more than so much since `before`, in
 * KB; sanitizers keep what was freed, so under them nothing is known. */
long client_memory(void);
void client_check_memory(long before, long more_kb);

/* ---- A server ----------------------------------------------------------- */

struct served {
    struct config config;
    const struct route *routes; /* NULL: those of api.c */
    size_t routes_n;
    struct store *store;
    struct arena arena;
    bool relaxed;             /* durability; set before it is opened */
    struct services services; /* all of these */
    struct objects *objects;
    struct server *server;
    pthread_t thread;
    size_t stack_bytes; /* of that thread; 0: as usual */
    int port;
};

/* Two loops, no auth, long deadlines.  Change what the test is about. */
extern const struct served SERVED;

/* On a fresh store at test_url(), of SQLite unless the test is a contract. */
void served_start(struct served *s);
/* The two halves of it, for a server that runs in the caller's thread. */
void served_open(struct served *s);
void served_run(struct served *s);
/* Stops and waits; called by itself, it lets requests finish. */
void served_stop(struct served *s);
void served_close(struct served *s);

/* ---- A client ----------------------------------------------------------- */

struct client {
    int fd;
    struct buf in; /* read, not yet used */
    size_t taken;  /* of it, by the last answer */
    bool reset;    /* the server ended it in an unfriendly way */
};

struct response { /* views into the client's buffer until the next answer */
    int status;
    struct str head, body; /* body without chunks */
    bool closes;           /* the server says so */
    bool whole;            /* all of the body came */
    size_t bytes;          /* all of it, as it came */
};

void client_open(struct client *c, int port);
/* False when the connection is refused or there is no descriptor. */
bool client_try_open(struct client *c, int port);
void client_close(struct client *c);
/* Goes without a farewell, as one whose machine was switched off and on. */
void client_reset(struct client *c);
/* From now on the kernel keeps little for it. */
void client_read_little(struct client *c);
/* A peer that has gone is no error here: its answer counts. */
void client_send(struct client *c, struct str bytes);
void client_half_close(struct client *c);
/* How much came within `ms`: at least one byte; 0: the end; -1: nothing. */
long client_read(struct client *c, int ms);
/* The next answer.  False when the server closed before it was whole. */
bool client_answer(struct client *c, struct response *out);
/* The same for HEAD, which has a head only. */
bool client_head(struct client *c, struct response *out);
/* Reads on until the server closes; false when it does not, within `ms`. */
bool client_sees_end(struct client *c, int ms);
/* Nothing is there but the last answer, and the server has not closed. */
bool client_is_quiet(struct client *c, int ms);

/* GET path on an open connection. */
struct response client_get(struct client *c, const char *path);
/* One request on a connection of its own; returns the status. */
int client_once(int port, const char *path);

/* A header of the answer, by its name in any case; absent when missing. */
struct str response_header(const struct response *a, const char *name);

#endif
