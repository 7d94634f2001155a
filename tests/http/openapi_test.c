/* openapi_test.c - the document says what the table of routes has: all of it
 * and nothing else, and its examples are what its schemas say. */
#include "contract.h"
#include "http/call/services.h"
#include "http/ops/embed.h"
#include "http/ops/openapi.h"
#include "json_schema.h"
#include "store/document/reason.h"

enum {
    ARENA_BYTES = 64 * 1024 * 1024,
    TEXT_BYTES_MAX = 16 * 1024 * 1024,
    PAGE_BYTES_MAX = 1024 * 1024
};

struct world {
    struct arena arena;
    struct buf text;
    struct json *document;
};

static struct json *read_document(struct world *w)
{
    struct footnote_err err;

    w->arena = ARENA(ARENA_BYTES);
    w->text = BUF(TEXT_BYTES_MAX);
    CHECK_OK(openapi_write(&w->arena, &w->text, &err), &err);
    CHECK_OK(json_read(&w->arena, buf_str(&w->text), &w->document, &err), &err);
    return w->document;
}

static void world_free(struct world *w)
{
    buf_free(&w->text);
    arena_free(&w->arena);
}

static const struct json *must(const struct json *o, struct str key,
                               const char *what)
{
    const struct json *v = json_get(o, key);

    if (!v)
        FAIL("%s has no %.*s", what, STR_ARG(key));
    return v;
}

static const struct json *operation(const struct json *doc,
                                    const struct route *r)
{
    char method[16];
    size_t n = strlen(method_name(r->method));

    for (size_t i = 0; i <= n; i++)
        method[i] = (char)(method_name(r->method)[i] | 0x20);
    return must(must(must(doc, STR("paths"), "the document"), str_c(r->pattern),
                     "paths"),
                (struct str){method, n}, r->pattern);
}

/* ---- Routes and operations ---------------------------------------------- */

TEST(openapi_has_every_route_with_its_name_and_summary)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);

    for (size_t i = 0; i < api_routes_n; i++) {
        const struct route *r = &api_routes[i];
        const struct json *op = operation(doc, r);

        CHECK_TEXT(must(op, STR("operationId"), r->pattern)->s, str_c(r->name));
        CHECK_TEXT(must(op, STR("summary"), r->name)->s, str_c(r->doc));
        CHECK(must(op, STR("tags"), r->name)->n == 1);
    }
}

TEST(openapi_has_nothing_without_a_route)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);
    size_t n = 0;

    for (const struct json *p = json_get(doc, STR("paths"))->first; p;
         p = p->next)
        n += p->n;
    CHECK_INT(n, api_routes_n);
}

TEST(openapi_names_of_operations_differ)
{
    for (size_t i = 0; i < api_routes_n; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(api_routes[i].name, api_routes[j].name) == 0)
                FAIL("%s is there twice", api_routes[i].name);
}

static bool is_route(struct str name)
{
    for (size_t i = 0; i < api_routes_n; i++)
        if (str_eq(str_c(api_routes[i].name), name))
            return true;
    return false;
}

/* What is said of an operation that is not there would never be seen. */
TEST(openapi_files_speak_of_routes_only)
{
    AUTO(world_free) struct world w = {.arena = ARENA(ARENA_BYTES)};
    struct footnote_err err;

    for (size_t i = 0; i < openapi_files_n; i++) {
        const char *name = openapi_files[i].name;
        struct json *file;

        if (strcmp(name, "document.json") == 0 ||
            strcmp(name, "schemas.json") == 0)
            continue;
        CHECK_OK(json_read(&w.arena, embed_str(&openapi_files[i]), &file, &err),
                 &err);
        for (const struct json *v = file->first; v; v = v->next)
            if (!is_route(v->key))
                FAIL("%s: no route is called %.*s", name, STR_ARG(v->key));
    }
}

/* ---- Parameters --------------------------------------------------------- */

static bool has_parameter(const struct json *doc, const struct json *list,
                          struct str name)
{
    for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
        const struct json *v = openapi_resolve(doc, p);

        if (str_eq(json_get(v, STR("in"))->s, STR("path")) &&
            str_eq(json_get(v, STR("name"))->s, name))
            return true;
    }
    return false;
}

TEST(openapi_has_the_parameters_of_every_path)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);

    for (size_t i = 0; i < api_routes_n; i++) {
        const char *at = api_routes[i].pattern;
        const struct json *list =
            json_get(operation(doc, &api_routes[i]), STR("parameters"));

        while ((at = strchr(at, '{')) != NULL) {
            struct str name = {at + 1, strcspn(at + 1, "}")};

            if (!has_parameter(doc, list, name))
                FAIL("%s does not describe %.*s", api_routes[i].name,
                     STR_ARG(name));
            at++;
        }
    }
}

static void check_value(const struct json *doc, const struct json *holder,
                        const char *what)
{
    const struct json *example = json_get(holder, STR("example"));
    char why[SCHEMA_WHY] = "";

    if (example &&
        !schema_holds(doc, must(holder, STR("schema"), what), example, why))
        FAIL("%s: the example: %s", what, why);
}

TEST(openapi_parameters_have_words_schemas_and_examples_that_hold)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);

    for (size_t i = 0; i < api_routes_n; i++) {
        const char *name = api_routes[i].name;
        const struct json *list =
            json_get(operation(doc, &api_routes[i]), STR("parameters"));

        for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
            const struct json *v = openapi_resolve(doc, p);

            CHECK(v != NULL);
            CHECK(must(v, STR("description"), name)->s.n > 0);
            must(v, STR("schema"), name);
            check_value(doc, v, name);
        }
    }
}

/* ---- Bodies ------------------------------------------------------------- */

static void check_content(const struct json *doc, const struct json *holder,
                          const char *what)
{
    const struct json *content = must(holder, STR("content"), what);
    const struct json *format =
        json_get(must(content->first, STR("schema"), what), STR("format"));

    if (format && str_eq(format->s, STR("binary")))
        return; /* a file shows itself */
    must(content->first, STR("example"), what);
    check_value(doc, content->first, what);
    for (const struct json *v = content->first->next; v; v = v->next)
        must(v, STR("schema"), what);
}

TEST(openapi_bodies_of_requests_are_described_where_there_is_one)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);

    for (size_t i = 0; i < api_routes_n; i++) {
        const struct json *body =
            json_get(operation(doc, &api_routes[i]), STR("requestBody"));

        if ((body != NULL) != (api_routes[i].body_bytes_max > 0))
            FAIL("%s: the table and the document differ about a body",
                 api_routes[i].name);
        if (body)
            check_content(doc, body, api_routes[i].name);
    }
}

static void check_response(const struct json *doc, const char *name,
                           const struct json *response)
{
    const struct json *v = openapi_resolve(doc, response);
    bool empty = str_eq(response->key, STR("204")) ||
                 str_eq(response->key, STR("303")) ||
                 str_eq(response->key, STR("304"));

    if (!v)
        FAIL("%s: %.*s leads nowhere", name, STR_ARG(response->key));
    CHECK(must(v, STR("description"), name)->s.n > 0);
    if (empty)
        CHECK(!json_get(v, STR("content")));
    else
        check_content(doc, v, name);
}

TEST(openapi_answers_have_words_schemas_and_examples_that_hold)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *doc = read_document(&w);

    for (size_t i = 0; i < api_routes_n; i++) {
        const char *name = api_routes[i].name;
        const struct json *list =
            must(operation(doc, &api_routes[i]), STR("responses"), name);

        CHECK(list->first &&
              (list->first->key.p[0] == '2' || list->first->key.p[0] == '3'));
        for (const struct json *v = list->first; v; v = v->next)
            check_response(doc, name, v);
    }
}

/* ---- docs/api.md -------------------------------------------------------- */

/* Calls have headings of their own: ### `GET /path` */
static size_t count_headings(struct str text, struct str heading)
{
    size_t n = 0;

    for (size_t i = 0; i + heading.n <= text.n; i++)
        n += memcmp(text.p + i, heading.p, heading.n) == 0;
    return n;
}

TEST(openapi_has_every_reason_why_a_document_is_not_read)
{
    AUTO(world_free) struct world w = {.document = NULL};
    const struct json *o = read_document(&w);

    for (const char *const *key =
             (const char *const[]){"components", "schemas", "Document",
                                   "properties", "errorCode", "enum", NULL};
         *key; key++)
        o = must(o, str_c(*key), "the document");
    CHECK_INT(o->n, REASONS_N + 1); /* and null */
    o = o->first;
    for (enum read_reason r = 0; r < REASONS_N; r++, o = o->next)
        CHECK_TEXT(o->s, str_c(reason_code(r)));
    CHECK_INT(o->type, JSON_NULL);
}

TEST(openapi_and_the_page_for_people_have_the_same_calls)
{
    AUTO(world_free) struct world w = {.document = NULL};
    FILE *f = fopen("docs/api.md", "rb");
    struct str text, all = STR("\n### `");

    CHECK(f != NULL);
    w.arena = ARENA(ARENA_BYTES);
    char *bytes = arena_alloc(&w.arena, PAGE_BYTES_MAX);
    CHECK(bytes != NULL);
    text = (struct str){bytes, fread(bytes, 1, PAGE_BYTES_MAX - 1, f)};
    fclose(f);
    for (size_t i = 0; i < api_routes_n; i++) {
        struct str heading = arena_printf(&w.arena, "\n### `%s %s`\n",
                                          method_name(api_routes[i].method),
                                          api_routes[i].pattern);

        if (count_headings(text, heading) != 1)
            FAIL("docs/api.md does not have%.*s", STR_ARG(heading));
    }
    CHECK_INT(count_headings(text, all), api_routes_n);
}
