/* snapshots.c - POST /api/courses/{id}/snapshots: the page on the screen.
 *
 *     check -> receive -> check, store  -> row -> answer    a picture came
 *              JSON    -> render, store -> row -> answer    of a page we have
 *
 * Every reader of the course may add one.  The picture is in memory as a whole,
 * at most 20 MB, because it is checked before anything is stored. */
#include "http/api/files.h"
#include "http/api/upload.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/core/multipart.h"
#include "http/shape/shape.h"
#include "ingest/pdf/page.h"
#include "object/picture.h"
#include "store/document/document.h"
#include "store/document/snapshot.h"
#include "store/session/course.h"

struct snapshot_call {
    struct snapshot_put op;
    struct str slide, document, page; /* as they were sent */
    struct buf bytes;
    struct multipart *form;         /* NULL: the body is the picture */
    struct multipart_fields fields; /* its other parts */
    bool has_file, stored, sent;
    struct upload_share share;
    struct object object;
};

static void clean_up(struct request *r)
{
    struct snapshot_call *a = r->state;
    bool unsure = a->sent && r->rc == FOOTNOTE_UNSURE;
    bool kept = a->sent && r->rc == FOOTNOTE_OK && a->op.keeps;

    upload_share_end(r, &a->share);
    buf_free(&a->bytes);
    if (a->stored && !kept && !unsure)
        (void)object_delete(services(r)->objects, str_c(a->object.key), NULL);
    a->stored = false;
}

/* ---- The answer, and the row -------------------------------------------- */

static void answer(struct request *r)
{
    const struct snapshot_call *a = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);

    buf_add(&b, STR("{\"s3key\":"));
    shape_str(&b, str_c(a->op.label_text));
    buf_add(&b, STR(",\"slideId\":"));
    shape_str(&b, a->op.slide);
    buf_add(&b, STR(",\"pageNumber\":"));
    buf_add_i64(&b, a->op.page);
    buf_add_c(&b, '}');
    if (!a->op.made)
        reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    reply_json(r, a->op.made ? 201 : 200, &b);
}

static void written(struct request *r)
{
    struct snapshot_call *a = r->state;

    upload_share_end(r, &a->share); /* the store counts it now */
    if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "course");
    else
        answer(r);
}

static void write_row(struct request *r)
{
    struct snapshot_call *a = r->state;

    a->op.course = r->params[0];
    a->op.object_key = str_c(a->object.key);
    a->op.bytes = a->object.bytes;
    a->op.digest = a->object.digest;
    a->sent = true;
    request_write(r, OP(snapshot_put), &a->op, written);
}

/* ---- Its labels --------------------------------------------------------- */

static bool read_labels(struct request *r, struct snapshot_call *a)
{
    a->op.slide = a->slide.p ? a->slide : a->document;
    if (!snapshot_slide_ok(a->op.slide)) {
        reply_invalid(r, STR("/slideId"),
                      a->op.slide.p ? "slideId has 1 to 200 bytes, no slash, "
                                      "and is no way up"
                                    : "slideId is missing");
        return false;
    }
    if (!str_i64(a->page, &a->op.page) || a->op.page < 1 ||
        a->op.page > INT32_MAX) {
        reply_invalid(r, STR("/pageNumber"), "pageNumber counts from 1");
        return false;
    }
    return true;
}

static bool store_picture(struct request *r, struct snapshot_call *a,
                          struct str bytes)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc =
        object_store(services(r)->objects, bytes, &a->object, &err);

    a->stored = rc == FOOTNOTE_OK;
    if (a->stored)
        rc = object_shared_key(services(r)->objects, str_c(a->object.key),
                               &r->arena, &a->op.label, &err);
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "course");
    return rc == FOOTNOTE_OK;
}

/* ---- A picture that came ------------------------------------------------ */

static void refuse_picture(struct request *r, enum footnote_rc rc,
                           const struct picture *p, const char *why)
{
    bool known = p->type.p != NULL;
    struct problem problem = {.status = known ? 422 : 415,
                              .code = known ? STR("impossible")
                                            : STR("unsupported_type"),
                              .text = str_c(why),
                              .hint = STR("Send a PNG, a JPEG or a WebP of at "
                                          "most 20 MB and 40 megapixels")};

    if (rc == FOOTNOTE_TOOBIG) {
        problem.status = 413;
        problem.code = STR("too_large");
    }
    reply_problem(r, &problem);
}

static void finish(struct request *r)
{
    struct snapshot_call *a = r->state;
    struct footnote_err err = {.text = ""};
    struct picture picture;
    enum footnote_rc rc =
        a->form ? multipart_finish(a->form, &err) : FOOTNOTE_OK;

    if (rc == FOOTNOTE_OK && !a->has_file)
        rc = err_field(&err, FOOTNOTE_INVALID, "file", "is missing");
    if (rc != FOOTNOTE_OK) {
        call_failed(r, rc, &err, "course");
        return;
    }
    if (!read_labels(r, a))
        return;
    rc = picture_read(buf_str(&a->bytes), &picture, &err);
    if (rc != FOOTNOTE_OK) {
        refuse_picture(r, rc, &picture, err.text);
        return;
    }
    a->op.media_type = picture.type;
    a->op.extension = picture.extension;
    if (store_picture(r, a, buf_str(&a->bytes)))
        r->then = write_row;
}

static struct str *field_of(struct snapshot_call *a, struct str name)
{
    if (str_eq(name, STR("slideId")) || str_eq(name, STR("slide_id")))
        return &a->slide;
    if (str_eq(name, STR("documentId")) || str_eq(name, STR("document_id")))
        return &a->document;
    if (str_eq(name, STR("pageNumber")) || str_eq(name, STR("page_number")))
        return &a->page;
    return NULL;
}

static enum footnote_rc part_begin(void *arg, const struct form_part *p,
                                   struct footnote_err *err)
{
    struct snapshot_call *a = ((struct request *)arg)->state;

    multipart_field(&a->fields, NULL);
    if (str_eq(p->name, STR("file"))) {
        a->has_file = true;
        return FOOTNOTE_OK;
    }
    multipart_field(&a->fields, field_of(a, p->name));
    if (!a->fields.field)
        return err_field_str(err, FOOTNOTE_INVALID, p->name, "is not expected");
    return FOOTNOTE_OK;
}

static enum footnote_rc part_data(void *arg, struct str bytes,
                                  struct footnote_err *err)
{
    struct snapshot_call *a = ((struct request *)arg)->state;

    if (a->fields.field)
        return multipart_field_add(&a->fields, bytes, err);
    buf_add(&a->bytes, bytes);
    return buf_rc(&a->bytes, err);
}

static void write_piece(struct request *r, struct str piece)
{
    struct snapshot_call *a = r->state;
    struct multipart_to to = {r, part_begin, part_data, NULL};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = FOOTNOTE_OK;

    if (!upload_share_grow(r, &a->share, piece.n))
        return;
    if (a->form)
        rc = multipart_feed(a->form, piece, &to, &err);
    else
        buf_add(&a->bytes, piece);
    if (a->bytes.broken == FOOTNOTE_TOOBIG)
        refuse_picture(r, FOOTNOTE_TOOBIG, &(struct picture){.width = 0},
                       "The picture is over 20 MB");
    else if (a->bytes.broken)
        call_no_memory(r);
    else if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "course");
}

static void picture_is_in(struct request *r)
{
    request_work_then(r, finish, NULL);
}

static void receive_picture(struct request *r)
{
    request_sink(r, write_piece, picture_is_in);
}

/* ---- A page that we have ------------------------------------------------ */

static bool find_page(struct request *r, struct snapshot_call *a,
                      struct document *d)
{
    struct document_get get = {.id = a->op.slide, .course = r->params[0]};

    if (!call_read(r, OP(document_get), &get, "document"))
        return false;
    *d = get.document;
    if (str_eq(d->media_type, STR("application/pdf")) &&
        d->status != DOCUMENT_FAILED)
        return true;
    reply_lacks(r, "This document has no pages to look at");
    return false;
}

static void render_page(struct request *r)
{
    AUTO(buf_free) struct buf png = BUF(PAGE_PICTURE_BYTES_MAX);
    struct snapshot_call *a = r->state;
    struct document d;

    if (!find_page(r, a, &d) || !page_paint(r, &d, a->op.page, 1, &png))
        return;
    a->op.media_type = STR("image/png");
    a->op.extension = STR("png");
    if (store_picture(r, a, buf_str(&png)))
        r->then = write_row;
}

struct page_fields {
    struct str slide, document;
    int64_t page;
    bool has_page;
};
#define AT(member) offsetof(struct page_fields, member)
static const struct field page_fields[] = {
    {FIELD_NAME("slideId"), FIELD_ID, AT(slide), 0, 0, 0},
    {FIELD_NAME("documentId"), FIELD_ID, AT(document), 0, 0, 0},
    {FIELD_NAME("pageNumber"), FIELD_WHOLE, AT(page), AT(has_page), 0, 0},
};

static void read_json(struct request *r)
{
    struct snapshot_call *a = r->state;
    struct page_fields f = {.page = 0};

    if (!call_body(r, page_fields, FIELDS_N(page_fields), &f))
        return;
    a->slide = f.slide;
    a->document = f.document;
    a->page = f.has_page ? arena_printf(&r->arena, "%lld", (long long)f.page)
                         : STR_NONE;
    if (read_labels(r, a))
        request_work_slow(r, render_page);
}

static void receive_json(struct request *r)
{
    request_body(r, read_json);
}

/* ---- The call ----------------------------------------------------------- */

/* Before the body is read, so that a client without the right, or with a label
 * missing, is told at once. */
static void check_request(struct request *r)
{
    struct snapshot_call *a = r->state;
    struct course_get get = {.id = STR_NONE};
    struct str type = request_type(r);

    r->cleanup = clean_up;
    if (!call_param(r, 0, "course", &get.id) ||
        !call_read(r, OP(course_get), &get, "course") ||
        !upload_share_take(r, &a->share))
        return;
    if (!services(r)->objects) {
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("read_only"),
                                           .text = STR("No files are kept")});
        return;
    }
    if (!type.p || str_eq(type, STR("application/json"))) {
        r->then = receive_json;
        return;
    }
    if (str_eq(type, STR("multipart/form-data"))) {
        a->form = call_form(r);
        if (a->form)
            r->then = receive_picture;
        return;
    }
    a->has_file = true;
    a->slide = request_query(r, STR("slideId"));
    a->document = request_query(r, STR("documentId"));
    a->page = request_query(r, STR("pageNumber"));
    if (read_labels(r, a))
        r->then = receive_picture;
}

void api_snapshot_add(struct request *r)
{
    struct snapshot_call *a = call_state(r, sizeof(*a));

    if (!a)
        return;
    a->bytes = BUF(PICTURE_BYTES_MAX);
    request_work_then(r, check_request, NULL);
}
