/* page_text.h - the text of one page, as a reader of slides or prose takes it.
 * For pdf.c only. */
#ifndef INGEST_PDF_PAGE_TEXT_H
#define INGEST_PDF_PAGE_TEXT_H
#include "ingest/text/pages.h"

/* The state of reading prose; zeroed at the start of a batch. */
struct pdf_prose {
    int64_t section; /* the last numbered heading; 0: none yet */
    bool open;       /* the page before ended within a sentence */
};

/* Appends `raw` cleaned (clean.h), with single spaces and single empty lines.
 * False: it is no UTF-8.  *hidden is set when hidden text was dropped. */
bool page_text_clean(struct str raw, struct buf *out, bool *hidden);

/* Counts characters that are no white space, up to `most`. */
size_t page_text_chars(struct str text, size_t most);

/* The first line that has words; absent when there is none. */
struct str page_text_title(struct str text);

/* One page of prose: paragraphs to the chunker, numbered headings too. */
enum footnote_rc page_text_prose(struct pdf_prose *p, struct chunker *c,
                                 int64_t number, struct str text,
                                 struct footnote_err *err);

#endif
