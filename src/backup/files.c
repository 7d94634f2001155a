/* files.c - the files of a database, from its rows or from a backup's list. */
#include "backup/files.h"

#include <stdio.h>
#include <sys/mman.h>

#include "backup_sql.h"
#include "base/fd.h"

enum { PAGE_ROWS = 100 };

/* ---- Rows --------------------------------------------------------------- */

static enum footnote_rc read_file(struct db_cur *cur, struct file *out,
                                  struct footnote_err *err)
{
    struct str digest = db_col_str(cur, BACKUP_COL_FILES_DIGEST);
    struct sha256 d;

    if (digest.n != SHA256_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED, "a file's row has no digest");
    memcpy(d.b, digest.p, SHA256_BYTES);
    out->tenant = db_col_i64(cur, BACKUP_COL_FILES_TENANT);
    return object_of(db_col_str(cur, BACKUP_COL_FILES_OBJECT_KEY),
                     db_col_i64(cur, BACKUP_COL_FILES_BYTES), &d, &out->object,
                     err);
}

/* The files behind `after`, *n of them. */
static enum footnote_rc read_page(struct db *db, const struct file *after,
                                  struct file page[PAGE_ROWS], size_t *n,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_run(db, (enum stmt_id)BACKUP_STMT_FILES, &cur, err,
               db_i64(after->tenant), db_text(str_c(after->object.key)),
               db_i64(PAGE_ROWS)));
    for (*n = 0;; ++*n) {
        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(read_file(cur, &page[*n], err));
    }
}

enum footnote_rc files_each(struct db *db, const atomic_bool *stop, file_fn *fn,
                            void *arg, struct footnote_err *err)
{
    struct file page[PAGE_ROWS], after = {.tenant = 0};
    size_t n;

    do {
        enum footnote_rc rc;

        TRY(db_begin(db, err));
        rc = read_page(db, &after, page, &n, err);
        db_rollback(db);
        TRY(rc);
        for (size_t i = 0; i < n; i++) {
            if (atomic_load(stop))
                return err_set(err, FOOTNOTE_BUSY, "was stopped");
            TRY(fn(arg, &page[i], err));
        }
        if (n)
            after = page[n - 1];
    } while (n == PAGE_ROWS);
    return FOOTNOTE_OK;
}

/* ---- The list ----------------------------------------------------------- */

struct text {
    struct str s; /* mapped; absent: it is empty */
};

static void text_unmap(struct text *t)
{
    if (t->s.p)
        munmap((void *)(uintptr_t)t->s.p, t->s.n);
}

static bool read_line(struct str line, struct object *out)
{
    char name[PLACE_PATH_BYTES];
    int n;

    if (line.n < SHA256_HEX + 2 || line.p[SHA256_HEX] != ' ')
        return false;
    n = snprintf(name, sizeof(name), "objects/%.2s/%.62s", line.p, line.p + 2);
    return place_file_digest((struct str){name, (size_t)n}, &out->digest) &&
           str_i64(str_skip(line, SHA256_HEX + 1), &out->bytes);
}

enum footnote_rc files_read_list(struct place *p, const struct manifest *m,
                                 listed_fn *fn, void *arg,
                                 struct footnote_err *err)
{
    AUTO(text_unmap) struct text t = {STR_NONE};
    AUTO(fd_closep) int fd = -1;
    char path[PLACE_PATH_BYTES];
    struct object whole;

    snprintf(path, sizeof(path), "%s/files.txt", m->name);
    TRY(p->driver->get(p, path, &m->list, &fd, err));
    TRY(manifest_measure(fd, &whole, err));
    if (whole.bytes != m->list.bytes ||
        !sha256_eq(&whole.digest, &m->list.digest))
        return err_set(err, FOOTNOTE_DAMAGED, "%s: is not what was backed up",
                       path);
    if (whole.bytes > 0) {
        void *at =
            mmap(NULL, (size_t)whole.bytes, PROT_READ, MAP_PRIVATE, fd, 0);

        if (at == MAP_FAILED)
            return err_set(err, FOOTNOTE_NOMEM, "reading %s", path);
        t.s = (struct str){at, (size_t)whole.bytes};
    }
    for (struct str left = t.s; left.n;) {
        size_t end = str_find(left, '\n');
        struct object o = {.bytes = 0};

        if (!read_line((struct str){left.p, end}, &o))
            return err_set(err, FOOTNOTE_DAMAGED, "%s: has a wrong line", path);
        TRY(fn(arg, &o, err));
        left = str_skip(left, end < left.n ? end + 1 : end);
    }
    return FOOTNOTE_OK;
}
