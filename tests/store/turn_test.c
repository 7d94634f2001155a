/* turn_test.c - answers that replace others, and answers that lose
 * their holder. */
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

static void ask(struct who who, const char *session, const char *q,
                const char *a, const char *text)
{
    struct answer_begin op = begin(who, session, q, a, ANSWER_NEW);

    append(who, &op.answer, text);
    finish(who, &op.answer, FOOTNOTE_COMPLETE);
}

static struct answer_begin edit(const char *q, const char *text, const char *a,
                                enum answer_mode mode)
{
    struct answer_begin op = {.question = {.session = STR("s"),
                                           .id = str_c(q),
                                           .content = str_c(text)},
                              .answer_id = str_c(a),
                              .mode = mode};

    WRITE(ANN, answer_begin, &op);
    append(ANN, &op.answer, "new");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    return op;
}

static struct history all_versions(const char *session)
{
    struct history h = {.session = str_c(session), .replaced = true};

    READ(ANN, history, &h);
    return h;
}

STORED(regenerating_keeps_the_old_answer_as_replaced)
{
    struct reference r = slide("d", 1, "one");
    struct history h;
    struct message_cite c = {
        .message = STR("a"), .sources = &r, .sources_n = 1};

    ask(ANN, "s", "q", "a", "old [1]");
    WRITE(ANN, message_cite, &c);
    edit("q", NULL, "b", ANSWER_REGENERATE);
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].id, STR("q"));
    CHECK_TEXT(h.messages[0].content, STR("why?"));
    CHECK_TEXT(h.messages[1].id, STR("b"));
    CHECK_TEXT(h.messages[1].replaced_by, STR_NONE);
    h = all_versions("s");
    CHECK_INT(h.messages_n, 3);
    CHECK_TEXT(h.messages[1].id, STR("a"));
    CHECK_TEXT(h.messages[1].content, STR("old [1]"));
    CHECK_TEXT(h.messages[1].replaced_by, STR("b"));
    CHECK_INT(h.messages[1].sources_n, 1);
    check_digest(&h.messages[1]);
    edit("q", NULL, "c", ANSWER_REGENERATE);
    h = all_versions("s");
    CHECK_TEXT(h.messages[1].replaced_by, STR("b"));
    CHECK_TEXT(h.messages[2].replaced_by, STR("c"));
    CHECK_TEXT(message_of(ANN, "a").replaced_by, STR("b"));
}

STORED(editing_replaces_the_question_and_all_that_follow)
{
    struct answer_begin op;
    struct history h;

    ask(ANN, "s", "q", "a", "old");
    ask(ANN, "s", "q2", "a2", "later");
    op = edit("q", "why not?", "b", ANSWER_NEW_OR_EDIT);
    CHECK_STR(op.question_text, "q");
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].id, STR("q"));
    CHECK_TEXT(h.messages[0].content, STR("why not?"));
    CHECK_TEXT(h.messages[1].id, STR("b"));
    h = all_versions("s");
    CHECK_INT(h.messages_n, 6);
    CHECK_TEXT(h.messages[0].content, STR("why?"));
    CHECK_TEXT(h.messages[0].replaced_by, STR("q"));
    CHECK_TEXT(h.messages[1].id, STR("a"));
    CHECK_TEXT(h.messages[1].replaced_by, STR("b"));
    CHECK_TEXT(h.messages[3].replaced_by, STR("b"));
    CHECK_TEXT(h.messages[4].replaced_by, STR_NONE);
    for (size_t i = 0; i < h.messages_n; i++)
        check_digest(&h.messages[i]);
}

STORED(a_page_leaves_replaced_messages_out)
{
    struct history h = {.session = STR("s"), .limit = 2};

    ask(ANN, "s", "q", "a", "old");
    edit("q", NULL, "b", ANSWER_REGENERATE);
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].id, STR("q"));
    CHECK(!h.more);
    h.replaced = true;
    READ(ANN, history, &h);
    CHECK_TEXT(h.messages[0].id, STR("a"));
    CHECK_TEXT(h.messages[0].replaced_by, STR("b"));
    CHECK(h.more);
}

static uint32_t continue_with(const char *a, const struct reference *r,
                              size_t n)
{
    struct answer_begin op = begin(ANN, "s", "q", a, ANSWER_CONTINUE);
    uint32_t numbers[2] = {0, 0};
    struct answer_cite c = {
        .answer = &op.answer, .sources = r, .sources_n = n, .numbers = numbers};

    if (n)
        WRITE(ANN, answer_cite, &c);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    return numbers[0];
}

STORED(a_continued_answer_counts_its_numbers_on)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct message_cite c = {.message = STR("a"), .sources = r, .sources_n = 2};

    ask(ANN, "s", "q", "a", "so [1]");
    WRITE(ANN, message_cite, &c);
    CHECK_INT(continue_with("b", r, 1), 3);
    CHECK_INT(continue_with("c", NULL, 0), 0);
    CHECK_INT(continue_with("d", r, 2), 4); /* past one that had none */
    CHECK_INT(history_of(ANN, "s").messages_n, 5);
    CHECK_TEXT(message_of(ANN, "a").replaced_by, STR_NONE);
}

/* ---- Leases ------------------------------------------------------------- */

static void open_streaming(const char *id, const char *text,
                           const struct reference *r, size_t n)
{
    struct message_save op = answered("s", id, text, r, n);

    op.message.status = FOOTNOTE_STREAMING;
    WRITE(ANN, message_save, &op);
    CHECK(op.made);
    WRITE(ANN, message_save, &op);
    CHECK(!op.made);
}

static struct answer_patch more(const char *text, enum footnote_status status)
{
    return (struct answer_patch){
        .id = STR("a"), .append = str_c(text), .status = status};
}

STORED(a_message_saved_as_streaming_goes_on_and_ends)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct answer_patch on = more("is [2]", FOOTNOTE_STREAMING);
    struct answer_patch end = more(".", FOOTNOTE_COMPLETE);
    struct message_cite c = {.message = STR("a"), .sources = r, .sources_n = 2};
    struct message m;

    open_streaming("a", "It ", r, 1);
    CHECK_TEXT(message_of(ANN, "a").content, STR("It "));
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_STREAMING);
    WRITE(ANN, answer_patch, &on);
    WRITE(ANN, message_cite, &c);
    WRITE(ANN, answer_patch, &end);
    m = message_of(ANN, "a");
    CHECK_TEXT(m.content, STR("It is [2]."));
    CHECK_INT(m.status, FOOTNOTE_COMPLETE);
    CHECK_INT(m.sources_n, 2);
    CHECK(!m.sources[0].cited && m.sources[1].cited);
    check_digest(&m);
    REFUSE(ANN, answer_patch, &on, FOOTNOTE_ENDED, "ended");
}

/* Whoever goes on with an answer knows how long it is. */
STORED(the_limit_holds_for_an_answer_that_is_found_again)
{
    static char mega[1536 * 1024];
    struct answer_patch on = {.id = STR("a"),
                              .append = {mega, sizeof(mega)},
                              .status = FOOTNOTE_STREAMING};
    struct answer_patch end = more("!", FOOTNOTE_COMPLETE);

    memset(mega, 'x', sizeof(mega));
    open_streaming("a", NULL, NULL, 0);
    WRITE(ANN, answer_patch, &on);
    REFUSE(ANN, answer_patch, &on, FOOTNOTE_TOOBIG, "content");
    WRITE(ANN, answer_patch, &end);
    CHECK_INT(message_of(ANN, "a").content.n, sizeof(mega) + 1);
}

STORED(an_answer_that_nobody_touches_is_interrupted)
{
    struct reference r = slide("d", 1, "one");
    struct answer_patch on = more("!", FOOTNOTE_STREAMING);
    struct message m;

    open_streaming("a", "so far [1]", &r, 1);
    time_passes(STORE_LEASE_MS / 2);
    WRITE(ANN, answer_patch, &on); /* the lease is new from here */
    time_passes(STORE_LEASE_MS * 2 / 3);
    begin(ANN, "t", "q", "ours", ANSWER_NEW); /* held by this process */
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_STREAMING);
    time_passes(100000);
    help_sweep();
    m = message_of(ANN, "a");
    CHECK_INT(m.status, FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(m.content, STR("so far [1]!"));
    CHECK(m.sources[0].cited);
    check_digest(&m);
    REFUSE(ANN, answer_patch, &on, FOOTNOTE_ENDED, "taken over");
    CHECK_INT(message_of(ANN, "ours").status, FOOTNOTE_STREAMING);
}

/* Another machine let its lease run out, then woke up again. */
STORED(a_holder_that_was_interrupted_can_write_no_more)
{
    struct answer_begin old = begin(ANN, "s", "q", "a", ANSWER_NEW), new;
    struct reference r = slide("d", 1, "one");
    struct answer_append more = {.answer = &old.answer, .text = STR("x")};
    struct answer_cite c = {
        .answer = &old.answer, .sources = &r, .sources_n = 1};
    struct answer_finish f = {.answer = &old.answer};

    append(ANN, &old.answer, "half");
    sql_do("UPDATE answer_lease SET node = 'elsewhere', until_ms = 1");
    clock_ahead(2000);
    help_sweep();
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(message_of(ANN, "a").content, STR("half"));
    new = begin(ANN, "s", "q", "b", ANSWER_REGENERATE);
    CHECK(new.answer.epoch != old.answer.epoch);
    REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "taken over");
    REFUSE(ANN, answer_cite, &c, FOOTNOTE_ENDED, "taken over");
    REFUSE(ANN, answer_finish, &f, FOOTNOTE_ENDED, "taken over");
    append(ANN, &new.answer, "whole");
    finish(ANN, &new.answer, FOOTNOTE_COMPLETE);
    CHECK_TEXT(message_of(ANN, "b").content, STR("whole"));
}

/* The epoch alone decides, also while the answer runs. */
STORED(a_write_with_another_epoch_is_refused)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer stale = op.answer;
    struct answer_append more = {.answer = &stale, .text = STR("x")};
    struct answer_finish f = {.answer = &stale};

    stale.epoch--;
    REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "taken over");
    REFUSE(ANN, answer_finish, &f, FOOTNOTE_ENDED, "taken over");
    append(ANN, &op.answer, "mine");
    stale = op.answer; /* a second writer with the same epoch */
    append(ANN, &op.answer, " alone");
    REFUSE(ANN, answer_append, &more, FOOTNOTE_ENDED, "taken over");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_TEXT(message_of(ANN, "a").content, STR("mine alone"));
}

static void begin_some(void)
{
    struct reference r = slide("d", 1, "one");
    struct answer_begin op;
    struct answer_cite c = {
        .answer = &op.answer, .sources = &r, .sources_n = 1};

    op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    WRITE(ANN, answer_cite, &c);
    append(ANN, &op.answer, "so far [1] \xF0\x9F");
}

CONTRACT(an_answer_of_a_process_that_died_is_interrupted_at_the_next_open)
{
    struct message m;

    help_die(begin_some);
    help_open();
    m = message_of(ANN, "a");
    CHECK_INT(m.status, FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(m.content, STR("so far [1] "));
    CHECK_INT(m.sources_n, 1);
    CHECK(m.sources[0].cited);
    check_digest(&m);
    CHECK(!history_of(ANN, "s").head.running);
    begin(ANN, "s", "q2", "a2", ANSWER_NEW);
    help_close();
}
