/* work.c - the requests: messages with five sources, and their histories.
 *
 * Everything is made from numbers, so that every engine gets the same.  A
 * history is read as the web page reads it: 250 sources, each of them as a part
 * for our own clients and as one for any other, are 129 KB. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { BODY_BYTES = 8 * 1024, COURSE_SOURCES = 2000 };

static const char *const words[] = {
    "entropy", "measures", "how",    "many",   "states",  "a",
    "system",  "may",      "have",   "while",  "energy",  "stays",
    "the",     "same",     "across", "closed", "surfaces"};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

struct text {
    char *p;
    size_t n, size;
};

static struct text text_in(char *p, size_t size)
{
    return (struct text){p, 0, size};
}

__attribute__((format(printf, 2, 3))) static void add(struct text *t,
                                                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->n += (size_t)vsnprintf(t->p + t->n, t->size - t->n, format, args);
    va_end(args);
    if (t->n >= t->size)
        die("a request", "is longer than its buffer");
}

static void add_words(struct text *t, uint64_t seed, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add(t, "%s%s", i ? " " : "",
            words[(seed * 7 + i * (seed % 5 + 1)) % WORDS]);
}

/* Some sources are cited again and again. */
static void add_source(struct text *t, uint64_t number)
{
    add(t,
        "{\"sourceId\":\"deck-%u-%u\",\"sourceType\":\"slide\","
        "\"documentId\":\"deck-%u\",\"slideNumber\":%u,"
        "\"title\":\"Lecture %u\",\"contentPreview\":\"",
        (unsigned)(number / 40), (unsigned)(number % 40),
        (unsigned)(number / 40), (unsigned)(number % 40 + 1),
        (unsigned)(number / 40));
    add_words(t, number, 10);
    add(t, "\"}");
}

static void add_message(struct text *t, uint64_t n)
{
    add(t, "{\"role\":\"assistant\",\"content\":\"");
    for (unsigned i = 0; i < SOURCES; i++) {
        add_words(t, n * SOURCES + i, 6);
        add(t, " [%u]. ", i + 1);
    }
    add(t, "\",\"sources\":[");
    for (unsigned i = 0; i < SOURCES; i++) {
        add(t, i ? "," : "");
        add_source(t, (n * 13 + i * UINT64_C(401)) % COURSE_SOURCES);
    }
    add(t, "]}");
}

size_t work_save(void *arg, uint64_t n, char *out, size_t size)
{
    const struct work *w = arg;
    char body[BODY_BYTES];
    struct text b = text_in(body, sizeof(body)), t = text_in(out, size);

    add_message(&b, n);
    add(&t,
        "POST /api/sessions/%c%llu/messages HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
        w->prefix, (unsigned long long)(n % w->sessions), b.n, body);
    return t.n;
}

void work_path(char prefix, uint64_t session, char *out, size_t size)
{
    (void)snprintf(out, size, "/api/sessions/%c%llu/messages?as=ui", prefix,
                   (unsigned long long)session);
}

size_t work_read(void *arg, uint64_t n, char *out, size_t size)
{
    const struct work *w = arg;
    struct text t = text_in(out, size);
    char path[128];

    work_path(w->prefix, n % w->sessions, path, sizeof(path));
    add(&t, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    return t.n;
}
