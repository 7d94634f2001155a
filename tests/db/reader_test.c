/* reader_test.c - the pool of readers, on both engines. */
#include <pthread.h>

#include "db/reader.h"
#include "job_help.h"

CONTRACT(reader_pool_lends_and_waits)
{
    struct db_options o = job_db_options(200);
    struct writer *w = job_open_writer();
    struct readers *r = NULL;
    struct db *a = NULL, *b = NULL, *c = NULL;
    struct footnote_err err;

    CHECK_OK(readers_open(&o, 2, &r, &err), &err);
    CHECK_OK(readers_take(r, &a, &err), &err);
    CHECK_OK(readers_take(r, &b, &err), &err);
    CHECK(a != b);
    CHECK_INT(readers_take(r, &c, &err), FOOTNOTE_BUSY);
    CHECK(c == NULL);
    readers_give(r, a);
    CHECK_OK(readers_take(r, &c, &err), &err);
    CHECK(c == a);
    readers_give(r, b);
    readers_give(r, c);
    readers_close(r);
    writer_close(w);
}

CONTRACT(reader_pool_opens_lost_connections_again)
{
    struct db_options o = job_db_options(0);
    struct writer *w = job_open_writer();
    struct db *other = thing_open(DB_READ, 0), *db = NULL;
    struct readers *r = NULL;
    struct footnote_err err;

    CHECK_OK(readers_open(&o, 1, &r, &err), &err);
    CHECK_OK(readers_take(r, &db, &err), &err);
    int64_t pid = thing_ask(db, TEST_STMT_MY_PID);
    readers_give(r, db);
    thing_kill(other, pid);
    CHECK_OK(readers_take(r, &db, &err), &err);
    CHECK(thing_ask(db, TEST_STMT_MY_PID) != pid || !test_is_postgres());
    readers_give(r, db);
    readers_close(r);
    db_close(other);
    writer_close(w);
}

static void *lend(void *arg)
{
    struct readers *r = arg;
    struct footnote_err err;
    struct db *db;

    for (int i = 0; i < 50; i++) {
        CHECK_OK(readers_take(r, &db, &err), &err);
        (void)thing_ask(db, TEST_STMT_MY_PID);
        readers_give(r, db);
    }
    return NULL;
}

CONTRACT(reader_pool_serves_many_threads)
{
    struct db_options o = job_db_options(0);
    struct writer *w = job_open_writer();
    struct readers *r = NULL;
    struct footnote_err err;
    pthread_t threads[8];

    CHECK_OK(readers_open(&o, 2, &r, &err), &err);
    for (int i = 0; i < 8; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, lend, r), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    readers_close(r);
    writer_close(w);
}
