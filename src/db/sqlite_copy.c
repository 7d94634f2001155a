/* sqlite_copy.c - a whole SQLite database as another file, beside its writers.
 *
 * SQLite's backup begins again whenever somebody else writes between two of
 * its steps, so beside a streaming answer it never ends.  It does not begin
 * again while its connection holds a snapshot: writers go on, their pages stay
 * in the log until the snapshot is over, and the copy is of one moment. */
#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "db/sqlite_impl.h"

enum {
    STEP_PAGES = 4096, /* between two looks at `stop` */
    FORMATS_AT = 18    /* in the header of the file */
};

static void closep(sqlite3 **conn)
{
    (void)sqlite3_close(*conn);
}

static enum footnote_rc exec(sqlite3 *conn, const char *sql,
                             struct footnote_err *err)
{
    int code = sqlite3_exec(conn, sql, NULL, NULL, NULL);

    return code == SQLITE_OK ? FOOTNOTE_OK : sqlite_fail(conn, code, NULL, err);
}

/* Nobody else knows the file, so there is nothing to lock or to protect. */
static enum footnote_rc open_alone(const char *path, sqlite3 **out,
                                   struct footnote_err *err)
{
    int code = sqlite3_open_v2(
        path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    if (code != SQLITE_OK)
        return sqlite_fail(*out, code, "opening the copy", err);
    sqlite3_extended_result_codes(*out, 1);
    return exec(*out, "PRAGMA locking_mode = EXCLUSIVE;", err);
}

enum footnote_rc db_finish_file(const char *path, struct footnote_err *err)
{
    AUTO(closep) sqlite3 *conn = NULL;

    TRY(open_alone(path, &conn, err));
    return exec(conn, "PRAGMA journal_mode = DELETE;", err);
}

static enum footnote_rc copy_pages(sqlite3 *from, sqlite3 *to,
                                   const atomic_bool *stop,
                                   struct footnote_err *err)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    int code;

    if (!b)
        return sqlite_fail(to, sqlite3_errcode(to), "copying", err);
    do
        code = sqlite3_backup_step(b, STEP_PAGES);
    while (code == SQLITE_OK && !atomic_load(stop));
    (void)sqlite3_backup_finish(b);
    if (code == SQLITE_DONE)
        return FOOTNOTE_OK;
    if (code == SQLITE_OK)
        return err_set(err, FOOTNOTE_BUSY, "copying: was stopped");
    return sqlite_fail(to, code, "copying", err);
}

/* The pages say that the database has a log.  The copy has none: its format is
 * the older one, which is all that these two bytes say. */
static enum footnote_rc forget_log(const char *path, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
    const char formats[] = {1, 1};

    if (fd < 0 || pwrite(fd, formats, 2, FORMATS_AT) != 2)
        return err_set(err, FOOTNOTE_BUSY, "cannot write %.150s", path);
    return FOOTNOTE_OK;
}

enum footnote_rc sqlite_copy_file(struct db *base, const char *path,
                                  const atomic_bool *stop,
                                  struct footnote_err *err)
{
    struct sqlite_db *db = (struct sqlite_db *)base;
    AUTO(closep) sqlite3 *to = NULL;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_set(err, FOOTNOTE_BUSY, "cannot make %.150s", path);
    close(fd);
    TRY(exec(db->conn, "PRAGMA user_version;", err)); /* begins the snapshot */
    TRY(open_alone(path, &to, err));
    TRY(exec(to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", err));
    TRY(copy_pages(db->conn, to, stop, err));
    (void)sqlite3_close(to);
    to = NULL;
    return forget_log(path, err);
}
