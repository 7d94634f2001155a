/* survey.h - what all pages of a PDF have in common, looked at before the first
 * passage is made: slides or prose, running lines, sizes of print, outline.
 * For pdf/ only. */
#ifndef INGEST_PDF_SURVEY_H
#define INGEST_PDF_SURVEY_H
#include "ingest/pdf/outline.h"
#include "ingest/pdf/running_lines.h"

enum {
    SURVEY_SIZES = 256, /* of print, in half points */
    SURVEY_HEADINGS = 4 /* sizes that headings of their own levels have */
};

struct survey {
    struct outline outline;
    struct running running;
    struct str title; /* the first page's first line; absent: none */
    int64_t pages;    /* of the document */
    size_t words;
    int64_t pages_n; /* that have words */
    bool slides;
    /* Of prose: */
    double body; /* the height of most of its print; 0: not known */
    bool fixed;  /* most of it is a typewriter's */
    int sizes[SURVEY_HEADINGS], sizes_n; /* larger ones, the largest first */
    /* Private. */
    size_t *letters, *headings; /* by size */
    size_t letters_n, fixed_n;
};

/* Looks at a page; `number` counts up. */
enum footnote_rc survey_page(struct survey *s, int64_t number,
                             const struct page_lines *page, struct arena *a,
                             struct footnote_err *err);
/* Behind the last page. */
void survey_end(struct survey *s);

/* The size of a line. */
int survey_size(double height);
/* Whether a line has the look of a heading, but for its size. */
bool survey_may_head(const struct page_line *line);

#endif
