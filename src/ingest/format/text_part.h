/* text_part.h - plain text that is a part of another file: a mail. */
#ifndef INGEST_FORMAT_TEXT_PART_H
#define INGEST_FORMAT_TEXT_PART_H
#include "ingest/format/reader.h"

/* Sends the paragraphs of the text, valid UTF-8, through r->chunker; the
 * passage goes on. */
enum footnote_rc text_part(struct format_reader *r, struct str text,
                           struct footnote_err *err);

#endif
