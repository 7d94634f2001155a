/* contract.c - a fresh database for each test, on either engine.
 *
 * A PostgreSQL test gets a database of its own in the cluster whose socket
 * folder is TEST_POSTGRES.  It is dropped after the test by the harness, also
 * when the test crashed; test_note() carries its name over. */
#include "contract.h"
#include <libpq-fe.h>
#include <stdlib.h>
#include <unistd.h>

static const char *engine = "sqlite";

static const char *socket_folder(void)
{
    return getenv("TEST_POSTGRES");
}

void contract_engine(const char *name)
{
    engine = name;
    if (test_is_postgres() && !socket_folder())
        FAIL("TEST_POSTGRES is not set: run `make test`, or "
             "`tools/cluster run PROGRAM`");
}

bool test_is_postgres(void)
{
    return strcmp(engine, "postgres") == 0;
}

static PGconn *connect_to_cluster(void)
{
    const char *keys[] = {"host", "user", "dbname", "options", NULL};
    const char *values[] = {socket_folder(), "postgres", "postgres",
                            "-c client_min_messages=warning", NULL};

    return PQconnectdbParams(keys, values, 0);
}

/* How many rows a command gives; -1, with the reason printed: it failed. */
static int rows_of(PGconn *c, const char *sql)
{
    PGresult *r = PQexec(c, sql);
    int rows = PQntuples(r);

    if (PQresultStatus(r) != PGRES_COMMAND_OK &&
        PQresultStatus(r) != PGRES_TUPLES_OK) {
        printf("%s: %s", sql, PQerrorMessage(c));
        rows = -1;
    }
    PQclear(r);
    return rows;
}

static int command(const char *sql)
{
    PGconn *c = connect_to_cluster();
    int rows = rows_of(c, sql);

    PQfinish(c);
    return rows;
}

static void url_of(char *url, size_t bytes, const char *database)
{
    snprintf(url, bytes, "postgres:///%s?host=%s&user=postgres", database,
             socket_folder());
}

void test_drop_database(void)
{
    char sql[128];
    if (!*test_note())
        return;
    /* FORCE: a backend may still be busy for a process that was killed. */
    snprintf(sql, sizeof(sql), "DROP DATABASE IF EXISTS %s WITH (FORCE)",
             test_note());
    command(sql);
}

__attribute__((constructor)) static void drop_after_each(void)
{
    test_after(test_drop_database);
}

static contract_fill_fn *fill;

void contract_begin_with(contract_fill_fn *fn)
{
    fill = fn;
}

/* A database is copied in a tenth of the time that filling one takes.  The
 * first test that needs it makes the one to copy; what a test that was killed
 * had made of it is dropped. */
static const char *what_to_copy(void)
{
    static const char *const make[] = {
        "DROP DATABASE IF EXISTS filling WITH (FORCE)",
        "CREATE DATABASE filling TEMPLATE template0"};
    char url[512];
    PGconn *c;

    if (!fill)
        return "template0";
    c = connect_to_cluster();
    CHECK_INT(rows_of(c, "SELECT pg_advisory_lock(1)"), 1);
    if (!rows_of(c, "SELECT 1 FROM pg_database WHERE datname = 'filled'")) {
        CHECK_INT(rows_of(c, make[0]), 0);
        CHECK_INT(rows_of(c, make[1]), 0);
        url_of(url, sizeof(url), "filling");
        fill(url);
        CHECK_INT(rows_of(c, "ALTER DATABASE filling RENAME TO filled"), 0);
    }
    PQfinish(c);
    return "filled";
}

/* The process id is unique among the living, and the dead are dropped. */
static void make_database(char *url, size_t bytes)
{
    char *name = test_note();
    char sql[256];

    snprintf(name, 64, "footnote_%d", (int)getpid());
    snprintf(sql, sizeof(sql), "CREATE DATABASE %s TEMPLATE %s", name,
             what_to_copy());
    if (command(sql))
        FAIL("no database for this test");
    url_of(url, bytes, name);
}

const char *test_url(void)
{
    static char url[512];
    if (*url)
        return url;
    if (test_is_postgres())
        make_database(url, sizeof(url));
    else
        snprintf(url, sizeof(url), "sqlite:%s/test.db", test_dir());
    return url;
}
