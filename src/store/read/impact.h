/* impact.h - what becomes of answers when a document goes.  Any thread. */
#ifndef STORE_READ_IMPACT_H
#define STORE_READ_IMPACT_H
#include "store/store.h"

/* Each counts once, however many of its sources are of the document. */
struct impact_counts {
    size_t answers; /* that change their state */
    size_t cited;   /* of these, answers whose text cites it */
};
struct impact_answer {
    struct str session, message;
    bool cited;
    bool deleted, replaced; /* whether it changes its state then */
};

/* Which answers read another state of their sources when the document is
 * deleted, or a new version takes its place.  Editors of its course are told
 * all counts, others those of their own answers; answers are listed to whom
 * they belong.  What is redacted stays so, and counts for nothing. */
enum { IMPACT_REFERENCES_MAX = 100000 };
struct document_impact {
    struct str document, course; /* course: may be absent */
    size_t limit;                /* of the list */
    struct str title;            /* out, as all that follows */
    int64_t version;             /* that is searched */
    size_t sessions;
    struct impact_counts deleted, replaced;
    bool complete; /* false: only IMPACT_REFERENCES_MAX were looked at */
    struct impact_answer *list; /* the asker's own */
    size_t list_n;
    bool list_more;
};
STORE_OP(document_impact);

#endif
