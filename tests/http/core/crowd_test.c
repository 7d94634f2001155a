/* crowd_test.c - many clients at once, and few descriptors.
 *
 * The server has a process of its own where its memory or its descriptors are
 * what is looked at. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "one_server.h"
#include "routes.h"

/* Sanitizers have memory of their own, and take their time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum {
    CROWD = SANITIZED ? 500 : 10000,
    CONNECTION_BYTES_MAX = 2048,
    CLIENTS = SANITIZED ? 200 : 1000,
    ROUNDS = 10,
    FILES = 64,
    WAITING = 200
};

static struct client clients[CROWD];

static void limit_files(rlim_t n)
{
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){n, n}), 0);
}

/* ---- A server of its own ------------------------------------------------ */

struct child {
    pid_t pid;
    int port;
};

enum when { NEVER, BEFORE, AFTER };

/* `limited` says when its descriptors become few: before it has opened, so
 * that it can know, or after, so that it cannot. */
static struct child fork_server(enum when limited)
{
    struct served s = test_served();
    struct child c = {0, 0};
    int ends[2];

    CHECK_INT(pipe(ends), 0);
    c.pid = fork();
    CHECK(c.pid >= 0);
    if (c.pid == 0) {
        if (limited == BEFORE)
            limit_files(FILES);
        served_open(&s);
        if (limited == AFTER)
            limit_files(FILES);
        CHECK_INT(write(ends[1], &s.port, sizeof(s.port)), sizeof(s.port));
        server_run(s.server);
        _exit(0);
    }
    close(ends[1]);
    CHECK_INT(read(ends[0], &c.port, sizeof(c.port)), sizeof(c.port));
    close(ends[0]);
    return c;
}

static void end_server(struct child c)
{
    int status;

    kill(c.pid, SIGKILL);
    CHECK_INT(waitpid(c.pid, &status, 0), c.pid);
    CHECK(WIFSIGNALED(status)); /* it was still there */
}

static long resident_bytes(pid_t pid)
{
    char path[64], line[256];
    long kb = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    f = fopen(path, "r");
    CHECK(f != NULL);
    while (fgets(line, sizeof(line), f))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    fclose(f);
    CHECK(kb > 0);
    return kb * 1024;
}

/* ---- Memory ------------------------------------------------------------- */

static void open_crowd(const struct child *s)
{
    for (int i = 0; i < CROWD; i++)
        client_open(&clients[i], s->port);
    CHECK_INT(client_once(s->port, "/test/echo"), 200);
}

static void check_memory(const char *when, long before, long after)
{
    long each = (after - before) / CROWD;

    printf("%s: %ld bytes resident each\n", when, each);
    if (!SANITIZED && each > CONNECTION_BYTES_MAX)
        FAIL("%s: %ld bytes each", when, each);
}

/* With a request that takes memory. */
static void use(struct client *c)
{
    static char text[8 * 1024];
    struct response a = {.status = 0};

    snprintf(text, sizeof(text),
             "GET /test/work HTTP/1.1\r\n" HOST "X-Long: %05000d\r\n\r\n", 1);
    client_send(c, str_c(text));
    CHECK(client_answer(c, &a));
    CHECK_INT(a.status, 200);
    buf_free(&c->in);
    c->taken = 0;
}

/* Whether they have been used or not. */
TEST_LIMIT(crowd_idle_connections_are_small, 120)
{
    struct child s;
    long before;

    if (!SANITIZED)
        limit_files(CROWD + 200);
    s = fork_server(NEVER);
    CHECK_INT(client_once(s.port, "/test/work"), 200);
    before = resident_bytes(s.pid);
    open_crowd(&s);
    check_memory("fresh", before, resident_bytes(s.pid));
    for (int i = 0; i < CROWD; i++)
        use(&clients[i]);
    check_memory("used", before, resident_bytes(s.pid));
    CHECK_INT(client_get(&clients[CROWD / 2], "/test/echo").status, 200);
    end_server(s);
}

/* ---- Descriptors -------------------------------------------------------- */

static bool has_bytes(struct client *c)
{
    struct pollfd p = {.fd = c->fd, .events = POLLIN};

    return c->fd >= 0 && poll(&p, 1, 0) == 1;
}

static int count_answered(void)
{
    int n = 0;

    for (int i = 0; i < WAITING; i++)
        n += has_bytes(&clients[i]);
    return n;
}

static long cpu_ms(pid_t pid)
{
    char path[64], line[1024], *p;
    long ticks = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    f = fopen(path, "r");
    CHECK(f && fgets(line, sizeof(line), f));
    fclose(f);
    p = strrchr(line, ')') + 1;
    for (int field = 4; field <= 15; field++) { /* 3 follows the name */
        p = strchr(p + 1, ' ');
        ticks += field >= 14 ? strtol(p, NULL, 10) : 0;
    }
    return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

/* Those that wait cost nothing: asking for them in vain would. */
static void check_pause(pid_t pid)
{
    enum { WATCHED_MS = 600 };
    long before = cpu_ms(pid);

    CHECK(client_is_quiet(&clients[WAITING - 1], WATCHED_MS));
    CHECK(cpu_ms(pid) - before < WATCHED_MS / 3);
}

/* Those that are served go on while others wait, and make room by going. */
static void check_few_files(enum when limited)
{
    struct child s = fork_server(limited);
    struct client first;
    int done = 0;

    client_open(&first, s.port);
    CHECK_INT(client_get(&first, "/test/work").status, 200);
    for (int i = 0; i < WAITING; i++) {
        client_open(&clients[i], s.port);
        client_send(&clients[i],
                    STR("GET /test/echo HTTP/1.1\r\n" HOST "\r\n"));
    }
    for (int i = 0; i < 100; i++)
        CHECK_INT(client_get(&first, "/test/work").status, 200);
    CHECK(count_answered() < FILES);
    check_pause(s.pid);
    while (done < WAITING) {
        CHECK_INT(client_get(&first, "/test/echo").status, 200);
        for (int i = 0; i < WAITING; i++) {
            struct response a = {.status = 0};

            if (!has_bytes(&clients[i]))
                continue;
            CHECK(client_answer(&clients[i], &a));
            CHECK_INT(a.status, 200);
            client_close(&clients[i]);
            done++;
        }
    }
    client_close(&first);
    end_server(s);
}

TEST(crowd_few_descriptors_pause_accepting)
{
    check_few_files(BEFORE);
}

TEST(crowd_no_descriptors_pause_accepting)
{
    check_few_files(AFTER);
}

/* ---- Requests ----------------------------------------------------------- */

TEST_LIMIT(crowd_thread_all_are_served_without_an_error, 120)
{
    static const char *const requests[] = {
        "GET /test/echo?x HTTP/1.1\r\n" HOST "\r\n",
        "GET /test/work?x HTTP/1.1\r\n" HOST "\r\n",
        "POST /test/echo HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx"};
    struct served s = test_served();
    struct server_counts n;

    limit_files(2 * CLIENTS + 200);
    served_start(&s);
    for (int i = 0; i < CLIENTS; i++)
        client_open(&clients[i], s.port);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CLIENTS; i++)
            client_send(&clients[i], str_c(requests[(i + round) % 3]));
        for (int i = 0; i < CLIENTS; i++) {
            struct response a = {.status = 0};

            CHECK(client_answer(&clients[i], &a));
            CHECK_INT(a.status, 200);
            CHECK_TEXT(a.body, STR("x"));
        }
    }
    server_count(s.server, &n);
    CHECK_INT(n.requests, CLIENTS * ROUNDS);
    CHECK_INT(n.connections, CLIENTS);
    CHECK_INT(n.open_connections, CLIENTS);
    CHECK_INT(n.errors, 0);
    for (int i = 0; i < CLIENTS; i++)
        client_close(&clients[i]);
    served_stop(&s);
}
