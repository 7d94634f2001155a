/* problem.c - what went wrong, as an answer. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "http/core/loop.h"

enum { PROBLEM_BYTES_MAX = 64 * 1024 };

void problem_member(struct json_out *w, struct str key, struct str value)
{
    if (!value.p)
        return;
    json_key(w, key);
    json_str(w, value);
}

/* A request that a test made by hand has no server. */
static void write_problem(struct request *r, const struct problem *p,
                          struct buf *b)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    if (!r->server || !r->server->hooks->write_problem ||
        !r->server->hooks->write_problem(r, p, &w)) {
        problem_member(&w, STR("error"), p->text);
        problem_member(&w, STR("code"), p->code);
        problem_member(&w, STR("where"), p->where);
        problem_member(&w, STR("hint"), p->hint);
        problem_member(&w, STR("requestId"), r->id);
    }
    json_end(&w, '}');
}

/* ---- What the core refuses by itself ------------------------------------- */

static struct problem problem_of(int status)
{
    switch (status) {
    case 408:
        return (struct problem){.code = STR("timeout"),
                                .text = STR("The request took too long")};
    case 413:
        return (struct problem){.code = STR("too_large"),
                                .text = STR("The body is too large")};
    case 417:
        return (struct problem){.code = STR("expectation"),
                                .text = STR("Only 100-continue is expected")};
    case 429:
        return (struct problem){.code = STR("rate_limited"),
                                .text = STR("Your requests together take too "
                                            "much memory")};
    case 431:
        return (struct problem){.code = STR("too_large"),
                                .text = STR("The head is too large")};
    case 501:
        return (struct problem){.code = STR("method"),
                                .text = STR("No such method")};
    case 503:
        return (struct problem){.code = STR("store_busy"),
                                .text = STR("Out of memory")};
    case 505:
        return (struct problem){.code = STR("http_version"),
                                .text = STR("HTTP/1.1 is spoken here")};
    default:
        return (struct problem){
            .code = STR("bad_request"),
            .text = STR("This is not a request that we can read")};
    }
}

struct problem problem_of_status(int status)
{
    struct problem p = problem_of(status);

    p.status = status;
    return p;
}

/* ---- Answering ---------------------------------------------------------- */

static const struct problem no_memory = {
    .status = 503, .code = {"store_busy", 10}, .text = {"Out of memory", 13}};

/* After the arena has failed the request may have been misread, so a 4xx would
 * blame the client wrongly. */
void reply_problem(struct request *r, const struct problem *p)
{
    const struct buf *lines = &r->reply.headers;
    struct buf b = BUF(PROBLEM_BYTES_MAX);
    struct str body;

    assert(p->status >= 400 && p->code.n);
    if (r->arena.failed && p->status < 500)
        p = &no_memory;
    write_problem(r, p, &b);
    body = arena_str(&r->arena, buf_str(&b));
    buf_free(&b);
    if ((p->status == 429 || p->status == 503) &&
        !(lines->n && memmem(lines->p, lines->n, "Retry-After", 11)))
        reply_header(r, STR("Retry-After"), STR("1"));
    r->reply.no_store = true;
    reply_text(r, p->status, STR("application/json"),
               body.p ? body : STR("{\"error\":\"Out of memory\"}"));
}

void reply_invalid(struct request *r, struct str where, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    reply_problem(r,
                  &(struct problem){.status = 400,
                                    .code = STR("invalid_field"),
                                    .text = arena_str(&r->arena, str_c(text)),
                                    .where = where});
}

/* A 5xx tells its meaning alone: internals stay inside. */
static struct str text_of(struct request *r, enum footnote_rc rc,
                          const struct footnote_err *err, const char *thing)
{
    if (rc == FOOTNOTE_NOTFOUND && thing) {
        struct str s = arena_printf(&r->arena, "%s not found", thing);
        char *first = (char *)(uintptr_t)s.p;

        if (first && *first >= 'a' && *first <= 'z')
            *first = (char)(*first - 32);
        return s;
    }
    return arena_str(&r->arena,
                     str_c(rc_status(rc) < 500 ? err->text : rc_text(rc)));
}

void reply_rc(struct request *r, enum footnote_rc rc,
              const struct footnote_err *err, const char *thing)
{
    struct problem p = {.status = rc_status(rc),
                        .code = str_c(rc_code(rc)),
                        .text = text_of(r, rc, err, thing)};

    if (rc == FOOTNOTE_NOTFOUND && thing)
        p.code = arena_printf(&r->arena, "%s_not_found", thing);
    if (rc == FOOTNOTE_NOMEM)
        p.code = STR("store_busy");
    if (rc == FOOTNOTE_FOREIGN)
        p.code = STR("internal");
    reply_problem(r, &p);
}
