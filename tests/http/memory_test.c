/* memory_test.c - each of the server's own allocations fails in turn, while it
 * answers one call.
 *
 * What comes of it is the answer, 503, or a connection that ends; never a
 * crash, a hang, or a leak (a sanitizer's run tells).  What was acknowledged
 * is there afterwards, and what was not read as it was sent is not stored. */
#include <stdatomic.h>
#include <stdlib.h>

#include "contract.h"
#include "help/chat_site.h"

/* ---- The fault ---------------------------------------------------------- */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static atomic_long fail_at, seen; /* of all threads; 0: none fails */
static _Thread_local bool spared; /* this one is the test's own */

static bool fails(void)
{
    long at = spared ? 0 : atomic_load(&fail_at);

    return at && atomic_fetch_add(&seen, 1) + 1 == at;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

/* ---- One call ----------------------------------------------------------- */

enum { ALLOCATIONS_MAX = 3000, FILLED_BYTES_MAX = 64 * 1024 };

/* $ is another number each time, ' means ". */
struct call {
    int status;
    const char *method, *path, *body;
    /* It was acknowledged: is it there? */
    void (*check)(struct chat_site *r, long n, struct str body);
};

static struct str filled(struct chat_site *r, const char *text, long n)
{
    AUTO(buf_free) struct buf b = BUF(FILLED_BYTES_MAX);

    for (const char *p = text; *p; p++)
        if (*p == '$')
            buf_add_i64(&b, n);
        else
            buf_add_c(&b, (char)(*p == '\'' ? '"' : *p));
    return arena_str(&r->site.arena, b.n ? buf_str(&b) : STR(""));
}

static void send_call(struct chat_site *r, struct client *c,
                      const struct call *call, long n)
{
    struct str body = filled(r, call->body ? call->body : "", n);
    struct str head =
        arena_printf(&r->site.arena,
                     "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                     "application/json\r\nContent-Length: %zu\r\n\r\n",
                     call->method, filled(r, call->path, n).p, body.n);

    client_send(c, head);
    client_send(c, body);
}

static void check_answer(struct chat_site *r, const struct call *call, long n,
                         const struct response *a)
{
    if (a->status == call->status) {
        if (call->check)
            call->check(r, n, a->body);
    } else if (a->status != 503) {
        FAIL("%s %s with allocation %ld: %d %.*s", call->method, call->path, n,
             a->status, STR_ARG(a->body));
    }
}

/* False when there are not so many allocations. */
static bool call_failing(struct chat_site *r, const struct call *call, long n)
{
    AUTO(client_close) struct client c;
    struct response a;
    bool whole;

    atomic_store(&seen, 0);
    atomic_store(&fail_at, n);
    client_open(&c, r->site.served.port);
    send_call(r, &c, call, n);
    whole = client_answer(&c, &a);
    atomic_store(&fail_at, 0);
    if (whole)
        check_answer(r, call, n, &a);
    return atomic_load(&seen) >= n;
}

static void fail_each(const struct call *call)
{
    CHAT_SITE(r);
    long n = 1;

    spared = true;
    talk(&r.site, 201, "POST", "/api/sessions/kept/messages",
         "{'id':'first','role':'user','content':'How long do cats sleep?'}");
    while (n < ALLOCATIONS_MAX && call_failing(&r, call, n))
        n++;
    printf("%ld allocations\n", n - 1);
    CHECK(n > 5 && n < ALLOCATIONS_MAX);
    talk(&r.site, 200, "GET", "/api/sessions/kept/messages", NULL);
}

/* ---- What must be there ------------------------------------------------- */

static const char *stored(struct chat_site *r, const char *session,
                          const char *what)
{
    struct json *v = talk(
        &r->site, 200, "GET",
        arena_printf(&r->site.arena, "/api/sessions/%s/messages", session).p,
        NULL);

    return json_each(&r->site, v, "messages", what);
}

static void check_saved(struct chat_site *r, long n, struct str body)
{
    struct str content = filled(r, "'Cats $ [1].'", n);
    struct json *v = site_json(&r->site, body);

    CHECK_TEXT(json_get(v, STR("content"))->raw, content);
    CHECK(strstr(stored(r, filled(r, "save-$", n).p, "content"),
                 filled(r, "Cats $ [1].", n).p) != NULL);
}

static void check_document(struct chat_site *r, long n, struct str body)
{
    struct json *v = site_json(&r->site, body);
    struct ask ask = {
        .method = "GET",
        .path =
            arena_printf(&r->site.arena, "/api/documents/%s/download",
                         arena_str(&r->site.arena, json_get(v, STR("id"))->s).p)
                .p};

    CHECK_TEXT(talk_ask(&r->site, 200, &ask).body, filled(r, "Dogs $.", n));
}

static void check_hits(struct chat_site *r, long n, struct str body)
{
    (void)n;
    CHECK_INT(json_get(site_json(&r->site, body), STR("hits"))->n, 3);
}

/* What was said to its end is stored as it was said. */
static void check_turn(struct chat_site *r, long n, struct str body)
{
    const char *session = filled(r, "chat-$", n).p;
    struct str text =
        arena_printf(&r->site.arena, "'%s'", stream_text(r, body));
    const char *types = stream_types(r, body);

    if (!strstr(types, "finish"))
        CHECK(strstr(types, "error") != NULL);
    else if (!strstr(types, "error") &&
             !strstr(stored(r, session, "content"), text.p))
        FAIL("with allocation %ld %s was said, and %s is stored: %.*s", n,
             text.p, stored(r, session, "content"), STR_ARG(body));
}

static void check_query(struct chat_site *r, long n, struct str body)
{
    struct json *v = site_json(&r->site, body);
    struct str said =
        arena_str(&r->site.arena, json_get(v, STR("response"))->s);

    CHECK(said.n > 0);
    CHECK(strstr(stored(r, filled(r, "query-$", n).p, "content"), said.p) !=
          NULL);
}

/* ---- The calls ---------------------------------------------------------- */

#define QUESTION "How long do kittens sleep?"

CONTRACT_LIMIT(memory_of_reading_a_history, 120)
{
    fail_each(
        &(struct call){200, "GET", "/api/sessions/kept/messages", NULL, NULL});
}

CONTRACT_LIMIT(memory_of_saving_a_message, 120)
{
    fail_each(&(struct call){
        201, "POST", "/api/sessions/save-$/messages",
        "{'role':'assistant','content':'Cats $ [1].','sources':[{'sourceType':"
        "'slide','documentId':'book','slideNumber':1,'contentPreview':'Cats "
        "sleep.'}]}",
        check_saved});
}

CONTRACT_LIMIT(memory_of_adding_a_document, 120)
{
    fail_each(&(struct call){
        202, "POST", "/api/courses/cats/documents",
        "{'kind':'text','title':'Dogs $','text':'Dogs $.'}", check_document});
}

CONTRACT_LIMIT(memory_of_a_search, 120)
{
    fail_each(&(struct call){200, "GET",
                             "/api/search?q=cats%20sleep&courseId=cats", NULL,
                             check_hits});
}

CONTRACT_LIMIT(memory_of_searching_sessions, 120)
{
    fail_each(&(struct call){200, "GET", "/api/sessions?q=cats", NULL, NULL});
}

CONTRACT_LIMIT(memory_of_a_turn, 240)
{
    fail_each(&(struct call){
        200, "POST", "/api/chat",
        "{'id':'chat-$','courseId':'cats','model':'extractive','messages':["
        "{'id':'q-$','role':'user','parts':[{'type':'text','text':'" QUESTION
        "'}]}]}",
        check_turn});
}

CONTRACT_LIMIT(memory_of_a_query, 240)
{
    fail_each(&(struct call){200, "POST", "/api/query",
                             "{'query':'" QUESTION
                             "','thread_id':'query-$','course_id':'cats',"
                             "'model':'extractive'}",
                             check_query});
}

CONTRACT_LIMIT(memory_of_a_completion, 240)
{
    fail_each(&(struct call){200, "POST", "/v1/chat/completions",
                             "{'model':'footnote:cats@extractive','messages':"
                             "[{'role':'user','content':'" QUESTION "'}]}",
                             NULL});
}
