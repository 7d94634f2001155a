/* find.c - where a program is that documents are read with. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ingest/jail/jail.h"

/* Relative folders of PATH depend on where the server was started. */
static bool is_program(const char *path, int n)
{
    return n > 0 && n < JAIL_PATH_BYTES && path[0] == '/' &&
           access(path, X_OK) == 0;
}

bool jail_find(const char *name, char out[JAIL_PATH_BYTES])
{
    struct str rest = str_c(getenv("PATH"));
    int n;

    while (rest.n) {
        struct str folder = {rest.p, str_find(rest, ':')};

        n = snprintf(out, JAIL_PATH_BYTES, "%.*s/%s", STR_ARG(folder), name);
        if (is_program(out, n))
            return true;
        rest = str_skip(rest, folder.n < rest.n ? folder.n + 1 : folder.n);
    }
    n = snprintf(out, JAIL_PATH_BYTES, "/usr/bin/%s", name);
    return is_program(out, n);
}
