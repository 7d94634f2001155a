/* citation_test.c - a hostile account and another user's citations: it cannot
 * change them, learn of them, or write where it was thrown out. */
#include "attack_site.h"
#include "contract.h"

#define SOURCE                                                                 \
    "{'sourceType':'slide','documentId':'d','slideNumber':1,'title':'Mine',"   \
    "'contentPreview':'All is calm.'}"
#define ANSWER                                                                 \
    "{'id':'%s','role':'assistant','content':'Calm [1].','sources':[" SOURCE   \
    "]}"
#define TEXT "{'id':'%s','kind':'text','title':'t','text':'words'}"

static struct json *as_mallory(struct attack_site *a, int status,
                               const char *method, const char *path,
                               const char *body)
{
    return talk_with(&a->site, a->mallory, status, method, path, body);
}

static struct json *as_bo(struct attack_site *a, int status, const char *method,
                          const char *path, const char *body)
{
    return talk_with(&a->site, a->bo, status, method, path, body);
}

#define TEXT_OF(a, ...) (arena_printf(&(a)->site.arena, __VA_ARGS__).p)

/* Bo's answer in a session of its own, in a course or in none. */
static void bo_says(struct attack_site *a, const char *session, const char *id,
                    const char *course)
{
    as_bo(a, 201, "POST", "/api/sessions",
          course ? TEXT_OF(a, "{'id':'%s','courseId':'%s'}", session, course)
                 : TEXT_OF(a, "{'id':'%s'}", session));
    as_bo(a, 201, "POST", TEXT_OF(a, "/api/sessions/%s/messages", session),
          TEXT_OF(a, ANSWER, id));
}

/* Mallory makes a document with an id of her choice. */
static void squat(struct attack_site *a, const char *id)
{
    as_mallory(a, 201, "POST", "/api/courses", "{'id':'hers','title':'x'}");
    as_mallory(a, 202, "POST", "/api/courses/hers/documents",
               TEXT_OF(a, TEXT, id));
}

static void check_state(struct attack_site *a, const char *session,
                        const char *state)
{
    struct json *v = as_bo(
        a, 200, "GET", TEXT_OF(a, "/api/sessions/%s/messages", session), NULL);

    CHECK_AT(&a->site, v, "messages.0.sources.0.state", state);
    CHECK_AT(&a->site, v, "messages.0.sources.0.title", "'Mine'");
    CHECK_AT(&a->site, v, "messages.0.sources.0.contentPreview",
             "'All is calm.'");
}

static void redact(struct attack_site *a)
{
    as_mallory(a, 204, "DELETE", "/api/documents/d?citations=redact", NULL);
}

CONTRACT(attack_document_with_an_id_that_sources_name_already)
{
    ATTACK_SITE(a);

    as_bo(&a, 201, "POST", "/api/courses", "{'id':'his','title':'x'}");
    bo_says(&a, "s1", "m1", NULL);
    bo_says(&a, "s2", "m2", "his");
    squat(&a, "d");
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
    as_mallory(&a, 200, "PUT", "/api/courses/hers/members/bo",
               "{'role':'reader'}");
    bo_says(&a, "s3", "m3", "his");
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
    check_state(&a, "s3", "'external'");
    redact(&a);
    check_state(&a, "s3", "'external'");
    as_mallory(&a, 204, "DELETE", "/api/courses/hers/members/bo", NULL);
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
    as_mallory(&a, 204, "DELETE", "/api/courses/hers?citations=redact", NULL);
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
}

CONTRACT(attack_document_with_an_id_that_sources_will_name)
{
    ATTACK_SITE(a);

    squat(&a, "d");
    as_bo(&a, 201, "POST", "/api/courses", "{'id':'his','title':'x'}");
    bo_says(&a, "s1", "m1", NULL);
    bo_says(&a, "s2", "m2", "his");
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
    redact(&a);
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'external'");
    as_bo(&a, 202, "POST", "/api/courses/his/documents",
          TEXT_OF(&a, TEXT, "d")); /* the id is not taken */
    check_state(&a, "s1", "'external'");
    check_state(&a, "s2", "'live'");
    CHECK_AT(&a.site, as_bo(&a, 200, "GET", "/api/documents/d/citations", NULL),
             "citations.0.messageId", "'m2'");
}

/* ---- What is there, and what is not ------------------------------------- */

/* $ is a thing of Bo's, or one that never was. */
static const struct probe {
    const char *method, *path, *body, *thing;
} probes[] = {
    {"GET", "/api/documents/$", NULL, "d"},
    {"GET", "/api/documents/$?courseId=his", NULL, "d"},
    {"GET", "/api/documents/none?courseId=$", NULL, "his"},
    {"GET", "/api/documents/$/citations", NULL, "d"},
    {"GET", "/api/documents/$/download", NULL, "d"},
    {"GET", "/api/documents/$/pages/1", NULL, "d"},
    {"DELETE", "/api/documents/$", NULL, "d"},
    {"DELETE", "/api/documents/$?courseId=his", NULL, "d"},
    {"PUT", "/api/documents/$", "{'text':'x'}", "d"},
    {"PUT", "/api/documents/none?courseId=$", "{'text':'x'}", "his"},
    {"POST", "/api/courses/$/documents",
     "{'kind':'text','title':'t','text':'words'}", "his"},
    {"POST", "/api/courses/$/snapshots", "{'slideId':'d','pageNumber':1}",
     "his"},
    {"POST", "/api/courses/hers/snapshots", "{'slideId':'$','pageNumber':1}",
     "other"},
    {"GET", "/api/courses/$/stats", NULL, "his"},
    {"GET", "/api/sessions/$", NULL, "s1"},
    {"GET", "/api/sessions/$/references", NULL, "s1"},
    {"POST", "/api/sources/by-message", "{'messageIds':['$']}", "m1"},
    {"PATCH", "/api/messages/$", "{'append':'x'}", "m1"},
    {"POST", "/api/messages/$/sources", "{'sources':[" SOURCE "]}", "m1"},
    {"GET", "/api/search?q=words&documentId=$", NULL, "other"},
    {"GET", "/api/search?q=words&courseId=$", NULL, "his"},
    {"GET", "/api/search?q=words&courseId=hers&documentId=$", NULL, "other"},
    {"POST", "/api/query",
     "{'query':'words','course_id':'$','model':'extractive'}", "his"},
    {"POST", "/api/chat",
     "{'id':'c1','documentId':'$','model':'extractive','messages':[{'role':"
     "'user','parts':[{'type':'text','text':'words?'}]}]}",
     "other"},
    {"POST", "/api/chat",
     "{'id':'c2','courseId':'$','model':'extractive','messages':[{'role':"
     "'user','parts':[{'type':'text','text':'words?'}]}]}",
     "his"},
    {"POST", "/api/sessions/$x/messages",
     "{'role':'assistant','content':'So [1].','sources':[{'sourceType':"
     "'slide','documentId':'$','slideNumber':1,'courseId':'his'}]}",
     "other"},
    {"GET", "/api/sessions/$x/messages", NULL, "other"},
    {"POST", "/api/sessions/$y/messages",
     "{'role':'assistant','content':'So [1].','sources':[{'sourceType':"
     "'slide','documentId':'other','slideNumber':1,'courseId':'$'}]}",
     "his"},
    {"GET", "/api/sessions/$y/messages", NULL, "his"},
    /* The last one: it makes what was missing. */
    {"POST", "/api/courses/hers/documents",
     "{'id':'$','kind':'text','title':'t','text':'words of $'}", "d"},
};
enum { PROBES = sizeof(probes) / sizeof(probes[0]) };

static struct str filled(struct attack_site *a, const char *from,
                         const char *id)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    for (const char *p = from; p && *p; p++)
        if (*p == '$')
            buf_add(&b, str_c(id));
        else
            buf_add_c(&b, (char)(*p == '\'' ? '"' : *p));
    return arena_str(&a->site.arena, buf_str(&b));
}

/* Status, error, code and all states that it tells. */
static const char *told(struct attack_site *a, const struct probe *p,
                        const char *id)
{
    struct answer_to got = site_ask(
        &a->site,
        &(struct ask){.method = p->method,
                      .path = filled(a, p->path, id).p,
                      .header = a->mallory,
                      .body = p->body ? filled(a, p->body, id) : STR_NONE});
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024);
    struct json *v = NULL;

    buf_printf(&b, "%d %.*s", got.status, STR_ARG(got.type));
    if (got.body.n &&
        json_read(&a->site.arena, got.body, &v, NULL) == FOOTNOTE_OK)
        buf_printf(&b, " %s %s %s", json_at(&a->site, v, "error"),
                   json_at(&a->site, v, "code"),
                   json_at(&a->site, v, "messages.0.sources.0.state"));
    return arena_str(&a->site.arena, buf_str(&b)).p;
}

CONTRACT(attack_nothing_tells_a_foreign_id_from_a_missing_one)
{
    ATTACK_SITE(a);
    int wrong = 0;

    as_bo(&a, 201, "POST", "/api/courses", "{'id':'his','title':'x'}");
    as_bo(&a, 202, "POST", "/api/courses/his/documents",
          TEXT_OF(&a, TEXT, "d"));
    as_bo(&a, 202, "POST", "/api/courses/his/documents",
          "{'id':'other','kind':'text','title':'t','text':'other words'}");
    bo_says(&a, "s1", "m1", "his");
    as_mallory(&a, 201, "POST", "/api/courses", "{'id':'hers','title':'x'}");
    for (size_t i = 0; i < PROBES; i++) {
        const char *there = told(&a, &probes[i], probes[i].thing),
                   *missing = told(&a, &probes[i], "no-such-thing");

        if (strcmp(there, missing) == 0)
            continue;
        wrong++;
        printf("%s %s: %s when it is there, %s when it is not\n",
               probes[i].method, probes[i].path, there, missing);
    }
    CHECK_INT(wrong, 0);
    check_state(&a, "s1", "'live'");
}

/* ---- Readers, and members who were removed ------------------------------ */

static void bo_shares(struct attack_site *a)
{
    as_bo(a, 201, "POST", "/api/courses", "{'id':'his','title':'x'}");
    as_bo(a, 202, "POST", "/api/courses/his/documents", TEXT_OF(a, TEXT, "d"));
    as_bo(a, 200, "PUT", "/api/courses/his/members/mallory",
          "{'role':'reader'}");
}

CONTRACT(attack_reader_brings_no_document)
{
    ATTACK_SITE(a);

    bo_shares(&a);
    as_mallory(&a, 403, "POST", "/api/courses/his/documents",
               TEXT_OF(&a, TEXT, "e"));
    as_mallory(&a, 403, "PUT", "/api/documents/d", "{'text':'x'}");
    as_mallory(&a, 403, "DELETE", "/api/documents/d?citations=redact", NULL);
}

#define CANARY "secretcanary"

static void check_canary(struct attack_site *a, const char *method,
                         const char *path, const char *body, bool there)
{
    struct answer_to got =
        talk_ask(&a->site, 200,
                 &(struct ask){.method = method,
                               .path = path,
                               .header = a->mallory,
                               .body = body ? filled(a, body, "") : STR_NONE});
    bool has = memmem(got.body.p, got.body.n, CANARY, strlen(CANARY)) != NULL;

    if (has != there)
        FAIL("%s %s: %.*s", method, path, STR_ARG(got.body));
}

/* In every shape. */
static void check_all(struct attack_site *a, bool there)
{
    check_canary(a, "GET", "/api/sessions/old/messages", NULL, there);
    check_canary(a, "GET", "/api/sessions/old/messages?as=ui", NULL, there);
    check_canary(a, "GET", "/api/sessions/old/messages?as=rows", NULL, there);
    check_canary(a, "GET", "/api/sessions/old/messages?versions=all", NULL,
                 there);
    check_canary(a, "GET", "/api/sessions/old", NULL, there);
    check_canary(a, "GET", "/api/sessions/old/references", NULL, there);
    check_canary(a, "GET", "/api/sessions/old/retrievals", NULL, there);
    check_canary(a, "POST", "/api/sources/by-message", "{'messageIds':['m1']}",
                 there);
    check_canary(a, "GET", "/api/sessions?q=" CANARY, NULL, there);
}

#define SECRET                                                                 \
    "{'sourceType':'journal','documentId':'d','date':'2024-01-15',"            \
    "'title':'" CANARY "','contentPreview':'" CANARY                           \
    "','url':'https://" CANARY ".example','ownerId':'" CANARY                  \
    "','courseId':'his','meta':{'a':'" CANARY "'}}"

CONTRACT(attack_removed_member_sees_nothing_and_writes_nothing)
{
    ATTACK_SITE(a);
    struct json *v;

    bo_shares(&a);
    as_mallory(&a, 201, "POST", "/api/sessions",
               "{'id':'old','courseId':'his'}");
    as_mallory(&a, 201, "POST", "/api/sessions/old/messages",
               "{'id':'q1','role':'user','content':'Why?'}");
    as_mallory(&a, 201, "POST", "/api/sessions/old/retrievals",
               "{'userMessageId':'q1','query':'why','lowConfidence':false,"
               "'sources':[" SECRET "]}");
    as_mallory(
        &a, 201, "POST", "/api/sessions/old/messages",
        "{'id':'m1','role':'assistant','content':'So [1].','sources':[" SECRET
        "],'docRefs':['2024-01-15:" CANARY "']}");
    as_mallory(&a, 201, "POST", "/api/sessions/old/messages",
               "{'id':'m2','role':'assistant','content':'So',"
               "'status':'streaming'}");
    check_all(&a, true);
    as_bo(&a, 204, "DELETE", "/api/courses/his/members/mallory", NULL);
    check_all(&a, false);
    v = as_mallory(&a, 200, "GET", "/api/sessions/old/messages", NULL);
    CHECK_AT(&a.site, v, "messages.1.content", "'So [1].'");
    CHECK_AT(&a.site, v, "messages.1.sources.0.state", "'withdrawn'");
    CHECK_AT(&a.site, v, "messages.1.sources.0.chunkNumber", "1");
    CHECK_AT(&a.site, v, "messages.1.sources.0.spans", "[[3,6]]");
    as_mallory(&a, 404, "POST", "/api/sessions/old/messages",
               "{'role':'user','content':'And?'}");
    as_mallory(&a, 404, "PATCH", "/api/messages/m2", "{'append':'more'}");
    as_mallory(&a, 404, "PATCH", "/api/messages/m2", "{'status':'complete'}");
    as_mallory(&a, 404, "POST", "/api/messages/m1/sources",
               "{'sources':[" SOURCE "]}");
    as_mallory(&a, 404, "POST", "/api/sessions/old/retrievals",
               "{'userMessageId':'q1','query':'x','lowConfidence':false,"
               "'sources':[]}");
    as_mallory(&a, 404, "PATCH", "/api/sessions/old", "{'title':'x'}");
    as_mallory(&a, 404, "POST", "/api/courses/his/snapshots",
               "{'slideId':'d','pageNumber':1}");
    as_mallory(&a, 404, "POST", "/api/chat",
               "{'id':'old','model':'extractive','messages':[{'role':'user',"
               "'parts':[{'type':'text','text':'words?'}]}]}");
    as_mallory(&a, 204, "DELETE", "/api/sessions/old", NULL);
}
