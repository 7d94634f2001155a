/* insights.h - what editors of a course may be told of how it is used.  Any
 * thread.
 *
 * Off until an editor switches it on, and every member can see whether it is.
 * What is read of a conversation here never leaves with a name. */
#ifndef STORE_READ_INSIGHTS_H
#define STORE_READ_INSIGHTS_H
#include "store/store.h"

/* NOTFOUND for whoever is no editor of the course. */
struct insights_switch {
    struct str course;
    bool on;
};
STORE_OP(insights_switch);

/* Conversations in a course, the latest first; none while it is off.  NOTFOUND
 * as above. */
struct insights_session {
    struct str owner, id;
};
struct insights_sessions {
    struct str course;
    int64_t since_ms; /* active since */
    size_t max;
    bool on;                           /* out */
    struct insights_session *sessions; /* out */
    size_t sessions_n;
};
STORE_OP(insights_sessions);

#endif
