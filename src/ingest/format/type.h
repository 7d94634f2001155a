/* type.h - what a format is called, and what kind of document it makes.
 * Constant; any thread. */
#ifndef INGEST_FORMAT_TYPE_H
#define INGEST_FORMAT_TYPE_H
#include "ingest/format/extract.h"
#include "store/document/document.h"

/* The media type that it is served with; ours, never what a client claims. */
struct str type_of_format(enum extract_format f);
/* Of a recording, by its name; absent when no browser plays it. */
struct str type_of_recording(struct str filename);
/* What it usually is: slides, a lecture, a dated entry, a text. */
enum document_kind kind_of_format(enum extract_format f, bool dated);

#endif
