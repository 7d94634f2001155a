/* talk.c - asking a site for JSON. */
#include "talk.h"

#include <stdlib.h>
#include <strings.h>

static struct answer_to last;

static struct str swapped(struct site *s, struct str text, char from, char to)
{
    struct str out = arena_str(&s->arena, text);
    char *p;

    memcpy(&p, &out.p, sizeof(p));
    for (size_t i = 0; i < out.n; i++)
        if (p[i] == from)
            p[i] = to;
    return out;
}

struct answer_to talk_ask(struct site *s, int status, const struct ask *ask)
{
    last = site_ask(s, ask);
    if (last.status != status)
        FAIL("%s %.200s: %d, not %d: %.*s", ask->method, ask->path, last.status,
             status, STR_ARG(last.body));
    return last;
}

struct json *talk_with(struct site *s, const char *header, int status,
                       const char *method, const char *path, const char *body)
{
    struct ask ask = {.method = method, .path = path, .header = header};

    if (body)
        ask.body = swapped(s, str_c(body), '\'', '"');
    talk_ask(s, status, &ask);
    return last.body.n ? site_json(s, last.body) : NULL;
}

struct json *talk(struct site *s, int status, const char *method,
                  const char *path, const char *body)
{
    return talk_with(s, NULL, status, method, path, body);
}

void talk_refused(struct site *s, int status, const char *code,
                  const char *where, const char *method, const char *path,
                  const char *body)
{
    struct json *v = talk(s, status, method, path, body);

    CHECK_STR(json_at(s, v, "code"), arena_printf(&s->arena, "'%s'", code).p);
    CHECK(json_get(v, STR("error")) != NULL);
    CHECK(json_get(v, STR("requestId")) != NULL);
    if (where)
        CHECK_STR(json_at(s, v, "where"),
                  arena_printf(&s->arena, "'%s'", where).p);
}

const char *talk_as_ada(struct site *s)
{
    return arena_printf(&s->arena, "Authorization: Bearer %.*s",
                        STR_ARG(site_key(s)))
        .p;
}

struct str talk_header(const char *name)
{
    size_t n = strlen(name);

    for (const char *p = last.headers.p; p && *p; p++)
        if (p[0] == '\n' && strncasecmp(p + 1, name, n) == 0 &&
            p[n + 1] == ':' && p[n + 2] == ' ')
            return (struct str){p + n + 3, strcspn(p + n + 3, "\r\n")};
    return STR_NONE;
}

static const struct json *step(const struct json *v, struct str name)
{
    int64_t index;

    if (!v || v->type != JSON_ARRAY)
        return json_get(v, name);
    if (!str_i64(name, &index))
        return NULL;
    for (v = v->first; v && index > 0; v = v->next)
        index--;
    return v;
}

static const struct json *walk(const struct json *v, struct str path)
{
    while (v && path.n) {
        size_t end = str_find(path, '.');

        v = step(v, (struct str){path.p, end});
        path = str_skip(path, end < path.n ? end + 1 : end);
    }
    return v;
}

const char *json_at(struct site *s, const struct json *v, const char *path)
{
    v = walk(v, str_c(path));
    return v ? swapped(s, v->raw, '"', '\'').p : "absent";
}

const char *json_each(struct site *s, const struct json *v, const char *list,
                      const char *member)
{
    struct str out = STR("");

    v = walk(v, str_c(list));
    for (v = v ? v->first : NULL; v; v = v->next)
        out = arena_printf(&s->arena, "%.*s%s%s", STR_ARG(out),
                           out.n ? " " : "", json_at(s, v, member));
    return out.p;
}
