/* refused_test.c - more that is refused: pictures, names of users, ids
 * that are asked for; and what only looks bad. */
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

STORED(a_picture_needs_a_key_and_a_page_that_can_be)
{
    struct message_save op[4];
    struct answer_begin ab;
    struct answer_finish f = {.image_slide = STR("slide-1")};
    int64_t before;

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    for (int i = 0; i < 4; i++)
        op[i] = saved("s", "m", FOOTNOTE_ASSISTANT, "so");
    op[0].message.has_image = true;
    op[1].message.has_image = op[1].message.has_image_page = true;
    op[1].message.image_s3key = STR("k");
    op[1].message.image_page = -1;
    op[2].message.image_slide = STR("\xFF"); /* of no picture */
    op[3].message.has_image_page = true;
    op[3].message.image_page = -1;
    before = rows_all();
    for (int i = 0; i < 4; i++)
        REFUSE(ANN, message_save, &op[i], FOOTNOTE_INVALID, "imageSource");
    CHECK_INT(rows_all(), before);
    ab = begin(ANN, "s", "q2", "a", ANSWER_NEW);
    f.answer = &ab.answer;
    REFUSE(ANN, answer_finish, &f, FOOTNOTE_INVALID, "imageSource");
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_STREAMING);
}

STORED(nobody_and_everybody_are_no_users)
{
    static char name[201];
    struct session_put op = {.id = STR("s")};
    struct session_list list = {.limit = 1};
    const struct who bad[] = {{STR_NONE, STR("ann")},    {TENANT, STR_NONE},
                              {STR(""), STR("ann")},     {TENANT, STR("")},
                              {TENANT, STR("*")},        {TENANT, STR("a\0b")},
                              {STR("\xFF"), STR("ann")}, {TENANT, STR("\xFF")},
                              {{name, 201}, STR("ann")}, {TENANT, {name, 201}}};

    memset(name, 'n', sizeof(name));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *word = i % 2 && i > 1 ? "user" : "tenant";

        if (i == 4)
            word = "user";
        REFUSE(bad[i], session_put, &op, FOOTNOTE_INVALID,
               i < 2 ? "missing" : word);
        REFUSE_READ(bad[i], session_list, &list, FOOTNOTE_INVALID,
                    i < 2 ? "missing" : word);
    }
    CHECK_INT(rows_all(), 0);
}

/* Ids that nothing can have are asked for; both engines must say the same. */
STORED(reading_what_cannot_be_there_is_not_found)
{
    static char name[201];
    const struct str bad[] = {
        STR(""), STR("\xFF"), STR("a\0b"), STR_NONE, {name, 201}};

    memset(name, 'n', sizeof(name));
    say(ANN, "s", "a", FOOTNOTE_USER, "why?");
    course_make(ANN, "a");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct session_get sg = {.id = bad[i]};
        struct history h = {.session = bad[i]};
        struct session_counts sc = {.session = bad[i]};
        struct session_images si = {.session = bad[i]};
        struct event_list el = {.session = bad[i]};
        struct course_get cg = {.id = bad[i]};
        struct member_list ml = {.course = bad[i]};
        struct course_counts cc = {.course = bad[i]};
        struct document_get dg = {.id = bad[i]};
        struct document_list dl = {.course = bad[i]};
        struct passages_read pr = {.document = bad[i]};
        struct answer_patch ap = {.id = bad[i], .status = FOOTNOTE_STREAMING};

        REFUSE_READ(ANN, session_get, &sg, FOOTNOTE_NOTFOUND, "session");
        REFUSE_READ(ANN, history, &h, FOOTNOTE_NOTFOUND, "session");
        REFUSE_READ(ANN, session_counts, &sc, FOOTNOTE_NOTFOUND, "session");
        REFUSE_READ(ANN, session_images, &si, FOOTNOTE_NOTFOUND, "session");
        REFUSE_READ(ANN, event_list, &el, FOOTNOTE_NOTFOUND, "session");
        REFUSE_READ(ANN, course_get, &cg, FOOTNOTE_NOTFOUND, "course");
        REFUSE_READ(ANN, member_list, &ml, FOOTNOTE_NOTFOUND, "course");
        REFUSE_READ(ANN, course_counts, &cc, FOOTNOTE_NOTFOUND, "course");
        REFUSE_READ(ANN, document_get, &dg, FOOTNOTE_NOTFOUND, "document");
        REFUSE_READ(ANN, document_list, &dl, FOOTNOTE_NOTFOUND, "course");
        REFUSE_READ(ANN, passages_read, &pr, FOOTNOTE_NOTFOUND, "document");
        REFUSE(ANN, answer_patch, &ap, FOOTNOTE_NOTFOUND, "message");
    }
}

STORED(lists_about_what_cannot_be_there_are_empty)
{
    static const struct str bad[] = {{"\xFF", 1}, {"a\0b", 3}, {"", 0}};

    say(ANN, "s", "a", FOOTNOTE_USER, "why?");
    for (size_t i = 0; i < 3; i++) {
        struct messages_by_id mi = {.ids = &bad[i], .ids_n = 1};
        struct document_citations dc = {.document = bad[i]};
        struct session_list sl = {.course = bad[i], .limit = 9};
        struct history h = {.session = STR("s"), .before = bad[i]};

        READ(ANN, messages_by_id, &mi);
        CHECK_TEXT(mi.messages[0].id, STR_NONE);
        READ(ANN, document_citations, &dc);
        CHECK_INT(dc.citations_n, 0);
        READ(ANN, session_list, &sl);
        CHECK_INT(sl.sessions_n, 0);
        REFUSE_READ(ANN, history, &h, FOOTNOTE_NOTFOUND, "message");
    }
}

STORED(deleting_what_cannot_be_there_is_fine)
{
    static const struct str bad[] = {{"\xFF", 1}, {"a\0b", 3}, {NULL, 0}};
    int64_t before;

    say(ANN, "a", "m", FOOTNOTE_USER, "why?");
    before = rows_all();
    for (size_t i = 0; i < 3; i++) {
        struct session_delete sd = {.id = bad[i]};
        struct course_delete cd = {.id = bad[i]};
        struct document_delete dd = {.id = bad[i], .redact = true};
        struct session_clear sc = {.id = bad[i]};
        struct member_put mp = {bad[i], STR("ben"), MEMBER_READER};
        struct passages_add pa = {.document = bad[i], .version = 1};
        struct document_status_set ds = {.document = bad[i],
                                         .status = DOCUMENT_READY};

        WRITE(ANN, session_delete, &sd);
        WRITE(ANN, course_delete, &cd);
        WRITE(ANN, document_delete, &dd);
        REFUSE(ANN, session_clear, &sc, FOOTNOTE_NOTFOUND, "session");
        REFUSE(ANN, member_put, &mp, FOOTNOTE_NOTFOUND, "course");
        REFUSE(ANN, passages_add, &pa, FOOTNOTE_NOTFOUND, "document");
        REFUSE(ANN, document_status_set, &ds, FOOTNOTE_NOTFOUND, "document");
    }
    CHECK_INT(rows_all(), before);
}

STORED(passages_that_cannot_be_are_refused)
{
    struct passage p = {.position = 1, .text = STR("x")};
    static struct passage many[101];
    struct passages_add op = {
        .document = STR("d"), .version = 1, .passages = &p, .passages_n = 1};
    struct document_put d = {.document = {.id = STR("d"),
                                          .course = STR("c"),
                                          .kind = DOCUMENT_TEXT}};

    course_make(ANN, "c");
    WRITE(ANN, document_put, &d);
    p.position = 0;
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "position");
    p = (struct passage){.position = (int64_t)1 << 40, .text = STR("x")};
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "position");
    p = (struct passage){.position = 1, .page = -1, .text = STR("x")};
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "page");
    p = (struct passage){.position = 1, .text = STR("\xFF")};
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "text");
    p = (struct passage){.position = 1};
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "text");
    p = (struct passage){
        .position = 1, .text = STR("x"), .has_seconds = true, .start = -1};
    REFUSE(ANN, passages_add, &op, FOOTNOTE_INVALID, "seconds");
    op.passages = many;
    op.passages_n = 101;
    REFUSE(ANN, passages_add, &op, FOOTNOTE_TOOBIG, "passages");
    CHECK_INT(sql_i64("SELECT count(*) FROM passage"), 0);
}

STORED(a_part_of_an_answer_that_is_no_text_is_refused)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_append none = {.answer = &op.answer};

    REFUSE(ANN, answer_append, &none, FOOTNOTE_INVALID, "content");
    append(ANN, &op.answer, "");
    append(ANN, &op.answer, "x");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    CHECK_TEXT(message_of(ANN, "a").content, STR("x"));
}

/* ---- What only looks bad ------------------------------------------------ */

STORED(strings_that_look_like_sql_are_data)
{
    static const char text[] = "x'); DROP TABLE message; --\\ $1 %s ? :a \"";
    struct str s = {text, sizeof(text) - 1};
    struct who who = {s, s};
    struct reference r = {.source = {.type = FOOTNOTE_WEB,
                                     .id = s,
                                     .preview = s,
                                     .title = s,
                                     .url = s,
                                     .course = s,
                                     .owner = s,
                                     .document = s,
                                     .lecture = s,
                                     .date = s,
                                     .s3key = s}};
    struct message_save op = {.message = {.session = s,
                                          .id = s,
                                          .role = FOOTNOTE_ASSISTANT,
                                          .content = s,
                                          .doc_refs = &s,
                                          .doc_refs_n = 1,
                                          .has_image = true,
                                          .image_s3key = s,
                                          .image_slide = s,
                                          .sources = &r,
                                          .sources_n = 1},
                              .course = s};
    struct history h = {.session = s};
    struct document_citations dc = {.document = s};

    WRITE(who, message_save, &op);
    READ(who, history, &h);
    CHECK_TEXT(h.head.course, s);
    check_message_is(&h.messages[0], &op.message);
    READ(who, document_citations, &dc);
    CHECK_INT(dc.citations_n, 1);
}

/* SQLite keeps no sign of zero; what is saved must still be readable. */
STORED(a_score_of_minus_zero_reads_back_as_zero)
{
    struct reference r = slide("d", 1, "x");

    r.has_score = true;
    r.score = -0.0;
    answer(ANN, "s", "m", "so [1]", &r, 1);
    CHECK(message_of(ANN, "m").sources[0].score == 0.0);
    help_reopen();
    CHECK(message_of(ANN, "m").sources[0].has_score);
    check_digest(&history_of(ANN, "s").messages[0]);
}
