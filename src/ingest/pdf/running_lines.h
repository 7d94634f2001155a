/* running_lines.h - the lines that pages repeat: running heads and feet.
 *
 * "Thermodynamics 101 · J. Smith · 7" on each slide says nothing and would be
 * found by every search.  Running lines are learned from all pages before the
 * first one is read, so a run which begins later drops the same lines.  Only
 * hashes are kept.  For pdf/ only. */
#ifndef INGEST_PDF_RUNNING_LINES_H
#define INGEST_PDF_RUNNING_LINES_H
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/pdf/page_lines.h"

enum {
    RUNNING_PAGES_MIN = 4,       /* fewer pages have no running lines */
    RUNNING_LINES_MAX = 1 << 15, /* more are not learned */
    RUNNING_HEADS = 2,           /* how many first lines may be running */
    RUNNING_FEET = 3             /* and how many last lines */
};

struct running_line {
    uint64_t form; /* hash of the line without digits */
    int64_t pages, first, last;
    double y; /* where it was last; from the foot of the page up if below 0 */
};

struct running {                /* zeroed at the start */
    struct running_line *lines; /* a table by hash, in the arena */
    size_t lines_n;
    int64_t pages;
    double head, foot; /* where most of them stand; 0: nowhere */
};

/* A page of slides: its first line and its last ones. */
enum footnote_rc running_learn(struct running *r, struct str text,
                               struct arena *a, struct footnote_err *err);
/* Appends the text without those lines that most of the pages had. */
void running_strip(const struct running *r, struct str text, struct buf *out);

/* A page of prose, whose running heads change from chapter to chapter. */
enum footnote_rc running_learn_page(struct running *r, int64_t number,
                                    const struct page_lines *page,
                                    struct arena *a, struct footnote_err *err);
/* Behind the last page. */
void running_end(struct running *r);
/* Sets `running` of lines at the page's edges that stand there on at least a
 * third of the pages from the first that has them to the last, and of a line
 * where running heads or feet stand, apart from the rest of its page. */
void running_mark(const struct running *r, struct page_lines *page);

#endif
