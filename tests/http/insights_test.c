/* insights_test.c - editors learn what is missing, and never who asked. */
#include "contract.h"
#include "help/talk.h"

static const char *as(struct site *s, const char *user)
{
    const struct who who = {.tenant = STR("default"), .user = str_c(user)};
    struct str key = site_key_of(s, who);

    return arena_printf(&s->arena, "Authorization: Bearer %.*s", STR_ARG(key))
        .p;
}

/* A question in the course, and an answer with what it says. */
static void asks(struct site *s, const char *who, const char *id,
                 const char *question, const char *answer)
{
    talk_with(s, who, 201, "POST", "/api/sessions",
              arena_printf(&s->arena, "{'id':'%s','courseId':'c'}", id).p);
    const char *path =
        arena_printf(&s->arena, "/api/sessions/%s/messages", id).p;
    talk_with(s, who, 201, "POST", path,
              arena_printf(&s->arena,
                           "{'id':'q%s','role':'user','content':'%s'}", id,
                           question)
                  .p);
    talk_with(s, who, 201, "POST", path,
              arena_printf(&s->arena, "{'id':'a%s','role':'assistant',%s}", id,
                           answer)
                  .p);
}

#define NOTHING "'content':'Nothing was found.'"
#define WRONG                                                                  \
    "'content':'Heat flows up [1].','sources':[{'sourceType':'web','url':"     \
    "'https://example.org/','contentPreview':'Heat does not flow up.'}]"
#define WHERE "/api/courses/c/insights"

CONTRACT(insights_tell_editors_what_is_missing_and_not_who)
{
    SITE(s);
    const char *people[] = {as(&s, "bob"), as(&s, "cleo"), as(&s, "dan")};
    static const char *const ways[] = {"When is the exam on heat?",
                                       "The exam on heat: when is it?",
                                       "when is the heat exam"};
    struct json *v;

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'Heat'}");
    talk(&s, 200, "PUT", "/api/courses/c/members/*", "{'role':'reader'}");
    v = talk(&s, 200, "GET", WHERE, NULL);
    CHECK_AT(&s, v, "on", "false");
    CHECK_AT(&s, v, "questions", "absent");
    talk_with(&s, people[0], 403, "GET", WHERE, NULL);
    talk_with(&s, people[0], 403, "PUT", WHERE, "{'on':true}");
    talk(&s, 200, "PUT", WHERE, "{'on':true}");
    v = talk_with(&s, people[0], 200, "GET", "/api/courses/c", NULL);
    CHECK_AT(&s, v, "insights", "true"); /* members are told */
    talk_with(&s, people[0], 403, "GET", WHERE, NULL);

    for (int i = 0; i < 2; i++)
        asks(&s, people[i], i ? "s1" : "s0", ways[i], NOTHING);
    for (int i = 0; i < 4; i++) /* one person's are not several people's */
        asks(&s, people[0], arena_printf(&s.arena, "again%d", i).p,
             "Is my secret illness on the list?", NOTHING);
    v = talk(&s, 200, "GET", WHERE, NULL);
    CHECK_AT(&s, v, "questions", "6");
    CHECK_AT(&s, v, "nothing.groups", "[]");
    CHECK_AT(&s, v, "nothing.untold", "6");

    asks(&s, people[2], "s2", ways[2], NOTHING);
    for (int i = 0; i < 3; i++) {
        const char *id = arena_printf(&s.arena, "w%d", i).p;

        asks(&s, people[i], id, "Where does heat flow?", WRONG);
        talk_with(&s, people[i], 200, "PUT",
                  arena_printf(&s.arena, "/api/messages/a%s/feedback", id).p,
                  "{'rating':'not_true','number':1,'note':'ask Bob'}");
    }
    v = talk(&s, 200, "GET", WHERE "?weeks=2", NULL);
    CHECK_AT(&s, v, "questions", "10");
    CHECK_AT(&s, v, "foundNothing", "7");
    CHECK_AT(&s, v, "markedWrong", "3");
    CHECK_AT(&s, v, "notCarried", "3");
    CHECK_AT(&s, v, "contradicting", "3");
    CHECK_AT(&s, v, "weeks.1.questions", "10");
    CHECK_AT(&s, v, "weeks.2", "absent");
    CHECK_AT(&s, v, "nothing.groups.0.asked", "3");
    CHECK_AT(&s, v, "nothing.groups.0.ways.2", "'When is the exam on heat?'");
    CHECK_AT(&s, v, "nothing.groups.1", "absent");
    CHECK_AT(&s, v, "nothing.untold", "4");
    CHECK_AT(&s, v, "wrong.groups.0.rating", "'not_true'");
    CHECK_AT(&s, v, "wrong.groups.0.question", "'Where does heat flow?'");
    struct str body = site_get(&s, WHERE).body;
    struct str table = site_get(&s, WHERE "?format=csv").body;
    CHECK(str_starts(table, STR("what,about,count\r\n")));
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = {"bob", "cleo", "dan", "secret",
                                            "ask Bob"};
        struct str text = i ? table : body;

        for (size_t k = 0; k < 5; k++)
            if (memmem(text.p, text.n, names[k], strlen(names[k])))
                FAIL("it tells \"%s\": %.*s", names[k], STR_ARG(text));
    }
    talk(&s, 200, "PUT", WHERE, "{'on':false}");
    CHECK_AT(&s, talk(&s, 200, "GET", WHERE, NULL), "questions", "absent");
}

/* What a sheet would take for a formula is a text. */
CONTRACT(insights_as_a_table_have_no_formulas)
{
    SITE(s);
    const char *people[] = {as(&s, "bob"), as(&s, "cleo"), as(&s, "dan")};

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'Heat'}");
    talk(&s, 200, "PUT", "/api/courses/c/members/*", "{'role':'reader'}");
    talk(&s, 200, "PUT", WHERE, "{'on':true}");
    talk(&s, 400, "PUT", WHERE, "{}");
    talk(&s, 400, "GET", WHERE "?weeks=99", NULL);
    for (int i = 0; i < 3; i++)
        asks(&s, people[i], arena_printf(&s.arena, "s%d", i).p,
             "=cmd|calc exam, heat", NOTHING);
    struct str table = site_get(&s, WHERE "?format=csv").body;
    CHECK(memmem(table.p, table.n, "\"'=cmd|calc exam, heat\",3", 25) != NULL);
}
