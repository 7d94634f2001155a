/* word_log_test.c - the newest words of running answers: in the word log, moved
 * on, read back, trimmed, and gone. */
#include <stdio.h>

#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

#define WORD "twenty bytes of text"
enum {
    WORD_BYTES = sizeof(WORD) - 1,
    MOVED_AFTER = 896 / WORD_BYTES + 1,
    OLD_AFTER = 7 /* sweeps */
};

static int64_t rows(void)
{
    return sql_i64("SELECT count(*) FROM answer_word_log");
}

static void append_words(struct answer *a, int n)
{
    for (int i = 0; i < n; i++)
        append(ANN, a, WORD);
}

static void check_words(const char *id, int n, enum footnote_status status)
{
    AUTO(buf_free) struct buf b = BUF(1024 * 1024);
    struct message m = message_of(ANN, id);

    for (int i = 0; i < n; i++)
        buf_add(&b, STR(WORD));
    CHECK_INT(m.status, status);
    CHECK_TEXT(m.content, buf_str(&b));
}

STORED(words_are_read_from_the_word_log_and_from_where_they_moved)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    CHECK_INT(rows(), 0);
    append_words(&op.answer, 3);
    CHECK_INT(rows(), 3);
    CHECK_INT(sql_i64("SELECT count(*) FROM answer_text"), 0);
    check_words("a", 3, FOOTNOTE_STREAMING);
    append_words(&op.answer, MOVED_AFTER - 3);
    CHECK_INT(sql_i64("SELECT count(*) FROM answer_text"), 1);
    CHECK_INT(sql_i64("SELECT parts FROM answer_lease"), MOVED_AFTER);
    check_words("a", MOVED_AFTER, FOOTNOTE_STREAMING);
    append_words(&op.answer, 5);
    check_words("a", MOVED_AFTER + 5, FOOTNOTE_STREAMING);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    check_words("a", MOVED_AFTER + 5, FOOTNOTE_COMPLETE);
}

/* Who has no use for words that still come does not look for them. */
STORED(a_settled_history_has_no_words_of_a_running_answer)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct history all = {.session = STR("s")};
    struct history settled = {.session = STR("s"), .settled = true};

    append_words(&op.answer, 3);
    READ(ANN, history, &all);
    READ(ANN, history, &settled);
    CHECK_INT(all.messages_n, 2);
    CHECK_INT(all.messages[1].content.n, 3 * WORD_BYTES);
    CHECK_INT(settled.messages_n, 2);
    CHECK_TEXT(settled.messages[0].content, all.messages[0].content);
    CHECK_INT(settled.messages[1].status, FOOTNOTE_STREAMING);
    CHECK(!settled.messages[1].content.p);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    READ(ANN, history, &settled);
    CHECK_INT(settled.messages[1].content.n, 3 * WORD_BYTES);
}

/* Another process, as it ends an answer of ours: memory does not know. */
STORED(words_of_an_answer_that_others_have_ended_are_refused)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_begin other = begin(ANN, "t", "q2", "b", ANSWER_NEW);
    struct answer_append more = {.answer = &op.answer, .text = STR("late")};

    append_words(&op.answer, 3);
    append_words(&other.answer, 3);
    sql_do("DELETE FROM answer_lease WHERE session = (SELECT min(session) "
           "FROM answer_lease)");
    REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "ended");
    append_words(&other.answer, 3);
    check_words("b", 6, FOOTNOTE_STREAMING);
}

STORED(a_long_part_takes_along_what_is_before_it)
{
    static char longer[1000];
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    memset(longer, 'x', sizeof(longer) - 1);
    append(ANN, &op.answer, "before ");
    append(ANN, &op.answer, longer);
    append(ANN, &op.answer, " after");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_INT(message_of(ANN, "a").content.n, 7 + 999 + 6);
    CHECK(memcmp(message_of(ANN, "a").content.p, "before xxx", 10) == 0);
}

/* None comes by itself from then on: it was later than it is. */
static void sweep_often(int n)
{
    static int64_t seconds;

    for (int i = 0; i < n; i++) {
        seconds += 2;
        clock_ahead(seconds * 1000);
        help_sweep();
    }
    clock_ahead(-600 * 1000);
}

/* What the slow one has keeps all that came later, until it moves on. */
STORED(a_word_log_is_cut_when_its_oldest_words_have_moved_on)
{
    struct answer_begin slow = begin(ANN, "s", "q", "slow", ANSWER_NEW);
    struct answer_begin fast = begin(ANN, "t", "q2", "fast", ANSWER_NEW);

    sweep_often(1);
    append_words(&slow.answer, 2);
    append_words(&fast.answer, 3 * MOVED_AFTER);
    sweep_often(OLD_AFTER);
    CHECK_INT(rows(), 2 + 3 * (MOVED_AFTER - 1));
    sweep_often(1);
    CHECK_INT(rows(), 0);
    check_words("slow", 2, FOOTNOTE_STREAMING);
    check_words("fast", 3 * MOVED_AFTER, FOOTNOTE_STREAMING);
    append_words(&slow.answer, 1);
    append_words(&fast.answer, 1);
    check_words("slow", 3, FOOTNOTE_STREAMING);
    finish(ANN, &slow.answer, FOOTNOTE_COMPLETE);
    finish(ANN, &fast.answer, FOOTNOTE_STOPPED);
    check_words("slow", 3, FOOTNOTE_COMPLETE);
    check_words("fast", 3 * MOVED_AFTER + 1, FOOTNOTE_STOPPED);
}

STORED(the_word_log_of_an_answer_that_goes_on_stays_short)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    const int each = MOVED_AFTER / 2, times = 9;

    sweep_often(1);
    for (int i = 0; i < times; i++) {
        append_words(&op.answer, each);
        sweep_often(1);
        CHECK(rows() <= 3 * each);
    }
    check_words("a", times * each, FOOTNOTE_STREAMING);
}

/* One word a second: they move on before they fill a strip. */
STORED(words_that_come_slowly_move_on_when_they_are_old)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    for (int i = 0; i < OLD_AFTER; i++) {
        sweep_often(1);
        append_words(&op.answer, 1);
        CHECK_INT(sql_i64("SELECT count(*) FROM answer_text"), 0);
    }
    sweep_often(1);
    append_words(&op.answer, 1);
    CHECK_INT(sql_i64("SELECT count(*) FROM answer_text"), 1);
    CHECK_INT(sql_i64("SELECT parts FROM answer_lease"), OLD_AFTER + 1);
    check_words("a", OLD_AFTER + 1, FOOTNOTE_STREAMING);
}

STORED(nothing_stays_in_the_word_log_of_what_has_ended_or_was_deleted)
{
    struct answer_begin ended = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_begin deleted = begin(ANN, "t", "q2", "b", ANSWER_NEW);
    struct session_delete gone = {.id = STR("t")};

    append_words(&ended.answer, 2);
    append_words(&deleted.answer, 2);
    finish(ANN, &ended.answer, FOOTNOTE_COMPLETE);
    WRITE(ANN, session_delete, &gone);
    clock_ahead(2000);
    help_sweep();
    CHECK_INT(rows(), 0);
    check_words("a", 2, FOOTNOTE_COMPLETE);
}

STORED(an_answer_that_others_stop_has_its_newest_words)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_stop stop = {.session = STR("s")};

    append_words(&op.answer, MOVED_AFTER + 2);
    WRITE(ANN, answer_stop, &stop);
    check_words("a", MOVED_AFTER + 2, FOOTNOTE_STOPPED);
}

/* What cannot be read is not there, but nothing else is lost with it. */
STORED(a_damaged_word_log_keeps_nobody_from_reading)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    append_words(&op.answer, MOVED_AFTER + 2);
    sql_do(test_is_postgres() ? "UPDATE answer_word_log SET pieces = '\\xff01'"
                              : "UPDATE answer_word_log SET pieces = x'ff01'");
    check_words("a", MOVED_AFTER, FOOTNOTE_STREAMING);
    clock_ahead(2000);
    help_sweep();
    check_words("a", MOVED_AFTER, FOOTNOTE_STREAMING);
}

/* A bit within the words leaves them readable. */
STORED(a_flipped_letter_in_the_word_log_is_not_shown)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    append_words(&op.answer, MOVED_AFTER + 2);
    sql_do(test_is_postgres()
               ? "UPDATE answer_word_log SET pieces = set_byte(pieces, "
                 "length(pieces) - 1, get_byte(pieces, length(pieces) - 1) # 4)"
               : "UPDATE answer_word_log SET pieces = CAST(substr(pieces, 1, "
                 "length(pieces) - 1) || CAST(x'71' AS BLOB) AS BLOB)");
    check_words("a", MOVED_AFTER, FOOTNOTE_STREAMING);
}

STORED(a_flipped_letter_of_a_running_answer_is_damage)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct history h = {.session = STR("s")};

    help_damaged = true;
    append_words(&op.answer, MOVED_AFTER + 2);
    sql_do(test_is_postgres()
               ? "UPDATE answer_text SET text = set_byte(text, 0, "
                 "get_byte(text, 0) # 4)"
               : "UPDATE answer_text SET text = CAST(x'71' || substr(text, 2) "
                 "AS BLOB)");
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "");
}

/* A row whose number is below all others must not end the process. */
STORED(a_damaged_number_in_the_word_log_keeps_nobody_from_writing)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    append_words(&op.answer, 1);
    sql_do("UPDATE answer_word_log SET at = -5");
    clock_ahead(2000);
    help_sweep();
    append_words(&op.answer, 1);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    check_words("a", 2, FOOTNOTE_COMPLETE);
}

enum { TOGETHER = 16 };

static void name(char id[16], const char *what, size_t i)
{
    snprintf(id, 16, "%s-%zu", what, i);
}

static void answer_one(size_t i)
{
    struct answer_begin op;
    char session[16], question[16], id[16];

    name(session, "s", i);
    name(question, "q", i);
    name(id, "a", i);
    op = begin(ANN, session, question, id, ANSWER_NEW);
    append_words(&op.answer, MOVED_AFTER + (int)i);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
}

STORED(words_of_many_at_once_come_to_their_own_answers)
{
    in_threads(TOGETHER, answer_one);
    for (size_t i = 0; i < TOGETHER; i++) {
        char id[16];

        name(id, "a", i);
        check_words(id, MOVED_AFTER + (int)i, FOOTNOTE_COMPLETE);
    }
}

static struct answer_begin together[TOGETHER];

static void append_to_one(size_t i)
{
    struct answer_append late = {.answer = &together[i].answer,
                                 .text = STR("late")};

    if (i == 0)
        REFUSE(ANN, answer_append, &late, FOOTNOTE_ENDED, "ended");
    else
        append_words(&together[i].answer, 20);
}

/* It is refused, and nobody else in its batches. */
STORED(words_beside_those_of_an_answer_that_others_have_ended_are_stored)
{
    char session[16], question[16], id[16];

    for (size_t i = 0; i < TOGETHER; i++) {
        name(session, "s", i);
        name(question, "q", i);
        name(id, "a", i);
        together[i] = begin(ANN, session, question, id, ANSWER_NEW);
        append_words(&together[i].answer, 1);
    }
    sql_do("DELETE FROM answer_lease WHERE session = (SELECT min(session) "
           "FROM answer_lease)");
    in_threads(TOGETHER, append_to_one);
    for (size_t i = 1; i < TOGETHER; i++) {
        name(id, "a", i);
        check_words(id, 21, FOOTNOTE_STREAMING);
    }
}

static void begin_some(void)
{
    struct answer_begin one, two;

    one = begin(ANN, "s", "q", "a", ANSWER_NEW);
    two = begin(ANN, "t", "q2", "b", ANSWER_NEW);
    append_words(&one.answer, MOVED_AFTER + 2);
    append_words(&two.answer, 1);
}

static void begin_and_cut(void)
{
    begin_some();
    sweep_often(OLD_AFTER + 1);
    CHECK_INT(rows(), 0);
}

CONTRACT(words_that_were_cut_off_the_word_log_survive_a_process_that_died)
{
    help_die(begin_and_cut);
    help_open();
    check_words("a", MOVED_AFTER + 2, FOOTNOTE_INTERRUPTED);
    check_words("b", 1, FOOTNOTE_INTERRUPTED);
    help_close();
}

CONTRACT(the_word_log_of_a_process_that_died_is_read_and_dropped)
{
    help_die(begin_some);
    help_open();
    check_words("a", MOVED_AFTER + 2, FOOTNOTE_INTERRUPTED);
    check_words("b", 1, FOOTNOTE_INTERRUPTED);
    CHECK_INT(rows(), 0);
    help_close();
}
