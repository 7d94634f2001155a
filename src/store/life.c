/* life.c - a node that has a name, and the lives that it has.
 *
 * The row of a name has the process that lives under it, and until when it was
 * heard to.  Taking over a name and giving up the leases of its earlier life is
 * one transaction; from then on they are as any that have run out.  Should that
 * process wake up after all, its epochs are refused as any zombie's, and it
 * goes on without a name. */
#include "store/life.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "store/check.h"
#include "store/state.h"
#include "store/sweep.h"

enum { RENEW_MS = 2000, HEARD_MS = 10 * 1000, LOOK_MS = 200 };

static struct str life_name(const struct tx *tx)
{
    return str_c(tx->store->life.name);
}

/* ---- Taking the name ---------------------------------------------------- */

struct life_claim {
    int64_t until_ms; /* out: of the one that lives */
};

static enum footnote_rc add_name(struct tx *tx, bool *added,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    return db_one(tx->db, STMT_NODE_ADD, &cur, added, err,
                  db_text(life_name(tx)), db_text(str_c(tx->store->node)),
                  db_i64(lease_clock_ms(tx) + HEARD_MS));
}

static enum footnote_rc succeed(struct tx *tx, struct str before,
                                struct footnote_err *err)
{
    int64_t changed;

    TRY(db_change(tx->db, STMT_NODE_TAKE, &changed, err,
                  db_text(str_c(tx->store->node)),
                  db_i64(lease_clock_ms(tx) + HEARD_MS), db_text(life_name(tx)),
                  db_text(before)));
    if (changed == 0)
        return FOOTNOTE_OK; /* another was faster */
    tx->store->life.held = true;
    TRY(db_do(tx->db, STMT_LEASE_RENEW, err, db_i64(LEASE_GIVEN_UP),
              db_text(before)));
    return db_do(tx->db, STMT_JOB_RENEW, err, db_i64(LEASE_GIVEN_UP),
                 db_text(before));
}

static enum footnote_rc claim_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct life_claim *op = arg;
    struct life *l = &tx->store->life;
    struct str before;
    bool row;

    TRY(db_clock_read(tx, NULL, err));
    TRY(add_name(tx, &row, err));
    l->held = row;
    if (l->held)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_NODE_FIND, &cur, &row, err,
               db_text(life_name(tx))));
    if (!row)
        return FOOTNOTE_OK; /* it ended just now */
    before = arena_str(tx->scratch, db_col_str(cur, COL_NODE_FIND_LIFE));
    op->until_ms = db_col_i64(cur, COL_NODE_FIND_UNTIL_MS);
    TRY(arena_rc(tx->scratch, err));
    l->held = str_eq(before, str_c(tx->store->node)); /* an earlier run */
    if (l->held || !lease_is_lost(tx, before, op->until_ms))
        return FOOTNOTE_OK;
    db_end(&cur);
    return succeed(tx, before, err);
}

static const struct store_op life_claim_op = {NULL, claim_run};

/* A row that is renewed while we look is of a living node; one that is not
 * runs out. */
static enum footnote_rc await_name(struct store *st, struct footnote_err *err)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    struct life_claim op = {.until_ms = -1};

    for (int64_t seen_ms = -1;; seen_ms = op.until_ms) {
        TRY(store_own(st, OP(life_claim), &op, err));
        if (st->life.held)
            return FOOTNOTE_OK;
        if (seen_ms >= 0 && op.until_ms != seen_ms)
            return err_set(err, FOOTNOTE_BUSY,
                           "node-name: another server lives as %.100s; stop "
                           "it, or give this one a name of its own",
                           st->life.name);
        if (seen_ms < 0 && st->life.say)
            st->life.say("waiting to see whether another server lives under "
                         "this node-name");
        (void)nanosleep(&pause, NULL);
    }
}

enum footnote_rc life_begin(struct store *st, const struct store_options *o,
                            struct footnote_err *err)
{
    struct str name = str_c(o->node_name);

    if (name.n > NODE_NAME_BYTES_MAX)
        return err_field(err, FOOTNOTE_INVALID, "node-name", "over %d bytes",
                         NODE_NAME_BYTES_MAX);
    TRY(check_text(name, NODE_NAME_BYTES_MAX, "node-name", err));
    if (name.n == 0)
        return FOOTNOTE_OK; /* and the first sweep reads the clock */
    memcpy(st->life.name, name.p, name.n);
    st->life.say = o->say;
    return await_name(st, err);
}

/* ---- Keeping it --------------------------------------------------------- */

enum footnote_rc life_renew(struct tx *tx, struct footnote_err *err)
{
    struct life *l = &tx->store->life;
    int64_t now_ms = clock_mono_ms(), changed;

    if (!l->held || now_ms - l->renewed_ms < RENEW_MS)
        return FOOTNOTE_OK;
    l->renewed_ms = now_ms;
    TRY(db_change(tx->db, STMT_NODE_RENEW, &changed, err,
                  db_i64(lease_clock_ms(tx) + HEARD_MS), db_text(life_name(tx)),
                  db_text(str_c(tx->store->node))));
    l->held = changed > 0;
    if (!l->held && l->say)
        l->say("another server has taken this node-name: this one was silent "
               "for too long");
    return FOOTNOTE_OK;
}

static enum footnote_rc end_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    (void)arg;
    return db_do(tx->db, STMT_NODE_DROP, err, db_text(life_name(tx)),
                 db_text(str_c(tx->store->node)));
}

static const struct store_op life_end_op = {NULL, end_run};

void life_end(struct store *st)
{
    char none;

    if (st->writer && st->life.held)
        (void)store_own(st, OP(life_end), &none, NULL);
}
