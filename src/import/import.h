/* import.h - moves the answers of other products in, with their citations.  One
 * thread.
 *
 *     source --> load --> staged rows, by session --> read one session
 *         --> write it, all or nothing --> the next
 *
 * The source is only read.  Ids, numbers and times stay as they are, so a
 * second import of the same finds everything there and changes nothing; one
 * that was cut off is run again. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H
#include "base/sha256.h"
#include "store/store.h"

enum import_note {
    IMPORT_LEFT_OUT, /* the row, or the session, was not imported */
    IMPORT_CHANGED   /* it was, but not as it stood there */
};

struct import_counts {
    int64_t sessions;  /* placed, whether now or by an earlier import */
    int64_t unchanged; /* of them: everything was there */
    int64_t messages, sources, references, events;
    int64_t left_out, changed;
    int64_t sessions_in_source;
};

/* A session that was placed. */
struct import_session_done {
    struct str id, user;
    int64_t messages, references;
    bool made;            /* something of it was new */
    struct sha256 digest; /* docs/moving.md says of what */
};

struct import_options {
    struct store *store;
    const char *kind;
    struct str source;   /* postgres://..., a folder of files, or a file */
    struct str texts;    /* v1: a file, or "table:NAME"; absent: none */
    struct str users;    /* a file: {"their id": "ours"}; absent: as they are */
    struct str course;   /* all sessions go there; absent: into their own */
    struct who who;      /* the tenant, and the user of what names none */
    bool dry;            /* nothing is kept of what is written */
    const char *scratch; /* a folder for rows on their way */
    void (*note)(void *arg, enum import_note kind, struct str where,
                 struct str text);
    void (*session)(void *arg, const struct import_session_done *done);
    void *arg;
};

/* OK also when something was left out: counts->left_out.  INVALID: the source
 * cannot be read as this kind.  On any failure the sessions so far are kept,
 * whole. */
enum footnote_rc import_run(const struct import_options *o,
                            struct import_counts *counts,
                            struct footnote_err *err);

/* "v1, v2, ...", for people. */
const char *import_kinds(void);
bool import_kind_exists(struct str name);

#endif
