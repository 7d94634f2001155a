/* check.h - recomputes the digests and seals of a restored database.  One
 * thread. */
#ifndef BACKUP_CHECK_H
#define BACKUP_CHECK_H
#include "backup/backup.h"
#include "db/db.h"

/* `db` is a reader with a transaction begun, opened with backup_sql_set.  Every
 * source and every message that is not as it was stored is told to
 * o->damage and counted in out->damaged. */
enum footnote_rc check_digests(struct db *db, const struct restore_options *o,
                               struct restored *out, struct footnote_err *err);
/* The same for the seal of every row that has one. */
enum footnote_rc check_seals(struct store *st, const struct restore_options *o,
                             struct restored *out, struct footnote_err *err);

#endif
