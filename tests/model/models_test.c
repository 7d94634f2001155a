/* models_test.c - the configured list. */
#include "config/config.h"
#include "model/model.h"
#include "test.h"

static void close_models(struct models **m)
{
    models_close(*m);
}

static const struct config_model two[] = {
    {.name = {"big", 3},
     .url = {"https://api.example.org/v1", 26},
     .model = {"big-1", 5},
     .key = {"secret", 6},
     .tools = true},
    {.name = {"small", 5},
     .url = {"http://[::1]:11434/v1///", 24},
     .model = {"small-1", 7},
     .images = true},
};

TEST(without_configuration_there_is_the_embedded_model)
{
    AUTO(close_models) struct models *m = NULL;
    struct config c = {.auth = 0};
    struct footnote_err err;

    CHECK_OK(models_open(&c, &m, &err), &err);
    CHECK_INT(models_count(m), 1);
    CHECK(models_find(m, STR_NONE)->extractive);
    CHECK(models_find(m, STR("extractive")) == models_at(m, 0));
    CHECK(!models_find(m, STR("other")));
    CHECK(!models_find(m, STR("")));
    CHECK(!models_at(m, 1));
}

TEST(the_first_configured_model_is_the_default)
{
    AUTO(close_models) struct models *m = NULL;
    struct config c = {.models = two, .models_n = 2};
    struct footnote_err err;
    const struct model *small;

    CHECK_OK(models_open(&c, &m, &err), &err);
    CHECK_INT(models_count(m), 3);
    CHECK_TEXT(models_find(m, STR_NONE)->name, STR("big"));
    CHECK_TEXT(models_find(m, STR_NONE)->url,
               STR("https://api.example.org/v1/chat/completions"));
    CHECK(!models_find(m, STR_NONE)->direct);
    small = models_find(m, STR("small"));
    CHECK_TEXT(small->url, STR("http://[::1]:11434/v1/chat/completions"));
    CHECK_TEXT(small->upstream_name, STR("small-1"));
    CHECK(small->direct && small->images && !small->tools && !small->key.p);
    CHECK(models_at(m, 2)->extractive);
}

TEST(a_name_picks_another_default)
{
    AUTO(close_models) struct models *m = NULL;
    struct config c = {
        .models = two, .models_n = 2, .model = STR("extractive")};
    struct footnote_err err;

    CHECK_OK(models_open(&c, &m, &err), &err);
    CHECK(models_find(m, STR_NONE)->extractive);
    CHECK_TEXT(models_at(m, 1)->name, STR("big"));
    CHECK_TEXT(models_at(m, 2)->name, STR("small"));
}

TEST(the_model_of_the_command_line_comes_first)
{
    AUTO(close_models) struct models *m = NULL;
    struct config c = {.models = two,
                       .models_n = 2,
                       .model_url = STR("http://localhost:8000/v1"),
                       .model = STR("small"),
                       .model_key = STR("k"),
                       .model_tools = true};
    struct footnote_err err;

    CHECK_OK(models_open(&c, &m, &err), &err);
    CHECK_INT(models_count(m), 3); /* it replaces the one of its name */
    CHECK_TEXT(models_find(m, STR_NONE)->url,
               STR("http://localhost:8000/v1/chat/completions"));
    CHECK_TEXT(models_find(m, STR_NONE)->key, STR("k"));
    CHECK(models_find(m, STR_NONE)->direct);
}
