/* access_matrix_test.c - every call of the API by everybody: what each is told.
 *
 * The table has at least one line for every row of api_routes.  It names a
 * thing of the owner's ($ in path and body) and the status that each person
 * gets.  Besides the status this holds for every answer:
 *
 *   - it has no canary that the person may not see, in its body or its head;
 *   - who may not see the thing is told, byte for byte, what is said of a thing
 *     that never was.
 *
 * Lines are asked in order, each by the owner last, so that those who may do
 * nothing come before those who change things. */
#include "canary_site.h"
#include "contract.h"
#include "mask_ids.h"

#define NOWHERE "no-such-thing"
enum { FILLED_BYTES_MAX = 64 * 1024 };

/* Whose is the thing that the line is about? */
enum whose {
    ALL,  /* it is about nothing of the owner's */
    OURS, /* the owner's, the editor's and the reader's */
    HERS  /* the owner's alone */
};

struct line {
    const char *name; /* of the route */
    const char *path, *body, *thing;
    enum whose whose;
    int status[PEOPLE]; /* 0: not asked here */
};

#define EVERYBODY                                                              \
    {                                                                          \
        200, 200, 200, 200, 200, 200                                           \
    }
#define USERS                                                                  \
    {                                                                          \
        200, 200, 200, 200, 200, 401                                           \
    }
#define MEMBERS                                                                \
    {                                                                          \
        200, 200, 200, 404, 404, 401                                           \
    }
#define HERS_ONLY                                                              \
    {                                                                          \
        200, 404, 404, 404, 404, 401                                           \
    }
#define S "/api/sessions/$"
#define C "/api/courses/$"
#define D "/api/documents/$"
#define UI                                                                     \
    "'messages':[{'id':'q-$','role':'user','parts':[{'type':'text',"           \
    "'text':'What is a " TOPIC "?'}]}]"
#define OPENAI     "'messages':[{'role':'user','content':'What is a " TOPIC "?'}]"
#define EXTRACTIVE "'model':'extractive'"

// clang-format off
static const struct line lines[] = {
    /* route           path, body                                  thing, whose
     *                             owner editor reader stranger elsewhere nobody */
    {"frontPage", "/", NULL, NULL, ALL, EVERYBODY},
    {"docsPage", "/docs", NULL, NULL, ALL, EVERYBODY},
    {"sessionPage", "/c/x", NULL, NULL, ALL, EVERYBODY},
    {"messagePage", "/c/x/m/y", NULL, NULL, ALL, EVERYBODY},
    {"asset", "/assets/none.js", NULL, NULL, ALL,
     {404, 404, 404, 404, 404, 404}},
    {"followLink", "/api/objects/none", NULL, NULL, ALL,
     {403, 403, 403, 403, 403, 403}},
    {"health", "/healthz", NULL, NULL, ALL, EVERYBODY},
    {"ready", "/readyz", NULL, NULL, ALL, EVERYBODY},
    {"metrics", "/metrics", NULL, NULL, ALL, EVERYBODY},
    {"version", "/version", NULL, NULL, ALL, EVERYBODY},
    {"openapi", "/openapi.json", NULL, NULL, ALL, EVERYBODY},
    {"login", "/api/login", "{'key':'fn_wrong'}", NULL, ALL,
     {401, 401, 401, 401, 401, 401}},
    {"logout", "/api/logout", "{}", NULL, ALL, {204, 204, 204, 204, 204, 204}},
    {"me", "/api/me", NULL, NULL, ALL, USERS},

    {"createSnapshot", C "/snapshots", "{'slideId':'none','pageNumber':1}",
     PRIVATE, ALL, {404, 404, 404, 404, 404, 401}},

    /* Lists and searches: nothing of others. */
    {"listSessions", "/api/sessions", NULL, NULL, ALL, USERS},
    {"listSessions", "/api/sessions?q=" TOPIC, NULL, NULL, ALL, USERS},
    {"listSessions", "/api/sessions?courseId=$", NULL, SHARED, OURS, USERS},
    {"listSessions", "/api/sessions?q=" TOPIC "&courseId=$", NULL, PRIVATE,
     HERS, USERS},
    {"listCourses", "/api/courses", NULL, NULL, ALL, USERS},
    {"listModels", "/v1/models", NULL, NULL, ALL, USERS},
    {"getModel", "/v1/models/footnote:$", NULL, SHARED, OURS, MEMBERS},
    {"getModel", "/v1/models/footnote:$", NULL, PRIVATE, HERS, HERS_ONLY},
    {"search", "/api/search?q=" TOPIC, NULL, NULL, ALL, USERS},
    {"search", "/api/search?q=" TOPIC "&courseId=$", NULL, SHARED, OURS,
     MEMBERS},
    {"search", "/api/search?q=" TOPIC "&courseId=$", NULL, PRIVATE, HERS,
     HERS_ONLY},
    {"search", "/api/search?q=" TOPIC "&documentId=$", NULL, TEXT, OURS,
     MEMBERS},
    {"search", "/api/search?q=" TOPIC "&documentId=$", NULL, PRIVATE_DOC, HERS,
     HERS_ONLY},
    {"search", "/api/search?q=" TOPIC "&sessionId=$", NULL, SESSION, HERS,
     USERS}, /* what another cited counts for nothing */

    /* Sessions. */
    {"getSession", S, NULL, SESSION, HERS, HERS_ONLY},
    {"listMessages", S "/messages", NULL, SESSION, HERS, HERS_ONLY},
    {"listMessages", S "/messages?as=ui", NULL, SESSION, HERS, HERS_ONLY},
    {"listMessages", S "/messages?as=rows", NULL, SESSION, HERS, HERS_ONLY},
    {"listMessages", S "/messages?as=state", NULL, SESSION, HERS, HERS_ONLY},
    {"listMessages", S "/messages?versions=all", NULL, RUNNING, HERS,
     HERS_ONLY},
    {"listReferences", S "/references", NULL, SESSION, HERS, HERS_ONLY},
    {"listImages", S "/images", NULL, SESSION, HERS, HERS_ONLY},
    {"listRetrievals", S "/retrievals", NULL, SESSION, HERS, HERS_ONLY},
    {"sourcesByMessage", "/api/sources/by-message", "{'messageIds':['$']}",
     ANSWER, HERS, USERS},
    {"watchChat", "/api/chat/$/stream", NULL, RUNNING, HERS,
     {0, 204, 204, 204, 204, 401}},

    /* Courses and documents. */
    {"getCourse", C, NULL, SHARED, OURS, MEMBERS},
    {"getCourse", C, NULL, PRIVATE, HERS, HERS_ONLY},
    {"listMembers", C "/members", NULL, SHARED, OURS, MEMBERS},
    {"listMembers", C "/members", NULL, PRIVATE, HERS, HERS_ONLY},
    {"listDocuments", C "/documents", NULL, SHARED, OURS, MEMBERS},
    {"listDocuments", C "/documents", NULL, PRIVATE, HERS, HERS_ONLY},
    {"courseStats", C "/stats", NULL, SHARED, OURS,
     {200, 200, 403, 404, 404, 401}},
    {"courseStats", C "/stats", NULL, PRIVATE, HERS, HERS_ONLY},
    {"getDocument", D, NULL, TEXT, OURS, MEMBERS},
    {"getDocument", D, NULL, ENTRY, OURS, MEMBERS},
    {"getDocument", D, NULL, PRIVATE_DOC, HERS, HERS_ONLY},
    {"getDocument", D "?wait=1", NULL, PRIVATE_DOC, HERS,
     {0, 404, 404, 404, 404, 401}},
    {"listCitations", D "/citations", NULL, TEXT, OURS, MEMBERS},
    {"listCitations", D "/citations", NULL, PRIVATE_DOC, HERS, HERS_ONLY},
    {"downloadDocument", D "/download", NULL, PDF, OURS, MEMBERS},
    {"downloadDocument", D "/download?version=1", NULL, PRIVATE_DOC, HERS,
     HERS_ONLY},
    {"getMedia", D "/media", NULL, TALK, OURS, MEMBERS},
    {"getMedia", D "/media", NULL, PRIVATE_DOC, HERS,
     {404, 404, 404, 404, 404, 401}},
    {"getTranscript", D "/transcript", NULL, TALK, OURS, MEMBERS},
    {"getTranscript", D "/transcript", NULL, PRIVATE_DOC, HERS,
     {404, 404, 404, 404, 404, 401}},
    {"getPagePicture", D "/pages/1.png", NULL, PDF, OURS, MEMBERS},
    {"getPage", D "/pages/1", NULL, PDF, OURS, MEMBERS},
    {"getPage", D "/pages/1", NULL, PRIVATE_DOC, HERS,
     {404, 404, 404, 404, 404, 401}},

    /* Changes by those who may not, then by the owner. */
    {"updateMessage", "/api/messages/$", "{'append':' more'}", OPEN_ANSWER,
     HERS, HERS_ONLY},
    {"addSources", "/api/messages/$/sources",
     "{'sources':[{'sourceType':'web','url':'https://example.com/'}]}",
     OPEN_ANSWER, HERS, HERS_ONLY},
    {"updateSession", S, "{'title':'taken'}", OPEN, HERS, HERS_ONLY},
    {"createSession", "/api/sessions", "{'id':'$'}", SESSION, HERS,
     {200, 201, 201, 201, 201, 401}},
    {"createMessage", S "/messages",
     "{'id':'m-$','role':'user','content':'x'}", SESSION, HERS,
     {201, 201, 201, 201, 201, 401}},
    {"createRetrieval", S "/retrievals",
     "{'userMessageId':'m-$','query':'x','lowConfidence':false,'sources':[]}",
     SESSION, HERS, {201, 201, 201, 201, 201, 401}},

    /* Questions.  Another's session is one that is not there yet. */
    {"chat", "/api/chat", "{'id':'$'," EXTRACTIVE "," UI "}", SESSION, HERS,
     USERS},
    {"chat", "/api/chat",
     "{'id':'chat-1','courseId':'$'," EXTRACTIVE "," UI "}", SHARED, OURS,
     MEMBERS},
    {"chat", "/api/chat",
     "{'id':'chat-2','courseId':'$'," EXTRACTIVE "," UI "}", PRIVATE, HERS,
     HERS_ONLY},
    {"chat", "/api/chat",
     "{'id':'chat-3','documentId':'$'," EXTRACTIVE "," UI "}", PRIVATE_DOC,
     HERS, HERS_ONLY},
    {"query", "/api/query", "{'query':'" TOPIC "'," EXTRACTIVE "}", NULL, ALL,
     USERS},
    {"query", "/api/query",
     "{'query':'" TOPIC "','thread_id':'$'," EXTRACTIVE "}", SESSION, HERS,
     USERS},
    {"query", "/api/query",
     "{'query':'" TOPIC "','course_id':'$'," EXTRACTIVE "}", PRIVATE, HERS,
     HERS_ONLY},
    {"createChatCompletion", "/v1/chat/completions",
     "{'model':'footnote:$@extractive'," OPENAI "}", SHARED, OURS, MEMBERS},
    {"createChatCompletion", "/v1/chat/completions",
     "{'model':'footnote:$@extractive'," OPENAI "}", PRIVATE, HERS, HERS_ONLY},
    {"createChatCompletion", "/v1/chat/completions",
     "{'model':'footnote@extractive','metadata':{'session_id':'$'}," OPENAI
     "}", SESSION, HERS, USERS},
    {"createChatCompletion", "/v1/chat/completions",
     "{'model':'footnote@extractive','stream':true," OPENAI "}", NULL, ALL,
     USERS},

    /* Courses change. */
    /* A course's id is taken in its tenant, and in no other. */
    {"createSession", "/api/sessions", "{'courseId':'$'}", SHARED, ALL,
     {201, 201, 201, 404, 0, 401}},
    {"createCourse", "/api/courses", "{'id':'$','title':'x'}", PRIVATE, ALL,
     {409, 409, 409, 409, 0, 401}},
    {"updateCourse", C, "{'title':'" MINE "'}", PRIVATE, HERS, HERS_ONLY},
    {"updateCourse", C, "{'title':'" COURSE "'}", SHARED, OURS,
     {200, 403, 403, 404, 404, 401}},
    {"putMember", C "/members/zoe", "{'role':'reader'}", SHARED, OURS,
     {200, 403, 403, 404, 404, 401}},
    {"deleteMember", C "/members/zoe", NULL, SHARED, OURS,
     {204, 403, 403, 404, 404, 401}},
    {"createDocument", C "/documents",
     "{'kind':'text','title':'t','text':'" COURSE "'}", SHARED, OURS,
     {200, 202, 403, 404, 404, 401}},
    {"createDocument", C "/documents", "{'kind':'text','title':'t','text':'x'}",
     PRIVATE, HERS, {202, 404, 404, 404, 404, 401}},
    {"replaceDocument", D, "{'text':'" COURSE " 2'}", TEXT, OURS,
     {200, 202, 403, 404, 404, 401}},
    {"replaceDocument", D, "{'text':'x'}", PRIVATE_DOC, HERS,
     {202, 404, 404, 404, 404, 401}},

    /* Ends: whoever may not is told that it is gone, and it is not. */
    {"stopChat", "/api/chat/$/stop", "{}", RUNNING, HERS, USERS},
    {"deleteDocument", D, NULL, TEXT, OURS, {204, 204, 403, 204, 204, 401}},
    {"deleteDocument", D, NULL, PRIVATE_DOC, HERS,
     {204, 204, 204, 204, 204, 401}},
    {"deleteSources", S "/sources", NULL, SESSION, HERS,
     {204, 204, 204, 204, 204, 401}},
    {"deleteSession", S, NULL, SESSION, HERS, {204, 204, 204, 204, 204, 401}},
    {"deleteCourse", C, NULL, SHARED, OURS, {204, 403, 403, 204, 204, 401}},
    {"deleteCourse", C, NULL, PRIVATE, HERS, {204, 204, 204, 204, 204, 401}},

    /* The same names, in another tenant. */
    {"createSession", "/api/sessions", "{'courseId':'$'}", SHARED, ALL,
     {0, 0, 0, 0, 201, 401}},
    {"createCourse", "/api/courses", "{'id':'$','title':'x'}", PRIVATE, ALL,
     {0, 0, 0, 0, 201, 401}},
};
// clang-format on
enum { LINES = sizeof(lines) / sizeof(lines[0]) };

static const struct route *route_of(const char *name)
{
    for (size_t i = 0; i < api_routes_n; i++)
        if (strcmp(api_routes[i].name, name) == 0)
            return &api_routes[i];
    FAIL("there is no route %s", name);
}

TEST(matrix_has_a_line_for_every_route)
{
    for (size_t i = 0; i < api_routes_n; i++) {
        size_t n = 0;

        for (size_t k = 0; k < LINES; k++)
            n += strcmp(lines[k].name, api_routes[i].name) == 0;
        if (n == 0)
            FAIL("who may call %s?  Say so in the table.", api_routes[i].name);
    }
}

/* ---- Asking ------------------------------------------------------------- */

/* The text with `id` for every $, and " for every '. */
static struct str filled(struct canary_site *e, const char *text,
                         const char *id)
{
    AUTO(buf_free) struct buf b = BUF(FILLED_BYTES_MAX);

    for (const char *p = text; *p; p++)
        if (*p == '$')
            buf_add(&b, str_c(id));
        else
            buf_add_c(&b, (char)(*p == '\'' ? '"' : *p));
    return arena_str(&e->site.arena, buf_str(&b));
}

static struct answer_to ask(struct canary_site *e, const struct line *l,
                            const char *header, const char *id)
{
    struct ask ask = {.method = method_name(route_of(l->name)->method),
                      .path = filled(e, l->path, id).p,
                      .header = header};

    if (l->body)
        ask.body = filled(e, l->body, id);
    return site_ask(&e->site, &ask);
}

static bool may_see(enum whose whose, enum person p)
{
    return whose == ALL || p == OWNER ||
           (whose == OURS && (p == EDITOR || p == READER));
}

/* ---- Checking ----------------------------------------------------------- */

/* All that is wrong is told, not only the first of it. */
static int wrong;
#define WRONG(...) (wrong++, printf(__VA_ARGS__), (void)putchar('\n'))

static void check_canaries(const struct line *l, enum person p, struct str text)
{
    if (text_has(text, MINE) && !may_see(HERS, p))
        WRONG("%s %s tells the %s of " MINE ": %.*s", l->name, l->path,
              person_names[p], STR_ARG(text));
    if (text_has(text, COURSE) && !may_see(OURS, p))
        WRONG("%s %s tells the %s of " COURSE ": %.*s", l->name, l->path,
              person_names[p], STR_ARG(text));
}

static void check_same(const struct line *l, enum person p, struct str got,
                       struct str missing)
{
    if (!str_eq(got, missing))
        WRONG(
            "%s %s: the %s is told of a thing that is there\n%.*s\nand of one "
            "that is not\n%.*s",
            l->name, l->path, person_names[p], STR_ARG(got), STR_ARG(missing));
}

static void check_one(struct canary_site *e, const struct line *l,
                      enum person p, const char *header)
{
    const char *id = l->thing ? l->thing : NOWHERE;
    struct answer_to got = ask(e, l, header, id), none;

    if (got.status != l->status[p])
        WRONG("%s %s: the %s gets %d, not %d: %.*s", l->name, l->path,
              person_names[p], got.status, l->status[p], STR_ARG(got.body));
    check_canaries(l, p, mask_ids(&e->site, got.body, id));
    check_canaries(l, p, mask_ids(&e->site, got.headers, id));
    if (!l->thing || may_see(l->whose, p))
        return;
    none = ask(e, l, header, NOWHERE);
    if (none.status != got.status || !str_eq(none.type, got.type))
        WRONG("%s %s: the %s gets %d %.*s, and %d %.*s when it is not there",
              l->name, l->path, person_names[p], got.status, STR_ARG(got.type),
              none.status, STR_ARG(none.type));
    check_same(l, p, mask_ids(&e->site, got.body, id),
               mask_ids(&e->site, none.body, NOWHERE));
}

static void check_line(struct canary_site *e, const struct line *l)
{
    check_one(e, l, NOBODY, NULL);
    check_one(e, l, NOBODY, "Authorization: Bearer fn_0123456789_wrong");
    for (int p = NOBODY - 1; p >= 0; p--)
        if (l->status[p])
            check_one(e, l, (enum person)p, e->headers[p]);
}

/* ---- The tests ---------------------------------------------------------- */

CONTRACT_LIMIT(matrix_nobody_is_told_what_is_not_theirs, 180)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};

    canary_site_open(&e);
    for (size_t i = 0; i < LINES; i++) {
        if (strcmp(lines[i].name, "stopChat") == 0)
            CHECK(canary_site_turn_runs(&e)); /* whatever the others tried */
        check_line(&e, &lines[i]);
    }
    CHECK_INT(wrong, 0);
}

/* Pixels hold no words. */
static bool is_readable(const struct line *l)
{
    return strcmp(l->name, "getPagePicture") != 0;
}

/* The canaries are where the table believes them to be. */
CONTRACT_LIMIT(matrix_the_owner_sees_a_canary_in_all_she_reads, 120)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};

    canary_site_open(&e);
    for (size_t i = 0; i < LINES; i++) {
        const struct line *l = &lines[i];
        struct answer_to a;

        if (!l->thing || l->status[OWNER] != 200 || l->body || !is_readable(l))
            continue;
        a = ask(&e, l, e.headers[OWNER], l->thing);
        if (!text_has(a.body, MINE) && !text_has(a.body, COURSE))
            WRONG("%s %s has no canary: %d %.*s", l->name, l->path, a.status,
                  STR_ARG(a.body));
    }
    CHECK_INT(wrong, 0);
}

/* So is the turn that runs: who may watch it sees it. */
CONTRACT(matrix_the_owner_watches_her_turn)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    AUTO(client_close) struct client c;

    canary_site_open(&e);
    client_open(&c, e.site.served.port);
    client_send(&c, arena_printf(&e.site.arena,
                                 "GET /api/chat/" RUNNING
                                 "/stream HTTP/1.1\r\nHost: localhost\r\n%s"
                                 "\r\n\r\n",
                                 e.headers[OWNER]));
    while (!text_has(buf_str(&c.in), "It says " MINE))
        CHECK(client_read(&c, test_wait_ms()) > 0);
}
