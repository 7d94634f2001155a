/* upstream.c - a model server that sends tokens at a steady pace.
 *
 * Turns are spread evenly over the slots of a wheel that goes round once per
 * token, so that their ticks are out of phase.  It never waits for a client:
 * a client that does not read fails the run. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum {
    SLOT_US = 250,
    SLOTS_MAX = 1000000 / SLOT_US,
    REQUEST_BYTES_MAX = 1024 * 1024,
    EVENTS = 256
};

struct client {
    int fd;
    struct client *next; /* in its slot, while it streams */
    char *in;
    size_t in_n;
    unsigned number, tokens;
};

struct wheel {
    struct upstream *shared;
    int epoll, listener, timer;
    struct client *slots[SLOTS_MAX];
    int64_t slots_n, at, started_us;
};

/* ---- Sending ------------------------------------------------------------- */

static void send_all(const struct client *c, const char *p, size_t n)
{
    if (send(c->fd, p, n, MSG_NOSIGNAL) != (ssize_t)n)
        die("upstream", "the server does not take its tokens");
}

struct chunk {
    char bytes[512];
    size_t n;
};

static void add(struct chunk *to, const char *text, size_t n)
{
    memcpy(to->bytes + to->n, text, n);
    to->n += n;
}
#define ADD(to, text) add((to), (text), sizeof(text) - 1)

/* printf would be a twentieth of what a token costs here. */
static void add_number(struct chunk *to, uint64_t v)
{
    char digits[20];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    add(to, digits + at, sizeof(digits) - at);
}

static void begin_chunk(struct chunk *to, const struct client *c)
{
    to->n = 0;
    ADD(to, "0000\r\ndata: {\"id\":\"chatcmpl-");
    add_number(to, c->number);
    ADD(to, "\",\"object\":\"chat.completion.chunk\",\"created\":1760000000,"
            "\"model\":\"bench\",\"choices\":[{\"index\":0,\"delta\":{");
}

/* The length is known last; its place was left free. */
static void send_chunk(struct chunk *to, const struct client *c)
{
    static const char hex[] = "0123456789abcdef";
    size_t n = to->n - sizeof("0000\r\n") + 1;

    for (int i = 3; i >= 0; i--, n >>= 4)
        to->bytes[i] = hex[n & 15];
    ADD(to, "\r\n");
    send_all(c, to->bytes, to->n);
}

static void send_token(struct wheel *w, struct client *c)
{
    struct chunk chunk;

    begin_chunk(&chunk, c);
    ADD(&chunk, "\"content\":\" ");
    add_number(&chunk, ++c->tokens);
    ADD(&chunk, ":");
    add_number(&chunk, (uint64_t)now_us());
    ADD(&chunk, ";\"},\"finish_reason\":null}]}\n\n");
    send_chunk(&chunk, c);
    atomic_fetch_add(&w->shared->sent, 1);
    atomic_store(&w->shared->counts[c->number], c->tokens);
}

static void send_end(const struct client *c)
{
    struct chunk chunk;

    begin_chunk(&chunk, c);
    ADD(&chunk, "},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    send_chunk(&chunk, c);
    send_all(c, "0\r\n\r\n", 5);
}

/* ---- The wheel ----------------------------------------------------------- */

static void turn_slot(struct wheel *w, struct client **slot)
{
    bool finish = atomic_load(&w->shared->finish);

    for (struct client *c = *slot; c; c = c->next)
        if (finish)
            send_end(c);
        else
            send_token(w, c);
    if (finish)
        *slot = NULL;
}

static void turn(struct wheel *w)
{
    int64_t upto = (now_us() - w->started_us) / SLOT_US;
    uint64_t ticks;

    (void)!read(w->timer, &ticks, sizeof(ticks));
    for (; w->at < upto; w->at++)
        turn_slot(w, &w->slots[w->at % w->slots_n]);
}

/* ---- Requests ------------------------------------------------------------ */

static void begin(struct wheel *w, struct client *c)
{
    static const char head[] = "HTTP/1.1 200 OK\r\n"
                               "Content-Type: text/event-stream\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    const char *at = c->in, *last = NULL;
    struct client **slot;

    while ((at = strstr(at, "turn-number-"))) {
        at += sizeof("turn-number-") - 1;
        last = at;
    }
    c->number = last ? (unsigned)strtoul(last, NULL, 10) : TURNS_MAX + WARM;
    if (c->number >= TURNS_MAX + WARM)
        die("upstream", "a request names no turn");
    send_all(c, head, sizeof(head) - 1);
    c->tokens = 0;
    c->in_n = 0;
    slot = &w->slots[c->number * INT64_C(7919) % w->slots_n];
    c->next = *slot;
    *slot = c;
}

/* Whether a whole request is there. */
static bool is_whole(const struct client *c)
{
    const char *end = strstr(c->in, "\r\n\r\n");
    const char *length = strcasestr(c->in, "\r\ncontent-length:");

    if (!end || !length)
        return false;
    return c->in_n >=
           (size_t)(end + 4 - c->in) + strtoul(length + 17, NULL, 10);
}

/* Its turn may still be in the wheel when the server leaves early: none
 * does in a run that counts. */
static void take(struct wheel *w, struct client *c)
{
    ssize_t n = recv(c->fd, c->in + c->in_n, REQUEST_BYTES_MAX - c->in_n, 0);

    if (n <= 0) {
        close(c->fd);
        free(c->in);
        c->in = NULL;
        return;
    }
    c->in_n += (size_t)n;
    c->in[c->in_n] = '\0';
    if (is_whole(c))
        begin(w, c);
}

static void accept_all(struct wheel *w)
{
    struct epoll_event e = {.events = EPOLLIN};
    int fd, one = 1;

    while ((fd = accept4(w->listener, NULL, NULL,
                         SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct client *c = calloc(1, sizeof(*c));

        if (!c || !(c->in = malloc(REQUEST_BYTES_MAX + 1)))
            die("upstream", "out of memory");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        c->fd = fd;
        e.data.ptr = c;
        if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &e) != 0)
            die("upstream", strerror(errno));
    }
    if (errno != EAGAIN)
        die("upstream: accept", strerror(errno));
}

/* ---- The process --------------------------------------------------------- */

static void listen_on_any(struct wheel *w)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(a);

    w->listener =
        socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (w->listener < 0 ||
        bind(w->listener, (struct sockaddr *)&a, sizeof(a)) != 0 ||
        listen(w->listener, 4096) != 0 ||
        getsockname(w->listener, (struct sockaddr *)&a, &n) != 0)
        die("upstream", strerror(errno));
    atomic_store(&w->shared->port, ntohs(a.sin_port));
}

static void watch(const struct wheel *w, int fd, void *as)
{
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = as};

    if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &e) != 0)
        die("upstream", strerror(errno));
}

static void open_wheel(struct wheel *w)
{
    struct itimerspec every = {{0, SLOT_US * 1000L}, {0, SLOT_US * 1000L}};

    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (w->epoll < 0 || w->timer < 0 ||
        timerfd_settime(w->timer, 0, &every, NULL) != 0)
        die("upstream", strerror(errno));
    watch(w, w->timer, &w->timer);
    listen_on_any(w);
    watch(w, w->listener, &w->listener);
    w->started_us = now_us();
}

__attribute__((noreturn)) static void run(struct upstream *shared,
                                          int tokens_per_second)
{
    static struct wheel w;
    struct epoll_event events[EVENTS];

    w.shared = shared;
    w.slots_n = SLOTS_MAX / tokens_per_second;
    open_wheel(&w);
    for (;;) {
        int n = epoll_wait(w.epoll, events, EVENTS, -1);

        for (int i = 0; i < n; i++) {
            if (events[i].data.ptr == &w.listener)
                accept_all(&w);
            else if (events[i].data.ptr == &w.timer)
                turn(&w);
            else
                take(&w, events[i].data.ptr);
        }
    }
}

struct upstream *upstream_start(int tokens_per_second)
{
    struct upstream *u = mmap(NULL, sizeof(*u), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid;

    if (u == MAP_FAILED)
        die("upstream", strerror(errno));
    pid = fork();
    if (pid < 0)
        die("fork", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run(u, tokens_per_second);
    }
    u->pid = pid;
    while (atomic_load(&u->port) == 0 && waitpid(u->pid, NULL, WNOHANG) == 0)
        usleep(1000);
    if (atomic_load(&u->port) == 0)
        die("upstream", "does not start");
    return u;
}

void upstream_stop(struct upstream *u)
{
    if (!u)
        return;
    kill(u->pid, SIGKILL);
    waitpid(u->pid, NULL, 0);
    munmap(u, sizeof(*u));
}
