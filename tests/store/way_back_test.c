/* way_back_test.c - rows that lead back are compared and made again; digests
 * of rows that nobody reads; a store that is open for reading alone. */
#include <pthread.h>
#include <stdatomic.h>

#include "store/read/digest_check.h"
#include "store/source/way_back.h"
#include "store_help.h"

/* ---- The way back -------------------------------------------------------- */

struct sums {
    int64_t references, missing, unreadable, extra;
};

/* Both walks, page by page. */
static struct sums walk(bool mend)
{
    struct way_back_messages m = {.mend = mend};
    struct way_back_rows r = {.mend = mend};
    struct sums s = {0};

    do {
        CHECK_OK(
            mend ? store_own(st, OP(way_back_messages), &m, &err)
                 : store_own_read(st, &out, OP(way_back_messages), &m, &err),
            &err);
        m.after = m.last;
        s.references += m.references;
        s.missing += m.missing;
        s.unreadable += m.unreadable;
    } while (!m.done);
    do {
        CHECK_OK(mend ? store_own(st, OP(way_back_rows), &r, &err)
                      : store_own_read(st, &out, OP(way_back_rows), &r, &err),
                 &err);
        r.after = r.last;
        s.extra += r.extra;
    } while (!r.done);
    return s;
}

/* Answers enough for several pages, each citing the first of its two. */
enum { ANSWERS = 450, FEW_ANSWERS = 100, SMALL_BYTES_MAX = 1024 * 1024 };
static void save_answers(struct who who, int n)
{
    char session[32], id[32];

    for (int i = 0; i < n; i++) {
        const struct reference refs[] = {slide("d", i % 7 + 1, "shared"),
                                         slide("e", i + 1, "its own")};

        snprintf(session, sizeof(session), "s%d", i % 20);
        snprintf(id, sizeof(id), "a%d", i);
        answer(who, session, id, "so [1]", refs, 2);
    }
}

STORED(the_way_back_is_compared_and_made_again)
{
    struct sums s;

    save_answers(ANN, ANSWERS);
    s = walk(false);
    CHECK_INT(s.references, 2 * ANSWERS);
    CHECK_INT(s.missing + s.extra + s.unreadable, 0);

    sql_do("DELETE FROM source_reference WHERE seq % 3 = 0");
    sql_do("UPDATE source_reference SET cited = 1 - cited WHERE seq % 3 = 1");
    sql_do("INSERT INTO source_reference (source, tenant, session, seq, "
           "number, cited) SELECT source, tenant, session, seq, 77, cited "
           "FROM source_reference WHERE number = 2");
    if (test_is_postgres()) /* has no key there */
        sql_do("INSERT INTO source_reference SELECT * FROM source_reference "
               "WHERE number = 1 AND seq % 3 = 2");
    s = walk(false);
    CHECK(s.missing > ANSWERS && s.extra > 0);
    walk(true);
    s = walk(false);
    CHECK_INT(s.references, 2 * ANSWERS);
    CHECK_INT(s.missing + s.extra + s.unreadable, 0);
} /* and help_close() compares every row by means of its own */

/* Nothing is taken away because of what cannot be read. */
STORED(damaged_references_take_no_row_along)
{
    struct reference r = slide("d", 1, "text");
    struct sums s;

    help_damaged = true;
    answer(ANN, "s", "a", "so [1]", &r, 1);
    answer(ANN, "s", "b", "so [1]", &r, 1);
    help_damaged = true;
    sql_do(test_is_postgres()
               ? "UPDATE message SET refs = '\\x01' WHERE id = 'a'"
               : "UPDATE message SET refs = x'01' WHERE id = 'a'");
    s = walk(true);
    CHECK_INT(s.unreadable, 1);
    CHECK_INT(s.missing + s.extra, 0);
    CHECK_INT(sql_i64("SELECT count(*) FROM source_reference"), 2);
    sql_do("UPDATE message SET refs = NULL");
    sql_do("DELETE FROM source_reference");
}

/* A message that is gone, and one that lost its references. */
STORED(rows_without_a_reference_are_removed)
{
    struct reference r = slide("d", 1, "text");
    struct sums s;

    answer(ANN, "s", "a", "so [1]", &r, 1);
    answer(BEN, "t", "b", "so [1]", &r, 1);
    sql_do("UPDATE source_reference SET seq = seq + 500 WHERE session = "
           "(SELECT session FROM session WHERE id = 't')");
    s = walk(false);
    CHECK_INT(s.missing, 1);
    CHECK_INT(s.extra, 1);
    s = walk(true);
    CHECK_INT(s.missing, 1);
    CHECK_INT(s.extra, 1);
}

static atomic_bool saved_all;

static void *save_in_thread(void *arg)
{
    (void)arg;
    save_answers(BEN, FEW_ANSWERS);
    saved_all = true;
    return NULL;
}

/* Mending is done beside a server that writes. */
STORED_LIMIT(the_way_back_is_mended_beside_a_writer_thread, 120)
{
    pthread_t thread;
    struct sums s;

    save_answers(ANN, FEW_ANSWERS);
    CHECK_INT(pthread_create(&thread, NULL, save_in_thread, NULL), 0);
    while (!saved_all) {
        sql_do("DELETE FROM source_reference WHERE cited = 0");
        walk(true);
    }
    pthread_join(thread, NULL);
    walk(true);
    s = walk(false);
    CHECK_INT(s.references, 4 * FEW_ANSWERS);
    CHECK_INT(s.missing + s.extra, 0);
}

/* ---- Digests ------------------------------------------------------------- */

static int64_t damaged(const struct store_op *kind, int64_t *compared)
{
    struct digest_check c = {.done = false};
    int64_t n = 0;

    *compared = 0;
    while (!c.done) {
        CHECK_OK(store_own_read(st, &out, kind, &c, &err), &err);
        *compared += c.compared;
        n += (int64_t)c.damaged_n;
    }
    return n;
}

static void check_damaged(int64_t messages, int64_t sources)
{
    int64_t n;

    CHECK_INT(damaged(&digest_messages_op, &n), messages);
    CHECK(n > 0);
    CHECK_INT(damaged(&digest_sources_op, &n), sources);
    CHECK(n > 0);
}

STORED(digests_of_all_rows_are_compared)
{
    struct reference r = everything("r");
    int64_t n;

    help_damaged = true;
    save_answers(ANN, ANSWERS);
    say(BEN, "u", "q", FOOTNOTE_USER, "why?");
    answer(BEN, "u", "a", "all of it [1]", &r, 1);
    CHECK_INT(damaged(&digest_messages_op, &n), 0);
    CHECK_INT(n, ANSWERS + 2);
    check_damaged(0, 0);
    help_damaged = true;
    sql_do("UPDATE message SET content = 'why!' WHERE id = 'q'");
    sql_do("UPDATE message SET digest = NULL WHERE id = 'a7'");
    check_damaged(2, 0);
    /* What every answer rests on, and one field that few look at. */
    sql_do("UPDATE source SET end_seconds = 12.5 WHERE end_seconds > 12");
    check_damaged(2, 1);
    sql_do("UPDATE source SET digest = (SELECT digest FROM message "
           "WHERE id = 'a9') WHERE end_seconds > 12");
    check_damaged(3, 1);
}

/* An answer that runs has no digest yet, and is not damaged. */
STORED(a_running_answer_is_not_damaged)
{
    struct answer_begin b = begin(ANN, "s", "q", "a", ANSWER_NEW);
    int64_t n;

    CHECK_INT(damaged(&digest_messages_op, &n), 0);
    CHECK_INT(n, 2);
    (void)b;
}

/* ---- Reading alone ------------------------------------------------------- */

CONTRACT(a_reader_of_the_store_makes_nothing)
{
    struct store *reader = NULL;

    contract_begin_with(NULL);
    CHECK(store_open_reader(test_url(), &reader, &err) == FOOTNOTE_OK);
    /* The first read connects, and there is no schema yet. */
    st = reader;
    out = ARENA(SMALL_BYTES_MAX);
    struct digest_check c = {.done = false};
    CHECK(store_own_read(st, &out, &digest_sources_op, &c, &err) !=
          FOOTNOTE_OK);
    store_close(reader);
    help_open();
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    CHECK_OK(store_open_reader(test_url(), &reader, &err), &err);
    CHECK_OK(store_own_read(reader, &out, &digest_messages_op, &c, &err), &err);
    CHECK_INT(c.compared, 1);
    store_close(reader);
    help_close();
}
