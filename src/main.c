/* main.c - the program: finds the verb and runs it. */
#include <stdio.h>

#include "cli/cli.h"
#include "config/table.h"
#include "ingest/jailed/jailed.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

static int unknown_verb(struct cli *c, struct str word)
{
    struct nearest n = {.word = word};

    for (size_t i = 0; i < cli_verbs_n; i++)
        nearest_try(&n, str_c(cli_verbs[i].name));
    return cli_usage(c, "there is no verb \"%.50s\"%s", word.p,
                     nearest_hint(&c->arena, &n, ""));
}

static int print_help(struct cli *c)
{
    AUTO(buf_free) struct buf b = BUF(CLI_HELP_BYTES_MAX);

    help_program(&b);
    return cli_print(c, &b);
}

static int run(struct cli *c, int argc, char **argv)
{
    struct str word = str_c(argc > 1 ? argv[1] : "--help");

    if (str_eq(word, STR("-h")) || str_eq(word, STR("--help")))
        return print_help(c);
    if (str_eq(word, STR("--version")))
        word = STR("version");
    c->verb = cli_find_verb(word);
    if (!c->verb)
        return unknown_verb(c, word);
    c->in.argc = argc - 2;
    c->in.argv = argv + 2;
    return c->verb->run(c);
}

int main(int argc, char **argv)
{
    struct cli c = {.arena = ARENA(ARENA_BYTES_MAX)};

    /* No verb: the server starts this for itself, see jailed.h. */
    if (argc == 3 && strcmp(argv[1], JAILED_WORD) == 0)
        return jailed_main(argv[2]);
    int code = run(&c, argc, argv);

    arena_free(&c.arena);
    return code;
}
