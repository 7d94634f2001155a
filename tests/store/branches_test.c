/* branches_test.c - a thread is a tree: versions, and which path is shown. */
#include "store/answer/event.h"
#include "store/session/session.h"
#include "store/store.h"
#include "store_help.h"

/* ---- Shorthands --------------------------------------------------------- */

static const char *ids_of(const struct history *h)
{
    static char text[4096];
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < h->messages_n && n < sizeof(text) - 64; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s",
                              i ? " " : "", STR_ARG(h->messages[i].id));
    return text;
}

/* The path that is shown, or with `at` the one through that message. */
static const char *path(const char *at)
{
    struct history h = {.session = STR("s"), .at = str_c(at)};

    READ(ANN, history, &h);
    for (size_t i = 0; i < h.messages_n; i++)
        check_digest(&h.messages[i]);
    return ids_of(&h);
}

static struct history page(size_t limit, const char *before, const char *at)
{
    struct history h = {.session = STR("s"),
                        .limit = limit,
                        .before = str_c(before),
                        .at = str_c(at)};

    READ(ANN, history, &h);
    return h;
}

static struct history all(void)
{
    struct history h = {.session = STR("s"), .replaced = true};

    READ(ANN, history, &h);
    return h;
}

static struct answer_begin opened(const char *q, const char *text,
                                  const char *a, enum answer_mode mode)
{
    struct answer_begin op = {.question = {.session = STR("s"),
                                           .id = str_c(q),
                                           .content = str_c(text)},
                              .answer_id = str_c(a),
                              .mode = mode};

    WRITE(ANN, answer_begin, &op);
    return op;
}

static void turn(const char *q, const char *text, const char *a,
                 enum answer_mode mode)
{
    struct answer_begin op = opened(q, text, a, mode);
    struct reference r = slide("d", 1, "one");
    struct answer_cite c = {
        .answer = &op.answer, .sources = &r, .sources_n = 1};

    WRITE(ANN, answer_cite, &c);
    append(ANN, &op.answer, "so [1]");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
}

static struct session_put showing(const char *id)
{
    return (struct session_put){
        .id = STR("s"), .must_exist = true, .shown = str_c(id)};
}

static void show(const char *id)
{
    struct session_put op = showing(id);

    WRITE(ANN, session_put, &op);
}

static void save_after(const char *id, const char *parent)
{
    struct message_save op = saved("s", id, FOOTNOTE_USER, "hm?");

    op.message.parent = str_c(parent);
    WRITE(ANN, message_save, &op);
}

/* The id that an edited question got. */
static const char *old_version(const char *answer)
{
    static char id[64];
    struct message m = message_of(ANN, answer);

    snprintf(id, sizeof(id), "%.*s", STR_ARG(m.parent));
    return id;
}

static void three_turns(void)
{
    turn("q1", "first?", "a1", ANSWER_NEW);
    turn("q2", "second?", "a2", ANSWER_NEW);
    turn("q3", "third?", "a3", ANSWER_NEW);
}

/* ---- Editing and stepping ----------------------------------------------- */

STORED(what_followed_an_edited_question_comes_back_with_it)
{
    char want[256];
    struct history h;

    three_turns();
    turn("q1", "first, said better?", "b1", ANSWER_NEW_OR_EDIT);
    CHECK_STR(path(NULL), "q1 b1");
    turn("p2", "else?", "b2", ANSWER_NEW);
    CHECK_STR(path(NULL), "q1 b1 p2 b2");
    snprintf(want, sizeof(want), "%s a1 q2 a2 q3 a3", old_version("a1"));
    CHECK_STR(path("a2"), want); /* a look changes nothing */
    CHECK_STR(path(NULL), "q1 b1 p2 b2");
    show(old_version("a1"));
    CHECK_STR(path(NULL), want);
    h = history_of(ANN, "s");
    for (size_t i = 1; i < h.messages_n; i += 2) {
        CHECK_INT(h.messages[i].sources_n, 1);
        CHECK(h.messages[i].sources[0].cited);
    }
    help_reopen();
    CHECK_STR(path(NULL), want);
    show("q1");
    CHECK_STR(path(NULL), "q1 b1 p2 b2");
}

STORED(branches_below_a_branch_come_back_as_they_were_left)
{
    three_turns();
    turn("q2", NULL, "a2b", ANSWER_REGENERATE);
    turn("q2", NULL, "a2c", ANSWER_REGENERATE);
    CHECK_STR(path(NULL), "q1 a1 q2 a2c");
    show("a2");
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 a3");
    turn("q1", NULL, "a1b", ANSWER_REGENERATE);
    CHECK_STR(path(NULL), "q1 a1b");
    show("a1"); /* a2 was left, though a2c is newer */
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 a3");
    show("a2b");
    show("a1b");
    show("a1");
    CHECK_STR(path(NULL), "q1 a1 q2 a2b");
    CHECK_STR(path("a3"), "q1 a1 q2 a2 q3 a3");
}

STORED(a_turn_on_another_branch_shows_it)
{
    struct answer_begin op;

    three_turns();
    turn("q2", NULL, "a2b", ANSWER_REGENERATE);
    turn("q3", NULL, "a3b", ANSWER_REGENERATE);
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 a3b");
    show("a2b");
    turn("q3", "third, said better?", "c3", ANSWER_NEW_OR_EDIT);
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 c3");
    show("a2b");
    op = opened("q3", NULL, "c4", ANSWER_CONTINUE);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 c3 c4");
    op = (struct answer_begin){.question = {.session = STR("s"),
                                            .id = STR("q4"),
                                            .parent = STR("a2b"),
                                            .content = STR("fourth?")},
                               .answer_id = STR("a4")};
    WRITE(ANN, answer_begin, &op);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_STR(path(NULL), "q1 a1 q2 a2b q4 a4");
}

STORED(versions_of_a_message_and_what_replaces_it_are_told)
{
    struct history h;

    three_turns();
    turn("q2", NULL, "a2b", ANSWER_REGENERATE);
    h = history_of(ANN, "s");
    CHECK_STR(ids_of(&h), "q1 a1 q2 a2b");
    CHECK_INT(h.messages[2].versions_n, 0);
    CHECK_INT(h.messages[3].versions_n, 2);
    CHECK_TEXT(h.messages[3].versions[0], STR("a2"));
    CHECK_TEXT(h.messages[3].versions[1], STR("a2b"));
    CHECK_TEXT(h.messages[3].parent, STR("q2"));
    CHECK_TEXT(h.messages[0].parent, STR_NONE);
    show("a2");
    h = all();
    CHECK_STR(ids_of(&h), "q1 a1 q2 a2 q3 a3 a2b");
    CHECK_TEXT(h.messages[3].replaced_by, STR_NONE);
    CHECK_TEXT(h.messages[6].replaced_by, STR("a2")); /* newer, yet left */
    CHECK_TEXT(message_of(ANN, "a2b").replaced_by, STR("a2"));
    CHECK_TEXT(message_of(ANN, "a2b").parent, STR("q2"));
    CHECK_INT(message_of(ANN, "a2b").versions_n, 2);
    CHECK_TEXT(message_of(ANN, "a2b").versions[0], STR("a2"));
    CHECK_INT(message_of(ANN, "q2").versions_n, 0);
    CHECK_INT(h.messages[6].versions_n, 2);
    show("a2b");
    h = all();
    CHECK_TEXT(h.messages[3].replaced_by, STR("a2b"));
    CHECK_TEXT(h.messages[4].replaced_by, STR("a2b"));
    CHECK_TEXT(h.messages[5].replaced_by, STR("a2b"));
}

STORED(a_page_is_of_the_path_that_is_asked_for)
{
    struct history h;

    three_turns();
    turn("q1", NULL, "b1", ANSWER_REGENERATE);
    h = page(1, NULL, NULL);
    CHECK_STR(ids_of(&h), "b1");
    CHECK(h.more);
    CHECK_INT(h.messages[0].versions_n, 2);
    CHECK_TEXT(h.messages[0].parent, STR("q1"));
    h = page(2, NULL, "a2");
    CHECK_STR(ids_of(&h), "q3 a3");
    CHECK(h.more);
    h = page(2, "q3", "a2");
    CHECK_STR(ids_of(&h), "q2 a2");
    h = page(0, "q3", "a2");
    CHECK_STR(ids_of(&h), "q1 a1 q2 a2");
    CHECK(!h.more);
}

/* ---- Saving ------------------------------------------------------------- */

STORED(a_saved_message_follows_its_parent)
{
    struct message_save op = saved("s", "m3", FOOTNOTE_USER, "hm?");

    save_after("m1", NULL);
    save_after("m2", NULL);
    CHECK_STR(path(NULL), "m1 m2");
    op.message.parent = STR("m1");
    WRITE(ANN, message_save, &op);
    CHECK_STR(path(NULL), "m1 m3");
    WRITE(ANN, message_save, &op); /* the same again */
    CHECK(!op.made);
    op.message.parent = STR_NONE;
    WRITE(ANN, message_save, &op);
    CHECK(!op.made);
    op.message.parent = STR("m2");
    REFUSE(ANN, message_save, &op, FOOTNOTE_CONFLICT, "after another");
    save_after("n1", ""); /* another beginning */
    CHECK_STR(path(NULL), "n1");
    show("m2");
    CHECK_STR(path(NULL), "m1 m2");
    save_after("m4", NULL);
    CHECK_STR(path(NULL), "m1 m2 m4");
}

STORED(a_placeholder_stays_where_it_is)
{
    struct reference r = slide("d", 1, "one");
    struct message_cite c = {.session = STR("s"),
                             .message = STR("a"),
                             .sources = &r,
                             .sources_n = 1};
    struct message_save op = answered("s", "a", "so [1]", NULL, 0);

    save_after("m1", NULL);
    save_after("m2", NULL);
    WRITE(ANN, message_cite, &c);
    op.message.parent = STR("m1");
    REFUSE(ANN, message_save, &op, FOOTNOTE_CONFLICT, "after another");
    op.message.parent = STR("m2");
    WRITE(ANN, message_save, &op);
    CHECK_STR(path(NULL), "m1 m2 a");
}

/* Nobody names what is not theirs, or not of this session. */
STORED(a_parent_is_of_the_same_session_and_user)
{
    struct message_save op = saved("s", "x", FOOTNOTE_USER, "hm?");
    struct answer_begin ask = {
        .question = {.session = STR("s"), .content = STR("why?")}};
    static const char *const foreign[] = {"other", "bens", "nobody", "x"};
    struct session_put put;

    save_after("m1", NULL);
    say(ANN, "t", "other", FOOTNOTE_USER, "hm?");
    say(BEN, "s", "bens", FOOTNOTE_USER, "hm?");
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        op.message.parent = ask.question.parent = str_c(foreign[i]);
        put = showing(foreign[i]);
        REFUSE(ANN, message_save, &op, FOOTNOTE_NOTFOUND, "not there");
        REFUSE(ANN, answer_begin, &ask, FOOTNOTE_NOTFOUND, "not there");
        REFUSE(ANN, session_put, &put, FOOTNOTE_NOTFOUND, "not there");
        CHECK_STR(err.field, "message");
    }
    op.message.session = STR("new"); /* and no session is left behind */
    op.message.parent = STR("m1");
    REFUSE(ANN, message_save, &op, FOOTNOTE_NOTFOUND, "not there");
    CHECK_INT(sql_i64("SELECT count(*) FROM session"), 3);
    CHECK_STR(path(NULL), "m1");
    put = (struct session_put){.id = STR("new"), .shown = STR("m1")};
    REFUSE(ANN, session_put, &put, FOOTNOTE_NOTFOUND, "not there");
}

/* Both answers show what was retrieved for the question, each its own marks. */
STORED(what_answers_borrow_is_marked_where_they_cite_it)
{
    struct reference r[] = {slide("d", 1, "Heat flows."),
                            slide("d", 2, "Cats sleep.")};
    struct event_add e = {.session = STR("s"),
                          .user_message = STR("q"),
                          .query = STR("why?"),
                          .sources = r,
                          .sources_n = 2};
    struct message_save op = answered("s", "b", "Cats sleep [2].", NULL, 0);
    static const char *const shown[] = {"a", "b", "a"};

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, event_add, &e);
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "Heat flows [1].");
    op.message.parent = STR("q");
    WRITE(ANN, message_save, &op);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        struct message m[2];

        show(shown[i]);
        m[0] = message_of(ANN, "a");
        m[1] = message_of(ANN, "b");
        CHECK(m[0].sources[0].cited && !m[0].sources[1].cited);
        CHECK(!m[1].sources[0].cited && m[1].sources[1].cited);
        CHECK_INT(m[0].sources[0].spans[0], 11);
        CHECK_INT(m[1].sources[1].spans[0], 11);
        m[0] = history_of(ANN, "s").messages[1];
        CHECK_TEXT(m[0].id, str_c(shown[i]));
        CHECK(m[0].sources[*shown[i] == 'b'].support > 900);
    }
}

/* ---- While an answer runs ----------------------------------------------- */

STORED(a_running_answer_stays_on_the_path_that_is_shown)
{
    struct session_put put = showing("a1");
    struct message_save op = saved("s", "x", FOOTNOTE_USER, "hm?");
    struct answer_begin running;

    turn("q1", "first?", "a1", ANSWER_NEW);
    running = opened("q1", NULL, "b1", ANSWER_REGENERATE);
    REFUSE(ANN, session_put, &put, FOOTNOTE_RUNNING, "running");
    op.message.parent = STR("a1");
    REFUSE(ANN, message_save, &op, FOOTNOTE_RUNNING, "running");
    put = showing("b1"); /* where it is already */
    WRITE(ANN, session_put, &put);
    finish(ANN, &running.answer, FOOTNOTE_COMPLETE);
    show("a1");
    CHECK_STR(path(NULL), "q1 a1");
}

STORED(an_answer_that_lost_its_holder_holds_nobody_up)
{
    turn("q1", "first?", "a1", ANSWER_NEW);
    opened("q1", NULL, "b1", ANSWER_REGENERATE);
    sql_do("UPDATE answer_lease SET node = 'elsewhere', until_ms = 1");
    show("a1");
    CHECK_STR(path(NULL), "q1 a1");
    CHECK_INT(message_of(ANN, "b1").status, FOOTNOTE_INTERRUPTED);
}

STORED(stepping_makes_a_new_version_of_the_session)
{
    struct history h;
    int64_t before;

    turn("q1", "first?", "a1", ANSWER_NEW);
    turn("q1", NULL, "b1", ANSWER_REGENERATE);
    h = history_of(ANN, "s");
    before = h.versions.session_version;
    show("a1");
    h = history_of(ANN, "s");
    CHECK(h.versions.session_version > before);
}

/* ---- Damage ------------------------------------------------------------- */

static void read_fails(void)
{
    struct history h = {.session = STR("s")};

    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "");
    h.at = STR("a2");
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "");
    h = (struct history){.session = STR("s"), .replaced = true};
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "");
    h = (struct history){.session = STR("s"), .limit = 2};
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "");
}

STORED(a_damaged_parent_is_never_followed)
{
    static const char *const parents[] = {"6", "7", "-1", "999", "4", "3"};
    struct session_put put = showing("a1");
    char sql[120];

    help_damaged = true;
    three_turns();
    turn("q1", NULL, "b1", ANSWER_REGENERATE);
    show("a1");
    for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
        snprintf(sql, sizeof(sql),
                 "UPDATE message SET parent = %s "
                 "WHERE id = 'a3'",
                 parents[i]);
        sql_do(sql);
        help_reopen();
        read_fails();
        put = showing("a3");
        REFUSE(ANN, session_put, &put, FOOTNOTE_DAMAGED, "");
        put = showing("b1");
        if (i < 4) /* no message could have it: not even on another branch */
            REFUSE(ANN, session_put, &put, FOOTNOTE_DAMAGED, "");
    }
    sql_do("UPDATE message SET parent = 5 WHERE id = 'a3'");
    help_reopen();
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 a3");
}

/* `shown` has no seal: whatever stands there, a path is shown. */
STORED(a_damaged_shown_still_shows_a_path)
{
    three_turns();
    turn("q1", NULL, "b1", ANSWER_REGENERATE);
    sql_do("UPDATE message SET shown = 1");
    CHECK_STR(path(NULL), "q1 b1");
    sql_do("UPDATE message SET shown = 0");
    CHECK_STR(path(NULL), "q1 b1");
    sql_do("UPDATE message SET shown = 7");
    CHECK_STR(path(NULL), "q1 b1");
    show("a1");
    CHECK_STR(path(NULL), "q1 a1 q2 a2 q3 a3");
    sql_do("UPDATE message SET shown = 0");
    save_after("x", NULL); /* after the newest */
    CHECK_STR(path(NULL), "q1 b1 x");
}

/* ---- Many --------------------------------------------------------------- */

/* Loops, not calls within calls. */
STORED_LIMIT(stepping_in_a_long_session_is_one_walk, 120)
{
    enum { N = 3000 };
    struct history h;
    char id[32];

    for (int i = 0; i < N; i++) {
        snprintf(id, sizeof(id), "m%d", i);
        say(ANN, "s", id, FOOTNOTE_USER, "hm?");
    }
    save_after("n0", "");
    show("m7");
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, N);
    show("n0");
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, 1);
    h = page(0, NULL, "m7");
    CHECK_INT(h.messages_n, N);
}
