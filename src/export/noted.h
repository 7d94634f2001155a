/* noted.h - what readers of an answer are told of its verdicts: nothing of what
 * is carried, a note for each other sentence.  Any thread. */
#ifndef EXPORT_NOTED_H
#define EXPORT_NOTED_H
#include "store/session/message.h"
#include "store/source/verdicts.h"

/* A sentence that is not carried; texts are one line each. */
struct noted {
    struct str sentence; /* cut */
    struct str why;      /* "contradicts [2]: 1971" */
};
/* Those of one judge, in the order of the text; *out lives in `a`. */
enum footnote_rc noted_sentences(struct arena *a, const struct message *m,
                                 const struct verdict_record *r,
                                 struct noted **out, size_t *n,
                                 struct footnote_err *err);
/* "1 of 4 sentences carried by the words of their sources; not these:"  A model
 * is named first, through `escaped`: it is not our measure. */
void noted_head(struct buf *b, const struct verdict_record *r,
                void (*escaped)(struct buf *b, struct str s));

#endif
