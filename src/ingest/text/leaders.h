/* leaders.h - the dotted lines that lead from a title to its page number, and
 * pages that consist of such lines: contents and indexes.  Any thread. */
#ifndef INGEST_TEXT_LEADERS_H
#define INGEST_TEXT_LEADERS_H
#include "base/buf.h"

/* Appends a line of a contents or an index without its leaders, however short:
 * "Heat . . . . . 7" becomes "Heat 7".  Returns whether there were any. */
bool leaders_strip(struct str line, struct buf *out);
/* Appends a line of a text, where dots are dots unless a page number follows at
 * the end of the line. */
void leaders_strip_entry(struct str line, struct buf *out);

/* Whether a line of a contents or an index ends here: with leaders, or with the
 * number of a page, of which there are `pages`. */
bool leaders_entry(struct str line, int64_t pages);

/* Whether a page is of contents or an index, by how many lines it has, how many
 * of these are entries, and how many of those have leaders. */
bool leaders_contents(size_t lines, size_t entries, size_t dotted);

#endif
