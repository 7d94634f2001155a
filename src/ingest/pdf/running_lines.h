/* running_lines.h - the lines that every page repeats: running heads and feet.
 *
 * "Thermodynamics 101 · J. Smith · 7" on each slide says nothing and would be
 * found by every search.  What they are is learned from the first pages, so
 * that it is the same however often a run is begun again.  For pdf.c only. */
#ifndef INGEST_PDF_RUNNING_LINES_H
#define INGEST_PDF_RUNNING_LINES_H
#include "base/arena.h"
#include "base/buf.h"

enum {
    RUNNING_PAGES_MIN = 4, /* of fewer nothing is learned */
    RUNNING_LINES_MAX = 64,
    RUNNING_FEET = 3 /* last lines of a page that may be one */
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
