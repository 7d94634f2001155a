/* courses_test.c - courses and their members over a socket, and what a right
 * that is taken away does at once. */
#include "contract.h"
#include "help/talk.h"

CONTRACT(course_is_made_listed_renamed_and_deleted)
{
    SITE(s);
    struct json *v =
        talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");

    CHECK_AT(&s, v, "ownerId", "'local'");
    CHECK_AT(&s, v, "role", "'owner'");
    CHECK_TEXT(talk_header("Location"), STR("/api/courses/c"));
    talk(&s, 200, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/courses",
                 "{'id':'c','title':'Maths'}");
    talk_refused(&s, 400, "invalid_field", "/title", "POST", "/api/courses",
                 "{'id':'d'}");
    v = talk(&s, 200, "PATCH", "/api/courses/c", "{'title':'Heat'}");
    CHECK_AT(&s, v, "title", "'Heat'");
    talk(&s, 201, "POST", "/api/courses", "{'id':'d','title':'D'}");
    v = talk(&s, 200, "GET", "/api/courses?limit=1", NULL);
    CHECK_EACH(&s, v, "courses", "id", "'c'");
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, "/api/courses?limit=1&cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "courses", "id", "'d'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_refused(&s, 400, "invalid_field", NULL, "DELETE",
                 "/api/courses/c?citations=maybe", NULL);
    talk(&s, 204, "DELETE", "/api/courses/c?citations=redact", NULL);
    talk(&s, 204, "DELETE", "/api/courses/c", NULL);
    talk_refused(&s, 404, "course_not_found", NULL, "GET", "/api/courses/c",
                 NULL);
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/courses",
                 "{'id':'c','title':'Heat'}");
}

/* Not there, and there but not theirs: the same answer. */
CONTRACT(course_of_another_is_like_one_that_never_was)
{
    static const struct {
        int status;
        const char *method, *path, *body;
    } calls[] = {{404, "GET", "", NULL},
                 {404, "PATCH", "", "{'title':'x'}"},
                 {204, "DELETE", "", NULL},
                 {404, "GET", "/members", NULL},
                 {404, "PUT", "/members/ada", "{'role':'editor'}"},
                 {404, "DELETE", "/members/ada", NULL}};
    SITE(s);
    const char *ada = talk_as_ada(&s);

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'canary'}");
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        for (int j = 0; j < 2; j++) {
            struct str path = arena_printf(&s.arena, "/api/courses/%s%s",
                                           j ? "c" : "none", calls[i].path);
            struct json *v = talk_with(&s, ada, calls[i].status,
                                       calls[i].method, path.p, calls[i].body);

            if (v)
                CHECK_AT(&s, v, "error", "'Course not found'");
        }
    CHECK_EACH(&s, talk_with(&s, ada, 200, "GET", "/api/courses", NULL),
               "courses", "id", "");
    talk(&s, 200, "GET", "/api/courses/c", NULL);
    talk_with(&s, ada, 409, "POST", "/api/courses",
              "{'id':'c','title':'canary'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions", "{'courseId':'c'}");
}

CONTRACT(course_members_read_and_only_its_owner_shares)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    v = talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    CHECK_AT(&s, v, "userId", "'ada'");
    CHECK_AT(&s, v, "role", "'reader'");
    v = talk_with(&s, ada, 200, "GET", "/api/courses/c", NULL);
    CHECK_AT(&s, v, "role", "'reader'");
    v = talk_with(&s, ada, 200, "GET", "/api/courses/c/members", NULL);
    CHECK_AT(&s, v, "members",
             "[{'userId':'ada','role':'reader','origin':'hand'}]");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_with(&s, ada, 403, "PUT", "/api/courses/c/members/eve",
              "{'role':'reader'}");
    talk_with(&s, ada, 403, "PATCH", "/api/courses/c", "{'title':'x'}");
    talk_with(&s, ada, 403, "DELETE", "/api/courses/c", NULL);
    talk_refused(&s, 400, "invalid_field", "/role", "PUT",
                 "/api/courses/c/members/ada", "{'role':'owner'}");
    talk(&s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    talk(&s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    talk_with(&s, ada, 404, "GET", "/api/courses/c", NULL);
    talk(&s, 200, "PUT", "/api/courses/c/members/*", "{'role':'editor'}");
    v = talk_with(&s, ada, 200, "GET", "/api/courses/c", NULL);
    CHECK_AT(&s, v, "role", "'editor'");
}

#define UI      "/api/sessions/s/messages?as=ui&limit=9"
#define UI_DATA "messages.0.parts.0.data"

/* The history was cached, the quote could be found: neither is any more. */
CONTRACT(course_right_taken_away_is_seen_in_histories_and_search)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions",
              "{'id':'s','courseId':'c'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'m','role':'assistant','content':'So [1]','sources':[{"
              "'sourceType':'text','sourceId':'x','contentPreview':"
              "'canary'}]}");
    for (int i = 0; i < 2; i++) {
        v = talk_with(&s, ada, 200, "GET", "/api/sessions/s/messages", NULL);
        CHECK_AT(&s, v, "messages.0.sources.0.contentPreview", "'canary'");
        v = talk_with(&s, ada, 200, "GET", UI, NULL);
        CHECK_AT(&s, v, UI_DATA ".content_preview", "'canary'");
    }
    v = talk_with(&s, ada, 200, "GET", "/api/sessions?q=canary", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'s'");
    talk(&s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.contentPreview", "null");
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'withdrawn'");
    v = talk_with(&s, ada, 200, "GET", UI, NULL);
    CHECK_AT(&s, v, UI_DATA ".content_preview", "absent");
    CHECK_AT(&s, v, UI_DATA ".state", "'withdrawn'");
    v = talk_with(&s, ada, 200, "GET", "/api/sessions?q=canary", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "");
}
