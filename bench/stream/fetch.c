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

const char *fetch(int port, const char *path)
{
    static char answer[ANSWER_BYTES_MAX];
    char request[PATH_BYTES];
    int fd = connect_to(port);
    size_t n = 0;
    ssize_t got;
    const char *body;
    int len = snprintf(request, sizeof(request),
                       "GET %s HTTP/1.1\r\nHost: localhost\r\n"
                       "Connection: close\r\n\r\n",
                       path);

    if (send(fd, request, (size_t)len, MSG_NOSIGNAL) != len)
        die(path, "cannot be asked for");
    while ((got = recv(fd, answer + n, sizeof(answer) - 1 - n, 0)) > 0)
        n += (size_t)got;
    answer[n] = '\0';
    close(fd);
    body = strstr(answer, "\r\n\r\n");
    if (!body || strncmp(answer, "HTTP/1.1 200", 12) != 0)
        die(path, n ? answer : "no answer");
    return body + 4;
}
