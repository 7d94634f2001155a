/* page_failures.h - pages that could not be painted or read.  Any thread.
 *
 * Painting a page that fails may take as long as a page may take, so it is not
 * tried again for every request.  A failure is forgotten after PAGE_FAILURE_MS,
 * or when another one needs its place. */
#ifndef HTTP_API_PAGE_FAILURES_H
#define HTTP_API_PAGE_FAILURES_H
#include "base/sha256.h"

enum { PAGE_FAILURE_MS = 10 * 60 * 1000 };

struct page_failures;
struct page_of {
    struct sha256 file; /* so a new version is another page */
    int64_t n;
    int scale; /* of its picture; 0: its words */
};

enum footnote_rc page_failures_open(struct page_failures **out,
                                    struct footnote_err *err);
void page_failures_close(struct page_failures *f); /* NULL is fine */

/* How it failed the last time; OK: it may be tried. */
enum footnote_rc page_failures_get(struct page_failures *f,
                                   const struct page_of *page);
/* Remembers INVALID and TOOBIG, which are the file's fault. */
void page_failures_note(struct page_failures *f, const struct page_of *page,
                        enum footnote_rc rc);

#endif
