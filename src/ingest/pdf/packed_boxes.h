/* packed_boxes.h - where a passage stands on its page, in a few bytes.
 *
 *     each word:      2 * (x - end of the last word) + 1, w
 *     on a new line:  2 * (x - end of the last word), w, y - last y, h
 *
 * In thousandths of the page's width (x, w) and height (y, h).  Differences are
 * folded (0 -1 1 -2 2 ... are 0 1 2 3 4 ...), numbers are LEB128: two bytes for
 * most words.  Any thread. */
#ifndef INGEST_PDF_PACKED_BOXES_H
#define INGEST_PDF_PACKED_BOXES_H
#include "ingest/pdf/page.h"

/* Appends the boxes of the marked words to *out; boxes that do not fit into
 * PASSAGE_BOXES_BYTES_MAX are left out. */
void boxes_pack(const struct page_words *page, const struct page_marks *marks,
                struct buf *out);

struct page_box {
    double x, y, w, h; /* of the page's width and height */
};
/* An iterator: begins with the bytes as `rest` and all else zero.  boxes_next()
 * is false at the end, or where the bytes are damaged. */
struct packed_boxes {
    struct str rest;
    int64_t end, y, h; /* private: of the last word, in thousandths */
};
bool boxes_next(struct packed_boxes *b, struct page_box *out);

#endif
