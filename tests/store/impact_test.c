/* impact_test.c - what is said to become of answers, and what does. */
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/read/impact.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store_help.h"

static struct document_impact impact_for(struct who who)
{
    struct document_impact op = {
        .document = STR("d"), .course = STR("physics"), .limit = 10};

    READ(who, document_impact, &op);
    return op;
}

static void save_in(struct who who, const char *session, const char *id,
                    const char *text, const struct reference *refs, size_t n)
{
    struct message_save op = answered(session, id, text, refs, n);

    op.course = STR("physics");
    WRITE(who, message_save, &op);
}

/* Ann's course with two versions of d; Ben reads it.  Of each version there is
 * an answer of Ann's, and Ben has one of both. */
static void make_answers(void)
{
    const struct reference old = slide("d", 1, "Heat flows.");
    const struct reference other = slide("e", 1, "Elsewhere.");
    struct reference both[2] = {slide("d", 2, "It flows."), other};

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    document_make(ANN, "physics", "d", "version 1");
    document_make(ANN, "physics", "e", "other");
    save_in(ANN, "s1", "a1", "Heat flows [1].", &old, 1);
    save_in(BEN, "s2", "b1", "Heat flows.", &old, 1);
    document_make(ANN, "physics", "d", "version 2");
    save_in(ANN, "s1", "a2", "It flows [1][2].", both, 2);
    save_in(ANN, "s1", "a3", "Elsewhere [1].", &other, 1);
    both[1] = slide("d", 3, "And there.");
    save_in(BEN, "s2", "b2", "It flows [2].", both, 2);
    save_in(BEN, "s3", "b3", "It flows [1].", both, 1);
}

static const struct impact_answer *listed(const struct document_impact *op,
                                          const char *id)
{
    for (size_t i = 0; i < op->list_n; i++)
        if (str_eq(op->list[i].message, str_c(id)))
            return &op->list[i];
    FAIL("%s is not listed", id);
}

STORED(impact_counts_all_for_editors_and_their_own_for_readers)
{
    struct document_impact op;

    make_answers();
    op = impact_for(ANN);
    CHECK_TEXT(op.course, STR("physics"));
    CHECK_INT(op.version, 2);
    CHECK(op.complete);
    CHECK_INT(op.sessions, 3);
    CHECK_INT(op.deleted.answers, 5);
    CHECK_INT(op.deleted.cited, 4);
    CHECK_INT(op.replaced.answers, 3);
    CHECK_INT(op.replaced.cited, 3);
    CHECK_INT(op.list_n, 2); /* of others there are counts alone */
    CHECK(listed(&op, "a2")->replaced && !listed(&op, "a1")->replaced);
    op = impact_for(BEN);
    CHECK_INT(op.sessions, 2);
    CHECK_INT(op.deleted.answers, 3);
    CHECK_INT(op.deleted.cited, 2);
    CHECK_INT(op.replaced.answers, 2);
    CHECK_INT(op.list_n, 3);
    CHECK_TEXT(listed(&op, "b3")->session, STR("s3"));
    CHECK(!listed(&op, "b1")->cited && listed(&op, "b2")->cited);
    op.limit = 2;
    READ(BEN, document_impact, &op);
    CHECK(op.list_n == 2 && op.list_more);
}

static size_t changed_n(struct who who, const char *const *ids,
                        enum footnote_state state)
{
    size_t n = 0;

    for (; *ids; ids++) {
        struct message m = message_of(who, *ids);
        bool has = false;

        for (size_t i = 0; i < m.sources_n; i++)
            has |= m.sources[i].state == state;
        n += has;
    }
    return n;
}

/* Said before, and counted after. */
STORED(impact_is_what_happens)
{
    static const char *const anns[] = {"a1", "a2", "a3", NULL};
    static const char *const bens[] = {"b1", "b2", "b3", NULL};
    struct document_delete gone = {.id = STR("d"), .course = STR("physics")};
    struct document_impact before, after;
    size_t changed;

    make_answers();
    before = impact_for(ANN);
    changed = changed_n(ANN, anns, FOOTNOTE_CHANGED) +
              changed_n(BEN, bens, FOOTNOTE_CHANGED);
    document_make(ANN, "physics", "d", "version 3");
    CHECK_INT(changed_n(ANN, anns, FOOTNOTE_CHANGED) +
                  changed_n(BEN, bens, FOOTNOTE_CHANGED),
              changed + before.replaced.answers);
    after = impact_for(ANN);
    CHECK_INT(after.replaced.answers, 0);
    CHECK_INT(after.deleted.answers, before.deleted.answers);
    WRITE(ANN, document_delete, &gone);
    CHECK_INT(changed_n(ANN, anns, FOOTNOTE_DELETED) +
                  changed_n(BEN, bens, FOOTNOTE_DELETED),
              before.deleted.answers);
    REFUSE_READ(ANN, document_impact, &before, FOOTNOTE_NOTFOUND, "document");
}

STORED(impact_is_told_to_nobody_else)
{
    struct who stranger = {TENANT, STR("eve")}, other = {STR("x"), STR("ann")};
    struct document_impact op = {
        .document = STR("d"), .course = STR("physics"), .limit = 10};
    struct document_impact none = {.document = STR("never"), .limit = 10};

    make_answers();
    REFUSE_READ(stranger, document_impact, &op, FOOTNOTE_NOTFOUND, "is not");
    REFUSE_READ(other, document_impact, &op, FOOTNOTE_NOTFOUND, "is not");
    REFUSE_READ(stranger, document_impact, &none, FOOTNOTE_NOTFOUND,
                "document");
    op.course = STR_NONE;
    REFUSE_READ(stranger, document_impact, &op, FOOTNOTE_NOTFOUND, "document");
    member(ANN, "physics", "ben", MEMBER_NONE);
    REFUSE_READ(BEN, document_impact, &op, FOOTNOTE_NOTFOUND, "document");
}

/* What was retrieved for a question is listed as the answer that shows it. */
STORED(impact_of_a_retrieval_names_the_answer)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct event_add found = {.session = STR("s"),
                              .user_message = STR("q"),
                              .query = STR("heat"),
                              .sources = &r,
                              .sources_n = 1};
    struct message_save question = saved("s", "q", FOOTNOTE_USER, "Heat?");
    struct document_impact op;

    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "version 1");
    question.course = STR("physics");
    WRITE(ANN, message_save, &question);
    WRITE(ANN, event_add, &found);
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "It flows [1].");
    op = impact_for(ANN);
    CHECK_INT(op.deleted.answers, 1);
    CHECK(listed(&op, "a")->cited);
}

/* A document that very many answers cite costs no more than a bound. */
STORED(impact_looks_at_so_many_references_and_says_so)
{
    struct document_impact op;

    make_answers();
    sql_do("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
           "WHERE i < 100000) INSERT INTO source_reference (source, tenant, "
           "session, seq, number, cited) SELECT min(c.source), 1, n.i + 1000, "
           "1, 1, 1 FROM source c, n WHERE c.document > 0 AND c.document_id = "
           "'d' GROUP BY n.i");
    op = impact_for(ANN);
    CHECK(!op.complete);
    CHECK(op.deleted.answers <= IMPACT_REFERENCES_MAX);
    CHECK(op.deleted.answers > IMPACT_REFERENCES_MAX - 5);
    sql_do("DELETE FROM source_reference WHERE session > 1000");
}
