/* measure.c - the figures of one engine with one durability. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum {
    FLUSHES = 200,
    PAGE = 4096,
    FILL_BYTES = 16 * 1024 * 1024, /* more than a page cache holds */
    FILL_PIECE = 64 * 1024,
    READERS = 8
};

struct load {
    size_t turns;
    int per_second;
};

/* Of some seconds. */
struct phase {
    double cpu_us;    /* of the server, for a token */
    double driver_us; /* of upstream and viewers, likewise */
    double waited_us; /* the server's threads, for a core, likewise */
    double p50, p99;  /* ms */
};

struct figures {
    double kb;              /* of a stream, over idle */
    struct phase all, half; /* half: the viewers that stayed */
    uint64_t lost;
};

/* ---- What the disk takes ------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static double flush_p50_ms(const struct bench *b)
{
    static const char page[PAGE];
    char path[PATH_BYTES];
    int64_t took[FLUSHES];
    int fd;

    (void)snprintf(path, sizeof(path), "%s/flush", b->folder);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < FLUSHES; i++) {
        int64_t since = now_us();

        if (fd < 0 || write(fd, page, PAGE) != PAGE || fdatasync(fd) != 0)
            die(path, strerror(errno));
        took[i] = now_us() - since;
    }
    close(fd);
    unlink(path);
    size_t middle = FLUSHES / 2;
    qsort(took, FLUSHES, sizeof(took[0]), compare);
    return (double)took[middle] / 1000;
}

/* ---- One load ------------------------------------------------------------ */

struct run {
    struct upstream *upstream;
    struct child server;
    struct viewers *viewers;
    struct delays delays;
    double seconds;
};

static void clear(struct delays *d)
{
    memset(d->buckets, 0, DELAY_BUCKETS * sizeof(*d->buckets));
    d->n = d->over = 0;
}

static double driver_cpu_s(const struct run *r)
{
    return program_cpu_s(getpid()) + program_cpu_s(r->upstream->pid);
}

/* Watches for a while; figures are per token that the model has sent. */
static void watch(struct run *r, struct phase *p)
{
    double sent = (double)atomic_load(&r->upstream->sent);
    double cpu = program_cpu_s(r->server.pid), driver = driver_cpu_s(r);
    int64_t waited = child_waited_us(&r->server);

    clear(&r->delays);
    viewers_watch(r->viewers, r->seconds, &r->delays);
    cpu = program_cpu_s(r->server.pid) - cpu;
    waited = child_waited_us(&r->server) - waited;
    driver = driver_cpu_s(r) - driver;
    sent = (double)atomic_load(&r->upstream->sent) - sent;
    *p = (struct phase){.cpu_us = cpu * 1e6 / sent,
                        .driver_us = driver * 1e6 / sent,
                        .waited_us = (double)waited / sent,
                        .p50 = delays_ms(&r->delays, 0.5),
                        .p99 = delays_ms(&r->delays, 0.99)};
}

static void measure_run(struct run *r, const struct load *l, struct figures *f)
{
    int64_t idle = child_memory_bytes(&r->server);

    viewers_begin(r->viewers);
    viewers_watch(r->viewers, 2, NULL); /* beginning is not measured */
    watch(r, &f->all);
    f->kb = (double)(child_memory_bytes(&r->server) - idle) / (double)l->turns /
            1024;
    viewers_leave(r->viewers);
    viewers_watch(r->viewers, 1, NULL);
    watch(r, &f->half);
    atomic_store(&r->upstream->finish, 1);
    viewers_end(r->viewers);
    f->lost = viewers_lost(r->viewers, r->upstream->counts);
}

/* All at once, so that every reading connection takes part. */
static void look_through(const struct run *r)
{
    pid_t pids[READERS];

    for (int i = 0; i < READERS; i++) {
        pids[i] = fork();
        if (pids[i] < 0)
            die("fork", strerror(errno));
        if (pids[i] == 0) {
            (void)fetch(r->server.port, "/api/sessions?q=nowhere");
            _exit(0);
        }
    }
    for (int i = 0; i < READERS; i++)
        (void)waitpid(pids[i], NULL, 0);
}

/* Fills the database's page cache, which belongs to the server and not to a
 * stream. */
static void fill_cache(const struct run *r)
{
    static char body[FILL_PIECE + 64];
    size_t n = (size_t)snprintf(body, sizeof(body),
                                "{\"role\":\"assistant\",\"content\":\"");

    memset(body + n, 'x', FILL_PIECE);
    memcpy(body + n + FILL_PIECE, "\"}", 3);
    (void)post(r->server.port, "/api/sessions", "{\"id\":\"fill\"}");
    for (int i = 0; i < FILL_BYTES / FILL_PIECE; i++)
        (void)post(r->server.port, "/api/sessions/fill/messages", body);
    look_through(r);
}

/* Memory when idle is measured after some work: all caches are full. */
static void warm_up(const struct run *r)
{
    struct viewers *v = viewers_open(r->server.port, TURNS_MAX, WARM);

    fill_cache(r);
    viewers_begin(v);
    viewers_watch(v, 1, NULL);
    atomic_store(&r->upstream->finish, 1);
    viewers_end(v);
    viewers_close(v);
    atomic_store(&r->upstream->finish, 0);
}

static void run_load(const struct bench *b, struct setup *s,
                     const struct load *l, struct figures *f)
{
    struct run r = {.seconds = b->small ? 3 : 10};
    char name[64];

    (void)snprintf(name, sizeof(name), "stream_%s_%zu",
                   s->relaxed ? "relaxed" : "strict", l->turns);
    r.delays.buckets = calloc(DELAY_BUCKETS, sizeof(*r.delays.buckets));
    if (!r.delays.buckets)
        die("delays", "out of memory");
    r.upstream = upstream_start(l->per_second);
    s->upstream_port = atomic_load(&r.upstream->port);
    s->name = name;
    child_start(b, s, &r.server);
    warm_up(&r);
    r.viewers = viewers_open(r.server.port, 0, l->turns);
    measure_run(&r, l, f);
    viewers_close(r.viewers);
    child_stop(&r.server);
    upstream_stop(r.upstream);
    s->name = NULL;
    free(r.delays.buckets);
}

/* ---- The table ----------------------------------------------------------- */

static void print_head(bool relaxed, double flush_ms)
{
    printf(
        "                  a token us: CPU   KB a     delay ms           "
        "       half the viewers left\n"
        "turns  tokens/s   server   driver  waited   stream    p50      p99  "
        "lost     CPU  p50 (ratio)     p99\n");
    if (relaxed)
        printf("wanted            <= 35.0                   <= 64.0  <= 1.00   "
               "           0          (1.00)\n");
    else
        printf("wanted            <= 45.0                   <= 64.0 <= %5.2f "
               "<= %6.2f     0          (1.00)\n",
               3 + 2 * flush_ms, 20 + 4 * flush_ms);
}

static void print(const struct load *l, const struct figures *f)
{
    const struct phase *a = &f->all, *h = &f->half;

    printf("%5zu  %3d each   %8.1f %8.1f %7.1f %8.1f %8.2f %8.2f %5llu  %6.1f "
           "%6.2f (%.2f) %8.2f\n",
           l->turns, l->per_second, a->cpu_us, a->driver_us, a->waited_us,
           f->kb, a->p50, a->p99, (unsigned long long)f->lost, h->cpu_us,
           h->p50, h->p50 / a->p50, h->p99);
}

void measure(const struct bench *b, bool postgres, bool relaxed)
{
    static const struct load full[] = {{1000, 20}, {2000, 20}, {5000, 5}};
    static const struct load small[] = {{200, 20}};
    const struct load *loads = b->small ? small : full;
    size_t n = b->small ? 1 : sizeof(full) / sizeof(full[0]);
    double flush_ms = flush_p50_ms(b), load[1] = {0};

    (void)getloadavg(load, 1);
    printf(
        "%s, durability %s; a flush takes %.2f ms (p50); load of the machine "
        "before: %.1f\n",
        postgres ? "PostgreSQL" : "SQLite", relaxed ? "relaxed" : "strict",
        flush_ms, load[0]);
    print_head(relaxed, flush_ms);
    for (size_t i = 0; i < n; i++) {
        struct setup s = {.postgres = postgres, .relaxed = relaxed};
        struct figures f;

        if (b->turns && b->turns != loads[i].turns)
            continue;
        run_load(b, &s, &loads[i], &f);
        print(&loads[i], &f);
    }
    printf("\n");
}
