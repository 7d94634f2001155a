/* common.h - what the programs of bench/ share: words of the command line,
 * clocks, folders, databases, servers as child processes.
 *
 * A failure ends the program: half a run gives no figure. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

__attribute__((noreturn)) void die(const char *what, const char *why);

/* Whether the word was given; without any word, `by_default`.  Options do not
 * count as words. */
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

/* The path of the footnote that was built beside argv[0], `self`. */
void program_find(const char *self, char *path, size_t size);
/* The program's stdout is *out, yours to close.  It is killed when we end. */
pid_t program_start(const char *const argv[], int *out);
/* The port that a footnote prints when it listens. */
int program_port(int out);
void program_stop(pid_t pid);    /* and waits; it must exit with 0 */
double program_cpu_s(pid_t pid); /* so far, all threads */

#endif
