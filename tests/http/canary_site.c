/* canary_site.c - all that one user can have, with canaries. */
#include "canary_site.h"

#include "base/clock.h"

#include "help/upload.h"

#include "store/document/document.h"
#include "store/session/login.h"
#include "store/session/share.h"

const char *const person_names[ALL_PEOPLE] = {
    [OWNER] = "owner",
    [EDITOR] = "editor",
    [READER] = "reader",
    [STRANGER] = "stranger",
    [ELSEWHERE] = "elsewhere",
    [NOBODY] = "nobody",
    [REMOVED] = "removed",
    [ADMIN] = "admin",
    [REVOKED] = "one with a revoked key",
    [WRONG_KEY] = "one with a wrong key",
    [CONFINED] = "owner with a key for one course",
    [READING] = "owner with a key that reads"};

enum person person_like(enum person p)
{
    switch (p) {
    case REMOVED:
    case ADMIN: return STRANGER;
    case REVOKED:
    case WRONG_KEY: return NOBODY;
    case OWNER:
    case EDITOR:
    case READER:
    case STRANGER:
    case ELSEWHERE:
    case NOBODY:
    case CONFINED:
    case READING:
    case ALL_PEOPLE: break;
    }
    return p;
}

static const struct who names[ALL_PEOPLE] = {
    [REMOVED] = {{"default", 7}, {"rem", 3}},
    [ADMIN] = {{"default", 7}, {"root", 4}},
    [REVOKED] = {{"default", 7}, {"ada", 3}},
    [CONFINED] = {{"default", 7}, {"ada", 3}},
    [READING] = {{"default", 7}, {"ada", 3}},
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
    tell(e, 201, "POST", "/api/courses", "{'id':'" THIRD "','title':'x'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/eve",
         "{'role':'editor'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/bob",
         "{'role':'reader'}");
    tell(e, 200, "PUT", "/api/courses/" SHARED "/members/rem",
         "{'role':'editor'}");
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

/* ---- Pictures and pages ------------------------------------------------- */

#define PNG                                                                    \
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"    \
    "crc!\0\0\0\3IDATonecrc!\0\0\0\0IENDcrc!"

static void add_picture(struct canary_site *e)
{
    struct arena *a = &e->site.arena;
    struct ask ask = {.method = "POST",
                      .path = "/api/courses/" SHARED "/snapshots?slideId=" PDF
                              "&pageNumber=1",
                      .body = STR(PNG),
                      .type = "image/png",
                      .header = e->headers[OWNER]};
    struct json *v = site_json(&e->site, talk_ask(&e->site, 201, &ask).body);

    tell(e, 201, "POST", "/api/sessions/" PICTURED "/messages",
         arena_printf(a,
                      "{'role':'assistant','content':'" MINE
                      "','imageSource':{'s3key':'%.*s','slideId':'" PDF
                      "','pageNumber':1}}",
                      STR_ARG(json_text(v, STR("s3key"))))
             .p);
    v = talk_with(&e->site, e->headers[OWNER], 200, "GET",
                  "/api/sessions/" PICTURED "/images", NULL);
    v = json_get(v, STR("images"))->first;
    e->link = arena_str(a, str_skip(json_text(v, STR("url")),
                                    strlen("/api/objects/")))
                  .p;
}

static void find_asset(struct canary_site *e)
{
    struct str page = site_get(&e->site, "/").body;
    const char *at = memmem(page.p, page.n, "/assets/", strlen("/assets/"));

    CHECK(at != NULL);
    if (!at)
        return; /* for analysers, which do not know CHECK */
    at += strlen("/assets/");
    e->asset =
        arena_str(&e->site.arena, (struct str){at, strcspn(at, "\"'")}).p;
}

/* ---- A turn ------------------------------------------------------------- */

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

static struct str header_of_key(struct canary_site *e, struct str key)
{
    return arena_printf(&e->site.arena, "Authorization: Bearer %.*s",
                        STR_ARG(key));
}

static const char *add_scoped(struct canary_site *e, const char *scope)
{
    struct access_key_add op = {.scope = str_c(scope)};
    struct footnote_err err;

    CHECK_OK(store_write(e->site.served.store, names[OWNER], OP(access_key_add),
                         &op, &err),
             &err);
    return header_of_key(e, str_c(op.key_text)).p;
}

static void add_login(struct canary_site *e)
{
    struct login_add op = {.method = STR("key"),
                           .key_prefix = access_prefix(str_c(e->owner_key)),
                           .agent = STR("a browser"),
                           .expires_ms = INT64_MAX / 2};
    struct footnote_err err;

    CHECK_OK(store_write(e->site.served.store, names[OWNER], OP(login_add), &op,
                         &err),
             &err);
    e->owner_login = arena_str(&e->site.arena, op.id).p;
}

static void add_share(struct canary_site *e)
{
    struct share_add op = {.session = STR(SESSION),
                           .expires_ms = clock_wall_ms() + 3600 * 1000};
    struct footnote_err err;

    CHECK_OK(store_write(e->site.served.store, names[OWNER], OP(share_add), &op,
                         &err),
             &err);
    e->owner_share = arena_str(&e->site.arena, str_c(op.id)).p;
}

static void add_keys(struct canary_site *e)
{
    struct store *st = e->site.served.store;
    struct access_key_add admin = {.admin = true}, old = {.admin = false};
    struct access_key_revoke revoke = {.prefix = STR_NONE};
    struct footnote_err err;

    for (int i = 0; i < ALL_PEOPLE; i++)
        if (i < NOBODY || i == REMOVED)
            e->headers[i] = header_of_key(e, site_key_of(&e->site, names[i])).p;
    CHECK_OK(store_write(st, names[ADMIN], OP(access_key_add), &admin, &err),
             &err);
    e->headers[ADMIN] = header_of_key(e, str_c(admin.key_text)).p;
    CHECK_OK(store_write(st, names[REVOKED], OP(access_key_add), &old, &err),
             &err);
    revoke.prefix = access_prefix(str_c(old.key_text));
    CHECK_OK(
        store_write(st, names[REVOKED], OP(access_key_revoke), &revoke, &err),
        &err);
    e->headers[REVOKED] = header_of_key(e, str_c(old.key_text)).p;
    e->headers[WRONG_KEY] = "Authorization: Bearer fn_0123456789_wrong";
    e->owner_key = site_key_of(&e->site, names[OWNER]).p;
    e->headers[CONFINED] = add_scoped(e, "write\n" THIRD);
    e->headers[READING] = add_scoped(e, "read");
    add_login(e);
}

/* They read what is there as an editor, and were removed.  A session of theirs
 * in the course would stay with them. */
static void remove_member(struct canary_site *e)
{
    talk_with(&e->site, e->headers[REMOVED], 200, "GET", "/api/documents/" TEXT,
              NULL);
    tell(e, 204, "DELETE", "/api/courses/" SHARED "/members/rem", NULL);
}

void canary_site_open(struct canary_site *e)
{
    e->up = upstream_open();
    e->site.model_url = upstream_url(e->up);
    e->site.keys_only = true;
    site_open(&e->site);
    add_keys(e);
    add_courses(e);
    remove_member(e);
    add_sessions(e);
    add_share(e);
    add_picture(e);
    find_asset(e);
    start_turn(e);
}

void canary_site_close(struct canary_site *e)
{
    upstream_pass(e->up, "end"); /* else the server waits for the turn */
    client_close(&e->turn);
    site_close(&e->site);
    upstream_close(e->up);
}
