/* loop.c - a loop: its messages, and how it opens and closes. */
#include <assert.h>
#include <stdlib.h>

#include "chat/loop/engine.h"
#include "chat/loop/loop.h"
#include "chat/loop/loop_message.h"
#include "model/model.h"

/* ---- Messages ----------------------------------------------------------- */

void loop_message_send(struct chat_loop *l, struct loop_message *m)
{
    bool first;

    assert(m->deliver);
    m->next = NULL;
    pthread_mutex_lock(&l->lock);
    first = !l->messages;
    *l->messages_tail = m;
    l->messages_tail = &m->next;
    pthread_mutex_unlock(&l->lock);
    if (first)
        uv_async_send(&l->wake);
}

static void on_wake(uv_async_t *h)
{
    struct chat_loop *l = h->data;
    struct loop_message *m;

    pthread_mutex_lock(&l->lock);
    m = l->messages;
    l->messages = NULL;
    l->messages_tail = &l->messages;
    pthread_mutex_unlock(&l->lock);
    while (m) {
        struct loop_message *next = m->next; /* delivering may free it */

        m->deliver(m);
        m = next;
    }
}

/* ---- Opening and closing ------------------------------------------------ */

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
    l->messages_tail = &l->messages;
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
    assert(!l->turns);
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

void chat_loop_left(struct chat_loop *l)
{
    if (!l->closing || l->turns_n > 0 || l->followers || l->looks)
        return;
    assert(l->handles == 0);
    l->handles = 2;
    uv_close((uv_handle_t *)&l->wake, on_wake_closed);
    model_loop_close(l->models, on_models_closed, l);
}
