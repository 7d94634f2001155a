/* tidy.h - removes objects that no row names.  One thread at a time, while any
 * number of others store and read. */
#ifndef OBJECT_TIDY_H
#define OBJECT_TIDY_H
#include "object/object.h"
#include "store/document/job.h"

/* Objects without a row are left alone for a day: an upload may be about to
 * name them. */
enum { TIDY_AGE_MS = 24 * 3600 * 1000 };

/* Removes up to 100 objects of deleted documents, and adds to *removed. */
enum footnote_rc tidy_deleted(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err);
/* Marks page pictures as deleted that no message names, a day after they came:
 * their session is gone, so nobody can see them.  tidy_deleted() removes them.
 */
enum footnote_rc tidy_unused(struct store *st, struct footnote_err *err);
/* Removes objects without a row, which a process leaves that is killed between
 * storing one and naming it. */
enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err);

#endif
