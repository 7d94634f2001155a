/* extract.h - the bytes of a file become passages, in order.
 *
 * Pure: no files, no network, no threads; any thread may call.  The same bytes
 * always give the same passages with the same positions, so a worker that was
 * killed can read the file again and skip the passages that are stored.  Memory
 * is bounded by the limits below, whatever the file claims.
 *
 * A bad file is INVALID or TOOBIG, with a sentence for the person who uploaded
 * it. */
#ifndef INGEST_FORMAT_EXTRACT_H
#define INGEST_FORMAT_EXTRACT_H
#include "cite/source.h"
#include "ingest/format/formats.h"
#include "ingest/text/charset.h"
#include "ingest/text/passage_sink.h"
#include "store/document/document.h"

enum {
    EXTRACT_HEAD_BYTES = CHARSET_HEAD_BYTES, /* what detecting looks at */
    EXTRACT_BYTES_MAX = CHARSET_BYTES_MAX,
    EXTRACT_ARENA_MAX = 320 * 1024 * 1024 /* fits every file that is allowed */
};

struct extract_file {
    struct str bytes, filename;
    const char *declared; /* its encoding, when something told it; or NULL */
};

/* What the file says about itself.  Absent: it does not say. */
struct extract_facts {
    struct str title, language; /* "en", "pt-BR" */
    struct str date;            /* YYYY-MM-DD */
    const char *encoding;    /* of a text, as charset.h names it; NULL: none */
    int64_t pages;           /* slides; 0: it has none */
    enum page_layout layout; /* of a PDF */
    struct str page_labels;  /* JSON, as ingest/pdf/labels.h makes it */
    double seconds;          /* of a transcript: where its last cue ends */
    bool hidden_text;        /* it had text that people cannot see; left out */
    char warning[200]; /* a sentence about what could not be read, or "" */
};

/* Reads all of the file.  Texts of *facts and scratch memory live in `a`: give
 * it EXTRACT_ARENA_MAX, and free it afterwards.  *facts is complete on OK only.
 * A file without text is INVALID.  FORMAT_PDF, FORMAT_MEDIA and
 * FORMAT_UNKNOWN are refused. */
enum footnote_rc extract_run(enum extract_format f,
                             const struct extract_file *file, struct arena *a,
                             const struct passage_sink *sink,
                             struct extract_facts *facts,
                             struct footnote_err *err);

#endif
