/* server.c - listening sockets, loops, starting and stopping. */
#include "http/core/server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/core/loop.h"

enum {
    BACKLOG = 1024,
    LOOPS_MAX = 64,
    OTHER_FILES = 32, /* descriptors for databases, keys, pipes */
    COMPRESSING = 2   /* threads, so that no user has all of them */
};

/* ---- Sockets ------------------------------------------------------------ */

struct listen_address {
    struct sockaddr_storage address;
    socklen_t bytes;
};

static enum footnote_rc find_address(struct str listen,
                                     struct listen_address *out,
                                     struct footnote_err *err)
{
    char host[256] = "", port[16] = "";
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    size_t colon = listen.n;
    struct str name;

    while (colon > 0 && listen.p[colon - 1] != ':')
        colon--;
    name = (struct str){listen.p, colon ? colon - 1 : 0};
    if (name.n > 1 && name.p[0] == '[')
        name = (struct str){name.p + 1, name.n - 2};
    if (str_eq(name, STR("localhost")))
        name = STR("127.0.0.1");
    if (colon == 0 || name.n >= sizeof(host) ||
        listen.n - colon >= sizeof(port))
        return err_set(err, FOOTNOTE_INVALID, "listen: is ADDRESS:PORT");
    memcpy(host, name.p, name.n);
    memcpy(port, listen.p + colon, listen.n - colon);
    if (getaddrinfo(host[0] ? host : NULL, port, &hints, &found) != 0)
        return err_set(err, FOOTNOTE_INVALID, "listen: no address %.*s",
                       STR_ARG(listen));
    memcpy(&out->address, found->ai_addr, found->ai_addrlen);
    out->bytes = found->ai_addrlen;
    freeaddrinfo(found);
    return FOOTNOTE_OK;
}

/* The port may be one that was picked for us. */
static enum footnote_rc cannot_listen(const struct listen_address *at,
                                      struct footnote_err *err)
{
    char host[INET6_ADDRSTRLEN] = "", port[8] = "";
    int error = errno;

    (void)getnameinfo((const struct sockaddr *)&at->address, at->bytes, host,
                      sizeof(host), port, sizeof(port),
                      NI_NUMERICHOST | NI_NUMERICSERV);
    return err_set(err, FOOTNOTE_BUSY, "listen: %s port %s: %s", host, port,
                   strerror(error));
}

static enum footnote_rc bind_one(struct listen_address *p, bool reuse, int *out,
                                 struct footnote_err *err)
{
    int on = 1;
    int fd = socket(p->address.ss_family,
                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    *out = fd;
    if (fd < 0)
        return cannot_listen(p, err);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (reuse)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&p->address, p->bytes) != 0)
        return cannot_listen(p, err);
    return FOOTNOTE_OK;
}

/* With SO_REUSEPORT a second server would start silently on our port, so the
 * port is first taken without it; that also picks one for port 0. */
static enum footnote_rc claim_port(struct listen_address *p,
                                   struct footnote_err *err)
{
    socklen_t n = sizeof(p->address);
    int fd;
    enum footnote_rc rc = bind_one(p, false, &fd, err);

    if (rc == FOOTNOTE_OK &&
        getsockname(fd, (struct sockaddr *)&p->address, &n) != 0)
        rc = cannot_listen(p, err);
    if (fd >= 0)
        close(fd);
    return rc;
}

enum footnote_rc server_try_address(struct str listen, struct footnote_err *err)
{
    struct listen_address at;

    TRY(find_address(listen, &at, err));
    return claim_port(&at, err);
}

/* ---- Opening and closing ------------------------------------------------ */

static int port_of(const struct listen_address *at)
{
    return ntohs(at->address.ss_family == AF_INET6
                     ? ((const struct sockaddr_in6 *)&at->address)->sin6_port
                     : ((const struct sockaddr_in *)&at->address)->sin_port);
}

/* The loops of a socket that was opened for us share it: each has a descriptor
 * of its own, and the first that comes takes a connection. */
static enum footnote_rc listen_one(struct server *s, struct listen_address *at,
                                   int *fd, struct footnote_err *err)
{
    if (s->options.socket) {
        *fd = fcntl(s->options.socket, F_DUPFD_CLOEXEC, 0);
        if (*fd < 0)
            return err_set(err, FOOTNOTE_BUSY, "listen: %s", strerror(errno));
        return FOOTNOTE_OK;
    }
    TRY(bind_one(at, true, fd, err));
    if (listen(*fd, BACKLOG) != 0)
        return cannot_listen(at, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc open_loops(struct server *s, struct footnote_err *err)
{
    struct listen_address at;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = s->options.loops > 0 ? (size_t)s->options.loops
               : cores > 0          ? (size_t)cores
                                    : 1;

    if (n > LOOPS_MAX)
        n = LOOPS_MAX;
    s->loops = calloc(n, sizeof(*s->loops));
    if (!s->loops)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    TRY(find_address(s->options.listen, &at, err));
    if (!s->options.socket)
        TRY(claim_port(&at, err));
    s->port = port_of(&at);
    while (s->loops_n < n) {
        int fd = -1;
        enum footnote_rc rc = listen_one(s, &at, &fd, err);
        struct loop *l = &s->loops[s->loops_n++];

        l->fd = fd; /* loop_free() closes it, also when it is -1 */
        TRY(rc);
        TRY(loop_init(l, s, fd, err));
    }
    return FOOTNOTE_OK;
}

/* Connections must leave descriptors for other files.  The soft limit is there
 * for programs that use select(); we go up to the hard one. */
static uint64_t count_connections(int64_t max)
{
    uint64_t want = max > 0 ? (uint64_t)max : 1;
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return want;
    if (files.rlim_cur < want + OTHER_FILES) {
        files.rlim_cur = want + OTHER_FILES < files.rlim_max
                             ? want + OTHER_FILES
                             : files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        (void)getrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur < want + OTHER_FILES)
        return files.rlim_cur / 2 > OTHER_FILES ? files.rlim_cur - OTHER_FILES
                                                : files.rlim_cur / 2;
    return want;
}

static void closep(struct server **s)
{
    server_close(*s);
}

enum footnote_rc server_open(const struct server_options *o,
                             const struct server_hooks *hooks, void *app,
                             struct server **out, struct footnote_err *err)
{
    AUTO(closep) struct server *s = calloc(1, sizeof(*s));

    assert(hooks);
    *out = NULL;
    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    s->options = *o;
    s->hooks = hooks;
    s->app = app;
    s->connections_max = count_connections(o->connections_max);
    TRY(budget_open(o->bodies_bytes > 0 ? o->bodies_bytes : HTTP_BODIES_BYTES,
                    &s->budget, err));
    TRY(workers_open(o->workers > 0 ? (size_t)o->workers : 2, &s->workers,
                     err));
    TRY(workers_open(o->slow_workers > 0 ? (size_t)o->slow_workers : 1,
                     &s->slow, err));
    TRY(workers_open(o->quick_workers > 0 ? (size_t)o->quick_workers : 1,
                     &s->quick, err));
    TRY(workers_open(COMPRESSING, &s->compressing, err));
    TRY(workers_open_together(&s->together, err));
    TRY(open_loops(s, err));
    *out = s;
    s = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void server_close(struct server *s)
{
    if (!s)
        return;
    workers_close(s->together);
    workers_close(s->slow);
    workers_close(s->quick);
    workers_close(s->compressing);
    workers_close(s->workers);
    for (size_t i = 0; i < s->loops_n; i++)
        loop_free(&s->loops[i]);
    if (s->options.socket)
        close(s->options.socket);
    budget_close(s->budget);
    free(s->loops);
    free(s);
}

/* ---- Running ------------------------------------------------------------ */

void server_use_routes(struct server *s, const struct route *routes, size_t n)
{
    s->routes = routes;
    s->routes_n = n;
}

void server_run(struct server *s)
{
    sigset_t all, before;

    assert(s->routes && s->loops_n > 0);
    signal(SIGPIPE, SIG_IGN); /* libuv writes to clients that have gone */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 1; i < s->loops_n; i++) {
        struct loop *l = &s->loops[i];

        l->running = pthread_create(&l->thread, NULL, loop_run, l) == 0;
        if (!l->running)
            loop_stop_listening(l); /* nobody would accept */
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    loop_run(&s->loops[0]);
    for (size_t i = 1; i < s->loops_n; i++)
        if (s->loops[i].running)
            pthread_join(s->loops[i].thread, NULL);
}

void server_drain(struct server *s)
{
    atomic_store(&s->draining, true);
}

bool server_is_draining(const struct server *s)
{
    return atomic_load(&s->draining) || server_is_stopping(s);
}

void server_stop(struct server *s)
{
    int64_t none = 0;

    /* First the time: a loop reads it when it sees that it must stop. */
    atomic_compare_exchange_strong(&s->stop_by_ms, &none,
                                   clock_mono_ms() + s->options.grace_ms);
    atomic_fetch_add(&s->stopping, 1);
    server_wake(s);
}

void server_wake(struct server *s)
{
    for (size_t i = 0; i < s->loops_n; i++)
        uv_async_send(&s->loops[i].wake);
}

bool server_turns(const struct server *s, int64_t within_ms)
{
    int64_t since = clock_mono_ms() - within_ms;

    for (size_t i = 0; i < s->loops_n; i++)
        if (atomic_load(&s->loops[i].turned_ms) < since)
            return false;
    return true;
}

int server_port(const struct server *s)
{
    return s->port;
}

void *server_app(const struct server *s)
{
    return s->app;
}

bool server_is_stopping(const struct server *s)
{
    return s->stopping > 0;
}

void server_count(const struct server *s, struct server_counts *out)
{
    *out = (struct server_counts){s->connections, s->requests, s->errors,
                                  s->open, budget_used(s->budget)};
}
