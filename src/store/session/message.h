/* message.h - messages with their sources, and saving them.  Any thread. */
#ifndef STORE_SESSION_MESSAGE_H
#define STORE_SESSION_MESSAGE_H
#include "cite/source.h"
#include "store/session/course.h"
#include "store/session/path.h"
#include "store/store.h"

struct prepared_message;
struct feedback;
struct verdict_record;

/* A source in a message: what [number] means there. */
struct reference {
    struct sha256 digest; /* of the source */
    uint32_t number;      /* saving, 0: the next free one */
    bool has_score;
    double score;
    /* Reading only. */
    bool cited;
    int support;               /* thousandths, -1: not measured */
    const uint32_t *spans;     /* pairs of UTF-16 offsets */
    size_t spans_n;            /* pairs */
    enum footnote_state state; /* redacted: no preview; withdrawn: nothing */
    int64_t version;           /* of its document, cited; saving, 0: the one
                                  that is searched now */
    bool late;                 /* it was found after the first text */
    int64_t key;               /* inner */
    struct source source;
};

/* Whether an answer with this status has ended; false also for a number that
 * is no status. */
bool status_is_end(enum footnote_status s);

struct message {
    struct str id, session;
    enum footnote_role role;
    enum footnote_status status;
    struct str content; /* absent: a placeholder, see message_cite */
    int64_t created_ms; /* saving, 0: now */
    bool has_low_confidence, low_confidence;
    const struct str *doc_refs, *rag_source_ids, *web_source_ids;
    size_t doc_refs_n, rag_source_ids_n, web_source_ids_n;
    bool has_image, has_image_page;
    struct str image_s3key, image_slide;
    int64_t image_page;
    struct str scope; /* of a question: what it is limited to, packed as
                         store/document/filter.h does; absent: nothing */
    const struct reference *sources; /* by number */
    size_t sources_n;
    struct str parent; /* id of the message before it; absent: none.  Saving,
                          absent: the last one that is shown; "": none */
    /* Reading only. */
    enum shown shown;       /* whether it is on the path that is shown */
    struct str replaced_by; /* of one that is not: what stands there instead */
    const struct str *versions; /* all that have its parent, by age; only when
                                   there are others */
    size_t versions_n;
    struct str failure;
    struct str model;                      /* that wrote it; absent: not said */
    int64_t tokens_in, tokens_out;         /* -1: nobody counted */
    const struct verdict_record *verdicts; /* the newest of each judge */
    size_t verdicts_n;
    const uint32_t *unknown; /* numbers in the text that no source has,
                                ascending; the first of them */
    size_t unknown_n;
    const struct feedback *feedback; /* what its reader says of it */
    size_t feedback_n;
    bool has_digest; /* running ones and placeholders have none */
    struct sha256 digest;
    /* Inner. */
    int64_t seq, parent_seq, replaced_seq, late_from;
    int64_t front_seq; /* of what it speaks to; 0: found by parents */
    bool said_confidence, said_ids; /* by the caller, not by events */
};

/* Whether its reader may no longer see one of its sources. */
static inline bool message_withholds(const struct message *m)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].state == FOOTNOTE_WITHDRAWN)
            return true;
    return false;
}

/* Saves a message with its sources, all or nothing, and shows the path to it;
 * an unknown session is made.  A repeat with the same content is OK and writes
 * nothing; other content is CONFLICT.  A repeated source keeps its first
 * number.  Finds the markers of an assistant's text and measures their support.
 * Status STREAMING opens an answer that answer_append and _finish go on with.
 */
struct message_save {
    struct message message; /* id absent: one is made */
    struct str course;      /* of the session.  CONFLICT: it is in another */
    enum member_role share; /* of everybody, in a course that this makes */
    struct str digest;      /* in hex: INVALID when a new one has another */
    bool made;              /* out: false when it was there */
    uint32_t *numbers;      /* out, may be NULL: one per source */
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the id */
    struct prepared_message *prepared;    /* inner */
};
STORE_OP(message_save);

/* Adds sources.  A message that is not there is made as a placeholder, in
 * `session`; a later message_save fills it.  A running answer takes them as
 * well. */
struct message_cite {
    struct str message, session; /* session: may be absent when it is there */
    const struct reference *sources;
    size_t sources_n;
    uint32_t *numbers;                 /* out, may be NULL: one per source */
    struct prepared_message *prepared; /* inner */
};
STORE_OP(message_cite);

#endif
