/* sweep.c - housekeeping in the writer's thread, about once a second.
 *
 * Leases that we hold are renewed well before they run out.  An answer is
 * interrupted, with the text it has, when its holder is dead or its lease ran
 * out; so are our own that nobody holds (unsure.c), and all of ours when the
 * store closes.  The statement that ends an answer compares the epoch, so an
 * answer that got another holder meanwhile goes on.
 *
 * Dead processes may leave thousands of answers, or some of two megabytes, and
 * all writes wait for this thread.  So a sweep stops when it has taken
 * SLICE_MS, and the next one goes on after the writes that waited.  It measures
 * nothing.
 */

#include "store/sweep.h"
#include "base/clock.h"
#include "store/answer/answer.h"
#include "store/answer/lease.h"
#include "store/answer/unsure.h"
#include "store/answer/word_log.h"
#include "store/audit.h"
#include "store/db_clock.h"
#include "store/document/document_row.h"
#include "store/life.h"
#include "store/list.h"
#include "store/node.h"
#include "store/state.h"
#include <stdatomic.h>
#include <stdlib.h>

enum {
    RENEW_MS = STORE_LEASE_MS / 4,
    EXPIRE_MS = 10 * 60 * 1000, /* how often old keys are looked for */
    SLICE_MS = 25
};
#define DAY_MS INT64_C(86400000)

/* True once per period. */
static bool is_due(int64_t *last_ms, int64_t period_ms)
{
    int64_t now_ms = clock_mono_ms();

    if (*last_ms && now_ms - *last_ms < period_ms)
        return false;
    *last_ms = now_ms;
    return true;
}

/* What a look at all leases has found. */
struct dead {
    struct answer *items;
    size_t n;
    int64_t *ours; /* epochs of our own that still run */
    size_t ours_n;
};

/* The monotonic clock begins anew with the machine: what it cannot have said
 * since is of before. */
static bool has_run_out(const struct tx *tx, int64_t until_ms)
{
    if (until_ms == LEASE_GIVEN_UP ||
        (!db_has_other_machines(tx->db) && until_ms > lease_until_ms(tx)))
        return true;
    return until_ms < lease_clock_ms(tx) && lease_clock_is_steady(tx);
}

bool lease_is_lost(struct tx *tx, struct str name, int64_t until_ms)
{
    char node[NODE_BYTES];
    size_t n = name.n < NODE_BYTES - 1 ? name.n : NODE_BYTES - 1;

    if (name.n)
        memcpy(node, name.p, n);
    node[n] = '\0';
    if (strcmp(node, tx->store->node) == 0)
        return tx->store->closing;
    return has_run_out(tx, until_ms) || node_is_dead(node, tx->store->reach);
}

static bool is_gone(struct tx *tx, struct db_cur *cur)
{
    int64_t due_ms;

    if (lease_is_lost(tx, db_col_str(cur, COL_LEASE_ALL_NODE),
                      db_col_i64(cur, COL_LEASE_ALL_UNTIL_MS)))
        return true;
    return orphan_find(tx->store, db_col_i64(cur, COL_LEASE_ALL_EPOCH),
                       &due_ms) &&
           due_ms <= clock_mono_ms();
}

static enum footnote_rc note_ours(struct tx *tx, struct db_cur *cur,
                                  struct dead *out, struct footnote_err *err)
{
    int64_t *epoch;

    if (!str_eq(db_col_str(cur, COL_LEASE_ALL_NODE), str_c(tx->store->node)))
        return FOOTNOTE_OK;
    epoch = list_add(tx->scratch, &out->ours, &out->ours_n, sizeof(*epoch));
    if (!epoch)
        return arena_rc(tx->scratch, err);
    *epoch = db_col_i64(cur, COL_LEASE_ALL_EPOCH);
    return FOOTNOTE_OK;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Whoever writes an answer that is not among them was stopped elsewhere. */
static void tell_ours(struct store *st, const struct dead *found)
{
    if (found->ours_n)
        qsort(found->ours, found->ours_n, sizeof(*found->ours), by_number);
    pthread_mutex_lock(&st->watch_lock);
    if (st->leases.fn)
        st->leases.fn(st->leases.arg, found->ours, found->ours_n);
    pthread_mutex_unlock(&st->watch_lock);
}

void store_watch_leases(struct store *st, store_leases_fn *fn, void *arg)
{
    pthread_mutex_lock(&st->watch_lock);
    st->leases.fn = fn;
    st->leases.arg = arg;
    pthread_mutex_unlock(&st->watch_lock);
}

/* Reads all rows first: ending an answer changes the table that is being read.
 */
static enum footnote_rc find_dead(struct tx *tx, struct dead *out,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run_n(tx->db, STMT_LEASE_ALL, NULL, 0, &cur, err));
    for (;;) {
        struct answer *a;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (!is_gone(tx, cur)) {
            TRY(note_ours(tx, cur, out, err));
            continue;
        }
        a = list_add(tx->scratch, &out->items, &out->n, sizeof(*a));
        if (!a)
            return arena_rc(tx->scratch, err);
        *a = (struct answer){.tenant = db_col_i64(cur, COL_LEASE_ALL_TENANT),
                             .session = db_col_i64(cur, COL_LEASE_ALL_SESSION),
                             .seq = db_col_i64(cur, COL_LEASE_ALL_SEQ),
                             .epoch = db_col_i64(cur, COL_LEASE_ALL_EPOCH)};
    }
}

static enum footnote_rc cut_off(struct tx *tx, const struct dead *dead,
                                size_t *left, struct footnote_err *err)
{
    int64_t until_ms = clock_mono_ms() + SLICE_MS;

    for (*left = dead->n; *left > 0; --*left) {
        if (*left < dead->n && clock_mono_ms() >= until_ms)
            break;
        TRY(answer_cut_off(tx, &dead->items[dead->n - *left],
                           FOOTNOTE_INTERRUPTED, err));
    }
    return FOOTNOTE_OK;
}

/* What is kept for a time only. */
static enum footnote_rc forget_old(struct tx *tx, struct footnote_err *err)
{
    TRY(db_do(tx->db, STMT_KEYS_EXPIRE, err,
              db_i64(tx->db_ms - STORE_KEY_KEPT_MS)));
    TRY(db_do(tx->db, STMT_LOGINS_EXPIRE, err, db_i64(tx->now_ms - DAY_MS)));
    TRY(db_do(tx->db, STMT_SHARES_EXPIRE, err, db_i64(tx->now_ms - DAY_MS)));
    return db_do(tx->db, STMT_AUDIT_ADDRESSES_DROP, err,
                 db_i64(tx->now_ms - AUDIT_KEPT_DAYS * DAY_MS));
}

enum footnote_rc sweep(struct tx *tx, struct footnote_err *err)
{
    struct dead dead = {.n = 0};
    struct store *st = tx->store;
    bool due = is_due(&st->renewed_ms, RENEW_MS), stepped;
    size_t left;

    TRY(db_clock_read(tx, &stepped, err));
    TRY(life_renew(tx, err));
    if (due || stepped)
        TRY(db_do(tx->db, STMT_LEASE_RENEW, err, db_i64(lease_until_ms(tx)),
                  db_text(str_c(st->node))));
    TRY(jobs_sweep(tx, due || stepped, err));
    if (is_due(&st->expired_ms, EXPIRE_MS))
        TRY(forget_old(tx, err));
    TRY(find_dead(tx, &dead, err));
    tell_ours(st, &dead);
    TRY(cut_off(tx, &dead, &left, err));
    atomic_store(&st->sweep_left, left);
    TRY(documents_sweep(tx, err));
    TRY(word_log_trim(tx, dead.ours_n > 0, err));
    if (!due && dead.n == 0)
        return FOOTNOTE_OK;
    return db_do(tx->db, STMT_WORD_LOG_DROP, err, db_text(str_c(st->node)));
}
