/* size.c - how large the database is.  Reading it also shows that the
 * database answers. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/store.h"

/* Copied back, the log keeps its length until it is written anew. */
static enum footnote_rc read_log(struct tx *tx, int64_t *bytes,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    char path[PATH_MAX];
    struct stat st;
    struct str file;
    bool row;

    *bytes = 0;
    TRY(db_one_n(tx->db, STMT_SIZE_FILE, NULL, 0, &cur, &row, err));
    file = row ? db_col_str(cur, COL_SIZE_FILE_FILE) : STR_NONE;
    if (file.n == 0)
        return FOOTNOTE_OK;
    snprintf(path, sizeof(path), "%.*s-wal", STR_ARG(file));
    if (stat(path, &st) == 0)
        *bytes = st.st_size;
    return FOOTNOTE_OK;
}

static enum footnote_rc store_size_run(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct store_size *op = arg;
    bool row;

    TRY(db_one_n(tx->db, STMT_SIZE_READ, NULL, 0, &cur, &row, err));
    op->bytes = row ? db_col_i64(cur, COL_SIZE_READ_BYTES) : 0;
    return read_log(tx, &op->log_bytes, err);
}

const struct store_op store_size_op = {NULL, store_size_run};
