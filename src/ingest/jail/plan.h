/* plan.h - what the two sides of a jail share, for jail*.c only.
 *
 * In a process with threads, a forked child may call async-signal-safe
 * functions only: no malloc, no stdio.  So everything is prepared before the
 * fork (plan.c), and the child (child.c) only carries it out. */
#ifndef INGEST_JAIL_PLAN_H
#define INGEST_JAIL_PLAN_H
#include "ingest/jail/jail.h"
#include <linux/filter.h>
#include <sys/types.h>

enum {
    JAIL_NOBODY = 65534,
    JAIL_FILES = 32,        /* open files of the program */
    JAIL_FILTER_MAX = 4096, /* instructions; the kernel's own limit */
    /* Descriptors of the child; the first three are the usual ones. */
    JAIL_FD_REPORT = 3, /* closed by exec; before that, struct jail_report */
    JAIL_FD_PROGRAM = 4,
    JAIL_FD_RULES = 5,
    JAIL_FD_REST = 6,
};

/* The required steps, to tell which one failed. */
enum jail_step {
    JAIL_STEP_NONE,
    JAIL_STEP_FILES,
    JAIL_STEP_LIMITS,
    JAIL_STEP_USER,
    JAIL_STEP_PARENT,
    JAIL_STEP_FILTER,
    JAIL_STEP_EXEC,
};

struct jail_report {
    enum jail_step step; /* that failed; none: it goes on to the exec */
    int error;
    unsigned layers;
};

/* The arguments of the one exec, at a random address.  The filter allows an
 * exec with exactly these addresses.  Afterwards the memory is gone, and the
 * program cannot know where it was. */
struct jail_secret {
    const char *argv[JAIL_ARGS + 1];
    const char *envp[2];
    char path[1]; /* empty: the program is a descriptor */
};

struct jail_plan {
    const struct jail_job *job;
    unsigned char *room; /* a large mapping that holds the secret somewhere */
    struct jail_secret *secret;
    struct sock_filter *filter;
    unsigned short filter_n;
    pid_t parent;
    uid_t uid;
    char uid_map[48], gid_map[48];
    char root_options[48]; /* of the root in memory */
    int program;           /* to be executed */
    int rules;             /* Landlock's, or -1 */
    int input, output, error_output, report;
};

/* Prepares all but the pipes.  *p is freed with jail_plan_free() also when
 * this fails. */
enum footnote_rc jail_plan_init(struct jail_plan *p, const struct jail_job *job,
                                struct footnote_err *err);
void jail_plan_free(struct jail_plan *p); /* fit for AUTO */

/* The child, from fork to exec. */
_Noreturn void jail_child(const struct jail_plan *p);

/* Absolute paths of folders and files that programs may read; ends with NULL.
 * They need not exist. */
extern const char *const jail_readable[];

#endif
