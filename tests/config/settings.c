/* settings.c - see settings.h. */
#include "settings.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char *path_of(const char *name)
{
    static char path[PATH_BYTES];

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    return path;
}

void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *f = fopen(path_of(name), "w");

    CHECK(f != NULL);
    fputs(text, f);
    fclose(f);
    CHECK_INT(chmod(path_of(name), mode), 0);
}

void free_settings(struct settings *g)
{
    arena_free(&g->arena);
    arena_free(&g->texts);
}

static char *copy(struct settings *g, const char *text)
{
    size_t n = strlen(text) + 1;
    char *to = arena_alloc(&g->texts, n);

    CHECK(to != NULL);
    if (to) /* for analysers, which do not know CHECK */
        snprintf(to, n, "%s", text);
    return to;
}

enum footnote_rc read_settings(struct settings *g)
{
    char home[PATH_BYTES];
    size_t n = 0;

    g->texts = ARENA(ARENA_BYTES);
    g->in.env = arena_many(&g->texts, WORDS_MAX + 3, char *);
    g->in.argv = arena_many(&g->texts, WORDS_MAX, char *);
    mkdir(path_of("footnote"), 0700);
    if (access(path_of("footnote/footnote.toml"), F_OK) != 0)
        write_file("footnote/footnote.toml", "", 0600);
    snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s", test_dir());
    g->in.env[n++] = copy(g, home);
    g->in.env[n++] = copy(g, "HOME=/home/ada");
    for (size_t i = 0; g->env[i]; i++)
        g->in.env[n++] = copy(g, g->env[i]);
    for (g->in.argc = 0; g->words[g->in.argc]; g->in.argc++)
        g->in.argv[g->in.argc] = copy(g, g->words[g->in.argc]);
    if (!g->arena.max_bytes)
        g->arena = ARENA(ARENA_BYTES);
    return config_read(&g->arena, &g->in, &g->config, &g->err);
}

struct str where_of(const struct settings *g, const char *name)
{
    return g->in.from[config_find_setting(str_c(name)) - config_settings].where;
}
