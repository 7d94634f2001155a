/* remote.c - a client of a running server's HTTP API. */
#include "cli/remote.h"

#include <assert.h>
#include <stdio.h>

#include "config/table.h"

enum {
    ANSWER_BYTES_MAX = 16 * 1024 * 1024,
    PARSED_BYTES_MAX = 64 * 1024 * 1024,
    HEADER_BYTES_MAX = 8192,
    CONNECT_MS = 10000,
    STALL_S = 120 /* without a byte in either direction */
};

/* ---- Responses ---------------------------------------------------------- */

int64_t remote_number(const struct json *o, struct str key)
{
    const struct json *v = json_get(o, key);

    return v && v->type == JSON_I64 ? v->i : 0;
}

static long status_of(const struct remote *r)
{
    long status = 0;

    curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct remote *r = arg;
    struct str bytes = {p, size * n};

    if (r->part && status_of(r) == 200) {
        r->part(r->part_arg, bytes);
        return bytes.n;
    }
    buf_add(&r->answer, bytes);
    return r->answer.broken == FOOTNOTE_OK ? bytes.n : 0;
}

static enum footnote_rc unreachable(struct remote *r, const char *why,
                                    struct footnote_err *err)
{
    r->exit_code = CLI_UNREACHABLE;
    return err_set(err, FOOTNOTE_BUSY, "%.*s: %s",
                   r->server.n < 100 ? (int)r->server.n : 100, r->server.p,
                   why);
}

enum footnote_rc remote_not_footnote(struct remote *r, struct footnote_err *err)
{
    return unreachable(r, "this is no Footnote server", err);
}

/* exit_code is set where every further request would fail too. */
static enum footnote_rc refusal(struct remote *r, long status,
                                const struct json *body,
                                struct footnote_err *err)
{
    struct str why = json_text(body, STR("error"));

    if (!why.p)
        why = STR("the server gave no reason");
    if (status == 401 || status == 403) {
        r->exit_code = CLI_FORBIDDEN;
        return err_set(err, FOOTNOTE_NOTFOUND, "%.*s", STR_ARG(why));
    }
    if (status == 404)
        return err_set(err, FOOTNOTE_NOTFOUND, "%.*s", STR_ARG(why));
    if (status >= 500 || status == 429) {
        r->exit_code = CLI_TEMPORARY;
        return err_set(err, FOOTNOTE_BUSY, "%.*s", STR_ARG(why));
    }
    return err_set(err, FOOTNOTE_INVALID, "%.*s", STR_ARG(why));
}

/* ---- Calls -------------------------------------------------------------- */

static enum footnote_rc perform(struct remote *r, const char *method,
                                const char *path, struct footnote_err *err)
{
    char url[2 * REMOTE_PATH_BYTES_MAX + 256];
    CURLcode code;

    assert(r->curl && path[0] == '/');
    snprintf(url, sizeof(url), "%.*s%s", STR_ARG(r->server), path);
    buf_reset(&r->answer);
    arena_reset(&r->parsed);
    curl_easy_setopt(r->curl, CURLOPT_URL, url);
    curl_easy_setopt(r->curl, CURLOPT_CUSTOMREQUEST, method);
    code = curl_easy_perform(r->curl);
    return code == CURLE_OK ? FOOTNOTE_OK
                            : unreachable(r, curl_easy_strerror(code), err);
}

static enum footnote_rc read_answer(struct remote *r, const struct json **out,
                                    long *status, struct footnote_err *err)
{
    struct json *body = NULL;

    *status = status_of(r);
    if (json_read(&r->parsed, buf_str(&r->answer), &body, err) != FOOTNOTE_OK)
        return remote_not_footnote(r, err);
    *out = body;
    return *status < 300 ? FOOTNOTE_OK : refusal(r, *status, body, err);
}

static void reset_request(struct remote *r)
{
    curl_easy_setopt(r->curl, CURLOPT_MIMEPOST, NULL);
    curl_easy_setopt(r->curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(r->curl, CURLOPT_HTTPHEADER, r->headers);
}

static void set_json(struct remote *r, const struct buf *json)
{
    reset_request(r);
    curl_easy_setopt(r->curl, CURLOPT_HTTPHEADER, r->json_headers);
    curl_easy_setopt(r->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)json->n);
    curl_easy_setopt(r->curl, CURLOPT_POSTFIELDS, json->p);
}

enum footnote_rc remote_get(struct remote *r, const char *path,
                            const struct json **out, struct footnote_err *err)
{
    long status;

    reset_request(r);
    TRY(perform(r, "GET", path, err));
    return read_answer(r, out, &status, err);
}

enum footnote_rc remote_send(struct remote *r, const char *method,
                             const char *path, const struct buf *json,
                             const struct json **out, long *status,
                             struct footnote_err *err)
{
    TRY(buf_rc(json, err));
    set_json(r, json);
    TRY(perform(r, method, path, err));
    return read_answer(r, out, status, err);
}

enum footnote_rc remote_form(struct remote *r, const char *method,
                             const char *path, curl_mime *form,
                             const struct json **out, long *status,
                             struct footnote_err *err)
{
    enum footnote_rc rc;

    reset_request(r);
    curl_easy_setopt(r->curl, CURLOPT_MIMEPOST, form);
    rc = perform(r, method, path, err);
    reset_request(r); /* the form may be freed now */
    TRY(rc);
    return read_answer(r, out, status, err);
}

enum footnote_rc remote_stream(struct remote *r, const char *path,
                               const struct buf *json,
                               void (*part)(void *arg, struct str bytes),
                               void *arg, struct footnote_err *err)
{
    const struct json *body;
    enum footnote_rc rc;
    long status;

    TRY(buf_rc(json, err));
    set_json(r, json);
    assert(part && !r->part);
    r->part = part;
    r->part_arg = arg;
    rc = perform(r, "POST", path, err);
    r->part = NULL;
    TRY(rc);
    return status_of(r) == 200 ? FOOTNOTE_OK
                               : read_answer(r, &body, &status, err);
}

void remote_escape(struct remote *r, struct str s, char *out, size_t bytes)
{
    char *text = curl_easy_escape(r->curl, s.p, (int)s.n);

    snprintf(out, bytes, "%s", text ? text : "");
    curl_free(text);
}

enum footnote_rc remote_course(struct remote *r, struct str name,
                               struct str *id, struct footnote_err *err)
{
    char part[REMOTE_PATH_BYTES_MAX], path[REMOTE_PATH_BYTES_MAX + 64];
    const struct json *all = NULL, *c;
    enum footnote_rc rc;

    remote_escape(r, name, part, sizeof(part));
    snprintf(path, sizeof(path), "/api/courses/%s", part);
    *id = name;
    rc = remote_get(r, path, &all, err);
    if (rc != FOOTNOTE_NOTFOUND || r->exit_code)
        return rc;
    TRY(remote_get(r, "/api/courses?limit=200", &all, err));
    c = json_get(all, STR("courses"));
    for (c = c && c->type == JSON_ARRAY ? c->first : NULL; c; c = c->next)
        if (str_eq(json_text(c, STR("title")), name)) {
            *id = json_text(c, STR("id"));
            return FOOTNOTE_OK;
        }
    return err_set(err, FOOTNOTE_NOTFOUND, "course: %.*s is not there",
                   STR_ARG(name));
}

/* ---- Keys ---------------------------------------------------------------- */

enum footnote_rc cli_server_key(struct cli *c, struct str key_file,
                                struct str *key, struct footnote_err *err)
{
    *key = STR_NONE;
    if (key_file.p)
        return config_load_secret(&c->arena, key_file.p, key, err);
    *key = config_env_get(c->in.env, STR("FOOTNOTE_KEY"));
    if (!key->n)
        *key = STR_NONE;
    return FOOTNOTE_OK;
}

/* ---- Opening and closing ------------------------------------------------ */

static enum footnote_rc add_headers(struct remote *r, struct str key,
                                    struct footnote_err *err)
{
    AUTO(buf_free) struct buf line = BUF(HEADER_BYTES_MAX);

    if (key.p) {
        buf_printf(&line, "Authorization: Bearer %.*s", STR_ARG(key));
        buf_add_c(&line, '\0');
        TRY(buf_rc(&line, err));
        r->headers = curl_slist_append(NULL, line.p);
        r->json_headers = curl_slist_append(NULL, line.p);
        explicit_bzero(line.p, line.n);
    }
    r->json_headers =
        curl_slist_append(r->json_headers, "Content-Type: application/json");
    return r->json_headers ? FOOTNOTE_OK
                           : err_set(err, FOOTNOTE_NOMEM, "opening curl");
}

enum footnote_rc remote_open(struct remote *r, struct str server,
                             struct str key, struct footnote_err *err)
{
    *r = (struct remote){.server = server,
                         .parsed = ARENA(PARSED_BYTES_MAX),
                         .answer = BUF(ANSWER_BYTES_MAX)};
    while (r->server.n && r->server.p[r->server.n - 1] == '/')
        r->server.n--;
    if (str_find(server, '@') < server.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "server: its URL takes no name and no password; a key "
                       "comes by --key-file");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    r->curl = curl_easy_init();
    if (!r->curl)
        return err_set(err, FOOTNOTE_NOMEM, "opening curl");
    curl_easy_setopt(r->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(r->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
    curl_easy_setopt(r->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(r->curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(r->curl, CURLOPT_WRITEDATA, r);
    return add_headers(r, key, err);
}

void remote_free(struct remote *r)
{
    curl_slist_free_all(r->headers);
    curl_slist_free_all(r->json_headers);
    curl_easy_cleanup(r->curl);
    buf_free(&r->answer);
    arena_free(&r->parsed);
    *r = (struct remote){.curl = NULL};
}
