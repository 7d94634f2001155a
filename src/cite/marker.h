/* marker.h - one marker by its shape alone, for cite/ only.  Any thread.
 *
 * The shape is the grammar of marks.h with the brackets.  marks.c sees whether
 * it stands in code or begins a link. */
#ifndef CITE_MARKER_H
#define CITE_MARKER_H
#include "cite/marks.h"

enum { MARKER_ITEMS_MAX = MARK_BYTES_MAX / 2 };

struct marker {
    size_t start, end; /* bytes, brackets included */
    bool ascii;        /* its brackets are [ and ] */
    bool page;
    size_t items_n; /* 1 for a page */
    struct {
        uint32_t from, to;
    } items[MARKER_ITEMS_MAX];
};

/* PART: the text ends before it can be told; more text may make it a YES. */
enum marker_shape { MARKER_NO, MARKER_PART, MARKER_YES };

/* Bytes of the opening bracket at text.p[at]: [, 【 or ［; 0 when none. */
size_t marker_bracket(struct str text, size_t at);
/* *m is complete only with YES. */
enum marker_shape marker_match(struct str text, size_t at, struct marker *m);

#endif
