/* bench.h - what the files of bench/http share.
 *
 * Servers are child processes; one generator of load asks them all.  A
 * failure ends the program: half a run gives no figure. */
#ifndef BENCH_HTTP_BENCH_H
#define BENCH_HTTP_BENCH_H
#include <stdint.h>

#include "../common.h"

enum { MESSAGES = 50, SOURCES = 5, PATH_BYTES = 512 };

struct bench {
    bool small;
    const char *postgres;        /* socket folder of the server, or NULL */
    char program[PATH_BYTES];    /* footnote */
    char folder[PATH_BYTES / 2]; /* ours, for data and configurations */
};

/* ---- load.c: many connections that ask, wait for the answer, ask again --- */

/* Writes request number n of a stream; returns its length. */
typedef size_t request_fn(void *arg, uint64_t n, char *out, size_t size);

struct stream {
    int port;
    size_t connections;
    request_fn *make;
    void *arg;
    int status;            /* that every answer must have */
    uint64_t requests_max; /* 0: until the time is over */
    /* Out. */
    uint64_t done;
    double per_second, p50_ms, p99_ms;
};
/* All streams at once, from one thread.  seconds 0: until each has done its
 * requests_max. */
void load_run(struct stream *streams, size_t n, double seconds);
/* Asks once and returns the body, with its size: yours to free. */
char *load_fetch(int port, const char *path, size_t *size);

/* ---- child.c: the servers ------------------------------------------------ */

struct child {
    pid_t pid;
    int port;
};
/* The server chooses its port and prints it. */
void child_footnote(const struct bench *b, const char *name, bool postgres,
                    struct child *out);
/* Serves `folder` with two workers. */
void child_nginx(const struct bench *b, const char *folder, struct child *out);
void child_stop(struct child *c); /* and waits */
/* Seconds of CPU time so far, with its children's. */
double child_cpu(const struct child *c);

/* ---- work.c: requests ---------------------------------------------------- */

/* The sessions that a stream uses. */
struct work {
    char prefix; /* of their names */
    uint64_t sessions;
};
/* Message n goes to session n % sessions. */
request_fn work_save;
/* Reads session n % sessions. */
request_fn work_read;
/* The path of a session's history. */
void work_path(char prefix, uint64_t session, char *out, size_t size);

/* ---- The measurements ---------------------------------------------------- */

void measure(const struct bench *b, bool postgres);

#endif
