/* reader.h - a few read-only connections, lent one at a time.  Any thread. */
#ifndef DB_READER_H
#define DB_READER_H
#include "db/db.h"

struct readers;

/* Connections are opened when first needed.  *out is yours. */
enum footnote_rc readers_open(const struct db_options *o, size_t n_max,
                              struct readers **out, struct footnote_err *err);
void readers_close(struct readers *r); /* all given back; NULL is fine */

/* Lends a connection with a transaction begun: a snapshot.  Waits up to the
 * call's time-out for a free one, then BUSY. */
enum footnote_rc readers_take(struct readers *r, struct db **out,
                              struct footnote_err *err);
/* The same without waiting for anything: BUSY unless an open connection is
 * free and its engine answers from this process. */
enum footnote_rc readers_try_take(struct readers *r, struct db **out,
                                  struct footnote_err *err);
/* Ends the transaction and takes the connection back. */
void readers_give(struct readers *r, struct db *db);

#endif
