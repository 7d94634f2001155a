/* backup.h - backups of a store with its files, and the way back.  One thread
 * for each call.
 *
 * A backup is one moment of the database, always as a SQLite file, and every
 * file that its rows name.  It is made beside a running server, from any
 * process that reaches the database: a snapshot holds nobody up. */
#ifndef BACKUP_BACKUP_H
#define BACKUP_BACKUP_H
#include <stdatomic.h>

#include "backup/manifest.h"

struct store;

/* What is damaged or gone, each as it is found: "file 3f90..: is missing". */
typedef void backup_damage_fn(void *arg, const char *what);

struct backup_options {
    const char *database; /* URL */
    struct objects *objects;
    struct place_where to;
    int64_t keep; /* so many backups of this store stay there; 0: all */
    const atomic_bool *stop;
    backup_damage_fn *damage;
    void *arg;
};
struct backup_made {
    struct manifest manifest;
    int64_t copied, copied_bytes; /* files that were not there yet */
    int64_t removed;              /* old backups */
};
/* Everything that was acknowledged before the call is in the backup.  A file
 * that is damaged or missing is told and left out: manifest.counts.missing.
 * When it fails, earlier backups are as they were. */
enum footnote_rc backup_make(const struct backup_options *o,
                             struct backup_made *out, struct footnote_err *err);

/* A backup to be read: the newest of its place, or, as PLACE/NAME, that one.
 * Verifying copies the database into from.scratch. */
struct restore_options {
    struct place_where from;
    const char *database; /* restore: URL of an empty database */
    const char *folder;   /* restore: the data folder, where nothing is yet */
    struct objects *objects; /* restore: no files yet */
    const atomic_bool *stop;
    backup_damage_fn *damage;
    void *arg;
};
struct restored {
    struct manifest manifest;
    struct backup_counts counts; /* as they were found */
    int64_t damaged;             /* rows and files that are not as they were */
    char store[STORE_IDENTITY_BYTES + 1]; /* restore: its new id */
};
/* Recomputes every digest of the copied rows and files.  OK also when some are
 * damaged: out->damaged.  DAMAGED: the backup itself cannot be read. */
enum footnote_rc backup_verify(const struct restore_options *o,
                               struct restored *out, struct footnote_err *err);
/* The same, and all is in its new place.  A restore that was cut off is run
 * again with the same options.  CONFLICT: the place is not empty. */
enum footnote_rc backup_restore(const struct restore_options *o,
                                struct restored *out, struct footnote_err *err);

/* keep.c: removes backups that were never finished and, if `keep` is not 0, all
 * but so many of the store; then the files that no backup names. */
enum footnote_rc backup_tidy(struct place *p, const char *store, int64_t keep,
                             int64_t *removed, struct footnote_err *err);
/* The newest backup in the place; NOTFOUND. */
enum footnote_rc backup_newest(struct place *p, char out[PLACE_NAME_BYTES + 1],
                               struct footnote_err *err);

#endif
