/* pictures.c - links to page pictures, and the objects behind our own links.
 *
 * A reader of the message gets a link to one picture, for five minutes.  A
 * label that we stored leads to its object; a label that a caller sent leads
 * only to places that the operator opened. */
#include "http/api/pictures.h"

#include "base/clock.h"
#include "http/api/files.h"
#include "http/auth/auth.h"
#include "http/call/services.h"
#include "http/shape/cursor.h"
#include "http/shape/shape.h"
#include "store/document/snapshot.h"
#include "store/read/history.h"
#include "store/session/message.h"

/* ---- Links -------------------------------------------------------------- */

static enum footnote_rc link_to(struct request *r, const struct snapshot *s,
                                struct str label, struct picture_link *out,
                                struct footnote_err *err)
{
    struct objects *o = services(r)->objects;
    struct str base = guard_public_url(services(r)->config, r);
    struct link_lifetime until = {clock_wall_ms(), PICTURE_LINK_S};

    if (s->found)
        TRY(object_link(o, s->object_key, s->media_type, &until, &r->arena,
                        &out->url, err));
    else
        TRY(object_external(o, label, &until, &r->arena, &out->url, err));
    if (!out->url.p)
        return FOOTNOTE_OK;
    out->expires_ms = (until.now_ms / 1000 + until.seconds) * 1000;
    r->reply.no_store = true;
    if (out->url.p[0] == '/' && base.n)
        out->url = arena_printf(&r->arena, "%.*s%.*s", STR_ARG(base),
                                STR_ARG(out->url));
    return arena_rc(&r->arena, err);
}

struct picture_link *picture_links(struct request *r,
                                   const struct message *messages, size_t n)
{
    struct picture_link *links =
        arena_many(&r->arena, n + 1, struct picture_link);
    struct str *labels = arena_many(&r->arena, n + 1, struct str);
    struct snapshot_find find = {.labels = labels, .n = n};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!links || !labels) {
        call_no_memory(r);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        labels[i] = messages[i].has_image ? messages[i].image_s3key : STR_NONE;
    if (!services(r)->objects)
        return links;
    if (!call_read(r, OP(snapshot_find), &find, "session"))
        return NULL;
    for (size_t i = 0; i < n && rc == FOOTNOTE_OK; i++)
        if (labels[i].p)
            rc = link_to(r, &find.snapshots[i], labels[i], &links[i], &err);
    if (rc == FOOTNOTE_OK)
        return links;
    call_failed(r, rc, &err, "session");
    return NULL;
}

/* ---- GET /api/sessions/{id}/images -------------------------------------- */

static void add_image(struct buf *b, const struct message *m,
                      const struct picture_link *link)
{
    buf_add(b, STR("{\"messageId\":"));
    shape_str(b, m->id);
    buf_add(b, STR(",\"s3key\":"));
    shape_str(b, m->image_s3key);
    buf_add(b, STR(",\"slideId\":"));
    shape_str(b, m->image_slide);
    buf_add(b, STR(",\"pageNumber\":"));
    shape_i64(b, m->has_image_page, m->image_page);
    buf_add(b, STR(",\"url\":"));
    shape_str(b, link->url);
    buf_add(b, STR(",\"expiresAt\":"));
    if (link->url.p)
        shape_time(b, link->expires_ms);
    else
        buf_add(b, STR("null"));
    buf_add_c(b, '}');
}

static void images_work(struct request *r)
{
    struct session_images op = {.messages = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    const struct picture_link *links;
    struct page page;
    struct str next;
    size_t n;

    if (!call_param(r, 0, "session", &op.session) || !page_read(r, &page) ||
        !call_read(r, OP(session_images), &op, "session"))
        return;
    n = page_cut(r, &page, op.messages_n, &next);
    links = picture_links(r, op.messages + page.from, n);
    if (!links)
        return;
    buf_add(&b, STR("{\"images\":["));
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(&b, ',');
        add_image(&b, &op.messages[page.from + i], &links[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    if (r->reply.no_store)
        reply_json(r, 200, &b);
    else
        reply_cached(r, &b);
}

void api_images_list(struct request *r)
{
    request_work(r, images_work);
}

/* ---- GET /api/objects/{key} --------------------------------------------- */

static void refuse_link(struct request *r, enum footnote_rc rc)
{
    bool over = rc == FOOTNOTE_ENDED;

    reply_problem(r, &(struct problem){
                         .status = 403,
                         .code = over ? STR("link_expired") : STR("forbidden"),
                         .text = over ? STR("This link has expired")
                                      : STR("This link is not one of "
                                            "ours"),
                         .hint = STR("Links are made afresh by GET "
                                     "/api/sessions/{id}/images")});
}

static bool may_follow(struct request *r, struct str key)
{
    struct object_claim claim = {.expires = request_query(r, STR("expires")),
                                 .signature =
                                     request_query(r, STR("signature")),
                                 .now_ms = clock_wall_ms()};
    struct footnote_err err;
    enum footnote_rc rc = FOOTNOTE_INVALID;

    if (services(r)->objects)
        rc = object_link_check(services(r)->objects, key, &claim, &err);
    if (rc == FOOTNOTE_ENDED || rc == FOOTNOTE_INVALID)
        refuse_link(r, rc);
    else if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "object");
    return rc == FOOTNOTE_OK;
}

/* The row is read although the link is valid: a deleted picture is gone at
 * once. */
static void follow_work(struct request *r)
{
    struct snapshot_served op = {.object_key = r->params[0]};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    r->reply.no_store = true;
    if (!may_follow(r, op.object_key))
        return;
    rc = store_own_read(services(r)->store, &r->arena, OP(snapshot_served), &op,
                        &err);
    if (rc != FOOTNOTE_OK) {
        call_failed(r, rc, &err, "object");
        return;
    }
    reply_object(r, &(struct object_out){.key = op.object_key,
                                         .bytes = op.bytes,
                                         .digest = &op.digest,
                                         .type = op.media_type});
}

void api_object_follow(struct request *r)
{
    request_work_then(r, follow_work, NULL);
}
