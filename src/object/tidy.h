/* tidy.h - removes objects that nothing names any more.  One thread at a time,
 * beside any number of others that store and read. */
#ifndef OBJECT_TIDY_H
#define OBJECT_TIDY_H
#include "object/object.h"
#include "store/document/job.h"

/* Objects without a row are left alone for a day: an upload may be about to
 * name them. */
enum { TIDY_AGE_MS = 24 * 3600 * 1000 };

/* Those of documents that were deleted, up to 100.  *removed counts. */
enum footnote_rc tidy_deleted(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err);
/* Page pictures that no message names, a day after they came: with their
 * session gone, nobody can see them.  Their objects go by tidy_deleted(). */
enum footnote_rc tidy_unused(struct store *st, struct footnote_err *err);
/* Looks at every object for those without a row: a process was killed between
 * storing one and naming it. */
enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err);

#endif
