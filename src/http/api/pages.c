/* pages.c - a page of a document: its picture, its words and their boxes, and
 * the boxes of its passages.
 *
 * Pictures and words are made on demand, by a program in a jail, in workers of
 * their own: histories do not wait behind them.  Browsers keep pictures: with
 * ?version= they never ask again.  A page that failed is not tried again for a
 * while (page_failures.h). */
#include <stdio.h>
#include <unistd.h>

#include "http/api/files.h"
#include "http/api/page_failures.h"
#include "http/call/services.h"
#include "http/shape/shape.h"
#include "ingest/pdf/page.h"
#include "store/document/document.h"

enum { PAGE_MAX_N = 1000 * 1000 };

struct page_ask {
    struct document document;
    int64_t n, scale; /* scale: of the picture */
};

bool document_has_pages(const struct document *d)
{
    return str_eq(d->media_type, STR("application/pdf")) &&
           d->status != DOCUMENT_FAILED; /* it may be a bomb */
}

/* The page of the path. */
static bool open_page(struct request *r, struct page_ask *p)
{
    if (!document_of_path(r, &p->document))
        return false;
    if (!str_i64(r->params[1], &p->n) || p->n < 1 || p->n > PAGE_MAX_N) {
        reply_lacks(r, "Page not found");
        return false;
    }
    if (!document_has_pages(&p->document)) {
        reply_lacks(r, "This document has no pages to look at");
        return false;
    }
    return true;
}

static void page_failed(struct request *r, enum footnote_rc rc,
                        const struct footnote_err *err)
{
    if (rc == FOOTNOTE_NOTFOUND)
        reply_lacks(r, "Page not found");
    else if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG)
        reply_lacks(r, "This page cannot be shown");
    else
        call_failed(r, rc, err, "document");
}

/* ---- GET /api/documents/{id}/pages/{n}.png ------------------------------ */

bool page_paint(struct request *r, const struct document *d, int64_t n,
                int scale, struct buf *png)
{
    struct page_failures *failures = services(r)->page_failures;
    struct page_of page = {d->digest, n, scale};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = page_failures_get(failures, &page);
    int fd;

    if (rc == FOOTNOTE_OK) {
        if (!document_open_file(r, d, &fd))
            return false;
        rc = page_picture(fd, n, scale, png, &err);
        close(fd);
        if (rc == FOOTNOTE_OK)
            rc = buf_rc(png, &err);
        page_failures_note(failures, &page, rc);
    }
    if (rc != FOOTNOTE_OK)
        page_failed(r, rc, &err);
    return rc == FOOTNOTE_OK;
}

static void send_picture(struct request *r, struct page_ask *p, struct str etag)
{
    AUTO(buf_free) struct buf png = BUF(PAGE_PICTURE_BYTES_MAX);
    struct footnote_err err = {.text = ""};
    struct str picture;

    if (!page_paint(r, &p->document, p->n, (int)p->scale, &png))
        return;
    picture = arena_str(&r->arena, buf_str(&png));
    if (arena_rc(&r->arena, &err) == FOOTNOTE_OK)
        reply_range(r, STR("image/png"), picture, etag);
    else
        page_failed(r, FOOTNOTE_NOMEM, &err);
}

/* A client that has the picture gets 304, and none is made. */
static void picture_work(struct request *r)
{
    struct page_ask p = {.scale = 1};
    char which[48];
    struct str etag;

    if (!open_page(r, &p) ||
        !call_number(r, STR("scale"), 1, PAGE_SCALE_MAX, &p.scale))
        return;
    snprintf(which, sizeof(which), "-%lld-%lld", (long long)p.n,
             (long long)p.scale);
    etag = file_etag(r, &p.document.digest, which);
    if (request_has_etag(r, etag)) {
        reply_header(r, STR("ETag"), etag);
        reply_empty(r, 304);
        return;
    }
    send_picture(r, &p, etag);
}

void api_page_picture(struct request *r)
{
    request_work_slow(r, picture_work);
}

/* ---- GET /api/documents/{id}/pages/{n} ---------------------------------- */

/* The passages that stand on it, of the same version. */
static bool read_passages(struct request *r, const struct page_ask *p,
                          struct passages_read *op)
{
    const struct document *d = &p->document;

    *op = (struct passages_read){
        .document = d->id, .course = d->course, .page = p->n};
    if (!call_number(r, STR("version"), 1, INT32_MAX, &op->version))
        return false;
    if (op->version == 0)
        op->version = d->version;
    if (op->version == d->version && d->status != DOCUMENT_READY)
        r->reply.immutable = false; /* more of them may come */
    return call_read(r, OP(passages_read), op, "document");
}

static bool read_words(struct request *r, const struct page_ask *p,
                       struct arena *a, struct page_words *out)
{
    struct page_failures *failures = services(r)->page_failures;
    struct page_of page = {p->document.digest, p->n, 0};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = page_failures_get(failures, &page);
    int fd;

    if (rc == FOOTNOTE_OK) {
        if (!document_open_file(r, &p->document, &fd))
            return false;
        rc = page_words(fd, p->n, a, out, &err);
        close(fd);
        page_failures_note(failures, &page, rc);
    }
    if (rc != FOOTNOTE_OK)
        page_failed(r, rc, &err);
    return rc == FOOTNOTE_OK;
}

static void words_work(struct request *r)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct passages_read passages;
    struct page_words words;
    struct page_ask p;

    if (!open_page(r, &p) || !read_passages(r, &p, &passages) ||
        !read_words(r, &p, &a, &words))
        return;
    page_words_json(&words, passages.passages, passages.passages_n, &b);
    reply_cached(r, &b);
}

void api_page_words(struct request *r)
{
    request_work_slow(r, words_work);
}
