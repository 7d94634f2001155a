/* writer_trouble_test.c - collisions, lost connections, failing disks. */
#include <errno.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job_help.h"

/* --- a disk that can fail --------------------------------------------- */

static int failing_syncs, failing_writes;

/* SQLite's calls come here, because the program's own names go first. */
__attribute__((visibility("default"))) int fdatasync(int fd);
__attribute__((visibility("default"))) ssize_t pwrite64(int fd, const void *p,
                                                        size_t n, off64_t at);

int fdatasync(int fd)
{
    if (__atomic_load_n(&failing_syncs, __ATOMIC_SEQ_CST) > 0) {
        __atomic_sub_fetch(&failing_syncs, 1, __ATOMIC_SEQ_CST);
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fdatasync, fd);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
    if (__atomic_load_n(&failing_writes, __ATOMIC_SEQ_CST) > 0) {
        __atomic_sub_fetch(&failing_writes, 1, __ATOMIC_SEQ_CST);
        errno = ENOSPC;
        return -1;
    }
    return (ssize_t)syscall(SYS_pwrite64, fd, p, n, at);
}

/* --- jobs in trouble
 * ---------------------------------------------------------- */

/* At its first run somebody else changes the row that it has read. */
static enum footnote_rc run_collide(struct db *db, struct writer_job *base,
                                    bool again, struct footnote_err *err)
{
    struct job *j = (struct job *)base;
    AUTO(db_end) struct db_cur *cur = NULL;
    AUTO(db_end) struct db_cur *theirs = NULL;
    bool row;

    (void)again;
    TRY(db_one(db, TEST_STMT_THING_GET, &cur, &row, err, db_i64(1)));
    db_end(&cur);
    if (j->runs++ == 0 && test_is_postgres()) {
        TRY(db_begin(j->other, err));
        TRY(db_one(j->other, TEST_STMT_THING_BUMP, &theirs, &row, err,
                   db_i64(10), db_i64(1)));
        db_end(&theirs);
        TRY(db_commit(j->other, err));
    }
    TRY(db_one(db, TEST_STMT_THING_BUMP, &cur, &row, err, db_i64(1),
               db_i64(1)));
    j->id = db_col_i64(cur, 0);
    return FOOTNOTE_OK;
}

/* SQLite is serializable anyway. */
static struct writer *open_serializable(void)
{
    static char url[1024];
    struct writer_options o = {.db = job_db_options(0)};
    struct footnote_err err;
    struct writer *w = NULL;

    snprintf(url, sizeof(url), "%s%s", test_url(),
             test_is_postgres() ? "&options=-c%20default_transaction_isolation"
                                  "%3Dserializable"
                                : "");
    o.db.url = url;
    CHECK_OK(writer_open(&o, &w, &err), &err);
    return w;
}

CONTRACT(writer_repeats_a_batch_that_collided)
{
    struct db_options o = job_db_options(0);
    struct writer *w = open_serializable();
    struct footnote_err err;
    struct db *other = NULL;
    struct job first = {.id = 1}, j = {.job = {.run = run_collide}};

    CHECK_OK(db_open(&o, &other, &err), &err);
    CHECK_INT(job_submit_and_wait(w, &first), FOOTNOTE_OK);
    j.job.done = NULL;
    j.other = other;
    CHECK_OK(writer_run(w, &j.job, &err), &err);
    CHECK_INT(j.runs, test_is_postgres() ? 2 : 1);
    CHECK_INT(j.id, test_is_postgres() ? 11 : 1);
    writer_close(w);
    db_close(other);
}

static enum footnote_rc run_tell_pid(struct db *db, struct writer_job *base,
                                     bool again, struct footnote_err *err)
{
    (void)again;
    (void)err;
    ((struct job *)base)->id = thing_ask(db, TEST_STMT_MY_PID);
    return FOOTNOTE_OK;
}

/* Its own connection is cut at the first run. */
static enum footnote_rc run_cut(struct db *db, struct writer_job *base,
                                bool again, struct footnote_err *err)
{
    struct job *j = (struct job *)base;

    if (j->runs == 0)
        thing_kill(j->other, thing_ask(db, TEST_STMT_MY_PID));
    return job_run_add(db, base, again, err);
}

CONTRACT(writer_survives_a_lost_connection)
{
    struct writer *w = job_open_writer();
    struct db *other = thing_open(DB_READ, 0);
    struct job pid = {.job = {.run = run_tell_pid}}, next = {.id = 1};
    struct job cut = {.id = 2, .job = {.run = run_cut}, .other = other};

    CHECK_INT(job_submit_and_wait(w, &pid), FOOTNOTE_OK);
    thing_kill(other, pid.id);
    CHECK_INT(job_submit_and_wait(w, &next), FOOTNOTE_OK);
    CHECK_INT(next.runs, 1);
    CHECK_INT(job_submit_and_wait(w, &cut), FOOTNOTE_OK);
    CHECK_INT(cut.runs, test_is_postgres() ? 2 : 1);
    CHECK(!cut.again);
    db_close(other);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 2);
}

/* The commit of its first run ends in the middle: on PostgreSQL a trigger
 * kills the server's process (666), on SQLite the disk fails to sync. */
static enum footnote_rc run_unsure(struct db *db, struct writer_job *base,
                                   bool again, struct footnote_err *err)
{
    struct job *j = (struct job *)base;

    TRY(job_run_add(db, base, again, err));
    if (again)
        return FOOTNOTE_OK;
    if (!test_is_postgres())
        __atomic_store_n(&failing_syncs, 1, __ATOMIC_SEQ_CST);
    return db_do(db, TEST_STMT_PART_ADD, err, db_i64(j->id), db_i64(1),
                 db_i64(j->part ? j->part : 666), db_null());
}

CONTRACT(writer_settles_an_unsure_commit)
{
    struct writer *w = job_open_writer();
    struct job jobs[3] = {{.id = 1}, {.id = 2}, {.id = 3}};

    jobs[1].job.run = run_unsure;
    job_submit_batch(w, jobs, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(job_outcome(&jobs[i]), FOOTNOTE_OK);
        CHECK(jobs[i].again);
        CHECK_INT(jobs[i].runs, 2);
    }
    writer_close(w);
    CHECK_INT(thing_count_committed(), 3 + 1);
}

/* The same, every time. */
static enum footnote_rc run_never_sure(struct db *db, struct writer_job *base,
                                       bool again, struct footnote_err *err)
{
    struct job *j = (struct job *)base;

    TRY(job_run_add(db, base, again, err));
    if (!test_is_postgres())
        __atomic_store_n(&failing_syncs, 1, __ATOMIC_SEQ_CST);
    return db_do(db, TEST_STMT_PART_ADD, err, db_i64(j->id), db_i64(j->runs),
                 db_i64(666), db_null());
}

CONTRACT(writer_says_unsure_when_it_stays_so)
{
    struct writer *w = job_open_writer();
    struct job never = {.id = 1, .job = {.run = run_never_sure}};
    struct job next = {.id = 2};

    CHECK_INT(job_submit_and_wait(w, &never), FOOTNOTE_UNSURE);
    CHECK(never.again);
    CHECK_INT(job_submit_and_wait(w, &next), FOOTNOTE_OK);
    writer_close(w);
}

TEST(writer_sqlite_full_disk_is_busy_and_passes)
{
    struct writer *w = job_open_writer();
    struct job before = {.id = 1}, full = {.id = 2}, after = {.id = 3};

    CHECK_INT(job_submit_and_wait(w, &before), FOOTNOTE_OK);
    failing_writes = 1000;
    CHECK_INT(job_submit_and_wait(w, &full), FOOTNOTE_BUSY);
    CHECK(strstr(full.err.text, "no room on disk") != NULL);
    failing_writes = 0;
    CHECK_INT(job_submit_and_wait(w, &after), FOOTNOTE_OK);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 2);
}

static void alter_database(const char *how)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {getenv("TEST_POSTGRES"), "postgres", "postgres",
                            NULL};
    char sql[400];

    (void)test_url(); /* makes it */
    PGconn *c = PQconnectdbParams(keys, values, 0);

    snprintf(sql, sizeof(sql), "ALTER DATABASE %s %s", test_note(), how);
    PGresult *r = PQexec(c, sql);
    CHECK_STR(PQcmdStatus(r), "ALTER DATABASE");
    PQclear(r);
    PQfinish(c);
}

static void disallow_connections(void)
{
    alter_database("ALLOW_CONNECTIONS false");
}

TEST(writer_postgres_gone_for_good_is_busy)
{
    contract_engine("postgres");
    struct writer *w = job_open_writer();
    struct db *other = thing_open(DB_READ, 0);
    struct job pid = {.job = {.run = run_tell_pid}}, next = {.id = 1};

    CHECK_INT(job_submit_and_wait(w, &pid), FOOTNOTE_OK);
    disallow_connections();
    thing_kill(other, pid.id);
    CHECK_INT(job_submit_and_wait(w, &next), FOOTNOTE_BUSY);
    db_close(other);
    writer_close(w);
}

/* It may be there: the failure to connect again must not hide that. */
static enum footnote_rc run_last(struct db *db, struct writer_job *base,
                                 bool again, struct footnote_err *err)
{
    disallow_connections();
    return run_unsure(db, base, again, err);
}

TEST(writer_postgres_unsure_and_gone_is_unsure)
{
    contract_engine("postgres");
    struct writer *w = job_open_writer();
    struct job jobs[3] = {{.id = 1}, {.id = 2}, {.id = 1}};

    jobs[1].job.run = run_last;
    job_submit_batch(w, jobs, 3);
    CHECK_INT(job_outcome(&jobs[0]), FOOTNOTE_UNSURE);
    CHECK_INT(job_outcome(&jobs[1]), FOOTNOTE_UNSURE);
    CHECK_INT(job_outcome(&jobs[2]),
              FOOTNOTE_BUSY); /* was refused: not there */
    writer_close(w);
}

TEST(writer_postgres_commit_with_a_warning_is_unsure)
{
    contract_engine("postgres");
    struct writer *w = job_open_writer();
    struct job j = {.id = 1, .part = 667, .job = {.run = run_unsure}};

    CHECK_INT(job_submit_and_wait(w, &j), FOOTNOTE_OK);
    CHECK_INT(j.runs, 2);
    CHECK(j.again);
    writer_close(w);
    CHECK_INT(thing_count_committed(), 1);
}

TEST(writer_postgres_leaves_a_read_only_server)
{
    contract_engine("postgres");
    struct job refused = {.id = 1}, next = {.id = 2};

    writer_close(job_open_writer()); /* makes the tables */
    alter_database("SET default_transaction_read_only = on");
    struct writer *w = job_open_writer();
    CHECK_INT(job_submit_and_wait(w, &refused), FOOTNOTE_READONLY);
    alter_database("RESET default_transaction_read_only");
    CHECK_INT(job_submit_and_wait(w, &next), FOOTNOTE_OK);
    writer_close(w);
}
