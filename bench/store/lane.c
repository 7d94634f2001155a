/* lane.c - the store's operations on a separate connection.
 *
 * The writer's thread works for all producers, a lane for one: the same code
 * and statements, but its own connection and a transaction for each operation.
 * The struct store of a lane has only what operations use inside a transaction.
 */
#include "base/clock.h"
#include "bench.h"
#include "store/damage.h"
#include "store/id_cache.h"
#include "store/node.h"
#include "store/session/message.h"
#include "store/source/pool.h"
#include "store/usage.h"

enum { SCRATCH_BYTES = 64 * 1024 * 1024, IN_TRANSACTION = 256 };

void lane_state_open(struct store *st)
{
    struct footnote_err err;

    *st = (struct store){.scratch = ARENA(SCRATCH_BYTES)};
    must(damages_open(&st->damages, &err), &err);
    must(id_cache_open(&st->id_cache, &err), &err);
    must(pool_open(&st->pool, &err), &err);
    must(usages_open(&st->usages, &err), &err);
    must(sha256_open(&st->hasher, &err), &err);
    node_name(st->node);
    db_clock_start(st);
}

void lane_state_close(struct store *st)
{
    sha256_close(st->hasher);
    usages_close(st->usages);
    pool_close(st->pool);
    id_cache_close(st->id_cache);
    damages_close(st->damages);
    arena_free(&st->scratch);
}

void lane_open(struct lane *l, const char *url)
{
    struct db_options o = {.url = url, .mode = DB_WRITE};
    struct footnote_err err;

    *l = (struct lane){.db = NULL};
    lane_state_open(&l->store);
    must(db_open(&o, &l->db, &err), &err);
}

void lane_close(struct lane *l)
{
    db_close(l->db);
    lane_state_close(&l->store);
}

static struct tx tx_of(struct store *st, struct db *db, struct arena *scratch)
{
    return (struct tx){.store = st,
                       .db = db,
                       .scratch = scratch,
                       .now_ms = clock_wall_ms(),
                       .db_ms = db_clock_ms(st)};
}

enum footnote_rc lane_prepare(struct store *st, struct arena *a,
                              const struct store_op *kind, void *op,
                              struct footnote_err *err)
{
    struct tx tx = tx_of(st, NULL, a);

    return kind->prepare ? kind->prepare(&tx, op, err) : FOOTNOTE_OK;
}

enum footnote_rc lane_run_prepared(struct store *st, struct db *db,
                                   struct who who, const struct store_op *kind,
                                   void *op, struct footnote_err *err)
{
    struct tx tx = tx_of(st, db, &st->scratch);

    arena_reset(tx.scratch);
    TRY(id_cache_make(&tx, who, err));
    TRY(kind->run(&tx, op, err));
    TRY(seals_close(&tx, err));
    usage_keep(st->usages);
    return usage_write(st, db, err);
}

enum footnote_rc lane_run(struct store *st, struct db *db, struct who who,
                          const struct store_op *kind, void *op,
                          struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH_BYTES);

    TRY(lane_prepare(st, &a, kind, op, err));
    return lane_run_prepared(st, db, who, kind, op, err);
}

static enum footnote_rc try_once(struct lane *l, struct who who,
                                 const struct store_op *kind, void *op,
                                 struct footnote_err *err)
{
    enum footnote_rc rc;

    TRY(db_begin(l->db, err));
    rc = lane_run_prepared(&l->store, l->db, who, kind, op, err);
    if (rc == FOOTNOTE_OK)
        rc = db_commit(l->db, err);
    else
        db_rollback(l->db);
    if (rc != FOOTNOTE_OK) {
        id_cache_forget(l->store.id_cache);
        pool_forget(l->store.pool);
    }
    return rc;
}

void lane_write(struct lane *l, struct who who, const struct store_op *kind,
                void *op)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH_BYTES);
    struct footnote_err err;
    enum footnote_rc rc;

    must(lane_prepare(&l->store, &a, kind, op, &err), &err);
    do /* a conflict is a source that another lane has pooled meanwhile */
        rc = try_once(l, who, kind, op, &err);
    while (rc == FOOTNOTE_BUSY || rc == FOOTNOTE_CONFLICT || l->db->retry);
    must(rc, &err);
}

void lane_fill(struct lane *l, struct order o)
{
    struct footnote_err err;
    struct turn t;
    struct work w = {.user = ""};
    size_t n = 0;

    while (order_next(&o, &t)) {
        if (n++ % IN_TRANSACTION == 0) {
            must(n == 1 ? FOOTNOTE_OK : db_commit(l->db, &err), &err);
            must(db_begin(l->db, &err), &err);
        }
        work_make(&w, t.session, t.seq, 0);
        must(lane_run(&l->store, l->db, w.who, OP(message_save), &w.op, &err),
             &err);
    }
    if (n)
        must(db_commit(l->db, &err), &err);
}
