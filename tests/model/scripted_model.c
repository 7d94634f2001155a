/* scripted_model.c - a scripted server, a loop, and answers. */
#include "scripted_model.h"

#include <poll.h>
#include <stdlib.h>

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

void scripted_model_open(struct scripted_model *l)
{
    *l = (struct scripted_model){.u = upstream_open(),
                                 .config = {.model_connect_ms = 5000,
                                            .model_first_ms = 20000,
                                            .model_idle_ms = 20000,
                                            .model_total_ms = 60000,
                                            .model_retries = 2,
                                            .model_retry_ms = 1,
                                            .model_wait_ms = 1000,
                                            .model_bytes_max = 2 * MB}};
    upstream_load(l->u, "tests/upstream/scripts");
    snprintf(l->url, sizeof(l->url), "%s/v1/", upstream_url(l->u));
    l->model = (struct config_model){.name = STR("test"),
                                     .url = str_c(l->url),
                                     .model = STR("test-model"),
                                     .key = STR(SCRIPTED_MODEL_KEY),
                                     .tools = true,
                                     .images = true,
                                     .usage = true};
    CHECK_INT(uv_loop_init(&l->uv), 0);
}

static void open_loop(struct scripted_model *l)
{
    struct footnote_err err;

    if (l->loop)
        return;
    l->config.models = &l->model;
    l->config.models_n = 1;
    CHECK_OK(models_open(&l->config, &l->models, &err), &err);
    CHECK_OK(model_loop_open(&l->uv, &l->loop, &err), &err);
}

static void note_closed(void *arg)
{
    *(bool *)arg = true;
}

void scripted_model_close(struct scripted_model *l)
{
    bool closed = false;

    if (l->loop)
        model_loop_close(l->loop, note_closed, &closed);
    uv_run(&l->uv, UV_RUN_DEFAULT);
    CHECK(closed || !l->loop);
    CHECK_INT(uv_loop_close(&l->uv), 0); /* no handle is left */
    models_close(l->models);
    upstream_close(l->u);
}

/* ---- Answers ---------------------------------------------------------------
 */

static void on_text(void *arg, struct str delta)
{
    struct answer *a = arg;

    CHECK(delta.n > 0 && !a->ended);
    buf_add(&a->text, delta);
    a->texts_n++;
    if (a->on_text)
        a->on_text(a);
}

static void on_end(void *arg, const struct model_end *end)
{
    struct answer *a = arg;

    CHECK(!a->ended);
    a->ended = true;
    a->call = NULL;
    a->end = *end;
    a->end.calls = NULL;
    for (size_t i = 0; i < end->calls_n; i++) {
        const struct model_tool_call *c = &end->calls[i];

        CHECK_TEXT(c->name, STR(MODEL_SEARCH_TOOL));
        buf_printf(&a->calls, "%.*s:%.*s", STR_ARG(c->id),
                   STR_ARG(c->arguments));
        if (c->extra.p)
            buf_printf(&a->calls, "+%.*s", STR_ARG(c->extra));
        buf_add_c(&a->calls, ';');
    }
}

void ask_this(struct scripted_model *l, struct answer *a,
              const struct model_ask *question)
{
    struct model_events events = {.arg = a, .text = on_text, .end = on_end};
    void (*then)(struct answer *) = a->on_text;
    struct model_ask asked = *question;
    struct footnote_err err;

    open_loop(l);
    *a = (struct answer){.scripted = l,
                         .text = BUF(TEXT_BYTES_MAX),
                         .calls = BUF(TEXT_BYTES_MAX),
                         .on_text = then};
    asked.model = models_find(l->models, STR_NONE);
    CHECK_OK(model_start(l->loop, l->models, &asked, &events, &a->call, &err),
             &err);
    CHECK(!a->ended);
}

void ask(struct scripted_model *l, struct answer *a, const char *script)
{
    char text[200];
    struct model_line lines[] = {
        {.role = MODEL_SYSTEM, .text = STR("Answer from the passages.")},
        {.role = MODEL_USER}};

    snprintf(text, sizeof(text), "What do cats do? script:%s", script);
    lines[1].text = str_c(text);
    ask_this(l, a,
             &(struct model_ask){.lines = lines, .lines_n = 2, .tools = true});
}

/* Until something comes, but not for long: what is waited for may be what the
 * other side, a thread, has seen. */
void scripted_model_run(struct scripted_model *l)
{
    struct pollfd loop = {.fd = uv_backend_fd(&l->uv), .events = POLLIN};

    (void)poll(&loop, 1, 1);
    (void)uv_run(&l->uv, UV_RUN_NOWAIT);
}

void wait_end(struct answer *a)
{
    while (!a->ended)
        uv_run(&a->scripted->uv, UV_RUN_ONCE);
}

void answer_free(struct answer *a)
{
    buf_free(&a->text);
    buf_free(&a->calls);
}
