/* whole.h - a session with all that it has, on its way out or in.  Any thread.
 *
 * It is what is stored, not what is shown: all branches, nothing lent from
 * question to answer, nothing that comes from elsewhere.  What its reader may
 * not see is left out all the same.  What was read can be written to another
 * store, and reads as the same there. */
#ifndef STORE_SESSION_WHOLE_H
#define STORE_SESSION_WHOLE_H
#include "store/answer/event.h"
#include "store/session/message.h"

enum {
    WHOLE_MESSAGES_MAX = 20000,
    WHOLE_EVENTS_MAX = 20000,
    WHOLE_SPANS_MAX = 1000, /* of one source */
    WHOLE_VERDICTS_MAX = 16 /* records of one message */
};

struct whole {
    struct str id, title, course;
    struct str course_title; /* of a course that writing makes */
    int64_t created_ms, active_ms;
    /* By age.  Each has its parent, `shown` and late_from; its digest is that
     * of what stands here.  Writing: one with a digest is compared with it;
     * verdicts are packed, and where they are NULL nobody says whether there
     * are any. */
    const struct message *messages;
    size_t messages_n;
    /* Oldest first: user_message, answer, and numbers as a JSON array. */
    const struct event *events;
    size_t events_n;
};

/* An answer that runs is read as if it had been interrupted just now. */
struct whole_read {
    struct str session;
    struct whole whole; /* out */
};
STORE_OP(whole_read);

/* Makes the session, all or nothing.  CONFLICT: it is there, or one of its
 * messages is; NOTFOUND: it was deleted, or its course is not the asker's.
 * INVALID, with its place as the field, for what no session can be. */
struct whole_write {
    const struct whole *whole;
    /* Whoever brings it may speak for the judges: verdicts that fit their
     * message are kept as they are, and none stay none.  Else only those are
     * that judging the words again confirms. */
    bool trusted;
    bool dry;                        /* nothing is kept: the call fails, ... */
    bool taken_back;                 /* out: ... and this says that it would
                                        not have */
    struct prepared_whole *prepared; /* inner */
};
STORE_OP(whole_write);

#endif
