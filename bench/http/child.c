/* child.c - the servers that are measured, as child processes. */
#include <arpa/inet.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

void child_stop(struct child *c)
{
    program_stop(c->pid);
    c->pid = 0;
}

/* nginx works in its children. */
double child_cpu(const struct child *c)
{
    double sum = program_cpu_s(c->pid);
    char path[64];
    FILE *f;
    int pid;

    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", c->pid,
                   c->pid);
    f = fopen(path, "r");
    if (!f)
        die(path, strerror(errno));
    while (fscanf(f, "%d", &pid) == 1)
        sum += program_cpu_s(pid);
    (void)fclose(f);
    return sum;
}

/* ---- footnote ------------------------------------------------------------ */

/* The cache holds some histories but not all.  Neither nginx nor footnote logs
 * requests. */
void child_footnote(const struct bench *b, const char *name, bool postgres,
                    struct child *out)
{
    char data[PATH_BYTES], url[2 * PATH_BYTES];
    const char *argv[] = {b->program,
                          "serve",
                          "--data",
                          data,
                          "--listen",
                          "127.0.0.1:0",
                          "--cache-bytes",
                          "2M",
                          "--log-level",
                          "warn",
                          postgres ? "--database" : NULL,
                          url,
                          NULL};
    int fd;

    (void)snprintf(data, sizeof(data), "%s/%s", b->folder, name);
    if (postgres) {
        database_make(b->postgres, name);
        (void)snprintf(url, sizeof(url), "postgres:///%s?host=%s&user=postgres",
                       name, b->postgres);
    }
    out->pid = program_start(argv, &fd);
    out->port = program_port(fd);
    close(fd);
}

/* ---- nginx --------------------------------------------------------------- */

static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &n) != 0)
        die("a free port", strerror(errno));
    close(fd);
    return ntohs(a.sin_port);
}

/* Its workers run as our user, because our folder is closed to others. */
static void write_config(const char *folder, int port, const char *path)
{
    const struct passwd *me = getpwuid(geteuid());
    FILE *f = fopen(path, "w");

    if (!f || !me)
        die(path, strerror(errno));
    fprintf(f,
            "daemon off;\n%s%s%s"
            "worker_processes 2;\npid %s/nginx.pid;\nerror_log stderr crit;\n"
            "events { worker_connections 1024; }\n"
            "http {\n  access_log off;\n  sendfile on;\n  tcp_nopush on;\n"
            "  keepalive_requests 1000000000;\n"
            "  types { application/json json; }\n"
            "  client_body_temp_path %s/1;\n  proxy_temp_path %s/2;\n"
            "  fastcgi_temp_path %s/3;\n  uwsgi_temp_path %s/4;\n"
            "  scgi_temp_path %s/5;\n"
            "  server { listen 127.0.0.1:%d reuseport; root %s; }\n}\n",
            geteuid() == 0 ? "user " : "", geteuid() == 0 ? me->pw_name : "",
            geteuid() == 0 ? ";\n" : "", folder, folder, folder, folder, folder,
            folder, port, folder);
    if (fclose(f) != 0)
        die(path, strerror(errno));
}

/* nginx does not tell when it listens. */
static void await(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    double end = seconds_now() + 10;
    int failed;

    do {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        failed = connect(fd, (struct sockaddr *)&a, sizeof(a));
        close(fd);
    } while (failed && seconds_now() < end);
    if (failed)
        die("nginx", "does not listen");
}

void child_nginx(const struct bench *b, const char *folder, struct child *out)
{
    char config[PATH_BYTES];
    const char *argv[] = {"nginx", "-e", "stderr", "-c", config, NULL};
    int fd;

    (void)snprintf(config, sizeof(config), "%s/nginx.conf", b->folder);
    out->port = free_port();
    write_config(folder, out->port, config);
    out->pid = program_start(argv, &fd);
    close(fd);
    await(out->port);
}
