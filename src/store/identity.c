/* identity.c - the one row that says which store this is. */
#include <stdio.h>

#include "base/uuid.h"
#include "store/identity.h"

static enum footnote_rc store_identity_run(struct tx *tx, void *arg,
                                           struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct store_identity *op = arg;
    struct str id;
    bool row;

    TRY(db_one_n(tx->db, STMT_IDENTITY_READ, NULL, 0, &cur, &row, err));
    if (!row)
        return err_set(err, FOOTNOTE_DAMAGED, "the store has lost its id");
    id = db_col_str(cur, COL_IDENTITY_READ_ID);
    if (id.n != STORE_IDENTITY_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED, "the store's id is none");
    memcpy(op->id, id.p, id.n);
    op->id[id.n] = '\0';
    op->created_ms = db_col_i64(cur, COL_IDENTITY_READ_CREATED_MS);
    return FOOTNOTE_OK;
}

const struct store_op store_identity_op = {NULL, store_identity_run};

static enum footnote_rc renew_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct store_identity_renew *op = arg;
    unsigned char random[STORE_IDENTITY_BYTES / 2];

    (void)tx;
    (void)err;
    random_bytes(random, sizeof(random));
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(op->id + 2 * i, 3, "%02x", random[i]);
    return FOOTNOTE_OK;
}

static enum footnote_rc renew_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct store_identity_renew *op = arg;
    int64_t changed;

    TRY(db_change(tx->db, STMT_IDENTITY_RENEW, &changed, err,
                  db_text(str_c(op->id)), db_i64(tx->now_ms)));
    if (changed != 1)
        return err_set(err, FOOTNOTE_DAMAGED, "the store has lost its id");
    return FOOTNOTE_OK;
}

const struct store_op store_identity_renew_op = {renew_prepare, renew_run};
