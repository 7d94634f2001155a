/* job_help.c - see job_help.h. */
#include "job_help.h"

int job_forgotten;

static void on_forget(void *arg)
{
    ++*(int *)arg;
}

struct db_options job_db_options(int timeout_ms)
{
    return (struct db_options){.url = test_url(),
                               .mode = DB_WRITE,
                               .timeout_ms = timeout_ms,
                               .sql = &test_sql_set};
}

struct writer *job_open_writer(void)
{
    struct writer_options o = {
        .db = job_db_options(0), .forget = on_forget, .arg = &job_forgotten};
    struct footnote_err err;
    struct writer *w = NULL;

    CHECK_OK(writer_open(&o, &w, &err), &err);
    return w;
}

static bool is_there(struct db *db, int64_t id)
{
    struct db_cur *cur = NULL;
    struct footnote_err err;
    bool row;

    CHECK_OK(db_begin(db, &err), &err);
    CHECK_OK(db_one(db, TEST_STMT_THING_GET, &cur, &row, &err, db_i64(id)),
             &err);
    db_end(&cur);
    db_rollback(db);
    return row;
}

enum footnote_rc job_run_add(struct db *db, struct writer_job *base, bool again,
                             struct footnote_err *err)
{
    struct job *j = (struct job *)base;
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    j->runs++;
    j->again |= again;
    if (j->gate && j->runs == 1) {
        sem_post(&j->gate->reached);
        sem_wait(&j->gate->open);
    }
    TRY(db_one(db, TEST_STMT_THING_GET, &cur, &row, err, db_i64(j->id)));
    if (row && !again)
        return err_set(err, FOOTNOTE_CONFLICT, "%d is there", (int)j->id);
    if (!row)
        TRY(db_do(db, TEST_STMT_THING_ADD, err, db_i64(j->id),
                  db_text(STR("x"))));
    if (j->refuse)
        return err_set(err, j->refuse, "refused");
    return FOOTNOTE_OK;
}

static void on_done(struct writer_job *base, enum footnote_rc rc,
                    const struct footnote_err *err)
{
    struct job *j = (struct job *)base;

    j->rc = rc;
    j->err = *err;
    if (j->other)
        j->seen = is_there(j->other, j->id);
    sem_post(&j->told);
}

void job_submit(struct writer *w, struct job *j)
{
    struct footnote_err err;

    j->job.done = on_done;
    if (!j->job.run)
        j->job.run = job_run_add;
    sem_init(&j->told, 0, 0);
    CHECK_OK(writer_submit(w, &j->job, &err), &err);
}

enum footnote_rc job_outcome(struct job *j)
{
    sem_wait(&j->told);
    sem_destroy(&j->told);
    return j->rc;
}

enum footnote_rc job_submit_and_wait(struct writer *w, struct job *j)
{
    job_submit(w, j);
    return job_outcome(j);
}

void job_submit_batch(struct writer *w, struct job *jobs, size_t n)
{
    struct gate gate;
    struct job first = {.id = 1000000, .gate = &gate};

    sem_init(&gate.reached, 0, 0);
    sem_init(&gate.open, 0, 0);
    job_submit(w, &first);
    sem_wait(&gate.reached);
    for (size_t i = 0; i < n; i++)
        job_submit(w, &jobs[i]);
    sem_post(&gate.open);
    CHECK_INT(job_outcome(&first), FOOTNOTE_OK);
    sem_destroy(&gate.reached);
    sem_destroy(&gate.open);
}
