/* binding_test.c - which document a source cites, and that no other document
 * with its id has a say in it. */
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

static void cite_in(struct who who, const char *course, const char *id,
                    const struct reference *r)
{
    struct str session = arena_printf(&out, "in-%s", course ? course : "none");
    struct message_save op = answered(session.p, id, "So [1].", r, 1);

    op.course = str_c(course);
    WRITE(who, message_save, &op);
}

static struct reference source_of(struct who who, const char *id)
{
    struct message m = message_of(who, id);

    CHECK_INT(m.sources_n, 1);
    return m.sources[0];
}

static void check_state(struct who who, const char *id,
                        enum footnote_state state, const char *preview)
{
    struct reference r = source_of(who, id);

    CHECK_INT(r.state, state);
    CHECK_TEXT(r.source.preview, str_c(preview));
    CHECK(r.cited);
}

static void redact(struct who who, const char *id)
{
    struct document_delete op = {.id = str_c(id), .redact = true};

    WRITE(who, document_delete, &op);
}

/* ---- A document of somebody else's with the same id --------------------- */

STORED(document_that_its_saver_cannot_read_is_never_cited)
{
    struct reference r = slide("d", 1, "Mine.");

    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's bytes");
    course_make(ANN, "anns");
    cite_in(ANN, "anns", "m1", &r);
    cite_in(ANN, NULL, "m2", &r);
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Mine.");
    redact(BEN, "d");
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Mine.");
    help_reopen();
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Mine.");
    CHECK_INT(sql_i64("SELECT count(*) FROM source WHERE preview = 'Mine.'"),
              2);
}

/* Even if she may read it later: a course is shared without asking her. */
STORED(course_that_is_shared_with_her_later_takes_nothing_over)
{
    struct reference r = slide("d", 1, "Mine.");

    course_make(ANN, "anns");
    cite_in(ANN, "anns", "m1", &r);
    cite_in(ANN, NULL, "m2", &r);
    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's bytes");
    member(BEN, "bens", "ann", MEMBER_READER);
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Mine.");
    cite_in(ANN, "anns", "m3", &r); /* in a course of her own */
    check_state(ANN, "m3", FOOTNOTE_EXTERNAL, "Mine.");
    redact(BEN, "d");
    member(BEN, "bens", "ann", MEMBER_NONE);
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Mine.");
    check_state(ANN, "m3", FOOTNOTE_EXTERNAL, "Mine.");
}

/* Her own document comes first, be it the younger one. */
STORED(shared_document_with_her_id_does_not_take_the_place_of_hers)
{
    struct reference r = slide("d", 1, "Mine.");

    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's bytes");
    member(BEN, "bens", "ann", MEMBER_EDITOR);
    course_make(ANN, "anns");
    document_make(ANN, "anns", "d", "Ann's bytes");
    cite_in(ANN, NULL, "m", &r);
    check_state(ANN, "m", FOOTNOTE_LIVE, "Mine.");
    redact(BEN, "d");
    member(BEN, "bens", "ann", MEMBER_NONE);
    check_state(ANN, "m", FOOTNOTE_LIVE, "Mine.");
}

STORED(editor_counts_no_citations_of_anothers_document)
{
    struct reference r = slide("d", 1, "Mine.");
    struct course_counts op = {.course = STR("bens")};

    cite_in(ANN, NULL, "m", &r);
    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's bytes");
    READ(BEN, course_counts, &op);
    CHECK_INT(op.counts_n, 1);
    CHECK_INT(op.counts[0].given_n, 0);
    CHECK_INT(op.counts[0].cited_n, 0);
}

/* ---- A document that comes after its sources ---------------------------- */

STORED(imported_source_is_live_when_its_document_arrives_in_its_course)
{
    struct reference r = slide("d", 1, "Heat.");
    struct reference lecture = {.source = {.type = FOOTNOTE_LECTURE,
                                           .lecture = STR("d"),
                                           .has_start = true,
                                           .preview = STR("Heat.")}};

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_in(ANN, "physics", "m1", &r);
    cite_in(BEN, "physics", "m1", &r);
    cite_in(ANN, "physics", "m2", &lecture);
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Heat."); /* cached */
    document_make(ANN, "physics", "d", "version 1");
    check_state(ANN, "m1", FOOTNOTE_LIVE, "Heat.");
    check_state(BEN, "m1", FOOTNOTE_LIVE, "Heat.");
    check_state(ANN, "m2", FOOTNOTE_LIVE, "Heat.");
    cite_in(ANN, "physics", "m3", &r); /* the same row */
    check_state(ANN, "m3", FOOTNOTE_LIVE, "Heat.");
    CHECK_INT(sql_i64("SELECT count(*) FROM source"), 2);
    document_make(ANN, "physics", "d", "version 2");
    check_state(ANN, "m1", FOOTNOTE_CHANGED, "Heat.");
    help_reopen();
    check_state(ANN, "m1", FOOTNOTE_CHANGED, "Heat.");
    redact(ANN, "d");
    check_state(BEN, "m1", FOOTNOTE_REDACTED, NULL);
    check_state(ANN, "m2", FOOTNOTE_REDACTED, NULL);
    CHECK_INT(sql_i64("SELECT count(*) FROM source"
                      " WHERE preview IS NOT NULL"),
              0);
}

STORED(document_that_arrives_in_another_course_is_another)
{
    struct reference r = slide("d", 1, "Heat.");

    course_make(ANN, "physics");
    course_make(ANN, "biology");
    cite_in(ANN, "physics", "m1", &r);
    cite_in(ANN, NULL, "m2", &r);
    document_make(ANN, "biology", "d", "version 1");
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Heat.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Heat.");
    cite_in(ANN, "physics", "m3", &r);
    check_state(ANN, "m3", FOOTNOTE_EXTERNAL, "Heat.");
    redact(ANN, "d");
    check_state(ANN, "m1", FOOTNOTE_EXTERNAL, "Heat.");
    check_state(ANN, "m2", FOOTNOTE_EXTERNAL, "Heat.");
}

/* ---- One course, two savers, one of whom may read more ------------------ */

/* Both save the same bytes in the same course.  What becomes of Ann's secret
 * document is nothing to Ben, who could never read it. */
STORED(same_words_of_two_savers_are_bound_each_by_what_they_may_read)
{
    struct reference r = slide("d", 1, "Heat.");

    r.source.course = STR("secret");
    course_make(ANN, "secret");
    document_make(ANN, "secret", "d", "version 1");
    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_in(BEN, "physics", "m", &r);
    cite_in(ANN, "physics", "m", &r);
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat.");
    check_state(BEN, "m", FOOTNOTE_EXTERNAL, "Heat.");
    cite_in(BEN, "physics", "m2", &r); /* after Ann's is known */
    check_state(BEN, "m2", FOOTNOTE_EXTERNAL, "Heat.");
    redact(ANN, "d");
    check_state(ANN, "m", FOOTNOTE_REDACTED, NULL);
    check_state(BEN, "m", FOOTNOTE_EXTERNAL, "Heat.");
    check_state(BEN, "m2", FOOTNOTE_EXTERNAL, "Heat.");
}

STORED(source_cites_the_document_of_the_course_that_it_names)
{
    struct reference r = slide("d", 1, "Heat.");
    struct course_delete gone = {.id = STR("biology"), .redact = true};

    course_make(ANN, "biology");
    document_make(ANN, "biology", "d", "of biology");
    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "of physics");
    cite_in(ANN, "physics", "own", &r);
    r.source.course = STR("biology");
    cite_in(ANN, "physics", "named", &r);
    cite_in(ANN, NULL, "alone", &r);
    r.source.course = STR("nowhere"); /* then it says nothing */
    cite_in(ANN, "physics", "else", &r);
    WRITE(ANN, course_delete, &gone);
    check_state(ANN, "own", FOOTNOTE_LIVE, "Heat.");
    check_state(ANN, "named", FOOTNOTE_REDACTED, NULL);
    check_state(ANN, "alone", FOOTNOTE_REDACTED, NULL);
    check_state(ANN, "else", FOOTNOTE_LIVE, "Heat.");
}
