/* follow.c - an answer that is written elsewhere, as a feed.
 *
 * It may run on another node, or be written by a caller's own agent: either
 * way what is shown of it is stored first, so its row is looked at a few times
 * a second and what is new there goes into the feed.  Who follows does so for
 * one viewer, and ends with it. */
#include <stdlib.h>

#include "chat/inner.h"

enum { LOOK_MS = 250, ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct follower {
    struct chat_loop *loop;
    struct follower *next, **link; /* of the loop */
    struct arena own;              /* who and session */
    struct who who;
    struct str session;
    struct feed *feed; /* NULL until it is known that something runs */
    uint32_t number;   /* the highest that is shown */
    size_t shown;      /* bytes of text */
    uv_timer_t timer;
    uv_work_t work;
    bool working, closing;
    bool told; /* `found` was called */
    chat_found_fn *found;
    void *arg;
    /* What a look has found; the thread's while it looks. */
    struct arena arena;
    enum footnote_rc rc;
    const struct message *message; /* the last of the session; NULL: none */
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

static void end(struct follower *f, const struct message *m, struct str failure)
{
    struct feed_end end = {.message = m,
                           .failure = failure,
                           .finish = STR("stop"),
                           .tokens_in = m ? m->tokens_in : -1,
                           .tokens_out = m ? m->tokens_out : -1};

    feed_add_end(f->feed, &end);
    leave(f);
}

void chat_unfollow(struct chat_loop *l)
{
    for (struct follower *f = l->followers, *next; f; f = next) {
        next = f->next;
        if (f->feed && !f->closing)
            end(f, NULL, STR("The server is stopping."));
        leave(f);
    }
}

/* ---- What is new -------------------------------------------------------- */

static enum footnote_rc add_sources(struct follower *f, bool late)
{
    const struct message *m = f->message;
    uint32_t above = f->number;

    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *r = &m->sources[i];

        if (r->number <= above || r->late != late)
            continue;
        TRY(feed_add_source(f->feed, r, NULL));
        if (r->number > f->number)
            f->number = r->number;
    }
    return FOOTNOTE_OK;
}

/* The end may have cut white space that was shown. */
static enum footnote_rc add_text(struct follower *f)
{
    struct str text = f->message->content;

    if (text.n <= f->shown)
        return FOOTNOTE_OK;
    TRY(feed_add_text(f->feed, str_skip(text, f->shown), NULL));
    f->shown = text.n;
    return FOOTNOTE_OK;
}

static enum footnote_rc add_new(struct follower *f)
{
    TRY(add_sources(f, false));
    TRY(add_text(f));
    return add_sources(f, true);
}

static bool runs(const struct message *m)
{
    return m && m->role == FOOTNOTE_ASSISTANT &&
           m->status == FOOTNOTE_STREAMING;
}

static bool is_same(const struct follower *f)
{
    return f->message && str_eq(f->message->id, feed_head(f->feed)->answer);
}

/* ---- Looking ------------------------------------------------------------ */

static void look(uv_work_t *w)
{
    struct follower *f = w->data;
    struct history h = {.session = f->session, .limit = 1};

    f->rc = store_read(f->loop->chat->options.store, f->who, &f->arena,
                       OP(history), &h, NULL);
    f->message = f->rc == FOOTNOTE_OK && h.messages_n
                     ? &h.messages[h.messages_n - 1]
                     : NULL;
}

static void start(struct follower *f);

static void on_timer(uv_timer_t *h)
{
    start(h->data);
}

/* The first look: is there anything to follow? */
static void tell_found(struct follower *f)
{
    struct feed_head head = {.session = f->session};

    if (runs(f->message)) {
        head.answer = f->message->id;
        head.model = f->message->model;
        head.created_ms = f->message->created_ms;
        f->feed = feed_new(&head);
    }
    f->told = true;
    f->found(f->arg, f->feed ? feed_hold(f->feed) : NULL);
    if (!f->feed)
        leave(f);
}

/* What fails for a time is looked at again, as long as somebody watches. */
static void go_on(struct follower *f)
{
    bool gone =
        f->rc == FOOTNOTE_NOTFOUND || (f->rc == FOOTNOTE_OK && !is_same(f));

    if (gone)
        end(f, NULL, STR("The answer is not there any more."));
    else if (f->rc == FOOTNOTE_OK && add_new(f) != FOOTNOTE_OK)
        end(f, NULL,
            STR("The server ran out of memory. Read the answer "
                "again."));
    else if (f->rc == FOOTNOTE_OK && !runs(f->message))
        end(f, f->message, feed_sentence(f->message));
    else if (!feed_is_watched(f->feed))
        leave(f);
    else
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
