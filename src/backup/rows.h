/* rows.h - every table of one database into another.  One thread. */
#ifndef BACKUP_ROWS_H
#define BACKUP_ROWS_H
#include "db/db.h"

/* `from` is a reader with a transaction begun, `to` an empty database of the
 * same schema, both opened with backup_sql_set.  To a server all rows go in one
 * transaction; to a file, which counts only once it is whole, in many.  `stop`
 * ends it early as BUSY. */
enum footnote_rc rows_copy(struct db *from, struct db *to,
                           const atomic_bool *stop, struct footnote_err *err);

#endif
