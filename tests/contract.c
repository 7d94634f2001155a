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

/* Runs one command on the cluster; false, with the reason printed, when it
 * failed. */
static bool command(const char *sql)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {socket_folder(), "postgres", "postgres", NULL};
    PGconn *c = PQconnectdbParams(keys, values, 0);
    PGresult *r = PQexec(c, sql);
    bool ok = PQresultStatus(r) == PGRES_COMMAND_OK;

    if (!ok)
        printf("%s: %s", sql, PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
    return ok;
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

/* The process id is unique among the living, and the dead are dropped. */
static void make_database(char *url, size_t bytes)
{
    char *name = test_note();
    char sql[128];

    snprintf(name, 64, "footnote_%d", (int)getpid());
    snprintf(sql, sizeof(sql), "CREATE DATABASE %s TEMPLATE template0", name);
    if (!command(sql))
        FAIL("no database for this test");
    snprintf(url, bytes, "postgres:///%s?host=%s&user=postgres", name,
             socket_folder());
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
