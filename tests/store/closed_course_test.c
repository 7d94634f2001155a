/* closed_course_test.c - old sessions of a course that a member was removed
 * from, or that was deleted: they are read, and written no more. */
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static void cite_in(struct who who, const char *course, const char *id,
                    const struct reference *r)
{
    struct str session = arena_printf(&out, "in-%s", course ? course : "none");
    struct message_save op = answered(session.p, id, "So [1].", r, 1);

    op.course = str_c(course);
    WRITE(who, message_save, &op);
}

/* All that Ben could write into his old session. */
static void check_closed(void)
{
    struct reference r = slide("d", 1, "Heat.");
    struct message_save save = answered("in-physics", "late", "So [1].", &r, 1);
    struct message_save open =
        saved("in-physics", "later", FOOTNOTE_ASSISTANT, "So");
    struct message_cite cite = {
        .message = STR("m"), .sources = &r, .sources_n = 1};
    struct message_cite early = {.message = STR("to-come"),
                                 .session = STR("in-physics"),
                                 .sources = &r,
                                 .sources_n = 1};
    struct event_add event = {.session = STR("in-physics"),
                              .user_message = STR("q"),
                              .query = STR("why?"),
                              .sources = &r,
                              .sources_n = 1};
    struct answer_begin ask = {
        .question = {.session = STR("in-physics"), .content = STR("why?")}};
    struct answer_patch patch = {
        .id = STR("open"), .append = STR("more"), .status = FOOTNOTE_STREAMING};
    struct session_put rename = {
        .id = STR("in-physics"), .title = STR("New"), .must_exist = true};
    int64_t before = rows_all();

    open.message.status = FOOTNOTE_STREAMING;
    REFUSE(BEN, message_save, &save, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, message_save, &open, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, message_cite, &cite, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, message_cite, &early, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, event_add, &event, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, answer_begin, &ask, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, answer_patch, &patch, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, session_put, &rename, FOOTNOTE_NOTFOUND, "course");
    CHECK_INT(rows_all(), before);
}

static void session_of_ben(void)
{
    struct reference r = slide("d", 1, "Heat.");
    struct message_save open =
        saved("in-physics", "open", FOOTNOTE_ASSISTANT, "So");

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_EDITOR);
    cite_in(BEN, "physics", "m", &r);
    open.message.status = FOOTNOTE_STREAMING;
    WRITE(BEN, message_save, &open);
}

STORED(removed_member_writes_nothing_more_and_reads_what_was_said)
{
    struct reference r = slide("d", 1, "Heat.");
    struct session_put move = {
        .id = STR("in-physics"), .course = STR("bens"), .must_exist = true};
    struct session_delete gone = {.id = STR("in-physics")};

    session_of_ben();
    course_make(BEN, "bens");
    member(ANN, "physics", "ben", MEMBER_NONE);
    check_closed();
    REFUSE(BEN, session_put, &move, FOOTNOTE_NOTFOUND, "course");
    CHECK_INT(history_of(BEN, "in-physics").messages_n, 2);
    CHECK_INT(message_of(BEN, "m").sources[0].state, FOOTNOTE_WITHDRAWN);
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_in(BEN, "physics", "again", &r);
    member(ANN, "physics", "ben", MEMBER_NONE);
    check_closed();
    WRITE(BEN, session_delete, &gone); /* it is his */
}

/* A running answer of ours: its next sources are refused as well. */
STORED(removed_member_gets_no_more_sources_into_a_running_answer)
{
    struct reference r = slide("d", 1, "Heat.");
    struct answer_begin ask = {
        .question = {.session = STR("s"), .content = STR("why?")},
        .course = STR("physics")};
    struct answer_cite cite = {
        .answer = &ask.answer, .sources = &r, .sources_n = 1};

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    WRITE(BEN, answer_begin, &ask);
    member(ANN, "physics", "ben", MEMBER_NONE);
    REFUSE(BEN, answer_cite, &cite, FOOTNOTE_NOTFOUND, "course");
    finish(BEN, &ask.answer, FOOTNOTE_FAILED);
}

STORED(session_of_a_deleted_course_is_read_and_goes_on_in_another)
{
    struct course_delete gone = {.id = STR("physics")};
    struct session_put move = {
        .id = STR("in-physics"), .course = STR("bens"), .must_exist = true};

    session_of_ben();
    WRITE(ANN, course_delete, &gone);
    check_closed();
    CHECK_INT(history_of(BEN, "in-physics").messages_n, 2);
    course_make(BEN, "bens");
    WRITE(BEN, session_put, &move);
    say(BEN, "in-physics", "next", FOOTNOTE_USER, "And now?");
}
