/* verdict_test.c - verdicts are kept with the answer, and are its own. */
#include "base/clock.h"
#include "store/answer/answer.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store/session/whole.h"
#include "store/source/verdict_form.h"
#include "store_help.h"

#define HEAT                                                                   \
    "Rolf Landauer showed in 1961 that erasing one bit costs heat. The bound " \
    "does not hold for reversible computers."

static void check_record(const struct message *m, size_t n,
                         const enum verdict_kind *kinds)
{
    CHECK_INT(m->verdicts_n, 1);
    CHECK_TEXT(m->verdicts[0].judge, STR(VERDICT_JUDGE_TEXT));
    CHECK_INT(m->verdicts[0].n, n);
    for (size_t i = 0; i < n; i++)
        CHECK_INT(m->verdicts[0].sentences[i].kind, kinds[i]);
}

STORED(verdicts_of_a_saved_answer_are_kept)
{
    static const enum verdict_kind kinds[] = {
        VERDICT_CARRIED, VERDICT_CONTRADICTS, VERDICT_NOT_FOUND,
        VERDICT_NO_SOURCE};
    struct reference r = slide("d", 1, HEAT);
    struct message m;

    answer(ANN, "s", "a",
           "Landauer showed in 1961 that erasing one bit costs heat [1]. He "
           "showed in 1971 that erasing one bit costs heat [1].\n"
           "Plants make sugar [9].\n"
           "The bound does not hold for reversible computers.",
           &r, 1);
    m = message_of(ANN, "a");
    check_record(&m, 4, kinds);
    const struct sentence_verdict *s = m.verdicts[0].sentences;
    CHECK_INT(m.verdicts[0].carried, 1);
    CHECK_INT(s[0].number, 1);
    CHECK_INT(s[0].from, 0);
    CHECK_INT(s[0].to, strlen("Rolf Landauer showed in 1961 that erasing one "
                              "bit costs heat."));
    CHECK_INT(s[1].reason, REASON_CLASH);
    struct str word = {m.content.p + s[1].word_start,
                       s[1].word_end - s[1].word_start};
    CHECK_TEXT(word, STR("1971"));
    CHECK_INT(s[2].reason, REASON_UNKNOWN);
    CHECK_INT(s[2].number, 9);
    CHECK_INT(s[3].number, 1); /* which carries it, though it cites nothing */
    check_record(&history_of(ANN, "s").messages[0], 4, kinds);
}

/* What stands before it has characters of two and four bytes. */
STORED(verdicts_say_which_words_are_missing)
{
    struct reference r = slide("d", 1, HEAT);
    struct message m;

    answer(
        ANN, "s", "a",
        "\xC3\x89t\xC3\xA9 \xF0\x9F\x94\xA5: yes.\nErasing one bit costs heat "
        "and made Oxford famous [1].",
        &r, 1);
    m = history_of(ANN, "s").messages[0];
    CHECK_INT(m.verdicts_n, 1);
    const struct sentence_verdict *s =
        &m.verdicts[0].sentences[m.verdicts[0].n - 1];
    CHECK_INT(s->kind, VERDICT_PARTLY);
    CHECK_INT(s->missing_n, 1);
    CHECK_INT(s->missing[0],
              strlen("xxx xx: yes.\nErasing one bit costs heat and "));
    CHECK_INT(s->missing[1], s->missing[0] + strlen("made Oxford famous"));
}

STORED(numbers_that_no_source_has_are_told)
{
    static const uint32_t wanted[] = {2, 9, 98, 99};
    struct reference r = slide("d", 1, HEAT);
    struct message m;

    answer(ANN, "s", "a", "Heat [1, 99]. `[4]` [9] [1-2] \\[5] [98] [9].", &r,
           1);
    m = message_of(ANN, "a");
    CHECK_INT(m.unknown_n, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_INT(m.unknown[i], wanted[i]);
    answer(ANN, "s", "b", "Heat [1].", &r, 1);
    CHECK_INT(message_of(ANN, "b").unknown_n, 0);
    answer(ANN, "s", "c", "Nothing was read, and all is made up [3].", NULL, 0);
    CHECK_INT(message_of(ANN, "c").unknown[0], 3);
}

STORED(verdicts_of_a_written_answer_are_kept)
{
    static const enum verdict_kind kinds[] = {VERDICT_CARRIED};
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct reference r = slide("d", 1, HEAT);
    struct answer_cite cite = {
        .answer = &op.answer, .sources = &r, .sources_n = 1};
    struct answer_measure measure = {.answer = &op.answer};
    struct answer_finish end = {.answer = &op.answer,
                                .status = FOOTNOTE_COMPLETE,
                                .measured = &measure.measured};
    struct message m;

    WRITE(ANN, answer_cite, &cite);
    append(ANN, &op.answer, "Erasing one bit costs heat [1].");
    READ(ANN, answer_measure, &measure);
    CHECK_INT(message_of(ANN, "a").verdicts_n, 0);
    WRITE(ANN, answer_finish, &end);
    m = message_of(ANN, "a");
    check_record(&m, 1, kinds);
}

STORED(verdicts_stay_when_the_source_changes_or_goes)
{
    static const enum verdict_kind kinds[] = {VERDICT_CARRIED};
    struct reference r = slide("d", 1, HEAT);
    struct document_delete gone = {.id = STR("d"), .redact = true};
    struct message m;

    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "one");
    r.source.course = STR("physics");
    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    document_make(ANN, "physics", "d", "two");
    m = message_of(ANN, "a");
    check_record(&m, 1, kinds);
    WRITE(ANN, document_delete, &gone);
    m = message_of(ANN, "a");
    CHECK_INT(m.sources[0].state, FOOTNOTE_REDACTED);
    CHECK(!m.sources[0].source.preview.p);
    check_record(&m, 1, kinds);
}

STORED(verdicts_follow_a_message_whose_sources_change)
{
    static const enum verdict_kind before[] = {VERDICT_NOT_FOUND};
    static const enum verdict_kind after[] = {VERDICT_CARRIED};
    struct reference other = slide("d", 1, "Plants make sugar from light.");
    struct reference r = slide("d", 2, HEAT);
    struct message_cite cite = {
        .message = STR("a"), .sources = &r, .sources_n = 1};
    struct message m;

    answer(ANN, "s", "a", "Erasing one bit costs heat [1, 2].", &other, 1);
    m = message_of(ANN, "a");
    check_record(&m, 1, before);
    WRITE(ANN, message_cite, &cite);
    m = message_of(ANN, "a");
    check_record(&m, 1, after);
    CHECK_INT(m.verdicts[0].sentences[0].number, 2);
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 2);
    WRITE(ANN, message_cite, &cite); /* nothing is new */
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 2);
}

/* Sources that are too long for the writer's budget come later: what was said
 * before they did is not shown as if it held. */
STORED(verdicts_of_an_earlier_form_are_not_shown)
{
    enum { MORE = 11, LONG = 8000 };
    char words[LONG + 1];
    struct reference first = slide("d", 1, HEAT), more[MORE];
    struct message_cite cite = {
        .message = STR("a"), .sources = more, .sources_n = MORE};

    memset(words, 'x', LONG);
    words[LONG] = '\0';
    for (int i = 0; i < MORE; i++)
        more[i] = slide("d", i + 2, words);
    answer(ANN, "s", "a", "Erasing one bit costs heat [1-12].", &first, 1);
    CHECK_INT(message_of(ANN, "a").verdicts_n, 1);
    WRITE(ANN, message_cite, &cite);
    CHECK_INT(message_of(ANN, "a").verdicts_n, 0);
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 1);
}

STORED(a_damaged_verdict_is_told_not_shown)
{
    struct reference r = slide("d", 1, HEAT);
    struct messages_by_id op = {.ids = (struct str[]){STR("a")}, .ids_n = 1};

    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    sql_do("UPDATE verdict SET sentences = replace(sentences, '1000', '1001')");
    REFUSE_READ(ANN, messages_by_id, &op, FOOTNOTE_DAMAGED, "verdict");
    sql_do("UPDATE verdict SET sentences = replace(sentences, '1001', '1000')");
    CHECK_INT(message_of(ANN, "a").verdicts_n, 1);
}

STORED(verdicts_go_with_their_session)
{
    struct reference r = slide("d", 1, HEAT);
    struct session_clear clear = {.id = STR("s")};
    struct session_delete gone = {.id = STR("t")};

    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    answer(ANN, "t", "b", "Erasing one bit costs heat [1].", &r, 1);
    WRITE(ANN, session_clear, &clear);
    CHECK_INT(message_of(ANN, "a").verdicts_n, 0);
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 1);
    WRITE(ANN, session_delete, &gone);
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 0);
}

/* As an export brings it back, into an account that has nothing yet. */
STORED(verdicts_come_back_with_a_whole_session)
{
    struct reference r = slide("d", 1, HEAT);
    struct whole_read read = {.session = STR("s")};
    struct whole_write write = {.whole = NULL};
    struct message before, after;

    answer(ANN, "s", "a",
           "Erasing one bit costs heat [1]. In 1971 it costs heat [1].", &r, 1);
    before = message_of(ANN, "a");
    READ(ANN, whole_read, &read);
    write.whole = &read.whole;
    WRITE(BEN, whole_write, &write);
    after = message_of(BEN, "a");
    CHECK_INT(after.verdicts_n, 1);
    CHECK_INT(after.verdicts[0].created_ms, before.verdicts[0].created_ms);
    CHECK_INT(after.verdicts[0].n, before.verdicts[0].n);
    for (size_t i = 0; i < after.verdicts[0].n; i++)
        CHECK(memcmp(&after.verdicts[0].sentences[i],
                     &before.verdicts[0].sentences[i],
                     sizeof(struct sentence_verdict)) == 0);
}

/* ---- Another judge --------------------------------------------------------
 */

static struct verdict_add oracle(const struct message *m, const char *says)
{
    return (struct verdict_add){.message = STR("a"),
                                .digest = m->digest,
                                .judge = STR("oracle"),
                                .sentences = str_c(says)};
}

STORED(another_judge_has_a_record_of_its_own)
{
    struct reference r = slide("d", 1, HEAT);
    struct verdict_add add;
    struct message m;
    int64_t version, active;

    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    m = message_of(ANN, "a");
    version = sql_i64("SELECT version FROM session");
    active = sql_i64("SELECT active_ms FROM session");
    clock_stopped(clock_wall_ms() + 1000);
    add = oracle(&m, "[[0,26,4,0,1,0,0,0,0,0]]");
    WRITE(ANN, verdict_add, &add);
    m = message_of(ANN, "a");
    CHECK_INT(m.verdicts_n, 2);
    CHECK_TEXT(m.verdicts[0].judge, STR("text"));
    CHECK_INT(m.verdicts[0].carried, 1);
    CHECK_TEXT(m.verdicts[1].judge, STR("oracle"));
    CHECK_INT(m.verdicts[1].sentences[0].kind, VERDICT_CONTRADICTS);
    CHECK_INT(history_of(ANN, "s").messages[0].verdicts_n, 2);
    CHECK(sql_i64("SELECT version FROM session") > version);
    CHECK_INT(sql_i64("SELECT active_ms FROM session"), active);
    WRITE(ANN, verdict_add, &add); /* nothing is new */
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 2);
    add = oracle(&m, "[[0,26,1,0,1,0,0,0,0,0]]");
    WRITE(ANN, verdict_add, &add); /* its newest counts */
    m = message_of(ANN, "a");
    CHECK_INT(m.verdicts_n, 2);
    CHECK_INT(m.verdicts[1].carried, 1);
}

STORED(another_judge_comes_too_late)
{
    struct reference r = slide("d", 1, HEAT), more = slide("d", 2, "So.");
    struct message_cite cite = {
        .message = STR("a"), .sources = &more, .sources_n = 1};
    struct session_delete gone = {.id = STR("s")};
    struct verdict_add add;
    struct message m;

    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    m = message_of(ANN, "a");
    add = oracle(&m, "[[0,26,4,0,1,0,0,0,0,0]]");
    WRITE(BEN, verdict_add, &add); /* it is not his */
    WRITE(ANN, message_cite, &cite);
    WRITE(ANN, verdict_add, &add); /* it has another form */
    CHECK_INT(message_of(ANN, "a").verdicts_n, 1);
    WRITE(ANN, session_delete, &gone);
    WRITE(ANN, verdict_add, &add);
    CHECK_INT(sql_i64("SELECT count(*) FROM verdict"), 0);
    add.judge = STR("text");
    REFUSE(ANN, verdict_add, &add, FOOTNOTE_INVALID, "judge");
}

/* ---- What a file may claim ----------------------------------------------- */

#define LIE "In 1971 plants made heat of sugar [1]."

/* The answer LIE with the records of `list`, written by Ben. */
static struct message brought(struct verdict_record *list, size_t n,
                              bool trusted)
{
    struct whole_read read = {.session = STR("s")};
    struct whole_write write = {.whole = &read.whole, .trusted = trusted};
    struct reference r = slide("d", 1, HEAT);
    struct sha256_ctx *c;
    struct message *m;

    answer(ANN, "s", "a", LIE, &r, 1);
    READ(ANN, whole_read, &read);
    m = (void *)(uintptr_t)read.whole.messages;
    CHECK_INT(m->verdicts_n, 1);
    CHECK_OK(sha256_open(&c, &err), &err);
    for (size_t i = 0; i < n; i++) {
        verdicts_digest(c, &m->digest, list[i].judge, list[i].packed,
                        &list[i].digest);
        list[i].digest.b[0] ^= !list[i].has_digest;
        list[i].has_digest = true;
    }
    sha256_close(c);
    m->verdicts = list;
    m->verdicts_n = n;
    WRITE(BEN, whole_write, &write);
    return message_of(BEN, "a");
}

#define CARRIED "[[0,33,1,0,1,1000,0,62,0,0]]"
#define SAYS(name, fits)                                                       \
    {                                                                          \
        .judge = STR(name), .packed = STR(CARRIED), .created_ms = 1000,        \
        .has_digest = (fits)                                                   \
    }

STORED(verdicts_of_a_trusted_file_stand)
{
    struct verdict_record list[] = {SAYS("text", true), SAYS("oracle", true)};
    struct message m = brought(list, 2, true);

    CHECK_INT(m.verdicts_n, 2);
    CHECK_TEXT(m.verdicts[0].judge, STR("text"));
    CHECK_TEXT(m.verdicts[1].judge, STR("oracle"));
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT(m.verdicts[i].sentences[0].kind, VERDICT_CARRIED);
        CHECK_INT(m.verdicts[i].created_ms, 1000);
    }
}

STORED(verdicts_that_name_another_text_are_judged_again)
{
    struct verdict_record list[] = {SAYS("text", false), SAYS("oracle", false)};
    struct message m = brought(list, 2, true);

    CHECK_INT(m.verdicts_n, 1);
    CHECK_INT(m.verdicts[0].sentences[0].kind, VERDICT_NOT_FOUND);
}

STORED(verdicts_of_a_stranger_are_judged_again)
{
    struct verdict_record list[] = {SAYS("text", true), SAYS("oracle", true)};
    struct message m = brought(list, 2, false);

    CHECK_INT(m.verdicts_n, 1);
    CHECK_TEXT(m.verdicts[0].judge, STR("text"));
    CHECK_INT(m.verdicts[0].sentences[0].kind, VERDICT_NOT_FOUND);
}

STORED(verdicts_that_a_trusted_file_has_not_are_none)
{
    struct verdict_record none[1];

    CHECK_INT(brought(none, 0, true).verdicts_n, 0);
}

STORED(verdicts_that_a_stranger_leaves_out_are_judged)
{
    struct verdict_record none[1];

    CHECK_INT(brought(none, 0, false).verdicts_n, 1);
}

STORED(verdicts_that_a_file_does_not_tell_are_judged)
{
    CHECK_INT(brought(NULL, 0, true).verdicts_n, 1);
}

STORED(a_source_without_words_is_not_judged)
{
    struct reference r = slide("d", 1, NULL);

    answer(ANN, "s", "a", "Erasing one bit costs heat [1].", &r, 1);
    CHECK_INT(message_of(ANN, "a").verdicts_n, 0);
    CHECK_INT(message_of(ANN, "a").sources[0].support, -1);
}
