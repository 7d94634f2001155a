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
    struct str speaker; /* of <v Name>; absent: not said */
    size_t number;      /* from 1, as they stand in the file */
};

/* The cues in order of time, for people to read: tags are gone, entities are
 * characters, and where automatic captions roll, each has only what is new.
 * *out lives in `a`.  What they say of the recording is added to *facts, which
 * is zeroed at the start.  Without any cue it is INVALID. */
enum footnote_rc transcript_cues(struct arena *a, struct str bytes,
                                 struct cue **out, size_t *n,
                                 struct extract_facts *facts,
                                 struct footnote_err *err);

#endif
