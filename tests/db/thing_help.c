/* thing_help.c - see thing_help.h. */
#include "thing_help.h"

struct footnote_err thing_err;

struct db *thing_open(enum db_mode mode, int timeout_ms)
{
    struct db_options o = {.url = test_url(),
                           .mode = mode,
                           .timeout_ms = timeout_ms,
                           .sql = &test_sql_set};
    struct db *db = NULL;

    CHECK_OK(db_open(&o, &db, &thing_err), &thing_err);
    return db;
}

struct db *thing_open_begun(void)
{
    struct db *db = thing_open(DB_WRITE, 0);

    CHECK_OK(db_begin(db, &thing_err), &thing_err);
    return db;
}

void thing_commit(struct db *db)
{
    CHECK_OK(db_commit(db, &thing_err), &thing_err);
}

void thing_begin(struct db *db)
{
    CHECK_OK(db_begin(db, &thing_err), &thing_err);
}

void thing_add(struct db *db, int64_t id, const char *words)
{
    CHECK_OK(db_do(db, TEST_STMT_THING_ADD, &thing_err, db_i64(id),
                   db_text(str_c(words))),
             &thing_err);
}

int64_t thing_ask(struct db *db, enum stmt_id stmt)
{
    struct db_cur *cur = NULL;
    bool row;

    CHECK_OK(db_one_n(db, stmt, NULL, 0, &cur, &row, &thing_err), &thing_err);
    CHECK(row);
    int64_t v = db_col_i64(cur, 0);
    db_end(&cur);
    return v;
}

int64_t thing_count(struct db *db)
{
    return thing_ask(db, TEST_STMT_THING_COUNT);
}

int64_t thing_count_committed(void)
{
    struct db *db = thing_open(DB_READ, 0);

    thing_begin(db);
    int64_t n = thing_count(db);
    db_close(db);
    return n;
}

void thing_check_text(const char *part)
{
    if (!strstr(thing_err.text, part))
        FAIL("\"%s\" is not in \"%s\"", part, thing_err.text);
}

void thing_kill(struct db *db, int64_t pid)
{
    struct db_cur *cur = NULL;
    bool row;

    CHECK_OK(db_begin(db, &thing_err), &thing_err);
    CHECK_OK(
        db_one(db, TEST_STMT_KILL_PID, &cur, &row, &thing_err, db_i64(pid)),
        &thing_err);
    db_end(&cur);
    db_rollback(db);
}
