/* sessions.c - sessions: make, list, find, read, change, delete. */
#include "chat/chat.h"
#include "http/api/calls.h"
#include "http/api/history_cache.h"
#include "http/call/audited.h"
#include "http/call/caller.h"
#include "http/call/loop_state.h"
#include "http/shape/cursor.h"
#include "http/shape/shape.h"
#include "store/read/history.h"
#include "store/session/session.h"

/* ---- POST /api/sessions, PATCH /api/sessions/{id} ----------------------- */

struct session_call {
    struct keyed keyed;
    struct session_put op;
    struct str share;
};

#define AT(member) offsetof(struct session_call, op.member)
#define SHARE      offsetof(struct session_call, share)
// clang-format off
static const struct field make_fields[] = {
    {FIELD_NAME("id"), FIELD_ID, AT(id), 0, 0, 0},
    {FIELD_NAME("courseId"), FIELD_ID, AT(course), 0,
     0, 0},
    {FIELD_NAME("title"), FIELD_LINE, AT(title), 0, STORE_TITLE_BYTES_MAX,
     0},
    {FIELD_NAME("courseShare"), FIELD_TEXT, SHARE, 0, 0, 0},
    {FIELD_NAME("createdAt"), FIELD_TIME, AT(created_ms), 0, 0, 0},
    {FIELD_NAME("updatedAt"), FIELD_SKIP, 0, 0, 0, 0},
    {FIELD_NAME("status"), FIELD_SKIP, 0, 0, 0, 0},
};
static const struct field change_fields[] = {
    {FIELD_NAME("courseId"), FIELD_ID, AT(course), 0,
     0, true},
    {FIELD_NAME("title"), FIELD_LINE, AT(title), 0, STORE_TITLE_BYTES_MAX,
     true},
    {FIELD_NAME("shown"), FIELD_ID, AT(shown), 0, 0, true},
    {FIELD_NAME("courseShare"), FIELD_TEXT, SHARE, 0, 0, 0},
};
// clang-format on

static void answer_session(struct request *r)
{
    struct session_call *call = r->state;
    struct session_get get = {.id = keyed_result(&call->keyed)};
    struct buf b = BUF(REPLY_BYTES_MAX);
    int status = 200;

    if (!call_read(r, OP(session_get), &get, "session"))
        return;
    if (r->method == METHOD_POST) {
        status = keyed_status(r, &call->keyed, call->op.made);
        call_location(r, STR("/api/sessions/"), get.id);
    }
    shape_session(&b, &get.session);
    reply_json(r, status, &b);
}

static void written(struct request *r)
{
    if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, "session");
    else
        request_work(r, answer_session);
}

void api_session_make(struct request *r)
{
    struct session_call *call = call_state(r, sizeof(*call));

    if (!call || !call_body(r, make_fields, FIELDS_N(make_fields), call) ||
        !call_course_share(r, call->share, &call->op.share))
        return;
    call->op.as_new = true;
    call->keyed.result = call->op.id_text;
    keyed_write(r, &call->keyed, STR(""), OP(session_put), &call->op, written);
}

void api_session_change(struct request *r)
{
    struct session_call *call = call_state(r, sizeof(*call));

    if (!call || !call_body(r, change_fields, FIELDS_N(change_fields), call) ||
        !call_course_share(r, call->share, &call->op.share) ||
        !call_param(r, 0, "session", &call->op.id))
        return;
    call->op.must_exist = true;
    call->keyed.result = call->op.id_text;
    request_write(r, OP(session_put), &call->op, written);
}

/* ---- DELETE /api/sessions/{id} ------------------------------------------ */

static void reply_gone(struct request *r)
{
    reply_empty(r, 204);
}

static void on_turn_ended(void *arg, struct str answer)
{
    (void)answer;
    (void)request_resume(arg, reply_gone);
}

/* Waits until its turn has ended: that shows nothing after our answer. */
static void deleted(struct request *r)
{
    struct chat_loop *l = request_chat(r);
    struct chat_stop stop = {.who = caller(r)->who,
                             .session = r->params[0],
                             .gone = true,
                             .done = on_turn_ended,
                             .arg = r};

    if (r->rc == FOOTNOTE_OK && l && chat_stop(l, &stop))
        request_park(r);
    else
        call_deleted(r, "session");
}

void api_session_delete(struct request *r)
{
    struct session_delete *op = call_state(r, sizeof(*op));

    if (!op || !call_gone_param(r, &op->id))
        return;
    audit_with_write(r, AUDIT_DELETE, op->id);
    request_write(r, OP(session_delete), op, deleted);
}

/* ---- GET /api/sessions -------------------------------------------------- */

struct session_filter {
    struct str course, query;
    int64_t active_ms, key; /* cursor */
    size_t limit;
};

static struct str next_after(struct request *r, int64_t active_ms, int64_t key)
{
    return cursor_pair(r, 's', active_ms, key);
}

static void list_all(struct request *r, const struct session_filter *ask)
{
    struct session_list op = {.course = ask->course,
                              .before_active_ms = ask->active_ms,
                              .before_key = ask->key,
                              .limit = ask->limit + 1};
    struct str next = STR_NONE;
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(session_list), &op, "session"))
        return;
    if (op.sessions_n > ask->limit) {
        const struct session *last = &op.sessions[ask->limit - 1];

        op.sessions_n = ask->limit;
        next = next_after(r, last->active_ms, last->key);
    }
    buf_add(&b, STR("{\"sessions\":["));
    for (size_t i = 0; i < op.sessions_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        shape_session(&b, &op.sessions[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

static void add_match(struct buf *b, const struct session_match *m)
{
    static const char *const places[] = {[MATCH_TITLE] = "title",
                                         [MATCH_QUESTION] = "question",
                                         [MATCH_ANSWER] = "answer",
                                         [MATCH_QUOTE] = "quote"};

    buf_add_c(b, '{');
    shape_session_fields(b, &m->session);
    buf_add(b, STR(",\"match\":{\"messageId\":"));
    shape_str(b, m->message);
    buf_add(b, STR(",\"where\":"));
    buf_add_json(b, str_c(places[m->where]));
    buf_add(b, STR(",\"snippet\":"));
    shape_str(b, m->snippet);
    buf_add(b, STR("}}"));
}

static void list_found(struct request *r, const struct session_filter *ask)
{
    struct session_search op = {.query = ask->query,
                                .course = ask->course,
                                .before_active_ms = ask->active_ms,
                                .before_key = ask->key,
                                .limit = ask->limit};
    struct str next = STR_NONE;
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(session_search), &op, "session"))
        return;
    if (op.more)
        next = next_after(r, op.next_active_ms, op.next_key);
    buf_add(&b, STR("{\"sessions\":["));
    for (size_t i = 0; i < op.matches_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        add_match(&b, &op.matches[i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

static void list_work(struct request *r)
{
    struct session_filter ask = {.course = request_query(r, STR("courseId")),
                                 .query = request_query(r, STR("q"))};

    if (!request_limit(r, PAGE_PRESET, PAGE_MAX, &ask.limit) ||
        !cursor_read_pair(r, 's', &ask.active_ms, &ask.key))
        return;
    if (ask.query.n)
        list_found(r, &ask);
    else
        list_all(r, &ask);
}

void api_sessions_list(struct request *r)
{
    request_work(r, list_work);
}

/* ---- References --------------------------------------------------------- */

static void add_count(struct buf *b, const struct reference_count *c)
{
    buf_add(b, STR("{\"documentId\":"));
    shape_str(b, c->document);
    buf_add(b, STR(",\"docRef\":"));
    shape_str(b, c->doc_ref);
    buf_add(b, STR(",\"title\":"));
    shape_str(b, c->title);
    buf_add(b, STR(",\"count\":"));
    buf_add_i64(b, (int64_t)c->given_n);
    buf_add(b, STR(",\"cited\":"));
    buf_add_i64(b, (int64_t)c->cited_n);
    buf_add_c(b, '}');
}

static void references_work(struct request *r)
{
    struct session_counts op = {.counts = NULL};
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct page page;
    struct str next;
    size_t n;

    if (!call_param(r, 0, "session", &op.session) || !page_read(r, &page) ||
        !call_read(r, OP(session_counts), &op, "session"))
        return;
    n = page_cut(r, &page, op.counts_n, &next);
    buf_add(&b, STR("{\"references\":["));
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(&b, ',');
        add_count(&b, &op.counts[page.from + i]);
    }
    buf_add_c(&b, ']');
    shape_next(&b, next);
    reply_cached(r, &b);
}

void api_references_list(struct request *r)
{
    request_work(r, references_work);
}
