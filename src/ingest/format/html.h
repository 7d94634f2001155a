/* html.h - a web page that is a part of another file: a chapter, a mail. */
#ifndef INGEST_FORMAT_HTML_H
#define INGEST_FORMAT_HTML_H
#include "ingest/format/reader.h"

/* Sends its text through r->chunker and ends the passage; what it says of
 * itself (title, date, language) is not looked at. */
enum footnote_rc html_part(struct format_reader *r, struct str bytes,
                           struct footnote_err *err);

#endif
