/* canary_site.c - all that one user can have, with canaries. */
#include "canary_site.h"

#include "help/upload.h"

#include "store/document/document.h"

const char *const person_names[PEOPLE] = {"owner",    "editor",    "reader",
                                          "stranger", "elsewhere", "nobody"};

static const struct who names[NOBODY] = {
    [OWNER] = {{"default", 7}, {"ada", 3}},
    [EDITOR] = {{"default", 7}, {"eve", 3}},
    [READER] = {{"default", 7}, {"bob", 3}},
    [STRANGER] = {{"default", 7}, {"sam", 3}},
    [ELSEWHERE] = {{"elsewhere", 9}, {"ada", 3}}};

static void tell(struct canary_site *e, int status, const char *method,
                 const char *path, const char *body)
{
    talk_with(&e->site, e->headers[OWNER], status, method, path, body);
}

/* ---- Documents ---------------------------------------------------------- */

/* What a worker would have read in. */
static void read_in(struct canary_site *e, const char *document,
                    const char *text)
{
    struct store *st = e->site.served.store;
    struct passage p = {.position = 1, .page = 1, .text = str_c(text)};
    struct passages_add add = {.document = str_c(document),
                               .version = 1,
                               .passages = &p,
                               .passages_n = 1};
    struct document_status_set ready = {.document = str_c(document),
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    CHECK_OK(store_write(st, names[OWNER], OP(passages_add), &add, &err), &err);
    CHECK_OK(
        store_write(st, names[OWNER], OP(document_status_set), &ready, &err),
        &err);
}

/* Without a table of its objects: readers find them. */
#define PDF_TEXT                                                               \
    "%PDF-1.4\n"                                                               \
    "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n"                           \
    "2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n"                     \
    "3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 4 0 R"   \
    "/Resources<</Font<</F 5 0 R>>>>>> endobj\n"                               \
    "4 0 obj <</Length 48>> stream\n"                                          \
    "BT /F 12 Tf 9 50 Td (glacier coursecanary) Tj ET\n\n"                     \
    "endstream endobj\n"                                                       \
    "5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n"         \
    "trailer <</Root 1 0 R>>\n%%EOF\n"

#define TALK_TEXT                                                              \
    "WEBVTT\n\n00:01.000 --> 00:02.000\nA " TOPIC " " COURSE " said.\n"

static void add_files(struct canary_site *e)
{
    const char *path = "/api/courses/" SHARED "/documents";
    struct upload_part pdf[] = {{"id", NULL, PDF},
                                {"title", NULL, COURSE " slides"},
                                {"file", COURSE ".pdf", PDF_TEXT},
                                {NULL, NULL, NULL}};
    struct upload_part talk_parts[] = {{"id", NULL, TALK},
                                       {"title", NULL, COURSE " lecture"},
                                       {"file", COURSE ".vtt", TALK_TEXT},
                                       {"media", COURSE ".mp3", "ID3" COURSE},
                                       {NULL, NULL, NULL}};

    upload_to(&e->site, e->headers[OWNER], 202, "POST", path, pdf);
    upload_to(&e->site, e->headers[OWNER], 202, "POST", path, talk_parts);
    read_in(e, PDF, "A " TOPIC " on a slide, " COURSE ".");
    read_in(e, TALK, "A " TOPIC " in a talk, " COURSE ".");
}

static void add_courses(struct canary_site *e)
{
    tell(e, 201, "POST", "/api/courses",
         "{'id':'" SHARED "','title':'" COURSE " title'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/eve",
         "{'role':'editor'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/bob",
         "{'role':'reader'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/" COURSE,
         "{'role':'reader'}");
    tell(e, 202, "POST", "/api/courses/" SHARED "/documents",
         "{'kind':'text','id':'" TEXT "','title':'" COURSE
         " text','text':'A " TOPIC " " COURSE ".'}");
    tell(e, 202, "POST", "/api/courses/" SHARED "/documents",
         "{'kind':'journal','id':'" ENTRY
         "','date':'2024-01-15','title':'" COURSE " day','text':'A " TOPIC
         " " COURSE " day.'}");
    read_in(e, TEXT, "A " TOPIC " moves slowly, " COURSE ".");
    read_in(e, ENTRY, "A " TOPIC " was seen, " COURSE ".");
    add_files(e);
    tell(e, 201, "POST", "/api/courses",
         "{'id':'" PRIVATE "','title':'" MINE " title'}");
    tell(e, 200, "PUT", "/api/courses/" PRIVATE "/members/" MINE,
         "{'role':'reader'}");
    tell(e, 202, "POST", "/api/courses/" PRIVATE "/documents",
         "{'kind':'text','id':'" PRIVATE_DOC "','title':'" MINE
         " text','text':'A " TOPIC " " MINE ".'}");
    read_in(e, PRIVATE_DOC, "A " TOPIC " melts, " MINE ".");
}

/* ---- Sessions ----------------------------------------------------------- */

static void add_sessions(struct canary_site *e)
{
    tell(e, 201, "POST", "/api/sessions",
         "{'id':'" SESSION "','courseId':'" SHARED "','title':'" MINE
         " title " TOPIC "'}");
    tell(e, 201, "POST", "/api/sessions/" SESSION "/messages",
         "{'id':'" QUESTION "','role':'user','content':'What is a " TOPIC
         ", " MINE "?'}");
    tell(e, 201, "POST", "/api/sessions/" SESSION "/messages",
         "{'id':'" ANSWER "','role':'assistant','content':'A " TOPIC " " MINE
         " [1].','docRefs':['" MINE "'],'ragSourceIds':['" MINE "'],"
         "'imageSource':{'s3key':'" MINE ".png','slideId':'" MINE
         "','pageNumber':1},'sources':[{'sourceId':'" MINE
         "-1','sourceType':'text','documentId':'" TEXT "','title':'" MINE
         " title','contentPreview':'A " TOPIC " quote " MINE
         ".'},{'sourceType':'web','url':'https://example.com/" MINE
         "','contentPreview':'" MINE "'}]}");
    tell(e, 201, "POST", "/api/sessions/" SESSION "/retrievals",
         "{'userMessageId':'" QUESTION "','query':'" MINE " " TOPIC
         "','lowConfidence':false,'sources':[{'sourceType':'web','url':"
         "'https://example.com/" MINE "','contentPreview':'" MINE "'}]}");
    tell(e, 201, "POST", "/api/sessions",
         "{'courseId':'" PRIVATE "','title':'" MINE " " TOPIC "'}");
    tell(e, 201, "POST", "/api/sessions/" OPEN "/messages",
         "{'id':'" OPEN_ANSWER "','role':'assistant','status':'streaming',"
         "'content':'A " TOPIC " " MINE "'}");
}

/* A turn that says something and then waits. */
static void start_turn(struct canary_site *e)
{
    struct str body =
        STR("{\"id\":\"" RUNNING "\",\"messages\":[{\"id\":\"" MINE
            "-q\",\"role\":\"user\",\"parts\":[{\"type\":"
            "\"text\",\"text\":\"" TOPIC " " MINE " script:slow\"}]}]}");
    struct str head = arena_printf(
        &e->site.arena,
        "POST /api/chat HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Type: "
        "application/json\r\nContent-Length: %zu\r\n\r\n",
        e->headers[OWNER], body.n);

    upstream_add(e->up, "slow",
                 "text It says " MINE " \\e\ntext and on\ngate end\n"
                 "finish stop\ndone\n");
    client_open(&e->turn, e->site.served.port);
    client_send(&e->turn, head);
    client_send(&e->turn, body);
    canary_site_await(e, "It says " MINE);
}

void canary_site_await(struct canary_site *e, const char *text)
{
    while (!e->turn.in.n ||
           !memmem(e->turn.in.p, e->turn.in.n, text, strlen(text)))
        if (client_read(&e->turn, test_wait_ms()) <= 0)
            FAIL("the turn ended before it said %s", text);
}

bool canary_site_turn_runs(struct canary_site *e)
{
    return upstream_stands(e->up, "end");
}

/* ---- All of it ---------------------------------------------------------- */

void canary_site_open(struct canary_site *e)
{
    e->up = upstream_open();
    e->site.model_url = upstream_url(e->up);
    e->site.keys_only = true;
    site_open(&e->site);
    for (int i = 0; i < NOBODY; i++)
        e->headers[i] = arena_printf(&e->site.arena, "Authorization: Bearer %s",
                                     site_key_of(&e->site, names[i]).p)
                            .p;
    add_courses(e);
    add_sessions(e);
    start_turn(e);
}

void canary_site_close(struct canary_site *e)
{
    upstream_pass(e->up, "end"); /* else the server waits for the turn */
    client_close(&e->turn);
    site_close(&e->site);
    upstream_close(e->up);
}
