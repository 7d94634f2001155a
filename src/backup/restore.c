/* restore.c - the way back, and the same without keeping the result.
 *
 *     footnote.db -> a file beside its place -> running answers are ended
 *         -> files -> every digest again -> its place
 *
 * The last step is a rename, or the commit of one transaction of a server:
 * before it there is no database.  Until then the data folder has a note which
 * backup it is to be, so that a restore that was cut off can be run again; any
 * other finds that the place is not empty. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backup/check.h"
#include "backup/files.h"
#include "backup/restoring.h"
#include "backup/rows.h"
#include "backup_sql.h"
#include "base/fd.h"
#include "store/identity.h"

enum { PART_BYTES = 64 * 1024, WHAT_BYTES = 300, POLL_MS = 20 };
static void tell(const struct restoring *r, const char *what)
{
    r->out->damaged++;
    r->o->damage(r->o->arg, what);
}

/* ---- Where it comes from ------------------------------------------------ */

/* FOLDER/NAME is one backup of the folder. */
static enum footnote_rc open_backup(struct restoring *r,
                                    struct footnote_err *err)
{
    struct place_where where = r->o->from;
    struct str from = where.url, name = STR_NONE;
    char newest[PLACE_NAME_BYTES + 1];

    while (from.n > 1 && from.p[from.n - 1] == '/')
        from.n--;
    where.url = from;
    if (from.n > PLACE_NAME_BYTES)
        name = str_skip(from, from.n - PLACE_NAME_BYTES);
    if (name.p && name.p[-1] == '/' && place_is_backup_name(name)) {
        where.url.n = from.n - PLACE_NAME_BYTES;
        TRY(place_open(&where, PLACE_READ, &r->place, err));
        memcpy(newest, name.p, name.n);
        newest[name.n] = '\0';
    } else {
        TRY(place_open(&where, PLACE_READ, &r->place, err));
        TRY(backup_newest(r->place, newest, err));
    }
    return manifest_read(r->place, newest, &r->out->manifest, err);
}

/* ---- The database ------------------------------------------------------- */

static enum footnote_rc copy_bytes(int from, int to, struct footnote_err *err)
{
    char part[PART_BYTES];
    int64_t at = 0;

    for (;;) {
        ssize_t n = pread(from, part, PART_BYTES, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return place_error("reading the backup", errno, err);
        if (n == 0)
            break;
        if (pwrite(to, part, (size_t)n, at) != n)
            return place_error("copying the database", errno ? errno : ENOSPC,
                               err);
        at += n;
    }
    return fsync(to) == 0 ? FOOTNOTE_OK
                          : place_error("copying the database", errno, err);
}

static enum footnote_rc copy_database(struct restoring *r,
                                      struct footnote_err *err)
{
    const struct manifest *m = &r->out->manifest;
    AUTO(fd_closep) int from = -1;
    AUTO(fd_closep) int to = -1;
    char name[PLACE_PATH_BYTES];
    struct object found;

    snprintf(name, sizeof(name), "%s/footnote.db", m->name);
    TRY(r->place->driver->get(r->place, name, &m->database, &from, err));
    to = open(r->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
              0600);
    if (to < 0)
        return place_error("copying the database", errno, err);
    TRY(copy_bytes(from, to, err));
    TRY(manifest_measure(to, &found, err)); /* what will be opened */
    if (found.bytes != m->database.bytes ||
        !sha256_eq(&found.digest, &m->database.digest))
        return err_set(err, FOOTNOTE_DAMAGED, "%s: is not what was backed up",
                       name);
    return FOOTNOTE_OK;
}

enum footnote_rc restoring_open_database(const char *url, enum db_mode mode,
                                         struct db **out,
                                         struct footnote_err *err)
{
    struct db_options o = {.url = url, .mode = mode, .sql = &backup_sql_set};

    return db_open(&o, out, err);
}

static void close_dbp(struct db **db)
{
    db_close(*db);
}

static enum footnote_rc end_leases(const struct restoring *r,
                                   struct footnote_err *err)
{
    AUTO(close_dbp) struct db *db = NULL;

    TRY(restoring_open_database(r->url, DB_WRITE, &db, err));
    TRY(db_begin(db, err));
    TRY(db_do_n(db, (enum stmt_id)BACKUP_STMT_LEASES_END, NULL, 0, err));
    TRY(db_do_n(db, (enum stmt_id)BACKUP_STMT_JOBS_RELEASE, NULL, 0, err));
    TRY(db_do_n(db, (enum stmt_id)BACKUP_STMT_LOGINS_END, NULL, 0, err));
    TRY(db_do_n(db, (enum stmt_id)BACKUP_STMT_SHARES_END, NULL, 0, err));
    return db_commit(db, err);
}

static void close_storep(struct store **st)
{
    if (*st)
        store_close(*st);
}

/* Every answer that ran gets its end: interrupted, with the text so far. */
static enum footnote_rc end_answers(const struct restoring *r,
                                    struct footnote_err *err)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    AUTO(close_storep) struct store *st = NULL;

    TRY(end_leases(r, err));
    TRY(store_open(r->url, &st, err));
    while (store_unswept(st) > 0 && !atomic_load(r->o->stop))
        nanosleep(&pause, NULL);
    return atomic_load(r->o->stop) ? err_set(err, FOOTNOTE_BUSY, "was stopped")
                                   : FOOTNOTE_OK;
}

static enum footnote_rc count_rows(const char *url, struct backup_counts *n,
                                   struct footnote_err *err)
{
    AUTO(close_dbp) struct db *db = NULL;
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(restoring_open_database(url, DB_READ, &db, err));
    TRY(db_begin(db, err));
    TRY(db_one_n(db, (enum stmt_id)BACKUP_STMT_COUNTS, NULL, 0, &cur, &row,
                 err));
    n->sessions = db_col_i64(cur, BACKUP_COL_COUNTS_SESSIONS);
    n->messages = db_col_i64(cur, BACKUP_COL_COUNTS_MESSAGES);
    n->answers = db_col_i64(cur, BACKUP_COL_COUNTS_ANSWERS);
    n->citations = db_col_i64(cur, BACKUP_COL_COUNTS_CITATIONS);
    n->documents = db_col_i64(cur, BACKUP_COL_COUNTS_DOCUMENTS);
    db_end(&cur);
    db_rollback(db);
    return FOOTNOTE_OK;
}

/* ---- Files -------------------------------------------------------------- */

static enum footnote_rc bring_file(const struct restoring *r,
                                   const struct object *o,
                                   struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    char name[PLACE_PATH_BYTES];
    int64_t bytes;

    if (r->again &&
        object_head(r->objects, str_c(o->key), &bytes, NULL) == FOOTNOTE_OK &&
        bytes == o->bytes)
        return FOOTNOTE_OK; /* is there whole or not at all */
    place_file_name(&o->digest, name);
    TRY(r->place->driver->get(r->place, name, o, &fd, err));
    return r->objects ? object_put_file(r->objects, o, fd, err)
                      : object_check(fd, o, err);
}

static enum footnote_rc visit_file(void *arg, const struct file *f,
                                   struct footnote_err *err)
{
    const struct restoring *r = arg;
    struct footnote_err why;
    enum footnote_rc rc = bring_file(r, &f->object, &why);
    char what[WHAT_BYTES], hex[SHA256_HEX + 1];

    if (rc == FOOTNOTE_OK) {
        r->out->counts.files++;
        r->out->counts.file_bytes += f->object.bytes;
        return FOOTNOTE_OK;
    }
    if (rc != FOOTNOTE_NOTFOUND && rc != FOOTNOTE_DAMAGED) {
        if (err)
            *err = why;
        return rc;
    }
    sha256_hex(&f->object.digest, hex);
    snprintf(what, sizeof(what), "file %s (objects/%.2s/%s): %s", f->object.key,
             hex, hex + 2,
             rc == FOOTNOTE_NOTFOUND ? "is missing" : "is damaged");
    r->out->counts.missing++;
    tell(r, what);
    return FOOTNOTE_OK;
}

static enum footnote_rc visit_files(struct restoring *r,
                                    struct footnote_err *err)
{
    AUTO(close_dbp) struct db *db = NULL;

    TRY(restoring_open_database(r->url, DB_READ, &db, err));
    return files_each(db, r->o->stop, visit_file, r, err);
}

/* ---- Both --------------------------------------------------------------- */

/* Seals are the store's business.  One that is to be used beside its original
 * gets an id of its own, and its files are told. */
static enum footnote_rc check_store(struct restoring *r, const char *url,
                                    struct footnote_err *err)
{
    struct store_identity_renew renew = {.id = ""};
    AUTO(close_storep) struct store *st = NULL;

    TRY(store_open(url, &st, err));
    if (r->objects) {
        TRY(store_own(st, OP(store_identity_renew), &renew, err));
        memcpy(r->out->store, renew.id, sizeof(renew.id));
        TRY(objects_give(r->objects, str_c(renew.id), err));
    }
    return check_seals(st, r->o, r->out, err);
}

static enum footnote_rc check(struct restoring *r, const char *url,
                              struct footnote_err *err)
{
    AUTO(close_dbp) struct db *db = NULL;

    TRY(check_store(r, url, err));
    TRY(restoring_open_database(url, DB_READ, &db, err));
    TRY(db_begin(db, err));
    return check_digests(db, r->o, r->out, err);
}

static enum footnote_rc bring_all(struct restoring *r, struct footnote_err *err)
{
    TRY(copy_database(r, err));
    snprintf(r->url, sizeof(r->url), "sqlite:%s", r->path);
    TRY(end_answers(r, err));
    TRY(count_rows(r->url, &r->out->counts, err));
    return visit_files(r, err);
}

static void remove_copy(struct restoring *r)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};

    for (size_t i = 0; r->path[0] && i < sizeof(ends) / sizeof(ends[0]); i++) {
        char path[sizeof(r->path) + 16];

        snprintf(path, sizeof(path), "%s%s", r->path, ends[i]);
        (void)unlink(path);
    }
    place_closep(&r->place);
}

enum footnote_rc backup_verify(const struct restore_options *o,
                               struct restored *out, struct footnote_err *err)
{
    AUTO(remove_copy) struct restoring r = {.o = o, .out = out};

    *out = (struct restored){.damaged = 0};
    TRY(open_backup(&r, err));
    snprintf(r.path, sizeof(r.path), "%s/footnote.db", o->from.scratch);
    TRY(bring_all(&r, err));
    return check(&r, r.url, err);
}

/* ---- Into an empty place ------------------------------------------------ */

static enum footnote_rc move_to_place(struct restoring *r,
                                      struct footnote_err *err)
{
    AUTO(fd_closep) int folder = -1;
    char parent[PATH_MAX + 32];
    char *slash;

    TRY(db_finish_file(r->path, err));
    if (rename(r->path, r->final) != 0)
        return place_error("moving the database to its place", errno, err);
    snprintf(parent, sizeof(parent), "%s", r->final);
    slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = '\0';
    folder = open(slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || fsync(folder) != 0)
        return place_error("moving the database to its place", errno, err);
    return FOOTNOTE_OK;
}

/* All rows in one transaction of the server. */
static enum footnote_rc move_to_server(struct restoring *r,
                                       struct footnote_err *err)
{
    AUTO(close_dbp) struct db *from = NULL;
    AUTO(close_dbp) struct db *to = NULL;
    struct backup_counts now = r->out->counts;

    TRY(restoring_open_database(r->url, DB_READ, &from, err));
    TRY(restoring_open_database(r->o->database, DB_WRITE, &to, err));
    TRY(db_begin(from, err));
    TRY(rows_copy(from, to, r->o->stop, err));
    db_rollback(from);
    TRY(count_rows(r->o->database, &now, err));
    if (memcmp(&now, &r->out->counts, sizeof(now)) != 0)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "the server has other numbers of rows than the backup");
    return FOOTNOTE_OK;
}

enum footnote_rc backup_restore(const struct restore_options *o,
                                struct restored *out, struct footnote_err *err)
{
    AUTO(remove_copy)
    struct restoring r = {.o = o, .out = out, .objects = o->objects};

    *out = (struct restored){.damaged = 0};
    TRY(open_backup(&r, err));
    TRY(restoring_name_paths(&r, err));
    TRY(restoring_check_empty(&r, err));
    TRY(restoring_write_note(&r, err));
    TRY(bring_all(&r, err));
    if (r.final[0]) {
        TRY(check(&r, r.url, err));
        TRY(move_to_place(&r, err));
    } else {
        TRY(move_to_server(&r, err));
        TRY(check(&r, o->database, err));
    }
    (void)unlink(r.note);
    return FOOTNOTE_OK;
}
