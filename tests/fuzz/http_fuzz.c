/* http_fuzz.c - what is accepted as a request has exactly one reading.
 *
 * A second reader, written here as literally as RFC 9112 allows, goes over
 * the same bytes and must find the same method, target, headers, body and end.
 * The bytes cut into pieces must give the same outcome as in one.  And
 * libhttp-parser, fed with all of it, must agree with ours about body and end:
 * it is the reader that many others use. */
#include <http_parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "http/core/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { BODY_MAX = 64 * 1024, PIECE = 3 };

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "http_fuzz: %s\n", what);
    abort();
}

/* ---- Ours --------------------------------------------------------------- */

struct outcome {
    int status; /* 0: accepted */
    bool whole; /* the body, too */
    struct buf body;
    size_t used; /* bytes of the message */
};

static void read_body(struct parser *p, struct str s, size_t piece,
                      struct outcome *o)
{
    bool done = false;

    o->body.max = BODY_MAX;
    while (s.n && !done && !o->status) {
        size_t n = s.n < piece ? s.n : piece, used = 0;

        o->status = parse_body(p, (struct str){s.p, n}, &o->body, &used, &done);
        must(used <= n, "more was used than was there");
        must(o->status || done || used == n, "bytes are left over");
        s = str_skip(s, used);
        o->used += used;
    }
    o->whole = done;
}

static struct outcome read_all(struct request *r, struct str s, size_t piece,
                               struct head *head)
{
    struct outcome o = {.status = 400};
    struct parser p;
    size_t n = head_length(s);

    if (n == 0 || n > HTTP_HEAD_BYTES_MAX)
        return o;
    o.used = n;
    o.status = head_check((struct str){s.p, n});
    if (!o.status)
        o.status = parse_head(&p, r, (struct str){s.p, n}, head);
    if (o.status)
        return o;
    if (head->has_body)
        read_body(&p, str_skip(s, n), piece, &o);
    else
        o.whole = true;
    return o;
}

/* ---- A literal reader --------------------------------------------------- */

static struct str line_of(struct str *s)
{
    const char *end = memmem(s->p, s->n, "\r\n", 2);
    struct str line;

    must(end, "a line without an end was accepted");
    line = (struct str){s->p, (size_t)(end - s->p)};
    *s = str_skip(*s, line.n + 2);
    must(!memchr(line.p, '\n', line.n) && !memchr(line.p, '\r', line.n) &&
             !memchr(line.p, '\0', line.n),
         "a stray line end or NUL was accepted");
    return line;
}

static struct str value_of(struct str line, size_t colon)
{
    struct str v = str_skip(line, colon + 1);

    while (v.n && (*v.p == ' ' || *v.p == '\t'))
        v = str_skip(v, 1);
    while (v.n && (v.p[v.n - 1] == ' ' || v.p[v.n - 1] == '\t'))
        v.n--;
    return v;
}

static void compare_start(const struct request *r, struct str line)
{
    size_t a = str_find(line, ' ');
    struct str rest = str_skip(line, a + 1);
    size_t b = str_find(rest, ' ');
    struct str target = {rest.p, b};
    size_t q = str_find(target, '?');

    must(str_eq((struct str){line.p, a}, str_c(method_name(r->method))),
         "another method was read");
    must(str_eq((struct str){target.p, q}, r->path), "another path was read");
    must(str_eq(q < b ? str_skip(target, q + 1) : STR(""), r->query),
         "another query was read");
    must(str_eq(str_skip(rest, b),
                r->http_1_0 ? STR(" HTTP/1.0") : STR(" HTTP/1.1")),
         "another version was read");
}

static bool is_same_name(struct str a, struct str lower)
{
    return a.n == lower.n && strncasecmp(a.p, lower.p, a.n) == 0;
}

static void compare_headers(const struct request *r, struct str *rest,
                            const struct head *head)
{
    int hosts = 0, lengths = 0, encodings = 0;
    size_t i = 0;
    struct str line;

    while ((line = line_of(rest)).n) {
        size_t colon = str_find(line, ':');

        must(i < r->headers_n, "a header was not read");
        must(is_same_name((struct str){line.p, colon}, r->headers[i].name),
             "another header was read");
        must(str_eq(value_of(line, colon), r->headers[i].value),
             "another value was read");
        hosts += str_eq(r->headers[i].name, STR("host"));
        lengths += str_eq(r->headers[i].name, STR("content-length"));
        encodings += str_eq(r->headers[i].name, STR("transfer-encoding"));
        i++;
    }
    must(i == r->headers_n, "more headers were read than are there");
    must(hosts == 1 || (hosts == 0 && r->http_1_0), "not one Host");
    must(lengths + encodings <= 1, "two lengths");
    must(head->chunked == (encodings == 1), "another framing was read");
    must(!head->has_body || lengths + encodings == 1, "a body without length");
}

/* ---- libhttp-parser ----------------------------------------------------- */

struct theirs {
    struct buf body;
    bool done;
};

static int on_body(http_parser *p, const char *at, size_t n)
{
    struct theirs *t = p->data;

    buf_add(&t->body, (struct str){at, n});
    return 0;
}

static int on_done(http_parser *p)
{
    ((struct theirs *)p->data)->done = true;
    http_parser_pause(p, 1);
    return 0;
}

static int on_head(http_parser *p)
{
    p->upgrade = 0;
    return 0;
}

static void compare_library(struct str message, const struct outcome *o)
{
    static const struct http_parser_settings settings = {
        .on_headers_complete = on_head,
        .on_body = on_body,
        .on_message_complete = on_done};
    struct theirs t = {.body = BUF(BODY_MAX)};
    http_parser p;
    size_t used;

    http_parser_init(&p, HTTP_REQUEST);
    p.data = &t;
    used = http_parser_execute(&p, &settings, message.p, message.n);
    must(o->whole || !t.done, "the library sees an end");
    must(!o->whole || t.done || HTTP_PARSER_ERRNO(&p) != HPE_OK,
         "the library sees no end"); /* it may refuse what we read */
    must(!t.done || used == o->used, "the library sees the end elsewhere");
    must(!t.done || str_eq(t.body.p ? buf_str(&t.body) : STR(""),
                           o->body.p ? buf_str(&o->body) : STR("")),
         "the library sees another body");
    buf_free(&t.body);
}

/* ---- Together ----------------------------------------------------------- */

static void compare_pieces(struct str s, const struct outcome *o)
{
    struct request *r = calloc(1, sizeof(*r));
    struct head head;
    struct outcome again;

    r->arena = ARENA(SIZE_MAX);
    again = read_all(r, s, PIECE, &head);
    must(again.status == o->status && again.whole == o->whole,
         "pieces are read differently");
    must(again.status || again.used == o->used, "pieces end elsewhere");
    must(again.body.n == o->body.n || again.status, "pieces give another body");
    buf_free(&again.body);
    arena_free(&r->arena);
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str s = {(const char *)data, n}, rest = s;
    struct request *r = calloc(1, sizeof(*r));
    struct head head = {.length = 0};
    struct outcome o;

    r->arena = ARENA(SIZE_MAX);
    /* What is refused early must not be accepted later. */
    int early = head_check_start((struct str){s.p, head_length(s) / 2});

    o = read_all(r, s, SIZE_MAX, &head);
    if (o.status == 0 || o.whole) {
        must(!early, "a refused start was accepted");
        compare_start(r, line_of(&rest));
        compare_headers(r, &rest, &head);
        compare_library(s, &o);
    }
    compare_pieces(s, &o);
    buf_free(&o.body);
    arena_free(&r->arena);
    free(r);
    return 0;
}
