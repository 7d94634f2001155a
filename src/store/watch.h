/* watch.h - telling watchers that a document has changed. */
#ifndef STORE_WATCH_H
#define STORE_WATCH_H
#include "store/store.h"

struct store;

/* Called once for every write, when its outcome is known. */
void watch_after_write(struct store *st, struct who who,
                       const struct store_op *kind, const void *op,
                       enum footnote_rc rc);

#endif
