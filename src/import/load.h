/* load.h - brings the tables of a source in, row by row.  One thread. */
#ifndef IMPORT_LOAD_H
#define IMPORT_LOAD_H
#include "import/kind.h"

/* Loads every table of the kind that is there.  INVALID when one is missing, or
 * has a row that cannot be read: whose session would be half a session. */
enum footnote_rc load_all(struct import *im, struct footnote_err *err);

/* foreign.c: the tables that the kind has in PostgreSQL at o->source. */
enum footnote_rc load_foreign(struct import *im, struct footnote_err *err);
/* lite.c: whether the file is one of SQLite, and the tables that it has. */
bool is_lite(const char *path);
enum footnote_rc load_lite(struct import *im, const char *path, int64_t *bad,
                           struct footnote_err *err);

/* What a table's loader does with a row; `*bad` counts what it could not
 * read. */
enum footnote_rc load_row(struct import *im, size_t table, int64_t line,
                          struct str json, bool from_table, int64_t *bad,
                          struct footnote_err *err);

#endif
