/* jail.h - runs a program on bytes that nobody trusts.  Any thread; it waits.
 *
 *     caller                         child
 *     jail_run() ---- fork --------> own session, nothing inherited
 *         |                          namespaces, an empty root   if allowed
 *         |                          Landlock: read /usr only    if allowed
 *         |                          limits, then the filter     always
 *         | <--- stdout, in order -- exec, once
 *         v
 *     struct jail_end                killed with the caller, whatever happens
 *
 * What always holds: no socket, no second program, no new process, no file
 * opened for writing, an empty environment, and limits on time, CPU, memory
 * and output.  A machine on which that cannot be had runs nothing.  What holds
 * where the kernel lets us: networks and files of the machine do not exist.
 * docs/adr/0008-jail.md has the reasons. */
#ifndef INGEST_JAIL_JAIL_H
#define INGEST_JAIL_JAIL_H
#include "base/err.h"
#include "base/str.h"

enum {
    JAIL_ARGS = 24,          /* words of a command */
    JAIL_ERROR_BYTES = 1024, /* bytes of stderr that are kept */
};

/* Gets the program's output as it comes, in order.  A failure ends the program
 * and is what jail_run() returns. */
typedef enum footnote_rc jail_output(struct str bytes, void *arg,
                                     struct footnote_err *err);

struct jail_job {
    const char *const *argv; /* ends with NULL; argv[0] is an absolute path */
    /* Becomes stdin, from its first byte; -1 is an empty one.  The offset is
     * the program's while it runs: two jobs need two open files. */
    int input;
    int64_t wall_ms_max, cpu_s_max;
    size_t memory_bytes_max, output_bytes_max;
    jail_output *output;
    void *arg;
};

enum jail_how {
    JAIL_EXITED, /* by itself; `status` says how */
    JAIL_DIED,   /* by a signal, `status`: a crash, or the filter */
    JAIL_CPU,    /* used its processor time up */
    JAIL_TIME,   /* was killed when its time was over */
    JAIL_OUTPUT, /* was killed when it wrote more than it may */
};

struct jail_end {
    enum jail_how how;
    int status;
    size_t output_bytes;                 /* handed to `output` */
    char error_output[JAIL_ERROR_BYTES]; /* the start of stderr, NUL-terminated
                                          */
};

/* Runs it to its end, and leaves no process behind.  OK means that the program
 * ran: *end says how it ended.  Anything else is about us, or `output`. */
enum footnote_rc jail_run(const struct jail_job *job, struct jail_end *end,
                          struct footnote_err *err);

#endif
