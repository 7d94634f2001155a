/* generated_requests_test.c - asks for every operation of /openapi.json, well
 * and badly.
 *
 * Whatever is sent, the answer has a status that the document declares for
 * that operation, is what the document says it is, and is never a 5xx.  The
 * requests are made from the document's own examples: each of their values is
 * replaced by each of a list of bad ones, left out, or joined by another. */
#include <ctype.h>
#include <stdlib.h>

#include "contract.h"
#include "help/site.h"
#include "help/upload.h"
#include "http/ops/embed.h"
#include "http/ops/openapi.h"
#include "json_edit.h"
#include "json_schema.h"

enum {
    HUGE_BYTES = 70 * 1024,
    PATH_BYTES_MAX = 15 * 1024,
    RANDOM_N = 200, /* per operation with a body */
    RANDOM_SOAK = 2000,
    TEXT_BYTES_MAX = 8 * 1024 * 1024,
    LARGE_BYTES = 2 * 1024 * 1024
};

#define LECTURE "WEBVTT\n\n00:01.000 --> 00:02.000\nHeat.\n"

struct run {
    struct site site;
    struct json *document;
    char *huge; /* HUGE_BYTES of a */
    size_t asked, accepted;
    uint64_t random;
};

struct operation {
    const struct json *path, *op; /* both named by their key */
    char method[16];
    size_t accepted; /* 2xx */
};

static char *must_alloc(struct run *g, size_t bytes)
{
    char *p = arena_alloc(&g->site.arena, bytes);

    if (!p)
        FAIL("%zu bytes were refused", bytes);
    return p;
}

/* ---- One request -------------------------------------------------------- */

static const struct json *declared(const struct run *g,
                                   const struct operation *o, int status)
{
    char code[16];
    const struct json *v;

    snprintf(code, sizeof(code), "%d", status);
    v = json_get(json_get(o->op, STR("responses")), str_c(code));
    return openapi_resolve(g->document, v);
}

static void check_answer(struct run *g, struct operation *o,
                         const struct ask *ask, const struct answer_to *a)
{
    const struct json *response = declared(g, o, a->status);
    const struct json *content = json_get(response, STR("content"));
    char why[SCHEMA_WHY];

    if (a->status >= 500 || !response)
        FAIL("%s %.300s %.300s: %d %.*s", ask->method, ask->path,
             ask->body.p ? ask->body.p : "", a->status, STR_ARG(a->body));
    if (!content) {
        CHECK_INT(a->body.n, 0);
        return;
    }
    if (!str_eq(content->first->key, STR("*/*")))
        CHECK(str_starts(a->type, content->first->key));
    if (str_eq(content->first->key, STR("application/json")) &&
        !schema_holds(g->document, json_get(content->first, STR("schema")),
                      site_json(&g->site, a->body), why))
        FAIL("%s %.300s: %d: %s in %.*s", ask->method, ask->path, a->status,
             why, STR_ARG(a->body));
}

static int send(struct run *g, struct operation *o, const struct ask *ask)
{
    struct answer_to a = site_ask(&g->site, ask);

    check_answer(g, o, ask, &a);
    g->asked++;
    g->accepted += a.status < 300;
    o->accepted += a.status < 300;
    return a.status;
}

/* ---- Paths -------------------------------------------------------------- */

static struct str example_of(const struct run *g, const struct operation *o,
                             struct str name)
{
    const struct json *list = json_get(o->op, STR("parameters"));

    for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
        const struct json *v = openapi_resolve(g->document, p);
        const struct json *example = json_get(v, STR("example"));

        if (example && str_eq(json_get(v, STR("name"))->s, name))
            return example->type == JSON_STR ? example->s : example->raw;
    }
    return STR_NONE;
}

/* The path with its examples, and `value` in the place of parameter `nth`
 * (from 0; -1: none). */
static const char *path_with(struct run *g, const struct operation *o, int nth,
                             const char *value, const char *query)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct str path = o->path->key;
    int n = 0;

    for (size_t i = 0; i < path.n; i++) {
        size_t end = str_find(str_skip(path, i), '}');

        if (path.p[i] != '{') {
            buf_add_c(&b, path.p[i]);
            continue;
        }
        if (n++ == nth)
            buf_add(&b, str_c(value));
        else
            buf_add(&b,
                    example_of(g, o, (struct str){path.p + i + 1, end - 1}));
        i += end;
    }
    buf_add(&b, str_c(query));
    return arena_str(&g->site.arena, buf_str(&b)).p;
}

static struct str example_body(const struct run *g, const struct operation *o)
{
    const struct json *content = json_get(
        openapi_resolve(g->document, json_get(o->op, STR("requestBody"))),
        STR("content"));

    return content ? json_get(content->first, STR("example"))->raw : STR_NONE;
}

static void send_path(struct run *g, struct operation *o, const char *path,
                      const char *header)
{
    struct ask ask = {.method = o->method,
                      .path = path,
                      .header = header,
                      .body = example_body(g, o)};

    send(g, o, &ask);
}

static void vary_path(struct run *g, struct operation *o)
{
    static const char *const bad[] = {
        "unknown", "%00", "%ff", "a%2Fb", "..", "%E2%82%AC", "a%20b", "*", "%"};
    char *longest = must_alloc(g, PATH_BYTES_MAX);
    size_t n = o->path->key.n;

    for (int nth = 0; nth < 2 && memchr(o->path->key.p, '{', n); nth++) {
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
            send_path(g, o, path_with(g, o, nth, bad[i], ""), NULL);
        for (size_t bytes = 200; bytes < PATH_BYTES_MAX; bytes *= 8) {
            memset(longest, 'i', bytes + 1);
            send_path(g, o, path_with(g, o, nth, longest, ""), NULL);
            longest[bytes] = '\0';
            send_path(g, o, path_with(g, o, nth, longest, ""), NULL);
        }
        memset(longest, 0, PATH_BYTES_MAX);
    }
}

static void vary_parameter(struct run *g, struct operation *o,
                           const struct json *v)
{
    static const char *const values[] = {
        "",    "x",   "0", "-1",           "201", "1e9", "9999999999999999999",
        "%00", "%ff", "%", "%F0%9F%98%80", "a b", "bXMx"};
    struct str name = json_get(v, STR("name"))->s;
    bool query = str_eq(json_get(v, STR("in"))->s, STR("query"));
    struct str example = example_of(g, o, name);
    struct arena *a = &g->site.arena;

    if (!query && !str_eq(json_get(v, STR("in"))->s, STR("header")))
        return;
    for (size_t i = 0; i <= sizeof(values) / sizeof(values[0]); i++) {
        bool last = i == sizeof(values) / sizeof(values[0]);
        struct str text = arena_printf(
            a, query ? "?%.*s=%s" : "%.*s: %s", STR_ARG(name),
            last ? example.p ? arena_str(a, example).p : "y" : values[i]);

        if (query)
            for (char *p = strchr(text.p, ' '); p; p = strchr(p, ' '))
                *p = '+';
        send_path(g, o, path_with(g, o, -1, "", query ? text.p : ""),
                  query ? NULL : text.p);
    }
}

static void vary_parameters(struct run *g, struct operation *o)
{
    const struct json *list = json_get(o->op, STR("parameters"));
    struct str huge = arena_printf(&g->site.arena, "?cursor=%.9000s", g->huge);

    for (const struct json *p = list ? list->first : NULL; p; p = p->next)
        vary_parameter(g, o, openapi_resolve(g->document, p));
    send_path(g, o, path_with(g, o, -1, "", "?nobody=knows&&=&this"), NULL);
    send_path(g, o, path_with(g, o, -1, "", huge.p), NULL);
    huge = arena_printf(&g->site.arena, "Idempotency-Key: %.300s", g->huge);
    send_path(g, o, path_with(g, o, -1, "", ""), huge.p);
}

/* ---- Bodies ------------------------------------------------------------- */

static void send_edited(struct run *g, struct operation *o,
                        const struct json *body, struct edit e)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct ask ask = {.method = o->method, .path = path_with(g, o, -1, "", "")};

    edit_write(&b, body, &e);
    CHECK_INT(buf_rc(&b, NULL), FOOTNOTE_OK);
    ask.body = arena_str(&g->site.arena, buf_str(&b));
    send(g, o, &ask);
}

static void vary_values(struct run *g, struct operation *o,
                        const struct json *body)
{
    size_t n = edit_count(body);
    struct str huge =
        arena_printf(&g->site.arena, "\"%.*s\"", HUGE_BYTES, g->huge);

    for (size_t at = 0; at < n; at++) {
        for (size_t i = 0; i < edit_values_n; i++)
            send_edited(g, o, body,
                        (struct edit){.at = at, .with = str_c(edit_values[i])});
        send_edited(g, o, body, (struct edit){.at = at, .with = huge});
        if (at)
            send_edited(g, o, body,
                        (struct edit){.change = LEAVE_OUT, .at = at});
        send_edited(g, o, body,
                    (struct edit){.change = ADD_MEMBER,
                                  .at = at,
                                  .with = STR("\"unknown\":1")});
    }
}

/* Bodies that are no JSON, too deep, too large, or of another type. */
static void vary_bytes(struct run *g, struct operation *o)
{
    struct str deep =
        arena_printf(&g->site.arena, "{\"a\":%.*s", 1000, g->huge);
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "null",
                                      "\"x\"",
                                      "{} {}",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"\\ud800\":1}",
                                      "\xff",
                                      "{\"title\":\"\xc3\x28\"}",
                                      "\xef\xbb\xbf{}"};
    struct ask ask = {.method = o->method, .path = path_with(g, o, -1, "", "")};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ask.body = str_c(bad[i]);
        send(g, o, &ask);
    }
    for (char *p = strchr(deep.p, 'a') + 3; *p; p++)
        *p = '[';
    ask.body = deep;
    send(g, o, &ask);
    ask.body = example_body(g, o);
    ask.type = "text/plain";
    send(g, o, &ask);
}

static void send_large(struct run *g, struct operation *o)
{
    char *body = must_alloc(g, LARGE_BYTES);
    struct ask ask = {.method = o->method,
                      .path = path_with(g, o, -1, "", ""),
                      .body = {body, LARGE_BYTES}};

    memset(body, ' ', LARGE_BYTES);
    send(g, o, &ask);
}

/* ---- Other methods ------------------------------------------------------ */

/* A word in a path may be another path's parameter. */
static bool has_route(const char *path, size_t method)
{
    static const enum method methods[] = {METHOD_GET, METHOD_POST, METHOD_PUT,
                                          METHOD_PATCH, METHOD_DELETE};
    struct str params[HTTP_PARAMS_MAX];
    unsigned allowed;

    return route_find(api_routes, api_routes_n, methods[method], str_c(path),
                      params, &allowed) != NULL;
}

static void vary_method(struct run *g, const struct operation *o)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH",
                                          "DELETE"};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        struct ask ask = {.method = methods[i],
                          .path = path_with(g, o, -1, "", "")};
        char key[16] = "";

        for (size_t n = 0; methods[i][n]; n++)
            key[n] = (char)tolower(methods[i][n]);
        if (json_get(o->path, str_c(key)) || has_route(ask.path, i))
            continue;
        struct answer_to a = site_ask(&g->site, &ask);
        CHECK_INT(a.status, 405);
        CHECK(memmem(a.headers.p, a.headers.n, "\r\nAllow: ", 9) != NULL);
        g->asked++;
    }
}

/* ---- At random ---------------------------------------------------------- */

/* Xorshift: the same requests in every run. */
static size_t draw(struct run *g, size_t n)
{
    g->random ^= g->random << 13;
    g->random ^= g->random >> 7;
    g->random ^= g->random << 17;
    return (size_t)(g->random % n);
}

/* Up to three changes, one upon the other. */
static struct str shake(struct run *g, struct str body)
{
    for (size_t n = draw(g, 3) + 1; n; n--) {
        AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
        struct json *v = NULL;

        if (json_read(&g->site.arena, body, &v, NULL) != FOOTNOTE_OK)
            break;
        struct edit e = {.change = (enum change)draw(g, 3),
                         .at = draw(g, edit_count(v)),
                         .with = str_c(edit_values[draw(g, edit_values_n)])};
        if (e.change == ADD_MEMBER)
            e.with = arena_printf(&g->site.arena, "\"more%zu\":%.*s", n,
                                  STR_ARG(e.with));
        edit_write(&b, v, &e);
        body = arena_str(&g->site.arena, buf_str(&b));
    }
    return body;
}

static void shake_all(struct run *g, struct operation *o)
{
    struct str body = example_body(g, o);
    struct ask ask = {.method = o->method, .path = path_with(g, o, -1, "", "")};
    unsigned randoms = test_count(RANDOM_N, RANDOM_SOAK);

    for (size_t i = 0; body.p && i < randoms; i++) {
        ask.body = shake(g, body);
        send(g, o, &ask);
    }
}

/* ---- All of them -------------------------------------------------------- */

static void seed(struct run *g, const char *path, const char *body)
{
    struct ask ask = {.method = "POST", .path = path, .body = str_c(body)};
    struct answer_to a = site_ask(&g->site, &ask);

    if (a.status != 201)
        FAIL("%s: %d %.*s", path, a.status, STR_ARG(a.body));
}

/* Documents for the calls that give their bytes. */
static void seed_documents(struct run *g)
{
    AUTO(buf_free) struct buf pdf = BUF(TEXT_BYTES_MAX);
    FILE *f = fopen("tests/ingest/files/slides.pdf", "rb");
    struct ask ask = {.method = "POST", .type = "application/octet-stream"};
    const struct upload_part lecture[] = {{"id", NULL, "lecture-4"},
                                          {"file", "l.vtt", LECTURE},
                                          {"media", "l.mp3", "ID3"},
                                          {NULL, NULL, NULL}};

    CHECK(f != NULL);
    for (int c = getc(f); c != EOF; c = getc(f))
        buf_add_c(&pdf, (char)c);
    fclose(f);
    ask.path = "/api/courses/thermo-4/documents?filename=a.pdf&id=slides-4";
    ask.body = buf_str(&pdf);
    talk_ask(&g->site, 202, &ask);
    ask.path = "/api/courses/thermo-4/documents?filename=a.txt&id=notes-4";
    ask.body = STR("Heat flows.");
    talk_ask(&g->site, 202, &ask);
    upload_to(&g->site, NULL, 202, "POST", "/api/courses/thermo-4/documents",
              lecture);
}

static void begin(struct run *g)
{
    site_open(&g->site);
    g->random = 88172645463325252U;
    g->huge = must_alloc(g, HUGE_BYTES + 1);
    memset(g->huge, 'a', HUGE_BYTES);
    g->document = site_json(&g->site, site_get(&g->site, "/openapi.json").body);
    seed(g, "/api/courses", "{\"id\":\"thermo-4\",\"title\":\"T\"}");
    seed(g, "/api/sessions/s-entropy/messages",
         "{\"id\":\"q-1\",\"role\":\"user\",\"content\":\"What is entropy?\"}");
    seed(g, "/api/sessions/s-running/messages",
         "{\"id\":\"a-2\",\"role\":\"assistant\",\"status\":\"streaming\"}");
    seed_documents(g);
}

/* An example that cannot be true: a key is made for it. */
static void sign_in(struct run *g, struct operation *o)
{
    struct str key = site_key(&g->site);
    struct ask ask = {.method = "POST", .path = "/api/login"};

    ask.body = arena_printf(&g->site.arena, "{\"key\":\"%.*s\"}", STR_ARG(key));
    CHECK_INT(send(g, o, &ask), 200);
}

/* Another: names of the app's files change with their content. */
static void load_script(struct run *g, struct operation *o)
{
    for (size_t i = 0; i < asset_files_n; i++) {
        struct str name = str_c(asset_files[i].name);

        if (name.n > 3 && str_eq(str_skip(name, name.n - 3), STR(".js"))) {
            send_path(g, o,
                      arena_printf(&g->site.arena, "/assets/%s", name.p).p,
                      NULL);
            return;
        }
    }
    FAIL("the app has no script");
}

/* The other one: a link is made for it. */
static void follow_link(struct run *g, struct operation *o)
{
    struct ask ask = {.method = "GET"};
    const struct json *v;

    talk(&g->site, 201, "POST", "/api/courses/thermo-4/snapshots",
         "{'slideId':'slides-4','pageNumber':2}");
    seed(g, "/api/sessions/s-page/messages",
         "{\"role\":\"assistant\",\"content\":\"[^Page]\",\"imageSource\":"
         "{\"s3key\":\"snapshots/slides-4/page-2.png\"}}");
    v = talk(&g->site, 200, "GET", "/api/sessions/s-page/images", NULL);
    v = json_get(v, STR("images"))->first;
    ask.path = arena_str(&g->site.arena, json_text(v, STR("url"))).p;
    CHECK_INT(send(g, o, &ask), 200);
}

/* The document of the examples has gone with its course by then. */
static void remove_versions(struct run *g, struct operation *o)
{
    struct ask ask = {.method = "DELETE",
                      .path = "/api/documents/text-5/versions"};

    talk(&g->site, 201, "POST", "/api/courses", "{'id':'c-5','title':'Five'}");
    talk(&g->site, 202, "POST", "/api/courses/c-5/documents",
         "{'kind':'text','id':'text-5','title':'Five','text':'Five.'}");
    CHECK_INT(send(g, o, &ask), 200);
}

static void vary(struct run *g, struct operation *o)
{
    struct str body = example_body(g, o);
    bool gone = strcmp(o->method, "DELETE") == 0;

    if (body.p && str_eq(o->path->key, STR("/api/login")))
        sign_in(g, o);
    if (str_eq(o->path->key, STR("/assets/{name}")))
        load_script(g, o);
    if (str_eq(o->path->key, STR("/api/objects/{key}")))
        follow_link(g, o);
    if (str_eq(o->path->key, STR("/api/documents/{id}/versions")))
        remove_versions(g, o);
    if (!gone)
        send_path(g, o, path_with(g, o, -1, "", ""), NULL);
    vary_path(g, o);
    vary_parameters(g, o);
    vary_method(g, o);
    if (body.p) {
        vary_values(g, o, site_json(&g->site, body));
        vary_bytes(g, o);
        send_large(g, o);
        shake_all(g, o);
    }
    if (gone)
        send_path(g, o, path_with(g, o, -1, "", ""), NULL);
    /* No provider is there to sign in at, and a link is told once:
     * tests/clients/oidc.sh and links_test.c. */
    if (o->accepted == 0 && !str_starts(o->path->key, STR("/api/oidc/")) &&
        !str_starts(o->path->key, STR("/s/{token}")))
        FAIL("%s %.*s never worked", o->method, STR_ARG(o->path->key));
}

/* Those that delete come last, the others in the document's order, which has
 * the makers before the readers where that matters. */
static void vary_all(struct run *g, bool deletes)
{
    for (const struct json *path = json_get(g->document, STR("paths"))->first;
         path; path = path->next)
        for (const struct json *op = path->first; op; op = op->next) {
            struct operation o = {.path = path, .op = op};

            for (size_t i = 0; i < op->key.n; i++)
                o.method[i] = (char)toupper(op->key.p[i]);
            if ((strcmp(o.method, "DELETE") == 0) == deletes)
                vary(g, &o);
        }
}

CONTRACT_LIMIT(generated_requests_get_declared_answers, 300)
{
    struct run g = {.document = NULL};

    begin(&g);
    vary_all(&g, false);
    vary_all(&g, true);
    printf("%zu requests, %zu of them accepted\n", g.asked, g.accepted);
    CHECK(g.asked > 1000 && g.accepted > 100);
    site_close(&g.site);
}
