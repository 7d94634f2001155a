/* pool.h - one row per source.  The writer's thread. */
#ifndef STORE_SOURCE_POOL_H
#define STORE_SOURCE_POOL_H
#include "cite/source.h"

struct bindings;
struct new_reference;
struct pool;
struct tx;

enum footnote_rc pool_open(struct pool **out, struct footnote_err *err);
void pool_close(struct pool *p);
/* After a rollback, or a change of rows: what it remembers may not be stored.
 */
void pool_forget(struct pool *p);
struct bindings *pool_bindings(struct pool *p); /* binding.c's */
/* Sets r->source, the key of the pooled source; a new source is inserted.  In
 * two steps: if all sources of a message are asked for before the first is put,
 * they share a round trip.  pool_drop() ends what pool_ask() began. */
enum footnote_rc pool_ask(struct tx *tx, int64_t pool, struct new_reference *r,
                          struct footnote_err *err);
enum footnote_rc pool_put(struct tx *tx, int64_t pool, struct new_reference *r,
                          struct footnote_err *err);
void pool_drop(struct new_reference *r);

#endif
