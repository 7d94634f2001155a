/* transcript.h - WebVTT and SubRip: what was said when.
 *
 * Both are read by one tolerant reader, because files in the wild mix them:
 * either decimal sign, hours or none, any line ends, missing blank lines.
 * Pure; any thread. */
#ifndef INGEST_FORMAT_TRANSCRIPT_H
#define INGEST_FORMAT_TRANSCRIPT_H
#include "ingest/format/extract.h"

enum { TRANSCRIPT_CUES_MAX = 200 * 1000 };

struct cue {
    double start, end;  /* seconds; end >= start, starts never go back */
    struct str text;    /* one line, no tags; never empty */
    struct str speaker; /* of <v Name>; may be absent */
    size_t number;      /* from 1, as they stand in the file */
};

/* The cues in order of time, for people to read: without tags, entities as
 * characters, and where automatic captions roll, only the new words of each.
 * *out lives in `a`.  Title, language and length are put into *facts, which the
 * caller has zeroed.  A file without cues is INVALID. */
enum footnote_rc transcript_cues(struct arena *a, struct str bytes,
                                 struct str declared, struct cue **out,
                                 size_t *n, struct extract_facts *facts,
                                 struct footnote_err *err);

#endif
