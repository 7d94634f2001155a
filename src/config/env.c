/* env.c - variables of the environment: by name, and those that name nothing.
 *
 * A mistyped variable would be a setting that is silently not made. */
#include "config/table.h"

#define PREFIX "FOOTNOTE_"

/* Variables that are no settings: the file of settings, the key of the verbs
 * that ask a server, and what our own scripts may pass on. */
static const char *const others[] = {PREFIX "CONFIG", PREFIX "KEY"};

struct str config_env_get(char *const *env, struct str name)
{
    for (; env && *env; env++) {
        struct str line = str_c(*env);

        if (str_starts(line, name) && line.n > name.n && line.p[name.n] == '=')
            return str_skip(line, name.n + 1);
    }
    return STR_NONE;
}

/* Kubernetes sets FOOTNOTE_PORT_8080_TCP and the like where a service is called
 * footnote. */
static bool is_from_elsewhere(struct str name)
{
    return str_starts(name, STR(PREFIX "SERVICE_")) ||
           str_eq(name, STR(PREFIX "PORT")) ||
           str_starts(name, STR(PREFIX "PORT_"));
}

static bool is_known(struct arena *a, struct str name, struct nearest *near)
{
    bool known = false;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        known |= str_eq(name, str_c(others[i]));
    for (size_t i = 0; i < config_settings_n && !known; i++) {
        const struct setting *s = &config_settings[i];
        struct str plain = config_env_name(a, s->name, "");
        struct str file = config_env_name(a, s->name, "_FILE");

        nearest_try(near, plain);
        known = str_eq(name, plain) ||
                (s->secrecy != CONFIG_OPEN && str_eq(name, file));
    }
    return known;
}

size_t config_unknown_env(struct arena *a, char *const *env, struct str *out,
                          size_t max)
{
    size_t n = 0;

    for (; env && *env && n < max; env++) {
        struct str name = {*env, str_find(str_c(*env), '=')};
        struct nearest near = {.word = name};

        if (!str_starts(name, STR(PREFIX)) || is_from_elsewhere(name) ||
            is_known(a, name, &near))
            continue;
        out[n++] = arena_printf(a, "%.*s is not a setting%s", STR_ARG(name),
                                nearest_hint(a, &near, ""));
    }
    return n;
}
