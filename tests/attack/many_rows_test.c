/* many_rows_test.c - a reader's many sources that name one document of the
 * course: its owner goes on, and so do all others.
 *
 * What the writer does for each of them is counted in statements. */
#include "attack_site.h"
#include "contract.h"
#include "db/db.h"

enum {
    MESSAGES = 3,
    SOURCES_EACH = 200,
    SOURCES = MESSAGES * SOURCES_EACH,
    OTHER = 150 /* statements of an operation, and of housekeeping */
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
