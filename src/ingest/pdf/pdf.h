/* pdf.h - a PDF becomes passages, page by page.
 *
 *     pdfinfo    how many pages, how large, what title
 *     pdftotext  all pages: slides or prose, running lines, print (survey.h)
 *     pdftohtml  the outline
 *     pdftotext  PDF_BATCH pages at a time: where words stand (batch_boxes.h)
 *                and their text --> pages.h, or prose.h --> passages, in order
 *
 * The programs run in the jail (jail.h).  No more than a batch is held.
 * No passage crosses the end of a batch, so a run that was killed goes on at
 * the last batch and gives the same passages as an undisturbed run.
 *
 * `file` is an open PDF that no one else reads meanwhile.  Any thread; it
 * waits. */
#ifndef INGEST_PDF_PDF_H
#define INGEST_PDF_PDF_H
#include "ingest/format/extract.h"

enum {
    PDF_PAGES_MAX = 5000,
    PDF_BATCH = 64,           /* pages that one child reads */
    PDF_RUN_S_MAX = 20 * 60,  /* for a whole document */
    PDF_BLANK_CHARS = 20,     /* a page with fewer has no text: a picture */
    PDF_TITLE_BYTES_MAX = 300 /* a longer title is cut */
};

struct pdf_facts {
    int64_t pages;
    double width, height; /* of the page asked for, in points */
    struct str title;     /* absent: none, or one that a program filled in */
};

/* What the PDF says about itself, and the size of page n, from 1.  Texts live
 * in `a`.  NOTFOUND: there is no page n. */
enum footnote_rc pdf_facts(int file, int64_t n, struct arena *a,
                           struct pdf_facts *out, struct footnote_err *err);

/* Where a run can go on.  All zeros is the start. */
struct pdf_place {
    int64_t pages;    /* that are done */
    int64_t position; /* of the last passage */
    int64_t blank;    /* pages without text so far */
};

struct pdf_job {
    int file;
    struct pdf_place from;
    /* Progress comes with every page. */
    const struct passage_sink *sink;
    /* Called with the sink's `arg` when all passages up to this place are sent:
     * a later run may begin there.  May be NULL. */
    enum footnote_rc (*reached)(void *arg, const struct pdf_place *at,
                                struct footnote_err *err);
    const char *ocr_languages; /* of pages that are pictures; NULL: not read */
};

/* Reads from job->from to the end.  *facts is complete on OK only, its texts
 * live in `a`; facts->warning tells of pages without text.  A PDF without text
 * is INVALID. */
enum footnote_rc pdf_run(const struct pdf_job *job, struct arena *a,
                         struct extract_facts *facts, struct footnote_err *err);

#endif
