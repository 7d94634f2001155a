/* target.h - where `footnote ingest` puts documents.  One thread.
 *
 * The target is the server of --server, else the server that has the data
 * folder, else the folder itself. */
#ifndef CLI_INGEST_TARGET_H
#define CLI_INGEST_TARGET_H
#include "cli/cli.h"
#include "cli/ingest/plan.h"
#include "store/document/document.h"

struct target;
struct target_put {
    char id[STORE_ID_BYTES_MAX + 1]; /* the document's */
    bool same; /* the course has it already, with these bytes */
};
struct target_state {
    enum document_status status;
    struct document_progress progress;
    int64_t pages;
    char error[512]; /* "" unless it failed */
    char warning[512];
};

struct target_kind {
    /* Lists the course's documents for `put`; called before each plan. */
    enum footnote_rc (*list)(struct target *t, struct footnote_err *err);
    /* INVALID, TOOBIG, CONFLICT concern this document alone.  With `dry`,
     * nothing is written and only out->same is set. */
    enum footnote_rc (*put)(struct target *t, const struct plan_item *item,
                            bool dry, struct target_put *out,
                            struct footnote_err *err);
    enum footnote_rc (*get_state)(struct target *t, const char *id,
                                  struct target_state *out,
                                  struct footnote_err *err);
    void (*pause)(struct target *t, int ms); /* between two get_state */
    void (*close)(struct target *t);
};
struct target {
    const struct target_kind *kind;
    int exit_code; /* after a failure; 0: by its rc */
};

struct target_options {
    struct who who;    /* of the data folder */
    struct str course; /* id or title; made when there is none */
    struct str server; /* absent: the one that has the data folder, if any */
    struct str key;    /* for the server */
    bool dry;          /* write nothing */
};

/* *out is yours: target->kind->close(target), after a failure too unless it is
 * NULL. */
enum footnote_rc target_local(struct cli *c, const struct target_options *o,
                              struct target **out, struct footnote_err *err);
enum footnote_rc target_remote(struct cli *c, const struct target_options *o,
                               struct target **out, struct footnote_err *err);
/* Opens one of the two. */
enum footnote_rc target_open(struct cli *c, struct target_options *o,
                             struct target **out, struct footnote_err *err);

#endif
