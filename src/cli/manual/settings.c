/* settings.c - the table of settings as a file, as a schema and as a table for
 * people; the table of verbs as one. */
#include "base/json.h"
#include "cli/help.h"
#include "cli/manual/manual.h"

static const char *file_of(const struct setting *s)
{
    return s->secrecy == CONFIG_SECRET ? "-file" : "";
}

/* ---- A file ---------------------------------------------------------------
 */

/* The default as the file has it; one without gets an empty text. */
static void add_value(struct buf *b, const struct setting *s)
{
    struct json_out w = JSON_OUT(b);
    bool number = s->type == CONFIG_INTEGER || s->type == CONFIG_SWITCH;

    if (number && s->preset)
        buf_add(b, str_c(s->preset));
    else
        json_str(&w, str_c(s->preset ? s->preset : ""));
}

void manual_toml(struct buf *b)
{
    const char *group = "";

    buf_add(b, STR("# Settings of footnote, with their defaults: take the # "
                   "away to change one.\n# footnote config check --config "
                   "FILE says whether a server can work with them.\n"));
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        if (strcmp(group, s->group) != 0)
            buf_printf(b, "\n# ---- %s ----\n", s->group);
        group = s->group;
        buf_printf(b, "\n# %s\n", s->help);
        if (s->words)
            buf_printf(b, "# %s\n", s->words);
        buf_printf(b, "# %s%s = ", s->name, file_of(s));
        add_value(b, s);
        buf_add_c(b, '\n');
    }
    buf_add(b, STR("\n# Models beside --model-url, the first of which is the "
                   "default:\n# [[models]]\n"));
    for (size_t i = 0; i < config_model_fields_n; i++)
        buf_printf(b, "# %s = %s\n", config_model_fields[i].name,
                   config_model_fields[i].is_switch ? "true" : "\"\"");
}

/* ---- A schema -------------------------------------------------------------
 */

static void add_type(struct json_out *w, const char *type)
{
    json_key(w, STR("type"));
    json_str(w, str_c(type));
}

static void add_words(struct json_out *w, const char *words)
{
    struct str left = str_c(words);

    json_key(w, STR("enum"));
    json_array(w);
    while (left.n) {
        size_t n = str_find(left, '|');

        json_str(w, (struct str){left.p, n});
        left = str_skip(left, n < left.n ? n + 1 : n);
    }
    json_end(w, ']');
}

/* A text with commas, or a list of texts. */
static void add_list(struct json_out *w, const char *words)
{
    json_key(w, STR("anyOf"));
    json_array(w);
    json_object(w);
    add_type(w, "string");
    json_end(w, '}');
    json_object(w);
    add_type(w, "array");
    json_key(w, STR("items"));
    json_object(w);
    add_type(w, "string");
    if (words)
        add_words(w, words);
    json_end(w, '}');
    json_end(w, '}');
    json_end(w, ']');
}

static void add_number(struct json_out *w, const struct setting *s, bool unit)
{
    if (unit) { /* or a text such as "10s" and "1M" */
        json_key(w, STR("type"));
        json_array(w);
        json_str(w, STR("integer"));
        json_str(w, STR("string"));
        json_end(w, ']');
    } else {
        add_type(w, "integer");
    }
    json_key(w, STR("minimum"));
    json_i64(w, s->min);
    json_key(w, STR("maximum"));
    json_i64(w, s->max);
}

static void add_setting(struct json_out *w, const struct setting *s)
{
    json_object(w);
    json_key(w, STR("description"));
    json_str(w, str_c(s->help));
    if (s->preset) {
        json_key(w, STR("default"));
        json_str(w, str_c(s->preset));
    }
    switch (s->type) {
    case CONFIG_TEXT: add_type(w, "string"); break;
    case CONFIG_WORD:
        add_type(w, "string");
        add_words(w, s->words);
        break;
    case CONFIG_WORDS: add_list(w, s->words); break;
    case CONFIG_LIST: add_list(w, NULL); break;
    case CONFIG_INTEGER: add_number(w, s, false); break;
    case CONFIG_BYTES:
    case CONFIG_MS: add_number(w, s, true); break;
    case CONFIG_SWITCH: add_type(w, "boolean"); break;
    }
    json_end(w, '}');
}

static void close_object(struct json_out *w)
{
    json_end(w, '}');
    json_key(w, STR("additionalProperties"));
    json_bool(w, false);
}

static void add_models(struct json_out *w)
{
    json_key(w, STR("models"));
    json_object(w);
    add_type(w, "array");
    json_key(w, STR("items"));
    json_object(w);
    add_type(w, "object");
    json_key(w, STR("properties"));
    json_object(w);
    for (size_t i = 0; i < config_model_fields_n; i++) {
        json_key(w, str_c(config_model_fields[i].name));
        json_object(w);
        add_type(w, config_model_fields[i].is_switch ? "boolean" : "string");
        json_end(w, '}');
    }
    close_object(w);
    json_end(w, '}');
    json_end(w, '}');
}

void manual_schema(struct buf *b)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("$schema"));
    json_str(&w, STR("https://json-schema.org/draft/2020-12/schema"));
    json_key(&w, STR("title"));
    json_str(&w, STR("footnote.toml"));
    add_type(&w, "object");
    json_key(&w, STR("properties"));
    json_object(&w);
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        struct str name = str_c(s->name);
        char file[80];

        if (s->secrecy == CONFIG_SECRET) {
            snprintf(file, sizeof(file), "%s-file", s->name);
            name = str_c(file);
        }
        json_key(&w, name);
        add_setting(&w, s);
    }
    add_models(&w);
    close_object(&w);
    json_end(&w, '}');
    buf_add_c(b, '\n');
}

/* ---- Tables for people ----------------------------------------------------
 */

/* A bar would end a cell. */
static void add_cell(struct buf *b, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            buf_add_c(b, '\\');
        buf_add_c(b, *text);
    }
}

void manual_table(struct buf *b)
{
    const char *group = "";

    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        if (strcmp(group, s->group) != 0)
            buf_printf(b, "%s| %s | | default |\n|---|---|---|\n",
                       i ? "\n" : "", s->group);
        group = s->group;
        buf_printf(b, "| `--%s%s%s", s->name, file_of(s),
                   *help_value_name(s) ? " " : "");
        add_cell(b, help_value_name(s));
        buf_add(b, STR("` | "));
        add_cell(b, s->help);
        buf_printf(b, " | %s |\n", s->preset ? s->preset : "");
    }
}

void manual_verbs(struct buf *b)
{
    buf_add(b, STR("| `footnote …` | |\n|---|---|\n"));
    for (size_t i = 0; i < cli_verbs_n; i++)
        buf_printf(b, "| `%s` | %s |\n", cli_verbs[i].name,
                   cli_verbs[i].summary);
}
