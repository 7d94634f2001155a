/* walk.h - objects and rows, one by one.  One thread, while others store. */
#ifndef OBJECT_WALK_H
#define OBJECT_WALK_H
#include "object/object.h"
#include "store/store.h"

/* Calls fn for every object that a row names; a code that is not OK ends the
 * walk. */
typedef enum footnote_rc object_row_fn(void *arg, const struct object *o,
                                       struct footnote_err *err);
enum footnote_rc object_each_row(struct store *st, object_row_fn *fn, void *arg,
                                 struct footnote_err *err);
/* Reads all of an object: NOTFOUND, or DAMAGED when it is not as its row says.
 */
enum footnote_rc object_verify(struct objects *objects, const struct object *o,
                               struct footnote_err *err);

/* How many objects no row names, of those that have been there for a while. */
enum footnote_rc object_count_unknown(struct store *st, struct objects *o,
                                      int64_t *unknown,
                                      struct footnote_err *err);

#endif
