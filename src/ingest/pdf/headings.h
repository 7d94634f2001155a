/* headings.h - which lines of a page of prose are headings.
 *
 * A heading is a line of the page: one that the outline names, one in larger
 * print, or, where there is no outline, one whose number follows that of the
 * heading before.  For pdf/ only. */
#ifndef INGEST_PDF_HEADINGS_H
#define INGEST_PDF_HEADINGS_H
#include "ingest/pdf/survey.h"

struct page_heading {
    size_t first, n; /* lines that it has; n 0: its text is not on the page */
    int level;       /* 1 to CHUNK_LEVELS */
};

struct page_headings {
    struct page_heading *all;
    size_t n;
};

struct headings {    /* zeroed at the start of a batch */
    int64_t section; /* the last number of a heading; 0: none yet */
};

/* The headings of a page, in the order of its lines; those that the outline
 * names and the page lacks come first.  They live in `a`. */
enum footnote_rc headings_find(struct headings *h, const struct survey *s,
                               int64_t number, const struct page_lines *page,
                               struct arena *a, struct page_headings *out,
                               struct footnote_err *err);

#endif
