/* files.h - the files that belong to a database.  One thread. */
#ifndef BACKUP_FILES_H
#define BACKUP_FILES_H
#include <stdatomic.h>

#include "backup/manifest.h"
#include "db/db.h"

/* ---- As rows name them -------------------------------------------------- */

struct file {
    int64_t tenant;
    struct object object;
};
/* Calls fn for each, by key.  `db` is a reader without a transaction: some
 * rows are read at a time, and nothing is held while fn works. */
typedef enum footnote_rc file_fn(void *arg, const struct file *f,
                                 struct footnote_err *err);
enum footnote_rc files_each(struct db *db, const atomic_bool *stop, file_fn *fn,
                            void *arg, struct footnote_err *err);

/* ---- As a backup lists them: NAME/files.txt ----------------------------- */

/* A line each: SHA256 BYTES.  `o` has no key. */
typedef enum footnote_rc listed_fn(void *arg, const struct object *o,
                                   struct footnote_err *err);
/* DAMAGED unless it is the list that the manifest names, before fn is called.
 */
enum footnote_rc files_read_list(struct place *p, const struct manifest *m,
                                 listed_fn *fn, void *arg,
                                 struct footnote_err *err);

#endif
