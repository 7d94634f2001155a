/* routes.c - rows for tests of the server itself, without the API. */
#include "routes.h"

#include <stdlib.h>

#include "http/call/caller.h"
#include "store/session/session.h"

struct test_seen test_seen;

void test_wait(_Atomic int *value, int least)
{
    WAIT_UNTIL(*value >= least);
}

/* ---- Answers at once ---------------------------------------------------- */

static void echo(struct request *r)
{
    struct str s = r->method == METHOD_POST ? r->body : r->query;

    reply_header(r, STR("X-Method"), str_c(method_name(r->method)));
    reply_text(r, 200, STR("text/plain"), s);
}

static void item(struct request *r)
{
    reply_text(r, 200, STR("text/plain"), r->params[0]);
}

static void item_gone(struct request *r)
{
    reply_empty(r, 204);
}

static void silent(struct request *r)
{
    (void)r;
}

static struct str big;

static void make_big(void)
{
    static char bytes[TEST_BIG_BYTES];

    for (size_t i = 0; i < TEST_BIG_BYTES; i++)
        bytes[i] = (char)('a' + i % 26);
    big = (struct str){bytes, TEST_BIG_BYTES};
}

static void send_big(struct request *r)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_big);
    reply_text(r, 200, STR("application/octet-stream"), big);
}

static void json(struct request *r)
{
    struct buf b = BUF(TEST_TEXT_BYTES);

    buf_add(&b, STR("[0"));
    for (int i = 1; i < 1000; i++)
        buf_printf(&b, ",%d", i);
    buf_add(&b, STR("]"));
    reply_cached(r, &b);
}

static void part(struct request *r)
{
    reply_range(r, STR("text/plain"), STR("0123456789"), STR("\"v1\""));
}

static void inject(struct request *r)
{
    reply_header(r, STR("X-Bad"), STR("a\r\nSet-Cookie: b"));
    reply_header(r, STR("X-Good"), STR("yes"));
    reply_empty(r, 200);
}

/* More than an answer's headers may be: it cannot go out. */
static void too_many_headers(struct request *r)
{
    for (int i = 0; i < 1000; i++)
        reply_header(r, STR("X-Many"), STR("0123456789"));
    reply_empty(r, 200);
}

/* An arena that is full must still let the error out. */
static void no_memory(struct request *r)
{
    struct footnote_err err;

    CHECK(!arena_alloc(&r->arena, REQUEST_ARENA_BYTES));
    reply_rc(r, arena_rc(&r->arena, &err), &err, NULL);
}

/* ---- Answers later ------------------------------------------------------ */

static void work(struct request *r)
{
    reply_text(r, 200, STR("text/plain"), r->query);
}

static void send_to_work(struct request *r)
{
    request_work(r, work);
}

static void hold(struct request *r)
{
    int mine = ++test_seen.works;

    test_wait(&test_seen.release, mine);
    reply_text(r, 200, STR("text/plain"), STR("held"));
}

static void send_to_hold(struct request *r)
{
    request_work(r, hold);
}

static void saved(struct request *r)
{
    struct session_put *op = r->state;

    if (r->rc != FOOTNOTE_OK)
        reply_rc(r, r->rc, &r->err, "session");
    else
        reply_text(r, 201, STR("text/plain"), str_c(op->id_text));
}

static void save(struct request *r)
{
    struct session_put *op = arena_new(&r->arena, struct session_put);

    op->id = r->query;
    r->state = op;
    request_write(r, OP(session_put), op, saved);
}

/* ---- Streams ------------------------------------------------------------ */

static char piece[TEST_PIECE_BYTES];
struct lines {
    int at, n;
};

static void on_stop(struct request *r, void *arg)
{
    (void)r;
    (void)arg;
    test_seen.stops++;
}

static void count_down(struct request *r, void *arg)
{
    int *left = arg;
    char text[16];

    if (*left == 0) {
        stream_end(r, true);
        return;
    }
    snprintf(text, sizeof(text), "%d ", (*left)--);
    if (stream_send(r, str_c(text)))
        stream_send(r, STR("")); /* which is no end */
}

/* ?N: N pieces, each when the one before is out. */
static void send_count(struct request *r)
{
    int *left = arena_new(&r->arena, int);

    *left = (int)strtol(r->query.p, NULL, 10);
    stream_begin(r, 200, STR("text/event-stream"), count_down, on_stop, left);
}

static void fill(struct request *r, void *arg)
{
    (void)arg;
    while (stream_send(r, (struct str){piece, sizeof(piece)}))
        test_seen.sent += (long)sizeof(piece);
    test_seen.refusals++;
}

/* As much as it takes, for ever. */
static void send_endless(struct request *r)
{
    if (stream_begin(r, 200, STR("text/plain"), fill, on_stop, NULL))
        fill(r, NULL);
}

/* Lines of numbers, each at once or when the one before is out. */
static void send_lines(struct request *r, void *arg)
{
    struct lines *l = arg;
    bool gone = true;
    char line[TEST_LINE_BYTES + 1];

    while (gone && l->at < l->n) {
        snprintf(line, sizeof(line), "%0*d\n", TEST_LINE_BYTES - 1, l->at++);
        gone = stream_send_now(r, str_c(line));
        test_seen.refusals += !gone;
    }
    if (gone)
        stream_end(r, true);
}

/* ?N: so many of them. */
static void send_now(struct request *r)
{
    struct lines *l = arena_new(&r->arena, struct lines);

    *l = (struct lines){.n = (int)strtol(r->query.p, NULL, 10)};
    stream_begin(r, 200, STR("text/plain"), send_lines, on_stop, l);
}

static void crash(struct request *r, void *arg)
{
    (void)arg;
    if (stream_send(r, STR("half")))
        stream_end(r, false);
}

static void send_crash(struct request *r)
{
    stream_begin(r, 200, STR("text/plain"), crash, on_stop, NULL);
}

/* Ends before anything is out, in the handler itself. */
static void send_at_once(struct request *r)
{
    if (!stream_begin(r, 200, STR("text/plain"), fill, on_stop, NULL))
        return;
    stream_send(r, STR("all"));
    stream_end(r, true);
}

static void wait_quietly(struct request *r, void *arg)
{
    (void)r;
    (void)arg;
    test_seen.works++;
}

/* Sends nothing. */
static void send_nothing(struct request *r)
{
    stream_begin(r, 200, STR("text/plain"), wait_quietly, on_stop, NULL);
}

/* ---- The table ---------------------------------------------------------- */

#define ROW(method, path, bytes, fn)                                           \
    {                                                                          \
        METHOD_##method, path, ACCESS_PUBLIC, bytes, fn, "", ""                \
    }

const struct route test_routes[] = {
    ROW(GET, "/healthz", 0, echo),
    ROW(GET, "/test/echo", 0, echo),
    ROW(POST, "/test/echo", TEST_BODY_BYTES, echo),
    ROW(POST, "/test/json", HTTP_JSON_BYTES_MAX, echo),
    ROW(GET, "/test/items/{id}", 0, item),
    ROW(DELETE, "/test/items/{id}", 0, item_gone),
    ROW(GET, "/test/silent", 0, silent),
    ROW(GET, "/test/big", 0, send_big),
    ROW(GET, "/test/json", 0, json),
    ROW(GET, "/test/part", 0, part),
    ROW(GET, "/test/inject", 0, inject),
    ROW(GET, "/test/headers", 0, too_many_headers),
    ROW(GET, "/test/memory", 0, no_memory),
    ROW(GET, "/test/work", 0, send_to_work),
    ROW(GET, "/test/held", 0, send_to_hold),
    {METHOD_POST, "/test/save", ACCESS_USER, 0, save, "", ""},
    {METHOD_GET, "/test/user", ACCESS_USER, 0, echo, "", ""},
    ROW(GET, "/stream/count", 0, send_count),
    ROW(GET, "/stream/endless", 0, send_endless),
    ROW(GET, "/stream/now", 0, send_now),
    ROW(GET, "/stream/crash", 0, send_crash),
    ROW(GET, "/stream/at-once", 0, send_at_once),
    ROW(GET, "/stream/nothing", 0, send_nothing),
};
const size_t test_routes_n = sizeof(test_routes) / sizeof(test_routes[0]);

struct served test_served(void)
{
    struct served s = SERVED;

    s.routes = test_routes;
    s.routes_n = test_routes_n;
    return s;
}
