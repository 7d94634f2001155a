/* main.c - bench/attack: how long others wait while one account is hostile;
 * see bench/attack.md.
 *
 *     attack [--small] [sqlite] [postgres]
 *
 * PostgreSQL is measured beside SQLite when TEST_POSTGRES names the folder of
 * a server's socket: `tools/cluster run attack` provides one. */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { OTHERS = 12, THREADS_MAX = 20 };

struct bench {
    double seconds; /* of one attack */
    const char *postgres;
    char program[PATH_BYTES], folder[PATH_BYTES / 2];
};

/* ---- A server with keys -------------------------------------------------- */

struct place {
    char data[PATH_BYTES], url[2 * PATH_BYTES];
    bool postgres;
};

static void make_place(const struct bench *b, bool postgres, struct place *p)
{
    p->postgres = postgres;
    (void)snprintf(p->data, sizeof(p->data), "%s/%s", b->folder,
                   postgres ? "postgres" : "sqlite");
    if (!postgres)
        return;
    database_make(b->postgres, "attack");
    (void)snprintf(p->url, sizeof(p->url),
                   "postgres:///attack?host=%s&user=postgres", b->postgres);
}

static void make_key(const struct bench *b, const struct place *p,
                     const char *user, char key[KEY_BYTES])
{
    const char *argv[] = {b->program,
                          "key",
                          "add",
                          user,
                          "--data",
                          p->data,
                          p->postgres ? "--database" : NULL,
                          p->url,
                          NULL};
    int fd;
    pid_t pid = program_start(argv, &fd);
    ssize_t n = read(fd, key, KEY_BYTES - 1);

    close(fd);
    waitpid(pid, NULL, 0);
    if (n <= 0)
        die("footnote key", "printed nothing");
    key[n] = '\0';
    key[strcspn(key, "\n")] = '\0';
}

static pid_t start_server(const struct bench *b, const struct place *p,
                          int *port)
{
    const char *argv[] = {b->program,
                          "serve",
                          "--data",
                          p->data,
                          "--listen",
                          "127.0.0.1:0",
                          "--auth",
                          "key",
                          "--log-level",
                          "error",
                          p->postgres ? "--database" : NULL,
                          p->url,
                          NULL};
    int fd;
    pid_t pid = program_start(argv, &fd);

    *port = program_port(fd);
    close(fd);
    return pid;
}

/* ---- One attack ---------------------------------------------------------- */

struct counts {
    atomic_uint rounds; /* ids are used once */
    atomic_uint let_in; /* answered with 2xx */
};

struct attacker {
    pthread_t thread;
    const struct attack *attack;
    const struct site *site;
    atomic_bool *over;
    struct counts *counts;
};

static void *run_attacker(void *arg)
{
    const struct attacker *a = arg;
    void *curl = curl_easy_init();
    double pace = a->attack->per_second
                      ? (double)a->attack->threads / a->attack->per_second
                      : 0;

    while (!atomic_load(a->over)) {
        double next = seconds_now() + pace;
        unsigned n = atomic_fetch_add(&a->counts->rounds, 1);

        if (a->attack->round(curl, a->site, n) / 100 == 2)
            atomic_fetch_add(&a->counts->let_in, 1);
        while (!atomic_load(a->over) && seconds_now() < next)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    curl_easy_cleanup(curl);
    return NULL;
}

static void show(const char *name, struct latencies *l, unsigned rounds,
                 unsigned let_in)
{
    printf("  %-24s%8u%8u", name, rounds, let_in);
    for (enum kind kind = 0; kind < KINDS; kind++)
        printf("%9.1f%9.1f", quantile(l->ms[kind], l->n[kind], .5),
               quantile(l->ms[kind], l->n[kind], .99));
    printf("\n");
    latencies_free(l);
}

/* `attack` NULL: nobody attacks. */
static void measure_one(const struct bench *b, const struct site *s,
                        const struct attack *attack)
{
    static struct counts counts;
    struct attacker threads[THREADS_MAX];
    atomic_bool over = false;
    unsigned rounds = counts.rounds, let_in = counts.let_in;
    struct latencies l;
    int n = attack ? attack->threads : 0;

    for (int i = 0; i < n; i++) {
        threads[i] = (struct attacker){
            .attack = attack, .site = s, .over = &over, .counts = &counts};
        if (pthread_create(&threads[i].thread, NULL, run_attacker,
                           &threads[i]) != 0)
            die("a thread", "cannot start");
    }
    others_ask(s, b->seconds, &l);
    atomic_store(&over, true);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i].thread, NULL);
    show(attack ? attack->name : "nobody", &l, counts.rounds - rounds,
         counts.let_in - let_in);
}

/* Its course, which is there for the attacks with documents. */
static void make_hostile(const struct bench *b, const struct place *p,
                         struct site *s, size_t i)
{
    static const char body[] = "{\"id\":\"storm-%zu\",\"title\":\"Storm\"}";
    char name[32], text[64];
    void *curl = curl_easy_init();

    (void)snprintf(name, sizeof(name), "mallory-%zu", i);
    make_key(b, p, name, s->mallory);
    (void)snprintf(s->course, sizeof(s->course), "storm-%zu", i);
    (void)snprintf(text, sizeof(text), body, i);
    (void)http_ask(curl, s,
                   &(struct http_call){.method = "POST",
                                       .path = "/api/courses",
                                       .key = s->mallory,
                                       .body = text,
                                       .body_bytes = strlen(text)});
    curl_easy_cleanup(curl);
}

static void measure(const struct bench *b, bool postgres)
{
    char keys[OTHERS][KEY_BYTES], name[16];
    struct site s = {.others = keys, .others_n = OTHERS};
    struct place p;
    pid_t pid;

    make_place(b, postgres, &p);
    for (unsigned i = 0; i < OTHERS; i++) {
        (void)snprintf(name, sizeof(name), "user-%u", i);
        make_key(b, &p, name, keys[i]);
    }
    pid = start_server(b, &p, &s.port);
    printf("%s: milliseconds that others wait\n"
           "  %-24s%8s%8s%18s%18s%18s\n  %-24s%8s%8s%9s%9s%9s%9s%9s%9s\n",
           postgres ? "PostgreSQL" : "SQLite", "an account attacks by",
           "rounds", "let in", "save", "history", "/api/me", "", "", "", "p50",
           "p99", "p50", "p99", "p50", "p99");
    measure_one(b, &s, NULL);
    for (size_t i = 0; i < attacks_n; i++) {
        make_hostile(b, &p, &s, i);
        measure_one(b, &s, &attacks[i]);
    }
    measure_one(b, &s, NULL);
    program_stop(pid);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct bench b = {.seconds = 20, .postgres = getenv("TEST_POSTGRES")};

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (asked(argc, argv, "--small", false))
        b.seconds = 5;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    program_find(argv[0], b.program, sizeof(b.program));
    folder_make(b.folder, sizeof(b.folder));
    attacks_make();
    if (asked(argc, argv, "sqlite", true))
        measure(&b, false);
    if (b.postgres && asked(argc, argv, "postgres", true))
        measure(&b, true);
    folder_remove(b.folder);
    return 0;
}
