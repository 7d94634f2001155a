/* files.c - a document's bytes: the file, its recording, its cues.
 *
 * Files that people uploaded are served as downloads, in a sandbox, with the
 * type that their bytes have: an uploaded page never runs in our origin. */
#include <unistd.h>

#include "base/fd.h"
#include "http/api/files.h"
#include "http/call/services.h"
#include "http/shape/shape.h"
#include "ingest/format/transcript.h"
#include "store/document/document.h"

#define NO_FILE "This document has no file, or not yet"

/* ---- Finding it --------------------------------------------------------- */

bool document_of_path(struct request *r, struct document *out)
{
    struct document_get get = {.version = 0};

    if (!call_document(r, &get.id, &get.course) ||
        !call_number(r, STR("version"), 1, INT32_MAX, &get.version) ||
        !call_read(r, OP(document_get), &get, "document"))
        return false;
    r->reply.immutable = get.version > 0;
    *out = get.document;
    return true;
}

void reply_lacks(struct request *r, const char *what)
{
    r->reply.immutable = false;
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = str_c(what)});
}

struct str file_etag(struct request *r, const struct sha256 *digest,
                     const char *more)
{
    char hex[SHA256_HEX + 1];

    sha256_hex(digest, hex);
    return arena_printf(&r->arena, "\"%.32s%s\"", hex, more);
}

static enum footnote_rc open_checked(struct request *r,
                                     const struct document *d, int *fd,
                                     struct footnote_err *err)
{
    struct object want;

    if (!services(r)->objects)
        return err_set(err, FOOTNOTE_DAMAGED, "there is no place for files");
    TRY(object_of(d->object_key, d->bytes, &d->digest, &want, err));
    TRY(object_get(services(r)->objects, &want, fd, err));
    return object_check(*fd, &want, err);
}

bool document_open_file(struct request *r, const struct document *d, int *fd)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    *fd = -1;
    if (!d->object_key.p) {
        reply_lacks(r, NO_FILE);
        return false;
    }
    rc = open_checked(r, d, fd, &err);
    if (rc == FOOTNOTE_OK)
        return true;
    fd_closep(fd);
    *fd = -1;
    /* A row names it, so its absence is our loss and not the client's error. */
    call_failed(r, rc == FOOTNOTE_NOTFOUND ? FOOTNOTE_DAMAGED : rc, &err,
                "document");
    return false;
}

/* ---- Sending it --------------------------------------------------------- */

struct object_source {
    struct objects *objects;
    struct object object;
};

/* A row names it, so its absence is our loss and not the client's error. */
static enum footnote_rc open_window(void *arg, int64_t from, int64_t n,
                                    struct file_window *out,
                                    struct footnote_err *err)
{
    struct object_source *g = arg;
    struct object_window w = {.fd = -1};
    enum footnote_rc rc =
        object_window(g->objects, &g->object, from, n, &w, err);

    *out = (struct file_window){w.fd, w.from, w.bytes};
    return rc == FOOTNOTE_NOTFOUND ? err_set(err, FOOTNOTE_DAMAGED,
                                             "object %s is gone", g->object.key)
                                   : rc;
}

void reply_object(struct request *r, const struct object_out *o)
{
    struct object_source *g = arena_new(&r->arena, struct object_source);
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = FOOTNOTE_DAMAGED;

    if (!g) {
        call_no_memory(r);
        return;
    }
    g->objects = services(r)->objects;
    if (g->objects)
        rc = object_of(o->key, o->bytes, o->digest, &g->object, &err);
    if (rc != FOOTNOTE_OK) {
        call_failed(r, FOOTNOTE_DAMAGED, &err, "document");
        return;
    }
    reply_attachment(r, o->attachment, o->filename);
    reply_sandboxed(r);
    reply_file(r, &(struct file_out){.window = open_window,
                                     .arg = g,
                                     .bytes = (uint64_t)o->bytes,
                                     .type = o->type,
                                     .etag = file_etag(r, o->digest, ""),
                                     .digest = &g->object.digest});
}

void reply_sandboxed(struct request *r)
{
    reply_header(r, STR("Content-Security-Policy"),
                 STR("default-src 'none'; sandbox"));
    reply_header(r, STR("Cross-Origin-Resource-Policy"), STR("same-origin"));
}

/* ---- GET /api/documents/{id}/download ----------------------------------- */

static void download_work(struct request *r)
{
    struct document d;

    if (!document_of_path(r, &d))
        return;
    if (!d.object_key.p) {
        reply_lacks(r, NO_FILE);
        return;
    }
    reply_object(
        r, &(struct object_out){.key = d.object_key,
                                .bytes = d.bytes,
                                .digest = &d.digest,
                                .type = d.media_type.p
                                            ? d.media_type
                                            : STR("application/octet-stream"),
                                .attachment = true,
                                .filename = d.filename});
}

void api_document_download(struct request *r)
{
    request_work_then(r, download_work, NULL);
}

/* ---- GET /api/documents/{id}/media -------------------------------------- */

/* The address is told and not redirected to: it is another user's text, and a
 * link to our host would lead anywhere. */
static void media_work(struct request *r)
{
    struct document d;
    const struct document_media *m = &d.media;

    if (!document_of_path(r, &d))
        return;
    if (m->url.p && !m->object_key.p) {
        struct buf b = BUF(REPLY_BYTES_MAX);

        buf_add(&b, STR("{\"url\":"));
        shape_str(&b, m->url);
        buf_add_c(&b, '}');
        reply_cached(r, &b);
        return;
    }
    if (!m->object_key.p) {
        reply_lacks(r, "This document has no recording");
        return;
    }
    reply_object(r, &(struct object_out){.key = m->object_key,
                                         .bytes = m->bytes,
                                         .digest = &m->digest,
                                         .type = m->media_type,
                                         .filename = m->filename});
}

void api_document_media(struct request *r)
{
    request_work_then(r, media_work, NULL);
}

/* ---- GET /api/documents/{id}/transcript --------------------------------- */

static void shape_cues(struct buf *b, const struct cue *cues, size_t n)
{
    buf_add(b, STR("{\"cues\":["));
    for (size_t i = 0; i < n; i++) {
        buf_add(b, i ? STR(",{\"start\":") : STR("{\"start\":"));
        buf_add_f64(b, cues[i].start);
        buf_add(b, STR(",\"end\":"));
        buf_add_f64(b, cues[i].end);
        buf_add(b, STR(",\"text\":"));
        shape_str(b, cues[i].text);
        buf_add(b, STR(",\"speaker\":"));
        shape_str(b, cues[i].speaker);
        buf_add_c(b, '}');
    }
    buf_add(b, STR("]}"));
}

bool document_has_cues(struct request *r, const struct document *d)
{
    return d->kind == DOCUMENT_LECTURE && d->object_key.p &&
           services(r)->objects;
}

enum footnote_rc document_cues(struct request *r, const struct document *d,
                               struct cue **cues, size_t *n,
                               struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(EXTRACT_BYTES_MAX);
    struct extract_facts facts = {.pages = 0};
    struct object want;

    TRY(object_of(d->object_key, d->bytes, &d->digest, &want, err));
    TRY(object_read(services(r)->objects, &want, &bytes, err));
    return transcript_cues(&r->arena, buf_str(&bytes), d->encoding, cues, n,
                           &facts, err);
}

static void transcript_work(struct request *r)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct footnote_err err = {.text = ""};
    struct document d;
    enum footnote_rc rc;
    struct cue *cues;
    size_t n;

    if (!document_of_path(r, &d))
        return;
    if (!document_has_cues(r, &d)) {
        reply_lacks(r, "This document has no transcript");
        return;
    }
    rc = document_cues(r, &d, &cues, &n, &err);
    if (rc == FOOTNOTE_OK) {
        shape_cues(&b, cues, n);
        reply_cached(r, &b);
        return;
    }
    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG)
        reply_lacks(r, "The transcript of this document cannot be read");
    else
        call_failed(r, rc, &err, "document");
}

void api_document_transcript(struct request *r)
{
    request_work(r, transcript_work);
}
