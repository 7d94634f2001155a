/* inner.h - what the files of the scripted server share. */
#ifndef UPSTREAM_INNER_H
#define UPSTREAM_INNER_H
#include <pthread.h>
#include <stdatomic.h>

#include "upstream/script.h"
#include "upstream/upstream.h"

enum { REQUEST_BYTES_MAX = 64 * 1024 * 1024, HEAD_BYTES_MAX = 64 * 1024 };

struct gate {
    char *name;
    size_t passes; /* how many may go through */
    size_t waiting;
    struct gate *next;
};

struct client {
    struct upstream *u;
    int fd;
    pthread_t thread;
    bool gone; /* its thread has ended */
    struct client *next;
};

struct asked {
    char *head, *body;
    size_t head_n, body_n;
};

struct upstream {
    int listener, port;
    char url[64];
    pthread_t thread;
    pthread_mutex_t lock; /* for all below */
    pthread_cond_t changed;
    bool stopping;
    struct script *scripts;
    struct gate *gates;
    struct client *clients;
    struct asked *asked;
    size_t asked_n, left, connections;
    _Atomic uint64_t sent;
};

/* Plays one answer; false: the connection is not to be used again. */
bool play(struct client *c, const struct scene *s);

/* Waits at a gate; false: the client has left, or the server is stopping. */
bool gate_wait(struct client *c, const char *name);

/* The next request; false: there is none. */
bool request_receive(struct client *c, struct asked *out);
/* The answer to what is for the server itself; false: it is not. */
bool request_control(struct client *c, const struct asked *a);
/* Which scene answers it; NULL: none is called so. */
const struct scene *request_scene(struct upstream *u, const struct asked *a);
bool send_all(int fd, struct str s);

#endif
