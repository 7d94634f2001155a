/* ingest.h - workers that read documents in.  Any thread.
 *
 *     claim a job --> its object --> extract.h or pdf.h --> passages, in
 *     batches of one commit each, with how far it is --> ready or failed
 *
 * A worker that is killed leaves its job to the next one, here or on another
 * node, which goes on at the last place that was kept and ends with the same
 * passages.  A document that cannot be read fails with a sentence for the
 * person who brought it; the others go on.  Who wants to know when a document
 * changes asks the store (store_watch).
 *
 * While they have nothing to read, workers remove objects that nothing names
 * any more. */
#ifndef INGEST_WORK_INGEST_H
#define INGEST_WORK_INGEST_H
#include "ingest/fetch/fetch.h"
#include "object/object.h"
#include "store/document/job.h"

enum { INGEST_WORKERS_MAX = 64 };

struct ingest;
struct ingest_options {
    struct store *store;            /* outlives it, as do the next two */
    struct objects *objects;        /* */
    const struct fetch_test *fetch; /* NULL, but in tests */
    int workers;                    /* threads, 1 to 64 */
};

/* Starts the workers.  *out is yours: ingest_close(). */
enum footnote_rc ingest_open(const struct ingest_options *o,
                             struct ingest **out, struct footnote_err *err);
/* Stops them: what they read goes back to the queue.  NULL is fine. */
void ingest_close(struct ingest *in);

/* What they did since they started. */
struct ingest_counts {
    int64_t ready, failed; /* documents */
    int64_t passages, pages;
};
struct ingest_counts ingest_count(struct ingest *in);

#endif
