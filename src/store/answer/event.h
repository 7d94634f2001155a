/* event.h - retrieval events: a search, and what it found.  Any thread. */
#ifndef STORE_ANSWER_EVENT_H
#define STORE_ANSWER_EVENT_H
#include "store/store.h"

struct prepared_message;
struct reference;

struct event {
    struct str id, user_message, answer, query; /* answer absent: caller's */
    struct str coverage; /* JSON: of the question, by each source; or absent */
    bool web, has_low_confidence, low_confidence;
    int64_t created_ms;
    const struct reference *sources;
    size_t sources_n;
    /* Inner: ordinals of messages, 0: none; and the sources' numbers. */
    int64_t question_seq, answer_seq;
    struct str numbers;
};
/* The event of a row of STMT_EVENTS_OF_SESSION, its texts as long as the row;
 * DAMAGED when it is not one of the session. */
enum footnote_rc event_read(struct tx *tx, int64_t session, struct db_cur *cur,
                            struct event *out, struct footnote_err *err);

/* Adds a caller's own event.  The answer that follows the user's message shows
 * it when it has no sources of its own.  An unknown user message is made as a
 * placeholder.  An id that is there writes nothing. */
struct event_add {
    struct str id; /* absent: one is made */
    struct str session, user_message, query;
    bool web, has_low_confidence, low_confidence;
    const struct reference *sources;
    size_t sources_n;
    bool made;                            /* out: false when it was there */
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the event's id */
    struct prepared_message *prepared;    /* inner */
};
STORE_OP(event_add);

struct event_list {
    struct str session;
    struct str only;      /* the event with that id; absent: all */
    struct event *events; /* out, oldest first */
    size_t events_n;
};
STORE_OP(event_list);

#endif
