/* copy_test.c - what others do while the database is copied.
 *
 * Somebody writes before every page: SQLite's backup then begins again each
 * time, and never ends, unless a snapshot is held.  Somebody deletes a document
 * and its file: the backup has both. */
#include <sqlite3.h>

#include "backup/backup.h"
#include "contract.h"
#include "db/db.h"
#include "help/raw_sql.h"
#include "own_store.h"

enum { ROWS = 500 };

static void (*meanwhile)(void); /* called before every step */
static int steps;

int __real_sqlite3_backup_step(sqlite3_backup *b, int pages);
int __wrap_sqlite3_backup_step(sqlite3_backup *b, int pages);
int __wrap_sqlite3_backup_step(sqlite3_backup *b, int pages)
{
    if (!meanwhile)
        return __real_sqlite3_backup_step(b, pages);
    steps++;
    meanwhile();
    return __real_sqlite3_backup_step(b, 1);
}

static void write_row(void)
{
    char sql[200];

    snprintf(sql, sizeof(sql),
             "INSERT INTO account (tenant, account, name) VALUES (1, %d, %d)",
             ROWS + steps, ROWS + steps);
    raw_sql(sql);
}

static long long number_in(const char *path, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    sqlite3 *db = NULL;
    long long n;

    CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
    n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return n;
}

TEST(a_copy_of_the_database_ends_whoever_writes)
{
    const atomic_bool never = false;
    struct db_options o = {.url = test_url(), .mode = DB_READ};
    struct footnote_err err;
    struct db *db = NULL;
    char path[600], sql[300];

    store_close(own_store()); /* makes the tables */
    raw_sql("INSERT INTO tenant (tenant, name) VALUES (1, 'default')");
    snprintf(sql, sizeof(sql),
             "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
             "WHERE i < %d) INSERT INTO account (tenant, account, name) "
             "SELECT 1, i, i FROM n",
             ROWS);
    raw_sql(sql);
    CHECK_OK(db_open(&o, &db, &err), &err);
    CHECK_OK(db_begin(db, &err), &err);
    snprintf(path, sizeof(path), "%s/copy.db", test_dir());
    meanwhile = write_row;
    CHECK_OK(db_copy_file(db, path, &never, &err), &err);
    meanwhile = NULL;
    db_close(db);
    CHECK(steps > 10);
    CHECK_INT(steps, number_in(path, "PRAGMA page_count"));
    CHECK_INT(number_in(path, "SELECT count(*) FROM account"), ROWS);
    CHECK_INT(raw_number("SELECT count(*) FROM account"), ROWS + steps);
}

/* ---- Files -------------------------------------------------------------- */

static struct objects *objects;
static struct object file;

static void delete_file(void)
{
    if (steps > 1)
        return;
    raw_sql("DELETE FROM object");
    CHECK_INT(object_delete(objects, str_c(file.key), NULL), FOOTNOTE_OK);
}

static void no_damage(void *arg, const char *what)
{
    (void)arg;
    FAIL("%s", what);
}

TEST(a_file_that_is_deleted_while_the_database_is_copied_is_in_the_backup)
{
    const atomic_bool never = false;
    struct backup_made made;
    struct footnote_err err;
    char to[600], sql[400], hex[SHA256_HEX + 1];

    store_close(own_store()); /* makes the tables */
    objects = own_objects();
    CHECK_OK(object_store(objects, STR("heat"), &file, &err), &err);
    sha256_hex(&file.digest, hex);
    snprintf(sql, sizeof(sql),
             "INSERT INTO object (tenant, account, bytes, created_ms, "
             "object_key, digest) VALUES (1, 1, %lld, 1, '%s', x'%s')",
             (long long)file.bytes, file.key, hex);
    raw_sql(sql);
    snprintf(to, sizeof(to), "%s/backups", test_dir());
    meanwhile = delete_file;
    CHECK_OK(backup_make(&(struct backup_options){.database = test_url(),
                                                  .objects = objects,
                                                  .to = {.url = str_c(to)},
                                                  .stop = &never,
                                                  .damage = no_damage},
                         &made, &err),
             &err);
    meanwhile = NULL;
    CHECK(steps > 1);
    CHECK_INT(raw_number("SELECT count(*) FROM object"), 0);
    CHECK_INT(made.manifest.counts.files, 1);
    CHECK_INT(made.manifest.counts.missing, 0);
    objects_close(objects);
}
