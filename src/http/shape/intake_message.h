/* intake_message.h - the body of POST /api/sessions/{id}/messages. */
#ifndef HTTP_SHAPE_INTAKE_MESSAGE_H
#define HTTP_SHAPE_INTAKE_MESSAGE_H
#include "http/shape/intake.h"
#include "store/session/message.h"

struct message_in {
    struct message m;
    struct str course, share; /* of its session */
    struct str digest;        /* its hex digits, or absent */
    bool has_time;            /* it says when it was made, as what was read */
    /* Inner. */
    struct str role, type, status;
    int64_t timestamp_ms;
    struct texts doc_refs, rag_ids, web_ids;
    const struct json *sources, *citations, *image;
};

/* Compares what a client sent with what is stored, as it would be read: all
 * that was said, or what only we set.  A value that is null or left out was not
 * said. */
enum as_shown { SHOWN_ALL, SHOWN_OURS };
/* False, with in->problem set to a 409 that names the field. */
bool intake_is_shown(struct intake *in, const struct json *body,
                     const struct message *stored, enum as_shown which);

#endif
