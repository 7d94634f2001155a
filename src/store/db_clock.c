/* db_clock.c - the clock by which nodes compare what another has written. */
#include "store/db_clock.h"

#include "base/clock.h"
#include "store/state.h"

enum { STEP_MS = 5000 }; /* less is the time that asking took */

enum footnote_rc db_clock_read(struct tx *tx, bool *stepped,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_clock *c = &tx->store->clock;
    int64_t ahead_ms, by_ms;
    bool row;

    if (stepped)
        *stepped = false;
    if (!db_has_other_machines(tx->db))
        return FOOTNOTE_OK;
    TRY(db_one_n(tx->db, STMT_CLOCK_NOW, NULL, 0, &cur, &row, err));
    if (!row)
        return err_set(err, FOOTNOTE_INTERNAL, "the database has no clock");
    ahead_ms = db_col_i64(cur, COL_CLOCK_NOW_NOW_MS) - clock_mono_ms();
    by_ms = ahead_ms - atomic_exchange(&c->ahead_ms, ahead_ms);
    if (c->read && (by_ms > STEP_MS || by_ms < -STEP_MS)) {
        c->steady_from_ms = clock_mono_ms() + STORE_LEASE_MS;
        if (stepped)
            *stepped = true;
    }
    c->read = true;
    return FOOTNOTE_OK;
}

void db_clock_start(struct store *st)
{
    atomic_store(&st->clock.ahead_ms, clock_wall_ms() - clock_mono_ms());
}

int64_t db_clock_ms(const struct store *st)
{
    return clock_mono_ms() + atomic_load(&st->clock.ahead_ms);
}

int64_t lease_clock_ms(const struct tx *tx)
{
    return db_has_other_machines(tx->db) ? db_clock_ms(tx->store)
                                         : clock_mono_ms();
}

int64_t lease_until_ms(const struct tx *tx)
{
    return lease_clock_ms(tx) + STORE_LEASE_MS;
}

bool lease_clock_is_steady(const struct tx *tx)
{
    return clock_mono_ms() >= tx->store->clock.steady_from_ms;
}
