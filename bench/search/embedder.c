/* embedder.c - a scripted embedder in a thread of ours: each request gets one
 * vector, of the next question.  Its time is not the server's. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "cloud.h"

enum { REQUEST_BYTES = 64 * 1024, BACKLOG = 16 };

static atomic_size_t asked_n;
static uint32_t passages_n;

size_t embedder_asked(void)
{
    return atomic_load(&asked_n);
}

/* False when the other side has closed. */
static bool take_request(int fd, char *request)
{
    size_t n = 0, want = REQUEST_BYTES;

    while (n < want) {
        ssize_t got = recv(fd, request + n, REQUEST_BYTES - 1 - n, 0);
        const char *end, *length;

        if (got <= 0)
            return false;
        n += (size_t)got;
        request[n] = '\0';
        end = strstr(request, "\r\n\r\n");
        length = strcasestr(request, "\r\ncontent-length:");
        if (end && length)
            want = (size_t)(end + 4 - request) + strtoul(length + 17, NULL, 10);
    }
    return true;
}

static void send_vector(int fd, const float *v)
{
    struct buf body = BUF(1 << 16), head = BUF(1 << 16);

    buf_add(&body, STR("{\"data\":[{\"index\":0,\"embedding\":["));
    for (int i = 0; i < CLOUD_SIZE; i++)
        buf_printf(&body, "%s%.7f", i ? "," : "", (double)v[i]);
    buf_add(&body, STR("]}]}"));
    buf_printf(&head,
               "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
               "Content-Length: %zu\r\n\r\n",
               body.n);
    buf_add(&head, buf_str(&body));
    must(send(fd, head.p, head.n, MSG_NOSIGNAL) == (ssize_t)head.n,
         "the embedder cannot answer");
    buf_free(&head);
    buf_free(&body);
}

static void *serve_one(void *arg)
{
    int fd = (int)(intptr_t)arg;
    struct cloud *c = cloud_open();
    char *request = malloc(REQUEST_BYTES);
    float v[CLOUD_SIZE];

    must(c && request, "no memory");
    while (take_request(fd, request)) {
        size_t k = atomic_fetch_add(&asked_n, 1);

        cloud_question(c, asked_about((uint32_t)k, passages_n), v);
        send_vector(fd, v);
    }
    free(request);
    cloud_close(c);
    close(fd);
    return NULL;
}

static void *accept_all(void *arg)
{
    int listener = (int)(intptr_t)arg, fd;
    pthread_t thread = 0;

    while ((fd = accept(listener, NULL, NULL)) >= 0)
        if (pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
    return NULL;
}

int embedder_start(uint32_t passages)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pthread_t thread = 0;

    passages_n = passages;
    must(fd >= 0 && bind(fd, (struct sockaddr *)&a, n) == 0 &&
             listen(fd, BACKLOG) == 0 &&
             getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
             pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)fd) ==
                 0,
         "the embedder does not start");
    pthread_detach(thread);
    return ntohs(a.sin_port);
}
