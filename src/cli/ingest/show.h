/* show.h - what `footnote ingest` says while it works.  One thread.
 *
 * On a TTY a line that is drawn again; else a line every five seconds; with
 * --json one object a line on stdout, as things happen. */
#ifndef CLI_INGEST_SHOW_H
#define CLI_INGEST_SHOW_H
#include "cli/ingest/target.h"

enum show_form { SHOW_BAR, SHOW_LINES, SHOW_JSON };

struct show {
    enum show_form form;
    bool dry, quiet;
    size_t files;     /* in the plan */
    int64_t began_ms; /* by the monotonic clock, as is the next */
    int64_t drawn_ms;
    bool drawn; /* a bar stands in the last line */
    /* So far. */
    size_t added, unchanged, failed, passed_over;
    int64_t pages;
    int64_t pages_now; /* of the files that are being read */
};

void show_begin(struct show *s, size_t files); /* counts from 0 again */
void show_start(struct show *s, const struct plan_item *item, const char *id);
void show_progress(struct show *s, const struct plan_item *item,
                   const struct target_state *state);
void show_done(struct show *s, const struct plan_item *item, const char *id,
               const struct target_state *state);
void show_same(struct show *s, const struct plan_item *item, const char *id);
void show_error(struct show *s, const struct plan_item *item, struct str why);
/* Nothing has happened; time has passed. */
void show_tick(struct show *s, const struct plan_item *item);
void show_end(struct show *s);

#endif
