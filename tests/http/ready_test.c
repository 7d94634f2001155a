/* ready_test.c - what /readyz, /metrics and the log say of a database that
 * cannot be written, while reading goes on. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "contract.h"
#include "help/site.h"
#include "store/health.h"

/* Somebody else keeps what a write needs. */
struct holder {
    sqlite3 *sqlite;
    PGconn *postgres;
};

static void run_sql(struct holder *h, const char *sql)
{
    if (test_is_postgres())
        PQclear(PQexec(h->postgres, sql));
    else
        CHECK_INT(sqlite3_exec(h->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
}

static void hold(struct holder *h)
{
    if (test_is_postgres())
        h->postgres = PQconnectdb(test_url());
    else
        CHECK_INT(sqlite3_open(test_url() + sizeof("sqlite:") - 1, &h->sqlite),
                  SQLITE_OK);
    run_sql(h, test_is_postgres() ? "BEGIN;" : "BEGIN IMMEDIATE;");
    if (test_is_postgres())
        run_sql(h, "LOCK TABLE footnote.store_identity IN EXCLUSIVE MODE;");
}

static void let_go(struct holder *h)
{
    run_sql(h, "COMMIT;");
    PQfinish(h->postgres);
    sqlite3_close(h->sqlite);
}

static bool ready_says(struct site *s, const char *path, const char *words)
{
    struct answer_to t = site_get(s, path);

    return t.status == 200 && strstr(t.body.p, words) != NULL;
}

static bool metrics_say(struct site *s, const char *words)
{
    return strstr(site_get(s, "/metrics").body.p, words) != NULL;
}

/* Nobody writes: it is found out because somebody asks. */
CONTRACT(ready_says_that_writes_wait_and_when_they_do_not)
{
    struct site s = {.curl = NULL};
    struct holder h = {NULL, NULL};

    site_open(&s);
    CHECK(ready_says(&s, "/readyz", "\"writable\":true"));
    CHECK(metrics_say(&s, "\nfootnote_writable 1\n"));
    hold(&h);
    WAIT_UNTIL(ready_says(&s, "/readyz", "\"writable\":false"));
    CHECK(ready_says(&s, "/readyz", "\"why\":\"The database "));
    CHECK(!ready_says(&s, "/readyz", "cause"));
    CHECK(ready_says(&s, "/readyz?full", "\"cause\":\""));
    CHECK(metrics_say(&s, "\nfootnote_writable 0\n"));
    CHECK_INT(site_get(&s, "/api/sessions").status, 200);
    let_go(&h);
    WAIT_UNTIL(ready_says(&s, "/readyz", "\"writable\":true"));
    site_close(&s);
}

/* --- a database that was made read-only ------------------------------- */

/* The text with the database's name between its two parts. */
static void as_administrator(const char *before, const char *after)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {getenv("TEST_POSTGRES"), "postgres", "postgres",
                            NULL};
    PGconn *c = PQconnectdbParams(keys, values, 0);
    char text[400];

    snprintf(text, sizeof(text), "%s%s%s", before, test_note(), after);
    PGresult *r = PQexec(c, text);
    CHECK(PQresultStatus(r) != PGRES_FATAL_ERROR);
    PQclear(r);
    PQfinish(c);
}

struct told {
    _Atomic int failed, mended, reads;
};

static void on_health(void *arg, enum health_way way, const struct health *h)
{
    struct told *told = arg;

    if (way != HEALTH_WRITING)
        told->reads++;
    else if (h->ok)
        told->mended++;
    else
        told->failed++;
}

TEST(ready_postgres_says_that_it_is_read_only_and_when_it_is_not)
{
    struct site s = {.curl = NULL};
    struct told told = {0};
    struct ask save = {
        .method = "POST", .path = "/api/sessions", .body = STR("{}")};

    contract_engine("postgres");
    site_open(&s);
    health_watch(s.served.store, on_health, &told);
    as_administrator("ALTER DATABASE ",
                     " SET default_transaction_read_only = on");
    as_administrator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                     "WHERE datname = '",
                     "'");
    WAIT_UNTIL(
        ready_says(&s, "/readyz", "\"why\":\"The database is read-only"));
    CHECK_INT(site_ask(&s, &save).status, 503);
    CHECK(
        !metrics_say(&s, "footnote_store_errors_total{code=\"readonly\"} 0\n"));
    CHECK_INT(site_get(&s, "/api/sessions").status, 200);
    CHECK_INT(told.mended, 0);
    as_administrator("ALTER DATABASE ", " RESET default_transaction_read_only");
    WAIT_UNTIL(ready_says(&s, "/readyz", "\"writable\":true"));
    CHECK_INT(site_ask(&s, &save).status, 201);
    CHECK_INT(told.mended, 1);
    CHECK(told.failed >= 1 && told.failed < 5); /* not with each request */
    health_watch(s.served.store, NULL, NULL);
    site_close(&s);
}

/* --- the operator ----------------------------------------------------- */

CONTRACT(ready_tells_the_operator_more_than_others)
{
    struct site s = {.metrics_token = STR("sesame")};
    struct ask from_afar = {.method = "GET",
                            .path = "/readyz?full",
                            .header = "X-Forwarded-For: 192.0.2.7"};
    static const char *const parts[] = {"\"database\":{\"bytes\":",
                                        "\"logBytes\":",
                                        "\"disk\":{",
                                        "\"model\":{\"name\":\"extractive\"}",
                                        "\"embedder\":null",
                                        "\"reranker\":null",
                                        "\"backup\":{\"ageSeconds\":null}"};

    site_open(&s);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        CHECK(ready_says(&s, "/readyz?full", parts[i]));
    CHECK(
        metrics_say(&s, "\nfootnote_store_errors_total{code=\"damaged\"} 0\n"));
    CHECK(metrics_say(&s, "\nfootnote_db_log_bytes "));
    CHECK(!metrics_say(&s, "footnote_backup_age_seconds"));

    CHECK_INT(site_ask(&s, &from_afar).status, 401);
    from_afar.path = "/readyz";
    CHECK_INT(site_ask(&s, &from_afar).status, 200);
    site_close(&s);
}
