/* labels.h - what is printed on the pages of a PDF: "xii", "3", "A-7".
 *
 * A PDF may label its pages in ranges.  qpdf says them, in the jail; where it
 * is not installed (it is looked for in PATH) no page has a label, and none
 * when the labels are strange: too many, too long, out of order.  Any thread;
 * it waits. */
#ifndef INGEST_PDF_LABELS_H
#define INGEST_PDF_LABELS_H
#include "base/arena.h"

enum {
    LABELS_MAX = 100, /* ranges */
    LABELS_NUMBER_MAX = 1000 * 1000,
    LABELS_PREFIX_BYTES_MAX = 24,
    LABELS_FILE_BYTES_MAX = 128 * 1024 * 1024
};

/* JSON as document_version.page_labels has it, in `a`; absent when pages are
 * called as they are counted, and when it is not known.  The file is never the
 * reason of a failure. */
enum footnote_rc pdf_labels(int file, int64_t pages, struct arena *a,
                            struct str *out, struct footnote_err *err);
/* The same from what qpdf printed. */
struct str labels_read(struct str printed, int64_t pages, struct arena *a);

#endif
