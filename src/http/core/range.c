/* range.c - parts of a body.
 *
 * One range is served; a list of them is answered with the whole, which is
 * allowed, and leaves no way to make one request cost many bodies. */
#include "http/core/range.h"

#include "http/core/http.h"
#include <assert.h>

/* Digits alone; a number that does not fit is beyond any end. */
static bool read_number(struct str s, uint64_t *out)
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

static enum range_kind read_suffix(struct str count, uint64_t bytes,
                                   struct byte_range *out)
{
    uint64_t n;

    if (!read_number(count, &n))
        return RANGE_ALL;
    if (n == 0 || bytes == 0)
        return RANGE_OUTSIDE;
    out->n = n < bytes ? n : bytes;
    out->from = bytes - out->n;
    return RANGE_PART;
}

enum range_kind range_read(struct str value, uint64_t bytes,
                           struct byte_range *out)
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
        return read_suffix(last, bytes, out);
    if (!read_number(first, &a) || (last.n && !read_number(last, &b)) || b < a)
        return RANGE_ALL;
    if (a >= bytes)
        return RANGE_OUTSIDE;
    out->from = a;
    out->n = (b < bytes ? b + 1 : bytes) - a;
    assert(out->n > 0 && out->from + out->n <= bytes);
    return RANGE_PART;
}

bool range_is_current(struct str if_range, struct str etag)
{
    return !if_range.p ||
           (etag.n && etag.p[0] == '"' && str_eq(if_range, etag));
}

/* ---- As an answer ------------------------------------------------------- */

static struct str next_tag(struct str *list)
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

/* Our tags have no comma inside, so a tag with one is not ours. */
bool request_has_etag(const struct request *r, struct str etag)
{
    struct str list = request_header(r, STR("if-none-match"));

    if (!list.p)
        return false;
    if (str_eq(list, STR("*")))
        return true;
    while (list.n)
        if (str_eq(next_tag(&list), etag))
            return true;
    return false;
}

static void add_content_range(struct request *r, struct byte_range part,
                              uint64_t bytes)
{
    reply_header(r, STR("Content-Range"),
                 arena_printf(&r->arena, "bytes %llu-%llu/%llu",
                              (unsigned long long)part.from,
                              (unsigned long long)(part.from + part.n - 1),
                              (unsigned long long)bytes));
}

int range_plan(struct request *r, uint64_t bytes, struct str etag,
               struct byte_range *part)
{
    struct str asked =
        range_is_current(request_header(r, STR("if-range")), etag)
            ? request_header(r, STR("range"))
            : STR_NONE;

    *part = (struct byte_range){0, bytes};
    r->reply.uncompressed =
        true; /* offsets are those of the bytes as they are */
    reply_header(r, STR("Accept-Ranges"), STR("bytes"));
    if (etag.p)
        reply_header(r, STR("ETag"), etag);
    if (request_has_etag(r, etag)) {
        reply_empty(r, 304);
        return 0;
    }
    switch (range_read(asked, bytes, part)) {
    case RANGE_ALL: return 200;
    case RANGE_PART: add_content_range(r, *part, bytes); return 206;
    case RANGE_OUTSIDE: break;
    }
    reply_header(
        r, STR("Content-Range"),
        arena_printf(&r->arena, "bytes */%llu", (unsigned long long)bytes));
    reply_problem(r, &(struct problem){.status = 416,
                                       .code = STR("range"),
                                       .text = STR("Nothing is there")});
    return 0;
}

void reply_range(struct request *r, struct str type, struct str body,
                 struct str etag)
{
    struct byte_range part;
    int status = range_plan(r, body.n, etag, &part);

    if (status)
        reply_text(r, status, type,
                   (struct str){body.p + part.from, (size_t)part.n});
}
