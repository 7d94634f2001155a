/* main.c - the scripted server as a program, for tests that are not in C.
 *
 *     upstream FOLDER...    plays their scripts until it is killed */
#include <stdio.h>
#include <unistd.h>

#include "upstream/upstream.h"

int main(int argc, char **argv)
{
    struct upstream *u = upstream_open();

    for (int i = 1; i < argc; i++)
        upstream_load(u, argv[i]);
    printf("listening on %s\n", upstream_url(u));
    fflush(stdout);
    for (;;)
        pause();
}
