/* page.h - one page of a PDF: its picture, its words and where they stand.
 *
 * Pictures and words are made when someone looks at the page.  The boxes of
 * passages are found when the document is read in, and stored with them
 * (packed_boxes.h).  `file` is an open PDF that no one else reads meanwhile.
 * Any thread; it waits for a program in the jail. */
#ifndef INGEST_PDF_PAGE_H
#define INGEST_PDF_PAGE_H
#include "base/arena.h"
#include "base/buf.h"

struct passage;

enum {
    PAGE_DPI = 110, /* at scale 1: a slide is then about 1100 pixels wide */
    PAGE_SCALE_MAX = 2,
    PAGE_PIXELS_MAX = 4000, /* of its longer side; a larger page is scaled */
    PAGE_PICTURE_BYTES_MAX = 32 * 1024 * 1024,
    PAGE_WORDS_MAX = 20000,
    PAGE_ARENA_MAX = 16 * 1024 * 1024, /* fits a page within these */
};

/* A word in its box.  Points of 1/72 inch from the upper left corner. */
struct page_word {
    struct str text;
    double x, y, w, h;
    uint32_t line, block; /* as poppler joins words; 0: it did not say */
};

struct page_words {
    double width, height; /* of the page */
    struct page_word *words;
    size_t words_n;
    struct str text; /* the words in reading order, in lines */
    bool hidden;     /* characters that people cannot see were dropped */
};

/* Page n, from 1.  Lives in `a`.  NOTFOUND: there is no such page. */
enum footnote_rc page_words(int file, int64_t n, struct arena *a,
                            struct page_words *out, struct footnote_err *err);
/* Pages first to last, of which a file may have fewer; *n are read into out[],
 * which has room for all. */
enum footnote_rc pages_words(int file, int64_t first, int64_t last,
                             struct arena *a, struct page_words *out, size_t *n,
                             struct footnote_err *err);
/* Takes what `pdftotext -bbox` printed for the next page off *printed; false
 * when there is none, or it is cut off. */
bool page_printed_next(struct str *printed, struct str *page);
/* The words of such a page. */
enum footnote_rc page_words_read(struct str printed, struct arena *a,
                                 struct page_words *out,
                                 struct footnote_err *err);
/* {"text":...,"width":...,"height":...,"words":[{"t","x","y","w","h"}...],
 *  "passages":[{"text":...,"boxes":[{"x","y","w","h"}...]}...]} */
void page_words_json(const struct page_words *page,
                     const struct passage *passages, size_t passages_n,
                     struct buf *out);

/* Page n as a PNG, appended to *png, whose limit should be
 * PAGE_PICTURE_BYTES_MAX.  `scale` is 1 to PAGE_SCALE_MAX. */
enum footnote_rc page_picture(int file, int64_t n, int scale, struct buf *png,
                              struct footnote_err *err);

/* Words from `from` up to but not including `to`. */
struct page_range {
    size_t from, to;
};
struct page_marks {
    struct page_range *ranges; /* going up, apart from each other */
    size_t ranges_n;
};

/* Finds the words of a passage on the page (find_words.h).  The passage may be
 * there in several pieces in another order, or not at all, which gives no
 * ranges.  *out lives in `a`. */
enum footnote_rc page_mark(const struct page_words *page, struct str passage,
                           struct arena *a, struct page_marks *out,
                           struct footnote_err *err);

#endif
