/* openapi.c - the document, from the table of routes and the files beside it.
 *
 * The files are ours: broken JSON is a bug, which the tests find. */
#include "http/ops/openapi.h"

#include <assert.h>
#include <stdio.h>

#include "http/call/services.h"
#include "http/ops/embed.h"

struct openapi_writer {
    struct json_out out;
    const struct json **files; /* one per embedded file */
};

/* ---- Files -------------------------------------------------------------- */

static enum footnote_rc read_files(struct arena *a, struct openapi_writer *w,
                                   struct footnote_err *err)
{
    w->files = arena_many(a, openapi_files_n, const struct json *);
    if (!w->files)
        return arena_rc(a, err);
    for (size_t i = 0; i < openapi_files_n; i++) {
        struct json *v;
        enum footnote_rc rc =
            json_read(a, embed_str(&openapi_files[i]), &v, err);

        assert(rc == FOOTNOTE_OK || rc == FOOTNOTE_NOMEM);
        TRY(rc);
        w->files[i] = v;
    }
    return FOOTNOTE_OK;
}

static const struct json *find_file(const struct openapi_writer *w,
                                    struct str name)
{
    for (size_t i = 0; i < openapi_files_n; i++)
        if (str_eq(str_c(openapi_files[i].name), name))
            return w->files[i];
    return NULL;
}

static const struct json *find_details(const struct openapi_writer *w,
                                       const struct route *r)
{
    for (size_t i = 0; i < openapi_files_n; i++) {
        struct str name = str_c(openapi_files[i].name);
        const struct json *found = json_get(w->files[i], str_c(r->name));

        if (found && !str_eq(name, STR("document.json")) &&
            !str_eq(name, STR("schemas.json")))
            return found;
    }
    return NULL;
}

/* ---- Operations --------------------------------------------------------- */

/* Statuses that a request can get whatever its handler is. */
static const char *const common[] = {"400", "401", "403", "413", "415", "421",
                                     "429", "431", "500", "503", "507"};
enum { COMMON = sizeof(common) / sizeof(common[0]) };

static bool can_answer(const struct route *r, int status)
{
    switch (status) {
    case 401:
    case 429: return r->access != ACCESS_PUBLIC;
    case 403: return r->access == ACCESS_ADMIN || r->method != METHOD_GET;
    case 415:
    case 507: return r->body_bytes_max > 0;
    default: return true;
    }
}

static void copy_member(struct json_out *out, const struct json *member)
{
    json_key(out, member->key);
    json_raw(out, member->raw);
}

static void write_common(struct openapi_writer *w, const struct route *r,
                         const char *status)
{
    /* Below /v1 errors have OpenAI's shape. */
    bool openai = str_starts(str_c(r->pattern), STR("/v1/"));
    char ref[64];

    snprintf(ref, sizeof(ref), "#/components/responses/%c%s",
             openai ? 'O' : 'E', status);
    json_object(&w->out);
    json_key(&w->out, STR("$ref"));
    json_str(&w->out, str_c(ref));
    json_end(&w->out, '}');
}

bool openapi_is_common(struct str status)
{
    for (size_t i = 0; i < COMMON; i++)
        if (str_eq(str_c(common[i]), status))
            return true;
    return false;
}

static void write_responses(struct openapi_writer *w, const struct route *r,
                            const struct json *responses)
{
    json_key(&w->out, STR("responses"));
    json_object(&w->out);
    for (const struct json *v = responses ? responses->first : NULL; v;
         v = v->next)
        copy_member(&w->out, v);
    for (size_t i = 0; i < COMMON; i++) {
        int64_t status;

        if (!str_i64(str_c(common[i]), &status) ||
            !can_answer(r, (int)status) ||
            json_get(responses, str_c(common[i])))
            continue;
        json_key(&w->out, str_c(common[i]));
        write_common(w, r, common[i]);
    }
    json_end(&w->out, '}');
}

static void write_operation(struct openapi_writer *w, const struct route *r)
{
    static const char *const keys[METHODS] = {
        "get", "post", "put", "patch", "delete", "options", "head"};
    const struct json *d = find_details(w, r);

    json_key(&w->out, str_c(keys[r->method]));
    json_object(&w->out);
    json_key(&w->out, STR("operationId"));
    json_str(&w->out, str_c(r->name));
    json_key(&w->out, STR("summary"));
    json_str(&w->out, str_c(r->doc));
    if (r->access == ACCESS_PUBLIC) {
        json_key(&w->out, STR("security"));
        json_raw(&w->out, STR("[]"));
    }
    for (const struct json *v = d ? d->first : NULL; v; v = v->next)
        if (!str_eq(v->key, STR("responses")))
            copy_member(&w->out, v);
    write_responses(w, r, json_get(d, STR("responses")));
    json_end(&w->out, '}');
}

/* A path stands where its first row does, with all of its methods. */
static bool is_first(size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (str_eq(str_c(api_routes[i].pattern),
                   str_c(api_routes[row].pattern)))
            return false;
    return true;
}

static void write_paths(struct openapi_writer *w)
{
    json_key(&w->out, STR("paths"));
    json_object(&w->out);
    for (size_t i = 0; i < api_routes_n; i++) {
        if (!is_first(i))
            continue;
        json_key(&w->out, str_c(api_routes[i].pattern));
        json_object(&w->out);
        for (size_t j = i; j < api_routes_n; j++)
            if (str_eq(str_c(api_routes[j].pattern),
                       str_c(api_routes[i].pattern)))
                write_operation(w, &api_routes[j]);
        json_end(&w->out, '}');
    }
    json_end(&w->out, '}');
}

/* ---- The document ------------------------------------------------------- */

enum footnote_rc openapi_write(struct arena *a, struct buf *b,
                               struct footnote_err *err)
{
    struct openapi_writer w = {.out = JSON_OUT(b)};
    const struct json *document;

    TRY(read_files(a, &w, err));
    document = find_file(&w, STR("document.json"));
    assert(document);
    json_object(&w.out);
    for (const struct json *v = document->first; v; v = v->next) {
        if (!str_eq(v->key, STR("components"))) {
            copy_member(&w.out, v);
            continue;
        }
        json_key(&w.out, v->key);
        json_object(&w.out);
        for (const struct json *c = v->first; c; c = c->next)
            copy_member(&w.out, c);
        json_key(&w.out, STR("schemas"));
        json_raw(&w.out, find_file(&w, STR("schemas.json"))->raw);
        json_end(&w.out, '}');
    }
    write_paths(&w);
    json_end(&w.out, '}');
    return buf_rc(b, err);
}

const struct json *openapi_resolve(const struct json *document,
                                   const struct json *v)
{
    const struct json *ref = json_get(v, STR("$ref"));
    struct str path;

    if (!ref || ref->type != JSON_STR || !str_starts(ref->s, STR("#/")))
        return v;
    path = str_skip(ref->s, 2);
    v = document;
    while (v && path.n) {
        size_t end = str_find(path, '/');

        v = json_get(v, (struct str){path.p, end});
        path = str_skip(path, end < path.n ? end + 1 : end);
    }
    return v;
}
