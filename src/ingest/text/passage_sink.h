/* passage_sink.h - where a reader sends its passages. */
#ifndef INGEST_TEXT_PASSAGE_SINK_H
#define INGEST_TEXT_PASSAGE_SINK_H
#include "base/err.h"

struct passage; /* store/document/document.h */

enum { PASSAGES_MAX = 1000 * 1000 }; /* of a document; more is TOOBIG */

/* A callback's code that is not OK ends the reading, which returns it. */
struct passage_sink {
    void *arg;
    /* Positions count from 1.  Texts are borrowed for the call. */
    enum footnote_rc (*passage)(void *arg, const struct passage *p,
                                struct footnote_err *err);
    /* `done` and `total` count slides of a presentation, pages of a PDF, and
     * bytes otherwise.  `total` may be an estimate; `done` never goes back.
     * May be NULL. */
    enum footnote_rc (*progress)(void *arg, int64_t done, int64_t total,
                                 struct footnote_err *err);
};

#endif
