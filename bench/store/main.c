/* main.c - bench/store: what saving, reading and keeping cost, as ratios of
 * one run; see bench/README.md.
 *
 *     store [--small] [saves] [history] [bytes]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run store` provides one. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = {.small = asked(argc, argv, "--small", false),
                      .postgres = getenv("TEST_POSTGRES")};

    folder_make(b.folder, sizeof(b.folder));
    if (!b.postgres)
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n\n");
    if (asked(argc, argv, "saves", true))
        saves_measure(&b);
    if (asked(argc, argv, "history", true))
        history_measure(&b);
    if (asked(argc, argv, "bytes", true))
        bytes_measure(&b);
    folder_remove(b.folder);
    return 0;
}
