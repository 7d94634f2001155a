/* chat.c - POST /api/chat; watching a turn, and stopping it. */
#include "http/stream/chat.h"

#include <assert.h>

#include "base/clock.h"
#include "http/call/caller.h"
#include "http/call/loop_state.h"
#include "http/call/shares.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/answer/answer.h"
#include "store/check.h"
#include "store/read/history.h"
#include "store/session/message.h"

struct chat_loop *chat_loop_of(struct request *r)
{
    struct chat_loop *l = request_chat(r);

    if (!l)
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("draining"),
                                           .text = STR("The server is "
                                                       "stopping")});
    return l;
}

/* ---- Starting ----------------------------------------------------------- */

static void turn_refused(struct request *r)
{
    if (r->rc == FOOTNOTE_BUSY && strcmp(r->err.field, "turns") == 0) {
        shares_refused(services(r)->shares, REFUSED_TURNS);
        call_over(r, r->err.text, 1);
        return;
    }
    call_failed(r, r->rc, &r->err, "session");
}

static void on_begun(void *arg, const struct chat_begun *b)
{
    struct request *r = arg;
    struct chat_call *call = r->state;

    r->rc = b->rc;
    if (b->rc != FOOTNOTE_OK)
        r->err = *b->err;
    else if (!b->replayed)
        share_turn_begun(services(r)->shares, caller(r)->who, clock_wall_ms());
    call->feed = b->feed;
    call->replayed = b->replayed;
    if (!request_resume(r, b->rc == FOOTNOTE_OK ? call->started : turn_refused))
        feed_drop(b->feed); /* its client has gone; the turn goes on */
}

/* Before anything is asked: an answer that nobody may watch would run for
 * nobody. */
static bool may_ask(struct request *r)
{
    struct shares *s = services(r)->shares;
    int wait = share_turns_wait(s, caller(r)->who, clock_wall_ms());

    if (wait) {
        shares_refused(s, REFUSED_TURNS);
        call_over(r, "All questions of this day have been asked", wait);
        return false;
    }
    if (share_is_free(s, caller(r)->who, SHARE_STREAMS))
        return true;
    call_over(r, "Too many streams are open: close one, or wait until one ends",
              1);
    return false;
}

void chat_start(struct request *r, request_fn *started)
{
    struct chat_call *call = r->state;
    struct chat_loop *l = chat_loop_of(r);

    if (!l || !may_ask(r))
        return;
    assert(!call->feed && !r->answered);
    call->started = started;
    call->ask.who = caller(r)->who;
    r->rc = arena_rc(&r->arena, &r->err);
    if (r->rc == FOOTNOTE_OK) /* else the question may have been misread */
        r->rc = chat_ask(l, &call->ask, on_begun, r, &r->err);
    if (r->rc != FOOTNOTE_OK)
        turn_refused(r);
    else
        request_park(r);
}

/* ---- POST /api/chat ----------------------------------------------------- */

static void send_feed(struct request *r)
{
    struct chat_call *call = r->state;
    struct feed *f = call->feed;

    call->feed = NULL;
    if (call->replayed)
        reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    if (call->format.kind == &ui_format)
        reply_header(r, STR("X-Vercel-AI-UI-Message-Stream"), STR("v1"));
    chat_view(r, f, &call->format, 0);
}

static void start_turn(struct request *r)
{
    chat_start(r, send_feed);
}

static void read_body(struct request *r)
{
    struct chat_call *call = r->state;

    if (chat_intake(r, &call->ask) && chat_check(r, &call->ask))
        r->then = start_turn;
}

/* ?as=events, or the stream of the AI SDK. */
static bool pick_format(struct request *r, struct format_state *s)
{
    static const char *const words[] = {"ui", "events", NULL};
    int as;

    if (!call_word(r, STR("as"), words, &as))
        return false;
    s->kind = as == 1 ? &event_format : &ui_format;
    return true;
}

void api_chat(struct request *r)
{
    struct chat_call *call = call_state(r, sizeof(*call));

    if (call && pick_format(r, &call->format))
        request_work(r, read_body);
}

/* ---- GET /api/chat/{id}/stream ------------------------------------------ */

static bool refuse_last_event(struct request *r)
{
    reply_invalid(r, STR_NONE, "Last-Event-ID is no event of ours");
    return false;
}

static bool read_last_event(struct request *r, size_t *after)
{
    struct str text = request_header(r, STR("last-event-id"));
    int64_t n = 0;

    *after = 0;
    if (!text.p || text.n == 0)
        return true;
    if (!str_i64(text, &n) || n < 0)
        return refuse_last_event(r);
    *after = (size_t)n;
    return true;
}

static void watch(struct request *r, struct feed *f, size_t after)
{
    struct chat_call *call = r->state;

    if (call->format.kind == &ui_format) {
        reply_header(r, STR("X-Vercel-AI-UI-Message-Stream"), STR("v1"));
        after = 0; /* always a replay */
    } else if (after > feed_last(f)) {
        feed_drop(f);
        (void)refuse_last_event(r);
        return;
    }
    chat_view(r, f, &call->format, after);
}

/* The events of a turn that runs elsewhere have other numbers, so a client that
 * names one is sent to the history. */
static void watch_found(struct request *r)
{
    struct chat_call *call = r->state;
    struct feed *f = call->feed;
    size_t after;

    call->feed = NULL;
    if (f && read_last_event(r, &after) && after == 0) {
        watch(r, f, 0);
        return;
    }
    feed_drop(f);
    reply_empty(r, 204); /* also when there is no such session */
}

static void on_found(void *arg, struct feed *f)
{
    struct request *r = arg;
    struct chat_call *call = r->state;

    call->feed = f;
    if (!request_resume(r, watch_found))
        feed_drop(f); /* its client has gone */
}

static void follow(struct request *r)
{
    struct chat_loop *l = chat_loop_of(r);

    if (l && chat_follow(l, caller(r)->who, r->params[0], on_found, r))
        request_park(r);
    else if (l)
        call_no_memory(r);
}

static void drop_feed(struct request *r)
{
    struct chat_call *call = r->state;

    feed_drop(call->feed);
    call->feed = NULL;
}

/* A feed has sources as they were shown.  Who may no longer see one of them
 * follows what is stored, which is read with the rights of the moment. */
static void watch_ours(struct request *r)
{
    struct chat_call *call = r->state;
    struct feed *f = call->feed;
    size_t after;

    r->cleanup = NULL; /* a stream takes r->state for itself */
    if (call->withheld) {
        drop_feed(r);
        follow(r);
        return;
    }
    call->feed = NULL;
    (void)read_last_event(r, &after); /* it was good before */
    watch(r, f, after);
}

static void check_rights(struct request *r)
{
    struct chat_call *call = r->state;
    struct messages_by_id get = {
        .ids = &feed_head(call->feed)->answer, .ids_n = 1, .light = true};

    if (call_read(r, OP(messages_by_id), &get, "session"))
        call->withheld = message_withholds(&get.messages[0]);
}

void api_chat_stream(struct request *r)
{
    struct chat_call *call = call_state(r, sizeof(*call));
    struct chat_loop *l = call ? chat_loop_of(r) : NULL;
    size_t after;

    if (!l || !pick_format(r, &call->format) || !read_last_event(r, &after))
        return;
    call->feed = chat_find(chat_of(l), caller(r)->who, r->params[0]);
    if (!call->feed) {
        follow(r);
        return;
    }
    r->cleanup = drop_feed;
    request_work_then(r, check_rights, watch_ours);
}

/* ---- POST /api/chat/{id}/stop ------------------------------------------- */

/* Whichever ends, it is one that ran when the request came: a question that is
 * asked while the stop waits is not what was meant. */
struct stop_call {
    struct answer_stop op;
    char answer[STORE_ID_BYTES_MAX + 1];
};

static void say_stopped(struct request *r)
{
    const struct stop_call *call = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (r->rc != FOOTNOTE_OK) {
        call_failed(r, r->rc, &r->err, "session");
        return;
    }
    buf_add(&b, STR("{\"success\":true"));
    if (call->op.found)
        buf_printf(&b, ",\"status\":\"%.*s\"",
                   STR_ARG(status_name(call->op.status)));
    buf_add_c(&b, '}');
    reply_json(r, 200, &b);
}

static void write_stop(struct request *r)
{
    struct stop_call *call = r->state;

    request_write(r, OP(answer_stop), &call->op, say_stopped);
}

/* The turn here has ended; its row says how.  When there was none here, one may
 * run elsewhere. */
static void on_stopped(void *arg, struct str answer)
{
    struct request *r = arg;
    struct stop_call *call = r->state;

    r->rc = FOOTNOTE_OK;
    call->op.others = !answer.p && !call->op.answer.p;
    if (answer.p && answer.n) {
        assert(answer.n < sizeof(call->answer));
        memcpy(call->answer, answer.p, answer.n);
        call->op.answer = str_c(call->answer);
    }
    (void)request_resume(r, answer.p && !answer.n ? say_stopped : write_stop);
}

/* Which answer is meant, by our name for it or the SDK's; it may be absent. */
static bool read_stopped(struct request *r, struct str *id)
{
    const struct json *body = NULL, *v;

    if (r->body.n && !(body = request_json(r)))
        return false;
    v = body ? json_get(body, intake_name(body, STR("messageId"))) : NULL;
    if (!v)
        v = json_get(json_get(body, STR("assistantMessage")), STR("id"));
    if (!v || v->type == JSON_NULL)
        return true;
    *id = v->type == JSON_STR ? v->s : STR_NONE;
    if (id->n && id_can_be(*id))
        return true;
    reply_invalid(r, STR("/messageId"), "messageId: is no id");
    return false;
}

void api_chat_stop(struct request *r)
{
    struct stop_call *call = call_state(r, sizeof(*call));
    struct chat_loop *l = call ? chat_loop_of(r) : NULL;
    struct chat_stop stop = {.who = caller(r)->who,
                             .session = r->params[0],
                             .done = on_stopped,
                             .arg = r};

    if (!l || !read_stopped(r, &call->op.answer))
        return;
    call->op.session = stop.session;
    stop.answer = call->op.answer;
    if (chat_stop(l, &stop))
        request_park(r);
    else
        call_no_memory(r);
}
