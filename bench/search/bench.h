/* bench.h - what the files of bench/search share.
 *
 * A failure ends the program: half a run gives no figure. */
#ifndef BENCH_SEARCH_BENCH_H
#define BENCH_SEARCH_BENCH_H
#include <stdbool.h>

#include "../common.h"
#include "text.h"

enum { QUESTIONS = 2000, SLOW_QUESTIONS = 100 };

static inline void must(bool ok, const char *what)
{
    if (!ok)
        die("search", what);
}
double cpu_ms(void); /* of this thread */

struct times {
    double ms[QUESTIONS];
    size_t n;
};
/* One line; returns p50. */
double times_print(const char *what, struct times *t, const char *wanted);

/* The passage that question k is about; they are spread over all. */
uint32_t asked_about(uint32_t k, uint32_t passages);

/* ---- The measurements; the others beside ours return their p50. ---------- */

double measure_fts(struct text *t, uint32_t passages);
/* One backend of the PostgreSQL whose socket is in folder `postgres`. */
void measure_postgres(const char *postgres, struct text *t, uint32_t passages);
/* A server over HTTP, whose `program` serves a store with so many passages:
 * by words alone, then with a vector for each of them. */
void measure_http(const char *program, struct text *t, uint32_t passages);
/* The nearest of n vectors alone. */
void measure_vectors(size_t n);

/* ---- For measure_http ---------------------------------------------------- */

/* A store with course "c" in a data folder. */
void fill_store(const char *folder, struct text *t, uint32_t passages);
/* Vectors of MODEL for all its passages. */
#define MODEL "cloud"
void fill_vectors(const char *folder, uint32_t passages);

/* Returns its port on loopback; it lives as long as we do. */
int embedder_start(uint32_t passages);
size_t embedder_asked(void); /* so far */

#endif
