/* target_remote.c - sends documents to a running server, over its HTTP API.
 *
 * The server hashes each file and answers 200 when it has it already. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/ingest/target.h"
#include "cli/remote.h"
#include "store/document/document.h"

enum {
    LIST_BYTES_MAX = 128 * 1024 * 1024,
    ENTRY_BYTES_MAX = 2 * EXTRACT_BYTES_MAX, /* its text, escaped */
    COURSE_BYTES_MAX = 64 * 1024
};

struct remote_target {
    struct target base;
    struct remote http;
    struct arena arena;                 /* `documents` */
    char course[REMOTE_PATH_BYTES_MAX]; /* its id, escaped for a path */
    struct json *documents;             /* of the course, as listed */
    bool dry;
};

/* Copies the exit code of the last request to the target; returns rc. */
static enum footnote_rc pass_exit_code(struct remote_target *t,
                                       enum footnote_rc rc)
{
    t->base.exit_code = t->http.exit_code;
    return rc;
}

/* ---- Forms -------------------------------------------------------------- */

static void free_mime(curl_mime **m)
{
    curl_mime_free(*m);
}

static size_t read_file(char *to, size_t size, size_t n, void *file)
{
    size_t got = fread(to, size, n, file);

    return got == 0 && ferror(file) ? CURL_READFUNC_ABORT : got * size;
}

static int seek_file(void *file, curl_off_t offset, int origin)
{
    return fseeko(file, offset, origin) == 0 ? CURL_SEEKFUNC_OK
                                             : CURL_SEEKFUNC_FAIL;
}

static void close_file(void *file)
{
    fclose(file);
}

/* We open the file, since curl would follow links. */
static enum footnote_rc add_file(curl_mime *m, const char *name,
                                 struct str root, struct str path,
                                 struct str filename, struct footnote_err *err)
{
    int fd = plan_open(root, path, O_RDONLY);
    curl_mimepart *part;
    struct stat st;
    FILE *file;

    if (fd < 0 || fstat(fd, &st) != 0 || !(file = fdopen(fd, "rb"))) {
        int why = errno;

        if (fd >= 0)
            close(fd);
        return err_set(err, FOOTNOTE_INVALID, "%s", strerror(why));
    }
    part = curl_mime_addpart(m);
    if (!part || curl_mime_data_cb(part, st.st_size, read_file, seek_file,
                                   close_file, file) != CURLE_OK) {
        fclose(file);
        return err_set(err, FOOTNOTE_NOMEM, "sending a file");
    }
    if (curl_mime_name(part, name) != CURLE_OK ||
        curl_mime_filename(part, filename.p) != CURLE_OK ||
        curl_mime_type(part, "application/octet-stream") != CURLE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "sending a file");
    return FOOTNOTE_OK;
}

static enum footnote_rc send_files(struct remote_target *r, const char *method,
                                   const char *path,
                                   const struct plan_item *item,
                                   const struct json **out, long *status,
                                   struct footnote_err *err)
{
    AUTO(free_mime) curl_mime *form = curl_mime_init(r->http.curl);

    assert(item->path.p);
    if (!form)
        return err_set(err, FOOTNOTE_NOMEM, "sending a file");
    TRY(add_file(form, "file", item->root, item->path, item->name, err));
    if (item->recording.p)
        TRY(add_file(form, "media", item->recording_root, item->recording,
                     plan_base_name(item->recording), err));
    return remote_form(&r->http, method, path, form, out, status, err);
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

/* The id of the document that the item is a new version of, or absent. */
static struct str find_by_name(const struct remote_target *r,
                               const struct plan_item *item)
{
    const struct json *d = item->from_folder ? r->documents : NULL;

    for (; d; d = d->next)
        if (str_eq(json_text(d, STR("filename")), item->name))
            return json_text(d, STR("id"));
    return STR_NONE;
}

static enum footnote_rc send_item(struct remote_target *r,
                                  const struct plan_item *item,
                                  const struct json **out, long *status,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(ENTRY_BYTES_MAX);
    struct str old = find_by_name(r, item);
    char path[2 * REMOTE_PATH_BYTES_MAX + 64], id[REMOTE_PATH_BYTES_MAX];

    snprintf(path, sizeof(path), "/api/courses/%s/documents", r->course);
    if (item->kind == DOCUMENT_JOURNAL) {
        journal_json(&body, item);
        return remote_send(&r->http, "POST", path, &body, out, status, err);
    }
    if (!old.p)
        return send_files(r, "POST", path, item, out, status, err);
    remote_escape(&r->http, old, id, sizeof(id));
    snprintf(path, sizeof(path), "/api/documents/%s?courseId=%s", id,
             r->course);
    return send_files(r, "PUT", path, item, out, status, err);
}

static enum footnote_rc remote_put(struct target *t,
                                   const struct plan_item *item, bool dry,
                                   struct target_put *out,
                                   struct footnote_err *err)
{
    struct remote_target *r = (struct remote_target *)t;
    const struct json *d = NULL;
    struct str id;
    long status = 0;

    *out = (struct target_put){.same = false};
    if (dry)
        return FOOTNOTE_OK; /* only the server could compare the bytes */
    TRY(pass_exit_code(r, send_item(r, item, &d, &status, err)));
    id = json_text(d, STR("id"));
    if (!id.p || id.n > STORE_ID_BYTES_MAX)
        return pass_exit_code(r, remote_not_footnote(&r->http, err));
    memcpy(out->id, id.p, id.n);
    out->same = status == 200;
    return FOOTNOTE_OK;
}

/* ---- States ------------------------------------------------------------- */

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

static enum footnote_rc remote_state(struct target *t, const char *id,
                                     struct target_state *out,
                                     struct footnote_err *err)
{
    struct remote_target *r = (struct remote_target *)t;
    char part[REMOTE_PATH_BYTES_MAX], path[2 * REMOTE_PATH_BYTES_MAX + 64];
    const struct json *d = NULL, *p;

    remote_escape(&r->http, str_c(id), part, sizeof(part));
    snprintf(path, sizeof(path), "/api/documents/%s?courseId=%s", part,
             r->course);
    TRY(pass_exit_code(r, remote_get(&r->http, path, &d, err)));
    p = json_get(d, STR("progress"));
    out->status = status_of(json_text(d, STR("status")));
    out->progress = (struct document_progress){
        unit_of(json_text(p, STR("unit"))), remote_number(p, STR("done")),
        remote_number(p, STR("total"))};
    out->pages = remote_number(d, STR("pages"));
    snprintf(out->error, sizeof(out->error), "%.*s",
             STR_ARG(json_text(d, STR("error"))));
    snprintf(out->warning, sizeof(out->warning), "%.*s",
             STR_ARG(json_text(d, STR("warning"))));
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
    struct remote_target *r = (struct remote_target *)t;

    remote_free(&r->http);
    arena_free(&r->arena);
    free(r);
}

/* Finds the course by its id, else by its title, else makes it. */
static enum footnote_rc find_or_make_course(struct remote_target *r,
                                            const struct target_options *o,
                                            struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(COURSE_BYTES_MAX);
    struct json_out w = JSON_OUT(&body);
    const struct json *made = NULL;
    struct str id = o->course;
    enum footnote_rc rc = remote_course(&r->http, o->course, &id, err);
    long status;

    remote_escape(&r->http, id, r->course, sizeof(r->course));
    if (rc != FOOTNOTE_NOTFOUND || r->http.exit_code)
        return rc;
    if (o->dry)
        return FOOTNOTE_OK;
    json_object(&w);
    json_key(&w, STR("id"));
    json_str(&w, o->course);
    json_key(&w, STR("title"));
    json_str(&w, o->course);
    json_end(&w, '}');
    return remote_send(&r->http, "POST", "/api/courses", &body, &made, &status,
                       err);
}

/* Joins the pages of the course's documents to one list in r->arena. */
static enum footnote_rc list_documents(struct remote_target *r,
                                       struct footnote_err *err)
{
    struct json **tail = &r->documents;
    char path[2 * REMOTE_PATH_BYTES_MAX + 64],
        cursor[REMOTE_PATH_BYTES_MAX] = "";

    do {
        const struct json *page = NULL;
        struct json *copy = NULL;
        struct str next;

        snprintf(path, sizeof(path), "/api/courses/%s/documents?limit=200%s%s",
                 r->course, cursor[0] ? "&cursor=" : "", cursor);
        TRY(remote_get(&r->http, path, &page, err));
        TRY(json_read(&r->arena, arena_str(&r->arena, buf_str(&r->http.answer)),
                      &copy, err));
        next = json_text(copy, STR("nextCursor"));
        cursor[0] = '\0';
        if (next.p)
            remote_escape(&r->http, next, cursor, sizeof(cursor));
        copy = json_get(copy, STR("documents"));
        if (copy && copy->type == JSON_ARRAY)
            *tail = copy->first;
        while (*tail)
            tail = &(*tail)->next;
    } while (cursor[0]);
    return FOOTNOTE_OK;
}

static enum footnote_rc remote_list(struct target *t, struct footnote_err *err)
{
    struct remote_target *r = (struct remote_target *)t;
    enum footnote_rc rc;

    arena_reset(&r->arena);
    r->documents = NULL;
    rc = pass_exit_code(r, list_documents(r, err));
    if (rc != FOOTNOTE_NOTFOUND || !r->dry)
        return rc;
    r->base.exit_code = 0; /* a real run would make the course */
    return FOOTNOTE_OK;
}

static const struct target_kind remote_kind = {
    remote_list, remote_put, remote_state, remote_pause, remote_close};

enum footnote_rc target_remote(struct cli *c, const struct target_options *o,
                               struct target **out, struct footnote_err *err)
{
    struct remote_target *r = calloc(1, sizeof(*r));

    (void)c;
    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "opening a connection");
    *r = (struct remote_target){.base = {.kind = &remote_kind},
                                .dry = o->dry,
                                .arena = ARENA(LIST_BYTES_MAX)};
    *out = &r->base; /* the caller closes it, even when this fails */
    TRY(pass_exit_code(r, remote_open(&r->http, o->server, o->key, err)));
    return pass_exit_code(r, find_or_make_course(r, o, err));
}
