/* id_cache.h - keys of tenants and users by their names; new keys.
 *
 * The writer's thread alone, but for id_cache_read(). */
#ifndef STORE_ID_CACHE_H
#define STORE_ID_CACHE_H
#include "store/store.h"

struct id_cache;

enum footnote_rc id_cache_open(struct id_cache **out, struct footnote_err *err);
void id_cache_close(struct id_cache *k);
/* After a rollback: what it remembers may not be stored. */
void id_cache_forget(struct id_cache *k);
/* Fills tx->tenant and tx->account; makes rows for unknown names. */
enum footnote_rc id_cache_make(struct tx *tx, struct who who,
                               struct footnote_err *err);
/* The same for a reader: unknown names have key 0. */
enum footnote_rc id_cache_read(struct tx *tx, struct who who,
                               struct footnote_err *err);
/* A key that was never used in this tenant. */
enum footnote_rc key_new(struct tx *tx, int64_t *out, struct footnote_err *err);
/* The account of a user, made when unknown.  "*" is 0. */
enum footnote_rc account_of(struct tx *tx, struct str user, int64_t *out,
                            struct footnote_err *err);

/* A row with the sealed columns of both, found by these names: checks them, and
 * fills in tx->tenant and tx->account. */
enum footnote_rc who_check(struct tx *tx, struct who who, struct db_cur *cur,
                           int tenant, int account, struct footnote_err *err);

#endif
