/* markdown_part.h - Markdown that is a part of another file: a cell. */
#ifndef INGEST_FORMAT_MARKDOWN_PART_H
#define INGEST_FORMAT_MARKDOWN_PART_H
#include "ingest/format/reader.h"

/* Sends the text, valid UTF-8, through r->chunker and ends the passage; a
 * heading is the title of a file that has none. */
enum footnote_rc markdown_part(struct format_reader *r, struct str text,
                               struct footnote_err *err);

#endif
