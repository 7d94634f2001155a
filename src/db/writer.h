/* writer.h - one thread, one connection, group commit.  Any thread submits.
 *
 * The writer takes whatever is queued, runs it in one transaction, commits,
 * and only then tells the submitters.  While it waits for the disk the next
 * batch gathers.  After a batch of many jobs it also waits a little while only
 * patient jobs come (queue.h): these are words of many running answers, and one
 * commit costs the same for all of them.  Between batches, about every
 * `tick_ms`, it does its housekeeping.
 *
 *     queued --> run in a batch --> committed --> done(OK)
 *                  |    \  refused, nothing written -----> done(its code)
 *                  |     \ refused after it had written: the batch is rolled
 *                  |        back and run again with care, so that this part
 *                  |        is undone alone; where the engine cannot do that,
 *                  |        or the transaction is lost, each job is redone
 *                  |        alone in a transaction of its own
 *                  +-- serialization failure, or connection lost before the
 *                      commit: whole batch again, 8 times;
 *                      a key that another node took just now: alone, 3 times
 *
 * A failed commit fails every job of the batch; an UNSURE one (connection
 * lost while committing) is resolved by redoing each job alone: jobs are
 * repeatable, they find their own earlier effect by its id.  A job whose
 * redoing fails for lack of a connection is UNSURE. */
#ifndef DB_WRITER_H
#define DB_WRITER_H
#include "base/queue.h"
#include "db/db.h"

struct writer;
struct writer_job;

/* Runs in the writer's thread, possibly more than once: everything it decides
 * comes from the database and its own inputs.  `again` is true when an
 * earlier run may have been committed. */
typedef enum footnote_rc writer_fn(struct db *db, struct writer_job *job,
                                   bool again, struct footnote_err *err);
/* Called once, in the writer's thread, after the outcome is known.  The job is
 * the submitter's again from here on. */
typedef void writer_done_fn(struct writer_job *job, enum footnote_rc rc,
                            const struct footnote_err *err);

struct writer_job {
    struct queue_item item; /* writer's, as is the next one */
    int64_t began_ms;       /* the caller's time runs from here */
    writer_fn *run;
    writer_done_fn *done;
};

struct writer_options {
    struct db_options db;
    size_t queue_max;  /* 0: 8192 */
    size_t batch_max;  /* 0: 1024 */
    int gather_us;     /* for how long patient jobs wait for others; 0: 800 */
    size_t gather_max; /* or until so many are there; 0: 36.  After a batch of
                          over twice as many, half of that; and 1600 for 800 */
    int tick_ms;       /* how often `tick` is due, first at once; 0: never */
    /* Housekeeping, in a transaction of its own.  It does as much as the jobs
     * that queue up meanwhile can wait for. */
    writer_fn *tick;
    struct writer_job *tick_job;
    /* Told after each tick whether it was committed, or why not; `err` is NULL
     * when another try may well succeed.  True: it left something to do, and
     * the next one is due after the jobs that wait now.  May be NULL. */
    bool (*ticked)(bool committed, const struct footnote_err *err, void *arg);
    /* Told when a batch or a tick begins and when it is over, and what the
     * database itself came to: OK after a commit, else why it could not.  In
     * the writer's thread; both may be NULL. */
    void (*busy)(bool busy, void *arg);
    void (*outcome)(enum footnote_rc rc, const struct footnote_err *err,
                    void *arg);
    /* Told after every rollback, also of one job's part that wrote, before
     * anything is redone: what was learned from uncommitted rows is not true.
     * In the writer's thread.  May be NULL. */
    void (*forget)(void *arg);
    /* Called last in the transaction of a batch: what its jobs gathered to
     * write together.  Its failure is that of all of them.  May be NULL. */
    enum footnote_rc (*before_commit)(struct db *db, void *arg,
                                      struct footnote_err *err);
    void *arg; /* of these five */
};

/* Connects, migrates, starts the thread.  *out is yours: writer_close(). */
enum footnote_rc writer_open(const struct writer_options *o,
                             struct writer **out, struct footnote_err *err);
/* Finishes what is queued, then stops.  NULL is fine. */
void writer_close(struct writer *w);

/* Hands the job over; `done` will be called.  Waits for room in the queue. */
enum footnote_rc writer_submit(struct writer *w, struct writer_job *job,
                               struct footnote_err *err);
/* The same without waiting: BUSY when the queue is full. */
enum footnote_rc writer_try_submit(struct writer *w, struct writer_job *job,
                                   struct footnote_err *err);
/* Submits and waits for the outcome (sets job->done itself). */
enum footnote_rc writer_run(struct writer *w, struct writer_job *job,
                            struct footnote_err *err);

#endif
