/* named_course_test.c - courses that are made by being named, and for whom. */
#include "config/config.h"
#include "contract.h"
#include "help/talk.h"

#define SAVE(id, more)                                                         \
    "{'id':'" id "','role':'user','content':'What is entropy?'" more "}"

/* Two students, one after the other, and neither has made a course. */
CONTRACT(course_that_is_named_is_shared_as_its_namer_says)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions",
         "{'id':'s','course_id':'heat','course_share':'reader'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions",
              "{'id':'s','courseId':'heat','courseShare':'reader'}");
    v = talk_with(&s, ada, 200, "GET", "/api/courses/heat", NULL);
    CHECK_AT(&s, v, "role", "'reader'");
    CHECK_AT(&s, v, "ownerId", "'local'");
    talk(&s, 201, "POST", "/api/sessions/t/messages",
         SAVE("m", ",'courseId':'light','courseShare':'editor'"));
    talk_with(&s, ada, 201, "POST", "/api/sessions/t/messages",
              SAVE("m", ",'courseId':'light'"));
    v = talk_with(&s, ada, 200, "GET", "/api/courses/light", NULL);
    CHECK_AT(&s, v, "role", "'editor'");
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/t", NULL);
    CHECK_AT(&s, v, "courseId", "'light'");
    talk_refused(&s, 400, "invalid_field", "/courseShare", "POST",
                 "/api/sessions", "{'courseId':'x','courseShare':'owner'}");
    talk_refused(&s, 400, "invalid_field", "/courseShare", "POST",
                 "/api/sessions/t/messages", SAVE("n", ",'courseShare':'all'"));
}

/* Whoever names what is there opens it to nobody, nor learns of it. */
CONTRACT(course_of_another_is_not_taken_over_by_naming_it)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions", "{'courseId':'private'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions",
              "{'courseId':'private','courseShare':'editor'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions/s/messages",
              SAVE("m", ",'courseId':'private','courseShare':'editor'"));
    talk_with(&s, ada, 404, "GET", "/api/sessions/s", NULL);
    talk_with(&s, ada, 404, "GET", "/api/courses/private", NULL);
    talk(&s, 201, "POST", "/api/sessions", /* nor does its owner, by chance */
         "{'courseId':'private','courseShare':'reader'}");
    v = talk(&s, 200, "GET", "/api/courses/private/members", NULL);
    CHECK_AT(&s, v, "members", "[]");
    talk(&s, 200, "PUT", "/api/courses/private/members/ada",
         "{'role':'reader'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions",
              "{'id':'a','courseId':'private','courseShare':'editor'}");
    talk_with(&s, ada, 200, "PATCH", "/api/sessions/a",
              "{'courseId':'private','courseShare':'editor'}");
    v = talk_with(&s, ada, 200, "GET", "/api/courses/private", NULL);
    CHECK_AT(&s, v, "role", "'reader'");
}

CONTRACT(course_of_a_session_is_not_changed_by_a_message)
{
    SITE(s);

    talk(&s, 201, "POST", "/api/sessions", "{'id':'s','courseId':'heat'}");
    talk(&s, 201, "POST", "/api/sessions", "{'id':'none'}");
    talk(&s, 201, "POST", "/api/sessions/s/messages",
         SAVE("m1", ",'courseId':'heat'"));
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/sessions/s/messages",
                 SAVE("m2", ",'courseId':'light'"));
    talk_refused(&s, 409, "id_taken", NULL, "POST",
                 "/api/sessions/none/messages",
                 SAVE("m3", ",'courseId':'heat'"));
    talk_refused(&s, 404, "course_not_found", NULL, "GET", "/api/courses/light",
                 NULL);
}

static void share_with_readers(struct config *c)
{
    c->course_share = STR("reader");
}

/* Clients that know nothing of sharing, and an operator who does. */
CONTRACT(course_is_shared_as_the_operator_has_set_it)
{
    AUTO(site_close)
    struct site s = {.curl = NULL, .adjust = share_with_readers};
    const char *ada;

    site_open(&s);
    ada = talk_as_ada(&s);
    talk(&s, 201, "POST", "/api/sessions", "{'courseId':'heat'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions", "{'courseId':'heat'}");
    talk_with(&s, ada, 403, "POST", "/api/courses/heat/documents",
              "{'title':'Mine','text':'words'}");
    talk(&s, 201, "POST", "/api/sessions",
         "{'courseId':'own','courseShare':'none'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions", "{'courseId':'own'}");
    talk(&s, 201, "POST", "/api/courses", "{'id':'made','title':'Made'}");
    talk_with(&s, ada, 404, "GET", "/api/courses/made", NULL);
}

CONTRACT(session_says_when_it_was_made)
{
    SITE(s);
    const char *made = "{'id':'s','createdAt':'2019-05-01T09:30:00+02:00'}";
    struct answer_to read;
    struct json *v;

    v = talk(&s, 201, "POST", "/api/sessions", made);
    CHECK_AT(&s, v, "createdAt", "'2019-05-01T07:30:00.000Z'");
    CHECK_AT(&s, v, "updatedAt", "'2019-05-01T07:30:00.000Z'");
    talk(&s, 200, "POST", "/api/sessions", made);
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/sessions",
                 "{'id':'s','createdAt':'2019-05-01T09:30:00Z'}");
    talk_refused(&s, 400, "invalid_field", "/createdAt", "POST",
                 "/api/sessions", "{'createdAt':'9999-05-01T09:30:00Z'}");
    talk_refused(&s, 400, "invalid_field", "/createdAt", "POST",
                 "/api/sessions", "{'createdAt':'1969-05-01T09:30:00Z'}");
    read = site_get(&s, "/api/sessions"); /* as it was read */
    v = json_get(site_json(&s, read.body), STR("sessions"))->first;
    talk_ask(&s, 200,
             &(struct ask){
                 .method = "POST", .path = "/api/sessions", .body = v->raw});
    CHECK_TEXT(site_get(&s, "/api/sessions").body, read.body);
}
