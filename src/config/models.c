/* models.c - the list of models in the file of settings.
 *
 *     [[models]]
 *     name = "local"                        the name that users pick
 *     url = "http://127.0.0.1:11434/v1"     needed
 *     model = "llama3.1"                    needed: its name at the server
 *     key-file = "/etc/footnote/model.key"
 *     key-env = "MODEL_KEY"                 a variable instead of a file
 *     tools = true
 *     images = false
 *     usage = true */
#include <assert.h>

#include "config/table.h"

enum { NAME_BYTES_MAX = 100 };

#define FIELD(name) offsetof(struct config_model, name)
const struct config_model_field config_model_fields[] = {
    {"name", FIELD(name), false},       {"url", FIELD(url), false},
    {"model", FIELD(model), false},     {"key-file", FIELD(key_file), false},
    {"key-env", FIELD(key_env), false}, {"tools", FIELD(tools), true},
    {"images", FIELD(images), true},    {"usage", FIELD(usage), true},
};

const size_t config_model_fields_n =
    sizeof(config_model_fields) / sizeof(config_model_fields[0]);

/* The item that the key belongs to; items come in order. */
static enum footnote_rc item_of(struct arena *a, struct config_models *m,
                                const struct config_key *key,
                                struct config_model **out,
                                struct footnote_err *err)
{
    if (!str_eq(key->list, STR("models")))
        return err_set(err, FOOTNOTE_INVALID,
                       "[[%.*s]]: there is only the list [[models]]",
                       STR_ARG(key->list));
    if (key->item >= CONFIG_MODELS_MAX)
        return err_set(err, FOOTNOTE_INVALID, "more than %d models",
                       CONFIG_MODELS_MAX);
    if (!m->items)
        m->items = arena_many(a, CONFIG_MODELS_MAX, struct config_model);
    if (!m->items)
        return err_set(err, FOOTNOTE_NOMEM, "the list of models");
    while (m->n <= key->item)
        m->items[m->n++] = (struct config_model){.tools = true, .usage = true};
    *out = &m->items[key->item];
    return FOOTNOTE_OK;
}

enum footnote_rc config_models_put(struct arena *a, struct config_models *m,
                                   const struct config_key *key,
                                   const struct config_value *v,
                                   struct footnote_err *err)
{
    const struct config_model_field *f = NULL;
    struct nearest near = {.word = key->name};
    struct config_model *item;
    void *to;

    TRY(item_of(a, m, key, &item, err));
    for (size_t i = 0; i < config_model_fields_n; i++) {
        nearest_try(&near, str_c(config_model_fields[i].name));
        if (str_eq(str_c(config_model_fields[i].name), key->name))
            f = &config_model_fields[i];
    }
    if (!f)
        return err_set(err, FOOTNOTE_INVALID,
                       "%.*s is nothing that a model has%s", STR_ARG(key->name),
                       nearest_hint(a, &near, ""));
    assert(f->offset < sizeof(*item) && key->item < m->n);
    to = (char *)item + f->offset;
    if (f->is_switch && v->form == FORM_UNQUOTED) {
        *(bool *)to = str_eq(v->text, STR("true"));
        if (*(bool *)to || str_eq(v->text, STR("false")))
            return FOOTNOTE_OK;
    }
    if (f->is_switch)
        return err_set(err, FOOTNOTE_INVALID, "%s: it takes true or false",
                       f->name);
    if (v->form != FORM_TEXT || v->text.n == 0)
        return err_set(err, FOOTNOTE_INVALID, "%s: it takes a text in quotes",
                       f->name);
    *(struct str *)to = arena_str(a, v->text);
    return arena_rc(a, err);
}

static enum footnote_rc check_name(const struct config_models *m, size_t i,
                                   struct footnote_err *err)
{
    struct str name = m->items[i].name;

    if (name.n > NAME_BYTES_MAX)
        return err_set(err, FOOTNOTE_INVALID,
                       "models: a name is longer than %d bytes",
                       NAME_BYTES_MAX);
    if (str_eq(name, STR("extractive")))
        return err_set(err, FOOTNOTE_INVALID,
                       "models: extractive is the built-in one's name");
    for (size_t j = 0; j < i; j++)
        if (str_eq(m->items[j].name, name))
            return err_set(err, FOOTNOTE_INVALID,
                           "models: two of them are called %.60s", name.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_key(struct arena *a, struct config_model *m,
                                 char *const *env, struct footnote_err *err)
{
    if (m->key_file.p && m->key_env.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "models: %.60s: key-file and key-env are both set",
                       m->name.p);
    if (m->key_file.p)
        return config_load_secret(a, m->key_file.p, &m->key, err);
    if (!m->key_env.p)
        return FOOTNOTE_OK;
    m->key = config_env_get(env, m->key_env);
    if (!m->key.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "models: %.60s: the variable %.60s is not set",
                       m->name.p, m->key_env.p);
    return FOOTNOTE_OK;
}

enum footnote_rc config_models_fill(struct arena *a, struct config_models *m,
                                    char *const *env, struct footnote_err *err)
{
    for (size_t i = 0; i < m->n; i++) {
        struct config_model *item = &m->items[i];

        if (!item->url.p || !item->model.p)
            return err_set(err, FOOTNOTE_INVALID,
                           "models: the %s of number %zu is missing",
                           item->url.p ? "model" : "url", i + 1);
        if (!item->name.p)
            item->name = item->model;
        TRY(check_name(m, i, err));
        TRY(read_key(a, item, env, err));
    }
    return FOOTNOTE_OK;
}

/* ---- To text ------------------------------------------------------------- */

static void print_field(struct json_out *w, const struct config_model_field *f,
                        const struct config_model *m)
{
    const void *at = (const char *)m + f->offset;

    if (f->is_switch)
        json_bool(w, *(const bool *)at);
    else
        json_str(w, *(const struct str *)at);
}

void config_models_print(struct buf *b, const struct config *c)
{
    for (size_t i = 0; i < c->models_n; i++) {
        buf_add(b, STR("\n[[models]]\n"));
        for (size_t j = 0; j < config_model_fields_n; j++) {
            struct json_out w = JSON_OUT(b);
            const void *at =
                (const char *)&c->models[i] + config_model_fields[j].offset;

            if (!config_model_fields[j].is_switch &&
                !((const struct str *)at)->p)
                continue;
            buf_printf(b, "%s = ", config_model_fields[j].name);
            print_field(&w, &config_model_fields[j], &c->models[i]);
            buf_add_c(b, '\n');
        }
    }
}

void config_models_print_json(struct json_out *w, const struct config *c)
{
    json_array(w);
    for (size_t i = 0; i < c->models_n; i++) {
        json_object(w);
        for (size_t j = 0; j < config_model_fields_n; j++) {
            json_key(w, str_c(config_model_fields[j].name));
            print_field(w, &config_model_fields[j], &c->models[i]);
        }
        json_end(w, '}');
    }
    json_end(w, ']');
}
