/* child.c - the servers that are measured, as child processes. */
#include <arpa/inet.h>
#include <errno.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

/* Its stdout is ours to read.  It goes with us, however we end. */
static pid_t start(const char *const argv[], int *out)
{
    int ends[2];
    pid_t pid;

    if (pipe(ends) != 0)
        die("pipe", strerror(errno));
    pid = fork();
    if (pid < 0)
        die("fork", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(argv[0], (char **)(uintptr_t)argv);
        die(argv[0], strerror(errno));
    }
    close(ends[1]);
    *out = ends[0];
    return pid;
}

void child_stop(struct child *c)
{
    int status;

    kill(c->pid, SIGTERM);
    if (waitpid(c->pid, &status, 0) != c->pid || status != 0)
        die("a server", "did not end well");
    c->pid = 0;
}

static double cpu_of(pid_t pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        die("a server's clock", "cannot be read");
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* nginx works in its children. */
double child_cpu(const struct child *c)
{
    double sum = cpu_of(c->pid);
    char path[64];
    FILE *f;
    int pid;

    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", c->pid,
                   c->pid);
    f = fopen(path, "r");
    if (!f)
        die(path, strerror(errno));
    while (fscanf(f, "%d", &pid) == 1)
        sum += cpu_of(pid);
    (void)fclose(f);
    return sum;
}

/* ---- footnote ------------------------------------------------------------ */

static void make_database(const struct bench *b, const char *name)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {b->postgres, "postgres", "postgres", NULL};
    PGconn *c = PQconnectdbParams(keys, values, 0);
    char sql[128];
    PGresult *r;

    (void)snprintf(sql, sizeof(sql), "CREATE DATABASE %s TEMPLATE template0",
                   name);
    r = PQexec(c, sql);
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die(sql, PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

/* The server tells that it is there, and where. */
static int read_port(int fd)
{
    char line[256] = "";
    size_t n = 0;
    ssize_t got = 1;
    const char *colon;

    while (n < sizeof(line) - 1 && !memchr(line, '\n', n) && got > 0) {
        got = read(fd, line + n, sizeof(line) - 1 - n);
        n += got > 0 ? (size_t)got : 0;
    }
    line[n] = '\0';
    colon = strrchr(line, ':');
    if (!colon)
        die("footnote", "did not say where it listens");
    return (int)strtol(colon + 1, NULL, 10);
}

/* A cache that holds some histories but not all; and as nginx has no log of
 * requests here, neither has it. */
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
        make_database(b, name);
        (void)snprintf(url, sizeof(url), "postgres:///%s?host=%s&user=postgres",
                       name, b->postgres);
    }
    out->pid = start(argv, &fd);
    out->port = read_port(fd);
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

/* Its workers run as who we are: our folder is closed to others. */
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

/* It does not tell when it is there. */
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
    out->pid = start(argv, &fd);
    close(fd);
    await(out->port);
}
