/* measure.c - the figures of one engine, beside nginx. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { CONNECTIONS = 32, SAVERS = 16, ROUNDS = 5, FILLERS = 64, KEPT = 24 };
#define FILE_NAME "history.json"

struct site { /* both servers, and how long a round takes */
    struct child ours, nginx;
    struct work kept; /* sessions that fill the cache, one of them read again */
    struct work all;  /* others, for which it has no room */
    double seconds;
};

static size_t read_file(void *arg, uint64_t n, char *out, size_t size)
{
    (void)arg;
    (void)n;
    return (size_t)snprintf(out, size,
                            "GET /" FILE_NAME " HTTP/1.1\r\n"
                            "Host: localhost\r\n\r\n");
}

static void fill(struct site *s, struct work *which)
{
    struct stream saves = {.port = s->ours.port,
                           .connections = FILLERS,
                           .make = work_save,
                           .arg = which,
                           .status = 201,
                           .requests_max = which->sessions * MESSAGES};

    load_run(&saves, 1, 0);
}

/* The server caches a session that is read twice in a row.  Sessions that take
 * turns are never cached. */
static void fill_cache(const struct site *s)
{
    char path[PATH_BYTES];
    size_t n;

    for (uint64_t i = s->kept.sessions; i-- > 0;)
        for (int again = 0; again < 3; again++) {
            work_path(s->kept.prefix, i, path, sizeof(path));
            free(load_fetch(s->ours.port, path, &n));
        }
}

/* nginx serves the same bytes as footnote. */
static void copy_out(const struct bench *b, const struct site *s)
{
    char path[PATH_BYTES];
    size_t n;
    char *body;
    FILE *f;

    work_path(s->all.prefix, 0, path, sizeof(path));
    body = load_fetch(s->ours.port, path, &n);
    (void)snprintf(path, sizeof(path), "%s/" FILE_NAME, b->folder);
    f = fopen(path, "w");
    if (!f || fwrite(body, 1, n, f) != n || fclose(f) != 0)
        die(path, strerror(errno));
    free(body);
    printf("a history: %d messages with %d sources each, %.1f KB; %llu "
           "sessions, the cache holds 2 MB\n",
           MESSAGES, SOURCES, (double)n / 1000,
           (unsigned long long)s->all.sessions);
}

/* ---- Histories beside nginx -----------------------------------------------
 */

static struct stream reads(const struct site *s, struct work *which)
{
    return (struct stream){.port = s->ours.port,
                           .connections = CONNECTIONS,
                           .make = work_read,
                           .arg = which,
                           .status = 200};
}

struct figures { /* of one kind of reading, a round each */
    double per_second[ROUNDS], ratio[ROUNDS], cpu_us[ROUNDS];
};

static void take_round(struct figures *f, int round, const struct child *server,
                       struct stream load, double seconds)
{
    double before = child_cpu(server);

    load_run(&load, 1, seconds);
    f->cpu_us[round] = (child_cpu(server) - before) * 1e6 / (double)load.done;
    f->per_second[round] = load.per_second;
}

static void show(const char *name, struct figures *f,
                 const struct figures *nginx)
{
    for (int i = 0; i < ROUNDS; i++)
        f->ratio[i] = f->per_second[i] / nginx->per_second[i];
    printf("  %-32s%9.0f%7.2f%14.0f us\n", name,
           quantile(f->per_second, ROUNDS, 0.5),
           quantile(f->ratio, ROUNDS, 0.5), quantile(f->cpu_us, ROUNDS, 0.5));
}

/* Rounds alternate, so that other load on the machine meets all of them. */
static void measure_histories(const struct site *s)
{
    struct work one = {s->kept.prefix, 1}, all = s->all;
    struct figures nginx, warm, cold;
    struct stream file = {.port = s->nginx.port,
                          .connections = CONNECTIONS,
                          .make = read_file,
                          .status = 200};

    for (int i = 0; i < ROUNDS; i++) {
        take_round(&nginx, i, &s->nginx, file, s->seconds);
        take_round(&warm, i, &s->ours, reads(s, &one), s->seconds);
        take_round(&cold, i, &s->ours, reads(s, &all), s->seconds);
    }
    printf("histories a second, %d connections, median of %d rounds; the "
           "server's CPU for each:\n",
           CONNECTIONS, ROUNDS);
    show("one session again and again", &warm, &nginx);
    show("every session cold", &cold, &nginx);
    show("nginx, the same bytes as a file", &nginx, &nginx);
}

/* ---- Saves ----------------------------------------------------------------
 */

static void measure_saves(const struct site *s)
{
    static const size_t connections[] = {1, 64};
    double first = 0;

    printf("saves a second, a message with %d sources each:\n", SOURCES);
    for (size_t i = 0; i < 2; i++) {
        struct work w = {(char)('t' + i), connections[i] * 4};
        struct stream saves = {.port = s->ours.port,
                               .connections = connections[i],
                               .make = work_save,
                               .arg = &w,
                               .status = 201};

        load_run(&saves, 1, 2 * s->seconds);
        if (i == 0)
            first = saves.per_second;
        printf("  %2zu connections %9.0f   x%.1f   p50 %.2f ms  p99 %.2f ms\n",
               connections[i], saves.per_second, saves.per_second / first,
               saves.p50_ms, saves.p99_ms);
    }
}

/* ---- Reading while others write -------------------------------------------
 */

static void show_busy(const struct site *s, const char *name,
                      struct work *which)
{
    struct work written = {'b', SAVERS};
    struct stream alone = reads(s, which);
    struct stream both[2] = {reads(s, which),
                             {.port = s->ours.port,
                              .connections = SAVERS,
                              .make = work_save,
                              .arg = &written,
                              .status = 201}};

    alone.connections = both[0].connections = 8;
    load_run(&alone, 1, 2 * s->seconds);
    load_run(both, 2, 2 * s->seconds);
    printf("  %-28s p99 %6.2f ms alone, %6.2f ms beside %.0f saves a second "
           "(x%.1f; p50 %.2f, %.2f)\n",
           name, alone.p99_ms, both[0].p99_ms, both[1].per_second,
           both[0].p99_ms / alone.p99_ms, alone.p50_ms, both[0].p50_ms);
}

static void measure_busy(const struct site *s)
{
    struct work one = {s->kept.prefix, 1}, all = s->all;

    printf("histories by 8 connections, while %d save:\n", SAVERS);
    show_busy(s, "one session again and again", &one);
    show_busy(s, "every session cold", &all);
}

void measure(const struct bench *b, bool postgres)
{
    struct site s = {.kept = {'k', KEPT},
                     .all = {'s', b->small ? 50 : 200},
                     .seconds = b->small ? 0.5 : 2};

    printf("%s\n", postgres ? "PostgreSQL" : "SQLite");
    child_footnote(b, postgres ? "bench_http_pg" : "bench_http", postgres,
                   &s.ours);
    fill(&s, &s.kept);
    fill(&s, &s.all);
    copy_out(b, &s);
    fill_cache(&s);
    child_nginx(b, b->folder, &s.nginx);
    measure_histories(&s);
    measure_saves(&s);
    measure_busy(&s);
    child_stop(&s.nginx);
    child_stop(&s.ours);
    printf("\n");
}
