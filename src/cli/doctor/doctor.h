/* doctor.h - what the checks of `footnote doctor` share.  One thread.
 *
 * A check is a function that looks at one thing and reports a line or more.  It
 * never fails: what keeps it from looking is a line, too.  No line has a
 * secret. */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H
#include "cli/cli.h"
#include "cli/progress.h"

enum {
    DOCTOR_WAIT_MS = 10000,  /* for another server's answer */
    DOCTOR_MODEL_MS = 30000, /* for a model's first word */
    DOCTOR_NAMED_MAX = 10    /* damaged things that are named one by one */
};

enum doctor_grade {
    DOCTOR_OK,
    DOCTOR_MENDED,  /* by --repair: it was wrong */
    DOCTOR_SKIPPED, /* it cannot be looked at, or there is none */
    DOCTOR_WARNING,
    DOCTOR_BAD
};

struct doctor;
struct doctor_check {
    const char *name;
    void (*run)(struct doctor *d);
    bool needs_store;
    bool reads_all; /* left out by --quick */
};
extern const struct doctor_check doctor_checks[];
extern const size_t doctor_checks_n;

struct doctor_line {
    const char *check;
    enum doctor_grade grade;
    struct str text, mend; /* mend absent: nothing is to be done */
};

struct doctor {
    struct cli *c;
    bool repair, quick;
    bool has_folder;      /* the data folder is there, and we are its owner */
    struct str server;    /* that has the folder; absent: none runs */
    struct store *store;  /* only for reading; NULL: it cannot be opened */
    struct store *writer; /* for --repair, by doctor_writer() */
    const struct doctor_check *check; /* that runs */
    struct doctor_line *lines;
    size_t lines_n;
    int code; /* the exit code so far */
    struct progress progress;
};

struct jail_end;
/* Reads a page as a server does: this program, in the jail. */
enum footnote_rc doctor_run_jail(struct jail_end *end,
                                 struct footnote_err *err);

/* One line of the report.  `mend` is a command or a step, NULL: there is none.
 * The exit code of all is that of the worst: damaged, then wrong settings, then
 * unreachable, then failed. */
void doctor_ok(struct doctor *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void doctor_mended(struct doctor *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void doctor_skipped(struct doctor *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void doctor_warning(struct doctor *d, const char *mend, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void doctor_bad(struct doctor *d, int code, const char *mend,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A bad line for a failure that kept a check from looking. */
void doctor_failed(struct doctor *d, const struct footnote_err *err);

/* How far a long check is: at most a line every few seconds, on stderr. */
void doctor_progress(struct doctor *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The store for writing; NULL after it has reported why it cannot be. */
struct store *doctor_writer(struct doctor *d);

/* ---- The checks ---------------------------------------------------------- */

/* machine.c */
void check_settings(struct doctor *d);
void check_disk(struct doctor *d);
void check_clock(struct doctor *d);
/* reading.c */
void check_jail(struct doctor *d);
void check_pdf(struct doctor *d);
/* database.c: also opens d->store */
void check_database(struct doctor *d);
/* rows.c */
void check_rows(struct doctor *d);
/* derived.c */
void check_way_back(struct doctor *d);
void check_usage(struct doctor *d);
void check_index(struct doctor *d);
/* files.c */
void check_objects(struct doctor *d);
void check_storage(struct doctor *d);
/* outside.c */
void check_models(struct doctor *d);
void check_embeddings(struct doctor *d);
void check_jwks(struct doctor *d);
void check_public_url(struct doctor *d);

/* healthz.c: for a container's HEALTHCHECK; the exit code. */
int doctor_healthz(struct cli *c);

#endif
