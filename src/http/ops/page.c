/* page.c - two pages for people: what is running, and the API to read.
 *
 * Both are made from the description that programs get, so they agree with it.
 * They show no data of users. */
#include "config/config.h"
#include "http/call/services.h"
#include "http/ops/openapi.h"
#include "http/ops/ops.h"

enum { PAGE_BYTES_MAX = 4 * 1024 * 1024, INDENT = 2 };

static void add_escaped(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case '&': buf_add(b, STR("&amp;")); break;
        case '<': buf_add(b, STR("&lt;")); break;
        case '>': buf_add(b, STR("&gt;")); break;
        case '"': buf_add(b, STR("&quot;")); break;
        default: buf_add_c(b, s.p[i]);
        }
    }
}

static void add_head(struct buf *b, const char *title)
{
    buf_add(b, STR("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8"
                   "\">\n<meta name=\"viewport\" content=\"width=device-width,"
                   " initial-scale=1\">\n<title>"));
    add_escaped(b, str_c(title));
    buf_add(
        b,
        STR("</title>\n<style>\n"
            ":root { color-scheme: light dark }\n"
            "body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem;\n"
            "  margin: 2rem auto; padding: 0 1rem }\n"
            "code, pre { font: 14px/1.45 ui-monospace, monospace }\n"
            "pre { overflow-x: auto; padding: .75rem; border: 1px solid\n"
            "  #8886; border-radius: 4px }\n"
            "h3 { margin: 2.5rem 0 0; overflow-wrap: anywhere }\n"
            "table { border-collapse: collapse }\n"
            "td, th { text-align: left; vertical-align: top;\n"
            "  padding: .15rem 1rem .15rem 0 }\n"
            "</style>\n"));
}

static void reply_page(struct request *r, struct buf *b)
{
    reply_header(r, STR("Content-Security-Policy"),
                 STR("default-src 'none'; style-src 'unsafe-inline'; "
                     "base-uri 'none'; form-action 'none'; "
                     "frame-ancestors 'none'"));
    reply_cached(r, b);
    if (r->reply.status == 200)
        r->reply.type = STR("text/html; charset=utf-8");
}

/* ---- GET / with --no-ui ------------------------------------------------- */

static void add_link(struct buf *b, const char *path, const char *what)
{
    buf_printf(b, "<li><a href=\"%s\"><code>%s</code></a> %s\n", path, path,
               what);
}

void page_front(struct request *r)
{
    struct buf b = BUF(PAGE_BYTES_MAX);

    add_head(&b, "Footnote");
    buf_printf(&b,
               "<h1>Footnote</h1>\n<p>Version %.*s is running. It keeps chat "
               "answers with their sources.\n<ul>\n",
               STR_ARG(config_build().version));
    add_link(&b, "/docs", "the API, to read");
    add_link(&b, "/openapi.json", "the API, for programs");
    add_link(&b, "/api/sessions", "your sessions");
    if (services(r)->config->demo)
        add_link(&b, "/api/sessions/demo-entropy/messages",
                 "an answer with its sources, from the demo course");
    add_link(&b, "/readyz", "whether the database answers");
    buf_add(&b, STR("</ul>\n</html>\n"));
    reply_page(r, &b);
}

/* ---- JSON to read ------------------------------------------------------- */

static void add_line(struct buf *b, int depth)
{
    buf_printf(b, "\n%*s", depth * INDENT, "");
}

static bool is_nested(const struct json *v)
{
    return v->type == JSON_OBJECT || v->type == JSON_ARRAY;
}

/* Lists of plain values stay on their line.  Our files nest a few levels. */
static void add_json(struct buf *b, const struct json *v, int depth)
{
    bool object = v->type == JSON_OBJECT, lines = object;

    if (!is_nested(v) || !v->first) {
        add_escaped(b, v->raw);
        return;
    }
    for (const struct json *m = v->first; m; m = m->next)
        lines |= is_nested(m);
    buf_add_c(b, object ? '{' : '[');
    for (const struct json *m = v->first; m; m = m->next) {
        if (lines)
            add_line(b, depth + 1);
        if (object) {
            buf_add(b, STR("&quot;"));
            add_escaped(b, m->key);
            buf_add(b, STR("&quot;: "));
        }
        add_json(b, m, depth + 1);
        if (m->next)
            buf_add(b, lines ? STR(",") : STR(", "));
    }
    if (lines)
        add_line(b, depth);
    buf_add_c(b, object ? '}' : ']');
}

/* ---- GET /docs ---------------------------------------------------------- */

static void add_paragraph(struct buf *b, struct str text)
{
    if (!text.n)
        return;
    buf_add(b, STR("<p>"));
    add_escaped(b, text);
    buf_add(b, STR("\n"));
}

static void add_parameters(struct buf *b, const struct json *doc,
                           const struct json *list)
{
    if (!list || !list->first)
        return;
    buf_add(b, STR("<table>\n"));
    for (const struct json *p = list->first; p; p = p->next) {
        const struct json *v = openapi_resolve(doc, p);

        buf_add(b, STR("<tr><td><code>"));
        add_escaped(b, json_text(v, STR("name")));
        buf_add(b, STR("</code><td>"));
        add_escaped(b, json_text(v, STR("in")));
        buf_add(b, STR("<td>"));
        add_escaped(b, json_text(v, STR("description")));
        buf_add_c(b, '\n');
    }
    buf_add(b, STR("</table>\n"));
}

static void add_example(struct buf *b, const char *what,
                        const struct json *holder)
{
    const struct json *content = json_get(holder, STR("content"));
    const struct json *example =
        content ? json_get(content->first, STR("example")) : NULL;

    if (!example || example->type == JSON_STR)
        return; /* a page or a text is not shown */
    buf_printf(b, "<p>%s\n<pre>", what);
    add_json(b, example, 0);
    buf_add(b, STR("</pre>\n"));
}

static void add_status(struct buf *b, struct str status, struct str words)
{
    buf_add(b, STR("<tr><td><code>"));
    add_escaped(b, status);
    buf_add(b, STR("</code><td>"));
    add_escaped(b, words);
    buf_add_c(b, '\n');
}

/* The statuses that many calls share, once for all of them. */
static void add_common_statuses(struct buf *b, const struct json *doc)
{
    const struct json *list =
        json_get(json_get(doc, STR("components")), STR("responses"));

    buf_add(b, STR("<p>Besides what is said of each call:\n<table>\n"));
    for (const struct json *v = list->first; v; v = v->next)
        if (openapi_is_common(str_skip(v->key, 1)))
            add_status(b, str_skip(v->key, 1),
                       json_text(v, STR("description")));
    buf_add(b, STR("</table>\n"));
}

static void add_responses(struct buf *b, const struct json *doc,
                          const struct json *responses)
{
    buf_add(b, STR("<table>\n"));
    for (const struct json *v = responses->first; v; v = v->next) {
        const struct json *there = openapi_resolve(doc, v);

        if (there == v || !openapi_is_common(v->key))
            add_status(b, v->key, json_text(there, STR("description")));
    }
    buf_add(b, STR("</table>\n"));
    add_example(b, "Answer:", openapi_resolve(doc, responses->first));
}

static void add_operation(struct buf *b, const struct json *doc,
                          struct str path, const struct json *op)
{
    buf_add(b, STR("<h3 id=\""));
    add_escaped(b, json_text(op, STR("operationId")));
    buf_add(b, STR("\"><code>"));
    for (size_t i = 0; i < op->key.n; i++)
        buf_add_c(b, (char)(op->key.p[i] - ('a' - 'A')));
    buf_add_c(b, ' ');
    add_escaped(b, path);
    buf_add(b, STR("</code></h3>\n"));
    add_paragraph(b, json_text(op, STR("summary")));
    add_paragraph(b, json_text(op, STR("description")));
    add_parameters(b, doc, json_get(op, STR("parameters")));
    add_example(b, "Body:", json_get(op, STR("requestBody")));
    add_responses(b, doc, json_get(op, STR("responses")));
}

static void add_document(struct buf *b, const struct json *doc)
{
    add_head(b, "Footnote: the API");
    buf_add(b, STR("<h1>Footnote: the API</h1>\n"));
    add_paragraph(b, json_text(json_get(doc, STR("info")), STR("description")));
    buf_add(b, STR("<p>For programs: <a href=\"/openapi.json\"><code>"
                   "/openapi.json</code></a>\n"));
    add_common_statuses(b, doc);
    for (const struct json *path = json_get(doc, STR("paths"))->first; path;
         path = path->next)
        for (const struct json *op = path->first; op; op = op->next)
            add_operation(b, doc, path->key, op);
    buf_add(b, STR("</html>\n"));
}

static void docs_work(struct request *r)
{
    AUTO(buf_free) struct buf text = BUF(PAGE_BYTES_MAX);
    struct buf page = BUF(PAGE_BYTES_MAX);
    struct footnote_err err;
    struct json *doc;
    enum footnote_rc rc = openapi_write(&r->arena, &text, &err);

    if (rc == FOOTNOTE_OK)
        rc = json_read(&r->arena, buf_str(&text), &doc, &err);
    if (rc != FOOTNOTE_OK) {
        reply_rc(r, FOOTNOTE_NOMEM, &err, NULL);
        return;
    }
    add_document(&page, doc);
    reply_page(r, &page);
}

void page_docs(struct request *r)
{
    request_work(r, docs_work);
}
