/* page_lines.h - the lines of a page, in the order of reading, with what their
 * print tells: how large it is, whether it is a typewriter's, which lines stand
 * together.  For pdf/ only. */
#ifndef INGEST_PDF_PAGE_LINES_H
#define INGEST_PDF_PAGE_LINES_H
#include "ingest/pdf/page.h"

struct page_line {
    struct str text; /* never empty; of a typewriter's line with its gaps */
    double x, y, w;  /* points from the upper left corner */
    double h;        /* of its words; 0: not known */
    size_t letters;
    uint32_t block; /* lines of one block stand together */
    double advance; /* of each letter of a typewriter's line; 0: it is none */
    bool one_word;  /* which alone is no proof of a typewriter */
    bool running;   /* a running head or foot (running_lines.h) */
    size_t row;     /* of a page of contents (prose.c) */
};

struct page_lines {
    struct page_line *lines;
    size_t n;
    double height;
};

/* Everything lives in `a`. */
enum footnote_rc page_lines_of_words(const struct page_words *page,
                                     struct arena *a, struct page_lines *out,
                                     struct footnote_err *err);
/* Of a text whose print is not known: empty lines part its blocks. */
enum footnote_rc page_lines_of_text(struct str text, struct arena *a,
                                    struct page_lines *out,
                                    struct footnote_err *err);

/* Whether two lines stand beside each other. */
bool page_lines_beside(const struct page_line *a, const struct page_line *b);

#endif
