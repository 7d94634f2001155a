/* feedback.h - what the reader of an answer says of it.  Any thread.
 *
 * It is the reader's own: a session has one, so no answer is judged twice by
 * the same person, however often they say it. */
#ifndef STORE_SESSION_FEEDBACK_H
#define STORE_SESSION_FEEDBACK_H
#include "store/store.h"

enum { FEEDBACK_MAX = 64, FEEDBACK_NOTE_BYTES_MAX = 1000 };

/* Stored: they only grow. */
enum feedback_rating {
    FEEDBACK_NONE,
    FEEDBACK_GOOD,
    FEEDBACK_BAD,
    FEEDBACK_NOT_TRUE,
    FEEDBACK_WRONG_SOURCE,
    FEEDBACK_NOT_ASKED,
    FEEDBACK_MISSING
};

struct feedback {
    uint32_t number; /* of a source; 0: the whole answer */
    enum feedback_rating rating;
    int64_t at_ms;
    struct str note; /* absent: none */
};

/* As it is stored, by number; absent when there is none. */
enum footnote_rc feedback_pack(struct arena *a, const struct feedback *list,
                               size_t n, struct str *out,
                               struct footnote_err *err);
/* DAMAGED when it is not of this form. */
enum footnote_rc feedback_unpack(struct arena *a, struct str packed,
                                 const struct feedback **out, size_t *n,
                                 struct footnote_err *err);
/* Of what comes from elsewhere. */
enum footnote_rc feedback_check(const struct feedback *list, size_t n,
                                struct footnote_err *err);

/* Says something of an answer or of one of its numbers, in place of what was
 * said of that before; FEEDBACK_NONE takes it back.  INVALID for what is no
 * answer that has ended, and a number that it has not. */
struct feedback_put {
    struct str id; /* of the message */
    struct feedback one;
};
STORE_OP(feedback_put);

#endif
