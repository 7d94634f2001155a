/* models.c - the configured models.  The first is the default: that of
 * --model-url, else the model that --model names, else the first of the list,
 * else the embedded answerer. */
#include <assert.h>
#include <curl/curl.h>
#include <stdlib.h>

#include "config/config.h"
#include "model/limits.h"

enum { LIST_BYTES_MAX = 1024 * 1024 };

#define EXTRACTIVE STR("extractive")

/* Whether the host of a URL is this machine. */
static bool is_direct(struct str url)
{
    struct str host = str_skip(url, str_find(url, '/') + 2);
    size_t end;

    host.n = str_find(host, '/');
    if (host.n && host.p[0] == '[') {
        host = str_skip(host, 1);
        end = str_find(host, ']');
    } else {
        end = str_find(host, ':');
    }
    return config_is_loopback((struct str){host.p, end});
}

/* Puts a header before the others. */
static void add_header(struct arena *a, struct str line,
                       struct curl_slist **list)
{
    struct curl_slist *l = arena_new(a, struct curl_slist);

    if (!l || !line.p)
        return;
    *l = (struct curl_slist){(char *)(uintptr_t)line.p, *list};
    *list = l;
}

/* Made once for all calls: libcurl only reads them. */
static struct curl_slist *make_headers(struct arena *a, struct str key)
{
    struct curl_slist *list = NULL;

    if (key.p)
        add_header(a,
                   arena_printf(a, "Authorization: Bearer %.*s", STR_ARG(key)),
                   &list);
    add_header(a, STR("Expect:"), &list);
    add_header(a, STR("Accept: text/event-stream, application/json"), &list);
    add_header(a, STR("Content-Type: application/json"), &list);
    return list;
}

static void add_model(struct models *m, const struct config_model *from)
{
    struct str base = from->url;

    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    m->items[m->n++] = (struct model){
        .name = arena_str(&m->a, from->name),
        .tools = from->tools,
        .images = from->images,
        .usage = from->usage,
        .direct = is_direct(from->url),
        .url = arena_printf(&m->a, "%.*s/chat/completions", STR_ARG(base)),
        .upstream_name = arena_str(&m->a, from->model),
        .key = arena_str(&m->a, from->key),
        .headers = make_headers(&m->a, from->key)};
}

/* Moves a model to the front, where the default is. */
static void put_first(struct models *m, struct str name)
{
    for (size_t i = 0; i < m->n; i++)
        if (str_eq(m->items[i].name, name)) {
            struct model first = m->items[i];

            memmove(m->items + 1, m->items, i * sizeof(*m->items));
            m->items[0] = first;
            return;
        }
}

static void fill_list(struct models *m, const struct config *c)
{
    if (c->model_url.p)
        add_model(m, &(struct config_model){.name = c->model,
                                            .url = c->model_url,
                                            .model = c->model,
                                            .key = c->model_key,
                                            .tools = c->model_tools,
                                            .images = c->model_images,
                                            .usage = c->model_usage});
    for (size_t i = 0; i < c->models_n; i++)
        if (!c->model_url.p || !str_eq(c->models[i].name, c->model))
            add_model(m, &c->models[i]);
    m->items[m->n++] = (struct model){.name = EXTRACTIVE, .extractive = true};
    if (c->model.p)
        put_first(m, c->model);
}

enum footnote_rc models_open(const struct config *c, struct models **out,
                             struct footnote_err *err)
{
    struct models *m = calloc(1, sizeof(*m));
    enum footnote_rc rc;

    *out = NULL;
    if (!m)
        return err_set(err, FOOTNOTE_NOMEM, "the list of models");
    m->a = ARENA(LIST_BYTES_MAX);
    m->limits = (struct model_limits){.connect_ms = c->model_connect_ms,
                                      .first_ms = c->model_first_ms,
                                      .idle_ms = c->model_idle_ms,
                                      .total_ms = c->model_total_ms,
                                      .retries = c->model_retries,
                                      .retry_ms = c->model_retry_ms,
                                      .wait_ms = c->model_wait_ms,
                                      .bytes_max = c->model_bytes_max};
    m->items = arena_many(&m->a, c->models_n + 2, struct model);
    if (m->items)
        fill_list(m, c);
    rc = arena_rc(&m->a, err);
    if (rc == FOOTNOTE_OK)
        *out = m;
    else
        models_close(m);
    return rc;
}

void models_close(struct models *m)
{
    if (!m)
        return;
    arena_free(&m->a);
    free(m);
}

const struct model *models_find(const struct models *m, struct str name)
{
    assert(m->n > 0);
    if (!name.p)
        return &m->items[0];
    for (size_t i = 0; i < m->n; i++)
        if (str_eq(m->items[i].name, name))
            return &m->items[i];
    return NULL;
}

size_t models_count(const struct models *m)
{
    return m->n;
}

const struct model *models_at(const struct models *m, size_t i)
{
    return i < m->n ? &m->items[i] : NULL;
}
