/* sessions_test.c - sessions over a socket: make, list, find, change, delete,
 * and whose they are. */
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "contract.h"
#include "help/talk.h"

/* How many sessions a list has. */
static size_t walk_n(const struct json *v)
{
    return json_get(v, STR("sessions"))->n;
}

/* Two sessions of one millisecond are in any order: here none are. */
static int64_t next_ms(void)
{
    static _Atomic int64_t now = 1772136900000;

    return atomic_fetch_add(&now, 10);
}

static int64_t mono_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static const struct clock_source steps = {next_ms, mono_ms};

CONTRACT(session_is_made_once_and_found_again)
{
    SITE(s);
    struct json *v = talk(&s, 201, "POST", "/api/sessions",
                          "{'id':'a/b','courseId':'c1','title':'Heat'}");

    CHECK_AT(&s, v, "id", "'a/b'");
    CHECK_AT(&s, v, "courseId", "'c1'");
    CHECK_AT(&s, v, "title", "'Heat'");
    CHECK_AT(&s, v, "status", "'idle'");
    CHECK_INT(strlen(json_at(&s, v, "createdAt")), 26);
    CHECK_TEXT(talk_header("Location"), STR("/api/sessions/a%2Fb"));
    CHECK(!talk_header("Idempotent-Replayed").p);
    talk(&s, 200, "POST", "/api/sessions", "{'id':'a/b','title':'Heat'}");
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/sessions",
                 "{'id':'a/b','title':'Cold'}");
    talk_refused(&s, 409, "id_taken", NULL, "POST", "/api/sessions",
                 "{'id':'a/b','courseId':'c2'}");
    v = talk(&s, 200, "GET", "/api/sessions/a%2Fb", NULL);
    CHECK_AT(&s, v, "title", "'Heat'");
    CHECK_AT(&s, v, "history", "[]");
    v = talk(&s, 201, "POST", "/api/sessions", "{}");
    CHECK_AT(&s, v, "title", "null");
    CHECK_AT(&s, v, "courseId", "null");
}

CONTRACT(session_bodies_are_refused_with_their_place)
{
    SITE(s);

    talk_refused(&s, 400, "unknown_field", "/ownerId", "POST", "/api/sessions",
                 "{'ownerId':'eve'}");
    talk_refused(&s, 400, "invalid_field", "/title", "POST", "/api/sessions",
                 "{'title':[]}");
    talk_refused(&s, 400, "invalid_field", "/id", "POST", "/api/sessions",
                 "{'id':''}");
    talk_refused(&s, 400, "bad_json", NULL, "POST", "/api/sessions",
                 "{'id':'a','id':'b'}");
    talk_refused(&s, 400, "bad_json", NULL, "POST", "/api/sessions", "[]");
    talk(&s, 201, "POST", "/api/sessions", "{'id':'a'}");
    talk_refused(&s, 400, "invalid_field", "/title", "PATCH", "/api/sessions/a",
                 "{'title':null}");
    talk_refused(&s, 400, "unknown_field", "/id", "PATCH", "/api/sessions/a",
                 "{'id':'b'}");
}

CONTRACT(session_is_renamed_moved_and_deleted_for_ever)
{
    SITE(s);
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions", "{'id':'a'}");
    v = talk(&s, 200, "PATCH", "/api/sessions/a",
             "{'title':'New','courseId':'c9'}");
    CHECK_AT(&s, v, "title", "'New'");
    CHECK_AT(&s, v, "courseId", "'c9'");
    talk(&s, 200, "GET", "/api/courses/c9", NULL);
    talk(&s, 204, "DELETE", "/api/sessions/a", NULL);
    talk(&s, 204, "DELETE", "/api/sessions/a", NULL);
    talk_refused(&s, 404, "session_not_found", NULL, "GET", "/api/sessions/a",
                 NULL);
    talk_refused(&s, 404, "session_not_found", NULL, "POST", "/api/sessions",
                 "{'id':'a'}");
    talk_refused(&s, 404, "session_not_found", NULL, "POST",
                 "/api/sessions/a/messages", "{'role':'user','content':'x'}");
    talk_refused(&s, 404, "session_not_found", NULL, "PATCH", "/api/sessions/a",
                 "{'title':'x'}");
}

/* Every call that names a session, as another user and as one who asks for
 * what never was: the same answer. */
CONTRACT(session_of_another_is_like_one_that_never_was)
{
    static const struct {
        int status;
        const char *method, *path, *body;
    } calls[] = {{404, "GET", "", NULL},
                 {404, "PATCH", "", "{'title':'x'}"},
                 {404, "PATCH", "", "{'shown':'m1'}"},
                 {204, "DELETE", "", NULL},
                 {404, "GET", "/messages", NULL},
                 {404, "GET", "/messages?as=ui", NULL},
                 {404, "GET", "/messages?limit=1", NULL},
                 {404, "GET", "/messages?at=m1", NULL},
                 {404, "GET", "/references", NULL},
                 {404, "GET", "/images", NULL},
                 {404, "GET", "/retrievals", NULL},
                 {204, "DELETE", "/sources", NULL}};
    SITE(s);
    const char *ada = talk_as_ada(&s);

    talk(&s, 201, "POST", "/api/sessions/mine/messages",
         "{'id':'m1','role':'user','content':'canary'}");
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        static const char *const ids[] = {"mine", "none"};
        const char *texts[2];

        for (int j = 0; j < 2; j++) {
            struct str path = arena_printf(&s.arena, "/api/sessions/%s%s",
                                           ids[j], calls[i].path);
            struct json *v = talk_with(&s, ada, calls[i].status,
                                       calls[i].method, path.p, calls[i].body);

            texts[j] = v ? json_at(&s, v, "error") : "";
            if (v)
                CHECK_AT(&s, v, "code", "'session_not_found'");
        }
        CHECK_STR(texts[0], texts[1]);
    }
    talk(&s, 200, "GET", "/api/sessions/mine", NULL);
    CHECK_AT(&s,
             talk_with(&s, ada, 201, "POST", "/api/sessions", "{'id':'mine'}"),
             "title", "null");
}

CONTRACT(session_list_pages_by_activity)
{
    clock_replace(&steps);
    SITE(s);
    struct json *v;
    const char *cursor;

    for (int i = 0; i < 5; i++) {
        struct str body = arena_printf(&s.arena, "{'id':'s%d'%s}", i,
                                       i == 2 ? ",'courseId':'c'" : "");

        talk(&s, 201, "POST", "/api/sessions", body.p);
    }
    talk(&s, 201, "POST", "/api/sessions/s1/messages",
         "{'role':'user','content':'What is heat?\\nAnd cold?'}");
    v = talk(&s, 200, "GET", "/api/sessions", NULL);
    CHECK_AT(&s, v, "sessions.0.id", "'s1'");
    CHECK_AT(&s, v, "sessions.0.title", "'What is heat?'");
    CHECK_AT(&s, v, "nextCursor", "null");
    CHECK_INT(walk_n(v), 5);
    v = talk(&s, 200, "GET", "/api/sessions?limit=4", NULL);
    CHECK_INT(walk_n(v), 4);
    cursor = json_get(v, STR("nextCursor"))->s.p;
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, "/api/sessions?limit=4&cursor=%.*s",
                          (int)json_get(v, STR("nextCursor"))->s.n, cursor)
                 .p,
             NULL);
    CHECK_INT(walk_n(v), 1);
    CHECK_AT(&s, v, "nextCursor", "null");
    CHECK_EACH(&s, talk(&s, 200, "GET", "/api/sessions?courseId=c", NULL),
               "sessions", "id", "'s2'");
    CHECK_EACH(&s, talk(&s, 200, "GET", "/api/sessions?courseId=d", NULL),
               "sessions", "id", "");
    talk_refused(&s, 400, "bad_cursor", NULL, "GET", "/api/sessions?cursor=eA",
                 NULL);
    talk_refused(&s, 400, "bad_cursor", NULL, "GET",
                 "/api/sessions?cursor=bzEuMQ", NULL); /* another list's */
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/sessions?limit=201", NULL);
}

CONTRACT(session_search_finds_titles_questions_answers_and_quotes)
{
    clock_replace(&steps);
    SITE(s);
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions", "{'id':'t','title':'On 100% Work'}");
    talk(&s, 201, "POST", "/api/sessions/q/messages",
         "{'id':'q1','role':'user','content':'Where does WORK go?'}");
    talk(&s, 201, "POST", "/api/sessions/a/messages",
         "{'id':'a1','role':'assistant','content':'It is work that heats.'}");
    talk(&s, 200, "POST", "/api/messages/k1/sources",
         "{'sessionId':'k','sources':[{'sourceType':'text','sourceId':'x',"
         "'contentPreview':'no loss'},{'sourceType':'text','sourceId':'y',"
         "'contentPreview':'A quote on work done'}]}");
    v = talk(&s, 200, "GET", "/api/sessions?q=work", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'k' 'a' 'q' 't'");
    CHECK_EACH(&s, v, "sessions", "match.where",
               "'quote' 'answer' 'question' 'title'");
    CHECK_EACH(&s, v, "sessions", "match.messageId", "'k1' 'a1' 'q1' null");
    CHECK_EACH(&s, v, "sessions", "match.snippet",
               "'A quote on work done' 'It is work that heats.' "
               "'Where does WORK go?' 'On 100% Work'");
    v = talk(&s, 200, "GET", "/api/sessions?q=go+where", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'q'");
    v = talk(&s, 200, "GET", "/api/sessions?q=100%25", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "'t'");
    v = talk(&s, 200, "GET", "/api/sessions?q=1%25", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "");
    v = talk(&s, 200, "GET", "/api/sessions?q=w_rk", NULL);
    CHECK_EACH(&s, v, "sessions", "id", "");
    v = talk_with(&s, talk_as_ada(&s), 200, "GET", "/api/sessions?q=work",
                  NULL);
    CHECK_EACH(&s, v, "sessions", "id", "");
}

static void add_hay(struct buf *b, int words)
{
    for (int i = 0; i < words; i++)
        buf_add(b, STR("haystack "));
}

CONTRACT(session_search_shows_whole_words)
{
    SITE(s);
    AUTO(buf_free) struct buf said = BUF(4096), shown = BUF(4096);
    struct json *v;

    buf_add(&said, STR("{'role':'user','content':'"));
    add_hay(&said, 30);
    buf_add(&said, STR("needle "));
    add_hay(&said, 30);
    buf_add(&said, STR("'}\0"));
    talk(&s, 201, "POST", "/api/sessions/s/messages", said.p);
    buf_add(&shown, STR("'…"));
    add_hay(&shown, 4);
    buf_add(&shown, STR("needle "));
    add_hay(&shown, 12);
    buf_add(&shown, STR("haystack…'\0"));
    v = talk(&s, 200, "GET", "/api/sessions?q=needle", NULL);
    CHECK_AT(&s, v, "sessions.0.match.snippet", shown.p);
}

CONTRACT(session_search_goes_on_where_it_stopped)
{
    clock_replace(&steps);
    SITE(s);
    struct json *v;
    struct str seen = STR("");

    for (int i = 0; i < 5; i++)
        talk(&s, 201, "POST", "/api/sessions",
             arena_printf(&s.arena, "{'id':'s%d','title':'%s'}", i,
                          i % 2 ? "odd" : "even")
                 .p);
    v = talk(&s, 200, "GET", "/api/sessions?q=even&limit=1", NULL);
    for (int i = 0; i < 9 && v; i++) {
        struct str next = json_get(v, STR("nextCursor"))->s;

        seen = arena_printf(&s.arena, "%.*s%s", STR_ARG(seen),
                            json_each(&s, v, "sessions", "id"));
        v = json_get(v, STR("nextCursor"))->type == JSON_NULL
                ? NULL
                : talk(&s, 200, "GET",
                       arena_printf(&s.arena,
                                    "/api/sessions?q=even&limit=1&cursor=%.*s",
                                    STR_ARG(next))
                           .p,
                       NULL);
    }
    CHECK_TEXT(seen, STR("'s4''s2''s0'"));
}

CONTRACT(session_key_makes_a_repeat_return_the_first)
{
    SITE(s);
    const char *key = "Idempotency-Key: k1";
    struct json *v =
        talk_with(&s, key, 201, "POST", "/api/sessions", "{'title':'T'}");
    const char *id = json_at(&s, v, "id");

    v = talk_with(&s, key, 200, "POST", "/api/sessions", "{'title':'T'}");
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    CHECK_AT(&s, v, "id", id);
    v = talk_with(&s, key, 422, "POST", "/api/sessions", "{'title':'U'}");
    CHECK_AT(&s, v, "code", "'key_reused'");
    v = talk_with(&s, key, 422, "POST", "/api/courses", "{'title':'T'}");
    CHECK_AT(&s, v, "code", "'key_reused'");
    CHECK_INT(walk_n(talk(&s, 200, "GET", "/api/sessions", NULL)), 1);
}

/* A request that failed has not used its key up. */
CONTRACT(session_key_of_a_failed_request_is_free)
{
    SITE(s);
    const char *key = "Idempotency-Key: k2";

    talk(&s, 201, "POST", "/api/sessions", "{'id':'a','title':'T'}");
    talk_with(&s, key, 409, "POST", "/api/sessions", "{'id':'a','title':'U'}");
    talk_with(&s, key, 201, "POST", "/api/sessions", "{'id':'b','title':'U'}");
    talk_with(&s, "Idempotency-Key;", 400, "POST", "/api/sessions", "{}");
}
