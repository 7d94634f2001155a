/* request_fuzz.c - fuzzes the small languages inside of a request.
 *
 * The first byte says what the rest is:
 *
 *     'r'  a Range header  a part lies inside of the body, and is the same
 *                          when it is asked for by its own numbers
 *     'u'  a URL           every parameter has one reading, which is UTF-8
 *                          without NUL; a row of the table takes no slash
 *     'c'  a Cookie header the login is found once, and as it stands there */
#include <stdio.h>
#include <stdlib.h>

#include "http/auth/cookie.h"
#include "http/call/services.h"
#include "http/core/range.h"
#include "http/core/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { TEXT_BYTES_MAX = 16 * 1024, BODY_BYTES = 1000 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool is_inside(struct str part, struct str whole)
{
    return part.n == 0 ||
           (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

/* ---- Range -------------------------------------------------------------- */

static void range(struct str value)
{
    struct byte_range part = {0, 0}, again = {0, 0};
    char text[64];

    switch (range_read(value, BODY_BYTES, &part)) {
    case RANGE_PART:
        must(part.n > 0 && part.from < BODY_BYTES &&
             part.n <= BODY_BYTES - part.from);
        snprintf(text, sizeof(text), "bytes=%llu-%llu",
                 (unsigned long long)part.from,
                 (unsigned long long)(part.from + part.n - 1));
        must(range_read(str_c(text), BODY_BYTES, &again) == RANGE_PART);
        must(again.from == part.from && again.n == part.n);
        break;
    case RANGE_OUTSIDE: must(value.n > 0); break;
    case RANGE_ALL: break;
    }
    must(range_read(value, 0, &part) != RANGE_PART);
    must(!range_is_current(value, STR_NONE) || !value.p);
}

/* ---- URL ---------------------------------------------------------------- */

static struct str encode(struct arena *a, struct str s)
{
    static const char hex[] = "0123456789ABCDEF";
    char *p = arena_alloc(a, 3 * s.n + 1);

    must(p != NULL);
    for (size_t i = 0; i < s.n; i++) {
        p[3 * i] = '%';
        p[3 * i + 1] = hex[(unsigned char)s.p[i] >> 4];
        p[3 * i + 2] = hex[(unsigned char)s.p[i] & 15];
    }
    return (struct str){p, 3 * s.n};
}

static void decode(struct arena *a, struct str text, bool plus)
{
    struct str out, again;

    if (!text_decode(a, text, plus, &out))
        return;
    must(out.n <= text.n && !memchr(out.p, '\0', out.n));
    must(text_decode(a, encode(a, out), plus, &again));
    must(str_eq(out, again));
}

static void parameters(struct request *r)
{
    static const struct str names[] = {
        {"q", 1}, {"limit", 5}, {"courseId", 8}, {"wait", 4}};
    size_t limit = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct str v = request_query(r, names[i]);

        must(v.n <= r->query.n && (v.n == 0 || !memchr(v.p, '\0', v.n)));
    }
    must(!request_limit(r, 10, 100, &limit) || (limit >= 1 && limit <= 100));
}

static void url(struct request *r, struct str text)
{
    size_t mark = str_find(text, '?');
    struct str params[HTTP_PARAMS_MAX];
    unsigned allowed = 0;

    r->path = (struct str){text.p, mark};
    r->query = str_skip(text, mark < text.n ? mark + 1 : mark);
    decode(&r->arena, text, false);
    decode(&r->arena, text, true);
    parameters(r);
    for (int m = 0; m < METHODS; m++) {
        const struct route *route =
            route_find(api_routes, api_routes_n, (enum method)m, r->path,
                       params, &allowed);

        must(!route || (allowed & 1U << route->method));
        for (size_t i = 0; i < HTTP_PARAMS_MAX; i++)
            must(is_inside(params[i], r->path) &&
                 (params[i].n == 0 || !memchr(params[i].p, '/', params[i].n)));
    }
}

/* ---- Cookie ------------------------------------------------------------- */

/* The same list twice has the login twice, and then it does not count. */
static void cookie(struct request *r, struct str text)
{
    r->headers = arena_alloc(&r->arena, 2 * sizeof(struct header));
    must(r->headers != NULL);
    r->headers[0] = r->headers[1] = (struct header){STR("cookie"), text};
    for (int secure = 0; secure < 2; secure++) {
        struct str found;

        r->headers_n = 1;
        found = cookie_find(r, secure);
        must(is_inside(found, text) &&
             (found.n == 0 || !memchr(found.p, ';', found.n)));
        r->headers_n = 2;
        must(cookie_find(r, secure).n == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct request *r;
    struct str text;

    if (n == 0 || n > TEXT_BYTES_MAX)
        return 0;
    text = (struct str){(const char *)data + 1, n - 1};
    r = calloc(1, sizeof(*r));
    must(r != NULL);
    r->arena = ARENA(REQUEST_ARENA_BYTES);
    switch (data[0]) {
    case 'r': range(text); break;
    case 'u': url(r, text); break;
    case 'c': cookie(r, text); break;
    default: break;
    }
    arena_free(&r->arena);
    free(r);
    return 0;
}
