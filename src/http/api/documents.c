/* documents.c - documents: list, read, wait, delete; and who cites them. */
#include "http/api/calls.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/call/wait.h"
#include "http/shape/cursor.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/document/document.h"
#include "store/read/impact.h"

enum { WAIT_S_MAX = 60, STATS_MAX = 50 };

/* ---- GET /api/courses/{id}/documents ------------------------------------ */

static bool read_status(struct request *r, struct document_list *op)
{
    struct str status = request_query(r, STR("status"));

    op->has_status = status.p != NULL;
    if (!status.p || document_status_parse(status, &op->status))
        return true;
    reply_invalid(r, STR_NONE, "status is queued, indexing, ready or failed");
    return false;
}

static void list_work(struct request *r)
{
    struct document_list op = {.documents = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct str next = STR_NONE;
    int64_t other;
    size_t limit;

    if (!call_param(r, 0, "course", &op.course) || !read_status(r, &op) ||
        !request_limit(r, PAGE_PRESET, PAGE_MAX, &limit) ||
        !cursor_read_pair(r, 'd', &op.after_key, &other))
        return;
    op.limit = limit + 1;
    if (!call_read(r, OP(document_list), &op, "course"))
        return;
    if (op.documents_n > limit) {
        op.documents_n = limit;
        next = cursor_pair(r, 'd', op.documents[limit - 1].key, 0);
    }
    buf_add(&b, STR("{\"documents\":["));
    for (size_t i = 0; i < op.documents_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_document(&b, &op.documents[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

void api_documents_list(struct request *r)
{
    request_work(r, list_work);
}

/* ---- GET /api/documents/{id} -------------------------------------------- */

struct document_wait {
    int64_t wait_s;
    bool has_first;
    enum document_status first; /* the status when it was first read */
    bool last;                  /* time is up: it is answered as it is */
};

static bool must_wait(struct document_wait *w, enum document_status now)
{
    if (!w->has_first)
        w->first = now;
    w->has_first = true;
    return w->wait_s > 0 && !w->last && now == w->first &&
           (now == DOCUMENT_QUEUED || now == DOCUMENT_INDEXING);
}

/* Does not answer when the document must change first. */
static void read_work(struct request *r)
{
    struct document_get get = {.id = STR_NONE};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_document(r, &get.id, &get.course) ||
        !call_number(r, STR("version"), 1, INT32_MAX, &get.version) ||
        !call_read(r, OP(document_get), &get, "document") ||
        must_wait(r->state, get.document.status))
        return;
    shape_document(&b, &get.document);
    reply_cached(r, &b);
}

static void wait_for_change(struct request *r);

static void read_again(struct request *r)
{
    struct document_wait *w = r->state;

    w->last = wait_is_over(r);
    wait_note(r);
    request_work_then(r, read_work, wait_for_change);
}

static void wait_for_change(struct request *r)
{
    struct document_wait *w = r->state;

    request_wait(r, w->wait_s * 1000, read_again);
}

void api_document_read(struct request *r)
{
    struct document_wait *w = call_state(r, sizeof(*w));

    if (!w || !call_number(r, STR("wait"), 0, WAIT_S_MAX, &w->wait_s))
        return;
    if (w->wait_s == 0)
        request_work(r, read_work);
    else if (wait_start(r, r->params[0]))
        request_work_then(r, read_work, wait_for_change);
    else
        call_no_memory(r);
}

/* ---- DELETE ------------------------------------------------------------- */

/* The store does not find what the asker may only read. */
static void deleted(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        call_forbidden(r, "its owner and editors");
    else
        call_deleted(r, "document");
}

void api_document_delete(struct request *r)
{
    static const char *const words[] = {"keep", "redact", NULL};
    struct document_delete *op = call_state(r, sizeof(*op));
    int word;

    if (!op || !call_word(r, STR("citations"), words, &word) ||
        !call_gone_param(r, &op->id))
        return;
    op->course = request_query(r, STR("courseId"));
    op->redact = word == 1;
    audit_with_write(r, op->redact ? AUDIT_ERASE : AUDIT_DELETE, op->id);
    request_write(r, OP(document_delete), op, deleted);
}

/* ---- Old versions -------------------------------------------------------- */

static void pruned(struct request *r)
{
    const struct document_prune *op = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "document");
        return;
    }
    buf_printf(&b, "{\"removed\":%lld,\"bytes\":%lld}", (long long)op->removed,
               (long long)op->bytes);
    reply_json(r, 200, &b);
}

static void prune(struct request *r)
{
    audit_with_write(r, AUDIT_DELETE, r->params[0]);
    request_write(r, OP(document_prune), r->state, pruned);
}

static void check_editor(struct request *r)
{
    struct document_prune *op = r->state;
    struct document_get get = {.course = request_query(r, STR("courseId"))};

    if (!call_param(r, 0, "document", &get.id) ||
        !call_read(r, OP(document_get), &get, "document"))
        return;
    op->id = get.id;
    op->course = get.course;
    if (get.document.role < MEMBER_EDITOR)
        call_forbidden(r, "its owner and editors");
}

void api_document_prune(struct request *r)
{
    if (call_state(r, sizeof(struct document_prune)))
        request_work_then(r, check_editor, prune);
}

/* ---- Who cites it ------------------------------------------------------- */

static bool read_cursor(struct request *r, struct document_citations *op)
{
    struct str text, rest;
    size_t point;
    int64_t number = 0;

    if (!cursor_read_text(r, 'u', &text))
        return false;
    if (!text.p)
        return true;
    point = str_find(text, '.');
    rest = str_skip(text, point < text.n ? point + 1 : point);
    if (str_i64((struct str){text.p, point}, &op->after_session)) {
        point = str_find(rest, '.');
        if (str_i64((struct str){rest.p, point}, &op->after_seq) &&
            str_i64(str_skip(rest, point < rest.n ? point + 1 : point),
                    &number) &&
            op->after_session > 0 && op->after_seq > 0 && number > 0) {
            op->after_number = number;
            return true;
        }
    }
    cursor_refuse(r);
    return false;
}

static struct str next_cursor(struct request *r,
                              const struct document_citations *op)
{
    struct str text =
        arena_printf(&r->arena, "%lld.%lld.%lld", (long long)op->next_session,
                     (long long)op->next_seq, (long long)op->next_number);

    return text.p ? cursor_text(r, 'u', text) : STR_NONE;
}

static void citations_work(struct request *r)
{
    struct document_citations op = {.citations = NULL};
    struct document_get get = {.id = STR_NONE};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_document(r, &get.id, &get.course) ||
        !request_limit(r, PAGE_PRESET, PAGE_MAX, &op.limit) ||
        !read_cursor(r, &op) ||
        !call_read(r, OP(document_get), &get, "document"))
        return;
    op.document = get.id;
    op.course = get.document.course;
    if (!call_read(r, OP(document_citations), &op, "document"))
        return;
    buf_add(&b, STR("{\"citations\":["));
    for (size_t i = 0; i < op.citations_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_citation(&b, &op.citations[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, op.rows_n == op.limit ? next_cursor(r, &op) : STR_NONE);
    reply_cached(r, &b);
}

void api_document_citations(struct request *r)
{
    request_work(r, citations_work);
}

static void impact_work(struct request *r)
{
    struct document_impact op = {.complete = true};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_document(r, &op.document, &op.course) ||
        !request_limit(r, PAGE_PRESET, PAGE_MAX, &op.limit) ||
        !call_read(r, OP(document_impact), &op, "document"))
        return;
    shape_impact(&b, &op);
    reply_cached(r, &b);
}

/* Up to 100 000 references are looked at. */
void api_document_impact(struct request *r)
{
    request_work_slow(r, impact_work);
}

static void stats_work(struct request *r)
{
    struct course_stats op = {.limit = STATS_MAX};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_param(r, 0, "course", &op.course) ||
        !call_read(r, OP(course_stats), &op, "course"))
        return;
    shape_stats(&b, &op);
    reply_cached(r, &b);
}

void api_course_stats(struct request *r)
{
    request_work(r, stats_work);
}
