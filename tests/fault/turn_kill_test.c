/* turn_kill_test.c - kill -9 in the middle of turns.
 *
 * Fifty clients ask the real program at once.  After a random number of bytes
 * the program is killed, or its clients, or the database, or the disk is full;
 * then everything that any client has seen must be there. */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "contract.h"
#include "program_turns.h"
#include "workload.h"

enum {
    BYTES_EACH = 5000,  /* of the stream of an answer, more or less */
    STANDSTILL_MS = 100 /* many times what lies between two pieces */
};

/* ---- The program is killed ---------------------------------------------- */

/* After a moment that has nothing to do with what came. */
static void kill_program(struct turns *t, unsigned *seed)
{
    turns_read(t, workload_random(seed, TURNS_MAX * BYTES_EACH));
    for (unsigned i = workload_random(seed, 20); i > 0; i--)
        (void)watchers_read(t->watchers, t->n, 0);
    CHECK(WIFSIGNALED(program_end(&t->program, SIGKILL)));
    turns_read_all(t); /* what was on its way was seen, too */
}

static void kill_and_check(struct turns *t, unsigned kills)
{
    unsigned seed = 20260226;

    program_start(&t->program);
    for (unsigned i = 0; i < kills; i++) {
        turns_ask(t, TURNS_MAX);
        kill_program(t, &seed);
        program_start(&t->program);
        turns_check(t, TURNS_INTERRUPTED);
        turns_forget(t);
    }
    CHECK(WIFEXITED(program_end(&t->program, SIGTERM)));
    turns_close(t);
    printf("%u kills under %d turns\n", kills, TURNS_MAX);
}

CONTRACT_LIMIT(turn_shown_is_there_after_kill_9, 600)
{
    static struct turns t;

    turns_prepare(&t, test_url());
    kill_and_check(&t, test_is_postgres() ? test_count(6, 200)
                                          : test_count(12, 200));
}

/* ---- Its clients are killed --------------------------------------------- */

CONTRACT_LIMIT(turn_goes_on_when_all_clients_are_killed, 120)
{
    static struct turns t;
    unsigned seed = 4711;

    turns_prepare(&t, test_url());
    program_start(&t.program);
    for (unsigned i = 0; i < test_count(2, 20); i++) {
        turns_ask(&t, TURNS_MAX);
        for (size_t k = 0; k < t.n; k++) /* each has begun */
            while (!t.watchers[k].in.n)
                CHECK(watchers_read(t.watchers, t.n, test_wait_ms()));
        turns_read(&t, workload_random(&seed, TURNS_MAX * BYTES_EACH));
        for (size_t k = 0; k < t.n; k++)
            if (!t.watchers[k].ended)
                watcher_reset(&t.watchers[k]);
        turns_settle(&t);
        turns_check(&t, TURNS_WHOLE);
        turns_forget(&t);
    }
    CHECK(WIFEXITED(program_end(&t.program, SIGTERM)));
    turns_close(&t);
}

/* ---- The database is killed --------------------------------------------- */

static void cluster(const char *verb, const char *folder)
{
    char command[400];

    snprintf(command, sizeof(command), "tools/cluster %s %s", verb, folder);
    if (system(command) != 0)
        FAIL("%s failed", command);
}

TEST_LIMIT(postgres_turn_goes_on_when_the_server_is_killed, 300)
{
    static struct turns t;
    char folder[300], url[400];
    unsigned seed = 815;

    snprintf(folder, sizeof(folder), "%s/pg", test_dir());
    snprintf(url, sizeof(url), "postgres:///postgres?host=%s&user=postgres",
             folder);
    cluster("make", folder);
    cluster("start", folder);
    turns_prepare(&t, url);
    program_start(&t.program);
    for (unsigned i = 0; i < test_count(2, 20); i++) {
        turns_ask(&t, TURNS_MAX);
        turns_read(&t, workload_random(&seed, TURNS_MAX * BYTES_EACH / 2));
        cluster("crash", folder);
        cluster("start", folder);
        turns_read_all(&t);
        turns_settle(&t);
        turns_check(&t, TURNS_ANY);
        turns_forget(&t);
    }
    CHECK(WIFEXITED(program_end(&t.program, SIGTERM)));
    turns_close(&t);
    cluster("remove", folder);
}

/* ---- The disk is full --------------------------------------------------- */

/* No file of the program may grow beyond what it has now. */
static void limit_files(pid_t pid, rlim_t bytes)
{
    struct rlimit limit = {bytes, RLIM_INFINITY};

    CHECK(prlimit(pid, RLIMIT_FSIZE, &limit, NULL) == 0);
}

TEST_LIMIT(sqlite_turn_waits_for_room_on_the_disk, 120)
{
    static struct turns t;

    signal(SIGXFSZ, SIG_IGN); /* handed on to the program */
    turns_prepare(&t, test_url());
    program_start(&t.program);
    turns_ask(&t, TURNS_MAX);
    turns_read(&t, TURNS_MAX * BYTES_EACH / 2);
    limit_files(t.program.pid, 4096);
    while (watchers_read(t.watchers, t.n, STANDSTILL_MS)) {
    }
    limit_files(t.program.pid, RLIM_INFINITY);
    turns_read_all(&t);
    turns_settle(&t);
    turns_check(&t, TURNS_WHOLE);
    CHECK(WIFEXITED(program_end(&t.program, SIGTERM)));
    turns_close(&t);
}

TEST_LIMIT(sqlite_turn_on_a_full_disk_keeps_what_was_shown, 120)
{
    static struct turns t;

    signal(SIGXFSZ, SIG_IGN);
    turns_prepare(&t, test_url());
    program_start(&t.program);
    turns_ask(&t, TURNS_MAX);
    turns_read(&t, TURNS_MAX * BYTES_EACH / 2);
    limit_files(t.program.pid, 4096);
    if (getenv("SOAK"))
        turns_read_all(&t); /* each gives up, after half a minute */
    while (watchers_read(t.watchers, t.n, STANDSTILL_MS)) {
    }
    (void)program_end(&t.program, SIGKILL);
    turns_read_all(&t);
    program_start(&t.program);
    turns_check(&t, TURNS_ANY);
    CHECK(WIFEXITED(program_end(&t.program, SIGTERM)));
    turns_close(&t);
}
