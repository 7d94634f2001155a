/* make.c - makes a backup.
 *
 *     files named now -> snapshot of the database -> files named there
 *         -> footnote.db, files.txt -> sync -> manifest.json -> sync
 *
 * The server removes a deleted document's file ten minutes after the row says
 * so, and copying files may take hours.  So they are copied before the
 * snapshot, and behind it only those that came meanwhile: that takes moments.
 * Only the snapshot keeps SQLite's log from being shortened, and it lasts as
 * long as copying the database file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "backup/backup.h"
#include "backup/digests.h"
#include "backup/files.h"
#include "backup/rows.h"
#include "backup_sql.h"
#include "base/fd.h"

enum { WHAT_BYTES = 200 };

struct making {
    const struct backup_options *o;
    struct backup_made *out;
    struct place *place;
    struct db *from, *copy; /* copy: the snapshot, once it is made */
    struct digests stored;  /* files that the place has for sure */
    struct digests listed;  /* in `list` */
    FILE *list;
    char database_path[PATH_MAX + 16], list_path[PATH_MAX + 16];
};

/* ---- Files -------------------------------------------------------------- */

static enum footnote_rc store_file(struct making *m, const struct object *o,
                                   struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    char name[PLACE_PATH_BYTES];
    bool there = digests_has(&m->stored, &o->digest);

    if (there)
        return FOOTNOTE_OK;
    place_file_name(&o->digest, name);
    TRY(m->place->driver->has(m->place, name, o->bytes, &there, err));
    if (!there) {
        TRY(object_get(m->o->objects, o, &fd, err));
        TRY(m->place->driver->put(m->place, name, fd, o, err));
        m->out->copied++;
        m->out->copied_bytes += o->bytes;
    }
    return digests_add(&m->stored, &o->digest, err);
}

/* Before the snapshot.  What is wrong with a file is told later, if it is still
 * named then. */
static enum footnote_rc store_early(void *arg, const struct file *f,
                                    struct footnote_err *err)
{
    struct footnote_err why;
    enum footnote_rc rc = store_file(arg, &f->object, &why);

    if (rc == FOOTNOTE_OK || rc == FOOTNOTE_NOTFOUND || rc == FOOTNOTE_DAMAGED)
        return FOOTNOTE_OK;
    if (err)
        *err = why;
    return rc;
}

/* Whether the database still names it; if not, its document was deleted. */
static enum footnote_rc is_named(struct making *m, const struct file *f,
                                 bool *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    enum footnote_rc rc;

    TRY(db_begin(m->from, err));
    rc = db_one(m->from, (enum stmt_id)BACKUP_STMT_FILE_IS_NAMED, &cur, out,
                err, db_i64(f->tenant), db_text(str_c(f->object.key)));
    db_end(&cur);
    db_rollback(m->from);
    return rc;
}

static enum footnote_rc report_missing(struct making *m, const struct file *f,
                                       const struct footnote_err *why,
                                       struct footnote_err *err)
{
    char what[WHAT_BYTES];
    bool named;

    TRY(is_named(m, f, &named, err));
    if (!named)
        return err_set(err, FOOTNOTE_BUSY,
                       "file %s was deleted while the backup ran; run it again",
                       f->object.key);
    m->out->manifest.counts.missing++;
    snprintf(what, sizeof(what), "file %s: %s", f->object.key,
             why->rc == FOOTNOTE_NOTFOUND ? "is missing" : "is damaged");
    m->o->damage(m->o->arg, what);
    return FOOTNOTE_OK;
}

static enum footnote_rc list_file(void *arg, const struct file *f,
                                  struct footnote_err *err)
{
    struct making *m = arg;
    struct backup_counts *counts = &m->out->manifest.counts;
    struct footnote_err why;
    enum footnote_rc rc = store_file(m, &f->object, &why);
    char hex[SHA256_HEX + 1];

    if (rc == FOOTNOTE_NOTFOUND || rc == FOOTNOTE_DAMAGED)
        return report_missing(m, f, &why, err);
    if (rc != FOOTNOTE_OK) {
        if (err)
            *err = why;
        return rc;
    }
    if (digests_has(&m->listed, &f->object.digest))
        return FOOTNOTE_OK;
    TRY(digests_add(&m->listed, &f->object.digest, err));
    counts->files++;
    counts->file_bytes += f->object.bytes;
    sha256_hex(&f->object.digest, hex);
    return fprintf(m->list, "%s %lld\n", hex, (long long)f->object.bytes) > 0
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_BUSY, "writing the list of files");
}

/* ---- The database ------------------------------------------------------- */

static enum footnote_rc copy_rows(struct making *m, struct footnote_err *err)
{
    char url[PATH_MAX + 32];
    struct db_options o = {
        .url = url, .mode = DB_WRITE, .sql = &backup_sql_set};
    struct db *to = NULL;
    enum footnote_rc rc;

    snprintf(url, sizeof(url), "sqlite:%s", m->database_path);
    TRY(db_open(&o, &to, err));
    rc = rows_copy(m->from, to, m->o->stop, err);
    db_close(to);
    return rc == FOOTNOTE_OK ? db_finish_file(m->database_path, err) : rc;
}

static enum footnote_rc take_snapshot(struct making *m,
                                      struct footnote_err *err)
{
    enum footnote_rc rc;

    TRY(db_begin(m->from, err));
    rc = db_is_file(m->from)
             ? db_copy_file(m->from, m->database_path, m->o->stop, err)
             : copy_rows(m, err);
    db_rollback(m->from);
    return rc;
}

static enum footnote_rc count(struct making *m, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct manifest *to = &m->out->manifest;
    struct backup_counts *n = &to->counts;
    struct str id;
    bool row;

    TRY(db_one_n(m->copy, (enum stmt_id)BACKUP_STMT_COUNTS, NULL, 0, &cur, &row,
                 err));
    id = db_col_str(cur, BACKUP_COL_COUNTS_STORE);
    if (id.n != STORE_IDENTITY_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED, "the store has lost its id");
    memcpy(to->store, id.p, id.n);
    n->sessions = db_col_i64(cur, BACKUP_COL_COUNTS_SESSIONS);
    n->messages = db_col_i64(cur, BACKUP_COL_COUNTS_MESSAGES);
    n->answers = db_col_i64(cur, BACKUP_COL_COUNTS_ANSWERS);
    n->citations = db_col_i64(cur, BACKUP_COL_COUNTS_CITATIONS);
    n->documents = db_col_i64(cur, BACKUP_COL_COUNTS_DOCUMENTS);
    return FOOTNOTE_OK;
}

static enum footnote_rc open_copy(struct making *m, struct footnote_err *err)
{
    char url[PATH_MAX + 32];
    struct db_options o = {.url = url, .mode = DB_READ, .sql = &backup_sql_set};
    enum footnote_rc rc;

    snprintf(url, sizeof(url), "sqlite:%s", m->database_path);
    TRY(db_open(&o, &m->copy, err));
    TRY(db_begin(m->copy, err));
    rc = count(m, err);
    db_rollback(m->copy);
    return rc;
}

/* ---- All of it ---------------------------------------------------------- */

static enum footnote_rc take_file(struct making *m, const char *name,
                                  const char *path, struct object *o,
                                  struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    char whole[PLACE_PATH_BYTES];

    if (fd < 0)
        return err_set(err, FOOTNOTE_INTERNAL, "%s went away", name);
    TRY(manifest_measure(fd, o, err));
    snprintf(whole, sizeof(whole), "%s/%s", m->out->manifest.name, name);
    return m->place->driver->take(m->place, whole, path, o, err);
}

static enum footnote_rc list_files(struct making *m, struct footnote_err *err)
{
    m->list = fopen(m->list_path, "we");
    if (!m->list)
        return place_error("writing the list of files", errno, err);
    TRY(files_each(m->copy, m->o->stop, list_file, m, err));
    if (fflush(m->list) != 0)
        return place_error("writing the list of files", errno, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc make(struct making *m, struct footnote_err *err)
{
    struct db_options o = {
        .url = m->o->database, .mode = DB_READ, .sql = &backup_sql_set};
    struct manifest *manifest = &m->out->manifest;
    int64_t left;

    TRY(place_open(&m->o->to, PLACE_WRITE, &m->place, err));
    snprintf(m->database_path, sizeof(m->database_path), "%s/footnote.db",
             m->place->scratch);
    snprintf(m->list_path, sizeof(m->list_path), "%s/files.txt",
             m->place->scratch);
    TRY(backup_tidy(m->place, "", 0, &left, err));
    TRY(db_check_log(m->o->database, err));
    TRY(db_open(&o, &m->from, err));
    TRY(files_each(m->from, m->o->stop, store_early, m, err));
    manifest_begin(manifest);
    TRY(take_snapshot(m, err));
    TRY(open_copy(m, err));
    TRY(list_files(m, err));
    db_close(m->copy);
    m->copy = NULL;
    TRY(take_file(m, "footnote.db", m->database_path, &manifest->database,
                  err));
    TRY(take_file(m, "files.txt", m->list_path, &manifest->list, err));
    TRY(m->place->driver->sync(m->place, err));
    TRY(manifest_write(manifest, m->place, err));
    return m->place->driver->finish(m->place, err);
}

static void making_end(struct making *m)
{
    db_close(m->copy);
    db_close(m->from);
    if (m->list)
        fclose(m->list);
    digests_free(&m->stored);
    digests_free(&m->listed);
    place_closep(&m->place);
}

enum footnote_rc backup_make(const struct backup_options *o,
                             struct backup_made *out, struct footnote_err *err)
{
    AUTO(making_end) struct making m = {.o = o, .out = out};

    *out = (struct backup_made){.copied = 0};
    TRY(make(&m, err));
    if (o->keep == 0)
        return FOOTNOTE_OK;
    return backup_tidy(m.place, out->manifest.store, o->keep, &out->removed,
                       err);
}
