/* outside.c - the servers that this one asks, and the proxy before it.  Each
 * has a deadline, and the reason of a failure is told: a name that is not
 * found, a connection or a certificate that is refused, a status. */
#include <stdio.h>
#include <uv.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "cli/remote.h"
#include "http/token/jwks.h"
#include "model/model.h"
#include "retrieve/remote/embed.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024 };

/* ---- Models -------------------------------------------------------------- */

/* One call on a loop of its own, cancelled at the first word: that asks no more
 * of a model than any server understands. */
struct model_probe {
    uv_loop_t uv;
    uv_timer_t timer;
    struct model_call *call; /* NULL: it has ended */
    bool spoke, late, closed;
    struct model_end end; /* its texts are static or in itself */
};

static void on_word(void *arg, struct str delta)
{
    struct model_probe *p = arg;

    p->spoke |= delta.n > 0;
}

static void on_end(void *arg, const struct model_end *end)
{
    struct model_probe *p = arg;

    p->end = *end;
    p->call = NULL;
}

static void on_late(uv_timer_t *t)
{
    struct model_probe *p = t->data;

    p->late = true;
}

static void on_closed(void *arg)
{
    struct model_probe *p = arg;

    p->closed = true;
}

static enum footnote_rc ask_model(struct model_probe *p,
                                  const struct models *models,
                                  const struct model *m,
                                  struct footnote_err *err)
{
    const struct model_line line = {.role = MODEL_USER,
                                    .text = STR("Say yes.")};
    const struct model_ask ask = {.model = m, .lines = &line, .lines_n = 1};
    const struct model_events events = {p, on_word, on_end};
    struct model_loop *loop = NULL;
    enum footnote_rc rc = model_loop_open(&p->uv, &loop, err);

    if (rc != FOOTNOTE_OK)
        return rc;
    uv_timer_init(&p->uv, &p->timer);
    p->timer.data = p;
    uv_timer_start(&p->timer, on_late, DOCTOR_MODEL_MS, 0);
    rc = model_start(loop, models, &ask, &events, &p->call, err);
    while (rc == FOOTNOTE_OK && p->call && !p->spoke && !p->late)
        uv_run(&p->uv, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&p->timer, NULL);
    model_loop_close(loop, on_closed, p);
    while (!p->closed)
        uv_run(&p->uv, UV_RUN_ONCE);
    return rc;
}

static void check_model(struct doctor *d, const struct models *models,
                        const struct model *m)
{
    struct model_probe p = {.call = NULL};
    int64_t began_ms = clock_mono_ms();
    struct footnote_err err;
    enum footnote_rc rc;

    doctor_progress(d, "asking %.*s", STR_ARG(m->name));
    if (uv_loop_init(&p.uv) != 0) {
        doctor_bad(d, CLI_FAILED, NULL, "no memory to ask a model");
        return;
    }
    rc = ask_model(&p, models, m, &err);
    uv_run(&p.uv, UV_RUN_DEFAULT);
    uv_loop_close(&p.uv);
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (p.spoke || p.end.ok)
        doctor_ok(d, "%.*s answers: %lld ms to the first word",
                  STR_ARG(m->name), (long long)(clock_mono_ms() - began_ms));
    else if (p.late)
        doctor_bad(d, CLI_FAILED, "see that it is loaded, and not overloaded",
                   "%.*s at %.*s: no word within %d s", STR_ARG(m->name),
                   STR_ARG(m->url), DOCTOR_MODEL_MS / 1000);
    else
        doctor_bad(d, CLI_FAILED,
                   "see --model-url, --model and --model-key-file",
                   "%.*s at %.*s: %s: %s", STR_ARG(m->name), STR_ARG(m->url),
                   p.end.code, p.end.detail);
}

/* A failure is told at once: nothing is tried again. */
void check_models(struct doctor *d)
{
    struct config c = d->c->config;
    struct models *models = NULL;
    struct footnote_err err;
    size_t asked_n = 0;

    c.model_retries = 0;
    if (models_open(&c, &models, &err) != FOOTNOTE_OK) {
        doctor_failed(d, &err);
        return;
    }
    for (size_t i = 0; i < models_count(models); i++)
        if (!models_at(models, i)->extractive) {
            check_model(d, models, models_at(models, i));
            asked_n++;
        }
    if (asked_n == 0)
        doctor_skipped(d, "none is configured: answers are sentences of the "
                          "documents");
    models_close(models);
}

/* A URL without its password. */
static const char *shown(struct doctor *d, struct str url)
{
    struct str hidden = config_hide_passwords(&d->c->arena, url);

    return hidden.p ? hidden.p : "(set)";
}

/* ---- Embeddings ---------------------------------------------------------- */

static void close_endpoint(struct endpoint **e)
{
    endpoint_close(*e);
}

void check_embeddings(struct doctor *d)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    AUTO(close_endpoint) struct endpoint *e = NULL;
    const struct config *c = &d->c->config;
    const struct str text = STR("entropy");
    struct embedding one = {.texts = &text,
                            .n = 1,
                            .model = c->embeddings_model,
                            .timeout_ms = DOCTOR_WAIT_MS};
    struct footnote_err err;

    if (!c->embeddings_url.p || !c->embeddings_model.p)
        doctor_skipped(d, "none are configured");
    else if (endpoint_open("the embedder", c->embeddings_url.p, EMBED_PATH,
                           c->embeddings_key.p, &e, &err) != FOOTNOTE_OK ||
             embed(e, &a, &one, &err) != FOOTNOTE_OK)
        doctor_bad(d, CLI_FAILED, "see --embeddings-url and --embeddings-model",
                   "%s: %s", shown(d, c->embeddings_url), err.text);
    else
        doctor_ok(d, "%s gives vectors of %zu numbers", c->embeddings_model.p,
                  one.size);
}

/* ---- Keys of tokens ------------------------------------------------------ */

void check_jwks(struct doctor *d)
{
    AUTO(jwt_keys_freep) struct jwt_keys *keys = NULL;
    struct str from = d->c->config.jwks;
    struct footnote_err err;
    enum footnote_rc rc;

    if (!from.p) {
        doctor_skipped(d, "none is configured");
        return;
    }
    rc = jwt_keys_new(&keys, &err);
    if (rc == FOOTNOTE_OK)
        rc = jwks_read(from.p, keys, &err);
    if (rc == FOOTNOTE_OK)
        doctor_ok(d, "%s has %zu keys for tokens", shown(d, from), keys->n);
    else
        doctor_bad(d, CLI_FAILED,
                   "see --jwks: the set of your identity provider", "%s: %s",
                   shown(d, from), err.text);
}

/* ---- Through the proxy --------------------------------------------------- */

static enum footnote_rc ask_version(struct str url, struct arena *a,
                                    struct str *version, struct str *git,
                                    struct footnote_err *err)
{
    AUTO(remote_free) struct remote r = {.curl = NULL};
    const struct json *said = NULL;

    TRY(remote_open(&r, url, STR_NONE, err));
    curl_easy_setopt(r.curl, CURLOPT_TIMEOUT_MS, (long)DOCTOR_WAIT_MS);
    TRY(remote_get(&r, "/version", &said, err));
    *version = arena_str(a, json_text(said, STR("version")));
    *git = arena_str(a, json_text(said, STR("git")));
    if (!version->p)
        return remote_not_footnote(&r, err);
    return arena_rc(a, err);
}

static void check_one_url(struct doctor *d, struct str url,
                          const struct config_build *ours)
{
    struct str version, git;
    struct footnote_err err;

    if (ask_version(url, &d->c->arena, &version, &git, &err) != FOOTNOTE_OK)
        doctor_bad(d, CLI_UNREACHABLE,
                   "see the proxy's configuration in docs/operations.md, "
                   "Behind a proxy",
                   "%s", err.text);
    else if (!str_eq(version, ours->version) || !str_eq(git, ours->git))
        doctor_bad(d, CLI_FAILED,
                   "let the proxy lead to this server, or restart it with this "
                   "program",
                   "%s answers as footnote %.*s (%.*s), and this is %.*s "
                   "(%.*s)",
                   shown(d, url), STR_ARG(version), STR_ARG(git),
                   STR_ARG(ours->version), STR_ARG(ours->git));
    else
        doctor_ok(d, "%s leads to footnote %.*s", shown(d, url),
                  STR_ARG(version));
}

void check_public_url(struct doctor *d)
{
    struct str list = d->c->config.public_url, url;
    struct config_build ours = config_build();
    struct footnote_err err;

    if (!list.p) {
        doctor_skipped(d, "none is configured");
        return;
    }
    if (d->server.p && ask_version(d->server, &d->c->arena, &ours.version,
                                   &ours.git, &err) != FOOTNOTE_OK) {
        doctor_bad(d, CLI_UNREACHABLE, "restart the server",
                   "the server that has this folder does not answer: %s",
                   err.text);
        return;
    }
    while (config_next_item(&list, &url))
        check_one_url(d, url, &ours);
}
