/* read.c - reads all sources of values, the weakest first.
 *
 * Every value is checked, even when a stronger source replaces it: a mistake in
 * a file shows before the flag that hides it is removed.  Files of secrets are
 * read last. */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "config/table.h"

#define SYSTEM_FILE "/etc/footnote/footnote.toml"
#define USER_FILE   "footnote/footnote.toml"

struct flag {
    const struct setting *setting;
    bool is_file; /* the value is the path of a file that holds it */
    struct str word, value;
};

struct config_reader {
    struct arena *a;
    struct config_input *in;
    struct config *c;
    struct str *files; /* per setting: the file that holds its value */
    struct flag *flags;
    size_t flags_n;
    struct str path;  /* of --config */
    const char *file; /* current file */
    struct config_models models;
    enum config_origin origin; /* of the current source */
    struct footnote_err *err;
};

/* ---- Names --------------------------------------------------------------- */

/* The setting of a flag or of a key in a file; NULL: none. */
static const struct setting *find_setting(struct str name, bool *is_file)
{
    const struct str tail = STR("-file");
    const struct setting *s = config_find_setting(name);

    *is_file = false;
    if (s)
        return s->secrecy == CONFIG_SECRET ? NULL : s;
    if (name.n <= tail.n ||
        memcmp(name.p + name.n - tail.n, tail.p, tail.n) != 0)
        return NULL;
    *is_file = true;
    name.n -= tail.n;
    s = config_find_setting(name);
    return s && s->secrecy != CONFIG_OPEN ? s : NULL;
}

static struct str env_get(const struct config_reader *r, struct str name)
{
    return config_env_get(r->in->env, name);
}

/* FOOTNOTE_JWT_SECRET for jwt-secret. */
struct str config_env_name(struct arena *a, const char *name, const char *tail)
{
    struct str made = arena_printf(a, "FOOTNOTE_%s%s", name, tail);
    char *out = arena_alloc(a, made.n + 1);

    if (!out || !made.p)
        return STR_NONE;
    for (size_t i = 0; i < made.n; i++) {
        char c = made.p[i];

        out[i] = (char)(c == '-' ? '_' : c >= 'a' && c <= 'z' ? c - 32 : c);
    }
    return (struct str){out, made.n};
}

/* ---- One value ----------------------------------------------------------- */

static enum footnote_rc put_value(struct config_reader *r,
                                  const struct setting *s, bool is_file,
                                  const struct config_value *v)
{
    size_t i = (size_t)(s - config_settings);

    assert(i < config_settings_n);
    r->files[i] = STR_NONE;
    if (is_file && (v->form != FORM_TEXT || v->text.n == 0))
        return err_set(r->err, FOOTNOTE_INVALID, "it takes the name of a file");
    if (is_file)
        r->files[i] = arena_str(r->a, v->text);
    else if (s->secrecy == CONFIG_SECRET) /* may be any bytes */
        *(struct str *)(void *)((char *)r->c + s->offset) =
            arena_str(r->a, v->text);
    else
        return config_put(r->a, s, v, r->c, r->err);
    return arena_rc(r->a, r->err);
}

/* Puts a value and records where it came from; an error begins with that. */
static enum footnote_rc put_from(struct config_reader *r,
                                 const struct setting *s, bool is_file,
                                 const struct config_value *v, struct str where)
{
    struct config_from *from = &r->in->from[s - config_settings];
    enum footnote_rc rc = put_value(r, s, is_file, v);

    if (rc == FOOTNOTE_INVALID)
        err_prefix(r->err, "%.*s", STR_ARG(where));
    TRY(rc);
    *from = (struct config_from){.origin = r->origin, .where = where};
    return arena_rc(r->a, r->err);
}

static enum footnote_rc put_text_from(struct config_reader *r,
                                      const struct setting *s, bool is_file,
                                      struct str text, struct str where)
{
    struct config_value v = {.form = FORM_TEXT, .text = text};

    return put_from(r, s, is_file, &v, where);
}

/* ---- The sources --------------------------------------------------------- */

static enum footnote_rc read_defaults(struct config_reader *r)
{
    r->origin = CONFIG_DEFAULT;
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        r->in->from[i].where = STR("default");
        if (s->preset)
            TRY(put_text_from(r, s, false, str_c(s->preset), STR("default")));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc file_line(void *arg, const struct config_key *key,
                                  const struct config_value *v,
                                  struct footnote_err *err)
{
    struct config_reader *r = arg;
    bool is_file;
    const struct setting *s = find_setting(key->name, &is_file);
    struct nearest near = {.word = key->name};
    enum footnote_rc rc;

    if (key->list.p)
        return config_models_put(r->a, &r->models, key, v, err);
    if (!s) {
        for (size_t i = 0; i < config_settings_n; i++)
            nearest_try(&near, config_flag_name(r->a, &config_settings[i]));
        return err_set(err, FOOTNOTE_INVALID, "%.*s is not a setting%s",
                       STR_ARG(key->name), nearest_hint(r->a, &near, ""));
    }
    rc = put_from(r, s, is_file, v, key->name);
    if (rc == FOOTNOTE_OK)
        r->in->from[s - config_settings].where =
            arena_printf(r->a, "%s:%d", r->file, key->line);
    return rc;
}

static enum footnote_rc read_file(struct config_reader *r, const char *path,
                                  enum config_origin origin)
{
    enum footnote_rc rc;
    struct str text;

    r->origin = origin;
    r->file = path;
    r->models = (struct config_models){.n = 0};
    TRY(config_load(r->a, path, CONFIG_FILE_BYTES_MAX, &text, r->err));
    rc = config_parse(r->a, text, file_line, r, r->err);
    if (rc == FOOTNOTE_OK)
        rc = config_models_fill(r->a, &r->models, r->in->env, r->err);
    if (rc == FOOTNOTE_INVALID)
        err_prefix(r->err, "%.100s", path);
    TRY(rc);
    if (r->models.n) { /* replaces the whole list of a weaker file */
        r->c->models = r->models.items;
        r->c->models_n = r->models.n;
    }
    return arena_rc(r->a, r->err);
}

/* The user's folder: $variable, or `custom` below $HOME.  Absent without
 * either. */
static struct str user_folder(const struct config_reader *r,
                              struct str variable, const char *custom)
{
    struct str folder = env_get(r, variable), home = env_get(r, STR("HOME"));

    if (folder.n && folder.p[0] == '/')
        return folder;
    if (home.n && home.p[0] == '/')
        return arena_printf(r->a, "%s/%s", home.p, custom);
    return STR_NONE;
}

static enum footnote_rc read_files(struct config_reader *r)
{
    struct str user_file = user_folder(r, STR("XDG_CONFIG_HOME"), ".config");

    if (user_file.p)
        user_file = arena_printf(r->a, "%s/" USER_FILE, user_file.p);
    TRY(arena_rc(r->a, r->err));
    if (user_file.p && access(user_file.p, F_OK) == 0)
        TRY(read_file(r, user_file.p, CONFIG_SYSTEM_FILE));
    else if (access(SYSTEM_FILE, F_OK) == 0)
        TRY(read_file(r, SYSTEM_FILE, CONFIG_SYSTEM_FILE));
    if (!r->path.n)
        r->path = env_get(r, STR("FOOTNOTE_CONFIG"));
    if (r->path.n)
        TRY(read_file(r, r->path.p, CONFIG_FILE));
    return FOOTNOTE_OK;
}

/* An empty variable counts as unset: containers often pass empty ones. */
static enum footnote_rc read_env(struct config_reader *r)
{
    r->origin = CONFIG_ENV;
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        struct str name = config_env_name(r->a, s->name, "");
        struct str file_name = config_env_name(r->a, s->name, "_FILE");
        struct str value, file = STR_NONE;

        TRY(arena_rc(r->a, r->err));
        value = env_get(r, name);
        if (s->secrecy != CONFIG_OPEN)
            file = env_get(r, file_name);
        if (value.n && file.n)
            return err_set(r->err, FOOTNOTE_INVALID,
                           "%.*s and %.*s are both set", STR_ARG(name),
                           STR_ARG(file_name));
        if (file.n)
            TRY(put_text_from(r, s, true, file, file_name));
        else if (value.n)
            TRY(put_text_from(r, s, false, value, name));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_flags(struct config_reader *r)
{
    r->origin = CONFIG_FLAG;
    for (size_t i = 0; i < r->flags_n; i++) {
        struct flag *f = &r->flags[i];

        TRY(put_text_from(r, f->setting, f->is_file, f->value, f->word));
    }
    return FOOTNOTE_OK;
}

/* ---- The command line ---------------------------------------------------- */

/* The value of the flag at argv[*i]: after its =, or the next word. */
static enum footnote_rc flag_value(struct config_reader *r, int *i,
                                   struct str word, struct str *out)
{
    struct str all = str_c(r->in->argv[*i]);

    if (word.n < all.n) {
        *out = str_skip(all, word.n + 1);
        return FOOTNOTE_OK;
    }
    if (*i + 1 >= r->in->argc ||
        str_starts(str_c(r->in->argv[*i + 1]), STR("--")))
        return err_set(r->err, FOOTNOTE_INVALID, "%.*s: its value is missing",
                       STR_ARG(word));
    *out = str_c(r->in->argv[++*i]);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_word(struct config_reader *r, int *i)
{
    struct str all = str_c(r->in->argv[*i]);
    struct str word = {all.p, str_find(all, '=')};
    struct flag *f = &r->flags[r->flags_n];
    struct str name;

    assert(r->flags_n + r->in->rest_n <= (size_t)*i);
    *f = (struct flag){.word = word, .value = STR("true")};
    if (!str_starts(word, STR("--"))) {
        r->in->rest[r->in->rest_n++] = all;
        return FOOTNOTE_OK;
    }
    name = str_skip(word, 2);
    if (str_eq(name, STR("config")))
        return flag_value(r, i, word, &r->path);
    f->setting = find_setting(name, &f->is_file);
    if (!f->setting) {
        r->in->rest[r->in->rest_n++] = all;
        return FOOTNOTE_OK;
    }
    if (f->setting->type != CONFIG_SWITCH || word.n < all.n)
        TRY(flag_value(r, i, word, &f->value));
    r->flags_n++;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_command_line(struct config_reader *r)
{
    struct config_input *in = r->in;
    int i = 0;

    for (; i < in->argc && strcmp(in->argv[i], "--") != 0; i++)
        TRY(read_word(r, &i));
    for (; i < in->argc; i++)
        in->rest[in->rest_n++] = str_c(in->argv[i]);
    return FOOTNOTE_OK;
}

/* ---- Afterwards ---------------------------------------------------------- */

static enum footnote_rc read_secrets(struct config_reader *r)
{
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        struct config_value v = {.form = FORM_TEXT};
        enum footnote_rc rc;

        if (!r->files[i].p)
            continue;
        rc = config_load_secret(r->a, r->files[i].p, &v.text, r->err);
        if (rc == FOOTNOTE_OK)
            rc = put_value(r, s, false, &v);
        if (rc == FOOTNOTE_INVALID)
            err_prefix(r->err, "%s", s->name);
        TRY(rc);
    }
    return FOOTNOTE_OK;
}

/* The URLs of a list without the slashes at their ends. */
static struct str cut_slashes(struct config_reader *r, struct str list)
{
    struct str all = STR_NONE, item;

    while (config_next_item(&list, &item)) {
        while (item.n && item.p[item.n - 1] == '/')
            item.n--;
        all = all.p
                  ? arena_printf(r->a, "%.*s,%.*s", STR_ARG(all), STR_ARG(item))
                  : item;
    }
    return all;
}

/* Fills in defaults that depend on the environment or on other settings. */
static enum footnote_rc fill_defaults(struct config_reader *r)
{
    struct config *c = r->c;

    if (!c->data.p) {
        struct str data = user_folder(r, STR("XDG_DATA_HOME"), ".local/share");

        if (!data.p)
            return err_set(r->err, FOOTNOTE_INVALID,
                           "data: there is no HOME, so say where: --data DIR");
        c->data = arena_printf(r->a, "%s/footnote", data.p);
    }
    if (!c->database.p && str_find(c->data, '?') < c->data.n)
        return err_set(r->err, FOOTNOTE_INVALID,
                       "data: the folder's name has a ?, so say where the "
                       "database is: --database URL");
    if (!c->database.p)
        c->database =
            arena_printf(r->a, "sqlite:%.*s/footnote.db", STR_ARG(c->data));
    if (!c->objects.p)
        c->objects = arena_printf(r->a, "files:%.*s/objects", STR_ARG(c->data));
    c->s3_key_id = env_get(r, STR("AWS_ACCESS_KEY_ID"));
    c->s3_secret = env_get(r, STR("AWS_SECRET_ACCESS_KEY"));
    c->s3_token = env_get(r, STR("AWS_SESSION_TOKEN"));
    c->s3_region = env_get(r, STR("AWS_REGION"));
    if (!c->s3_region.n)
        c->s3_region = env_get(r, STR("AWS_DEFAULT_REGION"));
    c->public_url = cut_slashes(r, c->public_url);
    return arena_rc(r->a, r->err);
}

static enum footnote_rc read_all(struct config_reader *r)
{
    struct config_input *in = r->in;

    in->usage = true;
    TRY(read_command_line(r));
    in->usage = false;
    TRY(read_defaults(r));
    TRY(read_files(r));
    TRY(read_env(r));
    in->usage = true;
    TRY(read_flags(r));
    in->usage = false;
    TRY(read_secrets(r));
    return fill_defaults(r);
}

enum footnote_rc config_read(struct arena *a, struct config_input *in,
                             struct config *out, struct footnote_err *err)
{
    size_t words = (size_t)(in->argc > 0 ? in->argc : 0) + 1;
    struct config_reader r = {.a = a, .in = in, .c = out, .err = err};

    *out = (struct config){.auth = 0};
    in->rest = arena_many(a, words, struct str);
    in->rest_n = 0;
    in->from = arena_many(a, config_settings_n, struct config_from);
    r.flags = arena_many(a, words, struct flag);
    r.files = arena_many(a, config_settings_n, struct str);
    TRY(arena_rc(a, err));
    TRY(read_all(&r));
    assert(out->data.p && out->database.p && out->objects.p);
    return FOOTNOTE_OK;
}
