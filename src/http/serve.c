/* serve.c - our API on an HTTP server: what a request meets, in one table. */
#include "http/serve.h"

#include <stdlib.h>

#include "http/api/history_cache.h"
#include "http/api/page_failures.h"
#include "http/auth/admit.h"
#include "http/auth/limit.h"
#include "http/call/audited.h"
#include "http/call/problem.h"
#include "http/call/shares.h"
#include "http/call/wait.h"
#include "http/ops/metrics.h"
#include "http/token/provider.h"
#include "retrieve/retrieve.h"

enum {
    SLOW_WORKERS = 2,  /* page pictures that are made at once */
    QUICK_WORKERS = 4, /* sign-ins; three may wait for a server of keys */
};

static bool connect_address(void *app, const char *address)
{
    return limits_connect(((struct services *)app)->limits, address);
}

static void disconnect_address(void *app, const char *address)
{
    limits_disconnect(((struct services *)app)->limits, address);
}

static void answering(struct request *r, int64_t ms)
{
    r->reply.per_user = request_is_api(r);
    audit_answering(r);
    metrics_answered(services(r)->metrics, r, ms);
}

static void streamed(struct request *r, const struct streamed *s)
{
    metrics_streamed(r, s);
}

static const struct server_hooks hooks = {.connect = connect_address,
                                          .disconnect = disconnect_address,
                                          .admit = admit_head,
                                          .run = admit_run,
                                          .write_problem = problem_write,
                                          .answering = answering,
                                          .streamed = streamed,
                                          .loop_open = loop_state_open,
                                          .loop_turn = loop_state_turn,
                                          .loop_is_idle = loop_state_is_idle,
                                          .loop_close = loop_state_close};

static void services_free(struct services *s)
{
    if (!s)
        return;
    auth_close(s->auth);
    provider_close(s->provider);
    limits_close(s->limits);
    shares_close(s->shares);
    metrics_close(s->metrics);
    history_cache_close(s->history_cache);
    page_failures_close(s->page_failures);
    free(s->waits);
    free(s);
}

/* Whoever is alone on the machine limits nobody but themselves. */
static enum footnote_rc open_shares(struct services *s,
                                    struct footnote_err *err)
{
    const struct config *c = s->config;
    struct shares_options o = {
        .user = {.running = {[SHARE_STREAMS] = c->streams_per_user,
                             [SHARE_UPLOADS] = c->uploads_per_user},
                 .turns_a_day = c->daily_turns_per_user},
        .tenant = {.running = {[SHARE_STREAMS] = c->streams_per_tenant,
                               [SHARE_UPLOADS] = c->uploads_per_tenant},
                   .turns_a_day = c->daily_turns_per_tenant}};

    if (c->auth == CONFIG_AUTH_NONE)
        o = (struct shares_options){.user = {.turns_a_day = 0}};
    return shares_open(&o, &s->shares, err);
}

static enum footnote_rc open_own(struct services *s, struct footnote_err *err)
{
    int64_t cache_bytes = s->config->cache_bytes;

    TRY(limits_open(s->config, &s->limits, err));
    TRY(open_shares(s, err));
    TRY(metrics_open(&s->metrics, err));
    TRY(auth_open(s->config, s->store, &s->auth, err));
    if (s->config->auth & CONFIG_AUTH_OIDC)
        TRY(provider_open(s->config, &s->provider, err));
    TRY(page_failures_open(&s->page_failures, err));
    TRY(waits_open(s->store, &s->waits, err));
    return history_cache_open(cache_bytes > 0 ? (size_t)cache_bytes : 0,
                              &s->history_cache, err);
}

static enum footnote_rc open_server(struct services *s, struct server **out,
                                    struct footnote_err *err)
{
    const struct config *c = s->config;
    struct server_options o = {.listen = c->listen,
                               .socket = s->socket,
                               .loops = c->loops,
                               .workers = c->workers,
                               .slow_workers = SLOW_WORKERS,
                               .quick_workers = QUICK_WORKERS,
                               .connections_max = c->connections_max,
                               .idle_ms = c->idle_ms,
                               .head_ms = c->head_ms,
                               .body_gap_ms = c->body_gap_ms,
                               .body_rate_min = c->body_rate_min,
                               .grace_ms = c->grace_ms,
                               .body_bytes_max = c->body_bytes_max,
                               .large_bytes_max = c->chat_bytes_max,
                               .upload_bytes_max = c->upload_bytes_max,
                               .bodies_bytes = c->bodies_bytes};

    TRY(open_own(s, err));
    TRY(server_open(&o, &hooks, s, out, err));
    server_use_routes(*out, api_routes, api_routes_n);
    waits_watch(s->waits, *out);
    if (s->retriever)
        retriever_watch(s->retriever, waits_indexed, s->waits);
    return FOOTNOTE_OK;
}

enum footnote_rc serve_open(const struct config *c, const struct services *with,
                            struct server **out, struct footnote_err *err)
{
    struct services *s = malloc(sizeof(*s));
    enum footnote_rc rc;

    *out = NULL;
    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    *s = *with;
    s->config = c;
    rc = open_server(s, out, err);
    if (rc != FOOTNOTE_OK)
        services_free(s);
    return rc;
}

void serve_close(struct server *server)
{
    struct services *s = server ? server_app(server) : NULL;

    if (!s)
        return;
    waits_unwatch(s->waits);
    if (s->retriever)
        retriever_watch(s->retriever, NULL, NULL);
    server_close(server);
    services_free(s);
}
