/* session_op.h - one session as one operation of the store: all of it or
 * nothing. */
#ifndef IMPORT_SESSION_OP_H
#define IMPORT_SESSION_OP_H
#include "import/kind.h"
#include "store/session/course.h"
#include "store/session/session.h"

struct session_import {
    const struct import_session *s;
    struct arena *a; /* of the session; nobody else's while it is written */
    bool dry;
    struct session_put show;
    struct message_save *saves; /* of each message with a text ... */
    struct message_cite *cites; /* ... or without */
    /* Called when all is prepared that needs no database. */
    void (*prepared)(void *arg);
    void *arg;
    bool made;              /* out: something of it was new */
    bool taken_back;        /* out: a dry run came to its end */
    struct sha256 digest;   /* out */
    struct sha256 *sources; /* out: digests */
    size_t sources_n, sources_max;
};
STORE_OP(session_import);

/* *op borrows all of *s, and is in im->a. */
enum footnote_rc session_op_fill(struct import *im, struct import_session *s,
                                 struct session_import *op,
                                 struct footnote_err *err);

/* What is to be done before a session, so that its user may read its course. */
struct course_entry {
    const struct store_op *kind; /* NULL: nothing */
    struct who who;
    union {
        struct course_put make;
        struct member_put member;
    };
};
enum footnote_rc session_enter_course(struct import *im, struct str course,
                                      struct who who, struct course_entry *out,
                                      struct footnote_err *err);

#endif
