/* cues.h - the grammar of WebVTT and SubRip, for transcript.c only. */
#ifndef INGEST_FORMAT_CUES_H
#define INGEST_FORMAT_CUES_H
#include "ingest/format/transcript.h"

/* The cues of clean UTF-8 in the order of the file, without empty ones.  *out
 * lives in `a`.  Title and language of the first lines are put into *facts. */
enum footnote_rc cues_read(struct arena *a, struct str text, struct cue **out,
                           size_t *n, struct extract_facts *facts,
                           struct footnote_err *err);

#endif
