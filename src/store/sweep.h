/* sweep.h - housekeeping in the writer's thread, about once a second. */
#ifndef STORE_SWEEP_H
#define STORE_SWEEP_H
#include "base/err.h"

struct tx;

/* until_ms of a lease whose holder was found dead before its time. */
enum { LEASE_GIVEN_UP = 0 };

/* Renews our leases, interrupts answers whose holder is gone, forgets old
 * idempotency keys, deletes some passages of deleted documents.
 * store->sweep_left counts the answers that it had no time
 * for. */
enum footnote_rc sweep(struct tx *tx, struct footnote_err *err);
/* True when the holder of a lease is gone: another node that died or did not
 * renew it, or this one when the store closes. */
bool lease_is_lost(struct tx *tx, struct str node, int64_t until_ms);

#endif
