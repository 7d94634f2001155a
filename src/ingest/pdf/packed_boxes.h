/* packed_boxes.h - where a passage stands on its page, in a few bytes.
 *
 *     for each word:  2 * (x - where the last one ended) + 1, w
 *     on a new line:  2 * (x - where the last one ended), w, y - the last y, h
 *
 * Thousandths of the page's width (x, w) and height (y, h), differences as 0
 * -1 1 -2 2 ..., and all as LEB128: two bytes for most words.  Any thread. */
#ifndef INGEST_PDF_PACKED_BOXES_H
#define INGEST_PDF_PACKED_BOXES_H
#include "ingest/pdf/page.h"

/* The places of the marked words, appended to *out; what does not fit into
 * PASSAGE_BOXES_BYTES_MAX is left out. */
void boxes_pack(const struct page_words *page, const struct page_marks *marks,
                struct buf *out);

struct page_box {
    double x, y, w, h; /* of the page's width and height */
};
/* One box after the other; false at the end, or where the bytes make no sense.
 * Zeroed but for `rest`, it is the start. */
struct packed_boxes {
    struct str rest;
    int64_t end, y, h; /* inner: of the last one, in thousandths */
};
bool boxes_next(struct packed_boxes *b, struct page_box *out);

#endif
