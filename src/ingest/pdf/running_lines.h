/* running_lines.h - the lines that every page repeats: running heads and feet.
 *
 * "Thermodynamics 101 · J. Smith · 7" on each slide says nothing and would be
 * found by every search.  Running lines are learned from the first pages only,
 * so that a run which begins later drops the same lines.  For pdf.c only. */
#ifndef INGEST_PDF_RUNNING_LINES_H
#define INGEST_PDF_RUNNING_LINES_H
#include "base/arena.h"
#include "base/buf.h"

enum {
    RUNNING_PAGES_MIN = 4, /* fewer pages have no running lines */
    RUNNING_LINES_MAX = 64,
    RUNNING_FEET = 3 /* how many last lines of a page may be running */
};

struct running_line {
    struct str form; /* without digits */
    size_t pages;    /* that have it */
};

struct running { /* zeroed at the start */
    struct running_line lines[RUNNING_LINES_MAX];
    size_t lines_n, pages;
};

/* Looks at the first line and the last ones of a page; keeps copies in `a`. */
void running_learn(struct running *r, struct str text, struct arena *a);
/* Appends the text without those lines that most of the pages had. */
void running_strip(const struct running *r, struct str text, struct buf *out);

#endif
