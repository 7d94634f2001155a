/* patch.c - a caller's own running answer, changed by its id.
 *
 * Its lease has no node: only these calls renew it, and any caller that knows
 * the id may go on with it.  Answers that a server writes are refused. */
#include "store/answer/answer.h"
#include "store/answer/lease.h"
#include "store/check.h"
#include "store/db_clock.h"
#include "store/seal.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"

static enum footnote_rc patch_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct answer_patch *op = arg;

    (void)tx;
    op->tried = false;
    if (!status_is_end(op->status) && op->status != FOOTNOTE_STREAMING)
        return err_field(err, FOOTNOTE_INVALID, "status", "%d does not exist",
                         (int)op->status);
    return check_text(op->append, STORE_CONTENT_BYTES_MAX, "append", err);
}

static enum footnote_rc find_held(struct tx *tx, struct answer_patch *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct message_row m;
    struct session_row s;
    struct lease lease;
    bool row;

    TRY(message_find(tx, op->id, &m, err));
    if (!m.found)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_of(tx, m.session, &s, err));
    if (s.deleted && scope_confines(tx->scope))
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_may_write(tx, &s, err));
    op->before = (struct answer){
        .tenant = tx->tenant, .session = m.session, .seq = m.seq};
    TRY(lease_find(tx, &op->before, &lease, err));
    if (lease.epoch == 0)
        return answer_ended(err);
    if (!lease.unheld)
        return err_set(err, FOOTNOTE_RUNNING,
                       "this answer is being written by the server");
    op->before.epoch = lease.epoch;
    op->before.parts = lease.parts;
    TRY(db_one(tx->db, STMT_TEXT_BYTES, &cur, &row, err, db_i64(tx->tenant),
               db_i64(m.session), db_i64(m.seq)));
    op->before.bytes = row ? (size_t)db_col_i64(cur, COL_TEXT_BYTES_BYTES) : 0;
    return FOOTNOTE_OK;
}

/* Renews the lease: any call shows that the writer is alive. */
static enum footnote_rc hold(struct tx *tx, const struct answer *a,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    return db_one(tx->db, STMT_LEASE_HOLD, &cur, &row, err,
                  db_i64(lease_until_ms(tx)), db_i64(a->tenant),
                  db_i64(a->session), db_i64(a->seq), db_i64(a->epoch));
}

static enum footnote_rc finish(struct tx *tx, const struct answer_patch *op,
                               struct answer *a, struct footnote_err *err)
{
    struct answer_finish end = {.answer = a,
                                .status = op->status,
                                .measured = op->measured,
                                .has_low_confidence = op->has_low_confidence,
                                .low_confidence = op->low_confidence};

    TRY(answer_finish_op.prepare(tx, &end, err));
    return answer_finish_op.run(tx, &end, err);
}

/* A repeat after a lost connection starts from the answer as the first run
 * found it, so that a text that is stored already is not appended twice. */
static enum footnote_rc patch_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct answer_patch *op = arg;
    struct answer_append append = {.text = op->append};
    struct message_row m;
    struct answer a;

    if (tx->again && op->tried) {
        TRY(message_find(tx, op->id, &m, err));
        if (op->status != FOOTNOTE_STREAMING && m.found &&
            m.status == op->status)
            return FOOTNOTE_OK; /* the earlier run has ended it */
    } else {
        TRY(find_held(tx, op, err));
    }
    op->tried = true;
    append.answer = &a;
    a = op->before;
    if (op->append.p && op->append.n) {
        TRY(answer_append_op.prepare(tx, &append, err));
        TRY(answer_append_op.run(tx, &append, err));
    } else {
        TRY(hold(tx, &a, err));
    }
    if (op->status != FOOTNOTE_STREAMING)
        return finish(tx, op, &a, err);
    if (!op->has_low_confidence)
        return FOOTNOTE_OK;
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(a.tenant), db_i64(a.session),
                  db_i64(a.seq)));
    return db_do(tx->db, STMT_ANSWER_CONFIDENCE, err,
                 db_i64(op->low_confidence), db_i64(a.tenant),
                 db_i64(a.session), db_i64(a.seq));
}

const struct store_op answer_patch_op = {patch_prepare, patch_run};
