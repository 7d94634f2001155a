/* batch_boxes.h - finds where the passages of a batch of pages stand.
 *
 * One more program runs per batch.  What it prints is held, up to
 * BATCH_BOXES_BYTES_MAX, and parsed a page at a time.  A page whose words are
 * not known has no boxes; a document is never refused for that.  For pdf.c
 * only. */
#ifndef INGEST_PDF_BATCH_BOXES_H
#define INGEST_PDF_BATCH_BOXES_H
#include "ingest/pdf/page.h"
#include "ingest/pdf/page_ocr.h"
#include "ingest/pdf/pdf.h"

enum {
    BATCH_BOXES_BYTES_MAX = 12 * 1024 * 1024, /* of a batch */
    BATCH_BOXES_PAGES = PDF_BATCH + 16,
    BATCH_BOXES_WORDS_MAX =
        4000, /* of a page; looking takes words times words */
};

struct batch_boxes { /* private */
    struct buf printed;
    size_t at[BATCH_BOXES_PAGES + 1]; /* where pages begin in `printed` */
    int64_t first, pages_n;
    struct arena held; /* `words`, of page `page`; 0: none */
    int64_t page;
    struct page_words words;
    bool known;
    struct arena scratch;
    struct buf packed;
    struct page_ocr *ocr; /* for pages without words; NULL: they stay so */
};

void batch_boxes_init(struct batch_boxes *b);
void batch_boxes_free(struct batch_boxes *b); /* fit for AUTO */

/* Reads the words of pages first to last, BATCH_BOXES_PAGES at most; `lines`:
 * with their lines.  Pages that cannot be read, and those behind them, are left
 * out of pages_n, which is OK. */
enum footnote_rc batch_boxes_read(struct batch_boxes *b, int file, bool lines,
                                  int64_t first, int64_t last,
                                  struct footnote_err *err);
/* The words of a page, borrowed until the next call.  Absent, with no words,
 * when they are not known. */
enum footnote_rc batch_boxes_page(struct batch_boxes *b, int64_t page,
                                  const struct page_words **out,
                                  struct footnote_err *err);
/* Sets p->boxes, borrowed until the next call; absent when there are none. */
enum footnote_rc batch_boxes_find(struct batch_boxes *b, struct passage *p,
                                  struct footnote_err *err);

#endif
