/* watch.h - waits until something below a folder has changed.  One thread. */
#ifndef CLI_INGEST_WATCH_H
#define CLI_INGEST_WATCH_H
#include "base/err.h"

enum {
    WATCH_SETTLE_MS = 500,    /* without changes: the files are complete */
    WATCH_PATIENCE_MS = 10000 /* longest wait while changes go on */
};

struct watch;

/* *out is yours: watch_close().  It watches nothing yet. */
enum footnote_rc watch_open(struct watch **out, struct footnote_err *err);
void watch_close(struct watch *w); /* NULL is fine */

/* Watches the folder and all below it, without names that begin with a dot and
 * without links.  Call it again before each plan: it adds new folders. */
enum footnote_rc watch_add(struct watch *w, const char *folder,
                           struct footnote_err *err);
/* Returns when something has changed since the last call, after
 * WATCH_SETTLE_MS without changes or WATCH_PATIENCE_MS. */
enum footnote_rc watch_wait(struct watch *w, struct footnote_err *err);

#endif
