/* range.c - parts of a body.
 *
 * One range is served; a list of them is answered with the whole, which is
 * allowed, and leaves no way to make one request cost many bodies. */
#include "http/range.h"
#include "http/http.h"

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

/* W/ does not matter for If-None-Match. */
static bool has_it(const struct request *r, struct str etag)
{
    struct str match = request_header(r, STR("if-none-match"));

    return match.p && etag.n && memmem(match.p, match.n, etag.p, etag.n);
}

static void outside(struct request *r, struct str body)
{
    reply_header(r, STR("Content-Range"),
                 arena_printf(&r->arena, "bytes */%zu", body.n));
    reply_problem(r, &(struct problem){.status = 416,
                                       .code = STR("range"),
                                       .text = STR("Nothing is there")});
}

void reply_range(struct request *r, struct str type, struct str body,
                 struct str etag)
{
    struct str wish = range_holds(request_header(r, STR("if-range")), etag)
                          ? request_header(r, STR("range"))
                          : STR_NONE;
    struct range part = {0, 0};

    r->reply.plain = true; /* offsets are those of the bytes as they are */
    reply_header(r, STR("Accept-Ranges"), STR("bytes"));
    if (etag.p)
        reply_header(r, STR("ETag"), etag);
    if (has_it(r, etag)) {
        reply_empty(r, 304);
        return;
    }
    switch (range_read(wish, body.n, &part)) {
    case RANGE_ALL: reply_text(r, 200, type, body); return;
    case RANGE_OUTSIDE: outside(r, body); return;
    case RANGE_PART: break;
    }
    reply_header(r, STR("Content-Range"),
                 arena_printf(&r->arena, "bytes %zu-%zu/%zu", (size_t)part.from,
                              (size_t)(part.from + part.n - 1), body.n));
    reply_text(r, 206, type, (struct str){body.p + part.from, (size_t)part.n});
}
