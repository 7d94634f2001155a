/* library_test.c - the list of all documents over a socket, and what its
 * editors do with one: another name, another course, reading it again. */
#include "contract.h"
#include "help/upload.h"

#define LIST "/api/documents"

static void add(struct site *s, const char *course, const char *id,
                const char *title, const char *text)
{
    const struct upload_part parts[] = {{"file", "notes.txt", text},
                                        {"id", NULL, id},
                                        {"title", NULL, title},
                                        {NULL, NULL, NULL}};
    char path[64];

    snprintf(path, sizeof(path), "/api/courses/%s/documents", course);
    upload_to(s, NULL, 202, "POST", path, parts);
}

/* Courses c and d; c has three documents, d one. */
static void fill(struct site *s)
{
    talk(s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    talk(s, 201, "POST", "/api/courses", "{'id':'d','title':'Botany'}");
    add(s, "c", "heat", "On heat", "Heat flows. It flows to what is cold.");
    add(s, "c", "ueber",
        "\xc3\x9c"
        "ber \xc3\x89nergie",
        "A B");
    add(s, "d", "oak", "An oak", "Trees.");
    add(s, "c", "zero", "zero is a number", "0 and nothing.");
    upload_status(s, "zero", DOCUMENT_FAILED);
    talk(s, 201, "POST", "/api/sessions", "{'id':'s','courseId':'c'}");
    talk(s, 201, "POST", "/api/sessions/s/messages",
         "{'role':'assistant','content':'It flows [1].','sources':["
         "{'sourceType':'text','documentId':'heat','part':1}]}");
}

static void check_ids(struct site *s, const char *query, const char *ids)
{
    CHECK_EACH(s, talk(s, 200, "GET", query, NULL), "documents", "id", ids);
}

CONTRACT(library_is_sorted_filtered_and_in_pages)
{
    SITE(s);
    struct json *v;

    fill(&s);
    v = talk(&s, 200, "GET", LIST "?sort=cited", NULL);
    CHECK_AT(&s, v, "documents.0.id", "'heat'");
    CHECK_AT(&s, v, "documents.0.citedBy", "1");
    CHECK_AT(&s, v, "documents.1.citedBy", "0");
    CHECK_AT(&s, v, "found", "4");
    CHECK_AT(&s, v, "courses",
             "[{'courseId':'c','documents':3},{'courseId':'d','documents':1}]");
    check_ids(&s, LIST, "'zero' 'oak' 'ueber' 'heat'");
    check_ids(&s, LIST "?sort=name", "'oak' 'heat' 'ueber' 'zero'");
    check_ids(&s, LIST "?sort=name&order=last", "'zero' 'ueber' 'heat' 'oak'");
    check_ids(&s, LIST "?sort=size", "'heat' 'zero' 'oak' 'ueber'");
    check_ids(&s, LIST "?courseId=d", "'oak'");
    check_ids(&s, LIST "?q=energie+UBER", "'ueber'");
    check_ids(&s, LIST "?q=NOTES.txt&courseId=d", "'oak'");
    check_ids(&s, LIST "?q=oak+notes", "'oak'");
    check_ids(&s, LIST "?q=nothing", "");
    check_ids(&s, LIST "?status=failed", "'zero'");
    check_ids(&s, LIST "?cited=yes", "'heat'");
    check_ids(&s, LIST "?cited=no&courseId=c", "'zero' 'ueber'");
    check_ids(&s, LIST "?filename=notes.txt&courseId=d", "'oak'");
    check_ids(&s, LIST "?filename=Notes.txt", "");
    check_ids(&s, LIST "?kind=slides", "");
    v = talk(&s, 200, "GET", LIST "?sort=name&limit=3", NULL);
    CHECK_EACH(&s, v, "documents", "id", "'oak' 'heat' 'ueber'");
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, LIST "?sort=name&limit=3&cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "documents", "id", "'zero'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_refused(&s, 400, "invalid_field", NULL, "GET", LIST "?sort=colour",
                 NULL);
    talk_refused(&s, 400, "invalid_field", NULL, "GET", LIST "?kind=poem",
                 NULL);
    talk_refused(&s, 400, "bad_cursor", NULL, "GET", LIST "?cursor=zzz", NULL);
    talk_refused(&s, 404, "course_not_found", NULL, "GET", LIST "?courseId=x",
                 NULL);
}

CONTRACT(library_leaves_an_archived_course_to_its_own_list)
{
    SITE(s);
    struct json *v;

    fill(&s);
    v = talk(&s, 200, "PATCH", "/api/courses/d",
             "{'archived':true,'description':'Of 2025'}");
    CHECK_AT(&s, v, "title", "'Botany'");
    CHECK_AT(&s, v, "description", "'Of 2025'");
    CHECK(strcmp(json_at(&s, v, "archivedAt"), "null") != 0);
    check_ids(&s, LIST "?sort=name", "'heat' 'ueber' 'zero'");
    check_ids(&s, LIST "?courseId=d", "'oak'");
    talk(&s, 200, "GET", "/api/documents/oak", NULL);
    v = talk(&s, 200, "PATCH", "/api/courses/d",
             "{'archived':false,'description':''}");
    CHECK_AT(&s, v, "archivedAt", "null");
    CHECK_AT(&s, v, "description", "null");
    check_ids(&s, LIST "?q=oak", "'oak'");
    talk_refused(&s, 400, "invalid_field", "/archived", "PATCH",
                 "/api/courses/d", "{'archived':'no'}");
}

CONTRACT(document_is_renamed_and_old_answers_keep_their_words)
{
    SITE(s);
    struct json *v;

    fill(&s);
    v = talk(&s, 200, "PATCH", "/api/documents/heat",
             "{'title':'Heat, revised'}");
    CHECK_AT(&s, v, "title", "'Heat, revised'");
    CHECK_AT(&s, v, "courseId", "'c'");
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'live'");
    talk_refused(&s, 400, "invalid_field", "/title", "PATCH",
                 "/api/documents/heat", "{'title':''}");
    talk_refused(&s, 400, "invalid_field", "/title", "PATCH",
                 "/api/documents/heat", "{'title':'a\\nb'}");
    talk_refused(&s, 400, "unknown_field", "/kind", "PATCH",
                 "/api/documents/heat", "{'kind':'text'}");
    talk_refused(&s, 404, "document_not_found", NULL, "PATCH",
                 "/api/documents/none", "{'title':'x'}");
}

/* Who may not read the new course sees nothing of it any more, nor do those
 * who cited it; whoever may read both has what they had. */
CONTRACT(document_moves_and_takes_its_citations_along)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    fill(&s);
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions",
              "{'id':'hers','courseId':'c'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions/hers/messages",
              "{'role':'assistant','content':'So [1].','sources':["
              "{'sourceType':'text','documentId':'heat','part':1,"
              "'contentPreview':'canary'}]}");
    talk_with(&s, ada, 403, "PATCH", "/api/documents/heat", "{'title':'x'}");
    v = talk(&s, 200, "PATCH", "/api/documents/heat", "{'courseId':'d'}");
    CHECK_AT(&s, v, "courseId", "'d'");
    check_ids(&s, LIST "?courseId=d&sort=name", "'oak' 'heat'");
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'live'");
    CHECK_AT(&s, v, "messages.0.sources.0.courseId", "null");
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/hers/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'withdrawn'");
    CHECK_AT(&s, v, "messages.0.sources.0.contentPreview", "null");
    talk_with(&s, ada, 404, "GET", "/api/documents/heat", NULL);
    v = talk(&s, 200, "PATCH", "/api/documents/heat?courseId=d",
             "{'courseId':'c'}");
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/hers/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.contentPreview", "'canary'");
    add(&s, "d", "heat", "Another", "Other words.");
    talk_refused(&s, 409, "id_taken", NULL, "PATCH",
                 "/api/documents/heat?courseId=c", "{'courseId':'d'}");
    talk_refused(&s, 404, "course_not_found", NULL, "PATCH",
                 "/api/documents/heat?courseId=c", "{'courseId':'none'}");
}

CONTRACT(document_outline_has_each_heading_once)
{
    SITE(s);
    const struct passage passages[] = {{.position = 1,
                                        .page = 1,
                                        .heading = STR("Heat"),
                                        .text = STR("Heat flows.")},
                                       {.position = 2,
                                        .page = 2,
                                        .heading = STR("Heat"),
                                        .text = STR("It flows on.")},
                                       {.position = 3,
                                        .page = 2,
                                        .heading = STR("Contents"),
                                        .text = STR("Heat 1"),
                                        .extra = PASSAGE_CONTENTS},
                                       {.position = 4,
                                        .page = 3,
                                        .heading = STR("Work"),
                                        .text = STR("Work ends.")}};
    struct passages_add op = {.document = STR("heat"),
                              .version = 1,
                              .passages = passages,
                              .passages_n = 4};
    struct footnote_err err;
    struct json *v;

    fill(&s);
    CHECK_OK(store_write(s.served.store,
                         (struct who){STR("default"), STR("local")},
                         OP(passages_add), &op, &err),
             &err);
    v = talk(&s, 200, "GET", LIST "/heat/outline?version=1", NULL);
    CHECK_AT(&s, v, "headings",
             "[{'heading':'Heat','page':1,'startSeconds':null},"
             "{'heading':'Work','page':3,'startSeconds':null}]");
    v = talk(&s, 200, "GET", LIST "/oak/outline", NULL);
    CHECK_AT(&s, v, "headings", "[]");
    talk_with(&s, talk_as_ada(&s), 404, "GET", LIST "/heat/outline", NULL);
}

CONTRACT(document_that_failed_is_read_again)
{
    SITE(s);
    struct json *v;

    fill(&s);
    v = talk(&s, 200, "POST", LIST "/zero/retry", NULL);
    CHECK_AT(&s, v, "status", "'queued'");
    CHECK_AT(&s, v, "version", "1");
    talk(&s, 200, "POST", LIST "/zero/retry", NULL);
    upload_status(&s, "heat", DOCUMENT_READY);
    v = talk(&s, 200, "POST", LIST "/heat/retry", NULL);
    CHECK_AT(&s, v, "status", "'ready'");
    talk_refused(&s, 404, "document_not_found", NULL, "POST",
                 LIST "/none/retry", NULL);
}
