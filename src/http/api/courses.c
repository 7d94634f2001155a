/* courses.c - courses: make, list, read, change, delete. */
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/shape/cursor.h"
#include "http/shape/shape.h"
#include "retrieve/retrieve.h"
#include "store/session/course.h"

struct course_call {
    struct keyed keyed;
    struct course_put op;
};

#define AT(member) offsetof(struct course_put, member)
// clang-format off
static const struct field make_fields[] = {
    {FIELD_NAME("id"), FIELD_ID, AT(id), 0, 0, 0},
    {FIELD_NAME("title"), FIELD_LINE, AT(title), 0, STORE_TITLE_BYTES_MAX,
     0},
};
static const struct field change_fields[] = {
    {FIELD_NAME("title"), FIELD_LINE, AT(title), 0, STORE_TITLE_BYTES_MAX,
     true},
    {FIELD_NAME("description"), FIELD_TEXT, AT(description), 0,
     STORE_TITLE_BYTES_MAX, true},
    {FIELD_NAME("archived"), FIELD_FLAG, AT(archived), AT(has_archived), 0,
     true},
};
// clang-format on

/* ---- POST /api/courses, PATCH /api/courses/{id} ------------------------- */

static void answer_course(struct request *r)
{
    struct course_call *call = r->state;
    struct course_get get = {.id = keyed_result(&call->keyed)};
    struct buf b = BUF(REPLY_BYTES_MAX);
    int status = 200;

    if (!call_read(r, OP(course_get), &get, "course"))
        return;
    if (r->method == METHOD_POST) {
        status = keyed_status(r, &call->keyed, call->op.made);
        call_location(r, STR("/api/courses/"), get.id);
    }
    shape_course(&b, &get.course);
    reply_json(r, status, &b);
}

static void written(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        call_owner_failed(r);
    else
        request_work(r, answer_course);
}

void api_course_make(struct request *r)
{
    struct course_call *call = call_state(r, sizeof(*call));
    struct intake in = {.a = &r->arena};

    if (!call || !call_body(r, make_fields, FIELDS_N(make_fields), &call->op))
        return;
    if (!call->op.title.p) {
        intake_missing(&in, STR("title"));
        call_refused(r, &in);
        return;
    }
    call->op.as_new = true;
    call->keyed.result = call->op.id_text;
    keyed_write(r, &call->keyed, STR(""), OP(course_put), &call->op, written);
}

void api_course_change(struct request *r)
{
    struct course_call *call = call_state(r, sizeof(*call));

    if (!call ||
        !call_body(r, change_fields, FIELDS_N(change_fields), &call->op) ||
        !call_param(r, 0, "course", &call->op.id))
        return;
    call->op.must_exist = true;
    call->keyed.result = call->op.id_text;
    request_write(r, OP(course_put), &call->op, written);
}

/* ---- GET ---------------------------------------------------------------- */

static void list_work(struct request *r)
{
    struct course_list op = {.courses = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct str next = STR_NONE;
    int64_t other;
    size_t limit;

    if (!request_limit(r, PAGE_PRESET, PAGE_MAX, &limit) ||
        !cursor_read_pair(r, 'c', &op.after_key, &other))
        return;
    op.limit = limit + 1;
    if (!call_read(r, OP(course_list), &op, "course"))
        return;
    if (op.courses_n > limit) {
        op.courses_n = limit;
        next = cursor_pair(r, 'c', op.courses[limit - 1].key, 0);
    }
    buf_add(&b, STR("{\"courses\":["));
    for (size_t i = 0; i < op.courses_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_course(&b, &op.courses[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

void api_courses_list(struct request *r)
{
    request_work(r, list_work);
}

/* How far the embedder is with a course, before the end of its JSON. */
static void add_meaning(struct request *r, struct buf *b, struct str course)
{
    struct retriever *re = services(r)->retriever;
    struct retriever_progress p;

    if (!re || b->broken != FOOTNOTE_OK || b->n == 0 ||
        !retriever_progress(re, caller(r)->who.tenant, course, &p))
        return;
    b->n--;
    buf_add(b, STR(",\"meaning\":{\"passages\":"));
    buf_add_i64(b, p.passages);
    buf_add(b, STR(",\"vectors\":"));
    buf_add_i64(b, p.vectors);
    buf_add(b, STR("}}"));
}

static void read_work(struct request *r)
{
    struct course_get get = {.id = STR_NONE};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_param(r, 0, "course", &get.id) ||
        !call_read(r, OP(course_get), &get, "course"))
        return;
    shape_course(&b, &get.course);
    add_meaning(r, &b, get.course.id);
    reply_cached(r, &b);
}

void api_course_read(struct request *r)
{
    request_work(r, read_work);
}

/* ---- DELETE ------------------------------------------------------------- */

static void deleted(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        call_owner_failed(r);
    else
        reply_empty(r, 204);
}

void api_course_delete(struct request *r)
{
    static const char *const words[] = {"keep", "redact", NULL};
    struct course_delete *op = call_state(r, sizeof(*op));
    int word;

    if (!op || !call_word(r, STR("citations"), words, &word) ||
        !call_gone_param(r, &op->id))
        return;
    op->redact = word == 1;
    audit_with_write(r, op->redact ? AUDIT_ERASE : AUDIT_DELETE, op->id);
    request_write(r, OP(course_delete), op, deleted);
}
