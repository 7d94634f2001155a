/* chat_site.c - a site with a course about cats, and a scripted model to ask.
 */
#include "chat_site.h"

#include "store/document/document.h"
#include "store/session/course.h"

static const char *const passages[] = {
    "Cats sleep thirteen hours a day, and old cats sleep even longer.",
    "Kittens sleep more than grown cats: up to twenty hours a day.",
    "Cats see well in the dark because of a layer behind the retina."};
enum { PASSAGES = sizeof(passages) / sizeof(passages[0]) };

/* ---- The site ----------------------------------------------------------- */

void chat_site_add(struct chat_site *r, const struct document *d,
                   const struct passage *p, size_t n)
{
    struct who local = {STR("default"), STR("local")};
    struct store *st = r->site.served.store;
    struct document_put put = {.document = *d};
    struct passages_add add = {
        .document = d->id, .version = 1, .passages = p, .passages_n = n};
    struct document_status_set ready = {.document = d->id,
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    CHECK_OK(store_write(st, local, OP(document_put), &put, &err), &err);
    CHECK_OK(store_write(st, local, OP(passages_add), &add, &err), &err);
    CHECK_OK(store_write(st, local, OP(document_status_set), &ready, &err),
             &err);
}

static void fill(struct chat_site *r)
{
    struct who local = {STR("default"), STR("local")};
    struct course_put course = {.id = STR("cats"), .title = STR("On cats")};
    struct document book = {.id = STR("book"),
                            .course = STR("cats"),
                            .title = STR("The book of cats"),
                            .kind = DOCUMENT_SLIDES};
    struct passage p[PASSAGES] = {{.position = 0}};
    struct footnote_err err;

    for (int i = 0; i < PASSAGES; i++)
        p[i] = (struct passage){
            .position = i + 1, .page = i + 1, .text = str_c(passages[i])};
    CHECK_OK(
        store_write(r->site.served.store, local, OP(course_put), &course, &err),
        &err);
    chat_site_add(r, &book, p, PASSAGES);
}

void chat_site_page(struct chat_site *r, const char *id, const char *url,
                    const char *text)
{
    chat_site_add(r,
                  &(struct document){.id = str_c(id),
                                     .course = STR("cats"),
                                     .title = STR("A page on cats"),
                                     .url = str_c(url),
                                     .kind = DOCUMENT_PAGE},
                  &(struct passage){.position = 1, .text = str_c(text)}, 1);
}

void chat_site_open(struct chat_site *r)
{
    r->up = upstream_open();
    r->site.model_url = upstream_url(r->up);
    r->site.relaxed = r->relaxed;
    site_open(&r->site);
    fill(r);
}

void chat_site_close(struct chat_site *r)
{
    site_close(&r->site);
    upstream_close(r->up);
}

void chat_site_script(struct chat_site *r, const char *name, const char *text)
{
    upstream_add(r->up, name, text);
}

void chat_site_await_left(struct chat_site *r, size_t n)
{
    WAIT_UNTIL(upstream_left(r->up) >= n);
}

/* ---- Asking ------------------------------------------------------------- */

struct str chat_site_body(struct chat_site *r, const char *session,
                          const char *question, const char *text,
                          const char *more)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);

    buf_add(&b, STR("{\"id\":"));
    buf_add_json(&b, str_c(session));
    buf_add(&b, STR(",\"courseId\":\"cats\",\"messages\":[{\"id\":"));
    buf_add_json(&b, str_c(question));
    buf_add(&b, STR(",\"role\":\"user\",\"parts\":[{\"type\":\"text\","
                    "\"text\":"));
    buf_add_json(&b, str_c(text));
    buf_add(&b, STR("}]}]"));
    for (const char *p = more; p && *p; p++)
        buf_add_c(&b, (char)(*p == '\'' ? '"' : *p));
    buf_add_c(&b, '}');
    return arena_str(&r->site.arena, buf_str(&b));
}

struct str chat_site_ask_with(struct chat_site *r, const char *session,
                              const char *question, const char *text,
                              const char *more)
{
    struct ask ask = {.method = "POST",
                      .path = "/api/chat",
                      .body = chat_site_body(r, session, question, text, more)};
    struct answer_to a = talk_ask(&r->site, 200, &ask);

    CHECK_TEXT(a.type, STR("text/event-stream"));
    return a.body;
}

struct str chat_site_ask(struct chat_site *r, const char *session,
                         const char *question, const char *text)
{
    return chat_site_ask_with(r, session, question, text, NULL);
}

/* ---- Folding ------------------------------------------------------------ */

/* The JSON of the next event, absent at [DONE]. */
static struct str next_event(struct str *rest)
{
    while (rest->n) {
        size_t n = str_find(*rest, '\n');
        struct str line = {rest->p, n};

        *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
        if (!str_starts(line, STR("data: ")))
            continue;
        line = str_skip(line, 6);
        return str_eq(line, STR("[DONE]")) ? STR_NONE : line;
    }
    return STR_NONE;
}

static struct json *event_json(struct chat_site *r, struct str *rest)
{
    struct str event = next_event(rest);

    return event.p ? site_json(&r->site, event) : NULL;
}

const char *stream_types(struct chat_site *r, struct str stream)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);
    struct json *e;

    while ((e = event_json(r, &stream))) {
        if (b.n)
            buf_add_c(&b, ' ');
        buf_add(&b, json_get(e, STR("type"))->s);
    }
    return arena_str(&r->site.arena, b.n ? buf_str(&b) : STR("")).p;
}

const char *stream_text(struct chat_site *r, struct str stream)
{
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);
    struct json *e;

    while ((e = event_json(r, &stream)))
        if (json_get(e, STR("delta")))
            buf_add(&b, json_get(e, STR("delta"))->s);
    return arena_str(&r->site.arena, b.n ? buf_str(&b) : STR("")).p;
}

struct str stream_delta(struct chat_site *r, struct str *rest)
{
    struct json *e;

    while ((e = event_json(r, rest)))
        if (json_get(e, STR("delta")))
            return json_get(e, STR("delta"))->s;
    return STR_NONE;
}

const char *stream_answer_id(struct chat_site *r, struct str stream)
{
    struct json *e = event_json(r, &stream);

    CHECK(e && json_get(e, STR("messageId")));
    return arena_str(&r->site.arena, json_get(e, STR("messageId"))->s).p;
}

/* The text part stands where it began. */
static void add_part(struct buf *b, struct json *e, struct str text)
{
    struct str type = json_get(e, STR("type"))->s;

    if (str_eq(type, STR("text-start"))) {
        buf_add(b, b->n > 1 ? STR(",") : STR(""));
        buf_add(b, STR("{\"type\":\"text\",\"text\":"));
        buf_add_json(b, text);
        buf_add(b, STR(",\"state\":\"done\"}"));
    } else if (str_starts(type, STR("data-")) ||
               str_starts(type, STR("source-"))) {
        buf_add(b, b->n > 1 ? STR(",") : STR(""));
        buf_add(b, e->raw);
    }
}

const char *stream_parts(struct chat_site *r, struct str stream)
{
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);
    struct str text = str_c(stream_text(r, stream));
    struct str out;
    struct json *e;
    char *p;

    buf_add_c(&b, '[');
    while ((e = event_json(r, &stream)))
        add_part(&b, e, text);
    buf_add_c(&b, ']');
    out = arena_str(&r->site.arena, buf_str(&b));
    memcpy(&p, &out.p, sizeof(p));
    for (size_t i = 0; i < out.n; i++)
        if (p[i] == '"')
            p[i] = '\'';
    return p;
}

/* ---- Viewers ------------------------------------------------------------ */

static void viewer_open(struct viewer *v, struct chat_site *r)
{
    client_open(&v->client, r->site.served.port);
    v->seen = BUF((size_t)64 * 1024 * 1024);
}

void viewer_ask(struct viewer *v, struct chat_site *r, struct str body)
{
    struct str head = arena_printf(
        &r->site.arena,
        "POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/json\r\nContent-Length: %zu\r\n\r\n",
        body.n);

    viewer_open(v, r);
    client_send(&v->client, head);
    client_send(&v->client, body);
}

void viewer_watch(struct viewer *v, struct chat_site *r, const char *session)
{
    viewer_open(v, r);
    client_send(&v->client,
                arena_printf(&r->site.arena,
                             "GET /api/chat/%s/stream HTTP/1.1\r\nHost: "
                             "localhost\r\n\r\n",
                             session));
}

static bool has(const struct viewer *v, const char *text)
{
    return v->client.in.n &&
           memmem(v->client.in.p, v->client.in.n, text, strlen(text));
}

void viewer_await(struct viewer *v, const char *text)
{
    while (!has(v, text))
        if (client_read(&v->client, test_wait_ms()) <= 0)
            FAIL("the stream ended before %s: %.*s", text, (int)v->client.in.n,
                 v->client.in.p);
}

bool viewer_end(struct viewer *v)
{
    struct response a;
    bool whole = client_answer(&v->client, &a);

    buf_reset(&v->seen);
    buf_add(&v->seen, a.body);
    return whole && a.whole;
}

void viewer_close(struct viewer *v)
{
    buf_free(&v->seen);
    client_close(&v->client);
}
