/* main.c - bench/store: what saving, reading and keeping cost, as ratios of
 * one run; see bench/README.md.
 *
 *     store [--small] [saves] [history] [bytes]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run store` provides one. */
#include <stdio.h>
#include <stdlib.h>
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

static void make_folder(struct bench *b)
{
    const char *parent = getenv("TMPDIR");

    snprintf(b->folder, sizeof(b->folder), "%s/footnote-bench-XXXXXX",
             parent ? parent : "/tmp");
    if (!mkdtemp(b->folder))
        die(b->folder, "cannot be made");
}

int main(int argc, char **argv)
{
    struct bench b = {.small = asked(argc, argv, "--small", false),
                      .postgres = getenv("TEST_POSTGRES")};

    make_folder(&b);
    if (!b.postgres)
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n\n");
    if (asked(argc, argv, "saves", true))
        saves_measure(&b);
    if (asked(argc, argv, "history", true))
        history_measure(&b);
    if (asked(argc, argv, "bytes", true))
        bytes_measure(&b);
    (void)rmdir(b.folder);
    return 0;
}
