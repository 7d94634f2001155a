/* main.c - bench/import: what an import costs beside bare INSERTs or COPY of
 * the same rows, and how much memory it takes; see bench/README.md.
 *
 *     import [--small]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common.h"
#include "import/import.h"
#include "rows.h"

/* What a child tells of its import. */
struct told {
    double seconds;
    struct import_counts counts;
};

static void on_note(void *arg, enum import_note kind, struct str where,
                    struct str text)
{
    (void)arg;
    (void)kind;
    (void)where;
    die("a note", text.p);
}

static void on_session(void *arg, const struct import_session_done *done)
{
    (void)arg;
    (void)done;
}

__attribute__((noreturn)) static void child(const char *url, const char *source,
                                            const char *scratch, int to)
{
    struct import_options o = {.kind = "v2",
                               .source = str_c(source),
                               .who = {STR("default"), STR("local")},
                               .scratch = scratch,
                               .note = on_note,
                               .session = on_session};
    struct told told;
    struct footnote_err err;

    if (store_open(url, &o.store, &err) != FOOTNOTE_OK)
        die(url, err.text);
    told.seconds = seconds_now();
    if (import_run(&o, &told.counts, &err) != FOOTNOTE_OK)
        die(source, err.text);
    told.seconds = seconds_now() - told.seconds;
    store_close(o.store);
    if (write(to, &told, sizeof(told)) != sizeof(told))
        die("import", "cannot tell");
    _exit(0);
}

struct cost {
    double wall, cpu, megabytes;
};

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* In a process of its own, whose memory is counted. */
static struct cost import(const char *url, const char *source,
                          const char *scratch, int64_t references)
{
    struct told told;
    struct rusage used;
    int ends[2], status;
    pid_t pid;

    if (pipe(ends) != 0 || (pid = fork()) < 0)
        die("import", "cannot fork");
    if (pid == 0)
        child(url, source, scratch, ends[1]);
    close(ends[1]);
    if (read(ends[0], &told, sizeof(told)) != sizeof(told))
        die("import", "told nothing");
    if (wait4(pid, &status, 0, &used) != pid || status != 0)
        die("import", "failed");
    close(ends[0]);
    if (told.counts.references != references)
        die("import", "left references out");
    return (struct cost){.wall = told.seconds,
                         .cpu = seconds_of(used.ru_utime) +
                                seconds_of(used.ru_stime),
                         .megabytes = (double)used.ru_maxrss / 1024};
}

static void print(const char *what, int64_t references, double bare,
                  struct cost cost)
{
    printf("%-28s %8lld references: bare %6.2f s, import %6.2f s (%6.2f of a "
           "core) = %5.2f x, %3.0f MB\n",
           what, (long long)references, bare, cost.wall, cost.cpu,
           cost.wall / bare, cost.megabytes);
    (void)fflush(stdout);
}

static void on_sqlite(const char *folder, int64_t references)
{
    char path[800], url[900];
    double bare;

    (void)snprintf(path, sizeof(path), "%s/bare-%lld.db", folder,
                   (long long)references);
    bare = rows_to_sqlite(path, references);
    (void)snprintf(url, sizeof(url), "sqlite:%s/ours-%lld.db", folder,
                   (long long)references);
    print("files into SQLite", references, bare,
          import(url, folder, folder, references));
}

static void on_postgres(const char *server, const char *folder,
                        int64_t references)
{
    char name[40], theirs[900], ours[900];
    double bare;

    (void)snprintf(name, sizeof(name), "theirs_%lld", (long long)references);
    database_make(server, name);
    (void)snprintf(theirs, sizeof(theirs),
                   "postgres:///%s?host=%s&user=postgres", name, server);
    bare = rows_to_postgres(theirs, references);
    (void)snprintf(name, sizeof(name), "ours_%lld", (long long)references);
    database_make(server, name);
    (void)snprintf(ours, sizeof(ours), "postgres:///%s?host=%s&user=postgres",
                   name, server);
    print("PostgreSQL into PostgreSQL", references, bare,
          import(ours, theirs, folder, references));
    (void)snprintf(ours, sizeof(ours), "sqlite:%s/from-%lld.db", folder,
                   (long long)references);
    print("PostgreSQL into SQLite", references, bare,
          import(ours, theirs, folder, references));
}

int main(int argc, char **argv)
{
    const char *server = getenv("TEST_POSTGRES");
    int64_t most = asked(argc, argv, "--small", false) ? 100000 : 1000000;
    char folder[600];

    for (int64_t n = most / 10; n <= most; n *= 10) {
        folder_make(folder, sizeof(folder));
        rows_to_files(folder, n);
        on_sqlite(folder, n);
        if (server)
            on_postgres(server, folder, n);
        folder_remove(folder);
    }
    if (!server)
        printf("without TEST_POSTGRES: SQLite alone\n");
    return 0;
}
