/* markup.h - counts the tags of HTML or XML before libxml2 sees them.  Pure.
 *
 * libxml2 compares each attribute of an element with all others of it, and
 * tells of an element when all of them are read: a megabyte of attributes takes
 * it 17 seconds.  So tags are counted first, in one pass over the bytes.  The
 * count follows how libxml2 finds tags; where a file makes them differ, the
 * jail's limit on processor time is what ends it. */
#ifndef INGEST_FORMAT_MARKUP_H
#define INGEST_FORMAT_MARKUP_H
#include "base/err.h"

enum {
    MARKUP_ATTRIBUTES_MAX = 256, /* of an element */
    MARKUP_ATTRIBUTES_TOTAL_MAX = 5 * 1000 * 1000,
    MARKUP_ELEMENTS_MAX = 5 * 1000 * 1000,
    MARKUP_DEPTH_MAX = 256 /* elements inside of each other; see html.c. libxml2
                              has the same limit for XML */
};

enum markup_kind { MARKUP_HTML, MARKUP_XML };

/* INVALID or TOOBIG, with a sentence, when there is more of anything than that.
 * UTF-16 is counted, too. */
enum footnote_rc markup_check(struct str bytes, enum markup_kind kind,
                              struct footnote_err *err);

#endif
