/* job.h - reading documents in, and the objects they lie in.  Any thread.
 *
 * A document_put with `queue` leaves a job in the same transaction.  A worker
 * of some node claims it, adds passages, reports progress and ends it:
 *
 *     queued --claim--> running --end--> ready or failed (the job is gone)
 *       ^                  |
 *       +--- its node died, or its lease ran out
 *
 * Every step names the epoch of the claim in its statement: a worker whose job
 * was taken over, or whose document was replaced or deleted, is told ENDED.
 * Passages that are there stay, so a job that is done again ends with the same
 * ones.  These operations are the server's own and see every tenant: run them
 * with store_own(). */
#ifndef STORE_DOCUMENT_JOB_H
#define STORE_DOCUMENT_JOB_H
#include "store/document/document.h"

/* A process may die for many reasons while it reads a document: a power cut, an
 * update, another document.  So claims count against a document only until one
 * stores something; after JOB_SHARED_MAX of them it is read when nothing else
 * waits, and alone, so that others come through and its next end is its own;
 * after JOB_ATTEMPTS_MAX it has failed. */
enum { JOB_SHARED_MAX = 3, JOB_ATTEMPTS_MAX = 6, JOB_PASSAGES_MAX = 100 };

/* Where reading can go on: all passages up to here are stored. */
struct job_place {
    int64_t pages;    /* that are done */
    int64_t position; /* of the last passage */
    int64_t blank;    /* pages without text so far */
};
struct job {
    struct str tenant;
    struct document document; /* of the version to read */
    int64_t epoch;
    int64_t attempts; /* claims since one stored something, with this one */
    int64_t passages; /* stored already by an earlier claim */
    struct job_place place;
    int64_t tenant_key;
};

/* Claims a job that waits and may be read now, if there is one, and makes its
 * document INDEXING.
 * Accounts take turns; one that has `most` jobs read by this node is passed
 * over while others wait.  Texts of the job live in `out`, an arena of the
 * caller. */
struct job_claim {
    struct arena *out;
    int64_t most;   /* 0: any number */
    bool found;     /* out */
    struct job job; /* out */
    int64_t epoch;  /* inner */
};
STORE_OP(job_claim);

/* Stores passages and progress in one commit; either may be empty. */
struct job_step {
    const struct job *job;
    const struct passage *passages;
    size_t passages_n; /* at most 100 */
    struct document_progress progress;
    const struct job_place *place; /* NULL: as before */
};
STORE_OP(job_step);

/* Ends the job: READY with the facts that the file told, or FAILED with a
 * sentence.  READY makes it the searched version.  Title, date and language
 * are set where the document has none. */
struct job_end {
    const struct job *job;
    enum document_status status;
    struct str error;      /* failed */
    struct str error_code; /* failed: of reason.h */
    struct str warning;    /* ready: what a reader should know, or absent */
    struct str title, date, language, encoding;
    enum page_layout layout;
    struct str page_labels;
    bool has_pages, has_seconds;
    int64_t pages;
    double seconds;
};
STORE_OP(job_end);

/* Puts the job back into the queue. */
struct job_release {
    const struct job *job;
    bool counts; /* as an attempt: the document may be to blame */
};
STORE_OP(job_release);

/* Sets the object that was fetched from the document's URL. */
struct job_fetched {
    const struct job *job;
    struct str object_key, media_type;
    struct sha256 digest;
    int64_t bytes;
};
STORE_OP(job_fetched);

/* Whether a job waits. */
struct job_waits {
    bool waits; /* out */
};
STORE_OP(job_waits);

/* How many jobs wait and run. */
struct job_count {
    int64_t waiting, running; /* out */
};
STORE_OP(job_count);

/* Has a version read in again whose passage is damaged; the row goes.  `queued`
 * is false when it is sound again, or has no file to be read from. */
struct passage_renew {
    int64_t tenant, document, version, position; /* keys */
    bool queued;                                 /* out */
};
STORE_OP(passage_renew);

/* ---- Objects ------------------------------------------------------------ */

/* An object that no row names is garbage.  Objects of deleted documents become
 * garbage ten minutes after the deletion, so that open files can be read on. */
enum { OBJECT_KEPT_MS = 10 * 60 * 1000, OBJECTS_MAX = 100 };
struct object_garbage {
    int64_t deleted_before_ms;
    struct str *keys; /* out, at most 100 */
    size_t keys_n;
};
STORE_OP(object_garbage); /* reads */

/* Deletes an object's row, after its bytes. */
struct object_forget {
    struct str key;
};
STORE_OP(object_forget);

/* Tells which of these objects no row names. */
struct object_unknown {
    const struct str *keys;
    size_t keys_n;             /* at most 100 */
    bool unknown[OBJECTS_MAX]; /* out */
};
STORE_OP(object_unknown); /* reads */

#endif
