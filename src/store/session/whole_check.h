/* whole_check.h - what can be told of a session that comes from elsewhere
 * before the database is asked.  Any thread. */
#ifndef STORE_SESSION_WHOLE_CHECK_H
#define STORE_SESSION_WHOLE_CHECK_H
#include "store/session/whole.h"
#include "store/source/reference.h"
#include "store/source/verdicts.h"

/* One of its messages, ready to be stored. */
struct whole_message {
    struct new_references refs; /* by number */
    struct sha256 digest, saved;
    int64_t parent;
    struct verdict_record *verdicts; /* packed */
    size_t verdicts_n;
};
/* One of its searches. */
struct whole_event {
    int64_t question, answer; /* ordinals; answer 0: none */
};
struct prepared_whole {
    struct whole_message *messages;
    struct whole_event *events;
};

/* INVALID or TOOBIG, with the place as the field: "messages/3/parentId". */
enum footnote_rc whole_check(struct tx *tx, const struct whole *w, bool trusted,
                             struct prepared_whole **out,
                             struct footnote_err *err);

#endif
