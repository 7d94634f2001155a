/* writer_test.c - what the writer promises, on both engines. */
#include <pthread.h>

#include "job_help.h"

struct producer {
    pthread_t thread;
    struct writer *w;
    int64_t from;
    int failed;
};

enum { PRODUCERS = 32, JOBS_EACH = 50 };

static void *produce(void *arg)
{
    struct producer *p = arg;

    for (int i = 0; i < JOBS_EACH; i++) {
        struct job j = {.job = {.run = job_run_add}, .id = p->from + i};
        struct footnote_err err;
        p->failed += writer_run(p->w, &j.job, &err) != FOOTNOTE_OK;
    }
    return NULL;
}

CONTRACT(writer_takes_jobs_from_many_threads)
{
    static struct producer p[PRODUCERS];
    struct writer *w = job_open_writer();

    for (int i = 0; i < PRODUCERS; i++) {
        p[i] = (struct producer){.w = w, .from = (int64_t)i * JOBS_EACH};
        CHECK_INT(pthread_create(&p[i].thread, NULL, produce, &p[i]), 0);
    }
    for (int i = 0; i < PRODUCERS; i++) {
        pthread_join(p[i].thread, NULL);
        CHECK_INT(p[i].failed, 0);
    }
    writer_close(w);
    CHECK_INT(thing_count_committed(), PRODUCERS * JOBS_EACH);
}

CONTRACT(writer_tells_after_the_commit)
{
    struct writer *w = job_open_writer();
    struct db *db = thing_open(DB_READ, 0);
    struct job j = {.id = 1, .other = db};

    CHECK_INT(job_submit_and_wait(w, &j), FOOTNOTE_OK);
    CHECK(j.seen);
    db_close(db);
    writer_close(w);
}

CONTRACT(writer_refuses_one_job_without_harm_to_its_batch)
{
    struct writer *w = job_open_writer();
    struct job jobs[10];

    for (int i = 0; i < 10; i++)
        jobs[i] = (struct job){.id = i};
    jobs[3].refuse = FOOTNOTE_TOOBIG; /* after its row */
    jobs[7].id = 6;                   /* is there, from this very batch */
    job_forgotten = 0;
    job_submit_batch(w, jobs, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(job_outcome(&jobs[i]), i == 3   ? FOOTNOTE_TOOBIG
                                         : i == 7 ? FOOTNOTE_CONFLICT
                                                  : FOOTNOTE_OK);
    CHECK_STR(jobs[3].err.text, "refused");
    CHECK(job_forgotten > 0);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 8 + 1);
}

/* In which transaction a job ran last. */
static int64_t ran_in[10];

static enum footnote_rc run_noted(struct db *db, struct writer_job *base,
                                  bool again, struct footnote_err *err)
{
    ran_in[((struct job *)base)->id] = db_transaction(db);
    return job_run_add(db, base, again, err);
}

TEST(sqlite_writer_commits_the_others_of_a_batch_together)
{
    struct writer *w;
    struct job jobs[10];

    contract_engine("sqlite");
    w = job_open_writer();
    for (int i = 0; i < 10; i++)
        jobs[i] = (struct job){.id = i, .job = {.run = run_noted}};
    jobs[3].refuse = FOOTNOTE_TOOBIG; /* after its row */
    job_submit_batch(w, jobs, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(job_outcome(&jobs[i]),
                  i == 3 ? FOOTNOTE_TOOBIG : FOOTNOTE_OK);
    for (int i = 1; i < 10; i++)
        CHECK_INT(ran_in[i], ran_in[0]);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 9 + 1);
}

/* Its failing statement may surface anywhere in the pipeline. */
static enum footnote_rc run_clash(struct db *db, struct writer_job *base,
                                  bool again, struct footnote_err *err)
{
    TRY(job_run_add(db, base, again, err));
    return db_do(db, TEST_STMT_THING_ADD, err, db_i64(((struct job *)base)->id),
                 db_text(STR("y")));
}

CONTRACT(writer_finds_out_whose_statement_failed)
{
    struct writer *w = job_open_writer();
    struct job jobs[5];

    for (int i = 0; i < 5; i++)
        jobs[i] = (struct job){.id = i};
    jobs[2].job.run = run_clash;
    job_submit_batch(w, jobs, 5);
    for (int i = 0; i < 5; i++)
        CHECK_INT(job_outcome(&jobs[i]),
                  i == 2 ? FOOTNOTE_CONFLICT : FOOTNOTE_OK);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 4 + 1);
}

CONTRACT(writer_finishes_what_is_queued_before_it_closes)
{
    enum { N = 600 }; /* more than a batch */
    static struct job jobs[N];
    struct writer *w = job_open_writer();

    for (int i = 0; i < N; i++) {
        jobs[i] = (struct job){.id = i};
        job_submit(w, &jobs[i]);
    }
    writer_close(w);
    for (int i = 0; i < N; i++)
        CHECK_INT(job_outcome(&jobs[i]), FOOTNOTE_OK);
    CHECK_INT(thing_count_committed(), N);
}

static enum footnote_rc on_tick(struct db *db, struct writer_job *base,
                                bool again, struct footnote_err *err)
{
    struct job *j = (struct job *)base;

    TRY(job_run_add(db, base, again, err));
    sem_post(&j->told);
    j->id++;
    return FOOTNOTE_OK;
}

CONTRACT(writer_ticks)
{
    struct job tick = {.id = 1};
    struct writer_options o = {.db = job_db_options(0),
                               .tick_ms = 5,
                               .tick = on_tick,
                               .tick_job = &tick.job};
    struct footnote_err err;
    struct writer *w = NULL;

    sem_init(&tick.told, 0, 0);
    CHECK_OK(writer_open(&o, &w, &err), &err);
    for (int i = 0; i < 3; i++)
        sem_wait(&tick.told);
    writer_close(w);
    CHECK(thing_count_committed() >= 3);
    sem_destroy(&tick.told);
}

/* A tick that leaves something to do: what was submitted meanwhile comes
 * before the next one. */
struct long_tick {
    struct job tick, waiting;
    struct writer *writer;
    sem_t opened; /* `writer` is set */
    int ticks, ticks_before_job;
};

static enum footnote_rc run_waiting(struct db *db, struct writer_job *base,
                                    bool again, struct footnote_err *err)
{
    struct long_tick *l =
        (struct long_tick *)(void *)((char *)base -
                                     offsetof(struct long_tick, waiting));

    l->ticks_before_job = l->ticks;
    return job_run_add(db, base, again, err);
}

static enum footnote_rc long_tick(struct db *db, struct writer_job *base,
                                  bool again, struct footnote_err *err)
{
    struct long_tick *l = (struct long_tick *)base;

    (void)again;
    (void)db;
    (void)err;
    l->ticks++;
    return FOOTNOTE_OK;
}

static bool long_ticked(bool committed, const struct footnote_err *err,
                        void *arg)
{
    struct long_tick *l = arg;

    (void)err;
    CHECK(committed);
    if (l->ticks == 1) {
        sem_wait(&l->opened);
        job_submit(l->writer, &l->waiting);
    }
    sem_post(&l->tick.told);
    return l->ticks < 3;
}

CONTRACT(writer_runs_jobs_between_ticks)
{
    struct long_tick l = {.waiting = {.id = 7}};
    struct writer_options o = {.db = job_db_options(0),
                               .tick_ms = 1000 * 1000,
                               .tick = long_tick,
                               .tick_job = &l.tick.job,
                               .ticked = long_ticked,
                               .arg = &l};
    struct footnote_err err;

    l.waiting.job.run = run_waiting;
    sem_init(&l.tick.told, 0, 0);
    sem_init(&l.opened, 0, 0);
    CHECK_OK(writer_open(&o, &l.writer, &err), &err);
    sem_post(&l.opened);
    for (int i = 0; i < 3; i++)
        sem_wait(&l.tick.told); /* though the next one is due in hours */
    CHECK_INT(job_outcome(&l.waiting), FOOTNOTE_OK);
    writer_close(l.writer);
    CHECK_INT(l.ticks, 3);
    CHECK_INT(l.ticks_before_job, 1);
    sem_destroy(&l.tick.told);
    sem_destroy(&l.opened);
}
