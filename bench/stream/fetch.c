/* fetch.c - one request at a time, and its whole answer. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

enum { ANSWER_BYTES_MAX = 4 * 1024 * 1024 };

static int connect_to(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0)
        die("connecting", strerror(errno));
    return fd;
}

static void send_all(int fd, const char *path, const char *p, size_t n)
{
    while (n) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

        if (sent <= 0)
            die(path, "cannot be asked for");
        p += sent;
        n -= (size_t)sent;
    }
}

/* The body of an answer with a status that begins with `status`. */
static const char *ask(int port, const char *request, const char *path,
                       const char *body, const char *status)
{
    static char answer[ANSWER_BYTES_MAX];
    int fd = connect_to(port);
    size_t n = 0;
    ssize_t got;
    const char *end;

    send_all(fd, path, request, strlen(request));
    send_all(fd, path, body, strlen(body));
    while ((got = recv(fd, answer + n, sizeof(answer) - 1 - n, 0)) > 0)
        n += (size_t)got;
    answer[n] = '\0';
    close(fd);
    end = strstr(answer, "\r\n\r\n");
    if (!end || strncmp(answer, status, strlen(status)) != 0)
        die(path, n ? answer : "no answer");
    return end + 4;
}

const char *fetch(int port, const char *path)
{
    char request[PATH_BYTES];

    (void)snprintf(request, sizeof(request),
                   "GET %s HTTP/1.1\r\nHost: localhost\r\n"
                   "Connection: close\r\n\r\n",
                   path);
    return ask(port, request, path, "", "HTTP/1.1 200");
}

const char *post(int port, const char *path, const char *body)
{
    char request[PATH_BYTES];

    (void)snprintf(request, sizeof(request),
                   "POST %s HTTP/1.1\r\nHost: localhost\r\n"
                   "Content-Type: application/json\r\n"
                   "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                   path, strlen(body));
    return ask(port, request, path, body, "HTTP/1.1 20");
}
