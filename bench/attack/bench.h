/* bench.h - what the files of bench/attack share. */
#ifndef BENCH_ATTACK_BENCH_H
#define BENCH_ATTACK_BENCH_H
#include <stdatomic.h>

#include "../common.h"

enum { PATH_BYTES = 512, KEY_BYTES = 128 };

struct site {
    int port;
    char mallory[KEY_BYTES]; /* the key of the hostile account, a new one for
                                each attack */
    char course[32];         /* its own */
    char (*others)[KEY_BYTES];
    size_t others_n;
};

/* One request by libcurl; `curl` is a handle that keeps its connection.  The
 * status, or 0 when the connection broke. */
struct http_call {
    const char *method, *path, *key; /* key NULL: nobody */
    const char *type;                /* NULL: application/json */
    const void *body;
    size_t body_bytes;
};
long http_ask(void *curl, const struct site *s, const struct http_call *c);

/* ---- others.c: people who save, read and ask who they are -----------------
 */

enum kind { KIND_SAVE, KIND_HISTORY, KIND_ME, KINDS };

struct latencies {
    double *ms[KINDS];
    size_t n[KINDS];
};
/* Asks for `seconds` at a steady pace.  An answer that is not 2xx ends the
 * program. */
void others_ask(const struct site *s, double seconds, struct latencies *out);
void latencies_free(struct latencies *l);

/* ---- attacks.c: what one account does meanwhile ---------------------------
 */

struct attack {
    const char *name;
    /* Once, in one of `threads` threads; called again until it is over.  The
     * status that it got. */
    long (*round)(void *curl, const struct site *s, unsigned n);
    int threads;
    /* Rounds a second of all threads: as many as the limit on requests of one
     * account lets through.  0: as many as it gets. */
    int per_second;
};
extern const struct attack attacks[];
extern const size_t attacks_n;
void attacks_make(void); /* their bodies */

#endif
