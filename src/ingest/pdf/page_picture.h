/* page_picture.h - whether a page without text is a picture, or blank.
 * For pdf/ only; it waits. */
#ifndef INGEST_PDF_PAGE_PICTURE_H
#define INGEST_PDF_PAGE_PICTURE_H
#include "ingest/pdf/page.h"

/* Looks at the page, in small, beside the words that are known.  A page that
 * cannot be shown is taken for a picture. */
enum footnote_rc page_is_picture(int file, int64_t n,
                                 const struct page_words *words, bool *out,
                                 struct footnote_err *err);
/* The same for a portable graymap, "P5 WIDTH HEIGHT 255" and a byte each. */
bool graymap_is_picture(struct str map, const struct page_words *words);

#endif
