/* program.h - the real program in a process of its own, and clients of it.
 *
 * The program is the one that was built with this test.  Whatever fails here
 * fails the test. */
#ifndef FAULT_PROGRAM_H
#define FAULT_PROGRAM_H
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"

enum { PROGRAM_WORDS_MAX = 16 };

struct program {
    const char *database;                   /* a URL */
    const char *model_url;                  /* without /v1 */
    const char *before[PROGRAM_WORDS_MAX];  /* words before it, as strace */
    const char *options[PROGRAM_WORDS_MAX]; /* more of its own, with values */
    pid_t pid;
    int port;
};
/* Starts it and waits until it listens. */
void program_start(struct program *p);
/* Sends the signal and waits for the end; how it ended, as of waitpid(). */
int program_end(struct program *p, int signal);

/* The status, and the body in `a`. */
int program_ask(const struct program *p, struct arena *a, const char *method,
                const char *path, struct str body, struct str *out);

/* A client of a stream that reads when it is told to. */
struct watcher {
    int fd;
    struct buf in; /* all that came, with head and chunks */
    bool ended;
};
void watcher_open(struct watcher *w, const struct program *p,
                  const char *method, const char *path, struct str body);
/* Reads what there is; false when nothing came within `ms`. */
bool watchers_read(struct watcher *w, size_t n, int ms);
void watcher_reset(struct watcher *w); /* goes without a farewell */
void watcher_close(struct watcher *w);
/* The body so far, without head and chunks, in `a`. */
struct str watcher_body(const struct watcher *w, struct arena *a);

#endif
