/* course_test.c - courses, members, documents, passages, keys. */
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static struct course course_of(struct who who, const char *id)
{
    struct course_get op = {.id = str_c(id)};

    READ(who, course_get, &op);
    return op.course;
}

STORED(a_course_is_made_read_and_renamed)
{
    struct course_put op = {.id = STR("physics"), .title = STR("Heat")};
    struct course c;

    clock_stopped(1700000000000);
    WRITE(ANN, course_put, &op);
    CHECK(op.made);
    c = course_of(ANN, "physics");
    CHECK_TEXT(c.title, STR("Heat"));
    CHECK_TEXT(c.owner, STR("ann"));
    CHECK_INT(c.role, MEMBER_OWNER);
    CHECK_INT(c.created_ms, 1700000000000);
    op = (struct course_put){
        .id = STR("physics"), .title = STR("More"), .must_exist = true};
    WRITE(ANN, course_put, &op);
    CHECK(!op.made);
    CHECK_TEXT(course_of(ANN, "physics").title, STR("More"));
    CHECK(course_of(ANN, "physics").version > c.version);
    op = (struct course_put){.title = STR("Untold")};
    WRITE(ANN, course_put, &op);
    CHECK_INT(strlen(op.id_text), 36);
}

STORED(a_course_id_is_unique_in_its_tenant_and_not_used_again)
{
    struct course_put op = {.id = STR("physics"), .title = STR("Ben's")};
    struct course_delete d = {.id = STR("physics")};
    int64_t before;

    course_make(ANN, "physics");
    course_make(BEN, "bens");
    before = rows_all();
    REFUSE(BEN, course_put, &op, FOOTNOTE_CONFLICT, "course");
    op.must_exist = true;
    REFUSE(BEN, course_put, &op, FOOTNOTE_NOTFOUND, "course");
    op.id = STR("nothing");
    REFUSE(BEN, course_put, &op, FOOTNOTE_NOTFOUND, "course");
    WRITE(BEN, course_delete, &d); /* as if it were not there */
    CHECK_INT(rows_all(), before);
    WRITE(ANN, course_delete, &d);
    op = (struct course_put){.id = STR("physics")};
    REFUSE(ANN, course_put, &op, FOOTNOTE_CONFLICT, "course");
    course_make((struct who){STR("tenant2"), STR("ann")}, "physics");
}

STORED(a_session_with_an_unknown_course_makes_it)
{
    struct session_put op = {.id = STR("s"), .course = STR("new")};

    WRITE(ANN, session_put, &op);
    CHECK_INT(course_of(ANN, "new").role, MEMBER_OWNER);
    CHECK_TEXT(course_of(ANN, "new").title, STR_NONE);
}

STORED(members_read_editors_upload_and_owners_share)
{
    struct course_get get = {.id = STR("physics")};
    struct document_put put = {.document = {.id = STR("d"),
                                            .course = STR("physics"),
                                            .kind = DOCUMENT_TEXT}};
    struct member_put share = {STR("physics"), STR("eve"), MEMBER_EDITOR};
    struct course_delete del = {.id = STR("physics")};
    struct course_put rename = {
        .id = STR("physics"), .title = STR("x"), .must_exist = true};

    course_make(ANN, "physics");
    course_make(BEN, "bens");
    REFUSE_READ(BEN, course_get, &get, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, document_put, &put, FOOTNOTE_NOTFOUND, "course");
    member(ANN, "physics", "ben", MEMBER_READER);
    CHECK_INT(course_of(BEN, "physics").role, MEMBER_READER);
    REFUSE(BEN, document_put, &put, FOOTNOTE_NOTFOUND, "course");
    member(ANN, "physics", "*", MEMBER_EDITOR); /* the higher one holds */
    CHECK_INT(course_of(BEN, "physics").role, MEMBER_EDITOR);
    WRITE(BEN, document_put, &put);
    REFUSE(BEN, member_put, &share, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, course_delete, &del, FOOTNOTE_NOTFOUND, "course");
    REFUSE(BEN, course_put, &rename, FOOTNOTE_NOTFOUND, "course");
    member(ANN, "physics", "*", MEMBER_NONE);
    CHECK_INT(course_of(BEN, "physics").role, MEMBER_READER);
}

STORED(members_and_courses_are_listed)
{
    struct member_list members = {.course = STR("a")};
    struct course_list list = {.limit = 2};

    course_make(ANN, "a");
    course_make(BEN, "b");
    course_make(BEN, "c");
    course_make(ANN, "d");
    member(ANN, "a", "ben", MEMBER_EDITOR);
    member(ANN, "a", "*", MEMBER_READER);
    READ(BEN, member_list, &members);
    CHECK_INT(members.members_n, 2);
    CHECK_TEXT(members.members[0].user, STR("*"));
    CHECK_INT(members.members[0].role, MEMBER_READER);
    CHECK_TEXT(members.members[1].user, STR("ben"));
    CHECK_INT(members.members[1].role, MEMBER_EDITOR);
    READ(BEN, course_list, &list);
    CHECK_INT(list.courses_n, 2);
    CHECK_TEXT(list.courses[0].id, STR("a"));
    CHECK_INT(list.courses[0].role, MEMBER_EDITOR);
    CHECK_TEXT(list.courses[1].id, STR("b"));
    list.after_key = list.courses[1].key;
    READ(BEN, course_list, &list);
    CHECK_INT(list.courses_n, 1);
    CHECK_TEXT(list.courses[0].id, STR("c"));
    members.course = STR("d");
    REFUSE_READ(BEN, member_list, &members, FOOTNOTE_NOTFOUND, "course");
}

/* ---- Documents ---------------------------------------------------------- */

static struct document document_of(struct who who, const char *id)
{
    struct document_get op = {.id = str_c(id)};

    READ(who, document_get, &op);
    return op.document;
}

STORED(all_fields_of_a_document_come_back)
{
    struct document_put op = {
        .document = {.id = STR("d"),
                     .course = STR("physics"),
                     .title = STR("On entropy"),
                     .date = STR("2024-01-15"),
                     .url = STR("https://example.org"),
                     .kind = DOCUMENT_JOURNAL,
                     .filename = STR("entropy.md"),
                     .media_type = STR("text/markdown"),
                     .object_key = STR("objects/1"),
                     .has_bytes = true,
                     .bytes = (int64_t)5 * 1024 * 1024 * 1024,
                     .has_pages = true,
                     .has_seconds = true,
                     .seconds = 12.345}};
    const struct document *w = &op.document;
    struct document d;

    course_make(ANN, "physics");
    memset(op.document.digest.b, 0xA5, SHA256_BYTES);
    WRITE(ANN, document_put, &op);
    CHECK(op.made);
    CHECK_INT(op.version, 1);
    help_reopen();
    d = document_of(ANN, "d");
    CHECK_TEXT(d.id, w->id);
    CHECK_TEXT(d.course, w->course);
    CHECK_TEXT(d.title, w->title);
    CHECK_TEXT(d.date, w->date);
    CHECK_TEXT(d.url, w->url);
    CHECK_TEXT(d.filename, w->filename);
    CHECK_TEXT(d.media_type, w->media_type);
    CHECK_TEXT(d.object_key, w->object_key);
    CHECK_TEXT(d.error, STR_NONE);
    CHECK_INT(d.kind, DOCUMENT_JOURNAL);
    CHECK_INT(d.status, DOCUMENT_QUEUED);
    CHECK_INT(d.bytes, w->bytes);
    CHECK(d.has_pages && d.pages == 0);
    CHECK_F64(d.seconds, 12.345);
    CHECK(sha256_eq(&d.digest, &w->digest));
    CHECK_INT(d.version, 1);
    CHECK_INT(d.searchable_version, 0);
}

STORED(the_same_bytes_again_are_the_same_document)
{
    struct document_put op = {
        .document = {.course = STR("physics"), .kind = DOCUMENT_TEXT}};
    struct document_put other = op;
    char first[STORE_ID_BYTES_MAX + 1];

    course_make(ANN, "physics");
    course_make(ANN, "biology");
    WRITE(ANN, document_put, &op);
    memcpy(first, op.id_text, sizeof(first));
    WRITE(ANN, document_put, &op);
    CHECK(!op.made);
    CHECK_STR(op.id_text, first);
    CHECK_INT(op.version, 1);
    other.document.course = STR("biology");
    WRITE(ANN, document_put, &other);
    CHECK(other.made);
    CHECK(strcmp(other.id_text, first) != 0);
    other.document.id = str_c(first); /* an id of another course */
    other.document.digest.b[0] = 1;
    WRITE(ANN, document_put, &other);
    CHECK(other.made);
    CHECK_INT(other.version, 1);
}

STORED(a_stored_id_that_is_too_long_is_damage)
{
    struct document_put op = {
        .document = {.course = STR("physics"), .kind = DOCUMENT_TEXT}};
    struct document_status_set set = {.document = STR("d"),
                                      .status = DOCUMENT_FAILED};
    char sql[1024];

    help_damaged = true;
    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "one");
    WRITE(ANN, document_put, &op);
    snprintf(sql, sizeof(sql),
             "UPDATE document SET id = '%0500d' WHERE id <> 'd'", 0);
    sql_do(sql);
    REFUSE(ANN, document_put, &op, FOOTNOTE_DAMAGED, "document");
    snprintf(sql, sizeof(sql), "UPDATE course SET id = '%0500d'", 0);
    sql_do(sql);
    REFUSE(ANN, document_status_set, &set, FOOTNOTE_DAMAGED, "course");
}

STORED(a_new_version_is_searched_when_it_is_ready)
{
    struct document_status_set set = {
        .document = STR("d"), .status = DOCUMENT_FAILED, .error = STR("bad")};
    struct document_put op = {.document = {.id = STR("d"),
                                           .course = STR("physics"),
                                           .kind = DOCUMENT_SLIDES}};

    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "one");
    CHECK_INT(document_of(ANN, "d").searchable_version, 1);
    WRITE(ANN, document_put, &op);
    CHECK_INT(op.version, 2);
    CHECK(op.made);
    CHECK_INT(document_of(ANN, "d").version, 2);
    CHECK_INT(document_of(ANN, "d").searchable_version, 1);
    CHECK_TEXT(document_of(ANN, "d").title, STR("A document"));
    WRITE(ANN, document_status_set, &set);
    CHECK_INT(document_of(ANN, "d").status, DOCUMENT_FAILED);
    CHECK_TEXT(document_of(ANN, "d").error, STR("bad"));
    CHECK_INT(document_of(ANN, "d").searchable_version, 1);
    document_make(ANN, "physics", "d", "three");
    CHECK_INT(document_of(ANN, "d").searchable_version, 3);
    CHECK_TEXT(document_of(ANN, "d").error, STR_NONE);
}

STORED(passages_come_back_in_order)
{
    struct passage p[] = {{.position = 2,
                           .page = 7,
                           .text = STR("two"),
                           .boxes = {"\0\x80\xff", 3}},
                          {.position = 1,
                           .has_seconds = true,
                           .start = 1e-7,
                           .end = 12.345,
                           .heading = STR(""),
                           .text = STR("one \xF0\x9F\x94\xA5"),
                           .extra = STR("{}")}};
    struct document_put d = {.document = {.id = STR("d"),
                                          .course = STR("physics"),
                                          .kind = DOCUMENT_TEXT}};
    struct passages_add add = {
        .document = STR("d"), .version = 1, .passages = p, .passages_n = 2};
    struct passages_read r = {.document = STR("d"), .version = 1};
    struct document_status_set ready = {.document = STR("d"),
                                        .status = DOCUMENT_READY};

    course_make(ANN, "physics");
    WRITE(ANN, document_put, &d);
    WRITE(ANN, passages_add, &add);
    p[0].text = STR("other"); /* a position that is there stays */
    WRITE(ANN, passages_add, &add);
    READ(ANN, passages_read, &r);
    CHECK_INT(r.passages_n, 2);
    CHECK_INT(r.passages[0].position, 1);
    CHECK(r.passages[0].has_seconds);
    CHECK_F64(r.passages[0].start, 1e-7);
    CHECK_F64(r.passages[0].end, 12.345);
    CHECK_TEXT(r.passages[0].heading, STR(""));
    CHECK_TEXT(r.passages[0].extra, STR("{}"));
    CHECK_TEXT(r.passages[0].text, p[1].text);
    CHECK_INT(r.passages[1].page, 7);
    CHECK_TEXT(r.passages[1].text, STR("two"));
    CHECK(!r.passages[1].has_seconds);
    CHECK(str_eq(r.passages[1].boxes, p[0].boxes));
    CHECK(!r.passages[0].boxes.p);
    r.page = 7;
    READ(ANN, passages_read, &r);
    CHECK_INT(r.passages_n, 1);
    CHECK_INT(r.passages[0].position, 2);
    r.page = 1;
    READ(ANN, passages_read, &r);
    CHECK_INT(r.passages_n, 0);
    r = (struct passages_read){.document = STR("d")};
    READ(ANN, passages_read, &r);
    CHECK_INT(r.passages_n, 0); /* none is searched yet */
    WRITE(ANN, document_status_set, &ready);
    r.limit = 1;
    r.after_position = 1;
    READ(ANN, passages_read, &r);
    CHECK_INT(r.passages_n, 1);
    CHECK_INT(r.passages[0].position, 2);
    REFUSE(ANN, passages_add, &add, FOOTNOTE_CONFLICT, "version 1");
    REFUSE_READ(BEN, passages_read, &r, FOOTNOTE_NOTFOUND, "document");
}

STORED(a_deleted_document_is_gone_and_its_id_is_not_used_again)
{
    struct document_delete d = {.id = STR("d")};
    struct document_get get = {.id = STR("d")};
    struct document_list list = {.course = STR("physics")};
    struct document_put put = {.document = {.id = STR("d"),
                                            .course = STR("physics"),
                                            .kind = DOCUMENT_TEXT}};

    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "one");
    document_make(ANN, "physics", "e", "two");
    member(ANN, "physics", "ben", MEMBER_READER);
    REFUSE(BEN, document_delete, &d, FOOTNOTE_NOTFOUND, "document");
    CHECK_TEXT(document_of(BEN, "d").id, STR("d"));
    WRITE(ANN, document_delete, &d);
    REFUSE_READ(ANN, document_get, &get, FOOTNOTE_NOTFOUND, "document");
    READ(ANN, document_list, &list);
    CHECK_INT(list.documents_n, 1);
    CHECK_TEXT(list.documents[0].id, STR("e"));
    REFUSE(ANN, document_put, &put, FOOTNOTE_CONFLICT, "document");
    CHECK_INT(sql_i64("SELECT count(*) FROM passage"), 0);
}

STORED(a_course_counts_answers_and_never_tells_whose)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two"),
                            slide("e", 1, "three")};
    struct course_counts op = {.course = STR("physics")};

    course_make(ANN, "physics");
    document_make(ANN, "physics", "never", "zero");
    document_make(ANN, "physics", "d", "one");
    document_make(ANN, "physics", "e", "two");
    member(ANN, "physics", "ben", MEMBER_READER);
    answer(ANN, "s", "m1", "so [1][2]", r, 3); /* two passages, one answer */
    answer(BEN, "s", "m1", "so [3]", r, 3);
    answer(BEN, "s", "m2", "so [1]", r, 1);
    READ(ANN, course_counts, &op);
    CHECK_INT(op.counts_n, 3);
    CHECK_TEXT(op.counts[0].document, STR("d"));
    CHECK_TEXT(op.counts[0].title, STR("A document"));
    CHECK_INT(op.counts[0].given_n, 3);
    CHECK_INT(op.counts[0].cited_n, 2);
    CHECK_TEXT(op.counts[1].document, STR("e"));
    CHECK_INT(op.counts[1].given_n, 2);
    CHECK_INT(op.counts[1].cited_n, 1);
    CHECK_TEXT(op.counts[2].document, STR("never"));
    CHECK_INT(op.counts[2].given_n, 0);
    CHECK_INT(op.counts[2].cited_n, 0);
    READ(BEN, course_counts, &op); /* a reader: of his own answers */
    CHECK_INT(op.counts_n, 3);
    CHECK_TEXT(op.counts[0].document, STR("d"));
    CHECK_INT(op.counts[0].given_n, 2);
    CHECK_INT(op.counts[0].cited_n, 1);
    CHECK_INT(op.counts[1].cited_n, 1);
    CHECK_INT(op.counts[2].given_n, 0);
    member(ANN, "physics", "ben", MEMBER_NONE);
    REFUSE_READ(BEN, course_counts, &op, FOOTNOTE_NOTFOUND, "course");
}
