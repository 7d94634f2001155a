/* library_verdicts_test.c - verdicts through the public library. */
#include "contract.h"

#define HEAT "Landauer showed in 1961 that erasing one bit costs heat."
#define TEXT                                                                   \
    "Erasing one bit costs heat [1]. In 1971 erasing one bit costs heat [1]. " \
    "Plants make sugar [7]."

static struct footnote_err err;

static void check_message(const struct footnote_message *m)
{
    const struct footnote_sentence *s;

    CHECK_INT(m->verdicts_n, 1);
    CHECK_STR(m->verdicts[0].judge, "text");
    CHECK_INT(m->verdicts[0].n, 3);
    CHECK_INT(m->verdicts[0].carried, 1);
    s = m->verdicts[0].sentences;
    CHECK_INT(s[0].verdict, FOOTNOTE_CARRIED);
    CHECK_INT(s[0].reason, FOOTNOTE_WHY_NONE);
    CHECK_INT(s[0].number, 1);
    CHECK(s[0].support > .9);
    CHECK_INT(s[0].start, 0);
    CHECK_INT(s[0].span_end, strlen(HEAT));
    CHECK_INT(s[1].verdict, FOOTNOTE_CONTRADICTS);
    CHECK_INT(s[1].reason, FOOTNOTE_WHY_CLASH);
    CHECK(memcmp(&TEXT[s[1].word_start], "1971", 4) == 0);
    CHECK_INT(s[2].verdict, FOOTNOTE_NOT_FOUND);
    CHECK_INT(s[2].reason, FOOTNOTE_WHY_UNKNOWN);
    CHECK_INT(s[2].span_end, 0);
    CHECK_INT(m->unknown_n, 1);
    CHECK_INT(m->unknown[0], 7);
}

static const struct footnote_source heat = {
    .type = FOOTNOTE_TEXT, .id = "h", .title = "Heat", .preview = HEAT};

CONTRACT(a_message_has_its_verdicts)
{
    const char *ids[] = {"a"};
    const struct footnote_query q = {.ids = ids, .ids_n = 1};
    const struct footnote_message m = {.id = "a",
                                       .session = "s",
                                       .role = FOOTNOTE_ASSISTANT,
                                       .text = TEXT,
                                       .sources = &heat,
                                       .sources_n = 1};
    struct footnote_result *r;
    struct footnote *fn;

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    CHECK_OK(footnote_save(fn, &m, &err), &err);
    CHECK_OK(footnote_read(fn, &q, &r, &err), &err);
    check_message(&r->messages[0]);
    footnote_result_free(r);
    footnote_close(fn);
}

TEST(a_text_is_judged_without_a_store)
{
    const struct footnote_source bad = {.type = FOOTNOTE_SLIDE};
    struct footnote_result *r;

    CHECK_OK(footnote_judge(TEXT, &heat, 1, &r, &err), &err);
    CHECK_INT(r->messages_n, 1);
    CHECK_STR(r->messages[0].text, TEXT);
    CHECK_INT(r->messages[0].sources[0].number, 1);
    check_message(&r->messages[0]);
    footnote_result_free(r);
    CHECK_OK(footnote_judge("", NULL, 0, &r, &err), &err);
    CHECK_INT(r->messages[0].verdicts[0].n, 0);
    footnote_result_free(r);
    CHECK_INT(footnote_judge(NULL, &heat, 1, &r, &err), FOOTNOTE_INVALID);
    CHECK(r == NULL);
    CHECK_INT(footnote_judge(TEXT, &bad, 1, &r, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_judge("\xFF", &heat, 1, &r, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_judge(TEXT, &heat, 201, &r, &err), FOOTNOTE_TOOBIG);
}
