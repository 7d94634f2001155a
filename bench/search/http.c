/* http.c - what a search costs a server, HTTP and the reading of hits included.
 *
 * `footnote serve` is a child process on a store that fill.c made.  Questions
 * come one after another on one connection.  The CPU time of one is what all
 * threads of the server used from the answer before to its own, so that what a
 * server does behind an answer is counted as well. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "cloud.h"

enum { ANSWER_BYTES = 1 << 20, QUIET_TRIES = 600 };

struct client {
    int fd, port;
    pid_t pid;
    char *answer; /* its head and body */
    size_t n;
};

/* ---- One request --------------------------------------------------------- */

static int connect_to(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    must(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0,
         "the server does not listen");
    return fd;
}

static size_t whole_length(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    const char *length = strcasestr(answer, "\r\ncontent-length:");

    if (!end)
        return ANSWER_BYTES;
    must(length && length < end, "an answer has no length");
    return (size_t)(end + 4 - answer) + strtoul(length + 17, NULL, 10);
}

static void take_answer(struct client *c)
{
    size_t want = ANSWER_BYTES;

    c->n = 0;
    while (c->n < want) {
        ssize_t got = recv(c->fd, c->answer + c->n, ANSWER_BYTES - 1 - c->n, 0);

        must(got > 0, "the server has closed");
        c->n += (size_t)got;
        c->answer[c->n] = '\0';
        want = whole_length(c->answer);
    }
    if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0)
        die("an answer is not as wanted", c->answer);
}

static void ask(struct client *c, struct str question)
{
    struct buf b = BUF(1 << 16);

    buf_add(&b, STR("GET /api/search?courseId=c&q="));
    for (size_t i = 0; i < question.n; i++)
        if (question.p[i] == ' ')
            buf_add_c(&b, '+');
        else if (question.p[i] == '?')
            buf_add(&b, STR("%3F"));
        else
            buf_add_c(&b, question.p[i]);
    buf_add(&b, STR(" HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    must(send(c->fd, b.p, b.n, MSG_NOSIGNAL) == (ssize_t)b.n, "cannot send");
    buf_free(&b);
    take_answer(c);
}

/* ---- The server ---------------------------------------------------------- */

static void pause_ms(long ms)
{
    const struct timespec t = {.tv_sec = ms / 1000,
                               .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&t, NULL);
}

/* Until all is indexed, and the server merges and saves nothing any more. */
static void await_index(struct client *c)
{
    double began = seconds_now(), before = 0;
    bool quiet = false;

    for (int i = 0; i < QUIET_TRIES && !quiet; i++) {
        ask(c, STR("what is there"));
        before = program_cpu_s(c->pid);
        pause_ms(1000);
        quiet = program_cpu_s(c->pid) - before < 0.01 &&
                strstr(c->answer, "\"indexing\":false") != NULL;
    }
    must(quiet, "the server indexes for too long");
    printf("  indexed       %8.0f ms CPU %8.0f ms wall\n",
           program_cpu_s(c->pid) * 1e3, (seconds_now() - began) * 1e3);
}

/* embedder 0: there is none. */
static void start_server(const char *program, const char *folder, int embedder,
                         struct client *c)
{
    char url[64];
    const char *argv[] = {program,
                          "serve",
                          "--data",
                          folder,
                          "--listen",
                          "127.0.0.1:0",
                          "--log-level",
                          "error",
                          embedder ? "--embeddings-url" : NULL,
                          url,
                          "--embeddings-model",
                          MODEL,
                          NULL};
    int out;

    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1", embedder);
    c->pid = program_start(argv, &out);
    c->port = program_port(out);
    close(out);
    c->fd = connect_to(c->port);
}

/* ---- All of it ----------------------------------------------------------- */

/* Questions from..from + QUESTIONS. */
static void ask_all(struct client *c, struct text *t, uint32_t from,
                    uint32_t passages, struct times *cpu, struct times *wall)
{
    struct buf b = BUF(1 << 16);
    double used = program_cpu_s(c->pid);

    cpu->n = wall->n = 0;
    for (uint32_t k = from; k < from + QUESTIONS; k++) {
        double start, now;

        buf_reset(&b);
        text_question(t, asked_about(k, passages), false, &b);
        start = seconds_now();
        ask(c, buf_str(&b));
        wall->ms[wall->n++] = (seconds_now() - start) * 1e3;
        now = program_cpu_s(c->pid);
        cpu->ms[cpu->n++] = (now - used) * 1e3;
        used = now;
        must(strstr(c->answer, "\"sourceId\"") != NULL,
             "a search found nothing");
        must(strstr(c->answer, "\"embedder\"") == NULL,
             "a search went without its vectors");
    }
    buf_free(&b);
}

/* Warmed by other questions. */
static void measure_server(const char *program, const char *folder,
                           int embedder, struct text *t, uint32_t passages)
{
    struct times *cpu = calloc(1, sizeof(*cpu));
    struct times *wall = calloc(1, sizeof(*wall));
    struct client c = {.answer = malloc(ANSWER_BYTES)};
    size_t before;

    must(cpu && wall && c.answer, "no memory");
    start_server(program, folder, embedder, &c);
    await_index(&c);
    ask_all(&c, t, QUESTIONS, passages, cpu, wall);
    before = embedder_asked();
    ask_all(&c, t, 0, passages, cpu, wall);
    must(!embedder || embedder_asked() >= before + QUESTIONS,
         "the embedder was not asked");
    (void)times_print("server CPU", cpu,
                      embedder ? "(wanted p50 8)" : "(wanted 1 and 8)");
    (void)times_print("wall", wall, embedder ? "with the embedder's" : "");
    close(c.fd);
    program_stop(c.pid);
    free(c.answer);
    free(cpu);
    free(wall);
}

void measure_http(const char *program, struct text *t, uint32_t passages)
{
    char folder[300];
    double began = seconds_now();

    folder_make(folder, sizeof(folder));
    fill_store(folder, t, passages);
    printf("  stored        %8.0f ms wall\n", (seconds_now() - began) * 1e3);
    measure_server(program, folder, 0, t, passages);
    fill_vectors(folder, passages);
    printf("  with as many vectors of %d\n", CLOUD_SIZE);
    measure_server(program, folder, embedder_start(passages), t, passages);
    folder_remove(folder);
}
