/* made_pdf.h - PDFs made from operators that draw. */
#ifndef MADE_PDF_H
#define MADE_PDF_H
#include "base/buf.h"
#include "test.h"

/* The operators that draw page i, from 0.  /F1 is Helvetica, /F2 Courier. */
typedef void draw_fn(int i, struct buf *out);

struct made_title {
    const char *text;
    int page; /* from 0 */
};
/* An open file, yours to close.  `size` is "595 842".  Titles of the outline,
 * all of one level, end with one that has no text; NULL: there is none. */
int made_pdf(int pages, const char *size, draw_fn *draw,
             const struct made_title *titles);

/* A line of text: font "F1", its size, and where its left end is, from the
 * lower left corner. */
void made_line(struct buf *out, const char *font, int size, int x, int y,
               const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
