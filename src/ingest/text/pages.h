/* pages.h - slides become passages: one each, with two exceptions.
 *
 * A slide that only builds up (all lines of the slide before, and more)
 * replaces it.  A page of more than PAGES_WORDS_MAX words is cut as prose is.
 * A slide is never joined to the next, however few words it has: what is cited
 * stands on the page that is named.  An empty page makes no passage.
 *
 *     pages_init -> pages_push* -> pages_end;  pages_free at any time
 *
 * One page is held back, so that a passage comes out when the page after it is
 * known.  One thread. */
#ifndef INGEST_TEXT_PAGES_H
#define INGEST_TEXT_PAGES_H
#include "ingest/text/chunk.h"

enum {
    PAGES_WORDS_MAX = 180,
    PAGES_BYTES_MAX = 4 * 1024 * 1024, /* text of a page; more is TOOBIG */
    PAGES_HELD_BYTES_MAX = 2 * PAGES_BYTES_MAX
};

struct page_content {
    int64_t number;                  /* from 1, going up */
    struct str heading, text, notes; /* valid UTF-8; may be absent */
};

struct pages { /* private */
    struct chunker *chunker;
    struct buf heading, text, notes;
    bool held;
    int64_t number; /* of the page that is held */
};

/* Passages are sent through *c, which is borrowed until the end; their
 * positions follow those it has sent before. */
void pages_init(struct pages *p, struct chunker *c);
void pages_free(struct pages *p); /* fit for AUTO */

/* The speaker's notes become passages of their own on the same page, with
 * {"notes":true} as their extra. */
enum footnote_rc pages_push(struct pages *p, const struct page_content *page,
                            struct footnote_err *err);
enum footnote_rc pages_end(struct pages *p, struct footnote_err *err);

#endif
