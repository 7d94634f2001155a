/* main.c - the program: verbs.  So far it can tell what it is. */
#include <stdio.h>
#include <string.h>

static int usage(FILE *to, int code)
{
    fprintf(to, "footnote - answers from your own documents, with citations "
                "that last\n\n"
                "  footnote version    what this is\n");
    return code;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage(stdout, 0);
    if (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "--version") == 0) {
        printf("footnote 0.1.0\n");
        return 0;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    fprintf(stderr, "footnote: unknown verb '%s'\n\n", argv[1]);
    return usage(stderr, 2);
}
