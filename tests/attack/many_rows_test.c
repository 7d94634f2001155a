/* many_rows_test.c - one request that changes many rows: a document that a
 * reader's sources name often, one of many passages.
 *
 * What the writer does meanwhile is counted, in statements and in rows. */
#include "attack_site.h"
#include "contract.h"
#include "db/db.h"
#include "store/document/document.h"
#include "store/document/document_row.h"

enum {
    MESSAGES = 3,
    SOURCES_EACH = 200,
    SOURCES = MESSAGES * SOURCES_EACH,
    OTHER = 150, /* statements of an operation, and of housekeeping */
    PASSAGES = 2 * DOCUMENT_EMPTY_AT_ONCE + 300,
    ADDED_AT_ONCE = 100
};

__typeof__(db_one_n) __real_db_one_n, __wrap_db_one_n;
__typeof__(db_do_n) __real_db_do_n, __wrap_db_do_n;
static _Atomic int statements;

enum footnote_rc __wrap_db_one_n(struct db *db, enum stmt_id stmt,
                                 const struct db_value *args, size_t args_n,
                                 struct db_cur **cur, bool *row,
                                 struct footnote_err *err)
{
    statements++;
    return __real_db_one_n(db, stmt, args, args_n, cur, row, err);
}

enum footnote_rc __wrap_db_do_n(struct db *db, enum stmt_id stmt,
                                const struct db_value *args, size_t args_n,
                                struct footnote_err *err)
{
    statements++;
    return __real_db_do_n(db, stmt, args, args_n, err);
}

/* Mallory's answers in Bo's course, each source another page of `d`. */
static void name_often(struct attack_site *a)
{
    struct arena *arena = &a->site.arena;

    for (int m = 0; m < MESSAGES; m++) {
        AUTO(buf_free) struct buf b = BUF(256 * 1024);

        buf_printf(&b,
                   "{'id':'m%d','role':'assistant','content':'So [1].',"
                   "'sources':[",
                   m);
        for (int i = 0; i < SOURCES_EACH; i++)
            buf_printf(&b,
                       "%s{'sourceType':'slide','documentId':'d',"
                       "'slideNumber':%d,'contentPreview':'All is calm.'}",
                       i ? "," : "", m * SOURCES_EACH + i + 1);
        buf_add(&b, STR("]}"));
        talk_with(&a->site, a->mallory, 201, "POST",
                  "/api/sessions/storm/messages",
                  arena_str(arena, buf_str(&b)).p);
    }
}

static void check_states(struct attack_site *a, const char *state)
{
    struct json *v = talk_with(&a->site, a->mallory, 200, "GET",
                               "/api/sessions/storm/messages", NULL);

    for (int m = 0; m < MESSAGES; m++)
        for (int i = 0; i < SOURCES_EACH; i++)
            CHECK_AT(&a->site, v,
                     arena_printf(&a->site.arena,
                                  "messages.%d.sources.%d.state", m, i)
                         .p,
                     state);
}

CONTRACT(attack_document_that_is_named_often)
{
    ATTACK_SITE(a);

    talk_with(&a.site, a.bo, 201, "POST", "/api/courses",
              "{'id':'his','title':'x'}");
    talk_with(&a.site, a.bo, 200, "PUT", "/api/courses/his/members/mallory",
              "{'role':'reader'}");
    talk_with(&a.site, a.mallory, 201, "POST", "/api/sessions",
              "{'id':'storm','courseId':'his'}");
    name_often(&a);
    statements = 0;
    talk_with(&a.site, a.bo, 202, "POST", "/api/courses/his/documents",
              "{'id':'d','kind':'text','title':'t','text':'words'}");
    CHECK(statements < OTHER); /* all of them in one */
    check_states(&a, "'live'");
    statements = 0;
    talk_with(&a.site, a.bo, 204, "DELETE", "/api/documents/d?citations=redact",
              NULL);
    CHECK(statements < SOURCES + OTHER); /* one for each */
    check_states(&a, "'redacted'");
}

/* ---- Many passages ------------------------------------------------------- */

__typeof__(db_change_n) __real_db_change_n, __wrap_db_change_n;
static _Atomic int64_t deleted, deleted_most; /* passages; by one statement */

enum footnote_rc __wrap_db_change_n(struct db *db, enum stmt_id stmt,
                                    const struct db_value *args, size_t args_n,
                                    int64_t *rows, struct footnote_err *err)
{
    enum footnote_rc rc = __real_db_change_n(db, stmt, args, args_n, rows, err);

    if (rc == FOOTNOTE_OK && stmt == STMT_PASSAGES_DELETE) {
        deleted += *rows;
        if (*rows > deleted_most)
            deleted_most = *rows;
    }
    return rc;
}

static void add_passages(struct attack_site *a)
{
    struct who mallory = {STR("default"), STR("mallory")};
    struct document_status_set ready = {.document = STR("long"),
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    for (int64_t at = 1; at <= PASSAGES; at += ADDED_AT_ONCE) {
        struct passage p[ADDED_AT_ONCE];
        struct passages_add add = {.document = STR("long"),
                                   .version = 1,
                                   .passages = p,
                                   .passages_n = ADDED_AT_ONCE};

        for (int64_t i = 0; i < ADDED_AT_ONCE; i++)
            p[i] = (struct passage){.position = at + i,
                                    .text = STR("The storm came.")};
        CHECK_OK(store_write(a->site.served.store, mallory, OP(passages_add),
                             &add, &err),
                 &err);
    }
    CHECK_OK(store_write(a->site.served.store, mallory, OP(document_status_set),
                         &ready, &err),
             &err);
}

static void add_long_document(struct attack_site *a)
{
    talk_with(&a->site, a->mallory, 201, "POST", "/api/courses",
              "{'id':'m','title':'M'}");
    talk_with(&a->site, a->mallory, 202, "POST", "/api/courses/m/documents",
              "{'id':'long','kind':'text','title':'t','text':'words'}");
    add_passages(a);
    CHECK_AT(&a->site,
             talk_with(&a->site, a->mallory, 200, "GET",
                       "/api/search?q=storm&courseId=m&limit=1", NULL),
             "hits.0.documentId", "'long'");
}

/* It is gone at once, and its passages go in slices. */
CONTRACT(attack_long_document_is_deleted)
{
    ATTACK_SITE(a);

    add_long_document(&a);
    talk_with(&a.site, a.mallory, 204, "DELETE", "/api/documents/long", NULL);
    other_user_goes_on(&a);
    CHECK_AT(&a.site,
             talk_with(&a.site, a.mallory, 200, "GET",
                       "/api/search?q=storm&courseId=m&limit=1", NULL),
             "hits", "[]");
    WAIT_UNTIL(deleted == PASSAGES);
    CHECK(deleted_most <= DOCUMENT_EMPTY_AT_ONCE);
}

CONTRACT(attack_course_with_a_long_document_is_deleted)
{
    ATTACK_SITE(a);

    add_long_document(&a);
    talk_with(&a.site, a.mallory, 204, "DELETE", "/api/courses/m", NULL);
    other_user_goes_on(&a);
    WAIT_UNTIL(deleted == PASSAGES);
    CHECK(deleted_most <= DOCUMENT_EMPTY_AT_ONCE);
}
