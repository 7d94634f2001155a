/* document_name_test.c - ids of documents: unique in their course, and which
 * one is meant when several courses use one. */
#include "store/document/document.h"
#include "store/document/search.h"
#include "store_help.h"

static struct str course_of(struct who who, const char *course, const char *id)
{
    struct document_get op = {.id = str_c(id), .course = str_c(course)};

    READ(who, document_get, &op);
    return op.document.course;
}

static void delete_one(struct who who, const char *course, const char *id)
{
    struct document_delete op = {.id = str_c(id), .course = str_c(course)};

    WRITE(who, document_delete, &op);
}

STORED(id_of_anothers_document_is_free)
{
    course_make(BEN, "bens");
    document_make(BEN, "bens", "d", "Ben's");
    course_make(ANN, "anns");
    document_make(ANN, "anns", "d", "Ann's");
    CHECK_TEXT(course_of(ANN, NULL, "d"), STR("anns"));
    CHECK_TEXT(course_of(BEN, NULL, "d"), STR("bens"));
}

STORED(named_course_comes_before_all_then_ones_own_then_the_oldest)
{
    struct document_get op = {.id = STR("d"), .course = STR("anns")};

    course_make(BEN, "old");
    course_make(BEN, "young");
    document_make(BEN, "old", "d", "1");
    document_make(BEN, "young", "d", "2");
    member(BEN, "old", "ann", MEMBER_EDITOR);
    member(BEN, "young", "ann", MEMBER_READER);
    CHECK_TEXT(course_of(ANN, NULL, "d"), STR("old"));
    CHECK_TEXT(course_of(ANN, "young", "d"), STR("young"));
    REFUSE_READ(ANN, document_get, &op, FOOTNOTE_NOTFOUND, "document");
    course_make(ANN, "anns");
    REFUSE_READ(ANN, document_get, &op, FOOTNOTE_NOTFOUND, "document");
    document_make(ANN, "anns", "d", "3");
    CHECK_TEXT(course_of(ANN, NULL, "d"), STR("anns"));
    CHECK_TEXT(course_of(ANN, "old", "d"), STR("old"));
    REFUSE_READ(BEN, document_get, &op, FOOTNOTE_NOTFOUND, "document");
    delete_one(ANN, "anns", "d");
    CHECK_TEXT(course_of(ANN, NULL, "d"), STR("old"));
}

/* A client whose reply was lost deletes again, and nothing else. */
STORED(deleting_again_does_not_delete_the_next_one)
{
    course_make(ANN, "a");
    course_make(ANN, "b");
    document_make(ANN, "a", "d", "1");
    document_make(ANN, "b", "d", "2");
    delete_one(ANN, NULL, "d");
    delete_one(ANN, NULL, "d");
    CHECK_TEXT(course_of(ANN, NULL, "d"), STR("b"));
    delete_one(ANN, "b", "d");
    CHECK_INT(sql_i64("SELECT count(*) FROM document"
                      " WHERE deleted_ms IS NULL"),
              0);
}

STORED(search_is_limited_to_the_document_of_the_named_course)
{
    struct str id = STR("d");
    struct search_filter d = {.documents = &id, .documents_n = 1};
    struct search_scope scope = {.course = STR("b"), .filter = &d};
    struct search_scope none = {.course = STR("c"), .filter = &d};

    course_make(ANN, "a");
    course_make(ANN, "b");
    course_make(ANN, "c");
    document_make(ANN, "a", "d", "1");
    document_make(ANN, "b", "d", "2");
    READ(ANN, search_scope, &scope);
    CHECK_INT(scope.courses_n, 1);
    CHECK_TEXT(scope.courses[0].id, STR("b"));
    CHECK_INT(scope.documents_n, 1);
    CHECK_INT(scope.documents[0],
              sql_i64("SELECT max(document) FROM document"));
    REFUSE_READ(ANN, search_scope, &none, FOOTNOTE_NOTFOUND, "document");
    none.course = STR("not-hers"); /* told alike */
    REFUSE_READ(ANN, search_scope, &none, FOOTNOTE_NOTFOUND, "course");
}
