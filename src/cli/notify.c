/* notify.c - reports our state to systemd: sd_notify without its library.
 *
 * One datagram goes to the socket that NOTIFY_SOCKET names.  A missing listener
 * is no error: a server may be started by hand. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"

/* WATCHDOG_PID is checked, since a child process inherits both variables. */
int64_t notify_interval_ms(void)
{
    struct str usec = str_c(getenv("WATCHDOG_USEC"));
    struct str pid = str_c(getenv("WATCHDOG_PID"));
    int64_t us, whose;

    if (!usec.p || !str_i64(usec, &us) || us < 1000)
        return 0;
    if (pid.p && (!str_i64(pid, &whose) || whose != (int64_t)getpid()))
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
