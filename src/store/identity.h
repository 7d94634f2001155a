/* identity.h - which store this is.
 *
 * A store is made with an id that no other has.  What lies outside of the
 * database, as objects and backups do, names the store that it belongs to by
 * this id.  A copy that is used beside its original must get an id of its own
 * first, or both take the same objects for theirs. */
#ifndef STORE_IDENTITY_H
#define STORE_IDENTITY_H
#include "store/store.h"

enum { STORE_IDENTITY_BYTES = 32 }; /* lower case hex digits */

/* Run by store_own_read() or store_own(). */
struct store_identity {
    char id[STORE_IDENTITY_BYTES + 1]; /* out */
    int64_t created_ms;                /* out: when the store got this id */
};
STORE_OP(store_identity);

/* Gives the store a new id, run by store_own(). */
struct store_identity_renew {
    char id[STORE_IDENTITY_BYTES + 1]; /* out */
};
STORE_OP(store_identity_renew);

#endif
