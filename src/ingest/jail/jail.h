/* jail.h - runs a program on bytes that nobody trusts.  Any thread; it waits.
 *
 *     caller                         child
 *     jail_run() ---- fork --------> own session, nothing inherited
 *         |                          namespaces, an empty root   if allowed
 *         |                          Landlock: read /usr only    if allowed
 *         |                          limits, then the filter     always
 *         | <--- stdout, in order -- exec, once
 *         v
 *     struct jail_end                killed when the caller dies
 *
 * On every machine the program has no socket, no second program, no new
 * process, no file opened for writing, an environment of one setting at most,
 * and limits on time, CPU, memory and output; where one of these fails, nothing
 * is run. Where the kernel allows it, it sees neither network nor files of the
 * machine. docs/adr/0008-jail.md has the reasons. */
#ifndef INGEST_JAIL_JAIL_H
#define INGEST_JAIL_JAIL_H
#include "base/err.h"

enum {
    JAIL_ARGS = 24,          /* words of a command */
    JAIL_ERROR_BYTES = 1024, /* bytes of stderr that are kept */
    JAIL_LOOK_MS = 100,      /* between two calls of `goes_on` */
};

/* Gets the program's output as it comes, in order.  A code that is not OK kills
 * the program, and jail_run() returns it. */
typedef enum footnote_rc jail_output(struct str bytes, void *arg,
                                     struct footnote_err *err);

/* Says every JAIL_LOOK_MS whether the program is to go on, also while it is
 * silent.  A code that is not OK kills it, and jail_run() returns it. */
typedef enum footnote_rc jail_goes_on(void *arg, struct footnote_err *err);

struct jail_job {
    const char *const *argv; /* ends with NULL; argv[0] is an absolute path */
    /* Becomes stdin, from its first byte; -1 is an empty one.  The offset is
     * the program's while it runs: two jobs need two open files. */
    int input;
    /* The program may open it by the name /dev/stdin, too: a copy in memory
     * where it has a root of its own, else the file. */
    bool input_is_file;
    const char *setting; /* "NAME=value", all of its environment, or NULL */
    int64_t wall_ms_max, cpu_s_max;
    size_t memory_bytes_max, output_bytes_max;
    jail_output *output;
    jail_goes_on *goes_on; /* NULL: to its end */
    void *arg;             /* of both */
};

/* What the kernel allowed beyond what is required, as bits. */
enum jail_layer {
    JAIL_LAYER_NAMESPACES = 1, /* no network of the machine */
    JAIL_LAYER_ROOT = 2,       /* no files of it */
    JAIL_LAYER_RULES = 4,      /* Landlock */
};

enum jail_how {
    JAIL_EXITED, /* by itself; `status` says how */
    JAIL_DIED,   /* by a signal, `status`: a crash, or the filter */
    JAIL_CPU,    /* used its processor time up; whoever kills it first, or for
                    want of memory, makes it JAIL_DIED */
    JAIL_TIME,   /* killed: out of time */
    JAIL_OUTPUT, /* killed: too much output */
};

struct jail_end {
    enum jail_how how;
    int status;
    unsigned layers;                     /* jail_layer bits */
    size_t output_bytes;                 /* handed to `output` */
    char error_output[JAIL_ERROR_BYTES]; /* the start of stderr, NUL-terminated
                                          */
};

/* The path of the first program of that name in PATH, or in /usr/bin.  False
 * when there is none.  Its libraries must be below /usr or /lib. */
enum { JAIL_PATH_BYTES = 512 };
bool jail_find(const char *name, char out[JAIL_PATH_BYTES]);

/* Runs the program to its end, and leaves no process behind.  OK means that it
 * ran: *end says how it ended.  Other codes are our own failures, or the code
 * of `output`. */
enum footnote_rc jail_run(const struct jail_job *job, struct jail_end *end,
                          struct footnote_err *err);

#endif
