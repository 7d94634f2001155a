/* answer_test.c - the life of an answer: begun, written, cited, ended. */
#include "base/utf8.h"
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static struct answer_cite search(struct answer *a, const char *query,
                                 const struct reference *refs, size_t n,
                                 uint32_t *numbers)
{
    return (struct answer_cite){.answer = a,
                                .sources = refs,
                                .sources_n = n,
                                .numbers = numbers,
                                .query = str_c(query)};
}

/* Text in pieces of `n` bytes, wherever that cuts. */
static void append_cut(struct answer *a, struct str text, size_t n)
{
    for (size_t i = 0; i < text.n; i += n) {
        struct str piece = {text.p + i, text.n - i < n ? text.n - i : n};
        struct answer_append op = {.answer = a, .text = piece};

        WRITE(ANN, answer_append, &op);
    }
}

STORED(an_answer_is_there_from_its_first_moment)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct history h = history_of(ANN, "s");

    CHECK_STR(op.id_text, "a");
    CHECK_STR(op.question_text, "q");
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].content, STR("why?"));
    check_digest(&h.messages[0]);
    CHECK_TEXT(h.messages[1].id, STR("a"));
    CHECK_INT(h.messages[1].status, FOOTNOTE_STREAMING);
    CHECK_TEXT(h.messages[1].content, STR(""));
    CHECK(!h.messages[1].has_digest);
    CHECK(h.head.running);
    append(ANN, &op.answer, "Heat");
    append(ANN, &op.answer, " flows");
    CHECK_TEXT(message_of(ANN, "a").content, STR("Heat flows"));
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_COMPLETE);
    CHECK(!history_of(ANN, "s").head.running);
    CHECK_INT(sql_i64("SELECT count(*) FROM answer_text"), 0);
    CHECK_INT(sql_i64("SELECT count(*) FROM answer_lease"), 0);
}

STORED(text_may_be_cut_inside_characters)
{
    struct str text = STR("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x94\xA5z [1]");
    const char *const ids[] = {"a1", "a2", "a3", "a4", "a5"};

    for (size_t n = 1; n <= 5; n++) {
        struct answer_begin op = begin(ANN, "s", NULL, ids[n - 1], ANSWER_NEW);
        struct message m;

        append_cut(&op.answer, text, n);
        finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
        m = message_of(ANN, ids[n - 1]);
        CHECK_TEXT(m.content, text);
        check_digest(&m);
    }
}

/* Short parts gather beside the lease; a long one takes them along. */
static void append_part(struct answer *a, int i, struct str *left)
{
    size_t n = i % 23 == 7 ? 90 : (size_t)(1 + i % 5);
    struct answer_append op = {.answer = a, .text = {left->p, n}};

    WRITE(ANN, answer_append, &op);
    *left = str_skip(*left, n);
}

STORED(many_short_parts_are_one_text_at_any_time)
{
    static const enum footnote_status ends[] = {FOOTNOTE_COMPLETE,
                                                FOOTNOTE_INTERRUPTED};
    AUTO(buf_free) struct buf all = BUF(10000);

    for (int i = 0; i < 50; i++)
        buf_printf(&all, "%d na\xC3\xAFve \xE2\x82\xAC. ", i);
    for (size_t k = 0; k < 2; k++) {
        struct answer_begin op =
            begin(ANN, "s", NULL, k ? "a2" : "a1", ANSWER_NEW);
        struct str left = buf_str(&all), said = {all.p, 0};

        for (int i = 0; i < 70; i++) {
            append_part(&op.answer, i, &left);
            said.n = (size_t)(left.p - all.p);
            said.n = utf8_whole(said);
            CHECK_TEXT(message_of(ANN, op.id_text).content, said);
        }
        finish(ANN, &op.answer, ends[k]);
        CHECK_TEXT(message_of(ANN, op.id_text).content, said);
    }
}

STORED(text_that_is_not_utf8_is_refused_and_the_answer_goes_on)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_append bad = {.answer = &op.answer, .text = STR("\xC3(")};
    struct answer_append nul = {.answer = &op.answer, .text = STR("a\0b")};
    int64_t before = rows_all();

    REFUSE(ANN, answer_append, &bad, FOOTNOTE_INVALID, "content");
    REFUSE(ANN, answer_append, &nul, FOOTNOTE_INVALID, "content");
    bad.text = STR("\xC3"); /* the beginning of a character is fine */
    CHECK_INT(rows_all(), before);
    WRITE(ANN, answer_append, &bad);
    bad.text = STR("x");
    REFUSE(ANN, answer_append, &bad, FOOTNOTE_INVALID, "content");
    append(ANN, &op.answer, "\xA9!");
    append(ANN, &op.answer, "\xF0\x9F"); /* never whole: left out */
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_TEXT(message_of(ANN, "a").content, STR("\xC3\xA9!"));
}

STORED(numbers_count_on_over_searches_and_a_source_keeps_its_first)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two"),
                            slide("d", 3, "three")};
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    uint32_t numbers[3] = {0, 0, 0};
    struct answer_cite c = search(&op.answer, "first", r, 2, numbers);
    struct event_list events = {.session = STR("s")};
    struct message m;

    WRITE(ANN, answer_cite, &c);
    CHECK_INT(numbers[0], 1);
    CHECK_INT(numbers[1], 2);
    c = search(&op.answer, "second", &r[1], 2, numbers);
    c.low_confidence = true;
    WRITE(ANN, answer_cite, &c);
    CHECK_INT(numbers[0], 2);
    CHECK_INT(numbers[1], 3);
    CHECK_INT(message_of(ANN, "a").sources_n, 3); /* while it runs */
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    m = message_of(ANN, "a");
    CHECK_INT(m.sources_n, 3);
    CHECK_INT(m.rag_source_ids_n, 2);
    CHECK(m.has_low_confidence && m.low_confidence);
    READ(ANN, event_list, &events);
    CHECK_INT(events.events_n, 2);
    CHECK_TEXT(events.events[0].query, STR("first"));
    CHECK_TEXT(events.events[0].answer, STR("a"));
    CHECK_TEXT(events.events[0].user_message, STR("q"));
    CHECK_INT(events.events[1].sources_n, 2);
    CHECK_INT(events.events[1].sources[0].number, 2);
    CHECK_TEXT(m.rag_source_ids[1], events.events[1].id);
}

STORED(the_end_finds_markers_spans_and_support)
{
    struct reference r[] = {slide("d", 1, "Heat flows from hot to cold."),
                            slide("d", 2, "Cats sleep."),
                            slide("d", 3, "unused"), slide("d", 4, NULL)};
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_cite c = search(&op.answer, NULL, r, 4, NULL);
    struct answer_measure measure = {.answer = &op.answer};
    struct answer_finish f = {.answer = &op.answer,
                              .measured = &measure.measured,
                              .has_low_confidence = true,
                              .doc_refs = (struct str[]){STR("d")},
                              .doc_refs_n = 1,
                              .image_s3key = STR("k"),
                              .has_image_page = true,
                              .image_page = 7};
    struct message m;

    WRITE(ANN, answer_cite, &c);
    /* A character outside of the BMP is two UTF-16 units. */
    append(ANN, &op.answer, "\xF0\x9F\x94\xA5 Heat flows from hot to cold [1");
    append(ANN, &op.answer, "]. Dogs bark [2,4]. `[3]` [1][9]");
    READ(ANN, answer_measure, &measure);
    WRITE(ANN, answer_finish, &f);
    m = message_of(ANN, "a");
    CHECK_INT(m.sources[0].spans_n, 2);
    CHECK_INT(m.sources[0].spans[0], 31);
    CHECK_INT(m.sources[0].spans[1], 34);
    CHECK_INT(m.sources[0].spans[2], 59);
    CHECK_INT(m.sources[0].spans[3], 62);
    CHECK(m.sources[0].cited && m.sources[0].support > 900);
    CHECK(m.sources[1].cited && m.sources[1].support < 200);
    CHECK(!m.sources[2].cited);
    CHECK_INT(m.sources[2].spans_n, 0);
    CHECK_INT(m.sources[2].support, -1);
    CHECK(m.sources[3].cited);
    CHECK_INT(m.sources[3].support, -1); /* there is nothing to measure on */
    CHECK(m.has_low_confidence && !m.low_confidence);
    CHECK_INT(m.doc_refs_n, 1);
    CHECK(m.has_image && m.has_image_page);
    CHECK_INT(m.image_page, 7);
    check_digest(&m);
}

STORED(every_end_keeps_what_was_written_and_is_for_ever)
{
    static const enum footnote_status ends[] = {
        FOOTNOTE_COMPLETE, FOOTNOTE_STOPPED, FOOTNOTE_FAILED,
        FOOTNOTE_INTERRUPTED};
    static const char *const ids[] = {"a0", "a1", "a2", "a3"};
    struct reference r = slide("d", 1, "one");

    for (size_t i = 0; i < 4; i++) {
        struct answer_begin op = begin(ANN, "s", NULL, ids[i], ANSWER_NEW);
        struct answer_cite c = search(&op.answer, NULL, &r, 1, NULL);
        struct answer_append more = {.answer = &op.answer, .text = STR("x")};
        struct answer_finish f = {.answer = &op.answer, .status = ends[i]};
        struct message m;

        f.failure = i == 2 ? STR("upstream_timeout") : STR_NONE;
        WRITE(ANN, answer_cite, &c);
        append(ANN, &op.answer, "so [1]");
        WRITE(ANN, answer_finish, &f);
        m = message_of(ANN, ids[i]);
        CHECK_INT(m.status, ends[i]);
        CHECK_TEXT(m.failure, f.failure);
        CHECK_TEXT(m.content, STR("so [1]"));
        CHECK(m.sources[0].cited);
        check_digest(&m);
        f.status = FOOTNOTE_COMPLETE;
        REFUSE(ANN, answer_finish, &f, FOOTNOTE_ENDED, "ended");
        REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "ended");
        REFUSE(ANN, answer_cite, &c, FOOTNOTE_ENDED, "ended");
        CHECK_INT(message_of(ANN, ids[i]).status, ends[i]);
    }
}

STORED(a_second_answer_in_a_running_session_is_refused)
{
    struct answer_begin first = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_begin op = {
        .question = {.session = STR("s"), .content = STR("and?")}};
    struct message_save m = answered("s", "m", "so", NULL, 0);
    int64_t before = rows_all();

    REFUSE(ANN, answer_begin, &op, FOOTNOTE_RUNNING, "running");
    op.mode = ANSWER_REGENERATE;
    op.question.id = STR("q");
    REFUSE(ANN, answer_begin, &op, FOOTNOTE_RUNNING, "running");
    m.message.status = FOOTNOTE_STREAMING;
    REFUSE(ANN, message_save, &m, FOOTNOTE_RUNNING, "running");
    CHECK_INT(rows_all(), before);
    begin(ANN, "t", "q2", "a2", ANSWER_NEW); /* another session may */
    finish(ANN, &first.answer, FOOTNOTE_COMPLETE);
    begin(ANN, "s", "q3", "a3", ANSWER_NEW);
}

STORED(an_answer_whose_ids_are_taken_begins_nothing)
{
    struct answer_begin op = {
        .question = {.session = STR("s"), .content = STR("and?")},
        .answer_id = STR("m")};
    int64_t before;

    say(ANN, "s", "m", FOOTNOTE_USER, "hello");
    say(ANN, "t", "other", FOOTNOTE_USER, "hello");
    before = rows_all();
    REFUSE(ANN, answer_begin, &op, FOOTNOTE_CONFLICT, "m");
    op.answer_id = STR("new"); /* the question's is in another session */
    op.question.id = STR("other");
    REFUSE(ANN, answer_begin, &op, FOOTNOTE_CONFLICT, "other");
    op.question.id = STR("same");
    op.answer_id = STR("same");
    CHECK_INT(store_write(st, ANN, OP(answer_begin), &op, &err),
              FOOTNOTE_CONFLICT);
    op.mode = ANSWER_REGENERATE;
    op.question.id = STR("nobody");
    op.answer_id = STR_NONE;
    REFUSE(ANN, answer_begin, &op, FOOTNOTE_NOTFOUND, "question");
    CHECK_INT(rows_all(), before);
}

STORED(a_question_that_was_saved_just_before_is_answered_in_its_place)
{
    struct answer_begin op = {.question = {.session = STR("s"),
                                           .id = STR("q"),
                                           .content = STR("why?")},
                              .answer_id = STR("a")};

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, answer_begin, &op);
    CHECK_INT(history_of(ANN, "s").messages_n, 2);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    op.answer_id = STR("a2"); /* it was answered: not asked twice */
    REFUSE(ANN, answer_begin, &op, FOOTNOTE_CONFLICT, "q");
}

/* What was found for a question may be there before the question is. */
STORED(a_bare_question_is_filled_by_the_answer_that_begins)
{
    struct reference r = slide("d", 1, "one");
    struct event_add e = {.session = STR("s"),
                          .user_message = STR("q"),
                          .query = STR("heat"),
                          .sources = &r,
                          .sources_n = 1};
    static const enum answer_mode modes[] = {ANSWER_NEW, ANSWER_NEW_OR_EDIT};
    static const char *const names[][3] = {{"s", "q", "a"}, {"t", "p", "b"}};

    for (int i = 0; i < 2; i++) {
        struct answer_begin op;
        struct history h;

        e.session = str_c(names[i][0]);
        e.user_message = str_c(names[i][1]);
        WRITE(ANN, event_add, &e);
        op = begin(ANN, names[i][0], names[i][1], names[i][2], modes[i]);
        append(ANN, &op.answer, "so [1]");
        finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
        h = history_of(ANN, names[i][0]);
        CHECK_INT(h.messages_n, 2);
        CHECK_TEXT(h.messages[0].content, STR("why?"));
        CHECK_TEXT(h.head.title, STR("why?"));
        CHECK_INT(h.messages[1].sources_n, 1);
        CHECK(h.messages[1].sources[0].cited);
        check_digest(&h.messages[0]);
    }
}

STORED(deleting_the_session_ends_a_running_answer)
{
    struct reference r = slide("d", 1, "one");
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_append more = {.answer = &op.answer, .text = STR("x")};
    struct answer_cite c = search(&op.answer, "q", &r, 1, NULL);
    struct answer_finish f = {.answer = &op.answer};
    struct session_delete d = {.id = STR("s")};
    int64_t before;

    append(ANN, &op.answer, "secret");
    WRITE(ANN, session_delete, &d);
    before = rows_all();
    REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "deleted");
    REFUSE(ANN, answer_cite, &c, FOOTNOTE_ENDED, "deleted");
    REFUSE(ANN, answer_finish, &f, FOOTNOTE_ENDED, "deleted");
    CHECK_INT(rows_all(), before);
    CHECK_INT(sql_i64("SELECT count(*) FROM message"), 0);
}

STORED(an_answer_takes_two_megabytes_and_no_more)
{
    static char mega[1024 * 1024];
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_append more = {.answer = &op.answer,
                                 .text = {mega, sizeof(mega)}};

    memset(mega, 'x', sizeof(mega));
    WRITE(ANN, answer_append, &more);
    WRITE(ANN, answer_append, &more);
    more.text.n = 1;
    REFUSE(ANN, answer_append, &more, FOOTNOTE_TOOBIG, "content");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_INT(message_of(ANN, "a").content.n, 2 * sizeof(mega));
}
