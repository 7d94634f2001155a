/* upload.c - files of a request become objects, as they come. */
#include "http/api/upload.h"

#include <assert.h>

#include "base/utf8.h"
#include "http/call/services.h"

/* ---- Files -------------------------------------------------------------- */

static enum footnote_rc file_begin(struct request *r, struct upload_file *f,
                                   struct str filename,
                                   struct footnote_err *err)
{
    f->filename = arena_str(&r->arena, filename);
    TRY(arena_rc(&r->arena, err));
    return object_begin(services(r)->objects, &f->put, err);
}

static enum footnote_rc file_add(struct upload_file *f, struct str bytes,
                                 struct footnote_err *err)
{
    size_t n = sizeof(f->head) - f->head_n;

    assert(f->put && !f->whole);
    if (n > bytes.n)
        n = bytes.n;
    memcpy(f->head + f->head_n, bytes.p, n);
    f->head_n += n;
    return object_write(f->put, bytes, err);
}

static enum footnote_rc file_end(struct upload_file *f,
                                 struct footnote_err *err)
{
    struct object_put *put = f->put;

    f->put = NULL; /* it ends here, also when it fails */
    if (!put)
        return FOOTNOTE_OK;
    TRY(object_finish(put, &f->object, err));
    f->whole = true;
    return FOOTNOTE_OK;
}

/* ---- Parts of a form ---------------------------------------------------- */

static struct str *field_of(struct upload *u, struct str name)
{
    struct upload_fields *f = &u->fields;

    if (str_eq(name, STR("id")) && !u->replaces)
        return &f->id;
    if (str_eq(name, STR("title")))
        return &f->title;
    if (str_eq(name, STR("kind")))
        return &f->kind;
    if (str_eq(name, STR("date")))
        return &f->date;
    return str_eq(name, STR("media")) ? &f->media : NULL;
}

static enum footnote_rc refuse_part(struct request *r,
                                    const struct form_part *p,
                                    struct footnote_err *err)
{
    reply_problem(
        r, &(struct problem){
               .status = 400,
               .code = STR("unknown_field"),
               .text = arena_printf(&r->arena, "%.*s is not expected here",
                                    STR_ARG(p->name)),
               .where = arena_printf(&r->arena, "/%.*s", STR_ARG(p->name))});
    return err_field_str(err, FOOTNOTE_INVALID, p->name, "is not expected");
}

/* A recording is a file or the URL of one; only a file has a filename. */
static enum footnote_rc part_begin(void *arg, const struct form_part *p,
                                   struct footnote_err *err)
{
    struct request *r = arg;
    struct upload *u = r->state;

    u->part = NULL;
    multipart_field(&u->form_fields, NULL);
    if (str_eq(p->name, STR("file")))
        u->part = &u->file;
    else if (str_eq(p->name, STR("media")) && p->filename.p)
        u->part = &u->media;
    else
        multipart_field(&u->form_fields, field_of(u, p->name));
    if (u->part && p->filename.n == 0)
        return err_field_str(err, FOOTNOTE_INVALID, p->name,
                             "is no file with a name");
    if (u->part)
        return file_begin(r, u->part, p->filename, err);
    return u->form_fields.field && !p->filename.p ? FOOTNOTE_OK
                                                  : refuse_part(r, p, err);
}

static enum footnote_rc part_data(void *arg, struct str bytes,
                                  struct footnote_err *err)
{
    struct request *r = arg;
    struct upload *u = r->state;

    return u->part ? file_add(u->part, bytes, err)
                   : multipart_field_add(&u->form_fields, bytes, err);
}

/* ---- The body ----------------------------------------------------------- */

static bool prepare_file(struct request *r, struct upload *u)
{
    struct str name = request_query(r, STR("filename"));
    struct footnote_err err;
    enum footnote_rc rc;

    if (!name.p) {
        reply_problem(r, &(struct problem){
                             .status = 415,
                             .code = STR("unsupported_type"),
                             .text = STR("Nobody knows what this body is"),
                             .hint = STR("Send multipart/form-data, JSON, or a "
                                         "file with ?filename= in the "
                                         "address")});
        return false;
    }
    if (!request_header(r, STR("content-type")).p) {
        reply_problem(
            r, &(struct problem){.status = 415,
                                 .code = STR("unsupported_type"),
                                 .text = STR("The body has no Content-Type"),
                                 .hint = STR("Send the file's, or "
                                             "application/octet-stream")});
        return false;
    }
    if (!multipart_filename(name, &name) || name.n == 0 ||
        !utf8_is_name(name)) {
        reply_invalid(r, STR_NONE, "filename cannot be the name of a file");
        return false;
    }
    u->fields = (struct upload_fields){
        .id = u->replaces ? STR_NONE : request_query(r, STR("id")),
        .title = request_query(r, STR("title")),
        .kind = request_query(r, STR("kind")),
        .date = request_query(r, STR("date"))};
    rc = file_begin(r, &u->file, name, &err);
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "document");
    return rc == FOOTNOTE_OK;
}

bool upload_prepare(struct request *r, struct upload *u)
{
    struct str type = request_type(r);
    bool named = request_query(r, STR("filename")).p != NULL;

    if (!services(r)->objects) {
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("read_only"),
                                           .text = STR("No files are kept")});
        return false;
    }
    if (str_eq(type, STR("multipart/form-data"))) {
        u->form = call_form(r);
        return u->form != NULL;
    }
    if (!named && (!type.p || str_eq(type, STR("application/json"))))
        return false;
    return prepare_file(r, u);
}

void upload_write(struct request *r, struct str piece)
{
    struct upload *u = r->state;
    struct multipart_to to = {r, part_begin, part_data, NULL};
    struct footnote_err err;
    enum footnote_rc rc;

    if (!upload_share_grow(r, &u->share, piece.n))
        return;
    rc = u->form ? multipart_feed(u->form, piece, &to, &err)
                 : file_add(&u->file, piece, &err);
    if (rc != FOOTNOTE_OK && !r->answered)
        call_failed(r, rc, &err, "document");
}

void upload_finish(struct request *r)
{
    struct upload *u = r->state;
    struct footnote_err err;
    enum footnote_rc rc =
        u->form ? multipart_finish(u->form, &err) : FOOTNOTE_OK;

    if (rc == FOOTNOTE_OK && !u->file.filename.p)
        rc = err_field(&err, FOOTNOTE_INVALID, "file", "is missing");
    if (rc == FOOTNOTE_OK && !upload_describe(r, u))
        return; /* before the disk is made to wait */
    if (rc == FOOTNOTE_OK)
        rc = file_end(&u->file, &err);
    if (rc == FOOTNOTE_OK)
        rc = file_end(&u->media, &err);
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "document");
}

void upload_text(struct request *r, struct upload *u, struct str filename,
                 struct str type)
{
    struct footnote_err err;
    enum footnote_rc rc = object_store(services(r)->objects, u->fields.text,
                                       &u->file.object, &err);

    u->file.whole = rc == FOOTNOTE_OK;
    u->op.document.filename = filename;
    u->op.document.media_type = type;
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "document");
}

/* ---- The end ------------------------------------------------------------ */

static void let_go(struct request *r, struct upload_file *f, bool kept)
{
    object_abort(f->put);
    f->put = NULL;
    if (f->whole && !kept)
        (void)object_delete(services(r)->objects, str_c(f->object.key), NULL);
    f->whole = false;
}

/* When nobody knows whether the row is there its objects stay: an object too
 * many is garbage, which is found; a row too many would be a lie. */
void upload_clean_up(struct request *r)
{
    struct upload *u = r->state;
    bool unsure = u->sent && r->rc == FOOTNOTE_UNSURE;
    bool done = u->sent && r->rc == FOOTNOTE_OK;

    upload_share_end(r, &u->share);
    let_go(r, &u->file, unsure || (done && u->op.keeps));
    let_go(r, &u->media, unsure || (done && u->op.keeps_media));
}
