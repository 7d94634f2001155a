/* verify_test.c - POST /api/verify: judged, and nothing stored. */
#include "contract.h"
#include "help/talk.h"

#define NEVER                                                                  \
    "'sources':[{'sourceType':'web','url':'https://example.org/',"             \
    "'contentPreview':'Entropy never decreases on its own.'}]"

CONTRACT(verify_judges_a_text_and_stores_nothing)
{
    SITE(s);
    struct json *v =
        talk(&s, 200, "POST", "/api/verify",
             "{'text':'Entropy never decreases on its own [1]. Entropy "
             "decreases on its own [1]. Plants make sugar of light [7].'," NEVER
             "}");

    CHECK_AT(&s, v, "verdicts.0.judge", "'text'");
    CHECK_AT(&s, v, "verdicts.0.carried", "1");
    CHECK_AT(&s, v, "verdicts.0.sentences.0.verdict", "'carried'");
    CHECK_AT(&s, v, "verdicts.0.sentences.1.verdict", "'contradicts'");
    CHECK_AT(&s, v, "verdicts.0.sentences.1.reason", "'dropped'");
    CHECK_AT(&s, v, "verdicts.0.sentences.2.reason", "'unknown_number'");
    CHECK_AT(&s, v, "verdicts.0.sentences.2.number", "7");
    CHECK_AT(&s, v, "unknownNumbers", "[7]");
    v = talk(&s, 200, "GET", "/api/sessions", NULL);
    CHECK_AT(&s, v, "sessions", "[]");
}

/* Answers of other people's agents are judged like our own. */
CONTRACT(verify_judges_an_answer_that_is_streamed_in)
{
    SITE(s);
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions", "{'id':'s'}");
    talk(&s, 201, "POST", "/api/sessions/s/messages",
         "{'id':'a','role':'assistant','status':'streaming','content':''," NEVER
         "}");
    v = talk(&s, 200, "PATCH", "/api/messages/a",
             "{'append':'Entropy never decreases'}");
    CHECK_AT(&s, v, "verdicts", "[]");
    v = talk(&s, 200, "PATCH", "/api/messages/a",
             "{'append':' on its own [1].','status':'complete'}");
    CHECK_AT(&s, v, "verdicts.0.carried", "1");
    CHECK_AT(&s, v, "verdicts.0.of", "1");
    v = talk(&s, 201, "POST", "/api/sessions/s/messages",
             "{'id':'b','role':'assistant','content':'Entropy decreases on its "
             "own [1].'," NEVER "}");
    CHECK_AT(&s, v, "verdicts.0.sentences.0.verdict", "'contradicts'");
}

CONTRACT(verify_refuses_what_it_cannot_judge)
{
    SITE(s);

    talk(&s, 400, "POST", "/api/verify", "{" NEVER "}");
    talk(&s, 400, "POST", "/api/verify", "{'text':'One [1].'}");
    talk(&s, 400, "POST", "/api/verify", "{'text':'One [1].','sources':7}");
    talk(&s, 400, "POST", "/api/verify",
         "{'text':'One [1].','sources':[{'sourceType':'stone'}]}");
    talk(&s, 400, "POST", "/api/verify", "{'text':['One'],'sources':[]}");
    talk(&s, 200, "POST", "/api/verify", "{'text':'','sources':[]}");
}
