/* library.c - documents of all courses, in pages; naming, moving and reading
 * again. */
#include "store/document/library.h"
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/shape/cursor.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"

/* ---- GET /api/documents ------------------------------------------------- */

static bool read_filters(struct request *r, struct library *op)
{
    struct str kind = request_query(r, STR("kind")),
               status = request_query(r, STR("status"));

    op->words = request_query(r, STR("q"));
    op->filename = request_query(r, STR("filename"));
    op->course = request_query(r, STR("courseId"));
    if (kind.p && !document_kind_parse(kind, &op->kind)) {
        reply_invalid(r, STR_NONE,
                      "kind is slides, lecture, journal, page or text");
        return false;
    }
    op->has_status = status.p != NULL;
    if (!status.p || document_status_parse(status, &op->status))
        return true;
    reply_invalid(r, STR_NONE, "status is queued, indexing, ready or failed");
    return false;
}

static bool read_order(struct request *r, struct library *op)
{
    static const char *const orders[] = {"changed", "cited", "size", "name",
                                         NULL},
                             *const ways[] = {"first", "last", NULL},
                             *const cited[] = {"any", "yes", "no", NULL};
    int order, way, which;

    if (!call_word(r, STR("sort"), orders, &order) ||
        !call_word(r, STR("order"), ways, &way) ||
        !call_word(r, STR("cited"), cited, &which))
        return false;
    op->order = order < 0 ? LIBRARY_CHANGED : (enum library_order)order;
    op->reversed = way == 1;
    op->cited = which < 0 ? LIBRARY_ANY : (enum library_cited)which;
    return true;
}

static void add_documents(struct buf *b, const struct library *op)
{
    buf_add(b, STR("{\"documents\":["));
    for (size_t i = 0; i < op->documents_n; i++) {
        buf_add(b, i ? STR(",{") : STR("{"));
        shape_document_fields(b, &op->documents[i].document);
        buf_add(b, STR(",\"citedBy\":"));
        buf_add_i64(b, op->documents[i].cited_n);
        buf_add_c(b, '}');
    }
    buf_add(b, STR("],\"found\":"));
    buf_add_i64(b, (int64_t)op->found_n);
}

static void add_courses(struct buf *b, const struct library *op)
{
    buf_add(b, STR(",\"courses\":["));
    for (size_t i = 0; i < op->courses_n; i++) {
        buf_add(b, i ? STR(",{\"courseId\":") : STR("{\"courseId\":"));
        buf_add_json(b, op->courses[i].id);
        buf_add(b, STR(",\"documents\":"));
        buf_add_i64(b, (int64_t)op->courses[i].documents_n);
        buf_add_c(b, '}');
    }
    buf_add_c(b, ']');
}

static void library_work(struct request *r)
{
    struct library op = {.documents = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct page page;
    struct str next;

    if (!read_filters(r, &op) || !read_order(r, &op) || !page_read(r, &page))
        return;
    op.from = page.from;
    op.limit = page.limit;
    if (!call_read(r, OP(library), &op, "course"))
        return;
    (void)page_cut(r, &page, op.found_n, &next);
    add_documents(&b, &op);
    add_courses(&b, &op);
    shape_next(&b, next);
    reply_cached(r, &b);
}

/* Not behind page pictures, which take longer: 10 000 rows are 40 ms. */
void api_library(struct request *r)
{
    request_work(r, library_work);
}

/* ---- GET /api/documents/{id}/outline ------------------------------------ */

static void outline_work(struct request *r)
{
    struct document_outline op = {.headings = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_document(r, &op.id, &op.course) ||
        !call_number(r, STR("version"), 1, INT32_MAX, &op.version) ||
        !call_read(r, OP(document_outline), &op, "document"))
        return;
    buf_add(&b, STR("{\"documentId\":"));
    buf_add_json(&b, op.id);
    buf_add(&b, STR(",\"headings\":["));
    for (size_t i = 0; i < op.headings_n; i++) {
        const struct outline_heading *h = &op.headings[i];

        buf_add(&b, i ? STR(",{\"heading\":") : STR("{\"heading\":"));
        buf_add_json(&b, h->heading);
        buf_add(&b, STR(",\"page\":"));
        shape_i64(&b, h->page > 0, h->page);
        buf_add(&b, STR(",\"startSeconds\":"));
        if (h->has_seconds)
            buf_add_f64(&b, h->seconds);
        else
            buf_add(&b, STR("null"));
        buf_add_c(&b, '}');
    }
    buf_add(&b, STR("]}"));
    reply_cached(r, &b);
}

void api_document_outline(struct request *r)
{
    request_work(r, outline_work);
}

/* ---- PATCH /api/documents/{id}, POST .../retry -------------------------- */

struct edit_call {
    struct document_edit edit;
    struct document_again again;
    struct str id, course; /* as it was asked for; then where it is */
    const struct store_op *kind;
    void *op;
};

static void answer(struct request *r)
{
    struct edit_call *call = r->state;
    struct document_get get = {.id = call->id, .course = call->course};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(document_get), &get, "document"))
        return;
    shape_document(&b, &get.document);
    reply_json(r, 200, &b);
}

static void written(struct request *r)
{
    struct edit_call *call = r->state;

    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "document");
        return;
    }
    call->course = str_c(call->op == &call->edit ? call->edit.course_text
                                                 : call->again.course_text);
    request_work(r, answer);
}

static void write(struct request *r)
{
    struct edit_call *call = r->state;

    request_write(r, call->kind, call->op, written);
}

/* The store does not find what the asker may only read: here it is told. */
static void check_editor(struct request *r)
{
    struct edit_call *call = r->state;
    struct document_get get = {.id = call->id, .course = call->course};

    if (!call_read(r, OP(document_get), &get, "document"))
        return;
    if (get.document.role < MEMBER_EDITOR)
        call_forbidden(r, "its owner and editors");
    else if (call->edit.to.p)
        (void)call_editor(r, call->edit.to);
}

void api_document_change(struct request *r)
{
    // clang-format off
    static const struct field fields[] = {
        {FIELD_NAME("title"), FIELD_LINE, offsetof(struct document_edit, title),
         0, STORE_TITLE_BYTES_MAX, true},
        {FIELD_NAME("courseId"), FIELD_ID, offsetof(struct document_edit, to),
         0, 0, true},
    };
    // clang-format on
    struct edit_call *call = call_state(r, sizeof(*call));

    if (!call || !call_body(r, fields, FIELDS_N(fields), &call->edit) ||
        !call_document(r, &call->id, &call->course))
        return;
    call->edit.id = call->id;
    call->edit.course = call->course;
    call->kind = OP(document_edit);
    call->op = &call->edit;
    request_work_then(r, check_editor, write);
}

void api_document_retry(struct request *r)
{
    struct edit_call *call = call_state(r, sizeof(*call));

    if (!call || !call_document(r, &call->id, &call->course))
        return;
    call->again.id = call->id;
    call->again.course = call->course;
    call->kind = OP(document_again);
    call->op = &call->again;
    request_work_then(r, check_editor, write);
}
