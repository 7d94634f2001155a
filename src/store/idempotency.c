/* idempotency.c - idempotency keys: the same request again gets the first
 * result. */
#include <assert.h>
#include <stdlib.h>

#include "store/check.h"
#include "store/idempotency.h"
#include "store/source/digest.h"

static enum footnote_rc check(struct str scope, struct str key,
                              struct footnote_err *err)
{
    if (!scope.p || !key.p)
        return err_set(err, FOOTNOTE_INVALID, "Idempotency-Key: is missing");
    TRY(check_text(scope, STORE_ID_BYTES_MAX, "session", err));
    return check_id(key, "Idempotency-Key", err);
}

static enum footnote_rc claim_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct key_claim *op = arg;

    (void)tx;
    op->response = STR_NONE;
    return check(op->scope, op->key, err);
}

/* The response outlives the transaction: the caller gets a copy of its own. */
static enum footnote_rc keep(struct key_claim *op, struct str response,
                             struct footnote_err *err)
{
    char *copy = malloc(response.n + 1);

    if (!copy)
        return err_set(err, FOOTNOTE_NOMEM, "reading a stored response");
    if (response.n)
        memcpy(copy, response.p, response.n);
    copy[response.n] = '\0';
    op->response.p = copy;
    op->response.n = response.n;
    return FOOTNOTE_OK;
}

/* The row of a claimed key; REUSED when another request claimed it. */
static enum footnote_rc find_same(struct tx *tx, struct str scope,
                                  struct str key, const struct sha256 *request,
                                  struct db_cur **cur, struct footnote_err *err)
{
    bool row;

    TRY(db_one(tx->db, STMT_KEY_FIND, cur, &row, err, db_i64(tx->tenant),
               db_i64(tx->account), db_text(scope), db_text(key)));
    if (!row)
        return err_set(err, FOOTNOTE_BUSY, "Idempotency-Key: try again");
    if (!str_eq(db_col_str(*cur, COL_KEY_FIND_REQUEST), digest_str(request)))
        return err_set(err, FOOTNOTE_REUSED,
                       "Idempotency-Key: came with another request");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_first(struct tx *tx, struct key_claim *op,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(find_same(tx, op->scope, op->key, &op->request, &cur, err));
    if (db_col_null(cur, COL_KEY_FIND_STATUS)) {
        if (!tx->again)
            return err_set(err, FOOTNOTE_RUNNING,
                           "Idempotency-Key: the first request is at work");
        op->first = true; /* an earlier run of this operation */
        return FOOTNOTE_OK;
    }
    op->status = db_col_i64(cur, COL_KEY_FIND_STATUS);
    return keep(op, db_col_str(cur, COL_KEY_FIND_RESPONSE), err);
}

static enum footnote_rc claim_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct key_claim *op = arg;

    free((void *)(uintptr_t)op->response.p);
    op->response = STR_NONE;
    TRY(db_one(tx->db, STMT_KEY_CLAIM, &cur, &op->first, err,
               db_i64(tx->tenant), db_i64(tx->account), db_text(op->scope),
               db_text(op->key), db_blob(digest_str(&op->request)),
               db_i64(tx->db_ms)));
    return op->first ? FOOTNOTE_OK : read_first(tx, op, err);
}

const struct store_op key_claim_op = {claim_prepare, claim_run};

static enum footnote_rc finish_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct key_finish *op = arg;

    TRY(check(op->scope, op->key, err));
    if (op->status == 0)
        return db_do(tx->db, STMT_KEY_DROP, err, db_i64(tx->tenant),
                     db_i64(tx->account), db_text(op->scope), db_text(op->key));
    return db_do(tx->db, STMT_KEY_FINISH, err, db_i64(op->status),
                 db_blob(op->response), db_i64(tx->tenant), db_i64(tx->account),
                 db_text(op->scope), db_text(op->key));
}

const struct store_op key_finish_op = {NULL, finish_run};

/* ---- keyed_write -------------------------------------------------------- */

static enum footnote_rc keyed_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct keyed_write *op = arg;

    assert(op->kind && op->op && op->result && op->kind != OP(keyed_write));
    TRY(check(op->scope, op->key, err));
    return op->kind->prepare ? op->kind->prepare(tx, op->op, err) : FOOTNOTE_OK;
}

static enum footnote_rc keep_result(struct keyed_write *op, struct str result,
                                    struct footnote_err *err)
{
    if (result.n > STORE_ID_BYTES_MAX)
        return err_set(err, FOOTNOTE_DAMAGED, "Idempotency-Key: its result");
    if (result.n)
        memcpy(op->result_text, result.p, result.n);
    op->result_text[result.n] = '\0';
    return FOOTNOTE_OK;
}

/* The key is claimed: by an earlier request, or by an earlier run of this
 * operation, which made the same id. */
static enum footnote_rc keyed_repeat(struct tx *tx, struct keyed_write *op,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(find_same(tx, op->scope, op->key, &op->request, &cur, err));
    if (db_col_null(cur, COL_KEY_FIND_STATUS))
        return err_set(err, FOOTNOTE_RUNNING,
                       "Idempotency-Key: the first request is at work");
    TRY(keep_result(op, db_col_str(cur, COL_KEY_FIND_RESPONSE), err));
    op->first = tx->again && strcmp(op->result_text, op->result) == 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc keyed_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct keyed_write *op = arg;
    struct key_finish end = {.scope = op->scope, .key = op->key, .status = 201};

    TRY(db_one(tx->db, STMT_KEY_CLAIM, &cur, &op->first, err,
               db_i64(tx->tenant), db_i64(tx->account), db_text(op->scope),
               db_text(op->key), db_blob(digest_str(&op->request)),
               db_i64(tx->db_ms)));
    if (!op->first)
        return keyed_repeat(tx, op, err);
    TRY(op->kind->run(tx, op->op, err));
    TRY(keep_result(op, str_c(op->result), err));
    end.response = str_c(op->result_text);
    return finish_run(tx, &end, err);
}

const struct store_op keyed_write_op = {keyed_prepare, keyed_run};
