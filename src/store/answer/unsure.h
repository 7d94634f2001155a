/* unsure.h - an answer after a call on it whose outcome may be unknown. */
#ifndef STORE_ANSWER_UNSURE_H
#define STORE_ANSWER_UNSURE_H
#include "base/err.h"

struct store;
struct store_op;

/* Called once for every write, when its outcome is known. */
void unsure_after_write(struct store *st, const struct store_op *kind, void *op,
                        enum footnote_rc rc);
/* True when nobody holds the lease of this epoch; it is ended at *due_ms. */
bool orphan_find(struct store *st, int64_t epoch, int64_t *due_ms);
/* A holder took over the lease after all. */
void orphan_adopt(struct store *st, int64_t epoch);

#endif
