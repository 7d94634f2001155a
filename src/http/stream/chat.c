/* chat.c - POST /api/chat; watching a turn, and stopping it. */
#include "http/stream/chat.h"

#include <assert.h>

#include "base/clock.h"
#include "http/call/caller.h"
#include "http/call/loop_state.h"
#include "http/call/shares.h"
#include "store/answer/answer.h"
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

static void say_stopped(struct request *r)
{
    if (r->rc == FOOTNOTE_OK)
        reply_text(r, 200, STR("application/json"), STR("{\"success\":true}"));
    else
        call_failed(r, r->rc, &r->err, "session");
}

/* Nothing runs here any more; elsewhere something may. */
static void stop_elsewhere(struct request *r)
{
    struct answer_stop *op = call_state(r, sizeof(*op));

    if (!op)
        return;
    op->session = r->params[0];
    request_write(r, OP(answer_stop), op, say_stopped);
}

static void on_stopped(void *arg)
{
    (void)request_resume(arg, stop_elsewhere);
}

void api_chat_stop(struct request *r)
{
    struct chat_loop *l = chat_loop_of(r);

    if (!l)
        return;
    if (chat_stop(l, caller(r)->who, r->params[0], false, on_stopped, r))
        request_park(r);
    else
        call_no_memory(r);
}
