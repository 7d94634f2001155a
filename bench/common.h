/* common.h - what the programs of bench/ share: words of the command line,
 * clocks, folders, databases, servers as child processes.
 *
 * A failure ends the program: a figure of half a run is none. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

__attribute__((noreturn)) void die(const char *what, const char *why);

/* Whether the word was given.  No word at all asks for what is there by
 * default; options are no words. */
bool asked(int argc, char **argv, const char *word, bool by_default);

double seconds_now(void);
double cpu_seconds_now(void);                   /* of this thread */
double median(double *v, size_t n);             /* sorts */
double quantile(double *v, size_t n, double q); /* sorts */

/* A new folder below TMPDIR; `path` has room for `size` bytes. */
void folder_make(char *path, size_t size);
void folder_remove(const char *path); /* with all that is in it */

/* One command to the server whose socket is in folder `postgres`. */
void database_do(const char *postgres, const char *sql);
/* An empty database. */
void database_make(const char *postgres, const char *name);

/* The footnote that was built beside `self`, which is argv[0]. */
void program_find(const char *self, char *path, size_t size);
/* Its stdout is *out, yours to close.  It goes with us, however we end. */
pid_t program_start(const char *const argv[], int *out);
/* The port that a footnote prints when it listens. */
int program_port(int out);
void program_stop(pid_t pid);    /* and waits; it must end well */
double program_cpu_s(pid_t pid); /* so far, all threads */

#endif
