/* feedback_test.c - what a reader says of an answer is kept, and is theirs. */
#include "contract.h"
#include "help/talk.h"

#define ANSWER                                                                 \
    "{'id':'a','role':'assistant','content':'Heat flows [1]. So it is [2].',"  \
    "'sources':[{'sourceType':'web','url':'https://example.org/'},"            \
    "{'sourceType':'web','url':'https://example.com/'}]}"

static void make(struct site *s)
{
    talk(s, 201, "POST", "/api/sessions", "{'id':'s'}");
    talk(s, 201, "POST", "/api/sessions/s/messages",
         "{'id':'q','role':'user','content':'What flows?'}");
    talk(s, 201, "POST", "/api/sessions/s/messages", ANSWER);
}

CONTRACT(feedback_is_kept_by_number_and_taken_back)
{
    SITE(s);
    struct json *v;

    make(&s);
    v = talk(&s, 200, "PUT", "/api/messages/a/feedback",
             "{'rating':'wrong_source','number':2,'note':'page \xE2\x89\xA0'}");
    CHECK_AT(&s, v, "feedback.0.number", "2");
    talk(&s, 200, "PUT", "/api/messages/a/feedback", "{'rating':'good'}");
    v = talk(&s, 200, "PUT", "/api/messages/a/feedback",
             "{'rating':'bad','note':''}");
    CHECK_AT(&s, v, "feedback.0.number", "null");
    CHECK_AT(&s, v, "feedback.0.rating", "'bad'");
    CHECK_AT(&s, v, "feedback.0.note", "null");
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.0.feedback", "absent");
    CHECK_AT(&s, v, "messages.1.feedback.0.rating", "'bad'");
    CHECK_AT(&s, v, "messages.1.feedback.1.rating", "'wrong_source'");
    CHECK_AT(&s, v, "messages.1.feedback.1.note", "'page \xE2\x89\xA0'");
    CHECK_AT(&s, v, "messages.1.feedback.2", "absent");
    v = talk(&s, 200, "GET", "/api/sessions/s/messages?as=ui", NULL);
    CHECK_AT(&s, v, "messages.1.metadata.feedback.0.rating", "'bad'");
    talk(&s, 204, "DELETE", "/api/messages/a/feedback", NULL);
    talk(&s, 204, "DELETE", "/api/messages/a/feedback?number=7", NULL);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.1.feedback.0.number", "2");
    talk(&s, 204, "DELETE", "/api/messages/a/feedback?number=2", NULL);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.1.feedback", "absent");
}

CONTRACT(feedback_that_cannot_be_is_refused)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);

    make(&s);
    talk_refused(&s, 400, "invalid_field", "/rating", "PUT",
                 "/api/messages/a/feedback", "{}");
    talk_refused(&s, 400, "invalid_field", "/rating", "PUT",
                 "/api/messages/a/feedback", "{'rating':'verified'}");
    talk_refused(&s, 400, "invalid_field", "/number", "PUT",
                 "/api/messages/a/feedback", "{'rating':'bad','number':0}");
    talk(&s, 400, "PUT", "/api/messages/a/feedback",
         "{'rating':'bad','number':3}");
    talk(&s, 422, "PUT", "/api/messages/q/feedback", "{'rating':'bad'}");
    talk(&s, 404, "PUT", "/api/messages/x/feedback", "{'rating':'bad'}");
    talk_with(&s, ada, 404, "PUT", "/api/messages/a/feedback",
              "{'rating':'bad'}");
    talk_with(&s, ada, 204, "DELETE", "/api/messages/a/feedback", NULL);
    talk(&s, 201, "POST", "/api/sessions/s/messages",
         "{'id':'r','role':'assistant','status':'streaming','content':''}");
    talk(&s, 422, "PUT", "/api/messages/r/feedback", "{'rating':'good'}");
}

/* Out and in again, under another name; and posted again as it was read. */
CONTRACT(feedback_goes_along_with_its_session)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct json *v;

    make(&s);
    talk(&s, 200, "PUT", "/api/messages/a/feedback",
         "{'rating':'not_asked','note':'really'}");
    talk(&s, 200, "PUT", "/api/messages/a/feedback",
         "{'rating':'good','number':1}");
    struct str file =
        talk_ask(&s, 200,
                 &(struct ask){.method = "GET",
                               .path = "/api/sessions/s/export?format=json"})
            .body;
    talk_ask(&s, 201,
             &(struct ask){.method = "POST",
                           .path = "/api/sessions/import",
                           .header = ada,
                           .body = arena_str(&s.arena, file)});
    v = talk_with(&s, ada, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.1.feedback.0.note", "'really'");
    CHECK_AT(&s, v, "messages.1.feedback.1.rating", "'good'");
    talk_with(&s, ada, 204, "DELETE", "/api/messages/a/feedback", NULL);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_AT(&s, v, "messages.1.feedback.1.number", "1"); /* not the other's */
}
