/* viewers.c - a connection for each turn, all in one thread.
 *
 * A quarter of the viewers read at once, and delays are measured with these.
 * The others read five times a second, which takes less of the machine that
 * server and viewers share; they check what they read as well. Events are read
 * line by line; only those with text count. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

enum {
    ASKING_MAX = 64, /* turns that are asked for at once */
    EVENTS = 256,
    LOOK_US = 200 * 1000,
    READ_BYTES = 64 * 1024,
    PATIENCE_S = 60
};

struct viewer {
    int fd; /* -1: it has left, or seen the end */
    bool left, over;
    bool close; /* it reads at once; the others do until they have begun */
    uint64_t next, gaps; /* the token that comes next; those that did not */
    char *part;          /* of a line */
    size_t part_n;
};

struct viewers {
    int port, epoll;
    size_t first, turns, asked, begun, over;
    struct viewer *all;
    struct delays *delays; /* NULL: not now */
    int64_t read_us;       /* when the bytes came that are looked at, */
    bool close;            /* and whether their viewer reads at once */
    int64_t looked;        /* how many have looked, all rounds together */
    int64_t started_us;
};

/* ---- Tokens -------------------------------------------------------------- */

/* " 17:123456;" */
uint64_t tokens_read(const char *p, const char *end, uint64_t *next,
                     token_fn *each, void *arg)
{
    uint64_t gaps = 0;

    while ((p = memchr(p, ';', (size_t)(end - p)))) {
        const char *at = p++;
        int64_t sent_us;
        uint64_t number;

        while (at[-1] >= '0' && at[-1] <= '9')
            at--;
        if (at[-1] != ':')
            continue;
        sent_us = strtoll(at--, NULL, 10);
        while (at[-1] >= '0' && at[-1] <= '9')
            at--;
        number = strtoull(at, NULL, 10);
        gaps += number != *next;
        *next = number + 1;
        if (each)
            each(arg, sent_us);
    }
    return gaps;
}

static void note(void *arg, int64_t sent_us)
{
    struct viewers *v = arg;
    int64_t step = (v->read_us - sent_us) / DELAY_STEP_US;

    if (!v->delays || !v->close)
        return;
    v->delays->n++;
    if (step >= DELAY_BUCKETS)
        v->delays->over++;
    else
        v->delays->buckets[step < 0 ? 0 : step]++;
}

double delays_ms(const struct delays *d, double quantile)
{
    uint64_t left = (uint64_t)((double)d->n * quantile);
    int64_t i = 0;

    while (i < DELAY_BUCKETS - 1 && left >= d->buckets[i])
        left -= d->buckets[i++];
    return (double)i * DELAY_STEP_US / 1000;
}

/* ---- Events -------------------------------------------------------------- */

static bool starts(const char *p, const char *end, const char *with)
{
    size_t n = strlen(with);

    return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

static void begins(struct viewers *v, const struct viewer *w)
{
    v->begun++;
    if (!w->close && epoll_ctl(v->epoll, EPOLL_CTL_DEL, w->fd, NULL) != 0)
        die("a viewer", strerror(errno));
}

static void line(struct viewers *v, struct viewer *w, const char *p,
                 const char *end)
{
    if (starts(p, end, "data: {\"type\":\"text-delta\"")) {
        if (w->next == 1)
            begins(v, w);
        w->gaps += tokens_read(p, end, &w->next, note, v);
    } else if (starts(p, end, "data: {\"type\":\"error\"")) {
        die("a turn failed", p);
    } else if (starts(p, end, "data: [DONE]")) {
        w->over = true;
        v->over++;
    }
}

static void keep(struct viewer *w, const char *p, size_t n)
{
    w->part = realloc(w->part, w->part_n + n + 1);
    if (!w->part)
        die("a viewer", "out of memory");
    memcpy(w->part + w->part_n, p, n);
    w->part_n += n;
    w->part[w->part_n] = '\0';
}

static void take(struct viewers *v, struct viewer *w, const char *p, size_t n)
{
    const char *end = p + n, *lf;

    while ((lf = memchr(p, '\n', (size_t)(end - p)))) {
        if (w->part_n) {
            keep(w, p, (size_t)(lf - p));
            line(v, w, w->part, w->part + w->part_n);
            w->part_n = 0;
        } else {
            line(v, w, p, lf);
        }
        p = lf + 1;
    }
    if (p < end)
        keep(w, p, (size_t)(end - p));
}

static void hang_up(struct viewer *w)
{
    close(w->fd);
    free(w->part);
    w->part = NULL;
    w->part_n = 0;
    w->fd = -1;
}

/* When the last of these bytes came, by the system's clock: a viewer that reads
 * late does not count as a delay of the server. */
static int64_t came_us(struct msghdr *m)
{
    const struct cmsghdr *c = CMSG_FIRSTHDR(m);
    struct timespec t;

    if (!c || c->cmsg_type != SCM_TIMESTAMPNS)
        die("a viewer", "the system does not say when bytes came");
    memcpy(&t, CMSG_DATA(c), sizeof(t));
    return clock_us(&t);
}

static void read_some(struct viewers *v, struct viewer *w)
{
    char buffer[READ_BYTES + 1], control[128];
    struct iovec io = {buffer, READ_BYTES};
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(w->fd, &m, 0);

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0)
        die("a viewer", n ? strerror(errno) : "was cut off");
    buffer[n] = '\0';
    v->read_us = came_us(&m);
    v->close = w->close;
    take(v, w, buffer, (size_t)n);
    if (w->over)
        hang_up(w);
}

/* ---- Asking -------------------------------------------------------------- */

static size_t write_request(char *out, size_t size, size_t number)
{
    char body[1024];
    int n = snprintf(body, sizeof(body),
                     "{\"id\":\"bench-%zu\",\"courseId\":\"demo\",\"messages\":"
                     "[{\"id\":\"question-%zu\",\"role\":\"user\",\"parts\":"
                     "[{\"type\":\"text\",\"text\":\"What does the lecture say "
                     "about energy and heat? turn-number-%zu\"}]}]}",
                     number, number, number);

    return (size_t)snprintf(out, size,
                            "POST /api/chat HTTP/1.1\r\nHost: localhost\r\n"
                            "Content-Type: application/json\r\n"
                            "Content-Length: %d\r\n\r\n%s",
                            n, body);
}

/* One in four, independent of the server's loops and of who leaves. */
static bool is_close(size_t number)
{
    return (uint32_t)number * UINT32_C(2654435769) >> 30 == 0;
}

static void ask(struct viewers *v)
{
    struct viewer *w = &v->all[v->asked];
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = w};
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)v->port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[2048];
    int on = 1;
    size_t n = write_request(request, sizeof(request), v->first + v->asked);

    w->next = 1;
    w->close = is_close(v->asked);
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (w->fd < 0 ||
        setsockopt(w->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) != 0 ||
        connect(w->fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
        fcntl(w->fd, F_SETFL, O_NONBLOCK) != 0 ||
        send(w->fd, request, n, MSG_NOSIGNAL) != (ssize_t)n ||
        epoll_ctl(v->epoll, EPOLL_CTL_ADD, w->fd, &e) != 0)
        die("a viewer", strerror(errno));
    v->asked++;
}

/* ---- Watching ------------------------------------------------------------ */

/* Reads from one viewer after the other, spread evenly over the time. */
static void look_around(struct viewers *v)
{
    int64_t due = (now_us() - v->started_us) * (int64_t)v->turns / LOOK_US;

    if (due - v->looked > (int64_t)v->turns)
        v->looked = due - (int64_t)v->turns;
    for (; v->looked < due; v->looked++) {
        struct viewer *w = &v->all[(size_t)v->looked % v->turns];

        if (!w->close && w->next > 1 && w->fd >= 0)
            read_some(v, w);
    }
}

static void wait_once(struct viewers *v)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(v->epoll, events, EVENTS, LOOK_US / 1000 / 4);

    for (int i = 0; i < n; i++) {
        struct viewer *w = events[i].data.ptr;

        if (w->fd >= 0)
            read_some(v, w);
    }
    look_around(v);
}

static void check_patience(int64_t since_us, const char *what)
{
    if (now_us() - since_us > PATIENCE_S * INT64_C(1000000))
        die(what, "took too long");
}

struct viewers *viewers_open(int port, size_t first, size_t turns)
{
    struct viewers *v = calloc(1, sizeof(*v));

    if (!v || !(v->all = calloc(turns, sizeof(*v->all))))
        die("viewers", "out of memory");
    v->port = port;
    v->first = first;
    v->started_us = now_us();
    v->turns = turns;
    v->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (v->epoll < 0)
        die("epoll", strerror(errno));
    return v;
}

void viewers_close(struct viewers *v)
{
    for (size_t i = 0; i < v->asked; i++)
        if (v->all[i].fd >= 0)
            hang_up(&v->all[i]);
    close(v->epoll);
    free(v->all);
    free(v);
}

void viewers_begin(struct viewers *v)
{
    int64_t since = now_us();
    size_t begun = 0;

    while (v->begun < v->turns) {
        while (v->asked < v->turns && v->asked - v->begun < ASKING_MAX)
            ask(v);
        wait_once(v);
        if (v->begun > begun)
            since = now_us();
        begun = v->begun;
        check_patience(since, "beginning");
    }
}

void viewers_watch(struct viewers *v, double seconds, struct delays *d)
{
    int64_t until = now_us() + (int64_t)(seconds * 1e6);

    v->delays = d;
    while (now_us() < until)
        wait_once(v);
    v->delays = NULL;
}

void viewers_leave(struct viewers *v)
{
    for (size_t i = 1; i < v->turns; i += 2) {
        v->all[i].left = true;
        hang_up(&v->all[i]);
    }
}

void viewers_end(struct viewers *v)
{
    size_t stayed = 0;
    int64_t since = now_us();

    for (size_t i = 0; i < v->turns; i++)
        stayed += !v->all[i].left;
    while (v->over < stayed) {
        wait_once(v);
        check_patience(since, "ending");
    }
}

/* ---- What was lost ------------------------------------------------------- */

/* The end may not be stored yet. */
static uint64_t lost_in_history(const struct viewers *v, size_t number,
                                uint64_t sent)
{
    char path[128];
    int64_t since = now_us();

    (void)snprintf(path, sizeof(path), "/api/sessions/bench-%zu/messages",
                   number);
    for (;;) {
        const char *body = fetch(v->port, path);
        uint64_t next = 1;
        uint64_t gaps =
            tokens_read(body, body + strlen(body), &next, NULL, NULL);

        if (strstr(body, "\"streaming\"") == NULL)
            return gaps + (next - 1 > sent ? 0 : sent - (next - 1));
        check_patience(since, "an answer without a viewer");
        usleep(10 * 1000);
    }
}

uint64_t viewers_lost(struct viewers *v, const atomic_uint *sent)
{
    uint64_t lost = 0;

    for (size_t i = 0; i < v->turns; i++) {
        const struct viewer *w = &v->all[i];
        uint64_t n = atomic_load(&sent[v->first + i]);

        if (w->left)
            lost += w->gaps + lost_in_history(v, v->first + i, n);
        else
            lost += w->gaps + (n - (w->next - 1));
    }
    return lost;
}
