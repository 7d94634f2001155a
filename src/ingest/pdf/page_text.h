/* page_text.h - the text of one page of slides.  For pdf/ only. */
#ifndef INGEST_PDF_PAGE_TEXT_H
#define INGEST_PDF_PAGE_TEXT_H
#include "ingest/text/pages.h"

/* Appends `raw` cleaned (clean.h), with single spaces and single empty lines.
 * False: it is no UTF-8.  *hidden is set when hidden text was dropped. */
bool page_text_clean(struct str raw, struct buf *out, bool *hidden);

/* Counts characters that are no white space, up to `most`. */
size_t page_text_chars(struct str text, size_t most);

/* The first line that has words; absent when there is none. */
struct str page_text_title(struct str text);

#endif
