/* target.h - where `footnote ingest` puts documents.  One thread.
 *
 * The data folder itself when no server has it, else the server that has it,
 * or the one that was named. */
#ifndef CLI_INGEST_TARGET_H
#define CLI_INGEST_TARGET_H
#include "cli/cli.h"
#include "cli/ingest/plan.h"
#include "store/document/document.h"
#include "store/store.h"

struct target;
struct target_put {
    char id[STORE_ID_BYTES_MAX + 1]; /* the document's */
    bool same;                       /* it is there already, with these bytes */
};
struct target_state {
    enum document_status status;
    struct document_progress progress;
    int64_t pages;
    char error[512]; /* failed: why */
    char warning[512];
};

struct target_kind {
    /* Looks at what is there, for `put` to know; before each plan. */
    enum footnote_rc (*list)(struct target *t, struct footnote_err *err);
    /* INVALID, TOOBIG: of this document alone.  With `dry`, nothing is written
     * and only `same` is meant. */
    enum footnote_rc (*put)(struct target *t, const struct plan_item *item,
                            bool dry, struct target_put *out,
                            struct footnote_err *err);
    enum footnote_rc (*get_state)(struct target *t, const char *id,
                                  struct target_state *out,
                                  struct footnote_err *err);
    void (*pause)(struct target *t, int ms); /* until something may be new */
    void (*close)(struct target *t);
};
struct target {
    const struct target_kind *kind;
    int exit_code; /* what a call that failed means for the program; 0: its rc
                    */
};

struct target_options {
    struct who who;    /* of the data folder */
    struct str course; /* id or title; made when there is none */
    struct str server; /* absent: the one at the data folder, or none */
    struct str key;    /* what signs in there */
    bool dry;          /* nothing may be made */
};

/* *out is yours: target->kind->close(target), also after a failure when it is
 * there. */
enum footnote_rc target_local(struct cli *c, const struct target_options *o,
                              struct target **out, struct footnote_err *err);
enum footnote_rc target_remote(struct cli *c, const struct target_options *o,
                               struct target **out, struct footnote_err *err);
/* Whichever of them it is. */
enum footnote_rc target_open(struct cli *c, struct target_options *o,
                             struct target **out, struct footnote_err *err);

#endif
