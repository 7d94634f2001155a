/* db_clock.h - the clock by which nodes compare what another has written.
 *
 * Wall clocks of machines differ, and are set.  On PostgreSQL this is the clock
 * of the server: how far it is ahead of our monotonic one is measured by every
 * sweep, so that no write asks for it.  On SQLite all processes have one
 * machine, so leases count by its monotonic clock, which nobody sets; what is
 * kept over a restart counts by the wall clock as it was at the opening, and
 * from there on as the monotonic one goes. */
#ifndef STORE_DB_CLOCK_H
#define STORE_DB_CLOCK_H
#include <stdatomic.h>

#include "base/err.h"

struct store;
struct tx;

struct db_clock {
    _Atomic int64_t ahead_ms; /* of our monotonic clock */
    bool read;
    int64_t steady_from_ms; /* by the monotonic clock; writer's thread */
};

/* By the wall clock, until it is measured. */
void db_clock_start(struct store *st);
/* Measures it, in the writer's thread.  *stepped, which may be NULL: it was set
 * since the last time, or could not be measured well. */
enum footnote_rc db_clock_read(struct tx *tx, bool *stepped,
                               struct footnote_err *err);
/* Milliseconds since 1970. */
int64_t db_clock_ms(const struct store *st);

/* The clock of leases, whose beginning means nothing. */
int64_t lease_clock_ms(const struct tx *tx);
/* Until when a lease holds that is taken or renewed now. */
int64_t lease_until_ms(const struct tx *tx);
/* False for a while after a step: what seems to have run out may not have been
 * renewed by the new time yet. */
bool lease_clock_is_steady(const struct tx *tx);

#endif
