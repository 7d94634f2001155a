/* scripted_endpoint.c - an embedder and a reranker in a thread of the test. */
#include "scripted_endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "test.h"

static struct scripted script;
static int listening;

/* ---- Vectors ------------------------------------------------------------- */

static uint32_t mix(uint32_t h, unsigned char c)
{
    return (h ^ c) * 16777619u;
}

/* Each three letters add to one number. */
static void add_grams(float *v, size_t size, struct str model, struct str text)
{
    uint32_t salt = 2166136261u;

    for (size_t i = 0; i < model.n; i++)
        salt = mix(salt, (unsigned char)model.p[i]);
    for (size_t i = 0; i + 3 <= text.n; i++) {
        uint32_t h = salt;

        for (size_t k = 0; k < 3; k++)
            h = mix(h, (unsigned char)(text.p[i + k] | 0x20));
        v[h % size] += 1;
    }
}

static void add_vector(struct json_out *w, size_t i, struct str model,
                       struct str text)
{
    size_t size = script.size ? (size_t)script.size : SCRIPTED_SIZE;
    float *v = calloc(size, sizeof(*v));

    v[0] = 0.01F; /* no text has no vector */
    add_grams(v, size, model, text);
    if (memmem(text.p, text.n, "automobile", 10))
        for (int n = 0; n < 20; n++)
            add_grams(v, size, model, STR(" my car is"));
    json_object(w);
    json_key(w, STR("index"));
    json_i64(w, (int64_t)i);
    json_key(w, STR("embedding"));
    json_array(w);
    for (size_t k = 0; k < size; k++)
        json_f64(w, (double)v[k]);
    json_end(w, ']');
    json_end(w, '}');
    free(v);
}

static int embed_all(struct buf *b, const struct json *o)
{
    struct str model = json_get(o, STR("model"))->s;
    struct json_out w = JSON_OUT(b);
    size_t i = 0;

    if (script.gone && str_eq(model, str_c(script.gone)))
        return 404;
    for (struct json *t = json_get(o, STR("input"))->first; t; t = t->next)
        if (++i && ((script.longest && (int)t->s.n > script.longest) ||
                    (script.most && (int)i > script.most)))
            return 413;
    i = 0;
    json_object(&w);
    json_key(&w, STR("data"));
    json_array(&w);
    for (struct json *t = json_get(o, STR("input"))->first; t; t = t->next) {
        script.texts += !str_eq(t->s, STR("word"));
        add_vector(&w, i++, model, t->s);
    }
    json_end(&w, ']');
    json_end(&w, '}');
    return 200;
}

/* ---- Ranks --------------------------------------------------------------- */

static int rank_all(struct buf *b, const struct json *o)
{
    struct str query = json_get(o, STR("query"))->s;
    struct json_out w = JSON_OUT(b);
    int64_t i = 0;

    json_object(&w);
    json_key(&w, STR("results"));
    json_array(&w);
    for (struct json *t = json_get(o, STR("documents"))->first; t;
         t = t->next) {
        size_t shared = 0;

        for (size_t k = 0; k + 3 <= query.n; k++)
            shared += memmem(t->s.p, t->s.n, query.p + k, 3) != NULL;
        json_object(&w);
        json_key(&w, STR("index"));
        json_i64(&w, i++);
        json_key(&w, STR("relevance_score"));
        json_f64(&w, (double)shared / (double)(query.n + 1));
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_end(&w, '}');
    return 200;
}

/* ---- HTTP ---------------------------------------------------------------- */

static int answer(struct buf *b, struct str body)
{
    struct arena a = ARENA(16 << 20);
    struct footnote_err err;
    struct json *o;
    int status = script.status ? script.status : 200;

    if (script.fail_after > 0)
        script.fail_after--;
    else if (script.fail_after == 0)
        status = 503;
    if (script.instead) {
        buf_add(b, str_c(script.instead));
    } else if (status == 200) {
        CHECK_OK(json_read(&a, body, &o, &err), &err);
        status = json_get(o, STR("query")) ? rank_all(b, o) : embed_all(b, o);
    }
    arena_free(&a);
    return status;
}

/* One request with a Content-Length, as libcurl sends it. */
static struct str read_body(int fd, char *text, size_t bytes)
{
    size_t n = 0, length = 0;
    char *end = NULL;

    while (!end || n < (size_t)(end + 4 - text) + length) {
        ssize_t got = read(fd, text + n, bytes - 1 - n);
        const char *field;

        if (got <= 0)
            return STR_NONE;
        n += (size_t)got;
        text[n] = '\0';
        end = strstr(text, "\r\n\r\n");
        field = strcasestr(text, "content-length:");
        length = field ? strtoul(field + 15, NULL, 10) : 0;
    }
    return (struct str){end + 4, length};
}

static void serve_one(int fd, char *text, size_t bytes)
{
    struct buf b = BUF(16 << 20);
    struct str body = read_body(fd, text, bytes);
    char retry[64] = "";
    int status;

    if (!body.p)
        return;
    script.requests++;
    snprintf(script.last, sizeof(script.last), "%.*s", (int)body.n, body.p);
    status = answer(&b, body);
    if (script.slow_ms)
        nanosleep(&(struct timespec){script.slow_ms / 1000,
                                     script.slow_ms % 1000 * 1000000L},
                  NULL);
    if (script.retry_after)
        snprintf(retry, sizeof(retry), "Retry-After: %d\r\n",
                 script.retry_after);
    dprintf(fd,
            "HTTP/1.1 %d x\r\nContent-Length: %zu\r\n%sConnection: "
            "close\r\n\r\n",
            status, b.n, retry);
    for (size_t at = 0; at < b.n;) {
        ssize_t n = send(fd, b.p + at, b.n - at, MSG_NOSIGNAL);

        if (n <= 0)
            break;
        at += (size_t)n;
    }
    buf_free(&b);
}

static void *serve(void *arg)
{
    static char text[4 << 20];

    (void)arg;
    for (;;) {
        int fd = accept(listening, NULL, NULL);

        if (fd < 0)
            return NULL;
        serve_one(fd, text, sizeof(text));
        close(fd);
    }
}

struct scripted *scripted_open(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);
    pthread_t thread;

    if (script.url[0])
        return &script;
    script.fail_after = -1;
    listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(bind(listening, (struct sockaddr *)&at, n), 0);
    CHECK_INT(listen(listening, 64), 0);
    getsockname(listening, (struct sockaddr *)&at, &n);
    snprintf(script.url, sizeof(script.url), "http://127.0.0.1:%d/v1",
             ntohs(at.sin_port));
    CHECK_INT(pthread_create(&thread, NULL, serve, NULL), 0);
    pthread_detach(thread);
    return &script;
}
