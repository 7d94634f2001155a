/* dense_test.c - vectors from an endpoint of our own, which knows that a car
 * is an automobile, and what happens when it fails. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "retrieve/search/search.h"
#include "retrieve_help.h"

/* ---- The endpoint -------------------------------------------------------- */

static int listening;
static _Atomic int requests, status = 200;
static const char *_Atomic instead; /* what it answers, whatever was asked */

static bool has(struct str s, const char *word)
{
    return memmem(s.p, s.n, word, strlen(word)) != NULL;
}

static void add_vector(struct json_out *w, size_t i, struct str text)
{
    bool wheels = has(text, "car") || has(text, "automobile");
    bool fruit = has(text, "apple") || has(text, "pear");

    json_object(w);
    json_key(w, STR("index"));
    json_i64(w, (int64_t)i);
    json_key(w, STR("embedding"));
    json_array(w);
    json_f64(w, wheels ? 2 : 0.1);
    json_f64(w, fruit ? 2 : 0.1);
    json_i64(w, 0);
    json_end(w, ']');
    json_end(w, '}');
}

static void answer(struct buf *b, struct str body)
{
    struct arena a = ARENA(1 << 20);
    struct json_out w = JSON_OUT(b);
    struct json *o;
    size_t i = 0;

    CHECK_OK(json_read(&a, body, &o, &err), &err);
    CHECK_TEXT(json_get(o, STR("model"))->s, STR("small"));
    json_object(&w);
    json_key(&w, STR("data"));
    json_array(&w);
    for (struct json *t = json_get(o, STR("input"))->first; t; t = t->next)
        add_vector(&w, i++, t->s);
    json_end(&w, ']');
    json_end(&w, '}');
    arena_free(&a);
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
            break;
        n += (size_t)got;
        text[n] = '\0';
        end = strstr(text, "\r\n\r\n");
        field = strcasestr(text, "content-length:");
        length = field ? strtoul(field + 15, NULL, 10) : 0;
    }
    return end ? (struct str){end + 4, length} : STR("{}");
}

static void *serve(void *arg)
{
    static char text[1 << 20];

    (void)arg;
    for (;;) {
        struct buf b = BUF(1 << 20);
        int fd = accept(listening, NULL, NULL);
        struct str body;

        if (fd < 0)
            return NULL;
        body = read_body(fd, text, sizeof(text));
        requests++;
        if (instead)
            buf_add(&b, str_c(instead));
        else
            answer(&b, body);
        dprintf(fd,
                "HTTP/1.1 %d x\r\nContent-Length: %zu\r\nConnection: "
                "close\r\n\r\n%.*s",
                status, b.n, STR_ARG(buf_str(&b)));
        buf_free(&b);
        close(fd);
    }
}

/* A retriever with the endpoint, for the store that is open. */
static void open_dense(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);
    static char url[64];
    struct retriever_options o = {.embeddings_url = url,
                                  .embeddings_model = "small"};
    pthread_t thread;

    listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(bind(listening, (struct sockaddr *)&at, n), 0);
    CHECK_INT(listen(listening, 8), 0);
    getsockname(listening, (struct sockaddr *)&at, &n);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1", ntohs(at.sin_port));
    CHECK_INT(pthread_create(&thread, NULL, serve, NULL), 0);
    pthread_detach(thread);
    retriever_close(re);
    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
}

/* ---- Tests --------------------------------------------------------------- */

RETRIEVED(a_vector_finds_what_words_do_not)
{
    struct search s;
    int before;

    open_dense();
    course(ANN, "c");
    text(ANN, "c", "a", "my car is in the garage");
    text(ANN, "c", "b", "pears grow on trees");
    s = search(ANN, "c", "automobile");
    CHECK_INT(s.hits_n, 0);
    dense_wait_idle(re->dense);
    s = search(ANN, "c", "automobile");
    CHECK_STR(hit_id(&s, 0), "a");
    before = requests;
    text(ANN, "c", "d", "an old car without wheels");
    (void)search(ANN, "c", "automobile");
    dense_wait_idle(re->dense);
    CHECK_INT(requests, before + 2); /* the question and the new passage */
    s = search(ANN, "c", "automobile");
    CHECK(has_hit(&s, "a") && has_hit(&s, "d"));
    delete (ANN, "a");
    s = search(ANN, "c", "automobile");
    CHECK(!has_hit(&s, "a") && has_hit(&s, "d"));
}

RETRIEVED(a_failing_endpoint_fails_no_search)
{
    static const char *const answers[] = {
        "",
        "not JSON",
        "{}",
        "{\"data\":[]}",
        "{\"data\":[{\"embedding\":[]}]}",
        "{\"data\":[{\"embedding\":[\"x\"]}]}",
        "{\"data\":[{\"index\":9,\"embedding\":[1]}]}"};
    struct embedder e = {.model = "small"};
    struct str one = STR("one");
    struct search s;
    struct embedding op = {.texts = &one, .n = 1, .timeout_ms = 5000};

    open_dense();
    course(ANN, "c");
    text(ANN, "c", "a", "my car is in the garage");
    (void)search(ANN, "c", "car");
    dense_wait_idle(re->dense);
    status = 500;
    s = search(ANN, "c", "garage");
    CHECK_STR(hit_id(&s, 0), "a");
    status = 200;
    e.url = "http://127.0.0.1:1/";
    CHECK_INT(embed(&e, &out, &op, &err), FOOTNOTE_BUSY);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct sockaddr_in at = {.sin_port = 0};
        socklen_t n = sizeof(at);
        char url[64];

        getsockname(listening, (struct sockaddr *)&at, &n);
        snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(at.sin_port));
        e.url = url;
        instead = answers[i];
        CHECK_INT(embed(&e, &out, &op, &err), FOOTNOTE_BUSY);
    }
}
