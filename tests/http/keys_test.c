/* keys_test.c - keys over the API, and what one that is confined reaches. */
#include "contract.h"
#include "help/talk.h"
#include "store/session/access.h"

static const char *bearer(struct site *s, struct str key)
{
    return arena_printf(&s->arena, "Authorization: Bearer %.*s", STR_ARG(key))
        .p;
}

static struct str text_at(struct site *s, const struct json *v,
                          const char *name)
{
    return arena_str(&s->arena, json_get(v, str_c(name))->s);
}

/* Of a key that `local`, who is an admin, makes. */
static const char *make(struct site *s, const char *body)
{
    return bearer(s,
                  text_at(s, talk(s, 201, "POST", "/api/keys", body), "key"));
}

CONTRACT(thread_keys_are_made_listed_and_revoked_by_admins)
{
    SITE(s);
    struct json *v;
    struct str prefix;
    const char *key, *path;

    v = talk(&s, 201, "POST", "/api/keys",
             "{'userId':'ann','label':'the build','courses':['a','b'],"
             "'readOnly':true,'expiresAt':'2999-01-01T00:00:00Z'}");
    CHECK_AT(&s, v, "userId", "'ann'");
    CHECK_AT(&s, v, "expiresAt", "'2999-01-01T00:00:00.000Z'");
    key = bearer(&s, text_at(&s, v, "key"));
    prefix = text_at(&s, v, "prefix");
    v = talk_with(&s, key, 200, "GET", "/api/me", NULL);
    CHECK_AT(&s, v, "userId", "'ann'");
    CHECK_AT(&s, v, "readOnly", "true");
    CHECK_AT(&s, v, "confined", "true");
    v = talk(&s, 200, "GET", "/api/keys?userId=ann", NULL);
    CHECK_AT(&s, v, "keys.0.label", "'the build'");
    CHECK_AT(&s, v, "keys.0.courses", "['a','b']");
    CHECK_AT(&s, v, "keys.0.readOnly", "true");
    CHECK_AT(&s, v, "keys.1", "absent");
    CHECK_AT(&s, talk(&s, 200, "GET", "/api/keys?userId=bob", NULL), "keys.0",
             "absent");
    path = arena_printf(&s.arena, "/api/keys/fn_%.*s", STR_ARG(prefix)).p;
    talk_with(&s, key, 403, "DELETE", path, NULL);
    talk(&s, 204, "DELETE", path, NULL);
    talk(&s, 204, "DELETE", path, NULL);
    talk(&s, 204, "DELETE", "/api/keys/0000000000", NULL);
    talk_with(&s, key, 401, "GET", "/api/me", NULL);
}

CONTRACT(thread_keys_of_another_tenant_are_nothing_to_an_admin)
{
    SITE(s);
    struct str theirs = site_key_of(&s, (struct who){STR("acme"), STR("ann")});

    CHECK_AT(&s, talk(&s, 200, "GET", "/api/keys", NULL), "keys.0", "absent");
    talk(
        &s, 204, "DELETE",
        arena_printf(&s.arena, "/api/keys/%.*s", STR_ARG(access_prefix(theirs)))
            .p,
        NULL);
    talk_with(&s, bearer(&s, theirs), 200, "GET", "/api/me", NULL);
}

TEST(thread_keys_that_make_no_sense_are_not_made)
{
    static const struct {
        const char *body, *where;
    } bad[] = {
        {"{'label':'x'}", "/userId"},
        {"{'userId':'*'}", "/userId"},
        {"{'userId':'a\\nb'}", "/userId"},
        {"{'userId':'ann','label':'x\\u202ey'}", "/label"},
        {"{'userId':'ann','label':''}", "/label"},
        {"{'userId':'ann','expiresAt':'2020-01-01T00:00:00Z'}", "/expiresAt"},
        {"{'userId':'ann','courses':['a\\nb']}", "/courses"},
        {"{'userId':'ann','courses':['']}", "/courses"},
        {"{'userId':'ann','admin':true,'readOnly':true}", "/admin"},
        {"{'userId':'ann','admin':true,'courses':['a']}", "/admin"},
    };
    SITE(s);

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        talk_refused(&s, 400, "invalid_field", bad[i].where, "POST",
                     "/api/keys", bad[i].body);
    CHECK_AT(&s, talk(&s, 200, "GET", "/api/keys", NULL), "keys.0", "absent");
}

/* ---- Confined ----------------------------------------------------------- */

static void fill(struct site *s, const char *as, const char *course)
{
    struct arena *a = &s->arena;

    talk_with(s, as, 201, "POST", "/api/courses",
              arena_printf(a, "{'id':'%s','title':'%s'}", course, course).p);
    talk_with(s, as, 202, "POST",
              arena_printf(a, "/api/courses/%s/documents", course).p,
              arena_printf(a,
                           "{'id':'doc-%s','kind':'text','title':'%s',"
                           "'text':'A glacier of %s.'}",
                           course, course, course)
                  .p);
    for (int i = 0; i < 3; i++) {
        talk_with(s, as, 201, "POST", "/api/sessions",
                  arena_printf(a, "{'id':'s-%s-%d','courseId':'%s'}", course, i,
                               course)
                      .p);
        talk_with(
            s, as, 201, "POST",
            arena_printf(a, "/api/sessions/s-%s-%d/messages", course, i).p,
            arena_printf(a,
                         "{'id':'m-%s-%d','role':'assistant',"
                         "'content':'Of %s [1].','sources':[{"
                         "'sourceType':'text','documentId':'doc-%s',"
                         "'part':1,'contentPreview':'A glacier.'}]}",
                         course, i, course, course)
                .p);
    }
}

CONTRACT(thread_keys_that_are_confined_reach_their_course_and_no_other)
{
    SITE(s);
    const char *all = make(&s, "{'userId':'ann'}");
    const char *one = make(&s, "{'userId':'ann','courses':['in','later']}");
    struct json *v;

    fill(&s, all, "in");
    fill(&s, all, "out");
    talk_with(&s, all, 201, "POST", "/api/sessions", "{'id':'free'}");
    v = talk_with(&s, one, 200, "GET", "/api/courses", NULL);
    CHECK_EACH(&s, v, "courses", "id", "'in'");
    v = talk_with(&s, one, 200, "GET", "/api/sessions?limit=2", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'s-in-2' 's-in-1'");
    v = talk_with(&s, one, 200, "GET",
                  arena_printf(&s.arena, "/api/sessions?limit=2&cursor=%.*s",
                               STR_ARG(text_at(&s, v, "nextCursor")))
                      .p,
                  NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'s-in-0'");
    CHECK_AT(&s, v, "nextCursor", "null");
    talk_with(&s, one, 200, "GET", "/api/sessions/s-in-0", NULL);
    talk_with(&s, one, 404, "GET", "/api/sessions/s-out-0", NULL);
    talk_with(&s, one, 404, "GET", "/api/sessions/free", NULL);
    /* Also when somebody has just read it without being confined. */
    talk_with(&s, all, 200, "GET", "/api/sessions/s-out-0/messages", NULL);
    talk_with(&s, all, 200, "GET", "/api/sessions/s-out-0/messages", NULL);
    talk_with(&s, one, 404, "GET", "/api/sessions/s-out-0/messages", NULL);
    v = talk_with(&s, one, 200, "POST", "/api/sources/by-message",
                  "{'messageIds':['m-in-0','m-out-0']}");
    CHECK_AT(&s, v, "sources.m-out-0", "absent");
    v = talk_with(&s, one, 200, "GET", "/api/documents/doc-in/citations", NULL);
    CHECK_EACH(&s, v, "citations", "sessionId", "'s-in-0' 's-in-1' 's-in-2'");
    talk_with(&s, one, 404, "GET", "/api/documents/doc-out", NULL);
    /* It writes there, and nowhere else. */
    talk_with(&s, one, 201, "POST", "/api/sessions/s-in-0/messages",
              "{'id':'q','role':'user','content':'x'}");
    talk_with(&s, one, 404, "PATCH", "/api/sessions/s-in-0",
              "{'courseId':'out'}");
    talk_with(&s, one, 201, "POST", "/api/courses",
              "{'id':'later','title':'x'}");
    talk_with(&s, one, 404, "POST", "/api/courses",
              "{'id':'other','title':'x'}");
    talk_with(&s, one, 404, "POST", "/api/sessions",
              "{'id':'n','courseId':'other'}");
    talk_with(&s, one, 204, "DELETE", "/api/sessions/s-out-0", NULL);
    talk_with(&s, all, 200, "GET", "/api/sessions/s-out-0", NULL);
    /* What it does leaves nothing behind that others are refused by. */
    talk_with(&s, one, 400, "POST", "/api/sessions/s-out-0/messages",
              "{'id':'q2','role':'user','content':'x'}");
    talk_with(&s, all, 201, "POST", "/api/sessions/s-out-0/messages",
              "{'id':'q2','role':'user','content':'x'}");
}

/* A session that moved takes old answers along. */
CONTRACT(thread_keys_that_are_confined_see_no_references_of_other_courses)
{
    SITE(s);
    const char *all = make(&s, "{'userId':'ann'}");
    const char *one = make(&s, "{'userId':'ann','courses':['in']}");
    struct json *v;

    fill(&s, all, "in");
    fill(&s, all, "out");
    talk_with(&s, all, 200, "PATCH", "/api/sessions/s-out-0",
              "{'courseId':'in'}");
    v = talk_with(&s, all, 200, "GET", "/api/sessions/s-out-0/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.documentId", "'doc-out'");
    v = talk_with(&s, one, 200, "GET", "/api/sessions/s-out-0/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.state", "'withdrawn'");
    CHECK_AT(&s, v, "messages.0.sources.0.documentId", "null");
    v = talk_with(&s, all, 200, "GET", "/api/sessions/s-out-0/messages", NULL);
    CHECK_AT(&s, v, "messages.0.sources.0.documentId", "'doc-out'");
    /* Nor can it find out whether a document is there by citing it. */
    v = talk_with(&s, one, 201, "POST", "/api/sessions/s-in-0/messages",
                  "{'id':'guess','role':'assistant','content':'x [1]',"
                  "'sources':[{'sourceType':'text','documentId':'doc-out',"
                  "'courseId':'out','part':1,'contentPreview':'y'}]}");
    CHECK_AT(&s, v, "sources.0.state", "'external'");
}

CONTRACT(thread_keys_that_read_change_nothing_and_sign_in)
{
    SITE(s);
    const char *all = make(&s, "{'userId':'ann'}");
    struct json *v =
        talk(&s, 201, "POST", "/api/keys", "{'userId':'ann','readOnly':true}");
    struct str key = text_at(&s, v, "key");
    struct str line;
    const char *cookie;

    talk_with(&s, all, 201, "POST", "/api/sessions", "{'id':'s'}");
    talk_with(&s, bearer(&s, key), 200, "GET", "/api/sessions/s", NULL);
    talk_with(&s, bearer(&s, key), 403, "DELETE", "/api/sessions/s", NULL);
    talk(&s, 200, "POST", "/api/login",
         arena_printf(&s.arena, "{'key':'%.*s'}", STR_ARG(key)).p);
    line = talk_header("Set-Cookie");
    line.n = str_find(line, ';');
    cookie = arena_printf(&s.arena, "Cookie: %.*s", STR_ARG(line)).p;
    talk_with(&s, cookie, 200, "GET", "/api/sessions/s", NULL);
    talk_with(&s, cookie, 403, "DELETE", "/api/sessions/s", NULL);
    talk_with(&s, cookie, 403, "POST", "/api/chat",
              "{'id':'s','model':'extractive','messages':[]}");
    talk_with(&s, all, 200, "GET", "/api/sessions/s", NULL);
}

/* ---- Use ---------------------------------------------------------------- */

static bool is_used(struct site *s)
{
    const struct json *v = talk(s, 200, "GET", "/api/keys?userId=ann", NULL);

    return strcmp(json_at(s, v, "keys.0.lastUsedAt"), "null") != 0;
}

CONTRACT(thread_keys_say_when_they_were_used_without_a_write_each)
{
    SITE(s);
    const char *key = make(&s, "{'userId':'ann'}");
    struct json *v;

    CHECK(!is_used(&s));
    for (int i = 0; i < 20; i++)
        talk_with(&s, key, 200, "GET", "/api/me", NULL);
    WAIT_UNTIL(is_used(&s));
    v = talk(&s, 200, "GET", "/api/audit?userId=ann&action=key.use", NULL);
    CHECK_AT(&s, v, "entries.0.action", "'key.use'");
    CHECK_AT(&s, v, "entries.1", "absent");
}
