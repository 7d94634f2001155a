/* size.c - how large the database is.  Reading it also shows that the
 * database answers. */
#include "store/store.h"

static enum footnote_rc store_size_run(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct store_size *op = arg;
    bool row;

    TRY(db_one_n(tx->db, STMT_SIZE_READ, NULL, 0, &cur, &row, err));
    op->bytes = row ? db_col_i64(cur, COL_SIZE_READ_BYTES) : 0;
    return FOOTNOTE_OK;
}

const struct store_op store_size_op = {NULL, store_size_run};
