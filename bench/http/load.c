/* load.c - one thread that keeps many connections busy.
 *
 * Each connection sends a request, reads the whole answer, and sends the
 * next.  It shares the machine with the servers, and costs each of them the
 * same. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

enum {
    REQUEST_BYTES = 16 * 1024,
    HEAD_BYTES = 4 * 1024,
    READ_BYTES = 256 * 1024,
    EVENTS = 64
};

struct link { /* a connection */
    struct run *run;
    int fd;
    double sent_at;
    size_t head_n; /* of the head that is there; */
    size_t left;   /* then of the body that is not */
    bool in_body;
    char head[HEAD_BYTES];
};

struct run { /* a stream that runs */
    struct stream *stream;
    struct link *links;
    double *times;
    size_t times_n, times_size;
    uint64_t asked;
};

struct load {
    int epoll;
    double end;   /* 0: none */
    size_t open;  /* links that wait for an answer */
    char *buffer; /* READ_BYTES */
};

/* ---- Connections --------------------------------------------------------- */

static int connect_to(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0)
        die("connect", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

/* Requests are short: a socket whose answer was read takes them whole. */
static void send_all(int fd, const char *p, size_t n)
{
    if (send(fd, p, n, MSG_NOSIGNAL) != (ssize_t)n)
        die("send", strerror(errno));
}

/* ---- Answers --------------------------------------------------------------
 */

static size_t length_of(const char *head)
{
    const char *line = strcasestr(head, "\r\ncontent-length:");

    if (!line)
        die("an answer has no length", head);
    return strtoul(line + strlen("\r\ncontent-length:"), NULL, 10);
}

static void check_status(const char *head, int want)
{
    if (strtol(head + strlen("HTTP/1.1 "), NULL, 10) != want)
        die("an answer is not as wanted", head);
}

/* The head may come in pieces; of the body only the bytes are counted. */
static void take_head(struct link *l, const char *p, size_t n)
{
    size_t room = HEAD_BYTES - 1 - l->head_n;
    size_t before = l->head_n, head;
    const char *end;

    memcpy(l->head + before, p, n < room ? n : room);
    l->head_n += n < room ? n : room;
    l->head[l->head_n] = '\0';
    end = strstr(l->head, "\r\n\r\n");
    if (!end) {
        if (n >= room)
            die("an answer's head", "is too long");
        return;
    }
    head = (size_t)(end - l->head) + 4 - before;
    check_status(l->head, l->run->stream->status);
    l->left = length_of(l->head);
    if (n - head > l->left)
        die("an answer", "is longer than it says");
    l->left -= n - head;
    l->in_body = true;
}

/* True when the whole answer was read. */
static bool take(struct link *l, const char *p, size_t n)
{
    if (!l->in_body)
        take_head(l, p, n);
    else if (n > l->left)
        die("an answer", "is longer than it says");
    else
        l->left -= n;
    return l->in_body && l->left == 0;
}

/* ---- Running --------------------------------------------------------------
 */

static bool ask(struct load *load, struct link *l)
{
    struct run *r = l->run;
    const struct stream *s = r->stream;
    char text[REQUEST_BYTES];

    l->head_n = 0;
    l->in_body = false;
    l->sent_at = seconds_now();
    if ((s->requests_max && r->asked == s->requests_max) ||
        (load->end > 0 && l->sent_at >= load->end))
        return false;
    send_all(l->fd, text, s->make(s->arg, r->asked++, text, sizeof(text)));
    return true;
}

static void note(struct run *r, double seconds)
{
    if (r->times_n == r->times_size) {
        r->times_size = r->times_size ? r->times_size * 2 : 4096;
        r->times = realloc(r->times, r->times_size * sizeof(*r->times));
        if (!r->times)
            die("latencies", "out of memory");
    }
    r->times[r->times_n++] = seconds;
}

static void on_readable(struct load *load, struct link *l)
{
    ssize_t n = recv(l->fd, load->buffer, READ_BYTES, 0);

    if (n <= 0)
        die("recv", n == 0 ? "the server has closed" : strerror(errno));
    if (!take(l, load->buffer, (size_t)n))
        return;
    note(l->run, seconds_now() - l->sent_at);
    if (!ask(load, l))
        load->open--;
}

static void start(struct load *load, struct run *r)
{
    struct stream *s = r->stream;

    r->links = calloc(s->connections, sizeof(*r->links));
    if (!r->links)
        die("connections", "out of memory");
    for (size_t i = 0; i < s->connections; i++) {
        struct link *l = &r->links[i];
        struct epoll_event e = {.events = EPOLLIN, .data.ptr = l};

        l->run = r;
        l->fd = connect_to(s->port);
        if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, l->fd, &e) != 0)
            die("epoll_ctl", strerror(errno));
    }
}

static void finish(struct run *r, double seconds)
{
    struct stream *s = r->stream;

    s->done = r->times_n;
    s->per_second = (double)r->times_n / seconds;
    s->p50_ms = quantile(r->times, r->times_n, 0.5) * 1e3;
    s->p99_ms = quantile(r->times, r->times_n, 0.99) * 1e3;
    for (size_t i = 0; i < s->connections; i++)
        close(r->links[i].fd);
    free(r->links);
    free(r->times);
}

static void wait_all(struct load *load)
{
    struct epoll_event events[EVENTS];

    while (load->open) {
        int n = epoll_wait(load->epoll, events, EVENTS, 30000);

        if (n == 0)
            die("a server", "does not answer");
        for (int i = 0; i < n; i++)
            on_readable(load, events[i].data.ptr);
    }
}

void load_run(struct stream *streams, size_t n, double seconds)
{
    struct load load = {.epoll = epoll_create1(EPOLL_CLOEXEC),
                        .buffer = malloc(READ_BYTES)};
    struct run runs[2] = {{.stream = NULL}};
    double began;

    if (load.epoll < 0 || !load.buffer || n > 2)
        die("load", "cannot start");
    for (size_t i = 0; i < n; i++) {
        runs[i].stream = &streams[i];
        start(&load, &runs[i]);
    }
    began = seconds_now();
    load.end = seconds > 0 ? began + seconds : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < streams[i].connections; k++)
            load.open += ask(&load, &runs[i].links[k]);
    wait_all(&load);
    seconds = seconds_now() - began;
    for (size_t i = 0; i < n; i++)
        finish(&runs[i], seconds);
    free(load.buffer);
    close(load.epoll);
}

/* ---- One answer -----------------------------------------------------------
 */

char *load_fetch(int port, const char *path, size_t *size)
{
    int fd = connect_to(port);
    char request[PATH_BYTES], *text = malloc(READ_BYTES + 1), *end;
    size_t n = 0;
    ssize_t got;

    if (!text)
        die("fetch", "out of memory");
    (void)snprintf(request, sizeof(request),
                   "GET %s HTTP/1.1\r\nHost: localhost\r\n"
                   "Connection: close\r\n\r\n",
                   path);
    send_all(fd, request, strlen(request));
    while ((got = recv(fd, text + n, READ_BYTES - n, 0)) > 0)
        n += (size_t)got;
    close(fd);
    text[n] = '\0';
    check_status(text, 200);
    end = strstr(text, "\r\n\r\n");
    if (!end)
        die("fetch", "no head");
    *size = n - (size_t)(end + 4 - text);
    if (*size != length_of(text))
        die("fetch", "the body is cut");
    memmove(text, end + 4, *size + 1);
    return text;
}
