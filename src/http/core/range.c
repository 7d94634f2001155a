/* range.c - parts of a body.
 *
 * One range is served; a list of them is answered with the whole, which is
 * allowed, and leaves no way to make one request cost many bodies. */
#include "http/core/range.h"
#include "http/core/http.h"

/* Digits alone; more than fit count as "beyond any end". */
static bool number(struct str s, uint64_t *out)
{
    uint64_t v = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        v = v > (UINT64_MAX - 9) / 10 ? UINT64_MAX
                                      : v * 10 + (uint64_t)(s.p[i] - '0');
    }
    *out = v;
    return s.n > 0;
}

static enum range_kind last_bytes(struct str count, uint64_t bytes,
                                  struct range *out)
{
    uint64_t n;

    if (!number(count, &n))
        return RANGE_ALL;
    if (n == 0 || bytes == 0)
        return RANGE_OUTSIDE;
    out->n = n < bytes ? n : bytes;
    out->from = bytes - out->n;
    return RANGE_PART;
}

enum range_kind range_read(struct str value, uint64_t bytes, struct range *out)
{
    struct str unit = STR("bytes="), spec, first, last;
    uint64_t a, b = UINT64_MAX;
    size_t dash;

    if (!value.p || !str_starts(value, unit))
        return RANGE_ALL;
    spec = str_skip(value, unit.n);
    dash = str_find(spec, '-');
    if (dash == spec.n)
        return RANGE_ALL;
    first = (struct str){spec.p, dash};
    last = str_skip(spec, dash + 1);
    if (first.n == 0)
        return last_bytes(last, bytes, out);
    if (!number(first, &a) || (last.n && !number(last, &b)) || b < a)
        return RANGE_ALL;
    if (a >= bytes)
        return RANGE_OUTSIDE;
    out->from = a;
    out->n = (b < bytes ? b + 1 : bytes) - a;
    return RANGE_PART;
}

bool range_holds(struct str if_range, struct str etag)
{
    return !if_range.p ||
           (etag.n && etag.p[0] == '"' && str_eq(if_range, etag));
}

/* ---- As an answer ------------------------------------------------------- */

static struct str take_tag(struct str *list)
{
    struct str tag;
    size_t end;

    while (list->n && strchr(" \t,", *list->p))
        *list = str_skip(*list, 1);
    end = str_find(*list, ',');
    tag = (struct str){list->p, end};
    *list = str_skip(*list, end);
    while (tag.n && (tag.p[tag.n - 1] == ' ' || tag.p[tag.n - 1] == '\t'))
        tag.n--;
    /* Whether it is weak does not matter here. */
    return str_starts(tag, STR("W/")) ? str_skip(tag, 2) : tag;
}

/* Our tags have no comma inside, so those that have are not ours. */
bool request_has(const struct request *r, struct str etag)
{
    struct str list = request_header(r, STR("if-none-match"));

    if (!list.p)
        return false;
    if (str_eq(list, STR("*")))
        return true;
    while (list.n)
        if (str_eq(take_tag(&list), etag))
            return true;
    return false;
}

static void outside(struct request *r, uint64_t bytes)
{
    reply_header(
        r, STR("Content-Range"),
        arena_printf(&r->arena, "bytes */%llu", (unsigned long long)bytes));
    reply_problem(r, &(struct problem){.status = 416,
                                       .code = STR("range"),
                                       .text = STR("Nothing is there")});
}

static void say_part(struct request *r, struct range part, uint64_t bytes)
{
    reply_header(r, STR("Content-Range"),
                 arena_printf(&r->arena, "bytes %llu-%llu/%llu",
                              (unsigned long long)part.from,
                              (unsigned long long)(part.from + part.n - 1),
                              (unsigned long long)bytes));
}

int range_plan(struct request *r, uint64_t bytes, struct str etag,
               struct range *part)
{
    struct str wish = range_holds(request_header(r, STR("if-range")), etag)
                          ? request_header(r, STR("range"))
                          : STR_NONE;

    *part = (struct range){0, bytes};
    r->reply.plain = true; /* offsets are those of the bytes as they are */
    reply_header(r, STR("Accept-Ranges"), STR("bytes"));
    if (etag.p)
        reply_header(r, STR("ETag"), etag);
    if (request_has(r, etag)) {
        reply_empty(r, 304);
        return 0;
    }
    switch (range_read(wish, bytes, part)) {
    case RANGE_ALL: return 200;
    case RANGE_OUTSIDE: outside(r, bytes); return 0;
    case RANGE_PART: break;
    }
    say_part(r, *part, bytes);
    return 206;
}

void reply_range(struct request *r, struct str type, struct str body,
                 struct str etag)
{
    struct range part;
    int status = range_plan(r, body.n, etag, &part);

    if (status)
        reply_text(r, status, type,
                   (struct str){body.p + part.from, (size_t)part.n});
}
