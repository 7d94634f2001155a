/* links_test.c - frozen copies that a link opens: what is in them, what goes
 * from them, and who cannot open, list or end them. */
#include "base/clock.h"
#include "contract.h"
#include "help/talk.h"

#define HOSTILE "<img src=x onerror=alert(1)>"

static bool has(struct str s, const char *what)
{
    return memmem(s.p, s.n, what, strlen(what)) != NULL;
}

/* Without any credential. */
static struct answer_to open_link(struct site *s, const char *path)
{
    return site_ask(s, &(struct ask){.method = "GET", .path = path});
}

static const char *path_of(struct site *s, const struct json *made)
{
    struct str url = json_text(made, STR("url"));
    size_t at = (size_t)((const char *)memmem(url.p, url.n, "/s/", 3) - url.p);

    return arena_str(&s->arena, str_skip(url, at)).p;
}

static void ended(struct site *s, const char *path)
{
    struct answer_to a = open_link(s, path);

    CHECK_INT(a.status, 404);
    CHECK(has(a.body, "This link has ended."));
    CHECK(!has(a.body, "entropy"));
}

/* Ada's course, with a session that cites it. */
static void begin(struct site *s, const char *ada)
{
    talk(s, 201, "POST", "/api/courses", "{'id':'c','title':'Heat'}");
    talk(s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    talk(s, 202, "POST", "/api/courses/c/documents",
         "{'kind':'text','id':'d','title':'" HOSTILE "','text':'The canary of "
         "entropy sings.'}");
    talk_with(s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'q1','role':'user','content':'What is " HOSTILE "?'}");
    talk_with(s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'a1','role':'assistant','content':'It counts [1].',"
              "'sources':[{'sourceType':'text','documentId':'d','courseId':'c',"
              "'part':1,'title':'" HOSTILE "',"
              "'contentPreview':'The canary of entropy sings " HOSTILE "'}]}");
    talk_with(s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'q2','role':'user','content':'And more?'}");
    talk_with(s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'a2','role':'assistant','content':'Yes, much more.'}");
}

CONTRACT(link_shows_a_frozen_copy_and_nothing_that_runs)
{
    SITE(s);
    const char *ada = talk_as_ada(&s), *path;
    struct answer_to a;
    struct json *v;

    begin(&s, ada);
    v = talk_with(&s, ada, 201, "POST", "/api/sessions/s/share",
                  "{'messageId':'a1'}");
    CHECK_AT(&s, v, "messageId", "'a1'");
    CHECK_AT(&s, v, "files", "false");
    path = path_of(&s, v);
    a = open_link(&s, path);
    CHECK_INT(a.status, 200);
    CHECK(has(a.body, "It counts <a class=\"n\" href=\"#ref-2-1\">1</a>."));
    CHECK(has(a.body, "The canary of entropy sings &lt;img src=x"));
    CHECK(!has(a.body, HOSTILE));
    CHECK(!has(a.body, "<script"));
    CHECK(!has(a.body, "much more"));
    CHECK(!has(a.headers, "Set-Cookie"));
    CHECK(has(a.headers, "X-Robots-Tag: noindex"));
    CHECK(has(a.headers, "default-src 'none'; img-src 'self'"));
    CHECK(has(a.headers, "Referrer-Policy: no-referrer"));
    CHECK(has(a.headers, "no-store"));
    CHECK(!has(a.headers, "unsafe-inline"));
    /* The files are not in it, and no page of a text can be seen. */
    ended(&s, arena_printf(&s.arena, "%s/2/1/file", path).p);
    ended(&s, arena_printf(&s.arena, "%s/2/1.png", path).p);
    ended(&s, arena_printf(&s.arena, "%s/2/99.png", path).p);
    /* All of it, without what is said later. */
    path = path_of(&s, talk_with(&s, ada, 201, "POST", "/api/sessions/s/share",
                                 "{'files':true}"));
    talk_with(&s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'q3','role':'user','content':'A later question'}");
    talk_with(&s, ada, 201, "POST", "/api/sessions/s/messages",
              "{'id':'a3','role':'assistant','content':'A later answer'}");
    a = open_link(&s, path);
    CHECK(has(a.body, "much more") && has(a.body, "It counts"));
    CHECK(!has(a.body, "later"));
    CHECK(has(a.body, "/2/1/file"));
    a = site_ask(&s, &(struct ask){.method = "GET",
                                   .path = path,
                                   .header = "Accept-Language: es"});
    CHECK(has(a.body, "Referencias"));
}

CONTRACT(link_shows_nothing_that_its_maker_may_not_read_any_more)
{
    SITE(s);
    const char *ada = talk_as_ada(&s), *path, *file;
    struct answer_to a;

    begin(&s, ada);
    path = path_of(&s, talk_with(&s, ada, 201, "POST", "/api/sessions/s/share",
                                 "{'files':true}"));
    file = arena_printf(&s.arena, "%s/2/1/file", path).p;
    CHECK(has(open_link(&s, path).body, "canary"));
    a = open_link(&s, file);
    CHECK_INT(a.status, 200);
    CHECK(has(a.headers, "attachment"));
    talk(&s, 204, "DELETE", "/api/courses/c/members/ada", NULL);
    a = open_link(&s, path);
    CHECK_INT(a.status, 200);
    CHECK(!has(a.body, "canary"));
    CHECK(has(a.body, "can no longer be read"));
    ended(&s, file);
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    CHECK(has(open_link(&s, path).body, "canary"));
    talk(&s, 204, "DELETE", "/api/documents/d?citations=redact", NULL);
    CHECK(!has(open_link(&s, path).body, "canary"));
    ended(&s, file);
    talk_with(&s, ada, 204, "DELETE", "/api/sessions/s", NULL);
    ended(&s, path);
}

CONTRACT(link_is_its_makers_alone)
{
    SITE(s);
    const char *ada = talk_as_ada(&s), *id, *path;
    struct json *v;

    begin(&s, ada);
    /* Not of a session of hers, by another; nor of an answer of another. */
    talk_refused(&s, 404, "session_not_found", NULL, "POST",
                 "/api/sessions/s/share", "{}");
    talk_with(&s, ada, 404, "POST", "/api/sessions/s/share",
              "{'messageId':'q1'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions/s/share",
              "{'messageId':'none'}");
    talk_with(&s, ada, 404, "POST", "/api/sessions/none/share", "{}");
    talk_with(&s, ada, 400, "POST", "/api/sessions/s/share", "{'expiresIn':0}");
    talk_with(&s, ada, 400, "POST", "/api/sessions/s/share",
              "{'expiresIn':99999999}");
    v = talk_with(&s, ada, 201, "POST", "/api/sessions/s/share",
                  "{'expiresIn':3600}");
    path = path_of(&s, v);
    id = arena_str(&s.arena, json_text(v, STR("id"))).p;
    CHECK_EACH(&s, talk(&s, 200, "GET", "/api/shares", NULL), "shares", "id",
               "");
    v = talk_with(&s, ada, 200, "GET", "/api/shares?sessionId=s", NULL);
    CHECK_EACH(&s, v, "shares", "sessionId", "'s'");
    CHECK(!json_get(json_get(v, STR("shares"))->first, STR("url")));
    id = arena_printf(&s.arena, "/api/shares/%s", id).p;
    talk(&s, 204, "DELETE", id, NULL); /* as for one that never was */
    CHECK_INT(open_link(&s, path).status, 200);
    talk_with(&s, ada, 204, "DELETE", id, NULL);
    talk_with(&s, ada, 204, "DELETE", id, NULL);
    ended(&s, path);
    CHECK_EACH(&s, talk_with(&s, ada, 200, "GET", "/api/shares", NULL),
               "shares", "id", "");
}

static int64_t later_ms;
static int64_t later(void)
{
    return later_ms;
}

CONTRACT(link_ends_by_itself_and_cannot_be_guessed)
{
    static const char *const guesses[] = {
        "/s/x", "/s/%00", "/s/..",
        "/s/0000000000000000000000000000000000000000000000000000000000000000",
        "/s/' OR 1=1 --"};
    static const struct clock_source then = {later, later};
    SITE(s);
    const char *ada = talk_as_ada(&s), *path;
    struct answer_to gone, never;
    char *other;

    begin(&s, ada);
    path = path_of(&s, talk_with(&s, ada, 201, "POST", "/api/sessions/s/share",
                                 "{'expiresIn':60}"));
    CHECK_INT(open_link(&s, path).status, 200);
    for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]) - 1; i++)
        CHECK(open_link(&s, guesses[i]).status / 100 == 4);
    other = arena_alloc(&s.arena, strlen(path) + 1);
    memcpy(other, path, strlen(path));
    other[10] = (char)(other[10] == 'a' ? 'b' : 'a');

    never = open_link(&s, other);
    later_ms = clock_wall_ms() + 61 * 1000;
    clock_replace(&then);
    gone = open_link(&s, path);
    clock_replace(NULL);
    CHECK_INT(gone.status, 404);
    CHECK_INT(never.status, 404);
    CHECK_TEXT(gone.body, never.body);
}
