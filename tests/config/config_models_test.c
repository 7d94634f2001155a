/* config_models_test.c - models in the file of settings. */
#include <stdio.h>

#include "settings.h"

/* Reads a file of settings; the path is static. */
static enum footnote_rc read_text(struct settings *g, const char *text)
{
    static char path[PATH_BYTES];

    write_file("given.toml", text, 0600);
    snprintf(path, sizeof(path), "%s", path_of("given.toml"));
    g->words[0] = "--config";
    g->words[1] = path;
    return read_settings(g);
}

TEST(models_are_a_list_in_the_file)
{
    AUTO(free_settings) struct settings g = {.env = {NULL}};
    char text[1024];
    const struct config_model *m;

    write_file("key", "sk-1\n", 0600);
    snprintf(text, sizeof(text),
             "workers = 2\n"
             "[[models]]\n"
             "name = \"local\"\n"
             "url = \"http://127.0.0.1:11434/v1\"\n"
             "model = \"llama3.1\"\n"
             "images = true\n"
             "tools = false\n"
             "[[models]] # another\n"
             "url = \"https://api.example.org/v1\"\n"
             "model = \"big\"\n"
             "usage = false\n"
             "key-file = \"%s\"\n"
             "[model]\n"
             "retries = 1\n",
             path_of("key"));
    CHECK_OK(read_text(&g, text), &g.err);
    CHECK_INT(g.config.models_n, 2);
    m = g.config.models;
    CHECK_TEXT(m[0].name, STR("local"));
    CHECK_TEXT(m[0].model, STR("llama3.1"));
    CHECK(m[0].images && !m[0].tools && m[0].usage && !m[0].key.p);
    CHECK_TEXT(m[1].name, STR("big"));
    CHECK_TEXT(m[1].key, STR("sk-1"));
    CHECK(!m[1].images && m[1].tools && !m[1].usage);
    CHECK_INT(g.config.model_retries, 1);
    CHECK_OK(config_check(&g.config, &g.err), &g.err);
}

TEST(a_list_of_models_replaces_that_of_a_weaker_file)
{
    AUTO(free_settings) struct settings both = {.env = {NULL}};
    AUTO(free_settings) struct settings weaker = {.env = {NULL}};
    AUTO(free_settings) struct settings none = {.env = {NULL}};

    CHECK_OK(read_settings(&none), &none.err); /* makes the home */
    write_file("footnote/footnote.toml",
               "[[models]]\nurl = \"http://a/v1\"\nmodel = \"a\"\n"
               "[[models]]\nurl = \"http://b/v1\"\nmodel = \"b\"\n",
               0600);
    CHECK_OK(
        read_text(&both, "[[models]]\nurl = \"http://c/v1\"\nmodel = \"c\"\n"),
        &both.err);
    CHECK_INT(both.config.models_n, 1);
    CHECK_TEXT(both.config.models[0].name, STR("c"));
    CHECK_OK(read_text(&weaker, "workers = 3\n"), &weaker.err);
    CHECK_INT(weaker.config.models_n, 2);
}

TEST(a_mistake_in_a_list_of_models_is_named)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"[[modles]]\nname = \"a\"\n",
         "line 2: [[modles]]: there is only the list [[models]]"},
        {"[[models]]\nulr = \"a\"\n",
         "line 2: ulr is nothing that a model has (did you mean url?)"},
        {"[[models]]\ntools = \"yes\"\n",
         "line 2: tools: it takes true or false"},
        {"[[models]]\ntools = 1\n", "line 2: tools: it takes true or false"},
        {"[[models]]\nname = 1\n", "line 2: name: it takes a text in quotes"},
        {"[[models]]\nmodel = \"m\"\n",
         "models: the url of number 1 is missing"},
        {"[[models]]\nurl = \"http://a/v1\"\n",
         "models: the model of number 1 is missing"},
        {"[[models]]\n[[models]]\nurl = \"http://a/v1\"\nmodel = \"m\"\n",
         "models: the url of number 1 is missing"},
        {"[[models]]\nurl = \"http://a/v1\"\nmodel = \"m\"\n"
         "[[models]]\nurl = \"http://b/v1\"\nmodel = \"m\"\n",
         "models: two of them are called m"},
        {"[[models]]\nurl = \"http://a/v1\"\nmodel = \"extractive\"\n",
         "models: extractive is the built-in one's name"},
        {"[[models]]\nurl = \"http://a/v1\"\nmodel = \"m\"\n"
         "key-file = \"/nonexistent/key\"\n",
         "/nonexistent/key: No such file"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(free_settings) struct settings g = {.env = {NULL}};

        CHECK_INT(read_text(&g, cases[i].text), FOOTNOTE_INVALID);
        HAS(g.err.text, cases[i].want);
    }
}

TEST(there_are_at_most_32_models)
{
    AUTO(free_settings) struct settings g = {.env = {NULL}};
    AUTO(buf_free) struct buf b = BUF(8192);

    for (int i = 0; i < 33; i++)
        buf_printf(&b, "[[models]]\nurl = \"http://a/v1\"\nmodel = \"%d\"\n",
                   i);
    buf_add_c(&b, '\0');
    CHECK_INT(read_text(&g, b.p), FOOTNOTE_INVALID);
    HAS(g.err.text, "more than 32 models");
}

TEST(a_server_needs_models_that_can_be_asked)
{
    static const struct {
        const char *words[4];
        const char *want;
    } cases[] = {
        {{"--model-url", "http://127.0.0.1:1/v1"}, "which model is asked"},
        {{"--model-url", "127.0.0.1:1", "--model", "m"}, "model-url: it takes"},
        {{"--model-url", "http://u:p@h/v1", "--model", "m"},
         "model-url: it takes"},
        {{"--model-url", "http:///v1", "--model", "m"}, "model-url: it takes"},
        {{"--model", "m"}, "model: m is not configured"},
        {{"--verify-model", "m"}, "verify-model: m is no model"},
        {{"--verify-model", "extractive"}, "verify-model: extractive is no"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(free_settings) struct settings g = {.env = {NULL}};

        for (size_t j = 0; j < 4; j++)
            g.words[j] = cases[i].words[j];
        CHECK_OK(read_settings(&g), &g.err);
        CHECK_INT(config_check(&g.config, &g.err), FOOTNOTE_INVALID);
        HAS(g.err.text, cases[i].want);
    }
}

TEST(a_list_of_models_is_shown_as_it_can_be_read_again)
{
    AUTO(free_settings) struct settings g = {.env = {NULL}};
    AUTO(buf_free) struct buf b = BUF(8192);

    CHECK_OK(read_text(&g, "[[models]]\nurl = \"http://a/v1\"\n"
                           "model = \"m\"\nimages = true\n"),
             &g.err);
    config_models_print(&b, &g.config);
    CHECK_TEXT(buf_str(&b), STR("\n[[models]]\nname = \"m\"\n"
                                "url = \"http://a/v1\"\nmodel = \"m\"\n"
                                "tools = true\nimages = true\nusage = true\n"));
}
