/* branches_test.c - versions of messages over a socket: saving, stepping, and
 * that all forms of a history agree on which path is shown. */
#include "contract.h"
#include "help/talk.h"

#define MESSAGES "/api/sessions/s1/messages"

static void save(struct site *s, const char *id, const char *role,
                 const char *parent)
{
    struct str body = arena_printf(
        &s->arena, "{'id':'%s','role':'%s','content':'text of %s'%s%s%s}", id,
        role, id, parent ? ",'parentId':'" : "", parent ? parent : "",
        parent ? "'" : "");

    talk(s, 201, "POST", MESSAGES, body.p);
}

/* q1 a1 q2 a2, beside q1 b1, which is shown. */
static void save_branches(struct site *s)
{
    save(s, "q1", "user", NULL);
    save(s, "a1", "assistant", NULL);
    save(s, "q2", "user", NULL);
    save(s, "a2", "assistant", NULL);
    save(s, "b1", "assistant", "q1");
}

/* The ids in every form of the history. */
static void check_shown(struct site *s, const char *query, const char *ids)
{
    static const struct {
        const char *form, *list;
    } forms[] = {{"limit=200", "messages"},
                 {"as=ui", "messages"},
                 {"as=rows", ""},
                 {"as=state", "messages"},
                 {"fields=light", "messages"},
                 {"limit=9", "messages"}};

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct str path =
            arena_printf(&s->arena, MESSAGES "?%s%s", forms[i].form, query);

        CHECK_EACH(s, talk(s, 200, "GET", path.p, NULL), forms[i].list, "id",
                   ids);
    }
    if (!*query)
        CHECK_EACH(s, talk(s, 200, "GET", "/api/sessions/s1", NULL), "history",
                   "id", ids);
}

CONTRACT(branch_that_is_shown_is_the_same_in_every_form)
{
    SITE(s);
    struct json *v;

    save_branches(&s);
    check_shown(&s, "", "'q1' 'b1'");
    check_shown(&s, "&at=a1", "'q1' 'a1' 'q2' 'a2'");
    check_shown(&s, "", "'q1' 'b1'"); /* a look changes nothing */
    v = talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'a1'}");
    CHECK_AT(&s, v, "id", "'s1'");
    check_shown(&s, "", "'q1' 'a1' 'q2' 'a2'");
    check_shown(&s, "&at=b1", "'q1' 'b1'");
    talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'q2'}"); /* it is */
    check_shown(&s, "", "'q1' 'a1' 'q2' 'a2'");
}

CONTRACT(branch_links_and_versions_are_told)
{
    SITE(s);
    struct json *v;

    save_branches(&s);
    v = talk(&s, 200, "GET", MESSAGES "?versions=all", NULL);
    CHECK_EACH(&s, v, "messages", "id", "'q1' 'a1' 'q2' 'a2' 'b1'");
    CHECK_EACH(&s, v, "messages", "parentId", "null 'q1' 'a1' 'q2' 'q1'");
    CHECK_EACH(&s, v, "messages", "replacedBy", "null 'b1' 'b1' 'b1' null");
    v = talk(&s, 200, "GET", MESSAGES "?as=ui", NULL);
    CHECK_AT(&s, v, "messages.0.metadata.versions", "absent");
    CHECK_AT(&s, v, "messages.1.metadata.versions", "['a1','b1']");
    v = talk(&s, 200, "GET", MESSAGES "?as=ui&limit=1", NULL);
    CHECK_AT(&s, v, "messages.0.metadata.versions", "['a1','b1']");
    v = talk(&s, 200, "GET", MESSAGES "?as=ui&at=a2", NULL);
    CHECK_AT(&s, v, "messages.1.metadata.versions", "['a1','b1']");
}

CONTRACT(branch_pages_go_back_along_the_path)
{
    SITE(s);
    struct json *v;
    const char *cursor;
    struct str path;

    save_branches(&s);
    v = talk(&s, 200, "GET", MESSAGES "?limit=2&at=a2", NULL);
    CHECK_EACH(&s, v, "messages", "id", "'q2' 'a2'");
    cursor = json_at(&s, v, "nextCursor");
    path = arena_printf(&s.arena, MESSAGES "?limit=2&at=a2&cursor=%.*s",
                        (int)strlen(cursor) - 2, cursor + 1);
    v = talk(&s, 200, "GET", path.p, NULL);
    CHECK_EACH(&s, v, "messages", "id", "'q1' 'a1'");
    CHECK_AT(&s, v, "nextCursor", "null");
}

CONTRACT(branch_that_cannot_be_is_refused)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);

    save_branches(&s);
    talk(&s, 201, "POST", "/api/sessions/s2/messages",
         "{'id':'other','role':'user','content':'x'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions/s1/messages",
              "{'id':'hers','role':'user','content':'x'}");
    for (const char *const *id =
             (const char *const[]){"other", "hers", "nobody", NULL};
         *id; id++) {
        struct str put = arena_printf(&s.arena, "{'shown':'%s'}", *id);
        struct str body = arena_printf(
            &s.arena, "{'role':'user','content':'x','parentId':'%s'}", *id);
        struct str path = arena_printf(&s.arena, MESSAGES "?at=%s", *id);

        talk_refused(&s, 404, "message_not_found", NULL, "PATCH",
                     "/api/sessions/s1", put.p);
        talk_refused(&s, 404, "message_not_found", NULL, "POST", MESSAGES,
                     body.p);
        talk_refused(&s, 404, "message_not_found", NULL, "GET", path.p, NULL);
    }
    talk_refused(&s, 400, "invalid_field", NULL, "GET", MESSAGES "?at=", NULL);
    talk_refused(&s, 400, "invalid_field", "/shown", "PATCH",
                 "/api/sessions/s1", "{'shown':''}");
    talk_refused(&s, 400, "invalid_field", "/shown", "PATCH",
                 "/api/sessions/s1", "{'shown':null}");
    talk_refused(&s, 400, "invalid_field", "/parentId", "POST", MESSAGES,
                 "{'role':'user','content':'x','parentId':5}");
    talk_refused(&s, 409, "id_taken", NULL, "POST", MESSAGES,
                 "{'id':'a2','role':'assistant','content':'text of a2',"
                 "'parentId':'q1'}");
    check_shown(&s, "", "'q1' 'b1'");
}

CONTRACT(branch_of_a_first_message_has_an_empty_parent)
{
    SITE(s);

    save_branches(&s);
    save(&s, "n1", "user", "");
    check_shown(&s, "", "'n1'");
    talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'q1'}");
    check_shown(&s, "", "'q1' 'b1'");
}

CONTRACT(branch_is_not_left_while_an_answer_runs)
{
    SITE(s);

    save_branches(&s);
    talk(&s, 201, "POST", MESSAGES,
         "{'id':'r','role':'assistant','status':'streaming'}");
    talk_refused(&s, 409, "turn_running", NULL, "PATCH", "/api/sessions/s1",
                 "{'shown':'a1'}");
    talk(&s, 200, "PATCH", "/api/messages/r",
         "{'append':'so','status':'complete'}");
    talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'a1'}");
    check_shown(&s, "", "'q1' 'a1' 'q2' 'a2'");
}

/* What is kept of a history, and its tag, is that of the path. */
CONTRACT(branch_that_is_stepped_to_is_no_cached_one)
{
    SITE(s);
    struct ask ask = {.method = "GET", .path = MESSAGES "?as=ui"};
    struct str first, second;

    save_branches(&s);
    first = talk_ask(&s, 200, &ask).body;
    for (int i = 0; i < 3; i++) {
        talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'a1'}");
        second = talk_ask(&s, 200, &ask).body;
        CHECK(!str_eq(first, second));
        CHECK_TEXT(talk_ask(&s, 200, &ask).body, second);
        talk(&s, 200, "PATCH", "/api/sessions/s1", "{'shown':'b1'}");
        CHECK_TEXT(talk_ask(&s, 200, &ask).body, first);
    }
}

/* Words in a branch that was left are found, and the link opens it. */
CONTRACT(branch_that_was_left_is_still_found)
{
    SITE(s);
    struct json *v;

    save_branches(&s);
    v = talk(&s, 200, "GET", "/api/sessions?q=text%20of%20a2", NULL);
    CHECK_AT(&s, v, "sessions.0.match.messageId", "'a2'");
    v = talk(&s, 200, "GET", "/api/sessions?q=text", NULL);
    CHECK_AT(&s, v, "sessions.0.match.messageId", "'q1'");
}
