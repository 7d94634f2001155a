/* others.c - people who save, read and ask who they are, at a steady pace. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { PAUSE_US = 10 * 1000, BODY_BYTES = 1024 };

static size_t ignore(char *p, size_t size, size_t n, void *arg)
{
    (void)p;
    (void)arg;
    return size * n;
}

long http_ask(void *curl, const struct site *s, const struct http_call *c)
{
    struct curl_slist *headers = NULL;
    char url[PATH_BYTES], line[2 * KEY_BYTES];
    long status = 0;

    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%d%s", s->port, c->path);
    if (c->key) {
        (void)snprintf(line, sizeof(line), "Authorization: Bearer %s", c->key);
        headers = curl_slist_append(headers, line);
    }
    (void)snprintf(line, sizeof(line), "Content-Type: %s",
                   c->type ? c->type : "application/json");
    headers = curl_slist_append(headers, line);
    headers = curl_slist_append(headers, "Expect:");
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, c->method);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 120L);
    if (c->body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, c->body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)c->body_bytes);
    }
    if (curl_easy_perform(curl) == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    return status;
}

static long ask_one(void *curl, const struct site *s, enum kind kind,
                    unsigned n)
{
    char path[PATH_BYTES], body[BODY_BYTES];
    struct http_call c = {
        .method = "GET", .path = path, .key = s->others[n % s->others_n]};

    (void)snprintf(path, sizeof(path), "/api/sessions/calm-%u/messages",
                   n / 20 * (unsigned)s->others_n + n % (unsigned)s->others_n);
    if (kind == KIND_ME)
        (void)snprintf(path, sizeof(path), "/api/me");
    if (kind == KIND_SAVE) {
        c.method = "POST";
        c.body = body;
        c.body_bytes = (size_t)snprintf(
            body, sizeof(body),
            "{\"role\":\"assistant\",\"content\":\"All is calm [1].\","
            "\"sources\":[{\"sourceType\":\"slide\",\"documentId\":\"d\","
            "\"slideNumber\":%u,\"contentPreview\":\"All is calm.\"}]}",
            n % 100 + 1);
    }
    return http_ask(curl, s, &c);
}

static void note(struct latencies *l, enum kind kind, double ms)
{
    size_t n = l->n[kind]++;

    if ((n & (n - 1)) == 0) /* room for a power of two */
        l->ms[kind] =
            realloc(l->ms[kind], (n ? 2 * n : 1) * sizeof(*l->ms[kind]));
    if (!l->ms[kind])
        die("latencies", "out of memory");
    l->ms[kind][n] = ms;
}

void others_ask(const struct site *s, double seconds, struct latencies *out)
{
    static unsigned n; /* sessions are new in every round */
    double end = seconds_now() + seconds;
    void *curl = curl_easy_init();

    memset(out, 0, sizeof(*out));
    for (; seconds_now() < end; n++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            struct timespec pause = {.tv_nsec = PAUSE_US * 1000L};
            double began = seconds_now();
            long status = ask_one(curl, s, kind, n);

            if (status / 100 != 2) {
                char text[32];

                (void)snprintf(text, sizeof(text), "got %ld", status);
                die("another user", text);
            }
            note(out, kind, (seconds_now() - began) * 1e3);
            nanosleep(&pause, NULL);
        }
    curl_easy_cleanup(curl);
}

void latencies_free(struct latencies *l)
{
    for (enum kind kind = 0; kind < KINDS; kind++)
        free(l->ms[kind]);
}
