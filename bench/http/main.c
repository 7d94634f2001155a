/* main.c - bench/http: the speed of the server over HTTP, as ratios of one run;
 * see bench/README.md.
 *
 *     http [--small] [sqlite] [postgres]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run http` provides one. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = {.small = asked(argc, argv, "--small", false),
                      .postgres = getenv("TEST_POSTGRES")};

    setvbuf(stdout, NULL, _IOLBF, 0);
    program_find(argv[0], b.program, sizeof(b.program));
    folder_make(b.folder, sizeof(b.folder));
    if (!b.postgres)
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n\n");
    if (asked(argc, argv, "sqlite", true))
        measure(&b, false);
    if (b.postgres && asked(argc, argv, "postgres", true))
        measure(&b, true);
    folder_remove(b.folder);
    return 0;
}
