/* session_test.c - sessions: made, owned, listed, renamed, deleted. */
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static struct session session_of(struct who who, const char *id)
{
    struct session_get op = {.id = str_c(id)};

    READ(who, session_get, &op);
    return op.session;
}

static void put(struct who who, const char *id, const char *course,
                const char *title)
{
    struct session_put op = {
        .id = str_c(id), .course = str_c(course), .title = str_c(title)};

    WRITE(who, session_put, &op);
}

static void delete_session(struct who who, const char *id)
{
    struct session_delete op = {.id = str_c(id)};

    WRITE(who, session_delete, &op);
}

/* The ids of a page, as one word each. */
static void check_page(struct session_list *op, const char *words)
{
    AUTO(buf_free) struct buf b = BUF(1024);

    READ(ANN, session_list, op);
    for (size_t i = 0; i < op->sessions_n; i++)
        buf_printf(&b, "%s%.*s", i ? " " : "", STR_ARG(op->sessions[i].id));
    CHECK_TEXT(buf_str(&b).p ? buf_str(&b) : STR(""), str_c(words));
}

static void next_page(struct session_list *op)
{
    const struct session *last = &op->sessions[op->sessions_n - 1];

    op->before_active_ms = last->active_ms;
    op->before_key = last->key;
}

STORED(a_session_is_made_once_and_read_back)
{
    struct session_put op = {.id = STR("s \xF0\x9F\x94\xA5"),
                             .course = STR("physics"),
                             .title = STR("Heat")};
    struct session s;

    clock_stopped(1772136900123);
    WRITE(ANN, session_put, &op);
    CHECK(op.made);
    CHECK_STR(op.id_text, "s \xF0\x9F\x94\xA5");
    s = session_of(ANN, "s \xF0\x9F\x94\xA5");
    CHECK_TEXT(s.id, op.id);
    CHECK_TEXT(s.course, STR("physics"));
    CHECK_TEXT(s.title, STR("Heat"));
    CHECK_INT(s.created_ms, 1772136900123);
    CHECK_INT(s.active_ms, 1772136900123);
    CHECK(!s.running);
    WRITE(ANN, session_put, &op);
    CHECK(!op.made);
    CHECK_INT(sql_i64("SELECT count(*) FROM session"), 1);
}

STORED(a_session_without_an_id_gets_one)
{
    struct session_put op = {.title = STR("")}, other = {.made = false};

    WRITE(ANN, session_put, &op);
    WRITE(ANN, session_put, &other);
    CHECK_INT(strlen(op.id_text), 36);
    CHECK(strcmp(op.id_text, other.id_text) != 0);
    CHECK_TEXT(session_of(ANN, op.id_text).title, STR(""));
    CHECK_TEXT(session_of(ANN, other.id_text).title, STR_NONE);
    CHECK_TEXT(session_of(ANN, other.id_text).course, STR_NONE);
}

STORED(renaming_keeps_the_rest_and_moves_the_version_on)
{
    struct session_put op = {
        .id = STR("s"), .title = STR("New"), .must_exist = true};
    struct session before, after;

    put(ANN, "s", "physics", "Old");
    before = session_of(ANN, "s");
    WRITE(ANN, session_put, &op);
    after = session_of(ANN, "s");
    CHECK_TEXT(after.title, STR("New"));
    CHECK_TEXT(after.course, STR("physics"));
    CHECK(after.version > before.version);
    put(ANN, "s", "biology", NULL);
    CHECK_TEXT(session_of(ANN, "s").course, STR("biology"));
    CHECK_TEXT(session_of(ANN, "s").title, STR("New"));
}

STORED(renaming_what_is_not_there_is_refused)
{
    struct session_put op = {
        .id = STR("s"), .title = STR("New"), .must_exist = true};
    int64_t before;

    put(BEN, "s", NULL, "Ben's");
    put(ANN, "other", NULL, NULL);
    before = rows_all();
    REFUSE(ANN, session_put, &op, FOOTNOTE_NOTFOUND, "session");
    CHECK_INT(rows_all(), before);
    CHECK_TEXT(session_of(BEN, "s").title, STR("Ben's"));
}

/* What cannot be told apart cannot be probed. */
STORED(another_users_session_is_as_if_it_were_not_there)
{
    struct session_get there = {.id = STR("s")}, missing = {.id = STR("t")};
    struct session_list list = {.limit = 10};
    struct history h = {.session = STR("s")};
    char text[sizeof(err.text)];

    say(ANN, "s", "m", FOOTNOTE_USER, "secret");
    say(BEN, "b", "m2", FOOTNOTE_USER, "hello");
    REFUSE_READ(BEN, session_get, &missing, FOOTNOTE_NOTFOUND, "session");
    memcpy(text, err.text, sizeof(text));
    REFUSE_READ(BEN, session_get, &there, FOOTNOTE_NOTFOUND, "session");
    CHECK_STR(err.text, text);
    REFUSE_READ(BEN, history, &h, FOOTNOTE_NOTFOUND, "session");
    CHECK_STR(err.text, text);
    READ(BEN, session_list, &list);
    CHECK_INT(list.sessions_n, 1);
    /* Somebody who was never seen. */
    REFUSE_READ(((struct who){TENANT, STR("eve")}), session_get, &there,
                FOOTNOTE_NOTFOUND, "session");
    REFUSE_READ(((struct who){STR("elsewhere"), STR("ann")}), session_get,
                &there, FOOTNOTE_NOTFOUND, "session");
}

STORED(equal_ids_of_two_users_are_two_sessions)
{
    struct who other = {STR("tenant2"), STR("ann")};

    say(ANN, "s", "m", FOOTNOTE_USER, "Ann asks");
    say(BEN, "s", "m", FOOTNOTE_USER, "Ben asks");
    say(other, "s", "m", FOOTNOTE_USER, "Another Ann asks");
    CHECK_TEXT(history_of(ANN, "s").messages[0].content, STR("Ann asks"));
    CHECK_TEXT(history_of(BEN, "s").messages[0].content, STR("Ben asks"));
    CHECK_TEXT(message_of(other, "m").content, STR("Another Ann asks"));
    delete_session(BEN, "s");
    CHECK_INT(history_of(ANN, "s").messages_n, 1);
    CHECK_INT(history_of(other, "s").messages_n, 1);
}

STORED(sessions_are_listed_by_activity_page_by_page)
{
    struct session_list op = {.limit = 3};
    int64_t t = 1700000000000;

    for (int i = 0; i < 5; i++) {
        clock_stopped(t + i / 2); /* some at the same moment */
        put(ANN, (const char *[]){"a", "b", "c", "d", "e"}[i], NULL, NULL);
    }
    clock_stopped(t + 100);
    say(ANN, "b", "m", FOOTNOTE_USER, "again");
    check_page(&op, "b e d");
    next_page(&op); /* between two of the same moment */
    check_page(&op, "c a");
    next_page(&op);
    check_page(&op, "");
    op = (struct session_list){.limit = 0};
    check_page(&op, "b e d c a");
}

STORED(sessions_are_listed_by_course)
{
    struct session_list op = {.course = STR("physics"), .limit = 9};

    put(ANN, "a", "physics", NULL);
    put(ANN, "b", "biology", NULL);
    put(ANN, "c", NULL, NULL);
    check_page(&op, "a");
    op.course = STR("nothing");
    check_page(&op, "");
}

STORED(activity_does_not_go_back_with_the_clock)
{
    clock_stopped(1700000000000);
    say(ANN, "s", "m1", FOOTNOTE_USER, "one");
    clock_stopped(1600000000000);
    say(ANN, "s", "m2", FOOTNOTE_USER, "two");
    CHECK_INT(session_of(ANN, "s").active_ms, 1700000000000);
    CHECK_TEXT(history_of(ANN, "s").messages[1].id, STR("m2"));
}

STORED(the_first_question_becomes_the_title_cut_at_80_characters)
{
    AUTO(buf_free) struct buf b = BUF(1024);
    struct str s;

    for (int i = 0; i < 81; i++)
        buf_add(&b, STR("\xF0\x9F\x94\xA5"));
    buf_add_c(&b, '\0');
    say(ANN, "s", "m0", FOOTNOTE_SYSTEM, "You are kind.");
    say(ANN, "s", "m1", FOOTNOTE_USER, b.p);
    say(ANN, "s", "m2", FOOTNOTE_USER, "second");
    s = buf_str(&b);
    s.n = 320;
    CHECK_TEXT(session_of(ANN, "s").title, s);
    put(ANN, "t", NULL, "Mine");
    say(ANN, "t", "m3", FOOTNOTE_USER, "not the title");
    CHECK_TEXT(session_of(ANN, "t").title, STR("Mine"));
}

/* The question may come after what was found for it. */
STORED(a_question_that_fills_a_bare_one_gives_the_title_too)
{
    struct event_add e = {
        .session = STR("s"), .user_message = STR("q"), .query = STR("heat")};

    WRITE(ANN, event_add, &e);
    say(ANN, "s", "q", FOOTNOTE_USER, "What is heat?");
    CHECK_TEXT(session_of(ANN, "s").title, STR("What is heat?"));
    begin(ANN, "t", "q2", "a2", ANSWER_NEW);
    CHECK_TEXT(session_of(ANN, "t").title, STR("why?"));
    CHECK(session_of(ANN, "t").running);
}

static int64_t of_session(const char *table)
{
    char sql[200];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
    return sql_i64(sql);
}

STORED(deleting_removes_all_but_the_pooled_sources)
{
    struct reference r = slide("d", 1, "text");
    struct event_add e = {.session = STR("s"),
                          .user_message = STR("q"),
                          .query = STR("heat"),
                          .sources = &r,
                          .sources_n = 1};
    struct session_get get = {.id = STR("s")};

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, event_add, &e);
    answer(ANN, "s", "a", "so [1]", &r, 1);
    begin(ANN, "s", "q2", "a2", ANSWER_NEW);
    delete_session(ANN, "s");
    REFUSE_READ(ANN, session_get, &get, FOOTNOTE_NOTFOUND, "session");
    CHECK_INT(of_session("message"), 0);
    CHECK_INT(of_session("source_reference"), 0);
    CHECK_INT(of_session("retrieval_event"), 0);
    CHECK_INT(of_session("answer_lease"), 0);
    CHECK_INT(of_session("answer_text"), 0);
    CHECK_INT(of_session("source"), 1);
    delete_session(ANN, "s"); /* twice is fine */
    answer(ANN, "t", "a", "so [1]", &r, 1);
    CHECK_INT(of_session("source"), 1);
    CHECK_TEXT(message_of(ANN, "a").sources[0].source.preview, STR("text"));
}

STORED(a_deleted_session_takes_nothing_more_and_its_id_is_not_used_again)
{
    struct session_put p = {.id = STR("s")};
    struct session_clear clear = {.id = STR("s")};
    struct reference r = slide("d", 1, "text");
    struct message_save m = answered("s", "m", "so", &r, 1);
    struct message_cite c = {.session = STR("s"),
                             .message = STR("m"),
                             .sources = &r,
                             .sources_n = 1};
    struct event_add e = {
        .session = STR("s"), .user_message = STR("q"), .query = STR("heat")};
    struct answer_begin b = {
        .question = {.session = STR("s"), .content = STR("why?")}};
    int64_t before;

    put(ANN, "s", NULL, NULL);
    delete_session(ANN, "s");
    delete_session(ANN, "never there");
    before = rows_all();
    REFUSE(ANN, session_put, &p, FOOTNOTE_NOTFOUND, "session");
    REFUSE(ANN, session_clear, &clear, FOOTNOTE_NOTFOUND, "session");
    REFUSE(ANN, message_save, &m, FOOTNOTE_NOTFOUND, "session");
    REFUSE(ANN, message_cite, &c, FOOTNOTE_NOTFOUND, "session");
    REFUSE(ANN, event_add, &e, FOOTNOTE_NOTFOUND, "session");
    REFUSE(ANN, answer_begin, &b, FOOTNOTE_NOTFOUND, "session");
    CHECK_INT(rows_all(), before);
    help_reopen();
    REFUSE(ANN, message_save, &m, FOOTNOTE_NOTFOUND, "session");
}

STORED(deleting_is_for_the_owner_alone)
{
    say(ANN, "s", "m", FOOTNOTE_USER, "mine");
    delete_session(BEN, "s"); /* as if it were not there */
    CHECK_INT(history_of(ANN, "s").messages_n, 1);
}

STORED(clearing_takes_references_and_events_and_leaves_messages)
{
    struct reference r = slide("d", 1, "text");
    struct event_add e = {.session = STR("s"),
                          .user_message = STR("q"),
                          .query = STR("heat"),
                          .sources = &r,
                          .sources_n = 1};
    struct session_clear op = {.id = STR("s")};
    struct history h;

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, event_add, &e);
    answer(ANN, "s", "a", "so [1]", &r, 1);
    REFUSE(BEN, session_clear, &op, FOOTNOTE_NOTFOUND, "session");
    WRITE(ANN, session_clear, &op);
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, 2);
    CHECK_INT(h.messages[1].sources_n, 0);
    check_digest(&h.messages[1]);
    CHECK_INT(of_session("source_reference"), 0);
    CHECK_INT(of_session("retrieval_event"), 0);
}

STORED(a_course_that_is_not_yours_is_not_taken)
{
    struct session_put p = {.id = STR("s"), .course = STR("physics")};
    struct message_save m = saved("s2", "m", FOOTNOTE_USER, "why?");
    int64_t before;

    course_make(ANN, "physics");
    say(BEN, "b", "mb", FOOTNOTE_USER, "hello");
    m.course = STR("physics");
    before = rows_all();
    REFUSE(BEN, session_put, &p, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, message_save, &m, FOOTNOTE_NOTFOUND, "course");
    CHECK_INT(rows_all(), before);
    member(ANN, "physics", "ben", MEMBER_READER);
    WRITE(BEN, session_put, &p);
    WRITE(BEN, message_save, &m);
    CHECK_TEXT(session_of(BEN, "s2").course, STR("physics"));
}
