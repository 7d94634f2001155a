/* systemd.c - what systemd and a server tell each other, without its library.
 *
 * Our state is one datagram to the socket that NOTIFY_SOCKET names; a missing
 * listener is no error, since a server may be started by hand.  A socket that
 * systemd opened for us (footnote.socket) is the first descriptor behind the
 * standard ones. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"

enum { FIRST_FD = 3 };

/* A child process inherits the variables; `pid` says whose they are. */
static bool is_ours(const char *pid_name, bool required)
{
    struct str pid = str_c(getenv(pid_name));
    int64_t whose;

    if (!pid.p)
        return !required;
    return str_i64(pid, &whose) && whose == (int64_t)getpid();
}

int64_t notify_interval_ms(void)
{
    struct str usec = str_c(getenv("WATCHDOG_USEC"));
    int64_t us;

    if (!usec.p || !str_i64(usec, &us) || us < 1000 ||
        !is_ours("WATCHDOG_PID", false))
        return 0;
    return us / 1000;
}

void notify_send(const char *text)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    struct str path = str_c(getenv("NOTIFY_SOCKET"));
    int fd;

    if (path.n == 0 || path.n >= sizeof(to.sun_path))
        return;
    memcpy(to.sun_path, path.p, path.n);
    if (to.sun_path[0] == '@') /* the abstract namespace */
        to.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)!sendto(fd, text, strlen(text), MSG_NOSIGNAL,
                  (const struct sockaddr *)&to,
                  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path.n));
    close(fd);
}

/* ADDR:PORT of a socket; absent: it is not one of TCP that listens. */
static struct str listen_name(struct arena *a, int fd)
{
    struct sockaddr_storage at = {.ss_family = AF_UNSPEC};
    const struct sockaddr_in *four = (const void *)&at;
    const struct sockaddr_in6 *six = (const void *)&at;
    socklen_t at_bytes = sizeof(at), on_bytes = sizeof(int);
    char host[INET6_ADDRSTRLEN];
    int on = 0;

    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &on_bytes) != 0 || !on ||
        getsockname(fd, (struct sockaddr *)&at, &at_bytes) != 0)
        return STR_NONE;
    if (at.ss_family == AF_INET &&
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof(host)))
        return arena_printf(a, "%s:%d", host, ntohs(four->sin_port));
    if (at.ss_family == AF_INET6 &&
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof(host)))
        return arena_printf(a, "[%s]:%d", host, ntohs(six->sin6_port));
    return STR_NONE;
}

enum footnote_rc activation_take(struct arena *a, struct config *c, int *fd,
                                 struct footnote_err *err)
{
    struct str count = str_c(getenv("LISTEN_FDS"));
    struct str name;
    int64_t n;

    *fd = 0;
    if (!count.p || !is_ours("LISTEN_PID", true))
        return FOOTNOTE_OK;
    if (!str_i64(count, &n) || n != 1)
        return err_set(err, FOOTNOTE_INVALID,
                       "listen: systemd opened %.20s sockets; it takes a unit "
                       "with one ListenStream=",
                       count.p);
    name = listen_name(a, FIRST_FD);
    TRY(arena_rc(a, err));
    if (!name.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "listen: the socket that systemd opened is not one of "
                       "TCP; ListenStream= takes ADDR:PORT");
    assert(name.n > 0);
    if (fcntl(FIRST_FD, F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(FIRST_FD, F_SETFL, O_NONBLOCK) != 0)
        return err_set(err, FOOTNOTE_INTERNAL, "listen: %s", strerror(errno));
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDNAMES");
    c->listen = name;
    *fd = FIRST_FD;
    return FOOTNOTE_OK;
}
