/* bad_input_test.c - what is refused, by which name, with nothing
 * written. */
#include <math.h>

#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static char long_id[201];

/* Something to write to, and how much is there. */
static int64_t start(void)
{
    memset(long_id, 'i', sizeof(long_id));
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    return rows_all();
}

struct field {
    const struct store_op *kind;
    void *op;
    struct str *at;
    const char *word; /* that names it */
};

static void refuse_field(const struct field *f, struct str value,
                         enum footnote_rc rc)
{
    struct str good = *f->at;

    *f->at = value;
    if (store_write(st, ANN, f->kind, f->op, &err) != rc)
        FAIL("%s with %zu bytes: %s, not %s", f->word, value.n, rc_name(err.rc),
             rc_name(rc));
    if (!strstr(err.text, f->word))
        FAIL("\"%s\" does not name %s", err.text, f->word);
    *f->at = good;
}

STORED(ids_that_are_empty_too_long_or_no_text_are_refused)
{
    struct reference r = slide("d", 1, "x");
    struct session_put sp = {.id = STR("t")};
    struct message_save ms = answered("s", "m", "so", &r, 1);
    struct message_cite mc = {.message = STR("m"),
                              .session = STR("s"),
                              .sources = &r,
                              .sources_n = 1};
    struct answer_begin ab = {.question = {.session = STR("s"),
                                           .id = STR("q2"),
                                           .content = STR("x")}};
    struct event_add ea = {
        .session = STR("s"), .user_message = STR("q"), .query = STR("x")};
    struct course_put cp = {.id = STR("c")};
    struct member_put mp = {STR("c"), STR("ben"), MEMBER_READER};
    struct document_put dp = {.document = {.id = STR("d"),
                                           .course = STR("c"),
                                           .kind = DOCUMENT_TEXT}};
    struct field fields[] = {
        {OP(session_put), &sp, &sp.id, "id"},
        {OP(session_put), &sp, &sp.course, "course"},
        {OP(message_save), &ms, &ms.message.session, "session"},
        {OP(message_save), &ms, &ms.message.id, "id"},
        {OP(message_save), &ms, &ms.course, "course"},
        {OP(message_save), &ms, &r.source.id, "sourceId"},
        {OP(message_save), &ms, &r.source.course, "courseId"},
        {OP(message_save), &ms, &r.source.owner, "ownerId"},
        {OP(message_save), &ms, &r.source.document, "documentId"},
        {OP(message_save), &ms, &r.source.lecture, "lectureId"},
        {OP(message_cite), &mc, &mc.message, "message"},
        {OP(message_cite), &mc, &mc.session, "session"},
        {OP(answer_begin), &ab, &ab.question.session, "session"},
        {OP(answer_begin), &ab, &ab.question.id, "id"},
        {OP(answer_begin), &ab, &ab.answer_id, "answer"},
        {OP(answer_begin), &ab, &ab.course, "course"},
        {OP(event_add), &ea, &ea.session, "session"},
        {OP(event_add), &ea, &ea.user_message, "userMessageId"},
        {OP(course_put), &cp, &cp.id, "id"},
        {OP(member_put), &mp, &mp.user, "user"},
        {OP(document_put), &dp, &dp.document.id, "id"},
        {OP(document_put), &dp, &dp.document.course, "course"}};
    int64_t before = start();

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        refuse_field(&fields[i], STR(""), FOOTNOTE_INVALID);
        refuse_field(&fields[i], (struct str){long_id, 201}, FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("\xFF"), FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("\xED\xA0\x80"), FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("\xC0\xAF"), FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("a\0b"), FOOTNOTE_INVALID);
    }
    CHECK_INT(rows_all(), before);
}

STORED(ids_of_200_bytes_are_fine)
{
    struct who who = {{long_id, 200}, {long_id, 200}};
    struct str id = {long_id, 200};
    struct message_save op = {.message = {.session = id,
                                          .id = id,
                                          .role = FOOTNOTE_USER,
                                          .content = STR("x")},
                              .course = id};
    struct messages_by_id get = {.ids = &id, .ids_n = 1};

    memset(long_id, 'i', sizeof(long_id));
    WRITE(who, message_save, &op);
    READ(who, messages_by_id, &get);
    CHECK_TEXT(get.messages[0].id, id);
}

STORED(texts_that_are_no_text_are_refused)
{
    struct reference r = everything("x");
    struct str list[] = {STR("a")};
    struct message_save ms = answered("s", "m", "so", &r, 1);
    struct message *m = &ms.message;
    struct session_put sp = {.id = STR("t"), .title = STR("x")};
    struct course_put cp = {.id = STR("c"), .title = STR("x")};
    struct event_add ea = {
        .session = STR("s"), .user_message = STR("q"), .query = STR("x")};
    struct field fields[] = {
        {OP(message_save), &ms, &m->content, "content"},
        {OP(message_save), &ms, &list[0], "docRefs"},
        {OP(message_save), &ms, &m->image_s3key, "s3key"},
        {OP(message_save), &ms, &m->image_slide, "slideId"},
        {OP(message_save), &ms, &r.source.preview, "contentPreview"},
        {OP(message_save), &ms, &r.source.title, "title"},
        {OP(message_save), &ms, &r.source.url, "url"},
        {OP(message_save), &ms, &r.source.date, "date"},
        {OP(message_save), &ms, &r.source.s3key, "s3key"},
        {OP(message_save), &ms, &r.source.meta, "meta"},
        {OP(session_put), &sp, &sp.title, "title"},
        {OP(course_put), &cp, &cp.title, "title"},
        {OP(event_add), &ea, &ea.query, "query"}};
    int64_t before = start();

    m->doc_refs = list;
    m->doc_refs_n = 1;
    m->has_image = true;
    m->image_s3key = STR("k");
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        refuse_field(&fields[i], STR("\xFF"), FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("\xF0\x9F\x94"), FOOTNOTE_INVALID);
        refuse_field(&fields[i], STR("a\0b"), FOOTNOTE_INVALID);
    }
    m->rag_source_ids = m->web_source_ids = list;
    m->doc_refs_n = 0;
    m->rag_source_ids_n = 1;
    fields[1].word = "ragSourceIds";
    refuse_field(&fields[1], STR("\xFF"), FOOTNOTE_INVALID);
    refuse_field(&fields[1], STR_NONE, FOOTNOTE_INVALID);
    m->rag_source_ids_n = 0;
    m->web_source_ids_n = 1;
    fields[1].word = "webSourceIds";
    refuse_field(&fields[1], STR("\xFF"), FOOTNOTE_INVALID);
    CHECK_INT(rows_all(), before);
}

STORED(texts_over_their_limits_are_refused)
{
    static char big[2 * 1024 * 1024 + 1];
    struct reference r = everything("x");
    struct message_save ms = answered("s", "m", "so", &r, 1);
    struct message_save q = saved("s", "q2", FOOTNOTE_USER, "x");
    struct event_add ea = {
        .session = STR("s"), .user_message = STR("q"), .query = STR("x")};
    struct session_put sp = {.id = STR("t"), .title = STR("x")};
    struct {
        struct field field;
        size_t max;
    } limits[] = {
        {{OP(message_save), &ms, &ms.message.content, "content"},
         STORE_CONTENT_BYTES_MAX},
        {{OP(message_save), &q, &q.message.content, "content"}, 65536},
        {{OP(message_save), &ms, &r.source.preview, "contentPreview"}, 65536},
        {{OP(message_save), &ms, &r.source.meta, "meta"}, 4096},
        {{OP(message_save), &ms, &r.source.title, "title"}, 4096},
        {{OP(message_save), &ms, &r.source.url, "url"}, 4096},
        {{OP(session_put), &sp, &sp.title, "title"}, 4096},
        {{OP(event_add), &ea, &ea.query, "query"}, 65536}};
    int64_t before = start();

    memset(big, 'x', sizeof(big));
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        refuse_field(&limits[i].field, (struct str){big, limits[i].max + 1},
                     FOOTNOTE_TOOBIG);
    CHECK_INT(rows_all(), before);
    ms.message.content = (struct str){big, STORE_CONTENT_BYTES_MAX};
    q.message.content = (struct str){big, 65536};
    WRITE(ANN, message_save, &ms);
    WRITE(ANN, message_save, &q);
    CHECK_INT(message_of(ANN, "m").content.n, STORE_CONTENT_BYTES_MAX);
}

STORED(more_than_200_sources_or_1000_ids_are_refused)
{
    static struct reference r[201];
    struct str ids[1001];
    struct message_save op = answered("s", "m", "so", r, 201);
    struct message_cite c = {.message = STR("m2"),
                             .session = STR("s"),
                             .sources = r,
                             .sources_n = 201};
    int64_t before = start();

    for (int i = 0; i < 201; i++)
        r[i] = slide("d", i + 1, "x");
    for (size_t i = 0; i < 1001; i++)
        ids[i] = STR("x");
    REFUSE(ANN, message_save, &op, FOOTNOTE_TOOBIG, "sources");
    REFUSE(ANN, message_cite, &c, FOOTNOTE_TOOBIG, "sources");
    op.message.sources_n = 0;
    op.message.doc_refs = ids;
    op.message.doc_refs_n = 1001;
    REFUSE(ANN, message_save, &op, FOOTNOTE_TOOBIG, "docRefs");
    CHECK_INT(rows_all(), before);
    op.message.doc_refs_n = 1000;
    op.message.sources_n = 200;
    WRITE(ANN, message_save, &op);
    CHECK_INT(message_of(ANN, "m").sources_n, 200);
    c.message = STR("m");
    c.sources = &r[200];
    c.sources_n = 1;
    REFUSE(ANN, message_cite, &c, FOOTNOTE_TOOBIG, "sources");
    CHECK_INT(message_of(ANN, "m").sources_n, 200);
}

STORED(roles_types_and_statuses_that_do_not_exist_are_refused)
{
    struct reference r = slide("d", 1, "x");
    struct message_save op = answered("s", "m", "so", &r, 1);
    struct answer_begin ab;
    struct answer_finish f = {.status = FOOTNOTE_STREAMING};
    struct member_put mp = {STR("c"), STR("ben"), MEMBER_OWNER};
    struct document_put dp = {.document = {.course = STR("c")}};
    struct document_status_set ds = {.document = STR("d"),
                                     .status = (enum document_status)9};
    int64_t before = start();

    for (int i = -1; i <= 4; i += i == 0 ? 4 : 1) { /* -1, 0, 4 */
        op.message.role = (enum footnote_role)i;
        REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "role");
    }
    op.message.role = FOOTNOTE_ASSISTANT;
    op.message.status = (enum footnote_status)5;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "status");
    op.message.status = (enum footnote_status) - 1;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "status");
    op = saved("s", "m", FOOTNOTE_USER, "x");
    op.message.status = FOOTNOTE_STREAMING;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "status");
    op = answered("s", "m", "so", &r, 1);
    r.source.type = (enum footnote_type)0;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "sourceType");
    r.source.type = (enum footnote_type)7;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "sourceType");
    REFUSE(ANN, member_put, &mp, FOOTNOTE_INVALID, "role");
    REFUSE(ANN, document_put, &dp, FOOTNOTE_INVALID, "kind");
    REFUSE(ANN, document_status_set, &ds, FOOTNOTE_INVALID, "status");
    CHECK_INT(rows_all(), before);
    ab = begin(ANN, "s", "q2", "a", ANSWER_NEW);
    f.answer = &ab.answer;
    REFUSE(ANN, answer_finish, &f, FOOTNOTE_INVALID, "status");
    CHECK_INT(message_of(ANN, "a").status, FOOTNOTE_STREAMING);
}

STORED(sources_that_say_too_little_are_refused)
{
    struct reference r = {.source = {.type = FOOTNOTE_SLIDE}};
    struct message_save op = answered("s", "m", "so", &r, 1);
    int64_t before = start();

    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "sources/0");
    CHECK(strstr(err.text, "id") != NULL);
    r.source.document = STR("d"); /* slide 0 makes no key */
    r.source.has_page = true;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "id");
    r.source.id = STR("x");
    r.source.meta = STR("[]");
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "meta");
    r.source.meta = STR("{\"a\":}");
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "meta");
    r.source.meta = STR_NONE;
    op.message.role = FOOTNOTE_USER; /* questions have no sources */
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "sources");
    op = saved("s", "m", FOOTNOTE_ASSISTANT, NULL);
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "content");
    op = saved(NULL, "m", FOOTNOTE_ASSISTANT, "x");
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "session");
    CHECK_INT(rows_all(), before);
}

STORED(numbers_that_are_negative_or_none_are_refused)
{
    struct reference good = everything("x"), r = good;
    struct message_save op = answered("s", "m", "so", &r, 1);
    int64_t before = start();
    static const double bad[] = {-1.0, -0.0, (double)NAN, (double)INFINITY,
                                 (double)-INFINITY};

    r.source.page = -1;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "slideNumber");
    r = good;
    r.source.part = -1;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "part");
    for (size_t i = 0; i < 5; i++) {
        r = good;
        r.source.start = bad[i];
        REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "startSeconds");
        r = good;
        r.source.end = bad[i];
        REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "endSeconds");
        r = good;
        r.score = bad[i];
        if (!isfinite(bad[i]))
            REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "score");
    }
    r = good;
    r.source.end = 0;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "endSeconds");
    r = good;
    r.number = 1000000000;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "chunkNumber");
    r = good;
    op.message.created_ms = -1;
    REFUSE(ANN, message_save, &op, FOOTNOTE_INVALID, "createdAt");
    CHECK_INT(rows_all(), before);
}
