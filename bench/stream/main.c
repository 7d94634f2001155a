/* main.c - bench/stream: what it costs to relay a token, and how long it
 * takes; see bench/stream.md.
 *
 *     stream [--small] [sqlite|postgres] [strict|relaxed] [TURNS]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run stream` provides one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

static bool has(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* Whether the word was given, or the other word of its pair was not. */
static bool picked(int argc, char **argv, const char *word, const char *other)
{
    return has(argc, argv, word) || !has(argc, argv, other);
}

/* A number selects the load with that many turns. */
static size_t pick_turns(int argc, char **argv)
{
    size_t n = 0;

    for (int i = 1; i < argc; i++)
        if (argv[i][0] >= '1' && argv[i][0] <= '9')
            n = strtoul(argv[i], NULL, 10);
    return n;
}

/* A turn is two connections of the server; children inherit the limit. */
static void raise_limit(const struct bench *b)
{
    rlim_t want = b->small ? 1024 : 2 * TURNS_MAX + 1000;
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) != 0)
        die("open files", strerror(errno));
    if (l.rlim_max < want && geteuid() == 0)
        l.rlim_max = want;
    l.rlim_cur = l.rlim_max;
    if (l.rlim_max < want || setrlimit(RLIMIT_NOFILE, &l) != 0)
        die("open files", "the limit (ulimit -Hn) is below 11000");
}

int main(int argc, char **argv)
{
    struct bench b = {.small = has(argc, argv, "--small"),
                      .turns = pick_turns(argc, argv),
                      .postgres = getenv("TEST_POSTGRES")};

    setvbuf(stdout, NULL, _IOLBF, 0);
    clock_start();
    program_find(argv[0], b.program, sizeof(b.program));
    raise_limit(&b);
    folder_make(b.folder, sizeof(b.folder));
    if (!b.postgres)
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n\n");
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        const char *word[] = {"strict", "relaxed"};

        if (!picked(argc, argv, word[relaxed], word[!relaxed]))
            continue;
        if (picked(argc, argv, "sqlite", "postgres"))
            measure(&b, false, relaxed);
        if (b.postgres && picked(argc, argv, "postgres", "sqlite"))
            measure(&b, true, relaxed);
    }
    folder_remove(b.folder);
    return 0;
}
