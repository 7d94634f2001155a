/* attacks.c - what one hostile account does while others work.
 *
 * Each was seen to stop everybody once.  Bodies are made once and sent again
 * and again, with other ids where the server would know a repeat. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

struct text {
    char *p;
    size_t n, size;
};

static void add(struct text *t, const char *s, size_t times)
{
    size_t bytes = strlen(s);

    while (t->n + bytes * times + 1 > t->size) {
        t->size = t->size ? 2 * t->size : 4096;
        t->p = realloc(t->p, t->size);
        if (!t->p)
            die("a body", "out of memory");
    }
    for (size_t i = 0; i < times; i++, t->n += bytes)
        memcpy(t->p + t->n, s, bytes);
    t->p[t->n] = '\0';
}

static struct text marked, tree, attributes, prose, anonymous;

static long post(void *curl, const struct site *s, const char *path,
                 const char *type, const struct text *body)
{
    return http_ask(curl, s,
                    &(struct http_call){.method = "POST",
                                        .path = path,
                                        .key = s->mallory,
                                        .type = type,
                                        .body = body->p,
                                        .body_bytes = body->n});
}

/* Markers times bytes of previews. */
static long send_markers(void *curl, const struct site *s, unsigned n)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "/api/sessions/storm-%u/messages", n);
    return post(curl, s, path, NULL, &marked);
}

/* JSON whose tree is many times its bytes. */
static long send_tree(void *curl, const struct site *s, unsigned n)
{
    (void)n;
    return post(curl, s, "/api/chat", NULL, &tree);
}

static long send_anonymous(void *curl, const struct site *s, unsigned n)
{
    (void)n;
    return http_ask(curl, s,
                    &(struct http_call){.method = "POST",
                                        .path = "/v1/chat/completions",
                                        .body = anonymous.p,
                                        .body_bytes = anonymous.n});
}

static long send_file(void *curl, const struct site *s, unsigned n,
                      const char *ending, const char *type,
                      const struct text *bytes)
{
    struct text body = {NULL, 0, 0};
    char path[PATH_BYTES], first[64];
    long status;

    (void)snprintf(first, sizeof(first), "<p>File %u</p>\n", n);
    add(&body, first, 1);
    add(&body, bytes->p, 1);
    (void)snprintf(path, sizeof(path),
                   "/api/courses/%s/documents?filename=f%u.%s", s->course, n,
                   ending);
    status = post(curl, s, path, type, &body);
    free(body.p);
    return status;
}

/* Documents of many passages, and a search right behind each. */
static long send_documents(void *curl, const struct site *s, unsigned n)
{
    long status = send_file(curl, s, n, "txt", "text/plain", &prose);
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path),
                   "/api/search?courseId=%s&q=storm+and+sea", s->course);
    (void)http_ask(
        curl, s,
        &(struct http_call){.method = "GET", .path = path, .key = s->mallory});
    return status;
}

/* An element with so many attributes that comparing them takes long. */
static long send_attributes(void *curl, const struct site *s, unsigned n)
{
    return send_file(curl, s, n, "html", "text/html", &attributes);
}

static long ask_questions(void *curl, const struct site *s, unsigned n)
{
    struct text body = {NULL, 0, 0};
    char text[256];
    long status;

    (void)snprintf(text, sizeof(text),
                   "{\"thread_id\":\"turn-%u\",\"course_id\":\"%s\","
                   "\"query\":\"When did the storm come to the sea?\"}",
                   n, s->course);
    add(&body, text, 1);
    status = post(curl, s, "/api/query", NULL, &body);
    free(body.p);
    return status;
}

const struct attack attacks[] = {
    {"markers and previews", send_markers, 4, 25},
    {"trees of JSON", send_tree, 8, 25},
    {"large bodies of nobody", send_anonymous, 20, 0},
    {"documents and searches", send_documents, 4, 12},
    {"attributes", send_attributes, 4, 25},
    {"questions", ask_questions, 8, 25},
};
const size_t attacks_n = sizeof(attacks) / sizeof(attacks[0]);

void attacks_make(void)
{
    char line[64];

    add(&marked,
        "{\"role\":\"assistant\",\"sources\":[{\"sourceType\":\"slide\","
        "\"documentId\":\"d\",\"slideNumber\":1,\"contentPreview\":\"",
        1);
    add(&marked, "The storm came. ", 4 * 1024);
    add(&marked, "\"}],\"content\":\"", 1);
    add(&marked, "The storm came [1]. ", 40 * 1024);
    add(&marked, "\"}", 1);
    add(&tree, "{\"id\":\"x\",\"messages\":[", 1);
    add(&tree, "[],", 5 * 1024 * 1024);
    add(&tree, "[]]}", 1);
    add(&anonymous, "{\"messages\":[", 1);
    add(&anonymous, "[],", 10 * 1024 * 1024);
    add(&anonymous, "[]]}", 1);
    for (unsigned i = 0; i < 6000; i++) {
        (void)snprintf(line, sizeof(line),
                       "The storm %u came to the sea and went at %u. ", i,
                       i * 7);
        add(&prose, line, 1);
        if (i % 5 == 4)
            add(&prose, "\n\n", 1);
    }
    add(&attributes, "<div", 1);
    for (unsigned i = 0; i < 90 * 1000; i++) {
        (void)snprintf(line, sizeof(line), " a%u=x", i);
        add(&attributes, line, 1);
    }
    add(&attributes, ">The storm came.</div>", 1);
}
