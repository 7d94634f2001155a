/* curl_loop.c - libcurl's sockets are polled by libuv, its clock is a timer.
 *
 * libcurl says which socket it wants to read or write (watch) and when it must
 * be called at the latest (set_timer); run_curl() calls it then.  A poll handle
 * lives as long as libcurl watches its socket, and one turn of the loop more,
 * until libuv has closed it. */
#include "model/curl_loop.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct curl_loop {
    CURLM *multi;
    CURLSH *share; /* one cache of TLS sessions for all handles */
    uv_loop_t *uv;
    uv_timer_t timer;
    uv_idle_t next; /* a call at the next turn of the loop */
    struct curl_transfer *unwatched;
    size_t handles_n; /* of libuv, not yet closed */
    bool closing;
    void (*idle)(void *arg);
    void *arg;
    void (*closed)(void *arg);
    void *closed_arg;
};

struct watched_socket {
    uv_poll_t poll;
    struct curl_loop *loop;
    curl_socket_t fd;
};

/* ---- Calling libcurl -------------------------------------------------------
 */

static void forget_unwatched(struct curl_loop *l, struct curl_transfer *t)
{
    struct curl_transfer **at = &l->unwatched;

    while (t->unwatched && *at != t)
        at = &(*at)->next;
    if (t->unwatched)
        *at = t->next;
    t->unwatched = false;
}

static void run_curl(struct curl_loop *l, curl_socket_t fd, int what)
{
    int running, left;
    const CURLMsg *m;

    curl_multi_socket_action(l->multi, fd, what, &running);
    while (l->unwatched) {
        struct curl_transfer *t = l->unwatched;

        forget_unwatched(l, t);
        t->done(t, CURLE_OUT_OF_MEMORY);
    }
    while ((m = curl_multi_info_read(l->multi, &left))) {
        CURL *easy = m->easy_handle;
        CURLcode rc = m->data.result;
        struct curl_transfer *t = NULL;

        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
        t->done(t, rc);
    }
    if (l->idle)
        l->idle(l->arg);
}

static void on_timer(uv_timer_t *timer)
{
    run_curl(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static void on_next(uv_idle_t *next)
{
    uv_idle_stop(next);
    run_curl(next->data, CURL_SOCKET_TIMEOUT, 0);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct watched_socket *w = poll->data;
    int what = 0;

    if (status < 0)
        what = CURL_CSELECT_ERR;
    if (events & UV_READABLE)
        what |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        what |= CURL_CSELECT_OUT;
    run_curl(w->loop, w->fd, what);
}

/* ---- Called by libcurl -----------------------------------------------------
 */

/* Zero means at the next turn of the loop, as libcurl must not be called from
 * here.  A timer of zero would not do: libuv runs a timer that another timer
 * started in the same turn, so a server that sends without end would never let
 * the loop turn. */
static int set_timer(CURLM *multi, long ms, void *arg)
{
    struct curl_loop *l = arg;

    (void)multi;
    uv_timer_stop(&l->timer);
    if (!l->unwatched)
        uv_idle_stop(&l->next);
    if (ms == 0 && !l->closing)
        uv_idle_start(&l->next, on_next);
    else if (ms > 0 && !l->closing)
        uv_timer_start(&l->timer, on_timer, (uint64_t)ms, 0);
    return 0;
}

static void release_handle(struct curl_loop *l)
{
    assert(l->handles_n > 0);
    if (--l->handles_n > 0 || !l->closing)
        return;
    if (l->closed)
        l->closed(l->closed_arg);
    free(l);
}

static void on_unwatched(uv_handle_t *h)
{
    struct watched_socket *w = h->data;
    struct curl_loop *l = w->loop;

    free(w);
    release_handle(l);
}

static struct watched_socket *watch_new(struct curl_loop *l, curl_socket_t fd)
{
    struct watched_socket *w = calloc(1, sizeof(*w));

    if (!w || uv_poll_init_socket(l->uv, &w->poll, fd) != 0) {
        free(w);
        return NULL;
    }
    w->loop = l;
    w->fd = fd;
    w->poll.data = w;
    l->handles_n++;
    curl_multi_assign(l->multi, fd, w);
    return w;
}

/* An error from the callback would make libcurl end every transfer of the loop.
 * So only the transfer of this socket is ended, when libcurl has returned. */
static void end_later(struct curl_loop *l, CURL *easy)
{
    struct curl_transfer *t = NULL;

    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
    if (!t || t->unwatched)
        return;
    t->unwatched = true;
    t->next = l->unwatched;
    l->unwatched = t;
    uv_idle_start(&l->next, on_next);
}

static int watch(CURL *easy, curl_socket_t fd, int what, void *arg, void *own)
{
    struct curl_loop *l = arg;
    struct watched_socket *w = own;
    int events = 0;

    if (what == CURL_POLL_REMOVE) {
        if (!w)
            return 0;
        uv_poll_stop(&w->poll);
        uv_close((uv_handle_t *)&w->poll, on_unwatched);
        curl_multi_assign(l->multi, fd, NULL);
        return 0;
    }
    if (!w)
        w = watch_new(l, fd);
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        events |= UV_READABLE;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        events |= UV_WRITABLE;
    if (!w || uv_poll_start(&w->poll, events, on_ready) != 0)
        end_later(l, easy);
    return 0;
}

/* ---- Life ------------------------------------------------------------------
 */

/* One thread uses all handles, so the share needs no lock. */
static bool open_handles(struct curl_loop *l)
{
    l->multi = curl_multi_init();
    l->share = curl_share_init();
    return l->multi && l->share &&
           curl_share_setopt(l->share, CURLSHOPT_SHARE,
                             CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK;
}

static void close_handles(struct curl_loop *l)
{
    curl_multi_cleanup(l->multi); /* ends kept connections: unwatches them */
    curl_share_cleanup(l->share);
}

static bool library_ok;

static void open_library(void)
{
    library_ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

enum footnote_rc curl_loop_open(uv_loop_t *uv, void (*idle)(void *arg),
                                void *arg, struct curl_loop **out,
                                struct footnote_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct curl_loop *l = calloc(1, sizeof(*l));

    *out = NULL;
    pthread_once(&once, open_library);
    if (!l || !library_ok || !open_handles(l)) {
        if (l)
            close_handles(l);
        free(l);
        return err_set(err, FOOTNOTE_NOMEM, "libcurl does not start");
    }
    l->uv = uv;
    l->idle = idle;
    l->arg = arg;
    uv_timer_init(uv, &l->timer); /* never fails */
    uv_idle_init(uv, &l->next);
    l->timer.data = l->next.data = l;
    l->handles_n = 2;
    curl_multi_setopt(l->multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(l->multi, CURLMOPT_SOCKETDATA, l);
    curl_multi_setopt(l->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(l->multi, CURLMOPT_TIMERDATA, l);
    *out = l;
    return FOOTNOTE_OK;
}

static void on_closed(uv_handle_t *h)
{
    release_handle(h->data);
}

void curl_loop_close(struct curl_loop *l, void (*closed)(void *arg), void *arg)
{
    assert(!l->closing);
    l->closing = true;
    l->closed = closed;
    l->closed_arg = arg;
    close_handles(l);
    uv_close((uv_handle_t *)&l->timer, on_closed);
    uv_close((uv_handle_t *)&l->next, on_closed);
}

enum footnote_rc curl_loop_add(struct curl_loop *l, CURL *easy,
                               struct footnote_err *err)
{
    CURLMcode rc = CURLM_OUT_OF_MEMORY;

    if (curl_easy_setopt(easy, CURLOPT_SHARE, l->share) == CURLE_OK)
        rc = curl_multi_add_handle(l->multi, easy);
    if (rc != CURLM_OK)
        return err_set(err, FOOTNOTE_NOMEM, "libcurl: %s",
                       curl_multi_strerror(rc));
    return FOOTNOTE_OK;
}

void curl_loop_remove(struct curl_loop *l, CURL *easy)
{
    struct curl_transfer *t = NULL;

    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
    forget_unwatched(l, t);
    curl_multi_remove_handle(l->multi, easy);
}
