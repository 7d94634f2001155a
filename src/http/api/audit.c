/* audit.c - GET /api/audit: who did what in the asker's tenant, for admins; as
 * a page of JSON, or a line for each. */
#include "store/audit.h"
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/core/text.h"
#include "http/shape/access.h"
#include "http/shape/cursor.h"

enum { LINES_PRESET = 1000, LINES_MAX = 10000 };

struct audit_call {
    struct audit_list op;
    bool lines;
};

static void answer_page(struct request *r, const struct audit_list *op,
                        struct str next)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_object(&w);
    json_key(&w, STR("entries"));
    json_array(&w);
    for (size_t i = 0; i < op->rows_n; i++)
        shape_audit(&w, &op->rows[i]);
    json_end(&w, ']');
    json_key(&w, STR("nextCursor"));
    json_str(&w, next);
    json_end(&w, '}');
    reply_json(r, 200, &b);
}

static void answer_lines(struct request *r, const struct audit_list *op,
                         struct str next)
{
    AUTO(buf_free) struct buf b = BUF(REPLY_BYTES_MAX);
    struct str text;

    for (size_t i = 0; i < op->rows_n; i++) {
        struct json_out w = JSON_OUT(&b);

        shape_audit(&w, &op->rows[i]);
        buf_add_c(&b, '\n');
    }
    if (next.p)
        reply_header(r, STR("Next-Cursor"), next);
    text = arena_str(&r->arena, b.n ? buf_str(&b) : STR(""));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK || !text.p)
        call_no_memory(r);
    else
        reply_text(r, 200, STR("application/x-ndjson"), text);
}

static void list_work(struct request *r)
{
    struct audit_call *call = r->state;
    struct audit_list *op = &call->op;
    struct str next = STR_NONE;
    size_t limit = op->limit++;

    if (!call_read(r, OP(audit_list), op, "audit"))
        return;
    if (op->rows_n > limit) {
        op->rows_n = limit;
        next = cursor_text(r, 'u', op->rows[limit - 1].id);
    }
    r->reply.no_store = true;
    if (call->lines)
        answer_lines(r, op, next);
    else
        answer_page(r, op, next);
}

static bool read_time(struct request *r, const char *name, int64_t *out)
{
    struct str s = request_query(r, str_c(name));

    if (!s.p || time_parse(s, out))
        return true;
    reply_invalid(r, STR_NONE, "%s is a time like 2026-02-26T20:15:00.123Z",
                  name);
    return false;
}

void api_audit_list(struct request *r)
{
    static const char *const formats[] = {"json", "jsonl", NULL};
    struct audit_call *call = call_state(r, sizeof(*call));
    int format;

    if (!call || !call_word(r, STR("format"), formats, &format))
        return;
    call->lines = format == 1 ||
                  (format < 0 && text_accepts(request_header(r, STR("accept")),
                                              STR("application/x-ndjson")));
    if (!request_limit(r, call->lines ? LINES_PRESET : PAGE_PRESET,
                       call->lines ? LINES_MAX : PAGE_MAX, &call->op.limit) ||
        !cursor_read_text(r, 'u', &call->op.before) ||
        !read_time(r, "from", &call->op.from_ms) ||
        !read_time(r, "to", &call->op.to_ms))
        return;
    call->op.user = request_query(r, STR("userId"));
    call->op.action = request_query(r, STR("action"));
    request_work(r, list_work);
}
