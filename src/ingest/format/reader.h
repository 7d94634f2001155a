/* reader.h - what the reader of a format works with, for format/ only. */
#ifndef INGEST_FORMAT_READER_H
#define INGEST_FORMAT_READER_H
#include "ingest/format/extract.h"
#include "ingest/text/chunk.h"

struct format_reader {
    struct str bytes, filename;
    struct str declared; /* the encoding, as charset_decode() wants it */
    struct arena *a;
    const struct passage_sink *sink;
    struct extract_facts *facts;
    struct chunker chunker; /* where passages go */
};

/* Tells the sink how far the reader is, in the units of passage_sink.h. */
enum footnote_rc read_progress(struct format_reader *r, size_t done,
                               size_t total, struct footnote_err *err);

#endif
