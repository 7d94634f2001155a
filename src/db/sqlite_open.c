/* sqlite_open.c - opening a SQLite file: is it ours, is it safe, is it current.
 *
 * A file that is not ours is looked at through a read-only connection and not
 * touched.  It is never opened by hand: closing any descriptor of a file drops
 * all POSIX locks that this process has on it, SQLite's among them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "db/sqlite_impl.h"

enum {
    APPLICATION_ID = 0x466f6f74, /* "Foot" */
    PATH_BYTES_MAX = 16 * 1024,
    SLOW_STEPS = 20000 /* about a millisecond of SQLite's machine */
};

/* --- the URL ---------------------------------------------------------- */

static enum footnote_rc check_keys(struct str query, struct footnote_err *err)
{
    while (query.n > 0) {
        size_t end = str_find(query, '&');
        struct str pair = {query.p, end};
        struct str key = {pair.p, str_find(pair, '=')};
        /* The store above reads this one. */
        if (!str_eq(key, STR("durability")))
            return err_set(err, FOOTNOTE_INVALID,
                           "sqlite has no option \"%.*s\"", STR_ARG(key));
        query = str_skip(query, end < query.n ? end + 1 : end);
    }
    return FOOTNOTE_OK;
}

/* ":memory:" is private to its connection; ":memory:NAME" is shared by the
 * connections of this process and gone when the last one is closed. */
static enum footnote_rc memory_name(struct sqlite_db *db, struct str name,
                                    struct footnote_err *err)
{
    db->memory = true;
    for (size_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789-_",
                    name.p[i]))
            return err_set(err, FOOTNOTE_INVALID,
                           "the name of a memory database is letters, "
                           "digits, - and _");
    if (name.n == 0 && db->base.mode == DB_READ)
        return err_set(err, FOOTNOTE_INVALID,
                       "a private memory database has no second connection; "
                       "name it, as in sqlite::memory:NAME");
    return FOOTNOTE_OK;
}

enum footnote_rc sqlite_parse_url(struct sqlite_db *db, const char *url,
                                  struct footnote_err *err)
{
    const struct str memory = STR(":memory:");
    struct str path = str_skip(str_c(url), STR("sqlite:").n);
    size_t end = str_find(path, '?');

    if (end < path.n)
        TRY(check_keys(str_skip(path, end + 1), err));
    path.n = end;
    while (str_starts(path, STR("//"))) /* sqlite:///tmp/x is /tmp/x */
        path = str_skip(path, 1);
    if (path.n == 0)
        return err_set(err, FOOTNOTE_INVALID, "sqlite: needs a file name");
    if (str_starts(path, memory)) {
        path = str_skip(path, memory.n);
        TRY(memory_name(db, path, err));
        if (path.n == 0)
            return FOOTNOTE_OK;
    }
    db->path = strndup(path.p, path.n);
    if (!db->path)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    return FOOTNOTE_OK;
}

/* --- connections and one-off statements ------------------------------- */

static void add_uri_path(struct buf *b, const char *path)
{
    for (; *path; path++) {
        if (strchr("%?#", *path))
            buf_printf(b, "%%%02x", (unsigned)(unsigned char)*path);
        else
            buf_add_c(b, *path);
    }
}

static void uri(struct buf *b, const struct sqlite_db *db, const char *params)
{
    buf_add(b, STR("file:"));
    if (db->memory && !db->path) {
        buf_add(b, STR(":memory:"));
    } else if (db->memory) {
        buf_printf(b, "/%s?vfs=memdb", db->path);
    } else {
        add_uri_path(b, db->path);
        buf_printf(b, "?%s", params);
    }
    buf_add_c(b, '\0');
}

static enum footnote_rc open_conn(const struct sqlite_db *db, int flags,
                                  const char *params, sqlite3 **out,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf name = BUF(PATH_BYTES_MAX);

    *out = NULL;
    uri(&name, db, params);
    TRY(buf_rc(&name, err));
    int code = sqlite3_open_v2(
        name.p, out, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return sqlite_fail(*out, *out ? sqlite3_extended_errcode(*out) : code,
                           "opening the database", err);
    sqlite3_extended_result_codes(*out, 1);
    return FOOTNOTE_OK;
}

static void closep(sqlite3 **conn)
{
    (void)sqlite3_close(*conn);
}

static enum footnote_rc exec(void *conn, const char *sql,
                             struct footnote_err *err)
{
    int code = sqlite3_exec(conn, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? FOOTNOTE_OK : sqlite_fail(conn, code, NULL, err);
}

static enum footnote_rc ask_i64(void *conn, const char *sql, int64_t *out,
                                struct footnote_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(conn, sql, -1, &stmt, NULL);

    *out = 0;
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return sqlite_fail(conn, code, NULL, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc ask_version(sqlite3 *conn, int *out,
                                    struct footnote_err *err)
{
    int64_t version;

    TRY(ask_i64(conn, "PRAGMA user_version;", &version, err));
    *out = (int)version;
    return FOOTNOTE_OK;
}

/* --- is it ours? ------------------------------------------------------ */

/* One that is empty says nothing. */
static bool has_companion(const char *path, const char *suffix)
{
    AUTO(buf_free) struct buf name = BUF(PATH_BYTES_MAX);
    struct stat st;

    buf_printf(&name, "%s%s", path, suffix);
    buf_add_c(&name, '\0');
    /* When in doubt, yes: that way takes the locks. */
    return buf_rc(&name, NULL) != FOOTNOTE_OK ||
           (stat(name.p, &st) == 0 && st.st_size > 0);
}

static enum footnote_rc check_folder(const char *path, struct footnote_err *err)
{
    const char *slash = strrchr(path, '/');
    AUTO(buf_free) struct buf folder = BUF(PATH_BYTES_MAX);
    struct stat st;

    if (!slash || slash == path)
        return FOOTNOTE_OK;
    buf_add(&folder, (struct str){path, (size_t)(slash - path)});
    buf_add_c(&folder, '\0');
    TRY(buf_rc(&folder, err));
    if (stat(folder.p, &st) != 0 || !S_ISDIR(st.st_mode))
        return err_set(err, FOOTNOTE_INVALID, "there is no folder %.150s",
                       folder.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_content(const struct sqlite_db *db, sqlite3 *conn,
                                      struct footnote_err *err)
{
    int64_t application, objects;
    int version;

    /* One moment, or a file that is just being made looks half foreign. */
    TRY(exec(conn, "BEGIN;", err));
    TRY(ask_i64(conn, "PRAGMA application_id;", &application, err));
    TRY(ask_i64(conn, "SELECT count(*) FROM sqlite_schema;", &objects, err));
    TRY(ask_version(conn, &version, err));
    if (application != APPLICATION_ID && (objects > 0 || application != 0))
        return err_set(err, FOOTNOTE_FOREIGN,
                       "%.100s is another program's database", db->path);
    return migrate_check(db->base.sql, SQL_SQLITE, version, ask_i64, conn, err);
}

/* Of another program. */
static bool is_others(const struct sqlite_db *db)
{
    return db->base.sql->migrations_n == 0;
}

/* Whether all there is stands in the file. */
static bool is_still(const struct sqlite_db *db)
{
    return !has_companion(db->path, "-wal") &&
           !has_companion(db->path, "-journal");
}

/* With neither a WAL nor a journal beside it the file is read as immutable,
 * which makes no -shm file beside a database that may not be ours. */
static enum footnote_rc check_ours(const struct sqlite_db *db,
                                   struct footnote_err *err)
{
    AUTO(closep) sqlite3 *conn = NULL;

    TRY(open_conn(db, SQLITE_OPEN_READONLY, is_still(db) ? "immutable=1" : "",
                  &conn, err));
    (void)sqlite3_busy_timeout(conn, db->base.timeout_ms);
    struct footnote_err why;
    enum footnote_rc rc = check_content(db, conn, &why);
    if (sqlite3_extended_errcode(conn) == SQLITE_READONLY_ROLLBACK) {
        /* Its writer was killed; only a writer can roll its journal back. */
        (void)sqlite3_close(conn);
        TRY(open_conn(db, SQLITE_OPEN_READWRITE, "", &conn, err));
        return check_content(db, conn, err);
    }
    if (rc != FOOTNOTE_OK && err)
        *err = why;
    return rc;
}

static enum footnote_rc check_file(const struct sqlite_db *db,
                                   struct footnote_err *err)
{
    struct stat st;

    if (stat(db->path, &st) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return err_set(err, FOOTNOTE_INVALID, "cannot reach %.150s",
                           db->path);
        TRY(check_folder(db->path, err));
        return db->base.mode == DB_WRITE
                   ? FOOTNOTE_OK
                   : err_set(err, FOOTNOTE_NOTFOUND,
                             "there is no database %.150s", db->path);
    }
    if (!S_ISREG(st.st_mode))
        return err_set(err, FOOTNOTE_FOREIGN, "%.150s is not a file", db->path);
    return st.st_size > 0 && !is_others(db) ? check_ours(db, err) : FOOTNOTE_OK;
}

/* --- its log ---------------------------------------------------------- */

/* Closing the connection must not do to a damaged log what opening it did not:
 * copy what is left of it, and remove it. */
static enum footnote_rc check_log(struct sqlite_db *db,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf name = BUF(PATH_BYTES_MAX);

    (void)sqlite3_db_config(db->conn, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                            NULL);
    buf_printf(&name, "%s-wal", db->path);
    buf_add_c(&name, '\0');
    TRY(buf_rc(&name, err));
    if (sqlite_log_check(name.p, NULL) != FOOTNOTE_OK) {
        TRY(exec(db->conn, "BEGIN IMMEDIATE;", err));
        enum footnote_rc rc = sqlite_log_check(name.p, err);
        (void)exec(db->conn, "ROLLBACK;", NULL);
        if (rc != FOOTNOTE_OK)
            return rc;
    }
    (void)sqlite3_db_config(db->conn, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0,
                            NULL);
    return FOOTNOTE_OK;
}

/* --- making it ready -------------------------------------------------- */

static enum footnote_rc bring_up(struct sqlite_db *db, struct footnote_err *err)
{
    char text[96];
    int version;

    TRY(ask_version(db->conn, &version, err));
    if (version == 0)
        TRY(exec(db->conn,
                 "CREATE TABLE IF NOT EXISTS schema_version ("
                 "number INTEGER NOT NULL PRIMARY KEY, "
                 "name TEXT NOT NULL, applied_ms INTEGER NOT NULL) STRICT;",
                 err));
    TRY(migrate(db->base.sql, SQL_SQLITE, version, exec, db->conn, err));
    snprintf(text, sizeof(text),
             "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
             APPLICATION_ID, db->base.sql->migrations_n);
    return exec(db->conn, text, err);
}

static enum footnote_rc bring_up_to_date(struct sqlite_db *db,
                                         struct footnote_err *err)
{
    int version;

    TRY(ask_version(db->conn, &version, err));
    if (version == db->base.sql->migrations_n)
        return FOOTNOTE_OK;
    TRY(exec(db->conn, "BEGIN IMMEDIATE;", err));
    enum footnote_rc rc = bring_up(db, err);
    if (rc != FOOTNOTE_OK && !sqlite3_get_autocommit(db->conn))
        (void)exec(db->conn, "ROLLBACK;", NULL);
    return rc;
}

/* Two processes that make the same file may meet here, and SQLite does not
 * wait for the other one by itself. */
static enum footnote_rc enter_wal(struct sqlite_db *db,
                                  struct footnote_err *err)
{
    int64_t until_ms = clock_mono_ms() + db->base.timeout_ms;
    int code;

    do
        code = sqlite3_exec(db->conn, "PRAGMA journal_mode = WAL;", NULL, NULL,
                            NULL);
    while ((code & 0xff) == SQLITE_BUSY && clock_mono_ms() < until_ms &&
           sqlite3_sleep(5) >= 0);
    return code == SQLITE_OK
               ? FOOTNOTE_OK
               : sqlite_fail(db->conn, code, "entering WAL mode", err);
}

/* What another process reads, or what does not fit on the disk, stays in the
 * log.  The log was synced before. */
static enum footnote_rc empty_log(struct sqlite_db *db,
                                  struct footnote_err *err)
{
    int code = sqlite_checkpoint_empty(db);

    if (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_FULL)
        return FOOTNOTE_OK;
    return sqlite_fail(db->conn, code, "copying the log back", err);
}

/* EXTRA comes first: the switch from a rollback journal to WAL deletes that
 * journal, and only EXTRA makes the deletion durable.  Otherwise a power cut
 * may bring the journal back, and with it the empty database.
 *
 * A process that was killed may have left a commit in the WAL that it had not
 * synced yet.  A client that repeats that request is told that it is there, so
 * it has to be durable first: a checkpoint begins by syncing the WAL.
 *
 * The file of the WAL keeps its size (sqlite_checkpoint.c tells which that is),
 * for growing it costs more than writing it.  The cache holds the pages of a
 * whole batch: what does not fit would be written to the WAL before the commit,
 * and then once more.  It holds no more than that, because SQLite looks through
 * all of it after a commit that has split a page of an index.
 *
 * What is only scratch needs none of that. */
static enum footnote_rc prepare_writer(struct sqlite_db *db,
                                       struct footnote_err *err)
{
    if (db->base.scratch) {
        TRY(exec(db->conn,
                 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                 "PRAGMA cache_size = -16384; PRAGMA temp_store = FILE;",
                 err));
        return bring_up_to_date(db, err);
    }
    if (sqlite3_db_readonly(db->conn, "main") == 1)
        return err_set(err, FOOTNOTE_READONLY, "%.150s can only be read",
                       db->path);
    TRY(exec(db->conn, "PRAGMA synchronous = EXTRA;", err));
    if (!db->memory)
        TRY(check_log(db, err));
    TRY(enter_wal(db, err));
    if (!db->memory) {
        int64_t wal;
        TRY(ask_i64(db->conn,
                    "SELECT journal_mode = 'wal' FROM pragma_journal_mode;",
                    &wal, err));
        if (!wal)
            return err_set(err, FOOTNOTE_INVALID,
                           "%.100s lies on a file system without WAL",
                           db->path);
    }
    TRY(exec(db->conn,
             "PRAGMA journal_size_limit = 67108864;"
             "PRAGMA cache_size = -8192;",
             err));
    if (!db->memory)
        TRY(empty_log(db, err));
    sqlite_checkpoint_watch(db);
    TRY(bring_up_to_date(db, err));
    return exec(db->conn, "PRAGMA foreign_keys = ON;", err);
}

/* A first look at the file tells SQLite that it has a log. */
enum footnote_rc sqlite_open_beside(const struct sqlite_db *db, sqlite3 **out,
                                    struct footnote_err *err)
{
    TRY(open_conn(db, SQLITE_OPEN_READWRITE, "", out, err));
    return exec(*out, "PRAGMA synchronous = EXTRA; PRAGMA user_version;", err);
}

static enum footnote_rc prepare_reader(struct sqlite_db *db,
                                       struct footnote_err *err)
{
    int version;

    if (is_others(db))
        return exec(db->conn, "PRAGMA query_only = ON; PRAGMA user_version;",
                    err);
    TRY(ask_version(db->conn, &version, err));
    if (version == 0 && db->base.sql->migrations_n > 0)
        return err_set(err, FOOTNOTE_NOTFOUND, "there are no tables");
    if (version != db->base.sql->migrations_n)
        return err_set(err, FOOTNOTE_FOREIGN,
                       "the database has schema %d, this program reads %d",
                       version, db->base.sql->migrations_n);
    /* Room for the upper pages of all trees.  Others are as near in the page
     * cache of the system, and each reader's would be another copy. */
    return exec(db->conn, "PRAGMA query_only = ON; PRAGMA cache_size = -2048;",
                err);
}

/* Called every SLOW_STEPS steps.  The clock is read only by calls that take
 * long, so that the usual one costs nothing. */
static int out_of_time(void *arg)
{
    struct sqlite_db *db = arg;
    int64_t now = clock_mono_ms();

    if (db->started_ms == 0)
        db->started_ms = now;
    return now - db->started_ms > db->base.timeout_ms;
}

static enum footnote_rc open_and_set(struct sqlite_db *db, int flags,
                                     const char *params,
                                     struct footnote_err *err)
{
    TRY(open_conn(db, flags, params, &db->conn, err));
    (void)sqlite3_busy_timeout(db->conn, db->base.timeout_ms);
    (void)sqlite3_db_config(db->conn, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    (void)sqlite3_db_config(db->conn, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    return exec(db->conn,
                "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;",
                err);
}

/* Nothing is read through the connection unless the log looks damaged. */
static enum footnote_rc look_at_log(struct sqlite_db *db,
                                    struct footnote_err *err)
{
    if (db->memory || !has_companion(db->path, "-wal"))
        return FOOTNOTE_OK;
    TRY(open_and_set(db, SQLITE_OPEN_READWRITE, "", err));
    return check_log(db, err);
}

enum footnote_rc sqlite_check_log(const char *url, struct footnote_err *err)
{
    struct sqlite_db db = {.base = {.timeout_ms = DB_TIMEOUT_MS}};
    enum footnote_rc rc = sqlite_parse_url(&db, url, err);

    if (rc == FOOTNOTE_OK)
        rc = look_at_log(&db, err);
    (void)sqlite3_close(db.conn);
    free(db.path);
    return rc;
}

/* The first reader makes the index of the log, and a full disk has no room for
 * it.  A writer at work would have made it, so without a log the file is all
 * there is, and nobody changes it. */
static enum footnote_rc open_reader(struct sqlite_db *db,
                                    struct footnote_err *err)
{
    struct footnote_err why;
    enum footnote_rc rc;

    if (is_others(db)) {
        TRY(is_still(db)
                ? open_and_set(db, SQLITE_OPEN_READONLY, "immutable=1", err)
                : open_and_set(db, SQLITE_OPEN_READWRITE, "", err));
        return prepare_reader(db, err);
    }
    rc = open_and_set(db, SQLITE_OPEN_READONLY, "", &why);
    if (rc == FOOTNOTE_OK)
        rc = prepare_reader(db, &why);
    if (rc == FOOTNOTE_OK)
        return rc;
    if (db->conn &&
        sqlite3_extended_errcode(db->conn) == SQLITE_IOERR_SHMSIZE &&
        !has_companion(db->path, "-wal")) {
        (void)sqlite3_close(db->conn);
        db->conn = NULL;
        TRY(open_and_set(db, SQLITE_OPEN_READONLY, "immutable=1", err));
        return prepare_reader(db, err);
    }
    if (err)
        *err = why;
    return rc;
}

enum footnote_rc sqlite_connect(struct sqlite_db *db, struct footnote_err *err)
{
    if (!db->memory)
        TRY(check_file(db, err));
    if (db->base.mode == DB_READ) {
        TRY(open_reader(db, err));
    } else {
        TRY(open_and_set(db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "",
                         err));
        TRY(prepare_writer(db, err));
    }
    sqlite3_progress_handler(db->conn, SLOW_STEPS, out_of_time, db);
    return FOOTNOTE_OK;
}
