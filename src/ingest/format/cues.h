/* cues.h - the grammar of WebVTT and SubRip, for transcript.c only. */
#ifndef INGEST_FORMAT_CUES_H
#define INGEST_FORMAT_CUES_H
#include "ingest/format/transcript.h"

/* The cues of clean UTF-8 as they stand in the file, empty ones left out;
 * *out has room for them all and lives in `a`.  Title and language are put
 * into *facts where the file's first lines say them. */
enum footnote_rc cues_read(struct arena *a, struct str text, struct cue **out,
                           size_t *n, struct extract_facts *facts,
                           struct footnote_err *err);

#endif
