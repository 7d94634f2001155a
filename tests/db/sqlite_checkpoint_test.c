/* sqlite_checkpoint_test.c - the log goes back into the file while the writer
 * goes on, and then begins anew. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thing_help.h"

enum { PIECE = 1024 * 1024, PIECES_MAX = 600, SEQUENCE_AT = 12 };

/* How often the log has begun anew: it says so in its first bytes. */
static uint32_t log_sequence(void)
{
    unsigned char b[4] = {0};
    char path[4096];
    int fd;

    (void)snprintf(path, sizeof(path), "%s-wal",
                   test_url() + strlen("sqlite:"));
    fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    CHECK_INT(pread(fd, b, sizeof(b), SEQUENCE_AT), sizeof(b));
    CHECK_INT(close(fd), 0);
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
}

static void put_piece(struct db *db, int64_t id)
{
    static char piece[PIECE];

    thing_begin(db);
    CHECK_OK(db_do(db, TEST_STMT_THING_PUT, &thing_err, db_i64(id), db_null(),
                   db_null(), db_null(),
                   db_blob((struct str){piece, sizeof(piece)})),
             &thing_err);
    thing_commit(db);
}

/* Without a pause, and with a reader's connection open, so that closing is not
 * what copies. */
TEST(sqlite_the_log_begins_anew_under_a_busy_writer_in_every_thread)
{
    struct db *db, *reader;
    uint32_t before;
    int64_t n = 0;

    contract_engine("sqlite");
    db = thing_open(DB_WRITE, 0);
    reader = thing_open(DB_READ, 0);
    put_piece(db, ++n);
    before = log_sequence();
    while (log_sequence() == before && n < PIECES_MAX)
        put_piece(db, ++n);
    CHECK(n < PIECES_MAX);
    db_close(db);
    db_close(reader);
    CHECK_INT(thing_count_committed(), n);
}

/* --- a quiet log ---------------------------------------------------------- */

static off_t log_bytes(void)
{
    char path[4096];
    struct stat st;

    (void)snprintf(path, sizeof(path), "%s-wal",
                   test_url() + strlen("sqlite:"));
    CHECK(stat(path, &st) == 0);
    return st.st_size;
}

/* As a store's housekeeping does, every second. */
static bool is_emptied(struct db *db)
{
    thing_begin(db);
    thing_commit(db);
    return log_bytes() == 0;
}

static void await_emptied(int64_t pieces)
{
    struct db *db;

    contract_engine("sqlite");
    db = thing_open(DB_WRITE, 0);
    for (int64_t i = 1; i <= pieces; i++)
        put_piece(db, i);
    CHECK(log_bytes() > 0);
    WAIT_UNTIL(is_emptied(db));
    db_close(db);
    CHECK_INT(thing_count_committed(), pieces);
}

TEST(sqlite_the_log_is_emptied_after_a_while_of_quiet)
{
    await_emptied(1);
}

TEST(sqlite_the_log_is_emptied_after_a_while_of_quiet_by_the_thread)
{
    await_emptied(8);
}

/* A snapshot holds the log, but never the writer. */
TEST(sqlite_the_log_is_emptied_when_its_last_reader_is_gone)
{
    struct db *db, *reader;

    contract_engine("sqlite");
    db = thing_open(DB_WRITE, 0);
    put_piece(db, 1);
    reader = thing_open(DB_READ, 0);
    thing_begin(reader);
    CHECK_INT(thing_count(reader), 1);
    put_piece(db, 2);
    CHECK(!is_emptied(db));
    CHECK_INT(thing_count(reader), 1);
    db_rollback(reader);
    WAIT_UNTIL(is_emptied(db));
    db_close(reader);
    db_close(db);
}
