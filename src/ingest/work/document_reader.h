/* document_reader.h - one document, from its object to its passages.  One
 * thread. */
#ifndef INGEST_WORK_DOCUMENT_READER_H
#define INGEST_WORK_DOCUMENT_READER_H
#include <stdatomic.h>

#include "ingest/format/extract.h"
#include "ingest/work/ingest.h"
#include "store/document/document.h"
#include "store/document/job.h"

/* A batch of passages is written when it has one of these. */
enum {
    BATCH_BYTES = 512 * 1024,
    BATCH_MS = 500,
    BATCH_ARENA_BYTES_MAX = 8 * 1024 * 1024
};

struct document_reader {
    const struct ingest_options *o;
    const struct job *job;
    const atomic_bool *stop; /* set: end early with BUSY */
    struct arena arena;      /* facts, and what extracting needs */
    struct extract_facts facts;
    int64_t passages; /* that this run has stored */
    /* Private: the batch that is not written yet. */
    struct arena texts;
    struct passage batch[JOB_PASSAGES_MAX];
    size_t batch_n;
    struct document_progress progress;
    int64_t written_ms; /* by the monotonic clock */
};

void document_reader_init(struct document_reader *r,
                          const struct ingest_options *o, const struct job *job,
                          const atomic_bool *stop);
void document_reader_free(struct document_reader *r); /* fit for AUTO */

/* All passages are stored when it returns OK.  INVALID and TOOBIG: the
 * document cannot be read, and the error is a sentence for the person who
 * brought it.  ENDED: the job was cancelled.  Other codes are failures of the
 * server. */
enum footnote_rc document_reader_run(struct document_reader *r,
                                     struct footnote_err *err);

#endif
