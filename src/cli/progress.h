/* progress.h - one line on stderr that says how far something is.  One thread.
 *
 * On a terminal the line is drawn over itself, cut to the width that the
 * terminal has at that moment, so that it is never two; elsewhere it is a line
 * every few seconds.  How far it is never runs backwards. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_TEXT_BYTES = 512 };

struct progress {
    bool quiet, tty, drawn;
    int64_t began_ms, drawn_ms; /* by the monotonic clock */
    double part;                /* the most that was said */
};

void progress_begin(struct progress *p, bool quiet);
/* Whether the next line is due; what it says need not be made before. */
bool progress_is_due(const struct progress *p);
/* `part` of 1 is done; below 0: nobody knows how much there is.  The time left
 * is told once enough is done to know it. */
void progress_draw(struct progress *p, double part, const char *text);
/* The line stays, and another may follow it. */
void progress_keep(struct progress *p);
/* Makes room for another line. */
void progress_clear(struct progress *p);

#endif
