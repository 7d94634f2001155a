/* child.c - the server that is measured, as a child process. */
#include <errno.h>
#include <glob.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- Starting and ending ------------------------------------------------- */

static void make_database(const struct bench *b, const char *name)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {b->postgres, "postgres", "postgres", NULL};
    PGconn *c = PQconnectdbParams(keys, values, 0);
    char sql[128];
    PGresult *r;

    (void)snprintf(sql, sizeof(sql), "CREATE DATABASE %s TEMPLATE template0",
                   name);
    r = PQexec(c, sql);
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die(sql, PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

/* Its stdout is ours to read.  It goes with us, however we end. */
static pid_t start(const char *const argv[], int *out)
{
    int ends[2];
    pid_t pid;

    if (pipe(ends) != 0)
        die("pipe", strerror(errno));
    pid = fork();
    if (pid < 0)
        die("fork", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(argv[0], (char **)(uintptr_t)argv);
        die(argv[0], strerror(errno));
    }
    close(ends[1]);
    *out = ends[0];
    return pid;
}

/* The server tells that it is there, and where. */
static int read_port(int fd)
{
    char line[256] = "";
    size_t n = 0;
    ssize_t got = 1;
    const char *colon;

    while (n < sizeof(line) - 1 && !memchr(line, '\n', n) && got > 0) {
        got = read(fd, line + n, sizeof(line) - 1 - n);
        n += got > 0 ? (size_t)got : 0;
    }
    line[n] = '\0';
    colon = strrchr(line, ':');
    if (!colon)
        die("footnote", "did not say where it listens");
    return (int)strtol(colon + 1, NULL, 10);
}

/* Until the demo course is read in: no part of what is measured. */
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
        make_database(b, s->name);
        (void)snprintf(url, sizeof(url), "postgres:///%s?host=%s&user=postgres",
                       s->name, b->postgres);
    }
    out->pid = start(argv, &fd);
    out->port = read_port(fd);
    close(fd);
    await_documents(out);
}

void child_stop(struct child *c)
{
    int status;

    kill(c->pid, SIGTERM);
    if (waitpid(c->pid, &status, 0) != c->pid || status != 0)
        die("the server", "did not end well");
    c->pid = 0;
}

/* ---- What it costs ------------------------------------------------------- */

int64_t process_cpu_us(pid_t pid)
{
    clockid_t clock;
    struct timespec t;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        die("a process", "has no CPU clock");
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* What files are mapped costs no memory of its own. */
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
