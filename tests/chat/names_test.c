/* names_test.c - clients of other products write our names in their case. */
#include "contract.h"
#include "help/chat_site.h"

#define ASKED "'messages':[{'role':'user','content':'Do cats sleep?'}]"

/* A name that is not read would widen the question to all courses. */
CONTRACT(chat_scope_is_read_in_both_cases)
{
    CHAT_SITE(r);
    struct site *s = &r.site;

    talk_refused(s, 404, "course_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','course_id':'dogs'," ASKED "}");
    talk_refused(s, 404, "document_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','document_id':'dogs'," ASKED "}");
    talk_refused(s, 404, "document_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','lecture_id':'dogs'," ASKED "}");
    talk_refused(s, 404, "course_not_found", NULL, "POST", "/api/query",
                 "{'query':'Do cats sleep?','courseId':'dogs'}");
    talk_refused(s, 404, "course_not_found", NULL, "GET",
                 "/api/search?q=cats&course_id=dogs", NULL);
    talk_refused(s, 404, "document_not_found", NULL, "GET",
                 "/api/search?q=cats&document_id=dogs", NULL);
}

CONTRACT(chat_thread_is_read_in_both_cases)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_script(&r, "plain", "text They do [1].\nfinish stop\ndone\n");
    v = talk(&r.site, 200, "POST", "/api/query",
             "{'query':'Do cats sleep? script:plain','threadId':'t1',"
             "'course_id':'cats','topK':1,'another':{}}");
    CHECK_AT(&r.site, v, "thread_id", "'t1'");
    CHECK_INT(json_get(v, STR("docs"))->n, 1);
    v = talk(&r.site, 200, "GET", "/api/sessions/t1/messages", NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 2);
}

CONTRACT(chat_names_of_another_type_are_refused)
{
    CHAT_SITE(r);
    struct site *s = &r.site;

    talk_refused(s, 400, "invalid_field", "/course_id", "POST", "/api/chat",
                 "{'id':'s1','course_id':7," ASKED "}");
    talk_refused(s, 400, "invalid_field", "/threadId", "POST", "/api/query",
                 "{'query':'Do cats sleep?','threadId':[]}");
    talk_refused(s, 400, "invalid_field", "/top_k", "POST", "/api/query",
                 "{'query':'Do cats sleep?','top_k':'5'}");
    talk_refused(s, 400, "invalid_field", "/thread_id", "POST", "/api/query",
                 "{'query':'x','threadId':'a','thread_id':'b'}");
    talk_refused(s, 400, "invalid_field", "/snapshot", "POST", "/api/chat",
                 "{'id':'s1','snapshot':'page'," ASKED "}");
}
