/* page_order.h - words of a page in the order of reading.  For page*.c only.
 */
#ifndef INGEST_PDF_PAGE_ORDER_H
#define INGEST_PDF_PAGE_ORDER_H
#include "ingest/pdf/page.h"

/* Puts words from right to left, and their letters, into reading order.
 * Refused memory shows in arena_rc(). */
void page_order(struct page_words *page, struct arena *a);

/* Whether b stands beside a. */
bool page_same_line(const struct page_word *a, const struct page_word *b);

#endif
