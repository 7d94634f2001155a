/* marking_test.c - what finding places and measuring support may cost. */
#include "cite/marks.h"
#include "store_help.h"

enum { PREVIEW = 8000, SOURCES = 200 };

static struct str repeated(const char *piece, size_t n)
{
    size_t bytes = strlen(piece);
    char *text = arena_alloc(&out, n * bytes + 1);

    CHECK(text != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * bytes, piece, bytes);
    return (struct str){text, n * bytes};
}

/* Sources 1 to n, all with the same long preview. */
static struct reference *sources(size_t n)
{
    struct reference *r = arena_many(&out, n, struct reference);
    struct str preview = repeated("The heat flows. ", PREVIEW / 16);

    for (size_t i = 0; i < n; i++) {
        r[i] = slide("d", (int64_t)i + 1, NULL);
        r[i].source.preview = preview;
    }
    return r;
}

STORED(support_has_a_budget)
{
    struct message_save op = answered("s", "a", "", sources(SOURCES), SOURCES);
    struct message m;

    op.message.content = repeated("Heat flows [1-200]. ", 500);
    WRITE(ANN, message_save, &op);
    m = message_of(ANN, "a");
    CHECK_INT(m.sources_n, SOURCES);
    CHECK(m.sources[0].support > 400);
    CHECK_INT(m.sources[SOURCES - 1].support, -1);
    CHECK(m.sources[SOURCES - 1].cited);
    CHECK_INT(m.sources[SOURCES - 1].spans_n, 500);
    check_digest(&m);
}

/* What honest people write is measured to its end. */
STORED(support_of_a_long_answer_is_whole)
{
    enum { CITED = 40 };
    struct message_save op = answered("s", "a", "", sources(CITED), CITED);
    struct message m;

    op.message.content = repeated("Heat flows from hot to cold [1-40]. ", 10);
    WRITE(ANN, message_save, &op);
    m = message_of(ANN, "a");
    for (size_t i = 0; i < CITED; i++)
        CHECK(m.sources[i].support > 300);
}

STORED(places_of_a_source_are_bounded)
{
    struct message_save op = answered("s", "a", "", sources(2), 2);
    struct message m;

    op.message.content = repeated("[1]", MARKS_MAX);
    WRITE(ANN, message_save, &op);
    m = message_of(ANN, "a");
    CHECK_INT(m.sources[0].spans_n, 1000);
    CHECK_INT(m.sources[0].spans[2 * 999 + 1], 3000);
    CHECK_INT(m.sources[1].spans_n, 0);
    op = answered("s", "b", "", sources(2), 2);
    op.message.content = repeated("[1,1,1,1,1,1,1,1] ", 100 * 1000);
    memcpy((char *)(uintptr_t)op.message.content.p + op.message.content.n - 4,
           "[2] ", 4);
    WRITE(ANN, message_save, &op);
    CHECK(!message_of(ANN, "b").sources[1].cited); /* behind MARKS_MAX */
}

/* ---- The end of an answer ------------------------------------------------ */

static struct answer_begin cited_answer(const char *id)
{
    struct answer_begin op = begin(ANN, "s", NULL, id, ANSWER_NEW);
    struct reference r = slide("d", 1, "Heat flows from hot to cold.");
    struct answer_cite c = {
        .answer = &op.answer, .sources = &r, .sources_n = 1};

    WRITE(ANN, answer_cite, &c);
    append(ANN, &op.answer, "Heat flows [1].");
    return op;
}

STORED(an_end_that_was_not_measured_has_no_support)
{
    struct answer_begin op = cited_answer("a");

    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK(message_of(ANN, "a").sources[0].cited);
    CHECK_INT(message_of(ANN, "a").sources[0].support, -1);
}

STORED(what_was_measured_before_more_text_came_does_not_count)
{
    struct answer_begin op = cited_answer("a");
    struct answer_measure measure = {.answer = &op.answer};
    struct answer_finish f = {.answer = &op.answer,
                              .measured = &measure.measured};

    READ(ANN, answer_measure, &measure);
    CHECK_INT(measure.measured.n, 1);
    CHECK(measure.measured.support[0] > 900);
    append(ANN, &op.answer, " Cold flows to hot [1].");
    WRITE(ANN, answer_finish, &f);
    CHECK_INT(message_of(ANN, "a").sources[0].support, -1);
}

STORED(a_measure_reads_what_is_stored_or_what_it_is_given)
{
    struct answer_begin op = cited_answer("a");
    struct answer_measure by_id = {.id = STR("a"),
                                   .append = STR(" Cats sleep.")};
    struct answer_measure given = {.answer = &op.answer,
                                   .text = STR("Cats sleep [1].")};
    struct answer_measure foreign = {.id = STR("a")};

    READ(ANN, answer_measure, &by_id);
    CHECK_INT(by_id.measured.content_bytes,
              STR("Heat flows [1]. Cats sleep.").n);
    CHECK(by_id.measured.support[0] > 900);
    READ(ANN, answer_measure, &given);
    CHECK(given.measured.support[0] < 200);
    REFUSE_READ(BEN, answer_measure, &foreign, FOOTNOTE_NOTFOUND, "not there");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
}

/* ---- What dead processes leave ------------------------------------------- */

static void leave_answers(void)
{
    for (int i = 0; i < 3; i++) {
        char session[8] = {'s', (char)('0' + i)};
        struct answer_begin op = begin(ANN, session, NULL, session, ANSWER_NEW);
        struct reference r = slide("d", 1, "Heat flows from hot to cold.");
        struct answer_cite c = {
            .answer = &op.answer, .sources = &r, .sources_n = 1};

        WRITE(ANN, answer_cite, &c);
        append(ANN, &op.answer, "Heat flows [1].");
    }
}

CONTRACT(answers_of_a_dead_process_end_without_support)
{
    struct message m;

    help_die(leave_answers);
    help_open();
    for (int i = 0; i < 3; i++) {
        char id[8] = {'s', (char)('0' + i)};

        m = message_of(ANN, id);
        CHECK_INT(m.status, FOOTNOTE_INTERRUPTED);
        CHECK(m.sources[0].cited);
        CHECK_INT(m.sources[0].support, -1);
        check_digest(&m);
    }
    CHECK_INT(store_unswept(st), 0);
    help_close();
}

/* The lease of another machine ran out, and no sweep has been since. */
STORED(a_session_of_a_dead_holder_takes_a_question_before_the_sweep)
{
    struct answer_begin old = cited_answer("a"), new;

    clock_stopped(INT64_C(1700000000000));
    help_sweep();
    sql_do("UPDATE answer_lease SET node = 'elsewhere', until_ms = 1");
    new = begin(ANN, "s", NULL, "b", ANSWER_NEW);
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_INTERRUPTED);
    CHECK(new.answer.epoch != old.answer.epoch);
    finish(ANN, &new.answer, FOOTNOTE_COMPLETE);
}
