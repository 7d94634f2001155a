/* page_ocr.h - the words of pages that are pictures, and of pictures that are
 * documents.  For a run of one thread. */
#ifndef INGEST_PDF_PAGE_OCR_H
#define INGEST_PDF_PAGE_OCR_H
#include "ingest/format/extract.h"
#include "ingest/ocr/ocr.h"

enum { PAGE_OCR_KEPT = 24, PAGE_OCR_WORDS_MIN = 4 };

struct page_ocr {
    const char *languages; /* NULL: it is not wanted, or not there */
    int64_t pages, failed; /* so far */
    int64_t spent_ms;
    struct ocr_sure sure;
    struct {
        int64_t page;
        struct buf printed;
    } kept[PAGE_OCR_KEPT]; /* the newest; batches look back a little */
    size_t kept_n;
};

void page_ocr_free(struct page_ocr *o); /* fit for AUTO */

/* Whether a page as poppler printed it has too few words to have been written
 * as text. */
bool page_ocr_wants(struct str printed);
/* Appends the page in the same form, if it is a picture with words; else
 * *found is false.  A page that cannot be read is counted and is no failure. */
enum footnote_rc page_ocr_add(struct page_ocr *o, int file, int64_t page,
                              struct buf *out, bool *found,
                              struct footnote_err *err);

/* A picture as a document: its words become passages. */
enum footnote_rc picture_run(int file, const char *languages, struct arena *a,
                             const struct passage_sink *sink,
                             struct extract_facts *facts,
                             struct footnote_err *err);

#endif
