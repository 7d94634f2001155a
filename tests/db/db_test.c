/* db_test.c - statements, values and transactions, the same on both engines. */
#include "base/clock.h"
#include "base/uuid.h"
#include "thing_help.h"

/* --- values ----------------------------------------------------------- */

struct row {
    struct db_value whole, real, words, bytes;
};

static int64_t bits_of(double v)
{
    int64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

static void check_value(struct db_cur *cur, int column, struct db_value want)
{

    CHECK_INT(db_col_null(cur, column), want.type == DB_NULL);
    switch (want.type) {
    case DB_NULL:
        CHECK_INT(db_col_i64(cur, column), 0);
        CHECK(db_col_str(cur, column).p == NULL);
        return;
    case DB_I64: CHECK_INT(db_col_i64(cur, column), want.i); return;
    case DB_F64:
        CHECK_INT(bits_of(db_col_f64(cur, column)), bits_of(want.f));
        return;
    case DB_TEXT:
    case DB_BLOB: CHECK_TEXT(db_col_str(cur, column), want.s); return;
    }
}

static void round_trip(struct db *db, int64_t id, struct row r)
{
    struct db_cur *cur = NULL;
    bool row;

    CHECK_OK(db_do(db, TEST_STMT_THING_PUT, &thing_err, db_i64(id), r.whole,
                   r.real, r.words, r.bytes),
             &thing_err);
    CHECK_OK(
        db_one(db, TEST_STMT_THING_GET, &cur, &row, &thing_err, db_i64(id)),
        &thing_err);
    CHECK(row);
    check_value(cur, 0, db_i64(id));
    check_value(cur, 1, r.whole);
    check_value(cur, 2, r.real);
    check_value(cur, 3, r.words);
    check_value(cur, 4, r.bytes);
    CHECK_OK(db_next(cur, &row, &thing_err), &thing_err);
    CHECK(!row);
    CHECK_OK(db_next(cur, &row, &thing_err),
             &thing_err); /* the end stays the end */
    CHECK(!row);
    db_end(&cur);
}

CONTRACT(db_values_come_back_exactly)
{
    static const int64_t whole[] = {0, 1, -1, INT64_MAX, INT64_MIN};
    /* Not -0.0: SQLite keeps it as the integer 0. */
    static const double real[] = {0,     12.345, 1e-7,  5e-324,
                                  1e308, 0.1,    -1e-7, 1.0 / 3};
    struct db *db = thing_open_begun();
    int64_t id = INT64_MIN;

    round_trip(db, id++,
               (struct row){db_null(), db_null(), db_null(), db_null()});
    round_trip(
        db, id++,
        (struct row){db_i64(0), db_f64(0), db_text(STR("")), db_blob(STR(""))});
    round_trip(db, id++,
               (struct row){db_null(), db_null(),
                            db_text(STR("\xf0\x9f\x93\x8e '; DROP TABLE")),
                            db_blob(STR("\0\xff\0"))});
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        round_trip(db, id++, (struct row){.whole = db_i64(whole[i])});
    for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
        round_trip(db, id++, (struct row){.real = db_f64(real[i])});
    thing_commit(db);
    db_close(db);
}

static void read_rotten(struct db *db, int64_t id, enum footnote_rc want)
{
    struct db_cur *cur = NULL;
    bool row;

    CHECK_OK(
        db_one(db, TEST_STMT_THING_GET, &cur, &row, &thing_err, db_i64(id)),
        &thing_err);
    CHECK(row);
    CHECK_INT(db_col_i64(cur, 0), id);
    CHECK_INT(db_sound(db, &thing_err), FOOTNOTE_OK); /* nobody has looked */
    CHECK_F64(db_col_f64(cur, 2), 0.0);
    CHECK_INT(db_sound(db, &thing_err), want);
    if (!test_is_postgres() && want != FOOTNOTE_OK)
        CHECK_TEXT(db_col_str(cur, 3), STR(""));
    CHECK_INT(db_sound(db, &thing_err), want);
    db_end(&cur);
}

CONTRACT(db_what_nobody_can_have_stored_is_not_handed_out)
{
    struct db *db = thing_open_begun();

    thing_add(db, 1, "rotten");
    thing_add(db, 2, "sound");
    CHECK_OK(db_do(db, TEST_STMT_THING_ROT, &thing_err, db_i64(1)), &thing_err);
    read_rotten(db, 1, FOOTNOTE_DAMAGED);
    CHECK_OK(db_part_begin(db, &thing_err), &thing_err);
    read_rotten(db, 2, FOOTNOTE_OK); /* it was another job's */
    CHECK_OK(db_part_end(db, &thing_err), &thing_err);
    thing_commit(db);
    db_close(db);
}

CONTRACT(db_random_doubles_come_back_bit_for_bit)
{
    struct db *db = thing_open_begun();

    for (int64_t id = 0; id < 1000; id++) {
        double v;
        do
            random_bytes(&v, sizeof(v));
        while (v != v);
        round_trip(db, id, (struct row){.real = db_f64(v)});
    }
    db_close(db);
}

CONTRACT(db_small_columns_hold_small_numbers)
{
    struct db *db = thing_open_begun();
    struct db_cur *cur = NULL;
    bool row;

    thing_add(db, 1, "x");
    CHECK_OK(db_do(db, TEST_STMT_PART_ADD, &thing_err, db_i64(1), db_i64(-3),
                   db_i64(32767), db_i64(1)),
             &thing_err);
    CHECK_OK(db_one(db, TEST_STMT_PART_GET, &cur, &row, &thing_err, db_i64(1)),
             &thing_err);
    CHECK(row);
    CHECK_INT(db_col_i64(cur, 0), -3);
    CHECK_INT(db_col_i64(cur, 1), 32767);
    CHECK_INT(db_col_i64(cur, 2), 1);
    CHECK_F64(db_col_f64(cur, 1), 32767.0);
    db_end(&cur);
    db_close(db);
}

/* Far more than the socket's buffers hold, in both directions at once. */
CONTRACT(db_much_can_be_in_flight)
{
    enum { N = 150, BYTES = 64 * 1024 };
    struct db *db = thing_open_begun();
    struct db_cur *cur[N] = {NULL};
    static char text[BYTES];
    bool row;

    for (int i = 0; i < N; i++) {
        memset(text, 'a' + i % 26, BYTES);
        struct db_value v = db_text((struct str){text, BYTES});
        CHECK_OK(db_do(db, TEST_STMT_THING_ADD, &thing_err, db_i64(i), v),
                 &thing_err);
        CHECK_OK(
            db_run(db, TEST_STMT_THING_GET, &cur[i], &thing_err, db_i64(i)),
            &thing_err);
    }
    for (int i = 0; i < N; i++) {
        memset(text, 'a' + i % 26, BYTES);
        CHECK_OK(db_next(cur[i], &row, &thing_err), &thing_err);
        CHECK(row);
        CHECK_TEXT(db_col_str(cur[i], 3), ((struct str){text, BYTES}));
        db_end(&cur[i]);
    }
    thing_commit(db);
    db_close(db);
}

CONTRACT(db_statements_may_differ_by_engine)
{
    struct db *db = thing_open_begun();
    struct db_cur *cur = NULL;
    bool row;
    char want[64];

    snprintf(want, sizeof(want), "%s; -- $9 \"x\"", db_engine(db));
    CHECK_OK(db_one(db, TEST_STMT_ENGINE, &cur, &row, &thing_err, db_i64(41)),
             &thing_err);
    CHECK(row);
    CHECK_TEXT(db_col_str(cur, 0), str_c(want));
    CHECK_INT(db_col_i64(cur, 1), 42);
    db_end(&cur);
    CHECK_INT(db_has_round_trips(db), test_is_postgres());
    CHECK_INT(db_has_rival_writers(db), test_is_postgres());
    CHECK_INT(db_has_other_machines(db), test_is_postgres());
    db_close(db);
}

/* --- mistakes --------------------------------------------------------- */

static void check_refused(enum footnote_rc want, enum stmt_id stmt,
                          const struct db_value *args, size_t n)
{
    struct db *db = thing_open_begun();
    struct db_cur *cur = NULL;
    bool row = true;

    thing_add(db, 1, "x");
    CHECK_OK(db_run_n(db, stmt, args, n, &cur, &thing_err), &thing_err);
    CHECK_INT(db_next(cur, &row, &thing_err), want);
    CHECK_INT(thing_err.rc, want);
    CHECK(!row);
    db_end(&cur);
    db_rollback(db);
    thing_begin(db); /* and it can be used again */
    CHECK_INT(thing_count(db), 0);
    db_close(db);
}

CONTRACT(db_same_mistake_same_code)
{
    const struct db_value twice[] = {db_i64(1), db_text(STR("y"))};
    const struct db_value checked[] = {db_i64(2), db_text(STR("forbidden"))};
    const struct db_value empty[] = {db_i64(1), db_i64(1), db_null(),
                                     db_null()};
    const struct db_value orphan[] = {db_i64(99), db_i64(1), db_i64(1),
                                      db_null()};

    check_refused(FOOTNOTE_CONFLICT, TEST_STMT_THING_ADD, twice, 2);
    check_refused(FOOTNOTE_INVALID, TEST_STMT_THING_ADD, checked, 2);
    check_refused(FOOTNOTE_INVALID, TEST_STMT_PART_ADD, empty, 4);
    check_refused(FOOTNOTE_NOTFOUND, TEST_STMT_PART_ADD, orphan, 4);
}

/* Where it surfaces is the driver's choice, but it must, and nothing stays. */
CONTRACT(db_a_failed_do_fails_the_commit)
{
    struct db *db = thing_open_begun();
    enum footnote_rc rc;

    thing_add(db, 1, "x");
    rc = db_do(db, TEST_STMT_THING_ADD, &thing_err, db_i64(1),
               db_text(STR("y")));
    if (rc == FOOTNOTE_OK)
        rc = db_commit(db, &thing_err);
    CHECK_INT(rc, FOOTNOTE_CONFLICT);
    thing_check_text("thing_add");
    db_rollback(db);
    thing_begin(db);
    CHECK_INT(thing_count(db), 0);
    db_close(db);
}

CONTRACT(db_readers_cannot_write)
{
    db_close(thing_open(DB_WRITE, 0));
    struct db *db = thing_open(DB_READ, 0);
    enum footnote_rc rc;

    thing_begin(db);
    rc = db_do(db, TEST_STMT_THING_ADD, &thing_err, db_i64(1),
               db_text(STR("y")));
    if (rc == FOOTNOTE_OK)
        rc = db_commit(db, &thing_err);
    CHECK_INT(rc, FOOTNOTE_READONLY);
    db_close(db);
}

CONTRACT(db_tells_how_many_rows_were_changed)
{
    struct db *db = thing_open_begun();
    int64_t rows;

    for (int64_t id = 1; id <= 3; id++)
        thing_add(db, id, "said");
    for (int64_t id = 1; id <= 4; id++) {
        CHECK_OK(db_change(db, TEST_STMT_THING_SAY, &rows, &thing_err,
                           db_text(STR("unsaid")), db_i64(id)),
                 &thing_err);
        CHECK_INT(rows, 4 - id);
    }
    CHECK_OK(db_change(db, TEST_STMT_THING_ADD, &rows, &thing_err, db_i64(9),
                       db_text(STR("more"))),
             &thing_err);
    CHECK_INT(rows, 1);
    thing_commit(db);
    db_close(db);
}

/* --- transactions ----------------------------------------------------- */

CONTRACT(db_rollback_leaves_nothing)
{
    struct db *db = thing_open_begun();

    thing_add(db, 1, "kept");
    thing_commit(db);
    thing_begin(db);
    thing_add(db, 2, "lost");
    db_rollback(db);
    db_rollback(db); /* nothing open is fine */
    CHECK_INT(thing_count_committed(), 1);
    thing_begin(db);
    thing_add(db, 3, "lost too");
    db_close(db);
    CHECK_INT(thing_count_committed(), 1);
}

/* Rows are read after the last statement, and the next moment is another. */
CONTRACT(db_a_reader_may_say_which_statement_is_its_last)
{
    struct db *writer = thing_open_begun();
    struct db *reader = thing_open(DB_READ, 0);

    for (int64_t i = 1; i <= 3; i++) {
        AUTO(db_end) struct db_cur *cur = NULL;
        bool row;

        thing_add(writer, i, "x");
        thing_commit(writer);
        thing_begin(writer);
        thing_begin(reader);
        CHECK_OK(
            db_run_n(reader, TEST_STMT_THING_COUNT, NULL, 0, &cur, &thing_err),
            &thing_err);
        db_last(reader);
        CHECK_OK(db_next(cur, &row, &thing_err), &thing_err);
        CHECK_INT(db_col_i64(cur, 0), i);
        db_end(&cur);
        if (i == 2)
            thing_commit(reader);
        else
            db_rollback(reader);
    }
    db_close(reader);
    db_close(writer);
}

CONTRACT(db_a_reader_sees_one_moment)
{
    struct db *writer = thing_open_begun();

    thing_add(writer, 1, "x");
    thing_commit(writer);
    struct db *reader = thing_open(DB_READ, 0);
    thing_begin(reader);
    CHECK_INT(thing_count(reader), 1);
    thing_begin(writer);
    thing_add(writer, 2, "y");
    thing_commit(writer);
    CHECK_INT(thing_count(reader), 1);
    thing_commit(reader);
    thing_begin(reader);
    CHECK_INT(thing_count(reader), 2);
    db_close(reader);
    db_close(writer);
}

CONTRACT(db_a_part_that_wrote_nothing_can_be_undone)
{
    struct db *db = thing_open_begun();

    thing_add(db, 1, "kept");
    CHECK_OK(db_part_begin(db, &thing_err), &thing_err);
    CHECK_INT(thing_count(db), 1);
    CHECK(db_part_undo(db));
    CHECK_OK(db_part_begin(db, &thing_err), &thing_err);
    thing_add(db, 2, "too much");
    CHECK(!db_part_undo(db));
    db_close(db);
}

/* SQLite can; PostgreSQL says no. */
CONTRACT(db_a_part_can_be_undone_with_care)
{
    struct db *db = thing_open(DB_WRITE, 0);

    CHECK(db_care(db, true) == !test_is_postgres());
    CHECK_OK(db_begin(db, &thing_err), &thing_err);
    thing_add(db, 1, "kept");
    CHECK_OK(db_part_begin(db, &thing_err), &thing_err);
    thing_add(db, 2, "undone");
    CHECK(db_part_undo(db) == !test_is_postgres());
    if (!test_is_postgres()) {
        CHECK_INT(thing_count(db), 1);
        thing_commit(db);
        CHECK_INT(thing_count_committed(), 1);
    }
    db_close(db);
}

CONTRACT(db_a_statement_can_run_again_before_it_is_read)
{
    struct db *db = thing_open_begun();
    struct db_cur *cur[3] = {NULL};
    bool row;

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            thing_add(db, round * 3 + i, "x");
        for (int i = 0; i < 3; i++)
            CHECK_OK(db_run(db, TEST_STMT_THING_GET, &cur[i], &thing_err,
                            db_i64(round * 3 + i)),
                     &thing_err);
        for (int i = 2; i >= 0; i--) {
            CHECK_OK(db_next(cur[i], &row, &thing_err), &thing_err);
            CHECK(row);
            CHECK_INT(db_col_i64(cur[i], 0), round * 3 + i);
        }
        for (int i = 0; i < 3; i++)
            db_end(&cur[i]);
    }
    CHECK_OK(db_run(db, TEST_STMT_THING_GET, &cur[0], &thing_err, db_i64(0)),
             &thing_err);
    db_end(&cur[0]); /* never read */
    thing_commit(db);
    db_close(db);
}

/* --- deadlines -------------------------------------------------------- */

CONTRACT(db_a_slow_statement_is_busy_in_time)
{
    struct db *db = thing_open(DB_WRITE, 300);
    struct db_cur *cur = NULL;
    int64_t start = clock_mono_ms();
    bool row;

    thing_begin(db);
    CHECK_INT(db_one_n(db, TEST_STMT_NAP, NULL, 0, &cur, &row, &thing_err),
              FOOTNOTE_BUSY);
    CHECK(clock_mono_ms() - start < 20000);
    thing_check_text("out of time");
    db_end(&cur);
    db_rollback(db);
    thing_begin(db);
    CHECK_INT(thing_count(db), 0);
    db_close(db);
}

CONTRACT(db_a_held_lock_is_busy_in_time)
{
    struct db *first = thing_open_begun();
    struct db *second = thing_open(DB_WRITE, 300);
    struct db_cur *cur = NULL;
    enum footnote_rc rc;
    bool row;

    thing_add(first, 1, "x");
    thing_commit(first);
    thing_begin(first);
    CHECK_OK(db_one(first, TEST_STMT_THING_BUMP, &cur, &row, &thing_err,
                    db_i64(1), db_i64(1)),
             &thing_err);
    db_end(&cur);
    rc = db_begin(second, &thing_err);
    if (rc == FOOTNOTE_OK)
        rc = db_one(second, TEST_STMT_THING_BUMP, &cur, &row, &thing_err,
                    db_i64(1), db_i64(1));
    CHECK_INT(rc, FOOTNOTE_BUSY);
    db_end(&cur);
    db_close(second);
    thing_commit(first);
    db_close(first);
}
