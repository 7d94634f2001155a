/* common.c - what the programs of bench/ share. */
#include "common.h"

#include <errno.h>
#include <ftw.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

bool asked(int argc, char **argv, const char *word, bool by_default)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], word) == 0)
            return true;
        if (argv[i][0] != '-')
            by_default = false;
    }
    return by_default;
}

/* ---- Time ---------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double cpu_seconds_now(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double quantile(double *v, size_t n, double q)
{
    if (n == 0)
        return 0;
    qsort(v, n, sizeof(*v), compare);
    return v[(size_t)((double)(n - 1) * q)];
}

double median(double *v, size_t n)
{
    return quantile(v, n, 0.5);
}

/* ---- Folders ------------------------------------------------------------- */

void folder_make(char *path, size_t size)
{
    const char *parent = getenv("TMPDIR");

    (void)snprintf(path, size, "%s/footnote-bench-XXXXXX",
                   parent ? parent : "/tmp");
    if (!mkdtemp(path))
        die(path, "cannot be made");
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

void folder_remove(const char *path)
{
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        die(path, "cannot be removed");
}

/* ---- Databases ----------------------------------------------------------- */

void database_do(const char *postgres, const char *sql)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {postgres, "postgres", "postgres", NULL};
    PGconn *c = PQconnectdbParams(keys, values, 0);
    PGresult *r = PQexec(c, sql);

    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die(sql, PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

void database_make(const char *postgres, const char *name)
{
    char sql[128];

    (void)snprintf(sql, sizeof(sql), "CREATE DATABASE %s TEMPLATE template0",
                   name);
    database_do(postgres, sql);
}

/* ---- Servers ------------------------------------------------------------- */

void program_find(const char *self, char *path, size_t size)
{
    const char *slash = strrchr(self, '/');

    (void)snprintf(path, size, "%.*s/../footnote",
                   slash ? (int)(slash - self) : 1, slash ? self : ".");
    if (access(path, X_OK) != 0)
        die(path, "is not there: run make");
}

pid_t program_start(const char *const argv[], int *out)
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

/* The server prints its port when it listens. */
int program_port(int out)
{
    char line[256] = "";
    size_t n = 0;
    ssize_t got = 1;
    const char *colon;

    while (n < sizeof(line) - 1 && !memchr(line, '\n', n) && got > 0) {
        got = read(out, line + n, sizeof(line) - 1 - n);
        n += got > 0 ? (size_t)got : 0;
    }
    line[n] = '\0';
    colon = strrchr(line, ':');
    if (!colon)
        die("footnote", "did not say where it listens");
    return (int)strtol(colon + 1, NULL, 10);
}

void program_stop(pid_t pid)
{
    int status;

    kill(pid, SIGTERM);
    if (waitpid(pid, &status, 0) != pid || status != 0)
        die("a server", "did not end well");
}

double program_cpu_s(pid_t pid)
{
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0)
        die("a process", "has no CPU clock");
    return seconds_of(clock);
}
