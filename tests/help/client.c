/* client.c - a server in this process, and a client that sends raw bytes. */
#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cli/services.h"
#include "contract.h"
#include "store/store.h"

enum {
    ANSWER_BYTES_MAX = 256 * 1024 * 1024,
    READ_AT_ONCE = 256 * 1024,
    SIZE_LINE = 32, /* of a chunk */
    MEGABYTE = 1024 * 1024,
    MINUTE_MS = 60 * 1000
};

/* ---- A server ----------------------------------------------------------- */

const struct served SERVED = {
    .config = {.listen = {"127.0.0.1:0", 11},
               .auth = CONFIG_AUTH_NONE,
               .loops = 2,
               .workers = 2,
               .body_bytes_max = MEGABYTE,
               .upload_bytes_max = (int64_t)512 * MEGABYTE,
               .chat_bytes_max = (int64_t)32 * MEGABYTE,
               .turn_ms_max = MINUTE_MS,
               .connections_max = 20000,
               .connections_per_address = 1024,
               .head_ms = MINUTE_MS,
               .body_gap_ms = MINUTE_MS,
               .idle_ms = MINUTE_MS,
               .grace_ms = MINUTE_MS,
               .cache_bytes = MEGABYTE,
               .index_bytes = (int64_t)1024 * MEGABYTE,
               .index_wait_ms = MINUTE_MS}};

static const char *relaxed_url(char *out, size_t n)
{
    snprintf(out, n, "%s%cdurability=relaxed", test_url(),
             strchr(test_url(), '?') ? '&' : '?');
    return out;
}

/* In a folder; or in a bucket where the test says, or else tests/s3. */
static void set_objects(struct served *s)
{
    struct str endpoint = s->config.s3_endpoint;

    if (!endpoint.p)
        endpoint = str_c(getenv("TEST_S3"));
    s->config.data = str_c(test_dir());
    if (!endpoint.p) {
        s->config.objects =
            arena_printf(&s->arena, "files:%s/objects", test_dir());
        return;
    }
    s->config.objects = arena_printf(&s->arena, "s3://bucket/%lld-%d",
                                     (long long)clock_wall_ms(), (int)getpid());
    s->config.s3_endpoint = endpoint;
    s->config.s3_key_id = s->config.s3_secret = STR("S3RVER");
}

void served_open(struct served *s)
{
    struct footnote_err err;
    char url[512];

    log_setup(STDERR_FILENO, LOG_ERROR, LOG_AUTO);
    s->arena = ARENA(MEGABYTE);
    set_objects(s);
    CHECK_OK(store_open(s->relaxed ? relaxed_url(url, sizeof(url)) : test_url(),
                        &s->services.store, &err),
             &err);
    CHECK_OK(services_open(&s->arena, &s->config, &s->services, &err), &err);
    CHECK_OK(serve_open(&s->config, &s->services, &s->server, &err), &err);
    s->store = s->services.store;
    s->objects = s->services.objects;
    if (s->routes)
        server_use_routes(s->server, s->routes, s->routes_n);
    s->port = server_port(s->server);
}

static void *run(void *server)
{
    server_run(server);
    return NULL;
}

void served_run(struct served *s)
{
    pthread_attr_t a;

    pthread_attr_init(&a);
    if (s->stack_bytes)
        pthread_attr_setstacksize(&a, s->stack_bytes);
    CHECK_INT(pthread_create(&s->thread, &a, run, s->server), 0);
    pthread_attr_destroy(&a);
}

void served_start(struct served *s)
{
    served_open(s);
    served_run(s);
}

void served_close(struct served *s)
{
    serve_close(s->server);
    services_close(&s->services);
    store_close(s->store);
    arena_free(&s->arena);
}

void served_stop(struct served *s)
{
    server_stop(s->server);
    pthread_join(s->thread, NULL);
    served_close(s);
}

/* ---- Memory ------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

long client_memory(void)
{
    struct rusage now;

    CHECK_INT(getrusage(RUSAGE_SELF, &now), 0);
    return now.ru_maxrss;
}

void client_check_memory(long before, long more_kb)
{
    long grown = client_memory() - before;

    if (!SANITIZED && grown >= more_kb)
        FAIL("%ld KB more, not less than %ld", grown, more_kb);
}

/* ---- Bytes -------------------------------------------------------------- */

void client_read_little(struct client *c)
{
    int bytes = 16 * 1024;

    CHECK_INT(setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)),
              0);
}

bool client_try_open(struct client *c, int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;

    *c = (struct client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                         .in = BUF(ANSWER_BYTES_MAX)};
    if (c->fd < 0)
        return false;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connect(c->fd, (struct sockaddr *)&a, sizeof(a)) == 0)
        return true;
    close(c->fd);
    c->fd = -1;
    return false;
}

void client_open(struct client *c, int port)
{
    CHECK(client_try_open(c, port));
}

void client_close(struct client *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    buf_free(&c->in);
}

void client_reset(struct client *c)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};

    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    client_close(c);
}

void client_send(struct client *c, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = send(c->fd, bytes.p, bytes.n, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            c->reset = true;
            return;
        }
        bytes = str_skip(bytes, (size_t)n);
    }
}

void client_half_close(struct client *c)
{
    CHECK_INT(shutdown(c->fd, SHUT_WR), 0);
}

long client_read(struct client *c, int ms)
{
    static _Thread_local char bytes[READ_AT_ONCE];
    struct pollfd p = {.fd = c->fd, .events = POLLIN};
    ssize_t n;

    if (poll(&p, 1, ms) != 1)
        return -1;
    n = recv(c->fd, bytes, sizeof(bytes), 0);
    c->reset |= n < 0;
    if (n <= 0)
        return 0;
    buf_add(&c->in, (struct str){bytes, (size_t)n});
    return (long)n;
}

bool client_sees_end(struct client *c, int ms)
{
    int64_t until = clock_mono_ms() + ms;
    int64_t left;

    while ((left = until - clock_mono_ms()) > 0)
        if (client_read(c, (int)left) == 0)
            return true;
    return false;
}

bool client_is_quiet(struct client *c, int ms)
{
    return c->in.n == c->taken && client_read(c, ms) == -1;
}

/* ---- Answers ------------------------------------------------------------ */

struct str response_header(const struct response *a, const char *name)
{
    struct str rest = a->head;
    size_t n = strlen(name);

    while (rest.n) {
        size_t end = str_find(rest, '\r');

        if (end > n && rest.p[n] == ':' && strncasecmp(rest.p, name, n) == 0) {
            struct str v = {rest.p + n + 1, end - n - 1};

            return v.n && *v.p == ' ' ? str_skip(v, 1) : v;
        }
        rest = str_skip(rest, end + 2 <= rest.n ? end + 2 : rest.n);
    }
    return STR_NONE;
}

static bool is_bodiless(const struct response *a)
{
    return a->status == 204 || a->status == 304 || a->status < 200;
}

/* Takes the chunks in place; false: not all are there. */
static bool take_chunks(struct str s, char *to, struct response *out)
{
    const char *start = s.p;
    size_t n = 0;

    for (;;) {
        const char *line =
            memmem(s.p, s.n < SIZE_LINE ? s.n : SIZE_LINE, "\r\n", 2);
        char *end;
        size_t size = line ? strtoul(s.p, &end, 16) : 0;

        out->body = (struct str){to, n};
        if (!line || s.n < (size_t)(line - s.p) + 2 + size + 2)
            return false;
        CHECK(end == line);
        memmove(to + n, line + 2, size);
        n += size;
        s = str_skip(s, (size_t)(line - s.p) + 2 + size + 2);
        if (size > 0)
            continue;
        out->body = (struct str){to, n};
        out->bytes = out->head.n + (size_t)(s.p - start);
        return true;
    }
}

static bool has_last_chunk(struct str s)
{
    return str_starts(s, STR("0\r\n\r\n")) ||
           (s.n && memmem(s.p, s.n, "\r\n0\r\n\r\n", 7));
}

/* Decoding spoils the bytes, so a copy shows first whether all are there. */
static bool take_all_chunks(struct str s, struct response *out)
{
    AUTO(buf_free) struct buf copy = BUF(ANSWER_BYTES_MAX);

    buf_add(&copy, s);
    return take_chunks(buf_str(&copy), copy.p, out) &&
           take_chunks(s, (char *)(uintptr_t)s.p, out);
}

static bool take_body(struct client *c, struct response *out, bool head_only)
{
    struct str rest = {c->in.p + out->head.n, c->in.n - out->head.n};
    struct str length = response_header(out, "content-length");
    int64_t n = 0;

    out->bytes = out->head.n;
    out->body = STR("");
    if (head_only || is_bodiless(out))
        return true;
    if (response_header(out, "transfer-encoding").p)
        return has_last_chunk(rest) && take_all_chunks(rest, out);
    CHECK(!length.p || str_i64(length, &n));
    if (rest.n < (size_t)n)
        return false;
    out->body = (struct str){rest.p, (size_t)n};
    out->bytes += (size_t)n;
    return true;
}

static bool take_answer(struct client *c, struct response *out, bool head_only)
{
    const char *end = c->in.n ? memmem(c->in.p, c->in.n, "\r\n\r\n", 4) : NULL;

    if (!end)
        return false;
    *out = (struct response){.head = {c->in.p, (size_t)(end - c->in.p) + 4}};
    CHECK(str_starts(out->head, STR("HTTP/1.1 ")));
    out->status = (int)strtol(c->in.p + 9, NULL, 10);
    out->closes = str_eq(response_header(out, "connection"), STR("close"));
    out->whole = take_body(c, out, head_only);
    return out->whole;
}

/* The last answer's bytes go when the next is asked for. */
static bool next_answer(struct client *c, struct response *out, bool head_only)
{
    if (c->taken) {
        c->in.n -= c->taken;
        memmove(c->in.p, c->in.p + c->taken, c->in.n);
        c->taken = 0;
    }
    *out = (struct response){.status = 0};
    while (!take_answer(c, out, head_only)) {
        long n = client_read(c, test_wait_ms());

        CHECK(n >= 0);
        if (n == 0)
            return false;
    }
    c->taken = out->bytes;
    return true;
}

bool client_answer(struct client *c, struct response *out)
{
    return next_answer(c, out, false);
}

bool client_head(struct client *c, struct response *out)
{
    return next_answer(c, out, true);
}

struct response client_get(struct client *c, const char *path)
{
    char text[1024];
    struct response a = {.status = 0};

    snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
             path);
    client_send(c, str_c(text));
    CHECK(client_answer(c, &a));
    return a;
}

int client_once(int port, const char *path)
{
    struct client c;
    int status;

    client_open(&c, port);
    status = client_get(&c, path).status;
    client_close(&c);
    return status;
}
