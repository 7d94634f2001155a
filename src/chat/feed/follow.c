/* follow.c - an answer that is written elsewhere, as a feed.
 *
 * What others show of an answer is stored first.  So a follower reads the row a
 * few times a second and adds what is new to its feed.  It follows for one
 * viewer, and ends with it. */
#include <assert.h>
#include <stdlib.h>

#include "chat/feed/follow.h"
#include "chat/feed/stored.h"
#include "chat/loop/engine.h"
#include "store/read/history.h"
#include "store/session/message.h"

enum { READ_MS = 250, ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct follower {
    struct chat_loop *loop;
    struct follower *next, **link; /* of the loop */
    struct arena own;              /* who and session */
    struct who who;
    struct str session;
    struct feed *feed; /* NULL until it is known that something runs */
    struct stored_progress progress;
    uv_timer_t timer;
    uv_work_t work;
    bool reading, closing;
    bool told; /* `found` was called */
    chat_found_fn *found;
    void *arg;
    /* What was read; the thread's while it reads. */
    struct arena arena;
    enum footnote_rc rc;
    const struct message *message; /* NULL: none */
};

/* ---- Its life ----------------------------------------------------------- */

static void on_closed(uv_handle_t *h)
{
    struct follower *f = h->data;
    struct chat_loop *l = f->loop;

    if (!f->told)
        f->found(f->arg, NULL);
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    feed_drop(f->feed);
    arena_free(&f->arena);
    arena_free(&f->own);
    free(f);
    chat_loop_left(l);
}

/* A read that is under way comes back first. */
static void leave(struct follower *f)
{
    f->closing = true;
    if (!f->reading && !uv_is_closing((uv_handle_t *)&f->timer))
        uv_close((uv_handle_t *)&f->timer, on_closed);
}

static void fail(struct follower *f, struct str why)
{
    feed_add_end(
        f->feed,
        &(struct feed_end){.failure = why, .tokens_in = -1, .tokens_out = -1});
    leave(f);
}

void chat_unfollow(struct chat_loop *l)
{
    for (struct follower *f = l->followers, *next; f; f = next) {
        next = f->next;
        if (f->feed && !f->closing)
            fail(f, STR("The server is stopping."));
        leave(f);
    }
}

/* ---- Reading ------------------------------------------------------------ */

static bool runs(const struct message *m)
{
    return m && m->role == FOOTNOTE_ASSISTANT &&
           m->status == FOOTNOTE_STREAMING;
}

/* In a thread.  The answer that runs in a session is its last message.  Once it
 * is known it is read by its id: another may follow it. */
static void read_answer(uv_work_t *w)
{
    struct follower *f = w->data;
    struct store *store = f->loop->chat->options.store;
    struct history last = {.session = f->session, .limit = 1};
    struct messages_by_id get = {.ids_n = 1};

    f->message = NULL;
    if (f->feed) {
        get.ids = &feed_head(f->feed)->answer;
        f->rc = store_read(store, f->who, &f->arena, OP(messages_by_id), &get,
                           NULL);
        if (f->rc == FOOTNOTE_OK && get.messages[0].id.p)
            f->message = get.messages;
    } else {
        f->rc = store_read(store, f->who, &f->arena, OP(history), &last, NULL);
        if (f->rc == FOOTNOTE_OK && last.messages_n)
            f->message = last.messages + last.messages_n - 1;
    }
}

static void start_reading(struct follower *f);

static void on_timer(uv_timer_t *h)
{
    start_reading(h->data);
}

/* The first time: is there anything to follow? */
static void tell_found(struct follower *f)
{
    if (runs(f->message))
        f->feed = stored_feed(f->message, f->session);
    f->told = true;
    f->found(f->arg, f->feed ? feed_hold(f->feed) : NULL);
    if (!f->feed)
        leave(f);
}

static void show_new(struct follower *f)
{
    if (!f->message) {
        fail(f, STR("The session was deleted."));
    } else if (stored_show(f->feed, f->message, &f->progress) != FOOTNOTE_OK) {
        fail(f, STR("The server ran out of memory. Read the answer again."));
    } else if (!runs(f->message)) {
        stored_end(f->feed, f->message);
        leave(f);
    }
}

/* After an error it reads again, as long as somebody watches. */
static void on_read(uv_work_t *w, int status)
{
    struct follower *f = w->data;

    (void)status;
    f->reading = false;
    if (!f->feed)
        tell_found(f);
    if (f->feed && !f->closing) {
        if (f->rc == FOOTNOTE_OK || f->rc == FOOTNOTE_NOTFOUND)
            show_new(f);
        if (!f->closing && !feed_is_watched(f->feed))
            leave(f);
        if (!f->closing)
            uv_timer_start(&f->timer, on_timer, READ_MS, 0);
    }
    arena_reset(&f->arena);
    if (f->closing)
        leave(f);
}

static void start_reading(struct follower *f)
{
    assert(!f->reading && !f->closing);
    f->reading =
        uv_queue_work(f->loop->uv, &f->work, read_answer, on_read) == 0;
    if (!f->reading)
        uv_timer_start(&f->timer, on_timer, READ_MS, 0);
}

bool chat_follow(struct chat_loop *l, struct who who, struct str session,
                 chat_found_fn *found, void *arg)
{
    struct follower *f = calloc(1, sizeof(*f));

    if (!f)
        return false;
    f->loop = l;
    f->own = f->arena = ARENA(ARENA_BYTES_MAX);
    f->who.tenant = arena_str(&f->own, who.tenant);
    f->who.user = arena_str(&f->own, who.user);
    f->who.scope = arena_str(&f->own, who.scope);
    f->session = arena_str(&f->own, session);
    f->found = found;
    f->arg = arg;
    if (f->own.failed) {
        arena_free(&f->own);
        free(f);
        return false;
    }
    uv_timer_init(l->uv, &f->timer);
    f->timer.data = f->work.data = f;
    f->next = l->followers;
    if (f->next)
        f->next->link = &f->next;
    f->link = &l->followers;
    l->followers = f;
    start_reading(f);
    return true;
}
