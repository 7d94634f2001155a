/* prose.h - pages of prose become headings, paragraphs, lists and code for the
 * chunker.  For pdf/ only. */
#ifndef INGEST_PDF_PROSE_H
#define INGEST_PDF_PROSE_H
#include "ingest/pdf/headings.h"
#include "ingest/text/chunk.h"

enum {
    /* A heading further back is not carried: who looks at the page does not
     * see it, and a run that begins at a batch need not read more. */
    PROSE_HEADING_PAGES = 10
};

struct prose { /* begin with survey and chunker set, all else zero */
    const struct survey *survey;
    struct chunker *chunker;
    /* Private. */
    struct headings headings;
    int64_t heading_page[CHUNK_LEVELS]; /* where each heading stands; 0: none */
    bool open; /* the page before ended within a sentence */
};

/* One page, from 1; pages go up.  Marks its running lines.  Scratch memory is
 * in `a`. */
enum footnote_rc prose_page(struct prose *p, int64_t number,
                            struct page_lines *page, struct arena *a,
                            struct footnote_err *err);
/* The same for its headings alone: a batch begins PROSE_HEADING_PAGES back. */
enum footnote_rc prose_skim(struct prose *p, int64_t number,
                            struct page_lines *page, struct arena *a,
                            struct footnote_err *err);

#endif
