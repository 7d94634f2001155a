/* child.c - the server that is measured, as a child process. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static int64_t started_us;

int64_t clock_us(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000 + t->tv_nsec / 1000 - started_us;
}

int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return clock_us(&t);
}

void clock_start(void)
{
    started_us = now_us();
}

/* ---- Starting and ending ------------------------------------------------- */

/* Waits until the demo course is read in, which is not measured. */
static void await_documents(const struct child *c)
{
    const char *body;

    do {
        usleep(50 * 1000);
        body = fetch(c->port, "/api/courses/demo/documents");
    } while (strstr(body, "\"queued\"") || strstr(body, "\"indexing\""));
}

void child_start(const struct bench *b, const struct setup *s,
                 struct child *out)
{
    char data[PATH_BYTES], model[64], url[2 * PATH_BYTES];
    const char *argv[] = {b->program,
                          "serve",
                          "--data",
                          data,
                          "--listen",
                          "127.0.0.1:0",
                          "--demo",
                          "--log-level",
                          "error",
                          "--connections-per-address",
                          "100000",
                          "--model",
                          "bench",
                          "--model-url",
                          model,
                          "--durability",
                          s->relaxed ? "relaxed" : "strict",
                          s->postgres ? "--database" : NULL,
                          url,
                          NULL};
    int fd;

    (void)snprintf(data, sizeof(data), "%s/%s", b->folder, s->name);
    (void)snprintf(model, sizeof(model), "http://127.0.0.1:%d/v1",
                   s->upstream_port);
    if (s->postgres) {
        database_make(b->postgres, s->name);
        (void)snprintf(url, sizeof(url), "postgres:///%s?host=%s&user=postgres",
                       s->name, b->postgres);
    }
    out->pid = program_start(argv, &fd);
    out->port = program_port(fd);
    close(fd);
    await_documents(out);
}

void child_stop(struct child *c)
{
    program_stop(c->pid);
    c->pid = 0;
}

/* ---- What it costs ------------------------------------------------------- */

/* Mapped files do not count. */
int64_t child_memory_bytes(const struct child *c)
{
    char path[64], line[128];
    long kb = -1;
    FILE *f;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)c->pid);
    f = fopen(path, "r");
    while (f && kb < 0 && fgets(line, sizeof(line), f))
        if (strncmp(line, "RssAnon:", 8) == 0)
            kb = strtol(line + 8, NULL, 10);
    if (!f || kb < 0)
        die(path, "does not say how much memory is used");
    fclose(f);
    return (int64_t)kb * 1024;
}

static int64_t thread_waited_us(const char *thread)
{
    char path[PATH_BYTES];
    unsigned long long ran = 0, waited = 0;
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/schedstat", thread);
    f = fopen(path, "r");
    if (f) { /* a thread may have ended meanwhile */
        if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
            waited = 0;
        fclose(f);
    }
    return (int64_t)(waited / 1000);
}

int64_t child_waited_us(const struct child *c)
{
    char pattern[64];
    glob_t threads;
    int64_t sum = 0;

    (void)snprintf(pattern, sizeof(pattern), "/proc/%d/task/*", (int)c->pid);
    if (glob(pattern, GLOB_NOSORT, NULL, &threads) != 0)
        die(pattern, "does not list its threads");
    for (size_t i = 0; i < threads.gl_pathc; i++)
        sum += thread_waited_us(threads.gl_pathv[i]);
    globfree(&threads);
    return sum;
}
