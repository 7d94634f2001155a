/* ingest.h - workers that read documents in.  Any thread.
 *
 *     claim a job --> its object --> extract.h, jailed.h or pdf.h --> passages,
 *     in batches of one commit each, with how far it is --> ready or failed
 *
 * The job of a worker that is killed goes to another worker, here or on another
 * node, which goes on at the last stored place and ends with the same passages.
 * A document that cannot be read fails with a sentence for the person who
 * brought it; the others go on.  store_watch() tells when a document changes.
 *
 * Workers that have nothing to read remove objects that no row names. */
#ifndef INGEST_WORK_INGEST_H
#define INGEST_WORK_INGEST_H
#include "ingest/fetch/fetch.h"
#include "ingest/jailed/jailed.h"
#include "object/object.h"
#include "store/document/job.h"

enum { INGEST_WORKERS_MAX = 64 };

struct ingest;
struct ingest_options {
    /* All of these outlive the workers. */
    struct store *store;
    struct objects *objects;
    /* NULL, but in tests. */
    const struct fetch_test *fetch;
    const struct jailed_options *jailed;
    const char *ocr_languages; /* of pictures; NULL: they are not read */
    int workers;               /* threads, 1 to INGEST_WORKERS_MAX */
};

/* Starts the workers.  *out is yours: ingest_close(). */
enum footnote_rc ingest_open(const struct ingest_options *o,
                             struct ingest **out, struct footnote_err *err);
/* Stops the workers; their jobs go back to the queue.  NULL is fine. */
void ingest_close(struct ingest *in);

/* What they did since they started. */
struct ingest_counts {
    int64_t ready, failed; /* documents */
    int64_t passages, pages;
};
struct ingest_counts ingest_count(struct ingest *in);

#endif
