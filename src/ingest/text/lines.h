/* lines.h - lines of a text, white space, file names.  Results are borrowed
 * from the text.  Any thread. */
#ifndef INGEST_TEXT_LINES_H
#define INGEST_TEXT_LINES_H
#include "base/buf.h"

/* The next line of *rest without its line end, "\n" or "\r\n"; false at the
 * end.  *rest moves behind it. */
bool lines_next(struct str *rest, struct str *line);
/* Without spaces, tabs and line ends around it. */
struct str lines_trim(struct str s);
/* All white space of the text becomes single spaces, none around it. */
void lines_squeeze(struct buf *b);
/* Drops spaces at the end. */
void lines_trim_end(struct buf *b);
/* ASCII letters in either case are equal. */
bool lines_same(struct str a, struct str b);
bool lines_begins(struct str s, struct str prefix);
/* "a/b.txt" has the basename "b.txt" and the extension "txt"; a name without a
 * point has the extension "". */
struct str lines_basename(struct str filename);
struct str lines_extension(struct str filename);

#endif
