/* scope.h - what a question is limited to, as clients write and read it.  Any
 * thread. */
#ifndef HTTP_SHAPE_SCOPE_H
#define HTTP_SHAPE_SCOPE_H
#include "http/shape/intake.h"
#include "store/document/filter.h"

/* {documentIds, kinds, dateFrom, dateTo, changedSince, courseId}: a field that
 * is not known is refused, since passing over it would widen a question.  False
 * with in->problem set. */
bool intake_scope(struct intake *in, const struct json_place *at,
                  const struct json *o, struct search_filter *out);
/* Adds a kind by its word; false when there is none of that word. */
bool scope_add_kind(struct search_filter *f, struct str word);
/* A time, or a day, which begins at midnight of UTC. */
bool scope_set_changed(struct search_filter *f, struct str text);

/* The same of a message's `scope`, or null. */
void shape_scope(struct buf *b, struct str packed);

#endif
