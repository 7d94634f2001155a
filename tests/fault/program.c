/* program.c - the real program in a process of its own, and clients of it. */
#include "program.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

enum { BYTES_MAX = 64 * 1024 * 1024, READ_BYTES = 64 * 1024, WATCHERS = 64 };

/* ---- The process -------------------------------------------------------- */

/* Beside the test program, or one folder up when that is a release. */
static void find_program(char *path, size_t bytes)
{
    char self[600];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    CHECK(n > 0);
    self[n] = '\0';
    slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, bytes, "%s/footnote", self);
    if (access(path, X_OK) != 0)
        snprintf(path, bytes, "%s/../footnote", self);
    if (access(path, X_OK) != 0)
        FAIL("%s is missing: make it first", path);
}

static _Noreturn void become(const struct program *p, const char *path)
{
    const char *words[3 * PROGRAM_WORDS_MAX];
    char data[600], model[600];
    int log = open("program.log", O_CREAT | O_WRONLY | O_APPEND, 0600);
    size_t n = 0;
    char **argv;

    snprintf(data, sizeof(data), "%s/data", test_dir());
    snprintf(model, sizeof(model), "%s/v1", p->model_url);
    for (size_t i = 0; i < PROGRAM_WORDS_MAX && p->before[i]; i++)
        words[n++] = p->before[i];
    const char *own[] = {path,          "serve",     "--listen", "127.0.0.1:0",
                         "--data",      data,        "--model",  "scripted",
                         "--model-url", model,       "--loops",  "2",
                         "--database",  p->database, "--quiet"};
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        words[n++] = own[i];
    for (size_t i = 0; i < PROGRAM_WORDS_MAX && p->options[i]; i++)
        words[n++] = p->options[i];
    words[n] = NULL;
    dup2(log, STDERR_FILENO);
    memcpy(&argv, &(const char **){words}, sizeof(argv));
    execvp(words[0], argv);
    _exit(127);
}

/* What it said before it failed the test. */
static void show_log(void)
{
    char path[600], line[500];
    FILE *f;

    snprintf(path, sizeof(path), "%s/program.log", test_dir());
    f = fopen(path, "r");
    while (f && fgets(line, sizeof(line), f))
        printf("  program: %s", line);
    if (f)
        fclose(f);
}

/* "listening on http://127.0.0.1:PORT" */
static int read_port(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    char line[200];
    size_t n = 0;

    while (n < sizeof(line) - 1 && (n == 0 || line[n - 1] != '\n')) {
        ssize_t got;

        CHECK(poll(&wait, 1, test_wait_ms()) == 1);
        got = read(fd, line + n, sizeof(line) - 1 - n);
        if (got <= 0) {
            show_log();
            FAIL("the program has not started");
        }
        n += (size_t)got;
    }
    line[n] = '\0';
    CHECK(strrchr(line, ':') != NULL);
    return (int)strtol(strrchr(line, ':') + 1, NULL, 10);
}

void program_start(struct program *p)
{
    char path[700];
    int ends[2];

    find_program(path, sizeof(path));
    (void)test_dir(); /* made here, not by a child */
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    p->pid = fork();
    CHECK(p->pid >= 0);
    if (p->pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        if (chdir(test_dir()) != 0)
            _exit(126);
        become(p, path);
    }
    close(ends[1]);
    p->port = read_port(ends[0]);
    close(ends[0]);
}

int program_end(struct program *p, int signal)
{
    int status = 0;

    kill(p->pid, signal);
    CHECK(waitpid(p->pid, &status, 0) == p->pid);
    p->pid = 0;
    return status;
}

/* ---- Clients ------------------------------------------------------------ */

static void send_all(int fd, struct str bytes)
{
    while (bytes.n) {
        ssize_t n = send(fd, bytes.p, bytes.n, MSG_NOSIGNAL);

        if (n < 0)
            return; /* it was killed: there will be no answer */
        bytes = str_skip(bytes, (size_t)n);
    }
}

void watcher_open(struct watcher *w, const struct program *p,
                  const char *method, const char *path, struct str body)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)p->port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    AUTO(buf_free) struct buf b = BUF(BYTES_MAX);

    *w = (struct watcher){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                          .in = BUF(BYTES_MAX)};
    CHECK(w->fd >= 0);
    if (connect(w->fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
        w->ended = true;
        return;
    }
    buf_printf(&b,
               "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
               "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
               method, path, body.n);
    buf_add(&b, body);
    send_all(w->fd, buf_str(&b));
}

static void read_some(struct watcher *w)
{
    char bytes[READ_BYTES];
    ssize_t n = recv(w->fd, bytes, sizeof(bytes), 0);

    if (n > 0)
        buf_add(&w->in, (struct str){bytes, (size_t)n});
    w->ended = n <= 0;
}

bool watchers_read(struct watcher *w, size_t n, int ms)
{
    struct pollfd fds[WATCHERS];

    CHECK(n <= WATCHERS);
    for (size_t i = 0; i < n; i++)
        fds[i] =
            (struct pollfd){.fd = w[i].ended ? -1 : w[i].fd, .events = POLLIN};
    if (poll(fds, n, ms) <= 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (fds[i].revents)
            read_some(&w[i]);
    return true;
}

void watcher_close(struct watcher *w)
{
    if (w->fd >= 0)
        close(w->fd);
    buf_free(&w->in);
    *w = (struct watcher){.fd = -1, .ended = true};
}

void watcher_reset(struct watcher *w)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};

    setsockopt(w->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    close(w->fd);
    w->fd = -1;
    w->ended = true;
}

/* The last chunk may be there in part. */
static void add_chunks(struct buf *b, struct str s)
{
    while (s.n) {
        char *end = NULL;
        size_t size = strtoul(s.p, &end, 16);
        size_t line = (size_t)(end - s.p) + 2;

        if (line > s.n || size == 0)
            return;
        s = str_skip(s, line);
        if (size > s.n)
            size = s.n;
        buf_add(b, (struct str){s.p, size});
        s = str_skip(s, size + 2 < s.n ? size + 2 : s.n);
    }
}

struct str watcher_body(const struct watcher *w, struct arena *a)
{
    AUTO(buf_free) struct buf b = BUF(BYTES_MAX);
    AUTO(buf_free) struct buf whole = BUF(BYTES_MAX);
    const char *end = w->in.n ? memmem(w->in.p, w->in.n, "\r\n\r\n", 4) : NULL;
    struct str rest;

    if (!end)
        return STR("");
    rest = str_skip(buf_str(&w->in), (size_t)(end - w->in.p) + 4);
    if (!memmem(w->in.p, (size_t)(end - w->in.p), "chunked", 7))
        return arena_str(a, rest.n ? rest : STR(""));
    buf_add(&whole, rest); /* strtoul() wants an end */
    buf_add_c(&whole, '\0');
    add_chunks(&b, (struct str){whole.p, rest.n});
    return arena_str(a, b.n ? buf_str(&b) : STR(""));
}

int program_ask(const struct program *p, struct arena *a, const char *method,
                const char *path, struct str body, struct str *out)
{
    struct watcher w;
    int status;

    watcher_open(&w, p, method, path, body);
    while (!w.ended)
        CHECK(watchers_read(&w, 1, test_wait_ms()));
    if (w.in.n < 12) {
        show_log();
        FAIL("%s %s: no answer", method, path);
    }
    status = (int)strtol(w.in.p + 9, NULL, 10);
    *out = watcher_body(&w, a);
    watcher_close(&w);
    return status;
}
