/* query.c - POST /api/query: a turn as one JSON answer.
 *
 * The words are those of an older client: a `thread` is a session, a document
 * comes as a journal entry.  Without a thread nothing is
 * stored. */
#include "http/shape/shape.h"
#include "http/stream/chat.h"
#include "store/answer/answer.h"
#include "store/session/message.h"

enum { TOP_K_DEFAULT = 5, HISTORY_MAX = 100 };

/* ---- The body ----------------------------------------------------------- */

/* {role, content} or {sender, text}. */
static bool read_line(const struct json *o, struct chat_line *out)
{
    struct str role = json_text(o, STR("role")),
               text = json_text(o, STR("content"));

    if (!role.p)
        role = json_text(o, STR("sender"));
    if (!text.p)
        text = json_text(o, STR("text"));
    out->text = text;
    out->role = str_eq(role, STR("user")) ? FOOTNOTE_USER : FOOTNOTE_ASSISTANT;
    return role.p && text.p;
}

static bool read_history(struct request *r, const struct json *list,
                         struct chat_ask *ask)
{
    struct chat_line *lines;

    if (!list || list->type != JSON_ARRAY || list->n == 0)
        return true;
    lines = arena_many(&r->arena, HISTORY_MAX, struct chat_line);
    if (!lines) {
        call_no_memory(r);
        return false;
    }
    for (const struct json *o = list->first; o; o = o->next) {
        if (ask->before_n == HISTORY_MAX) {
            memmove(lines, lines + 1, (HISTORY_MAX - 1) * sizeof(*lines));
            ask->before_n--;
        }
        ask->before_n += read_line(o, &lines[ask->before_n]);
    }
    ask->before = lines;
    return true;
}

struct query_in {
    struct str query, thread, course, model;
    bool has_count;
    int64_t count;
    const struct json *history, *scope;
};

#define AT(member) offsetof(struct query_in, member)
// clang-format off
static const struct field query_fields[] = {
    {FIELD_NAME("query"), FIELD_TEXT, AT(query), 0, STORE_QUESTION_BYTES_MAX,
     0},
    {FIELD_NAME("threadId"), FIELD_TEXT, AT(thread), 0, 0, 0},
    {FIELD_NAME("courseId"), FIELD_ID, AT(course), 0, 0, 0},
    {FIELD_NAME("model"), FIELD_TEXT, AT(model), 0, 0, 0},
    {FIELD_NAME("scope"), FIELD_ANY, AT(scope), 0, 0, 0},
    {FIELD_NAME("topK"), FIELD_WHOLE, AT(count), AT(has_count), 0, 0},
    {FIELD_NAME("messageHistory"), FIELD_ANY, AT(history), 0, 0, 0},
};
// clang-format on

static bool read_question(struct request *r, struct chat_ask *ask)
{
    struct query_in in = {.count = TOP_K_DEFAULT};

    if (!call_open_body(r, query_fields, FIELDS_N(query_fields), &in))
        return false;
    ask->question.content = in.query;
    if (chat_is_blank(in.query)) {
        reply_invalid(r, STR("/query"), "query: is missing or empty");
        return false;
    }
    if (in.thread.n > STORE_ID_BYTES_MAX) {
        reply_invalid(r, STR("/thread_id"), "thread_id: over 200 bytes");
        return false;
    }
    if (in.count < 1 || in.count > CHAT_SOURCES_MAX) {
        reply_invalid(r, STR("/top_k"), "top_k: is 1 to %d", CHAT_SOURCES_MAX);
        return false;
    }
    ask->limit = (size_t)in.count;
    if (in.thread.n)
        ask->question.session = in.thread;
    ask->mode = ANSWER_NEW;
    ask->course = in.course;
    ask->model = in.model.n ? in.model : STR_NONE;
    return chat_scope(r, in.scope, ask) &&
           (in.thread.n || read_history(r, in.history, ask));
}

/* ---- The answer --------------------------------------------------------- */

static void add_entry(struct buf *b, const struct reference *ref)
{
    const struct source *s = &ref->source;
    struct str id = s->document.p  ? s->document
                    : s->lecture.p ? s->lecture
                                   : s->id;

    buf_add(b, STR("{\"entry\":{\"id\":"));
    shape_str(b, id);
    buf_add(b, STR(",\"date\":"));
    shape_str(b, s->date);
    buf_add(b, STR(",\"title\":"));
    shape_str(b, s->title);
    buf_add(b, STR(",\"text\":"));
    shape_str(b, s->preview);
    buf_add(b, STR(",\"embedding\":null},\"distance\":null}"));
}

static void send_answer(struct request *r)
{
    struct chat_call *call = r->state;
    const struct feed_head *head = feed_head(call->feed);
    const struct message *m = feed_end(call->feed)->message;
    struct buf b = BUF(REPLY_BYTES_MAX);

    buf_add(&b, STR("{\"response\":"));
    shape_str(&b, m->content);
    buf_add(&b, STR(",\"docs\":["));
    for (size_t i = 0; i < m->sources_n; i++) {
        if (i)
            buf_add_c(&b, ',');
        add_entry(&b, &m->sources[i]);
    }
    buf_add(&b, STR("],\"thread_id\":"));
    shape_str(&b, head->session);
    buf_add(&b, STR(",\"message_id\":"));
    shape_str(&b, head->session.p ? head->answer : STR_NONE);
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

static void collect(struct request *r)
{
    struct chat_call *call = r->state;

    chat_collect(r, call->feed, send_answer);
}

static void start_turn(struct request *r)
{
    chat_start(r, collect);
}

static void read_body(struct request *r)
{
    struct chat_call *call = r->state;

    if (read_question(r, &call->ask) && chat_check(r, &call->ask))
        r->then = start_turn;
}

void api_query(struct request *r)
{
    if (call_state(r, sizeof(struct chat_call)))
        request_work(r, read_body);
}
