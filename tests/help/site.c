/* site.c - a server in this process, and libcurl as its client. */
#include "site.h"

#include <curl/curl.h>

#include "base/log.h"
#include "store/session/access.h"

enum { ARENA_BYTES = 1024 * 1024 * 1024, ANSWER_BYTES = 64 * 1024 * 1024 };

/* ---- The server --------------------------------------------------------- */

static void set_model(struct site *s)
{
    struct config *c = &s->served.config;

    c->model_url = arena_printf(&s->arena, "%s/v1", s->model_url);
    c->model = STR("scripted");
    c->model_tools = c->model_usage = true;
    c->model_images = s->model_images;
    c->model_connect_ms = c->model_first_ms = (int64_t)60 * 1000;
    c->model_idle_ms = c->model_total_ms = (int64_t)60 * 1000;
    c->model_bytes_max = (int64_t)2 * 1024 * 1024;
    c->model_retries = 2;
    c->model_retry_ms = 1;
    c->model_wait_ms = 1000;
}

void site_open(struct site *s)
{
    log_setup(2, LOG_ERROR, LOG_JSON);
    s->arena = ARENA(ARENA_BYTES);
    int64_t failures = s->served.config.failed_sign_ins_per_minute;
    int64_t bodies = s->served.config.bodies_bytes;

    s->served = SERVED;
    s->served.config.failed_sign_ins_per_minute = failures;
    s->served.config.bodies_bytes = bodies;
    if (s->index_wait_ms)
        s->served.config.index_wait_ms = s->index_wait_ms;
    s->served.config.auth =
        CONFIG_AUTH_KEY | (s->keys_only ? 0 : CONFIG_AUTH_NONE);
    s->served.config.metrics_token = s->metrics_token;
    s->served.config.demo = s->demo;
    s->served.relaxed = s->relaxed;
    s->served.config.turns_per_user = s->turns_per_user;
    if (s->grace_ms)
        s->served.config.grace_ms = s->grace_ms;
    if (s->model_url)
        set_model(s);
    s->served.config.no_ui = s->no_ui;
    s->served.config.ui_dir = s->ui_dir;
    s->served.config.s3_endpoint = s->s3_endpoint;
    s->served.config.objects_external = s->objects_external;
    if (s->adjust)
        s->adjust(&s->served.config);
    served_start(&s->served);
    s->curl = curl_easy_init();
    CHECK(s->curl != NULL);
}

void site_close(struct site *s)
{
    curl_easy_cleanup(s->curl);
    served_stop(&s->served);
    arena_free(&s->arena);
}

struct str site_key_of(struct site *s, struct who who)
{
    struct access_key_add op = {.admin = false};
    struct footnote_err err;

    CHECK_OK(store_write(s->served.store, who, OP(access_key_add), &op, &err),
             &err);
    return arena_str(&s->arena, str_c(op.key_text));
}

struct str site_key(struct site *s)
{
    return site_key_of(s, (struct who){STR("default"), STR("ada")});
}

/* ---- The client --------------------------------------------------------- */

static size_t take(const char *bytes, size_t size, size_t n, void *arg)
{
    buf_add(arg, (struct str){bytes, size * n});
    return size * n;
}

static struct str header_of(struct str headers, const char *name)
{
    const char *at = strcasestr(headers.p ? headers.p : "", name);

    if (!at)
        return STR_NONE;
    at += strlen(name);
    return (struct str){at, strcspn(at, "\r\n")};
}

static struct curl_slist *add_headers(struct site *s, const struct ask *ask)
{
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    struct str type = arena_printf(&s->arena, "Content-Type: %s",
                                   ask->type ? ask->type : "application/json");

    if (ask->body.p)
        list = curl_slist_append(list, type.p);
    if (ask->header)
        list = curl_slist_append(list, ask->header);
    return list;
}

static void set_up(struct site *s, const struct ask *ask, struct buf *body,
                   struct buf *headers)
{
    struct str url = arena_printf(&s->arena, "http://127.0.0.1:%d%s",
                                  s->served.port, ask->path);

    curl_easy_reset(s->curl);
    curl_easy_setopt(s->curl, CURLOPT_URL, url.p);
    curl_easy_setopt(s->curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(s->curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(s->curl, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(s->curl, CURLOPT_HEADERDATA, headers);
    if (ask->body.p) {
        curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE, (long)ask->body.n);
        curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, ask->body.p);
    }
    if (strcmp(ask->method, "HEAD") == 0)
        curl_easy_setopt(s->curl, CURLOPT_NOBODY, 1L);
    curl_easy_setopt(s->curl, CURLOPT_CUSTOMREQUEST, ask->method);
}

struct answer_to site_ask(struct site *s, const struct ask *ask)
{
    AUTO(buf_free) struct buf body = BUF(ANSWER_BYTES);
    AUTO(buf_free) struct buf headers = BUF(ANSWER_BYTES);
    struct curl_slist *list = add_headers(s, ask);
    struct answer_to out;
    long status = 0;
    CURLcode rc;

    set_up(s, ask, &body, &headers);
    curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, list);
    rc = curl_easy_perform(s->curl);
    curl_slist_free_all(list);
    if (rc != CURLE_OK)
        FAIL("%s %.200s: %s", ask->method, ask->path, curl_easy_strerror(rc));
    curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
    out.status = (int)status;
    out.body = arena_str(&s->arena, body.p ? buf_str(&body) : STR(""));
    out.headers = arena_str(&s->arena, buf_str(&headers));
    out.type = header_of(out.headers, "\r\nContent-Type: ");
    return out;
}

struct answer_to site_get(struct site *s, const char *path)
{
    return site_ask(s, &(struct ask){.method = "GET", .path = path});
}

struct json *site_json(struct site *s, struct str body)
{
    struct json *out = NULL;
    struct footnote_err err;

    if (json_read(&s->arena, body, &out, &err) != FOOTNOTE_OK)
        FAIL("%s: %.*s", err.text, STR_ARG(body));
    return out;
}
