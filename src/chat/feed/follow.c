/* follow.c - an answer that is written elsewhere, as a feed.
 *
 * It may run on another node, or be written by a caller's own agent: either
 * way what is shown of it is stored first, so its row is looked at a few times
 * a second and what is new there goes into the feed.  Who follows does so for
 * one viewer, and ends with it. */
#include <stdlib.h>

#include "chat/inner.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/store.h"

enum { LOOK_MS = 250, ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct follower {
    struct chat_loop *loop;
    struct follower *next, **link; /* of the loop */
    struct arena own;              /* who and session */
    struct who who;
    struct str session;
    struct feed *feed; /* NULL until it is known that something runs */
    struct seen seen;
    uv_timer_t timer;
    uv_work_t work;
    bool working, closing;
    bool told; /* `found` was called */
    chat_found_fn *found;
    void *arg;
    /* What a look has found; the thread's while it looks. */
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
    chat_loop_turn_gone(l);
}

/* A look that is under way comes back first. */
static void leave(struct follower *f)
{
    f->closing = true;
    if (!f->working && !uv_is_closing((uv_handle_t *)&f->timer))
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

/* ---- Looking ------------------------------------------------------------ */

static bool runs(const struct message *m)
{
    return m && m->role == FOOTNOTE_ASSISTANT &&
           m->status == FOOTNOTE_STREAMING;
}

/* What runs in a session is its last message. */
static void look_for_any(struct follower *f)
{
    struct history h = {.session = f->session, .limit = 1};

    f->rc = store_read(f->loop->chat->options.store, f->who, &f->arena,
                       OP(history), &h, NULL);
    if (f->rc == FOOTNOTE_OK && h.messages_n)
        f->message = h.messages + h.messages_n - 1;
}

/* From then on it is looked at by its id: others may follow it. */
static void look_again(struct follower *f)
{
    struct messages_by_id get = {.ids = &feed_head(f->feed)->answer,
                                 .ids_n = 1};

    f->rc = store_read(f->loop->chat->options.store, f->who, &f->arena,
                       OP(messages_by_id), &get, NULL);
    if (f->rc == FOOTNOTE_OK && get.messages[0].id.p)
        f->message = get.messages;
}

static void look(uv_work_t *w)
{
    struct follower *f = w->data;

    f->message = NULL;
    (f->feed ? look_again : look_for_any)(f);
}

static void start(struct follower *f);

static void on_timer(uv_timer_t *h)
{
    start(h->data);
}

/* The first look: is there anything to follow? */
static void tell_found(struct follower *f)
{
    if (runs(f->message))
        f->feed = stored_feed(f->message, f->session);
    f->told = true;
    f->found(f->arg, f->feed ? feed_hold(f->feed) : NULL);
    if (!f->feed)
        leave(f);
}

static void show(struct follower *f)
{
    if (!f->message) {
        fail(f, STR("The answer is not there any more."));
    } else if (stored_show(f->feed, f->message, &f->seen) != FOOTNOTE_OK) {
        fail(f, STR("The server ran out of memory. Read the answer again."));
    } else if (!runs(f->message)) {
        stored_end(f->feed, f->message);
        leave(f);
    }
}

/* What fails for a time is looked at again, as long as somebody watches. */
static void go_on(struct follower *f)
{
    if (f->rc == FOOTNOTE_OK || f->rc == FOOTNOTE_NOTFOUND)
        show(f);
    if (!f->closing && !feed_is_watched(f->feed))
        leave(f);
    if (!f->closing)
        uv_timer_start(&f->timer, on_timer, LOOK_MS, 0);
}

static void on_looked(uv_work_t *w, int status)
{
    struct follower *f = w->data;

    (void)status;
    f->working = false;
    if (!f->feed)
        tell_found(f);
    if (f->feed && !f->closing)
        go_on(f);
    arena_reset(&f->arena);
    if (f->closing)
        leave(f);
}

static void start(struct follower *f)
{
    f->working = uv_queue_work(f->loop->uv, &f->work, look, on_looked) == 0;
    if (!f->working)
        uv_timer_start(&f->timer, on_timer, LOOK_MS, 0);
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
    start(f);
    return true;
}
