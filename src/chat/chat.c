/* chat.c - the engine, its loops and their mailboxes. */
#include <stdlib.h>

#include "chat/inner.h"

enum footnote_rc chat_open(const struct chat_options *o, struct chat **out,
                           struct footnote_err *err)
{
    struct chat *c = calloc(1, sizeof(*c));
    enum footnote_rc rc;

    *out = NULL;
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "starting chat");
    c->options = *o;
    rc = hub_open(&c->hub, err);
    if (rc == FOOTNOTE_OK)
        *out = c;
    else
        free(c);
    return rc;
}

void chat_close(struct chat *c)
{
    if (!c)
        return;
    hub_close(c->hub);
    free(c);
}

/* ---- Mail --------------------------------------------------------------- */

void mail_send(struct chat_loop *l, struct mail *m)
{
    bool first;

    m->next = NULL;
    pthread_mutex_lock(&l->lock);
    first = !l->mail;
    *l->mail_tail = m;
    l->mail_tail = &m->next;
    pthread_mutex_unlock(&l->lock);
    if (first)
        uv_async_send(&l->wake);
}

static void on_wake(uv_async_t *h)
{
    struct chat_loop *l = h->data;
    struct mail *m;

    pthread_mutex_lock(&l->lock);
    m = l->mail;
    l->mail = NULL;
    l->mail_tail = &l->mail;
    pthread_mutex_unlock(&l->lock);
    while (m) {
        struct mail *next = m->next;

        m->deliver(m);
        m = next;
    }
}

/* ---- Loops -------------------------------------------------------------- */

static void loop_free(struct chat_loop *l)
{
    pthread_mutex_destroy(&l->lock);
    free(l);
}

enum footnote_rc chat_loop_open(struct chat *c, uv_loop_t *uv,
                                struct chat_loop **out,
                                struct footnote_err *err)
{
    struct chat_loop *l = calloc(1, sizeof(*l));
    enum footnote_rc rc;

    *out = NULL;
    if (!l)
        return err_set(err, FOOTNOTE_NOMEM, "starting chat");
    l->chat = c;
    l->uv = uv;
    l->mail_tail = &l->mail;
    pthread_mutex_init(&l->lock, NULL);
    rc = model_loop_open(uv, &l->models, err);
    if (rc != FOOTNOTE_OK) {
        loop_free(l);
        return rc;
    }
    /* Opening a second async handle of a loop needs nothing that can fail. */
    (void)uv_async_init(uv, &l->wake, on_wake);
    l->wake.data = l;
    *out = l;
    return FOOTNOTE_OK;
}

struct chat *chat_of(const struct chat_loop *l)
{
    return l->chat;
}

size_t chat_loop_turns(const struct chat_loop *l)
{
    return l->turns_n;
}

static void one_closed(struct chat_loop *l)
{
    void (*closed)(void *arg) = l->closed;
    void *arg = l->closed_arg;

    if (--l->handles > 0)
        return;
    loop_free(l);
    if (closed)
        closed(arg);
}

static void on_wake_closed(uv_handle_t *h)
{
    one_closed(h->data);
}

static void on_models_closed(void *arg)
{
    one_closed(arg);
}

static void close_handles(struct chat_loop *l)
{
    l->handles = 2;
    uv_close((uv_handle_t *)&l->wake, on_wake_closed);
    model_loop_close(l->models, on_models_closed, l);
}

void chat_loop_turn_gone(struct chat_loop *l)
{
    if (l->closing && l->turns_n == 0 && !l->followers)
        close_handles(l);
}

void chat_loop_close(struct chat_loop *l, void (*closed)(void *arg), void *arg)
{
    l->closed = closed;
    l->closed_arg = arg;
    l->closing = true;
    for (struct turn *t = l->turns, *next; t; t = next) {
        next = t->next;
        turn_abort(t, ABORT_CLOSING);
    }
    chat_unfollow(l);
    chat_loop_turn_gone(l);
}
