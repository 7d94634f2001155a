/* plan_test.c - how the engines go about our statements, in a database that
 * they have not looked at yet.
 *
 * PostgreSQL's planner is asked on a connection of ours, with the settings that
 * we give it, for the plan that it will really use: EXPLAIN EXECUTE of each
 * statement that the driver has prepared.  SQLite's looks at the schema alone,
 * so its plans stay. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "contract.h"
#include "db/db.h"

enum { TEXT_BYTES = 256 };

/* The product's statements, and behind each of them its EXPLAIN. */
struct asking {
    struct sql_set set;
    struct sql_stmt *stmts;
    char (*texts)[TEXT_BYTES], (*names)[TEXT_BYTES];
};

static void ask_for(struct asking *a, size_t i)
{
    const struct sql_stmt *s = &sql_set.stmts[i];
    char *text = a->texts[i];
    size_t n = (size_t)snprintf(text, TEXT_BYTES, "EXPLAIN EXECUTE %s%s",
                                s->name, s->args_n ? "(" : "");

    for (int k = 0; k < s->args_n; k++)
        n += (size_t)snprintf(text + n, TEXT_BYTES - n, "NULL%s",
                              k + 1 < s->args_n ? "," : ")");
    snprintf(a->names[i], TEXT_BYTES, "plan_of_%s", s->name);
    a->stmts[i] = *s;
    a->stmts[sql_set.stmts_n + i] =
        (struct sql_stmt){.name = a->names[i], .text = {text, text}};
}

static struct asking asking_make(void)
{
    size_t n = sql_set.stmts_n;
    struct asking a = {.set = sql_set,
                       .stmts = calloc(2 * n, sizeof(*a.stmts)),
                       .texts = calloc(n, sizeof(*a.texts)),
                       .names = calloc(n, sizeof(*a.names))};

    CHECK(a.stmts && a.texts && a.names);
    for (size_t i = 0; i < n; i++)
        ask_for(&a, i);
    a.set.stmts = a.stmts;
    a.set.stmts_n = 2 * n;
    return a;
}

static void asking_free(struct asking *a)
{
    free(a->stmts);
    free(a->texts);
    free(a->names);
}

/* --- reading a plan --------------------------------------------------- */

static bool is_among(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Tables that hold only what goes on right now, or that are few by nature. */
static bool is_small(const char *table)
{
    return is_among(table,
                    (const char *const[]){"answer_lease", "answer_word_log",
                                          "ingest_job", "node", "tenant",
                                          "api_key", "vector_turn", NULL});
}

/* Housekeeping that reads all there is; a sum that is remembered for a while.
 */
static bool may_walk(const char *statement)
{
    return is_among(statement,
                    (const char *const[]){"snapshots_unused", "usage_recount",
                                          "usage_tenant", NULL});
}

/* The table that this line of a plan reads; false when it reads none. */
static bool reads(const char *line, char table[TEXT_BYTES])
{
    const char *scan = strstr(line, "Scan "), *on = strstr(line, " on ");

    return scan && on && !strstr(line, "Subquery") && !strstr(line, "VALUES") &&
           !strstr(line, "Function") && sscanf(on, " on %255s", table) == 1;
}

/* The line behind it says by what.  The tenant alone leads to everything that
 * it has. */
static bool is_by_key(const char *line)
{
    const char *cond = strstr(line, "Index Cond: (");

    return cond && strncmp(cond, "Index Cond: (tenant = ", 22) != 0;
}

static void check_plan(struct db *db, size_t i)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const char *name = sql_set.stmts[i].name;
    struct footnote_err err;
    char table[TEXT_BYTES] = "";
    bool row = true;

    CHECK_OK(
        db_run_n(db, (enum stmt_id)(sql_set.stmts_n + i), NULL, 0, &cur, &err),
        &err);
    while (row) {
        char line[1024] = "";

        CHECK_OK(db_next(cur, &row, &err), &err);
        if (row)
            snprintf(line, sizeof(line), "%.*s", STR_ARG(db_col_str(cur, 0)));
        if (*table && !is_small(table) && !may_walk(name) && !is_by_key(line))
            FAIL("%s walks over %s: %s", name, table, line);
        if (!reads(line, table))
            *table = '\0';
    }
}

static void check_plans(const struct asking *a)
{
    struct db_options o = {.url = test_url(), .mode = DB_WRITE, .sql = &a->set};
    struct footnote_err err;
    struct db *db;

    CHECK_OK(db_open(&o, &db, &err), &err);
    CHECK_OK(db_begin(db, &err), &err);
    for (size_t i = 0; i < sql_set.stmts_n; i++)
        check_plan(db, i);
    db_close(db);
}

/* --- rows that the planner has not heard of --------------------------- */

/* $N is replaced by the numbers of the rows. */
// clang-format off
static const char *const rows[] = {
    "INSERT INTO account (tenant, account, name) SELECT 1, n, n FROM $N",
    "INSERT INTO course (tenant, course, id, owner, created_ms) "
        "SELECT 1, n, n, n, n FROM $N",
    "INSERT INTO session (tenant, session, owner, id, course, created_ms, "
        "active_ms) SELECT 1, n, n, n, n, n, n FROM $N",
    "INSERT INTO message (tenant, session, seq, owner, id, role, status, "
        "created_ms, content) "
        "SELECT 1, n / 20, n, 1, n, 2, 0, n, repeat('so ', 99) FROM $N",
    "INSERT INTO source (tenant, source, pool, digest, source_type, "
        "source_key, document_id) "
        "SELECT 1, n, 1, sha256(n::text::bytea), 2, n, n / 20 FROM $N",
    "INSERT INTO source_reference (tenant, session, seq, number, source, "
        "cited) SELECT 1, n / 20, n, 1, n, 1 FROM $N",
    NULL};
// clang-format on

static void run(PGconn *c, const char *sql)
{
    PGresult *r = PQexec(c, sql);

    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        FAIL("%s: %s", sql, PQerrorMessage(c));
    PQclear(r);
}

static void fill(PGconn *c, int from, int to)
{
    char numbers[64], text[1024];

    snprintf(numbers, sizeof(numbers), "generate_series(%d, %d) n", from, to);
    for (const char *const *sql = rows; *sql; sql++) {
        int n = (int)(strstr(*sql, "$N") - *sql);

        snprintf(text, sizeof(text), "%.*s%s", n, *sql, numbers);
        run(c, text);
    }
}

/* The server's own analysing would come at any time. */
static PGconn *connect_alone(void)
{
    PGconn *c = PQconnectdb(test_url());

    run(c, "SET search_path = footnote");
    run(c,
        "DO $$ DECLARE t regclass; BEGIN FOR t IN SELECT oid FROM pg_class "
        "WHERE relkind = 'r' AND relnamespace = 'footnote'::regnamespace LOOP "
        "EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', "
        "t); END LOOP; END $$");
    run(c, "INSERT INTO tenant (tenant, name) VALUES (1, 't')");
    return c;
}

/* Plans are kept, so those that were made for empty tables count as well.  The
 * least that can be known of a table is a single row, which was changed often
 * enough to be looked at. */
TEST(postgres_no_statement_walks_over_a_table_that_has_grown)
{
    struct asking a;
    PGconn *c;

    contract_engine("postgres");
    a = asking_make();
    check_plans(&a);
    c = connect_alone();
    fill(c, 1, 1);
    check_plans(&a);
    fill(c, 2, 1000);
    check_plans(&a);
    run(c, "TRUNCATE session, message, source, source_reference");
    run(c, "DELETE FROM course");
    run(c, "DELETE FROM account");
    fill(c, 1, 1);
    run(c, "ANALYZE session, message, source, source_reference");
    fill(c, 2, 2000);
    check_plans(&a);
    PQfinish(c);
    asking_free(&a);
}

/* --- SQLite ------------------------------------------------------------ */

/* What reads documents, jobs, pictures or vectors of a whole tenant; the rest
 * would read messages, sources or references. */
static bool may_walk_tenant(const char *statement)
{
    return is_among(statement,
                    (const char *const[]){
                        "course_documents_ids", "document_same",
                        "document_entry", "document_url", "index_documents",
                        "journal_recent", "people_jobs", "snapshots_of_slide",
                        "usage_tenant", "vectors_state", "vectors_models",
                        NULL});
}

/* What is asked for piece by piece, or by each of many workers: sorting all for
 * every piece costs the square of them. */
static bool must_not_sort(const char *statement)
{
    return is_among(statement,
                    (const char *const[]){"index_passages", "index_courses",
                                          "vectors_missing", "vectors_read",
                                          "job_next", NULL});
}

static void check_sqlite_plan(sqlite3 *c, const struct sql_stmt *s)
{
    char text[8192];
    sqlite3_stmt *plan = NULL;

    CHECK(snprintf(text, sizeof(text), "EXPLAIN QUERY PLAN %s",
                   s->text[SQL_SQLITE]) < (int)sizeof(text));
    if (sqlite3_prepare_v2(c, text, -1, &plan, NULL) != SQLITE_OK)
        FAIL("%s: %s", s->name, sqlite3_errmsg(c));
    while (sqlite3_step(plan) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(plan, 3);

        if (strstr(line, "(tenant=?)") && !may_walk_tenant(s->name))
            FAIL("%s: %s", s->name, line);
        if (strstr(line, "TEMP B-TREE") && must_not_sort(s->name))
            FAIL("%s: %s", s->name, line);
    }
    sqlite3_finalize(plan);
}

TEST(sqlite_no_statement_walks_over_all_that_a_tenant_has_said)
{
    struct footnote_err err;
    struct db *db = NULL;
    sqlite3 *c = NULL;

    contract_engine("sqlite");
    CHECK_OK(db_open(&(struct db_options){.url = test_url(), .mode = DB_WRITE},
                     &db, &err),
             &err);
    CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &c), SQLITE_OK);
    for (size_t i = 0; i < sql_set.stmts_n; i++)
        check_sqlite_plan(c, &sql_set.stmts[i]);
    sqlite3_close(c);
    db_close(db);
}

/* --- what an index of n passages costs ----------------------------------- */

enum { PAGE = 500, FEW = 2000, MANY = 8000 };

static const char *text_of(const char *statement, enum sql_engine engine)
{
    size_t i = 0;

    while (strcmp(sql_set.stmts[i].name, statement) != 0)
        i++;
    return sql_set.stmts[i].text[engine];
}

/* Steps of SQLite's machine to read a document's passages, page by page. */
static long sqlite_steps(sqlite3 *c, int document, int passages)
{
    sqlite3_stmt *s = NULL;
    int at = 0;
    long steps;

    CHECK_INT(sqlite3_prepare_v2(c, text_of("index_passages", SQL_SQLITE), -1,
                                 &s, NULL),
              SQLITE_OK);
    while (at < passages) {
        int args[] = {1, document, 1, at, PAGE};

        sqlite3_reset(s);
        for (int i = 0; i < 5; i++)
            sqlite3_bind_int(s, i + 1, args[i]);
        while (sqlite3_step(s) == SQLITE_ROW)
            at = sqlite3_column_int(s, COL_PASSAGE_SEALED_POSITION);
    }
    steps = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(s);
    return steps;
}

TEST(sqlite_passages_are_read_for_the_index_in_linear_time)
{
    struct footnote_err err;
    struct db *db = NULL;
    sqlite3 *c = NULL;
    long few;

    contract_engine("sqlite");
    CHECK_OK(db_open(&(struct db_options){.url = test_url(), .mode = DB_WRITE},
                     &db, &err),
             &err);
    CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &c), SQLITE_OK);
    CHECK_INT(sqlite3_exec(c,
                           "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL "
                           "SELECT n + 1 FROM n WHERE n < 8000) "
                           "INSERT INTO passage (tenant, document, version, "
                           "position, text) SELECT 1, d.column1, 1, n, 'x' "
                           "FROM n, (VALUES (1, 2000), (2, 8000)) d "
                           "WHERE n <= d.column2",
                           NULL, NULL, NULL),
              SQLITE_OK);
    few = sqlite_steps(c, 1, FEW);
    CHECK(few > FEW);
    CHECK(sqlite_steps(c, 2, MANY) < 5 * few);
    sqlite3_close(c);
    db_close(db);
}

/* Rows that one node of a plan has looked at. */
static long rows_of(const char *line)
{
    const char *actual = strstr(line, "(actual rows="),
               *removed = strstr(line, "Removed by Filter: ");

    if (removed)
        return atol(strchr(removed, ':') + 1);
    return actual && !strstr(line, "Limit") ? atol(strchr(actual, '=') + 1) : 0;
}

/* Rows that PostgreSQL looks at, page by page. */
static long postgres_rows(PGconn *c, int document, int passages)
{
    long all = 0;

    for (int at = 0; at < passages; at += PAGE) {
        char sql[160];
        PGresult *r;

        snprintf(sql, sizeof(sql),
                 "EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) "
                 "EXECUTE page(1, %d, 1, %d, %d)",
                 document, at, PAGE);
        r = PQexec(c, sql);
        CHECK_INT(PQresultStatus(r), PGRES_TUPLES_OK);
        for (int i = 0; i < PQntuples(r); i++)
            all += rows_of(PQgetvalue(r, i, 0));
        PQclear(r);
    }
    return all;
}

TEST(postgres_passages_are_read_for_the_index_in_linear_time)
{
    struct footnote_err err;
    struct db *db = NULL;
    char sql[4096];
    PGconn *c;

    contract_engine("postgres");
    CHECK_OK(db_open(&(struct db_options){.url = test_url(), .mode = DB_WRITE},
                     &db, &err),
             &err);
    c = connect_alone();
    run(c, "INSERT INTO account (tenant, account, name) VALUES (1, 1, 'a')");
    run(c, "INSERT INTO course (tenant, course, id, owner, created_ms) "
           "VALUES (1, 1, 'c', 1, 0)");
    run(c, "INSERT INTO document (tenant, document, course, kind, status, "
           "created_ms, account, id) SELECT 1, n, 1, 5, 2, 0, 1, n "
           "FROM generate_series(1, 2) n");
    run(c, "INSERT INTO document_version (tenant, document, version, "
           "created_ms, account, digest) SELECT 1, n, 1, 0, 1, sha256('') "
           "FROM generate_series(1, 2) n");
    run(c, "INSERT INTO passage (tenant, document, version, position, text) "
           "SELECT 1, d, 1, n, 'x' FROM generate_series(1, 8000) n, "
           "generate_series(1, 2) d WHERE d = 2 OR n <= 2000");
    CHECK(snprintf(sql, sizeof(sql), "PREPARE page AS %s",
                   text_of("index_passages", SQL_POSTGRES)) < (int)sizeof(sql));
    run(c, sql);
    CHECK(postgres_rows(c, 1, FEW) >= FEW);
    CHECK(postgres_rows(c, 2, MANY) < MANY * 5 / 4);
    PQfinish(c);
    db_close(db);
}
