/* schema_test.c - opening databases: ours, older, newer, other people's. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thing_help.h"

static enum footnote_rc open_with(const struct sql_set *sql, const char *url)
{
    struct db_options o = {.url = url, .mode = DB_WRITE, .sql = sql};
    struct db *db = NULL;
    enum footnote_rc rc = db_open(&o, &db, &thing_err);

    CHECK((rc == FOOTNOTE_OK) == (db != NULL));
    db_close(db);
    return rc;
}

/* On PostgreSQL, with a connection that is not ours. */
static void pg_exec(const char *sql)
{
    PGconn *c = PQconnectdb(test_url());
    PGresult *r = PQexec(c, sql);

    if (PQresultStatus(r) == PGRES_FATAL_ERROR)
        FAIL("%s: %s", sql, PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

static void sqlite_exec(const char *path, const char *sql)
{
    sqlite3 *c = NULL;

    CHECK_INT(sqlite3_open(path, &c), SQLITE_OK);
    CHECK_INT(sqlite3_exec(c, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(c);
}

static const char *in_dir(const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    return path;
}

/* The set as it was before migration 2. */
static struct sql_set older(void)
{
    struct sql_set set = test_sql_set;

    set.migrations_n = 1;
    set.stmts_n = TEST_STMT_PART_ADD;
    return set;
}

struct file {
    char *p;
    size_t n;
    struct timespec changed;
};

static struct file slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct file file = {malloc(1 << 20), 0, {0}};
    struct stat st;

    CHECK(f && file.p);
    file.n = fread(file.p, 1, 1 << 20, f);
    fclose(f);
    CHECK(stat(path, &st) == 0);
    file.changed = st.st_mtim;
    return file;
}

static void check_untouched(const char *path, struct file before)
{
    struct file after = slurp(path);
    char beside[600];

    CHECK_TEXT(((struct str){after.p, after.n}),
               ((struct str){before.p, before.n}));
    CHECK_INT(after.changed.tv_sec, before.changed.tv_sec);
    CHECK_INT(after.changed.tv_nsec, before.changed.tv_nsec);
    snprintf(beside, sizeof(beside), "%s-wal", path);
    CHECK(access(beside, F_OK) != 0);
    snprintf(beside, sizeof(beside), "%s-shm", path);
    CHECK(access(beside, F_OK) != 0);
    free(before.p);
    free(after.p);
}

CONTRACT(db_an_older_schema_is_brought_up)
{
    struct sql_set old = older();

    CHECK_INT(open_with(&old, test_url()), FOOTNOTE_OK);
    struct db *db = thing_open_begun();
    thing_add(db, 1, "x");
    CHECK_OK(db_do(db, TEST_STMT_PART_ADD, &thing_err, db_i64(1), db_i64(1),
                   db_i64(1), db_null()),
             &thing_err);
    thing_commit(db);
    db_close(db);
    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_OK);
    CHECK_INT(thing_count_committed(), 1);
}

CONTRACT(db_a_newer_schema_is_refused_untouched)
{
    struct sql_set old = older();
    struct file before = {NULL, 0, {0}};

    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_OK);
    if (!test_is_postgres())
        before = slurp(in_dir("test.db"));
    CHECK_INT(open_with(&old, test_url()), FOOTNOTE_FOREIGN);
    thing_check_text("2");
    thing_check_text("1");
    if (!test_is_postgres())
        check_untouched(in_dir("test.db"), before);
    CHECK_INT(thing_count_committed(), 0);
}

/* Two programs before the first release: the second has edited its 0001. */
CONTRACT(db_another_first_migration_is_refused_untouched)
{
    struct sql_migration edited[2];
    struct sql_set other = test_sql_set;
    struct file before = {NULL, 0, {0}};

    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_OK);
    if (!test_is_postgres())
        before = slurp(in_dir("test.db"));
    memcpy(edited, test_sql_set.migrations[test_is_postgres()], sizeof(edited));
    edited[0].text = "CREATE TABLE other (x INTEGER);";
    for (int i = 0; i < SQL_ENGINES; i++)
        other.migrations[i] = edited;
    CHECK_INT(open_with(&other, test_url()), FOOTNOTE_FOREIGN);
    thing_check_text("another migration 0001");
    if (!test_is_postgres())
        check_untouched(in_dir("test.db"), before);
    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_OK);
}

CONTRACT(db_a_failing_migration_says_which_and_leaves_nothing)
{
    const char *const good = "CREATE TABLE third (x INTEGER);";
    const char *const bad = "CREATE TABLE fourth (x INTEGER); nonsense;";
    struct sql_migration more[4];
    struct sql_set set = test_sql_set;

    for (int i = 0; i < SQL_ENGINES; i++)
        set.migrations[i] = more;
    memcpy(more, test_sql_set.migrations[test_is_postgres()],
           2 * sizeof(*more));
    more[2] = (struct sql_migration){3, "third", good};
    more[3] = (struct sql_migration){4, "fourth", bad};
    set.migrations_n = 4;
    CHECK_INT(open_with(&set, test_url()), FOOTNOTE_INTERNAL);
    thing_check_text("migration 4 (fourth): ");
    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_OK);
    more[3].text = "CREATE TABLE fourth (x INTEGER);";
    CHECK_INT(open_with(&set, test_url()), FOOTNOTE_OK);
    CHECK_INT(open_with(&set, test_url()), FOOTNOTE_OK);
}

CONTRACT(db_an_unknown_url_is_invalid)
{
    CHECK_INT(open_with(&test_sql_set, "mysql://x"), FOOTNOTE_INVALID);
    CHECK_INT(open_with(&test_sql_set, "sqlite:"), FOOTNOTE_INVALID);
    CHECK_INT(open_with(&test_sql_set, "sqlite:x?speed=high"),
              FOOTNOTE_INVALID);
    CHECK_INT(open_with(&test_sql_set, "postgres:///x?speed=high"),
              FOOTNOTE_INVALID);
    CHECK_INT(open_with(&test_sql_set, "postgres:///x?host=/nowhere"),
              FOOTNOTE_BUSY);
    CHECK_INT(open_with(&test_sql_set, "sqlite:/no/such/folder/x.db"),
              FOOTNOTE_INVALID);
    thing_check_text("/no/such/folder");
}

TEST(db_sqlite_files_of_others_are_refused_untouched)
{
    const char *path = in_dir("other");
    char url[600];
    struct file before;
    FILE *f = fopen(path, "w");

    CHECK(f && fprintf(f, "%5000s", "not a database") > 0 && fclose(f) == 0);
    snprintf(url, sizeof(url), "sqlite:%s?durability=relaxed", path);
    before = slurp(path);
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_FOREIGN);
    check_untouched(path, before);

    CHECK(unlink(path) == 0);
    sqlite_exec(path, "PRAGMA journal_mode = WAL; CREATE TABLE x (y);");
    before = slurp(path);
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_FOREIGN);
    thing_check_text("another program");
    check_untouched(path, before);

    CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_FOREIGN);
    CHECK(rmdir(path) == 0);
}

TEST(db_sqlite_takes_odd_names_and_empty_files)
{
    char url[600];
    const char *path;

    snprintf(url, sizeof(url), "sqlite:%s", in_dir("50% of #1"));
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_OK);
    CHECK(access(in_dir("50% of #1"), F_OK) == 0);
    path = in_dir("empty");
    FILE *f = fopen(path, "w");
    CHECK(f && fclose(f) == 0);
    snprintf(url, sizeof(url), "sqlite:%s", path);
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_OK);
}

TEST(db_sqlite_memory_is_shared_by_name)
{
    struct db_options o = {
        .url = "sqlite::memory:here", .mode = DB_WRITE, .sql = &test_sql_set};
    struct db *writer = NULL, *reader = NULL;

    CHECK_OK(db_open(&o, &writer, &thing_err), &thing_err);
    o.mode = DB_READ;
    CHECK_OK(db_open(&o, &reader, &thing_err), &thing_err);
    thing_begin(writer);
    thing_add(writer, 1, "x");
    thing_commit(writer);
    thing_begin(reader);
    CHECK_INT(thing_count(reader), 1);
    db_close(reader);
    db_close(writer);
    o.url = "sqlite::memory:";
    CHECK_INT(db_open(&o, &reader, &thing_err), FOOTNOTE_INVALID);
    o.mode = DB_WRITE;
    CHECK_OK(db_open(&o, &writer, &thing_err), &thing_err);
    thing_begin(writer);
    CHECK_INT(thing_count(writer), 0);
    db_close(writer);
}

TEST(db_postgres_schemas_of_others_are_refused)
{
    contract_engine("postgres");
    pg_exec("CREATE SCHEMA footnote; CREATE TABLE footnote.mine (x int);");
    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_FOREIGN);
    pg_exec("SELECT 1 / (count(*) = 1)::int FROM pg_class "
            "WHERE relnamespace = 'footnote'::regnamespace;");
}

TEST(db_postgres_unsafe_settings_are_refused_by_name)
{
    char url[600], sql[600];

    contract_engine("postgres");
    snprintf(sql, sizeof(sql), "ALTER DATABASE %s SET synchronous_commit = off",
             (test_url(), test_note()));
    pg_exec(sql);
    CHECK_INT(open_with(&test_sql_set, test_url()), FOOTNOTE_INVALID);
    thing_check_text("synchronous_commit=off");
    snprintf(url, sizeof(url), "%s&allow_unsafe=1", test_url());
    CHECK_INT(open_with(&test_sql_set, url), FOOTNOTE_OK);
}
