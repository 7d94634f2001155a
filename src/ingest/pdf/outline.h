/* outline.h - the outline of a PDF: the titles that a viewer shows beside it.
 *
 * pdftohtml prints it, in the jail.  A PDF may have none, or one that lies:
 * whoever uses a title looks for it on its page.  Any thread; it waits. */
#ifndef INGEST_PDF_OUTLINE_H
#define INGEST_PDF_OUTLINE_H
#include "base/arena.h"

enum {
    OUTLINE_MAX = 20 * 1000, /* what comes behind is left out */
    OUTLINE_TITLE_BYTES_MAX = 300,
    OUTLINE_BYTES_MAX = 16 * 1024 * 1024,
    OUTLINE_DEPTH_MAX = 64
};

struct outline_title {
    struct str text;
    int64_t page; /* from 1 */
    int level;    /* from 1 */
    size_t listed;
};

struct outline {
    struct outline_title *titles; /* by page, then as they are listed */
    size_t n;
};

/* Lives in `a`.  The file is never the reason of a failure: then there is no
 * outline. */
enum footnote_rc outline_read(int file, struct arena *a, struct outline *out,
                              struct footnote_err *err);
/* The same from what pdftohtml printed. */
enum footnote_rc outline_parse(struct str printed, struct arena *a,
                               struct outline *out, struct footnote_err *err);

#endif
