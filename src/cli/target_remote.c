/* target_remote.c - documents to a running server, over its HTTP API.
 *
 * The server hashes what comes and answers 200 when it has it already. */
#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/target.h"

enum {
    ANSWER_BYTES_MAX = 16 * 1024 * 1024,
    PARSED_BYTES_MAX = 64 * 1024 * 1024,
    LIST_BYTES_MAX = 128 * 1024 * 1024,
    ENTRY_BYTES_MAX = 2 * EXTRACT_BYTES_MAX, /* its text, escaped */
    COURSE_BYTES_MAX = 64 * 1024,
    PATH_BYTES_MAX = 4096,
    CONNECT_MS = 10000,
    STALL_S = 120 /* without a byte in either direction */
};

struct remote {
    struct target base;
    CURL *curl;
    struct curl_slist *headers, *json_headers;
    struct str server;
    struct arena arena; /* the list */
    struct buf answer;
    struct arena parsed;         /* the last answer */
    char course[PATH_BYTES_MAX]; /* as in a path */
    struct json *known;          /* documents of the course, at the start */
};

/* ---- Calls -------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t take(char *p, size_t size, size_t n, void *arg)
{
    struct buf *b = arg;

    buf_add(b, (struct str){p, size * n});
    return buf_rc(b, NULL) == FOOTNOTE_OK ? size * n : 0;
}

static struct str text_of(const struct json *o, struct str key)
{
    const struct json *v = json_get(o, key);

    return v && v->type == JSON_STR ? v->s : STR_NONE;
}

static int64_t number_of(const struct json *o, struct str key)
{
    const struct json *v = json_get(o, key);

    return v && v->type == JSON_I64 ? v->i : 0;
}

static enum footnote_rc unreachable(struct remote *r, const char *why,
                                    struct footnote_err *err)
{
    r->base.exit_code = CLI_UNREACHABLE;
    return err_set(err, FOOTNOTE_BUSY, "%.*s: %s",
                   r->server.n < 100 ? (int)r->server.n : 100, r->server.p,
                   why);
}

/* What a refusal means: for this document, or for all. */
static enum footnote_rc refused(struct remote *r, long status,
                                const struct json *body,
                                struct footnote_err *err)
{
    struct str why = text_of(body, STR("error"));

    if (!why.p)
        why = STR("the server gave no reason");
    if (status == 401 || status == 403) {
        r->base.exit_code = CLI_FORBIDDEN;
        return err_set(err, FOOTNOTE_NOTFOUND, "%.*s", STR_ARG(why));
    }
    if (status == 404)
        return err_set(err, FOOTNOTE_NOTFOUND, "%.*s", STR_ARG(why));
    if (status >= 500 || status == 429) {
        r->base.exit_code = CLI_TEMPORARY;
        return err_set(err, FOOTNOTE_BUSY, "%.*s", STR_ARG(why));
    }
    return err_set(err, FOOTNOTE_INVALID, "%.*s", STR_ARG(why));
}

/* One request; *out is the answer's JSON, until the next one. */
static enum footnote_rc call(struct remote *r, const char *method,
                             const char *path, const struct json **out,
                             long *status, struct footnote_err *err)
{
    char url[PATH_BYTES_MAX];
    struct json *body = NULL;
    CURLcode code;

    snprintf(url, sizeof(url), "%.*s%s", STR_ARG(r->server), path);
    buf_reset(&r->answer);
    arena_reset(&r->parsed);
    curl_easy_setopt(r->curl, CURLOPT_URL, url);
    curl_easy_setopt(r->curl, CURLOPT_CUSTOMREQUEST, method);
    code = curl_easy_perform(r->curl);
    if (code != CURLE_OK)
        return unreachable(r, curl_easy_strerror(code), err);
    curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, status);
    if (json_read(&r->parsed, buf_str(&r->answer), &body, err) != FOOTNOTE_OK)
        return unreachable(r, "this is no Footnote server", err);
    *out = body;
    return *status < 300 ? FOOTNOTE_OK : refused(r, *status, body, err);
}

static void plain(struct remote *r)
{
    curl_easy_setopt(r->curl, CURLOPT_MIMEPOST, NULL);
    curl_easy_setopt(r->curl, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(r->curl, CURLOPT_HTTPHEADER, r->headers);
}

static enum footnote_rc get(struct remote *r, const char *path,
                            const struct json **out, struct footnote_err *err)
{
    long status;

    plain(r);
    return call(r, "GET", path, out, &status, err);
}

static enum footnote_rc send_json(struct remote *r, const char *method,
                                  const char *path, const struct buf *body,
                                  const struct json **out, long *status,
                                  struct footnote_err *err)
{
    plain(r);
    TRY(buf_rc(body, err));
    curl_easy_setopt(r->curl, CURLOPT_HTTPHEADER, r->json_headers);
    curl_easy_setopt(r->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->n);
    curl_easy_setopt(r->curl, CURLOPT_POSTFIELDS, body->p);
    return call(r, method, path, out, status, err);
}

static void free_mime(curl_mime **m)
{
    curl_mime_free(*m);
}

static void add_field(curl_mime *m, const char *name, struct str value)
{
    curl_mimepart *part;

    if (!value.p)
        return;
    part = curl_mime_addpart(m);
    curl_mime_name(part, name);
    curl_mime_data(part, value.p, value.n);
}

static void add_file(curl_mime *m, const char *name, struct str path,
                     struct str filename)
{
    curl_mimepart *part;

    if (!path.p)
        return;
    part = curl_mime_addpart(m);
    curl_mime_name(part, name);
    curl_mime_filedata(part, path.p);
    if (filename.p)
        curl_mime_filename(part, filename.p);
    curl_mime_type(part, "application/octet-stream");
}

static enum footnote_rc send_files(struct remote *r, const char *method,
                                   const char *path,
                                   const struct plan_item *item,
                                   const struct json **out, long *status,
                                   struct footnote_err *err)
{
    AUTO(free_mime) curl_mime *form = curl_mime_init(r->curl);
    enum footnote_rc rc;

    if (!form)
        return err_set(err, FOOTNOTE_NOMEM, "sending a file");
    add_field(form, "title", item->title);
    add_file(form, "file", item->path, item->name);
    add_file(form, "media", item->recording, STR_NONE);
    plain(r);
    curl_easy_setopt(r->curl, CURLOPT_MIMEPOST, form);
    rc = call(r, method, path, out, status, err);
    plain(r);
    return rc;
}

/* ---- Putting ------------------------------------------------------------ */

static void journal_json(struct buf *b, const struct plan_item *item)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("kind"));
    json_str(&w, STR("journal"));
    json_key(&w, STR("date"));
    json_str(&w, item->date);
    json_key(&w, STR("title"));
    json_str(&w, item->title);
    json_key(&w, STR("text"));
    json_str(&w, item->text);
    json_end(&w, '}');
}

/* The document that came from the file of that name, for a new version. */
static struct str known_name(const struct remote *r,
                             const struct plan_item *item)
{
    const struct json *d = item->named ? r->known : NULL;

    for (; d; d = d->next)
        if (str_eq(text_of(d, STR("filename")), item->name))
            return text_of(d, STR("id"));
    return STR_NONE;
}

/* As one part of a path. */
static void escape(struct remote *r, struct str s, char *out, size_t bytes)
{
    char *text = curl_easy_escape(r->curl, s.p, (int)s.n);

    snprintf(out, bytes, "%s", text ? text : "");
    curl_free(text);
}

static enum footnote_rc send_item(struct remote *r,
                                  const struct plan_item *item,
                                  const struct json **out, long *status,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(ENTRY_BYTES_MAX);
    struct str old = known_name(r, item);
    char path[PATH_BYTES_MAX + 64], id[PATH_BYTES_MAX];

    snprintf(path, sizeof(path), "/api/courses/%s/documents", r->course);
    if (item->kind == DOCUMENT_JOURNAL) {
        journal_json(&body, item);
        return send_json(r, "POST", path, &body, out, status, err);
    }
    if (!old.p)
        return send_files(r, "POST", path, item, out, status, err);
    escape(r, old, id, sizeof(id));
    snprintf(path, sizeof(path), "/api/documents/%s", id);
    return send_files(r, "PUT", path, item, out, status, err);
}

static enum footnote_rc remote_put(struct target *t,
                                   const struct plan_item *item, bool dry,
                                   struct target_put *out,
                                   struct footnote_err *err)
{
    struct remote *r = (struct remote *)t;
    const struct json *d = NULL;
    struct str id;
    long status = 0;

    *out = (struct target_put){.same = false};
    if (dry)
        return FOOTNOTE_OK; /* only the server can compare */
    TRY(send_item(r, item, &d, &status, err));
    id = text_of(d, STR("id"));
    if (!id.p || id.n > STORE_ID_BYTES_MAX)
        return unreachable(r, "this is no Footnote server", err);
    memcpy(out->id, id.p, id.n);
    out->same = status == 200;
    return FOOTNOTE_OK;
}

/* ---- Looking ------------------------------------------------------------ */

static enum document_status status_of(struct str s)
{
    if (str_eq(s, STR("ready")))
        return DOCUMENT_READY;
    if (str_eq(s, STR("failed")))
        return DOCUMENT_FAILED;
    return str_eq(s, STR("indexing")) ? DOCUMENT_INDEXING : DOCUMENT_QUEUED;
}

static enum progress_unit unit_of(struct str s)
{
    if (str_eq(s, STR("pages")))
        return UNIT_PAGES;
    if (str_eq(s, STR("seconds")))
        return UNIT_SECONDS;
    return str_eq(s, STR("bytes")) ? UNIT_BYTES : UNIT_NONE;
}

static enum footnote_rc remote_look(struct target *t, const char *id,
                                    struct target_look *out,
                                    struct footnote_err *err)
{
    struct remote *r = (struct remote *)t;
    char part[PATH_BYTES_MAX - 64], path[PATH_BYTES_MAX];
    const struct json *d = NULL, *p;

    escape(r, str_c(id), part, sizeof(part));
    snprintf(path, sizeof(path), "/api/documents/%s", part);
    TRY(get(r, path, &d, err));
    p = json_get(d, STR("progress"));
    out->status = status_of(text_of(d, STR("status")));
    out->progress = (struct document_progress){unit_of(text_of(p, STR("unit"))),
                                               number_of(p, STR("done")),
                                               number_of(p, STR("total"))};
    out->pages = number_of(d, STR("pages"));
    snprintf(out->error, sizeof(out->error), "%.*s",
             STR_ARG(text_of(d, STR("error"))));
    snprintf(out->warning, sizeof(out->warning), "%.*s",
             STR_ARG(text_of(d, STR("warning"))));
    return FOOTNOTE_OK;
}

static void remote_pause(struct target *t, int ms)
{
    (void)t;
    poll(NULL, 0, ms);
}

/* ---- Opening and closing ------------------------------------------------ */

static void remote_close(struct target *t)
{
    struct remote *r = (struct remote *)t;

    curl_slist_free_all(r->headers);
    curl_slist_free_all(r->json_headers);
    curl_easy_cleanup(r->curl);
    buf_free(&r->answer);
    arena_free(&r->parsed);
    arena_free(&r->arena);
    free(r);
}

static enum footnote_rc add_headers(struct remote *r, struct str key,
                                    struct footnote_err *err)
{
    AUTO(buf_free) struct buf line = BUF(8192);

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

static enum footnote_rc open_curl(struct remote *r, struct str key,
                                  struct footnote_err *err)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    r->curl = curl_easy_init();
    if (!r->curl)
        return err_set(err, FOOTNOTE_NOMEM, "opening curl");
    curl_easy_setopt(r->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(r->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(r->curl, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
    curl_easy_setopt(r->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(r->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(r->curl, CURLOPT_WRITEDATA, &r->answer);
    return add_headers(r, key, err);
}

/* By its id, else by its title, else it is made. */
static enum footnote_rc need_course(struct remote *r,
                                    const struct target_options *o,
                                    struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(COURSE_BYTES_MAX);
    struct json_out w = JSON_OUT(&body);
    const struct json *all = NULL, *c;
    char path[PATH_BYTES_MAX + 64];
    enum footnote_rc rc;
    long status;

    escape(r, o->course, r->course, sizeof(r->course));
    snprintf(path, sizeof(path), "/api/courses/%s", r->course);
    rc = get(r, path, &all, err);
    if (rc != FOOTNOTE_NOTFOUND || r->base.exit_code)
        return rc;
    TRY(get(r, "/api/courses?limit=200", &all, err));
    c = json_get(all, STR("courses"));
    for (c = c && c->type == JSON_ARRAY ? c->first : NULL; c; c = c->next)
        if (str_eq(text_of(c, STR("title")), o->course)) {
            escape(r, text_of(c, STR("id")), r->course, sizeof(r->course));
            return FOOTNOTE_OK;
        }
    if (o->dry)
        return FOOTNOTE_OK;
    json_object(&w);
    json_key(&w, STR("id"));
    json_str(&w, o->course);
    json_key(&w, STR("title"));
    json_str(&w, o->course);
    json_end(&w, '}');
    return send_json(r, "POST", "/api/courses", &body, &all, &status, err);
}

/* All documents of the course, as one array in r->arena. */
static enum footnote_rc list(struct remote *r, struct footnote_err *err)
{
    struct json **tail = &r->known;
    char path[2 * PATH_BYTES_MAX + 64], cursor[PATH_BYTES_MAX] = "";

    do {
        const struct json *page = NULL;
        struct json *copy = NULL;
        struct str next;

        snprintf(path, sizeof(path), "/api/courses/%s/documents?limit=200%s%s",
                 r->course, cursor[0] ? "&cursor=" : "", cursor);
        TRY(get(r, path, &page, err));
        TRY(json_read(&r->arena, arena_str(&r->arena, buf_str(&r->answer)),
                      &copy, err));
        next = text_of(copy, STR("nextCursor"));
        cursor[0] = '\0';
        if (next.p)
            escape(r, next, cursor, sizeof(cursor));
        copy = json_get(copy, STR("documents"));
        if (copy && copy->type == JSON_ARRAY)
            *tail = copy->first;
        while (*tail)
            tail = &(*tail)->next;
    } while (cursor[0]);
    return FOOTNOTE_OK;
}

static const struct target_kind remote_kind = {remote_put, remote_look,
                                               remote_pause, remote_close};

enum footnote_rc target_remote(struct cli *c, const struct target_options *o,
                               struct target **out, struct footnote_err *err)
{
    struct remote *r = calloc(1, sizeof(*r));
    enum footnote_rc rc;

    (void)c;
    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "opening a connection");
    *r = (struct remote){.base = {.kind = &remote_kind},
                         .server = o->server,
                         .arena = ARENA(LIST_BYTES_MAX),
                         .parsed = ARENA(PARSED_BYTES_MAX),
                         .answer = BUF(ANSWER_BYTES_MAX)};
    *out = &r->base; /* its exit code tells what a failure means */
    while (r->server.n && r->server.p[r->server.n - 1] == '/')
        r->server.n--;
    TRY(open_curl(r, o->key, err));
    TRY(need_course(r, o, err));
    rc = list(r, err);
    return rc == FOOTNOTE_NOTFOUND && o->dry ? FOOTNOTE_OK : rc;
}
