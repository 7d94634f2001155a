/* tidy.h - removes objects that no row names.  One thread at a time, while any
 * number of others store and read. */
#ifndef OBJECT_TIDY_H
#define OBJECT_TIDY_H
#include "object/object.h"
#include "store/document/job.h"

/* Objects without a row are left alone for a day: an upload may be about to
 * name them.  Then they are set aside, and removed a week later if there is
 * still no row. */
enum { TIDY_AGE_MS = 24 * 3600 * 1000, TIDY_ASIDE_MS = 7 * TIDY_AGE_MS };

/* All of this is FOREIGN, and nothing is done, when the place belongs to
 * another store. */

struct tidied {
    int64_t removed, aside, put_back;
};

/* Removes up to 100 objects of deleted documents, and adds to `done`. */
enum footnote_rc tidy_deleted(struct store *st, struct objects *o,
                              struct tidied *done, struct footnote_err *err);
/* Marks page pictures as deleted that no message names, a day after they came:
 * their session is gone, so nobody can see them.  tidy_deleted() removes them.
 */
enum footnote_rc tidy_unused(struct store *st, struct footnote_err *err);
/* Looks at every object: sets those without a row aside, which a process leaves
 * that is killed between storing one and naming it; removes those that have
 * been aside for a week; puts back what got a row. */
enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              struct tidied *done, struct footnote_err *err);

#endif
