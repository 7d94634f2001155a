/* state_test.c - what became of a source's document since. */
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store_help.h"

/* An answer of Ann's in course `physics` that cites slide 1 of `d`. */
static void cite_slide(struct who who, const char *session, const char *id)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct message_save op = answered(session, id, "Heat flows [1].", &r, 1);

    r.source.meta = STR("{\"quote\":\"Heat\"}");
    op.course = STR("physics");
    WRITE(who, message_save, &op);
}

static void course_with_document(void)
{
    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "version 1");
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

static void delete_document(const char *id, bool redact)
{
    struct document_delete op = {.id = str_c(id), .redact = redact};

    WRITE(ANN, document_delete, &op);
}

STORED(a_source_of_a_document_that_is_kept_is_live)
{
    course_with_document();
    cite_slide(ANN, "s", "m");
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat flows.");
    help_reopen();
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat flows.");
}

STORED(a_source_of_a_document_that_is_not_kept_is_external)
{
    cite_slide(ANN, "s", "m");
    check_state(ANN, "m", FOOTNOTE_EXTERNAL, "Heat flows.");
}

STORED(a_source_changes_when_a_new_version_is_ready)
{
    struct document_put p = {.document = {.id = STR("d"),
                                          .course = STR("physics"),
                                          .kind = DOCUMENT_SLIDES}};
    struct document_status_set ready = {.document = STR("d"),
                                        .status = DOCUMENT_READY};

    course_with_document();
    cite_slide(ANN, "s", "old");
    check_state(ANN, "old", FOOTNOTE_LIVE, "Heat flows.");
    CHECK_OK(sha256(STR("version 2"), &p.document.digest, &err), &err);
    WRITE(ANN, document_put, &p);
    check_state(ANN, "old", FOOTNOTE_LIVE, "Heat flows."); /* not ready yet */
    WRITE(ANN, document_status_set, &ready);
    check_state(ANN, "old", FOOTNOTE_CHANGED, "Heat flows.");
    /* The same text of the new version is live, and another row. */
    cite_slide(ANN, "s", "new");
    check_state(ANN, "new", FOOTNOTE_LIVE, "Heat flows.");
    check_state(ANN, "old", FOOTNOTE_CHANGED, "Heat flows.");
    CHECK_INT(sql_i64("SELECT count(*) FROM source"), 2);
}

/* The writer remembers documents; a session that a save makes must not be
 * told what was true before. */
STORED(a_new_session_cites_the_version_of_now)
{
    course_make(ANN, "physics");
    cite_slide(ANN, "s0", "m0"); /* before the document is there */
    document_make(ANN, "physics", "d", "version 1");
    cite_slide(ANN, "s1", "m1");
    check_state(ANN, "m1", FOOTNOTE_LIVE, "Heat flows.");
    document_make(ANN, "physics", "d", "version 2");
    cite_slide(ANN, "s2", "m2");
    check_state(ANN, "m2", FOOTNOTE_LIVE, "Heat flows.");
    check_state(ANN, "m1", FOOTNOTE_CHANGED, "Heat flows.");
}

/* A turn searches, and the document changes before the sources are saved. */
STORED(a_passage_cites_the_version_that_it_was_read_from)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct message_save op = answered("s", "m", "Heat flows [1].", &r, 1);

    course_with_document();
    document_make(ANN, "physics", "d", "version 2");
    op.course = STR("physics");
    r.version = 1;
    WRITE(ANN, message_save, &op);
    check_state(ANN, "m", FOOTNOTE_CHANGED, "Heat flows.");
    CHECK_INT(source_of(ANN, "m").version, 1);
    r.version = 0;
    op.message.id = STR("now");
    WRITE(ANN, message_save, &op);
    check_state(ANN, "now", FOOTNOTE_LIVE, "Heat flows.");
    CHECK_INT(source_of(ANN, "now").version, 2);
}

STORED(a_lecture_is_a_document_too)
{
    struct reference r = {.source = {.type = FOOTNOTE_LECTURE,
                                     .lecture = STR("d"),
                                     .has_start = true,
                                     .preview = STR("so")}};

    course_with_document();
    answer(ANN, "s", "m", "so [1]", &r, 1);
    check_state(ANN, "m", FOOTNOTE_LIVE, "so");
    delete_document("d", true);
    check_state(ANN, "m", FOOTNOTE_REDACTED, NULL);
}

STORED(a_source_of_a_deleted_document_keeps_its_text)
{
    course_with_document();
    cite_slide(ANN, "s", "m");
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat flows.");
    delete_document("d", false);
    check_state(ANN, "m", FOOTNOTE_DELETED, "Heat flows.");
    delete_document("d", false); /* twice is fine */
    help_reopen();
    check_state(ANN, "m", FOOTNOTE_DELETED, "Heat flows.");
}

static void check_redacted(struct who who, const char *id)
{
    struct reference r = source_of(who, id);

    CHECK_INT(r.state, FOOTNOTE_REDACTED);
    CHECK_TEXT(r.source.preview, STR_NONE);
    CHECK_TEXT(r.source.meta, STR_NONE);
    CHECK_TEXT(r.source.id, STR("doc_d_slide_1"));
    CHECK_INT(r.source.page, 1);
}

STORED(redacting_takes_the_text_from_all_old_citations)
{
    struct reference other = slide("e", 1, "Stays.");

    course_with_document();
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_slide(ANN, "s", "m");
    cite_slide(BEN, "s", "m");
    answer(ANN, "s", "other", "so [1]", &other, 1);
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat flows."); /* cached */
    delete_document("d", true);
    check_redacted(ANN, "m");
    check_redacted(BEN, "m");
    check_state(ANN, "other", FOOTNOTE_EXTERNAL, "Stays.");
    CHECK_INT(sql_i64("SELECT count(*) FROM source"
                      " WHERE preview = 'Heat flows.'"),
              0);
    CHECK_INT(sql_i64("SELECT count(*) FROM source"
                      " WHERE meta IS NOT NULL"),
              0);
    help_reopen(); /* the digests still hold */
    check_redacted(ANN, "m");
    CHECK_TEXT(message_of(ANN, "m").content, STR("Heat flows [1]."));
}

STORED(a_deleted_document_can_be_redacted_later)
{
    course_with_document();
    cite_slide(ANN, "s", "m");
    delete_document("d", false);
    check_state(ANN, "m", FOOTNOTE_DELETED, "Heat flows.");
    delete_document("d", true);
    check_redacted(ANN, "m");
    cite_slide(ANN, "t", "again"); /* what was erased does not come back */
    check_redacted(ANN, "again");
}

STORED(a_withdrawn_right_withholds_the_preview_until_it_is_given_again)
{
    struct history light = {.session = STR("s"), .light = true};

    course_with_document();
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_slide(BEN, "s", "m");
    check_state(BEN, "m", FOOTNOTE_LIVE, "Heat flows.");
    member(ANN, "physics", "ben", MEMBER_NONE);
    check_state(BEN, "m", FOOTNOTE_WITHDRAWN, NULL);
    CHECK_TEXT(message_of(BEN, "m").content, STR("Heat flows [1]."));
    READ(BEN, history, &light);
    CHECK_INT(light.messages[0].sources[0].state, FOOTNOTE_WITHDRAWN);
    member(ANN, "physics", "*", MEMBER_READER); /* everybody */
    check_state(BEN, "m", FOOTNOTE_LIVE, "Heat flows.");
    member(ANN, "physics", "*", MEMBER_NONE);
    check_state(BEN, "m", FOOTNOTE_WITHDRAWN, NULL);
    member(ANN, "physics", "ben", MEMBER_EDITOR);
    check_state(BEN, "m", FOOTNOTE_LIVE, "Heat flows.");
}

static void check_history(enum footnote_state state)
{
    struct history h = history_of(BEN, "s");

    CHECK_INT(h.messages[0].sources[0].state, state);
}

/* A whole history learns them with its session, not as a message does. */
STORED(a_history_is_read_with_the_rights_of_the_moment)
{
    course_with_document();
    member(ANN, "physics", "ben", MEMBER_READER);
    cite_slide(BEN, "s", "m");
    check_history(FOOTNOTE_LIVE);
    member(ANN, "physics", "*", MEMBER_READER);
    check_history(FOOTNOTE_LIVE);
    member(ANN, "physics", "ben", MEMBER_NONE);
    check_history(FOOTNOTE_LIVE);
    member(ANN, "physics", "*", MEMBER_NONE);
    check_history(FOOTNOTE_WITHDRAWN);
    member(ANN, "physics", "ben", MEMBER_EDITOR);
    check_history(FOOTNOTE_LIVE);
}

/* What others may not read, a document of theirs with the same id does not
 * open; nor may it take away what was never theirs. */
STORED(anothers_document_with_the_same_id_changes_nothing_of_mine)
{
    struct reference r = slide("d", 1, "Mine.");
    struct document_delete op = {.id = STR("d"), .redact = true};

    answer(ANN, "s", "m", "so [1]", &r, 1);
    check_state(ANN, "m", FOOTNOTE_EXTERNAL, "Mine.");
    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's bytes");
    check_state(ANN, "m", FOOTNOTE_EXTERNAL, "Mine.");
    WRITE(BEN, document_delete, &op);
    check_state(ANN, "m", FOOTNOTE_EXTERNAL, "Mine.");
}

STORED(deleting_a_course_leaves_sessions_with_deleted_sources)
{
    struct course_delete op = {.id = STR("physics")};
    struct history h;

    course_with_document();
    cite_slide(ANN, "s", "m");
    WRITE(ANN, course_delete, &op);
    check_state(ANN, "m", FOOTNOTE_DELETED, "Heat flows.");
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, 1);
    WRITE(ANN, course_delete, &op); /* twice is fine */
}

STORED(deleting_a_course_can_redact)
{
    struct course_delete op = {.id = STR("physics"), .redact = true};

    course_with_document();
    cite_slide(ANN, "s", "m");
    check_state(ANN, "m", FOOTNOTE_LIVE, "Heat flows.");
    WRITE(ANN, course_delete, &op);
    check_redacted(ANN, "m");
    help_reopen();
    check_redacted(ANN, "m");
}
