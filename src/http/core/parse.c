/* parse.c - reads a head, and finds headers in it.  The only file that knows
 * libhttp-parser. */
#include "http/core/parse.h"

#include <assert.h>
#include <http_parser.h>
#include <strings.h>

struct head_parse { /* what the callbacks have found */
    struct str target;
    struct header headers[HTTP_HEADERS_MAX];
    size_t headers_n;
    bool done;
};

/* ---- Callbacks: the head is fed whole, so pieces are adjacent ----------- */

static int on_url(http_parser *p, const char *at, size_t n)
{
    struct head_parse *x = p->data;

    if (x->target.p)
        x->target.n += n;
    else
        x->target = (struct str){at, n};
    return 0;
}

static int on_field(http_parser *p, const char *at, size_t n)
{
    struct head_parse *x = p->data;

    if (x->headers_n && !x->headers[x->headers_n - 1].value.p) {
        x->headers[x->headers_n - 1].name.n += n;
        return 0;
    }
    if (x->headers_n == HTTP_HEADERS_MAX)
        return -1;
    x->headers[x->headers_n++] = (struct header){.name = {at, n}};
    return 0;
}

static int on_value(http_parser *p, const char *at, size_t n)
{
    struct head_parse *x = p->data;
    struct header *h = &x->headers[x->headers_n - 1];

    if (h->value.p)
        h->value.n += n;
    else
        h->value = (struct str){at, n};
    return 0;
}

/* There is no other protocol here; a request for one is answered in HTTP. */
static int on_head(http_parser *p)
{
    if (p->method != HTTP_CONNECT)
        p->upgrade = 0;
    return 0;
}

static int on_complete(http_parser *p)
{
    ((struct head_parse *)p->data)->done = true;
    http_parser_pause(p, 1);
    return 0;
}

static const struct http_parser_settings settings = {
    .on_url = on_url,
    .on_header_field = on_field,
    .on_header_value = on_value,
    .on_headers_complete = on_head,
    .on_message_complete = on_complete};

/* ---- What they found ---------------------------------------------------- */

static bool method_of(const http_parser *p, enum method *out)
{
    const char *name = http_method_str((enum http_method)p->method);

    for (int m = 0; m < METHODS; m++)
        if (strcmp(name, method_name((enum method)m)) == 0) {
            *out = (enum method)m;
            return true;
        }
    return false;
}

static struct str lower(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);

    for (size_t i = 0; p && i < s.n; i++) {
        p[i] = s.p[i];
        if (p[i] >= 'A' && p[i] <= 'Z')
            p[i] = (char)(p[i] | 0x20);
    }
    return (struct str){p, p ? s.n : 0};
}

/* Copies what points into the connection's buffer. */
static int copy_head(struct request *r, const struct head_parse *x)
{
    struct str target = x->target;
    size_t end = str_find(target, '?');

    r->headers = arena_many(&r->arena, x->headers_n + 1, struct header);
    r->headers_n = r->headers ? x->headers_n : 0;
    for (size_t i = 0; i < r->headers_n; i++) {
        struct str value = x->headers[i].value;

        while (value.n && strchr(" \t", value.p[value.n - 1]))
            value.n--;
        r->headers[i].name = lower(&r->arena, x->headers[i].name);
        r->headers[i].value = arena_str(&r->arena, value);
    }
    r->path = arena_str(&r->arena, (struct str){target.p, end});
    r->query = end < target.n ? arena_str(&r->arena, str_skip(target, end + 1))
                              : STR("");
    return r->arena.failed ? 503 : 0;
}

static int read_head(struct head_parse *x, struct request *r, struct str head,
                     struct head *out)
{
    http_parser parser, *p = &parser;
    size_t used;

    http_parser_init(p, HTTP_REQUEST);
    p->data = x;
    used = http_parser_execute(p, &settings, head.p, head.n);
    /* The head is sound, so the library does not know its method. */
    if (HTTP_PARSER_ERRNO(p) == HPE_INVALID_METHOD)
        return 501;
    if (HTTP_PARSER_ERRNO(p) != HPE_OK && !x->done)
        return HTTP_PARSER_ERRNO(p) == HPE_HEADER_OVERFLOW ? 431 : 400;
    if (p->upgrade || used != head.n)
        return 400;
    if (!method_of(p, &r->method))
        return 501;
    *out = (struct head){.keep_alive = http_should_keep_alive(p) != 0,
                         .has_body = !x->done,
                         .chunked = (p->flags & F_CHUNKED) != 0};
    out->length = out->has_body && !out->chunked ? p->content_length : 0;
    r->http_1_0 = p->http_minor == 0;
    return copy_head(r, x);
}

struct str request_header(const struct request *r, struct str name)
{
    for (size_t i = 0; i < r->headers_n; i++)
        if (str_eq(r->headers[i].name, name))
            return r->headers[i].value;
    return STR_NONE;
}

static int read_expect(const struct request *r, struct head *out)
{
    struct str expect = request_header(r, STR("expect"));

    if (!expect.p || r->http_1_0) /* HTTP/1.0 has no 100 */
        return 0;
    out->expects_continue = out->has_body;
    return strcasecmp(expect.p, "100-continue") == 0 ? 0 : 417;
}

int parse_head(struct parser *parser, struct request *r, struct str head,
               struct head *out)
{
    struct head_parse x;
    int status;

    assert(head.n >= 4 && head_length(head) == head.n);
    x.target = STR_NONE;
    x.headers_n = 0; /* the rest is written before it is read */
    x.done = false;
    status = read_head(&x, r, head, out);

    if (!status)
        status = read_expect(r, out);
    /* Both must agree on the framing: ours was checked by head_check(). */
    if (!status &&
        out->chunked != (request_header(r, STR("transfer-encoding")).p != NULL))
        status = 400;
    if (status)
        r->headers_n = 0; /* they are not to be trusted */
    else
        parse_body_start(parser, out);
    return status;
}
