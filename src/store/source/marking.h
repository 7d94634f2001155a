/* marking.h - where a text cites its sources, and what they carry of it. */
#ifndef STORE_SOURCE_MARKING_H
#define STORE_SOURCE_MARKING_H
#include "base/err.h"

struct new_references;
struct tx;

/* How many bytes of sentences and previews may be read to judge one message.
 * Beyond its budget it has no verdicts, and further sources no support. */
enum {
    /* In the thread that prepares a message or ends an answer.  An answer of 30
     * sources of a page each, cited five times each, takes a tenth of it. */
    MARKING_BYTES = 4 * 1024 * 1024,
    /* In the writer, which others wait for: some tenths of a millisecond. */
    MARKING_BYTES_WRITER = 64 * 1024,
    MARKING_ARENA_BYTES = 8 * 1024 * 1024,
    SPANS_MAX = 1000 /* places that one source keeps */
};

/* Finds the markers of `content` and gives each reference its spans and, within
 * `budget` bytes, its support, and the list its verdicts; 0 judges nothing. */
enum footnote_rc new_references_mark(struct tx *tx, struct str content,
                                     struct new_references *list, size_t budget,
                                     struct footnote_err *err);

#endif
