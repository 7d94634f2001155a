/* silent_test.c - a PostgreSQL that says nothing, and one that is a standby.
 *
 * Between us and the server stands a proxy, a Unix socket of our own.  While it
 * holds its breath it accepts connections, and passes nothing on. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/began.h"
#include "base/clock.h"
#include "db/reader.h"
#include "job_help.h"

enum { PATHS = 64, TIMEOUT_MS = 1000, CALLERS = 16 };

/* --- the proxy -------------------------------------------------------- */

static struct {
    int listener, n;
    struct {
        int client, server;
    } paths[PATHS];
    atomic_bool silent;
    atomic_int swallowed; /* connections that came while it was silent */
} proxy;

static int unix_socket(const char *folder, struct sockaddr_un *at)
{
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(at->sun_path, sizeof(at->sun_path), "%s/.s.PGSQL.5432", folder);
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static void accept_one(void)
{
    struct sockaddr_un at;
    int client = accept4(proxy.listener, NULL, NULL, SOCK_CLOEXEC), server = -1;

    CHECK(client >= 0 && proxy.n < PATHS);
    if (proxy.silent) {
        proxy.swallowed++;
    } else {
        server = unix_socket(getenv("TEST_POSTGRES"), &at);
        CHECK(connect(server, (struct sockaddr *)&at, sizeof(at)) == 0);
    }
    proxy.paths[proxy.n].client = client;
    proxy.paths[proxy.n++].server = server;
}

static void move_bytes(int *from, int *to)
{
    char bytes[16384];
    ssize_t n = read(*from, bytes, sizeof(bytes));

    for (ssize_t done = 0; n > 0 && done < n;) {
        ssize_t put = send(*to, bytes + done, (size_t)(n - done), MSG_NOSIGNAL);

        n = put < 0 ? -1 : n;
        done += put;
    }
    if (n > 0)
        return;
    close(*from);
    close(*to);
    *from = *to = -1;
}

static void *pass_on(void *arg)
{
    struct pollfd p[1 + 2 * PATHS];

    for (;;) {
        int n = proxy.n;

        p[0] = (struct pollfd){.fd = proxy.listener, .events = POLLIN};
        for (int i = 0; i < n; i++) {
            bool open = proxy.paths[i].server >= 0 && !proxy.silent;

            p[1 + 2 * i] = (struct pollfd){
                .fd = open ? proxy.paths[i].client : -1, .events = POLLIN};
            p[2 + 2 * i] = (struct pollfd){
                .fd = open ? proxy.paths[i].server : -1, .events = POLLIN};
        }
        CHECK(poll(p, (nfds_t)(1 + 2 * n), 20) >= 0 || errno == EINTR);
        for (int i = 0; i < n && !proxy.silent; i++) {
            if (p[1 + 2 * i].revents)
                move_bytes(&proxy.paths[i].client, &proxy.paths[i].server);
            if (p[2 + 2 * i].revents && proxy.paths[i].server >= 0)
                move_bytes(&proxy.paths[i].server, &proxy.paths[i].client);
        }
        if (p[0].revents)
            accept_one();
    }
    return arg;
}

/* The URL of the test's database at these hosts. */
static const char *url_of(const char *hosts)
{
    static char url[2048];

    (void)test_url(); /* makes it */
    snprintf(url, sizeof(url), "postgres:///%s?host=%s&user=postgres",
             test_note(), hosts);
    return url;
}

static struct db_options behind_the_proxy(void)
{
    struct db_options o = job_db_options(TIMEOUT_MS * test_slow());
    struct sockaddr_un at;
    pthread_t thread;

    contract_engine("postgres");
    proxy.listener = unix_socket(test_dir(), &at);
    CHECK(bind(proxy.listener, (struct sockaddr *)&at, sizeof(at)) == 0);
    CHECK(listen(proxy.listener, 64) == 0);
    o.url = url_of(test_dir());
    CHECK(pthread_create(&thread, NULL, pass_on, NULL) == 0);
    return o;
}

/* --- readers ---------------------------------------------------------- */

static struct {
    struct readers *readers;
    int64_t began_ms;
    atomic_int refused;
} crowd;

/* As a worker does that takes the next request of its queue. */
static void *read_once(void *arg)
{
    struct footnote_err err;
    struct db_cur *cur = NULL;
    struct db *db;
    bool row;

    began_set(crowd.began_ms);
    enum footnote_rc rc = readers_take(crowd.readers, &db, &err);
    if (rc == FOOTNOTE_OK) {
        rc = db_one_n(db, TEST_STMT_MY_PID, NULL, 0, &cur, &row, &err);
        db_end(&cur);
        readers_give(crowd.readers, db);
    }
    CHECK_INT(rc, FOOTNOTE_BUSY);
    began_set(0);
    crowd.refused++;
    return arg;
}

/* Two threads, and sixteen requests that came at the same time: all of them are
 * refused while the server still says nothing, in the time of one.  The time of
 * eight is more than the test has. */
TEST_LIMIT(postgres_silent_refuses_all_who_wait_at_once, 5)
{
    struct db_options o = behind_the_proxy();
    struct writer_options w = {.db = o};
    struct writer *writer = NULL;
    struct footnote_err err;
    struct db *db;

    CHECK_OK(writer_open(&w, &writer, &err), &err);
    CHECK_OK(readers_open(&o, 2, &crowd.readers, &err), &err);
    CHECK_OK(readers_take(crowd.readers, &db, &err), &err);
    (void)thing_ask(db, TEST_STMT_MY_PID);
    readers_give(crowd.readers, db);

    proxy.silent = true;
    crowd.began_ms = clock_mono_ms();
    for (int i = 0; i < CALLERS; i += 2) {
        pthread_t threads[2];

        for (int j = 0; j < 2; j++)
            CHECK(pthread_create(&threads[j], NULL, read_once, NULL) == 0);
        for (int j = 0; j < 2; j++)
            pthread_join(threads[j], NULL);
    }
    CHECK_INT(crowd.refused, CALLERS);
    CHECK(proxy.silent);

    proxy.silent = false;
    CHECK_OK(readers_take(crowd.readers, &db, &err), &err);
    (void)thing_ask(db, TEST_STMT_MY_PID);
    readers_give(crowd.readers, db);
    readers_close(crowd.readers);
    writer_close(writer);
}

/* --- the writer ------------------------------------------------------- */

/* While it runs, the server stops saying anything. */
static enum footnote_rc run_silenced(struct db *db, struct writer_job *base,
                                     bool again, struct footnote_err *err)
{
    proxy.silent = true;
    return job_run_add(db, base, again, err);
}

static enum footnote_rc run_tick(struct db *db, struct writer_job *base,
                                 bool again, struct footnote_err *err)
{
    (void)db;
    (void)base;
    (void)again;
    (void)err;
    return FOOTNOTE_OK;
}

/* In the writer's thread, as are the ends of jobs. */
static bool check_told(bool committed, const struct footnote_err *err,
                       void *arg)
{
    const struct job *jobs = arg;

    (void)err;
    for (int i = 0; i < CALLERS && !committed; i++)
        CHECK_INT(jobs[i].rc, FOOTNOTE_BUSY);
    return false;
}

/* Jobs that come while a batch waits in vain do not wait for as long again, one
 * after the other, nor for the housekeeping. */
TEST_LIMIT(postgres_silent_refuses_all_that_is_queued, 5)
{
    struct job first = {.id = 1, .job.run = run_silenced}, after = {.id = 100};
    struct job more[CALLERS] = {{.id = 0}};
    struct job tick;
    struct writer_options o = {.db = behind_the_proxy(),
                               .batch_max = 1,
                               .tick_ms = 10,
                               .tick = run_tick,
                               .tick_job = &tick.job,
                               .ticked = check_told,
                               .arg = more};
    struct writer *w = NULL;
    struct footnote_err err;

    CHECK_OK(writer_open(&o, &w, &err), &err);
    job_submit(w, &first);
    WAIT_UNTIL(proxy.silent);
    for (int i = 0; i < CALLERS; i++) {
        more[i].id = 10 + i;
        job_submit(w, &more[i]);
    }
    CHECK_INT(job_outcome(&first), FOOTNOTE_BUSY);
    for (int i = 0; i < CALLERS; i++)
        CHECK_INT(job_outcome(&more[i]), FOOTNOTE_BUSY);
    CHECK(proxy.silent);
    proxy.silent = false;
    /* A busy machine may not connect in time at the first try. */
    WAIT_UNTIL(job_submit_and_wait(w, &after) == FOOTNOTE_OK);
    writer_close(w);
}

/* --- the right server ------------------------------------------------- */

/* A machine without power accepts nothing and refuses nothing. */
TEST(postgres_silent_host_is_passed_over)
{
    struct db_options o = behind_the_proxy();
    struct footnote_err err;
    struct db *db = NULL;
    char hosts[1024];

    proxy.silent = true;
    o.timeout_ms = 0;
    snprintf(hosts, sizeof(hosts), "%s,%s", test_dir(),
             getenv("TEST_POSTGRES"));
    o.url = url_of(hosts);
    CHECK_OK(db_open(&o, &db, &err), &err);
    CHECK(proxy.swallowed > 0);
    db_close(db);
}

static void cluster(const char *verb, const char *folder)
{
    char command[400];

    snprintf(command, sizeof(command), "tools/cluster %s %s", verb, folder);
    if (system(command) != 0)
        FAIL("%s failed", command);
}

static enum footnote_rc open_at(const char *hosts, enum db_mode mode,
                                struct db **out, struct footnote_err *err)
{
    char url[1200];
    struct db_options o = job_db_options(0);

    snprintf(url, sizeof(url), "postgres:///postgres?host=%s&user=postgres",
             hosts);
    o.url = url;
    o.mode = mode;
    return db_open(&o, out, err);
}

TEST_LIMIT(postgres_standby_is_never_taken, 120)
{
    char folder[300], standby[320], both[700];
    struct footnote_err err;
    struct db *writes = NULL, *reads = NULL;

    contract_engine("postgres");
    snprintf(folder, sizeof(folder), "%s/pg", test_dir());
    snprintf(standby, sizeof(standby), "%s-standby", folder);
    snprintf(both, sizeof(both), "%s,%s", standby, folder);
    cluster("make", folder);
    cluster("start", folder);
    CHECK_OK(open_at(folder, DB_WRITE, &writes, &err), &err); /* the tables */
    db_close(writes);
    cluster("standby", folder);

    CHECK_OK(open_at(both, DB_WRITE, &writes, &err), &err);
    thing_begin(writes);
    thing_add(writes, 1, "by the primary");
    thing_commit(writes);
    CHECK_OK(open_at(both, DB_READ, &reads, &err), &err);
    thing_begin(reads);
    CHECK_INT(thing_ask(reads, TEST_STMT_IS_STANDBY), 0);
    db_rollback(reads);
    db_close(reads);
    db_close(writes);

    CHECK_INT(open_at(standby, DB_READ, &reads, &err), FOOTNOTE_BUSY);
    CHECK_INT(open_at(standby, DB_WRITE, &writes, &err), FOOTNOTE_BUSY);
    cluster("remove", standby);
    cluster("remove", folder);
}
