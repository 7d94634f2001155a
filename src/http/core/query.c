/* query.c - parameters and bodies of a request. */
#include "base/utf8.h"
#include "http/core/loop.h"
#include "http/core/text.h"

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool text_decode(struct arena *a, struct str s, bool plus, struct str *out)
{
    char *p = arena_alloc(a, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; p && i < s.n; i++) {
        if (s.p[i] == '%') {
            int high = i + 2 < s.n ? hex(s.p[i + 1]) : -1;
            int low = i + 2 < s.n ? hex(s.p[i + 2]) : -1;

            if (high < 0 || low < 0)
                return false;
            p[n++] = (char)(high * 16 + low);
            i += 2;
        } else {
            p[n] = s.p[i];
            if (plus && p[n] == '+')
                p[n] = ' ';
            n++;
        }
    }
    *out = (struct str){p, p ? n : 0};
    return p && str_find(*out, '\0') == n && utf8_valid(*out);
}

bool text_is_name(struct str camel, struct str given)
{
    size_t n = 0;

    for (size_t i = 0; i < camel.n; i++) {
        char c = camel.p[i];

        if (c >= 'A' && c <= 'Z' && n < given.n && given.p[n] == '_') {
            c |= 0x20;
            n++;
        }
        if (n == given.n || given.p[n++] != c)
            return false;
    }
    return n == given.n;
}

bool request_query_next(struct request *r, struct str name, struct str *rest,
                        struct str *out)
{
    while (rest->n) {
        size_t end = str_find(*rest, '&');
        struct str pair = {rest->p, end};
        size_t eq = str_find(pair, '=');

        *rest = str_skip(*rest, end < rest->n ? end + 1 : end);
        if (!text_is_name(name, (struct str){pair.p, eq}))
            continue;
        if (!text_decode(&r->arena, str_skip(pair, eq < pair.n ? eq + 1 : eq),
                         true, out))
            *out = STR_NONE;
        return true;
    }
    return false;
}

struct str request_query(struct request *r, struct str name)
{
    struct str rest = r->query, out;

    return request_query_next(r, name, &rest, &out) ? out : STR_NONE;
}

bool request_limit(struct request *r, size_t preset, size_t max, size_t *out)
{
    struct str s = request_query(r, STR("limit"));
    int64_t v;

    *out = preset;
    if (!s.p)
        return true;
    if (!str_i64(s, &v) || v < 1 || (uint64_t)v > max) {
        reply_invalid(r, STR_NONE, "limit is 1 to %zu", max);
        return false;
    }
    *out = (size_t)v;
    return true;
}

struct str request_type(struct request *r)
{
    struct str given = request_header(r, STR("content-type"));
    size_t n = str_find(given, ';');
    char *p;

    while (n && (given.p[n - 1] == ' ' || given.p[n - 1] == '\t'))
        n--;
    p = given.p ? arena_alloc(&r->arena, n + 1) : NULL;
    for (size_t i = 0; p && i < n; i++)
        p[i] = (char)(given.p[i] >= 'A' && given.p[i] <= 'Z' ? given.p[i] | 0x20
                                                             : given.p[i]);
    return (struct str){p, p ? n : 0};
}

static bool is_json(struct str type)
{
    struct str json = STR("application/json");

    return str_starts(type, json) &&
           (type.n == json.n || type.p[json.n] == ';' || type.p[json.n] == ' ');
}

static bool tree_may_grow(struct arena *a, size_t bytes)
{
    struct request *r =
        (struct request *)((char *)a - offsetof(struct request, tree));

    r->over_budget = budget_take(r, bytes);
    return r->over_budget == 0;
}

/* A request that a test made by hand has no server. */
void request_read_json(struct request *r)
{
    struct footnote_err err = {.text = ""};

    r->json_done = true;
    r->tree = ARENA(REQUEST_ARENA_BYTES);
    r->tree.may_grow = r->server ? tree_may_grow : NULL;
    r->json_rc = json_read(&r->tree, r->body, &r->json, &err);
    if (r->json_rc != FOOTNOTE_OK)
        r->json_error = arena_str(&r->arena, str_c(err.text));
}

static void refuse_json(struct request *r)
{
    struct problem p = {.status = 400,
                        .code = STR("bad_json"),
                        .text = r->json ? STR("The body must be an object")
                                        : r->json_error};

    if (r->over_budget)
        p = problem_of_status(r->over_budget);
    else if (r->json_rc == FOOTNOTE_NOMEM)
        p = problem_of_status(503);
    reply_problem(r, &p);
}

/* A page of another site can send a body without a type, and nobody else has a
 * reason to. */
struct json *request_json(struct request *r)
{
    if (r->body.n && !is_json(request_header(r, STR("content-type")))) {
        reply_problem(r, &(struct problem){.status = 415,
                                           .code = STR("unsupported_type"),
                                           .text = STR("The body must be "
                                                       "application/json"),
                                           .hint = STR("Send Content-Type: "
                                                       "application/json")});
        return NULL;
    }
    if (!r->json_done)
        request_read_json(r);
    if (r->json && r->json->type == JSON_OBJECT)
        return r->json;
    refuse_json(r);
    return NULL;
}
