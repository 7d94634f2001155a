/* watch.h - waits until something below a folder has changed.  One thread. */
#ifndef CLI_INGEST_WATCH_H
#define CLI_INGEST_WATCH_H
#include "base/err.h"

enum {
    WATCH_SETTLE_MS = 500,    /* nothing new for so long: it is written */
    WATCH_PATIENCE_MS = 10000 /* something is always being written */
};

struct watch;

/* *out is yours: watch_close().  It watches nothing yet. */
enum footnote_rc watch_open(struct watch **out, struct footnote_err *err);
void watch_close(struct watch *w); /* NULL is fine */

/* From now on all of this folder counts; folders that have come since the last
 * call too, so call it before each look.  What begins with a dot does not
 * count, nor what is behind a link. */
enum footnote_rc watch_add(struct watch *w, const char *folder,
                           struct footnote_err *err);
/* Returns when something has changed since the last call, and has settled. */
enum footnote_rc watch_wait(struct watch *w, struct footnote_err *err);

#endif
