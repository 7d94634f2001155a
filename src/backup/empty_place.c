/* empty_place.c - whether a backup may be restored into a place.
 *
 * A database must not be there, nor what one left behind: SQLite would replay
 * an old log over the restored file.  Files must not, because garbage is told
 * by rows; nor an index, which numbers documents of another store. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup/restoring.h"
#include "backup_sql.h"
#include "base/fd.h"

enum { NOTE_BYTES = SHA256_HEX };
static const char note_name[] = "restoring";

static void close_dbp(struct db **db)
{
    db_close(*db);
}

static enum footnote_rc refuse(const char *what, struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_CONFLICT,
                   "%.150s is there already: restore into a new place", what);
}

static enum footnote_rc check_absent(const char *path, const char *end,
                                     struct footnote_err *err)
{
    char whole[PATH_MAX + 64];
    struct stat st;

    snprintf(whole, sizeof(whole), "%s%s", path, end);
    return lstat(whole, &st) == 0 ? refuse(whole, err) : FOOTNOTE_OK;
}

static enum footnote_rc refuse_object(void *arg, struct str key,
                                      int64_t changed_ms,
                                      struct footnote_err *err)
{
    (void)arg;
    (void)changed_ms;
    return err_set(err, FOOTNOTE_CONFLICT,
                   "the place for files has some already, such as %.*s: "
                   "restore into a new place",
                   STR_ARG(key));
}

static enum footnote_rc check_unused(const char *url, struct footnote_err *err)
{
    AUTO(close_dbp) struct db *db = NULL;
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(restoring_open_database(url, DB_WRITE, &db,
                                err)); /* makes the tables */
    TRY(db_begin(db, err));
    TRY(db_one_n(db, (enum stmt_id)BACKUP_STMT_IS_USED, NULL, 0, &cur, &row,
                 err));
    db_end(&cur);
    db_rollback(db);
    return row ? refuse("the database", err) : FOOTNOTE_OK;
}

/* The note names the backup by the digest of its database. */
static enum footnote_rc read_note(struct restoring *r, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(r->note, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char want[SHA256_HEX + 1], got[NOTE_BYTES];

    sha256_hex(&r->out->manifest.database.digest, want);
    if (fd < 0 && errno == ENOENT)
        return FOOTNOTE_OK;
    if (fd < 0)
        return place_error(r->note, errno, err);
    r->again = read(fd, got, sizeof(got)) == NOTE_BYTES &&
               memcmp(got, want, NOTE_BYTES) == 0;
    return r->again ? FOOTNOTE_OK
                    : err_set(err, FOOTNOTE_CONFLICT,
                              "another backup was being restored here: use a "
                              "new place");
}

enum footnote_rc restoring_write_note(const struct restoring *r,
                                      struct footnote_err *err)
{
    AUTO(fd_closep)
    int fd = open(r->note,
                  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    char hex[SHA256_HEX + 1];

    sha256_hex(&r->out->manifest.database.digest, hex);
    if (fd < 0 || pwrite(fd, hex, NOTE_BYTES, 0) != NOTE_BYTES ||
        fsync(fd) != 0)
        return place_error("writing into the data folder", errno, err);
    return FOOTNOTE_OK;
}

enum footnote_rc restoring_check_empty(struct restoring *r,
                                       struct footnote_err *err)
{
    char index[PATH_MAX + 32];

    TRY(read_note(r, err));
    if (r->final[0]) {
        TRY(check_absent(r->final, "", err));
        TRY(check_absent(r->final, "-wal", err));
        TRY(check_absent(r->final, "-shm", err));
        TRY(check_absent(r->final, "-journal", err));
    } else {
        TRY(check_unused(r->o->database, err));
    }
    snprintf(index, sizeof(index), "%s/index", r->o->folder);
    TRY(check_absent(index, "", err));
    return r->again ? FOOTNOTE_OK
                    : object_each(r->objects, refuse_object, NULL, err);
}

/* Where a database that is a file goes. */
enum footnote_rc restoring_name_paths(struct restoring *r,
                                      struct footnote_err *err)
{
    struct str url = str_c(r->o->database);

    snprintf(r->note, sizeof(r->note), "%s/%s", r->o->folder, note_name);
    snprintf(r->path, sizeof(r->path), "%s/restoring.db", r->o->folder);
    if (!str_starts(url, STR("sqlite:")))
        return FOOTNOTE_OK;
    url = str_skip(url, STR("sqlite:").n);
    url.n = str_find(url, '?');
    if (url.n >= PATH_MAX || str_starts(url, STR(":memory:")))
        return err_set(err, FOOTNOTE_INVALID,
                       "a backup is restored into a file or a server");
    snprintf(r->final, sizeof(r->final), "%.*s", STR_ARG(url));
    snprintf(r->path, sizeof(r->path), "%s.restoring", r->final);
    return FOOTNOTE_OK;
}
