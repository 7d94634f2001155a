/* loop.c - a thread with its listener and its clock; requests come back to it.
 */
#include "http/core/loop.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

enum { ACCEPTS_AT_ONCE = 64, EMFILE_PAUSE_MS = 500 };

int64_t loop_now(const struct loop *l)
{
    return (int64_t)uv_now(&l->uv);
}

/* ---- Requests that come back -------------------------------------------- */

void loop_post(struct loop *l, struct request *r)
{
    pthread_mutex_lock(&l->lock);
    r->item.next = NULL;
    *l->returned_tail = r;
    l->returned_tail = (struct request **)(void *)&r->item.next;
    pthread_mutex_unlock(&l->lock);
    uv_async_send(&l->wake);
}

static void check_all(struct loop *l);

static void turn_app(struct loop *l)
{
    if (l->app && l->server->hooks->loop_turn)
        l->server->hooks->loop_turn(l->app);
}

static void on_wake(uv_async_t *h)
{
    struct loop *l = h->data;
    struct request *r;

    pthread_mutex_lock(&l->lock);
    r = l->returned;
    l->returned = NULL;
    l->returned_tail = &l->returned;
    pthread_mutex_unlock(&l->lock);
    while (r) {
        struct request *next = (struct request *)r->item.next;

        conn_return(r);
        r = next;
    }
    if (atomic_load(&l->server->stopping))
        check_all(l);
    else
        turn_app(l);
}

/* ---- Accepting ---------------------------------------------------------- */

static void on_connection(uv_poll_t *h, int status, int events);

static void accept_start(struct loop *l)
{
    if (!l->accepting && !l->closing)
        l->accepting =
            uv_poll_start(&l->listener, UV_READABLE, on_connection) == 0;
}

/* Out of descriptors: new clients wait in the kernel's queue, and those that
 * are served go on. */
static void accept_pause(struct loop *l)
{
    if (l->accepting)
        uv_poll_stop(&l->listener);
    l->accepting = false;
    l->retry_ms = loop_now(l) + EMFILE_PAUSE_MS;
}

static void on_connection(uv_poll_t *h, int status, int events)
{
    struct loop *l = h->data;

    (void)events;
    for (int i = 0; status == 0 && i < ACCEPTS_AT_ONCE; i++) {
        int fd;

        if (atomic_load(&l->server->open) >= l->server->connections_max) {
            accept_pause(l);
            return;
        }
        fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            conn_open(l, fd);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
            errno == ENOMEM)
            accept_pause(l);
        return;
    }
}

/* ---- The clock ---------------------------------------------------------- */

/* New clients are refused by the kernel from now on. */
void loop_stop_listening(struct loop *l)
{
    if (l->fd < 0)
        return;
    l->accepting = false;
    uv_close((uv_handle_t *)&l->listener, NULL);
    close(l->fd);
    l->fd = -1;
}

static void close_handles(struct loop *l)
{
    assert(!l->closing && l->conns_n == 0);
    l->closing = true;
    loop_stop_listening(l);
    uv_close((uv_handle_t *)&l->tick, NULL);
    uv_close((uv_handle_t *)&l->wake, NULL);
}

static void on_app_closed(void *arg)
{
    struct loop *l = arg;

    l->app = NULL;
    close_handles(l);
}

/* The loop ends when what the program has on it has ended. */
static void end_app(struct loop *l)
{
    if (!l->app || !l->server->hooks->loop_close) {
        close_handles(l);
    } else if (!l->app_closing) {
        l->app_closing = true;
        l->server->hooks->loop_close(l->app, on_app_closed, l);
    }
}

static void check_all(struct loop *l)
{
    struct server *s = l->server;
    int stopping = atomic_load(&s->stopping);
    bool now;

    if (l->closing)
        return;
    turn_app(l);
    for (struct conn *c = l->conns, *next; c; c = next) {
        next = c->next;
        conn_tick(c, loop_now(l));
    }
    if (!stopping) {
        if (!l->accepting && loop_now(l) >= l->retry_ms)
            accept_start(l);
        return;
    }
    loop_stop_listening(l);
    now = stopping > 1 || clock_mono_ms() > atomic_load(&s->stop_by_ms);
    for (struct conn *c = l->conns; now && c; c = c->next)
        conn_close(c);
    if (l->conns_n == 0 && (now || !l->app || !s->hooks->loop_is_idle ||
                            s->hooks->loop_is_idle(l->app)))
        end_app(l);
}

static void on_tick(uv_timer_t *h)
{
    struct loop *l = h->data;

    atomic_store(&l->turned_ms, clock_mono_ms());
    check_all(l);
}

/* ---- The thread --------------------------------------------------------- */

static bool start_uv(struct loop *l)
{
    if (uv_loop_init(&l->uv) != 0)
        return false;
    uv_timer_init(&l->uv, &l->tick);
    if (uv_async_init(&l->uv, &l->wake, on_wake) == 0) {
        if (uv_poll_init(&l->uv, &l->listener, l->fd) == 0)
            return true;
        uv_close((uv_handle_t *)&l->wake, NULL);
    }
    uv_close((uv_handle_t *)&l->tick, NULL);
    uv_run(&l->uv, UV_RUN_DEFAULT);
    uv_loop_close(&l->uv);
    return false;
}

enum footnote_rc loop_init(struct loop *l, struct server *s, int fd,
                           struct footnote_err *err)
{
    assert(fd >= 0);
    l->server = s;
    l->fd = fd;
    l->turned_ms = INT64_MAX;
    l->returned_tail = &l->returned;
    pthread_mutex_init(&l->lock, NULL);
    l->buffer = malloc(READ_BYTES);
    if (!l->buffer || !start_uv(l))
        return err_set(err, FOOTNOTE_NOMEM, "starting a loop");
    l->started = true;
    l->wake.data = l->tick.data = l->listener.data = l;
    uv_timer_start(&l->tick, on_tick, TICK_MS, TICK_MS);
    return FOOTNOTE_OK;
}

void *loop_run(void *arg)
{
    struct loop *l = arg;

    atomic_store(&l->turned_ms, clock_mono_ms());
    if (l->server->hooks->loop_open)
        l->app = l->server->hooks->loop_open(l->server, &l->uv);
    accept_start(l);
    uv_run(&l->uv, UV_RUN_DEFAULT);
    atomic_store(&l->turned_ms, INT64_MAX);
    return NULL;
}

void loop_free(struct loop *l)
{
    if (l->started) {
        if (!l->closing)
            close_handles(l);
        uv_run(&l->uv, UV_RUN_DEFAULT);
        uv_loop_close(&l->uv);
        pthread_mutex_destroy(&l->lock);
    }
    if (l->fd >= 0)
        close(l->fd);
    free(l->buffer);
}
