/* main.c - bench/http: what the server gives away over HTTP, as ratios of one
 * run; see bench/README.md.
 *
 *     http [--small] [sqlite] [postgres]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run http` provides one. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static bool asked(int argc, char **argv, const char *word, bool by_default)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], word) == 0)
            return true;
        if (argv[i][0] != '-')
            by_default = false;
    }
    return by_default;
}

/* The program that was built beside us. */
static void find_program(struct bench *b, const char *self)
{
    const char *slash = strrchr(self, '/');

    (void)snprintf(b->program, sizeof(b->program), "%.*s/../footnote",
                   slash ? (int)(slash - self) : 1, slash ? self : ".");
    if (access(b->program, X_OK) != 0)
        die(b->program, "is not there: run make");
}

static void make_folder(struct bench *b)
{
    const char *parent = getenv("TMPDIR");

    (void)snprintf(b->folder, sizeof(b->folder), "%s/footnote-bench-XXXXXX",
                   parent ? parent : "/tmp");
    if (!mkdtemp(b->folder))
        die(b->folder, "cannot be made");
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_folder(const struct bench *b)
{
    if (nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        die(b->folder, "cannot be removed");
}

int main(int argc, char **argv)
{
    struct bench b = {.small = asked(argc, argv, "--small", false),
                      .postgres = getenv("TEST_POSTGRES")};

    setvbuf(stdout, NULL, _IOLBF, 0);
    find_program(&b, argv[0]);
    make_folder(&b);
    if (!b.postgres)
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n\n");
    if (asked(argc, argv, "sqlite", true))
        measure(&b, false);
    if (b.postgres && asked(argc, argv, "postgres", true))
        measure(&b, true);
    remove_folder(&b);
    return 0;
}
