/* writer_run.c - submitting a job and waiting for its outcome. */
#include <pthread.h>

#include "db/writer.h"

/* A job around the caller's, with a lock of its own: the writer wakes exactly
 * the thread whose job is done. */
struct waiter {
    struct writer_job job;
    struct writer_job *inner;
    pthread_mutex_t lock;
    pthread_cond_t woken;
    bool done;
    enum footnote_rc rc;
    struct footnote_err *err;
};

static enum footnote_rc run_inner(struct db *db, struct writer_job *job,
                                  bool again, struct footnote_err *err)
{
    struct waiter *wait = (struct waiter *)job;

    return wait->inner->run(db, wait->inner, again, err);
}

static void wake(struct writer_job *job, enum footnote_rc rc,
                 const struct footnote_err *err)
{
    struct waiter *wait = (struct waiter *)job;

    pthread_mutex_lock(&wait->lock);
    wait->rc = rc;
    if (rc != FOOTNOTE_OK && wait->err)
        *wait->err = *err;
    wait->done = true;
    pthread_cond_signal(&wait->woken);
    pthread_mutex_unlock(&wait->lock);
}

enum footnote_rc writer_run(struct writer *w, struct writer_job *job,
                            struct footnote_err *err)
{
    struct waiter wait = {.job = {.run = run_inner, .done = wake},
                          .inner = job,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .woken = PTHREAD_COND_INITIALIZER,
                          .err = err};
    enum footnote_rc rc = writer_submit(w, &wait.job, err);

    if (rc == FOOTNOTE_OK) {
        pthread_mutex_lock(&wait.lock);
        while (!wait.done)
            pthread_cond_wait(&wait.woken, &wait.lock);
        pthread_mutex_unlock(&wait.lock);
        rc = wait.rc;
    }
    pthread_cond_destroy(&wait.woken);
    pthread_mutex_destroy(&wait.lock);
    return rc;
}
