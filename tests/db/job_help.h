/* job_help.h - jobs for the writer that tests can steer and watch. */
#ifndef JOB_HELP_H
#define JOB_HELP_H
#include <semaphore.h>

#include "db/writer.h"
#include "thing_help.h"

struct gate {
    sem_t reached, open;
};

struct job {
    struct writer_job job;
    struct gate *gate; /* waits there first */
    struct db *other;  /* a second connection, for mischief */
    sem_t told;        /* posted by done */
    int64_t id;
    enum footnote_rc refuse; /* after having written */
    enum footnote_rc rc;
    struct footnote_err err;
    int runs;
    int part;   /* its size, see the trigger in 0002_part.sql; 0: 666 */
    bool seen;  /* by another connection, in done */
    bool again; /* was told so */
};

extern int job_forgotten; /* how often the writer called `forget` */

struct db_options job_db_options(int timeout_ms);
struct writer *job_open_writer(void);
/* What a job does unless told otherwise: adds the thing with its id.
 * Repeatable: what it finds of itself is as good as written. */
enum footnote_rc job_run_add(struct db *db, struct writer_job *base, bool again,
                             struct footnote_err *err);
void job_submit(struct writer *w, struct job *j);
enum footnote_rc job_outcome(struct job *j); /* waits for it */
enum footnote_rc job_submit_and_wait(struct writer *w, struct job *j);
/* Submits all jobs such that they are one batch: the writer is kept at a job
 * before them, with the id 1000000, until they are queued. */
void job_submit_batch(struct writer *w, struct job *jobs, size_t n);

#endif
