/* readers.h - one reader per format, for extract.c only. */
#ifndef INGEST_FORMAT_READERS_H
#define INGEST_FORMAT_READERS_H
#include "ingest/format/extract.h"
#include "ingest/text/chunk.h"

struct reading {
    struct str bytes, filename;
    struct arena *a;
    const struct passage_sink *sink;
    struct extract_facts *facts;
    struct chunker chunker; /* where passages go */
};

typedef enum footnote_rc read_fn(struct reading *r, struct footnote_err *err);
read_fn read_text, read_markdown, read_html, read_transcript, read_docx,
    read_pptx;

/* How far a reader is; units as passage_sink says. */
enum footnote_rc read_progress(struct reading *r, size_t done, size_t total,
                               struct footnote_err *err);

#endif
