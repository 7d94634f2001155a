/* bench.h - what the files of bench/stream share.
 *
 *     upstream  ----tokens---->  footnote serve  ----events---->  viewers
 *     a process of its own       what is measured                 this one
 *
 * A token carries its number within its turn and the time at which it was
 * sent, so a viewer knows its delay and whether one is missing.  A failure ends
 * the program: half a run gives no figure. */
#ifndef BENCH_STREAM_BENCH_H
#define BENCH_STREAM_BENCH_H
#include <stdatomic.h>
#include <stdint.h>

#include "../common.h"

/* Turns that warm the server up have the highest numbers. */
enum { TURNS_MAX = 5000, WARM = 64, PATH_BYTES = 512 };

struct bench {
    bool small;
    size_t turns;                /* only the load of so many; 0: all */
    const char *postgres;        /* socket folder of the server, or NULL */
    char program[PATH_BYTES];    /* footnote */
    char folder[PATH_BYTES / 2]; /* ours, for data */
};
/* Time since clock_start(), which is called before any fork, by the clock of
 * SO_TIMESTAMPNS.  Short numbers, because every token carries one. */
void clock_start(void);
int64_t clock_us(const struct timespec *t);
int64_t now_us(void);

/* ---- upstream.c: a model server that sends tokens at a steady pace ------- */

struct upstream {
    /* Shared with its process. */
    atomic_int port;
    atomic_int finish; /* answers are to end */
    atomic_uint_fast64_t sent;
    atomic_uint counts[TURNS_MAX + WARM]; /* tokens of a turn */
    /* Written by this process only. */
    pid_t pid;
};
struct upstream *upstream_start(int tokens_per_second);
void upstream_stop(struct upstream *u); /* NULL is fine */

/* ---- child.c: the server ------------------------------------------------- */

struct child {
    pid_t pid;
    int port;
};
struct setup {
    const char *name; /* of its folder and database */
    bool postgres, relaxed;
    int upstream_port;
};
/* The server chooses its port and prints it. */
void child_start(const struct bench *b, const struct setup *s,
                 struct child *out);
void child_stop(struct child *c);                  /* and waits */
int64_t child_memory_bytes(const struct child *c); /* its own, resident */
/* How long its threads have waited for a core so far. */
int64_t child_waited_us(const struct child *c);

/* ---- fetch.c: one request at a time ------------------------------------- */

/* GET, and POST of JSON; the body is valid until the next call. */
const char *fetch(int port, const char *path);
const char *post(int port, const char *path, const char *body);

/* ---- viewers.c: clients that watch turns --------------------------------- */

struct delays {
    uint64_t n, over;  /* over: longer than the last bucket */
    uint32_t *buckets; /* of DELAY_STEP_US */
};
enum { DELAY_STEP_US = 10, DELAY_BUCKETS = 500000 };
double delays_ms(const struct delays *d, double quantile);

struct viewers;
/* Of turns with numbers from `first` on. */
struct viewers *viewers_open(int port, size_t first, size_t turns);
void viewers_close(struct viewers *v);
/* Asks for every turn and waits for its first token. */
void viewers_begin(struct viewers *v);
/* Watches for a while; the delays of all tokens of that time are added. */
void viewers_watch(struct viewers *v, double seconds, struct delays *d);
void viewers_leave(struct viewers *v); /* every second one */
/* Waits until all viewers that stayed have seen the end. */
void viewers_end(struct viewers *v);
/* How many of the tokens that were sent no viewer saw; those of turns without a
 * viewer are searched for in the history. */
uint64_t viewers_lost(struct viewers *v, const atomic_uint *sent);
/* The numbers of tokens in a text, one after another from *next on; gaps are
 * counted.  `each` may be NULL. */
typedef void token_fn(void *arg, int64_t sent_us);
uint64_t tokens_read(const char *p, const char *end, uint64_t *next,
                     token_fn *each, void *arg);

/* ---- measure.c ----------------------------------------------------------- */

/* All loads on one engine with one durability. */
void measure(const struct bench *b, bool postgres, bool relaxed);

#endif
