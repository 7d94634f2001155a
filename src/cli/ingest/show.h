/* show.h - the progress of `footnote ingest`.  One thread.
 *
 * On a terminal one line is redrawn; else there is a line every five seconds.
 * With --json each event is one line with an object on stdout. */
#ifndef CLI_INGEST_SHOW_H
#define CLI_INGEST_SHOW_H
#include "cli/ingest/plan.h"
#include "cli/ingest/target.h"
#include "cli/progress.h"

enum show_form { SHOW_BAR, SHOW_LINES, SHOW_JSON };

struct show {
    enum show_form form;
    bool dry, quiet;
    size_t files; /* in the plan */
    struct progress progress;
    int64_t bytes, bytes_done; /* of the plan's files */
    int64_t pages_said;
    /* So far. */
    size_t added, unchanged, failed, passed_over;
    int64_t pages;
    int64_t pages_now; /* done so far of the files under way */
};

void show_begin(struct show *s, const struct plan *plan); /* resets counts */
void show_start(struct show *s, const struct plan_item *item, const char *id);
void show_progress(struct show *s, const struct plan_item *item,
                   const struct target_state *state);
void show_done(struct show *s, const struct plan_item *item, const char *id,
               const struct target_state *state);
void show_same(struct show *s, const struct plan_item *item, const char *id);
void show_error(struct show *s, const struct plan_item *item, struct str why);
/* Redraws when it is time to. */
void show_tick(struct show *s, const struct plan_item *item);
void show_end(struct show *s);

#endif
