/* document_add.c - a new document, or a new version of one.
 *
 * A client that may not write is told before the body is read; so is one whose
 * body has an unknown type.  The answer is the document, whose status is that
 * of reading it in. */
#include "http/api/upload.h"
#include "http/shape/shape.h"
#include "store/document/document.h"
#include "store/session/course.h"

/* ---- The answer --------------------------------------------------------- */

static int reply_status(struct request *r, const struct upload *u)
{
    bool made = u->op.made || u->op.retried;

    if (u->keyed.has_key || !u->replaces)
        return keyed_status(r, &u->keyed, made) == 201 ? 202 : 200;
    return made ? 202 : 200;
}

static void answer_document(struct request *r)
{
    struct upload *u = r->state;
    struct document_get get = {.id = keyed_result(&u->keyed),
                               .course = u->op.document.course};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(document_get), &get, "document"))
        return;
    call_location(r, STR("/api/documents/"), get.id);
    shape_document(&b, &get.document);
    reply_json(r, reply_status(r, u), &b);
}

static void written(struct request *r)
{
    struct upload *u = r->state;

    upload_share_end(r, &u->share); /* the store counts it now */
    if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "document");
    else
        request_work(r, answer_document);
}

/* ---- The row ------------------------------------------------------------ */

static void name_objects(struct upload *u)
{
    struct document *d = &u->op.document;

    if (u->file.whole) {
        d->object_key = str_c(u->file.object.key);
        d->digest = u->file.object.digest;
        d->has_bytes = true;
        d->bytes = u->file.object.bytes;
    }
    if (u->media.whole) {
        d->media.object_key = str_c(u->media.object.key);
        d->media.digest = u->media.object.digest;
        d->media.bytes = u->media.object.bytes;
    }
}

/* Two uploads under one Idempotency-Key are compared by this text: not by the
 * bytes of the form, whose boundary differs every time. */
static struct str text_for_key(struct request *r, const struct upload *u)
{
    const struct document *d = &u->op.document;
    AUTO(buf_free) struct buf b = BUF(REPLY_BYTES_MAX);
    const struct str texts[] = {
        d->id,       d->title,     d->date,          d->url,
        d->filename, d->media.url, d->media.filename};

    buf_add_hex(&b, d->digest.b, SHA256_BYTES);
    buf_add_hex(&b, d->media.digest.b, SHA256_BYTES);
    buf_add_i64(&b, d->kind);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        buf_add_c(&b, ' ');
        shape_str(&b, texts[i]);
    }
    return arena_str(&r->arena, buf_str(&b));
}

static void write_row(struct request *r)
{
    struct upload *u = r->state;

    name_objects(u);
    u->op.queue = true;
    u->op.must_exist = u->replaces;
    if (u->replaces)
        u->op.document.id = u->was.id;
    u->op.document.course = u->replaces ? u->was.course : r->params[0];
    u->keyed.result = u->op.id_text;
    r->body = text_for_key(r, u);
    if (!r->body.p) {
        call_no_memory(r);
        return;
    }
    u->sent = true;
    keyed_write(r, &u->keyed, STR(""), OP(document_put), &u->op, written);
}

/* ---- The body ----------------------------------------------------------- */

static void store_text(struct request *r)
{
    struct upload *u = r->state;

    if (u->op.document.kind == DOCUMENT_JOURNAL)
        upload_text(r, u, STR("entry.md"), STR("text/markdown; charset=utf-8"));
    else
        upload_text(r, u, STR("text.txt"), STR("text/plain; charset=utf-8"));
}

static void read_json(struct request *r)
{
    struct upload *u = r->state;

    if (!upload_json(r, u))
        return;
    if (u->op.document.kind == DOCUMENT_PAGE)
        write_row(r);
    else
        request_work_then(r, store_text, write_row);
}

static void file_is_in(struct request *r)
{
    request_work_then(r, upload_finish, write_row);
}

static void receive_file(struct request *r)
{
    request_sink(r, upload_write, file_is_in);
}

static void receive_json(struct request *r)
{
    request_body(r, read_json);
}

/* ---- The calls ---------------------------------------------------------- */

/* In a worker; a request that it does not answer goes on to r->then. */
static void check_body(struct request *r)
{
    struct upload *u = r->state;

    r->cleanup = upload_clean_up;
    if (!upload_share_take(r, &u->share))
        return;
    if (upload_prepare(r, u))
        r->then = receive_file;
    else
        r->then = receive_json;
}

static void check_course(struct request *r)
{
    struct str course;

    if (call_param(r, 0, "course", &course) && call_editor(r, course))
        check_body(r);
}

static void check_document(struct request *r)
{
    struct upload *u = r->state;
    struct document_get get = {.id = STR_NONE};

    if (!call_document(r, &get.id, &get.course) ||
        !call_read(r, OP(document_get), &get, "document"))
        return;
    u->was = get.document;
    if (get.document.role < MEMBER_EDITOR)
        call_forbidden(r, "its owner and editors");
    else
        check_body(r);
}

void api_document_add(struct request *r)
{
    if (call_state(r, sizeof(struct upload)))
        request_work_then(r, check_course, NULL);
}

void api_document_replace(struct request *r)
{
    struct upload *u = call_state(r, sizeof(*u));

    if (!u)
        return;
    u->replaces = true;
    request_work_then(r, check_document, NULL);
}
