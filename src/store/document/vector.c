/* vector.c - vectors of passages, kept with the name of their model. */
#include "store/check.h"
#include "store/document/passage.h"
#include "store/document/search.h"
#include "store/list.h"
#include "store/seal.h"

enum { VECTORS_MAX = 100, VECTOR_BYTES_MAX = 64 * 1024 };

static enum footnote_rc missing_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct vectors_missing *op = arg;
    size_t n = 0; /* that can be embedded */

    op->passages = NULL;
    op->passages_n = 0;
    TRY(db_run(tx->db, STMT_VECTORS_MISSING, &cur, err, db_text(op->model),
               db_i64(tx->tenant), db_i64(op->document), db_i64(op->version),
               db_i64(op->after_position), db_i64((int64_t)op->limit)));
    TRY(index_passages_take(tx, cur, &op->passages, &op->passages_n, err));
    for (size_t i = 0; i < op->passages_n; i++)
        if (!op->passages[i].damaged)
            op->passages[n++] = op->passages[i];
    op->passages_n = n;
    return FOOTNOTE_OK;
}

const struct store_op vectors_missing_op = {NULL, missing_run};

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    const struct vectors_put *op = arg;

    (void)tx;
    if (op->vectors_n > VECTORS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "vectors", "%zu, at most %d",
                         op->vectors_n, VECTORS_MAX);
    if (!op->model.p)
        return err_field(err, FOOTNOTE_INVALID, "model", "is missing");
    for (size_t i = 0; i < op->vectors_n; i++) {
        struct str v = op->vectors[i].floats;

        if (v.n == 0 || v.n % sizeof(float) || v.n > VECTOR_BYTES_MAX)
            return err_field(err, FOOTNOTE_INVALID, "vector",
                             "not 1 to %d floats",
                             VECTOR_BYTES_MAX / (int)sizeof(float));
    }
    return check_id(op->model, "model", err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    const struct vectors_put *op = arg;

    for (size_t i = 0; i < op->vectors_n; i++) {
        const struct vector *v = &op->vectors[i];
        const struct db_value row[] = {db_i64(tx->tenant), db_i64(v->document),
                                       db_i64(v->version), db_i64(v->position),
                                       db_text(op->model), db_blob(v->floats)};

        TRY(db_do(tx->db, STMT_VECTOR_PUT, err, row[COL_VECTOR_SEALED_MODEL],
                  row[COL_VECTOR_SEALED_VECTOR],
                  seal_of(SEALED_VECTOR, row, COL_VECTOR_SEALED_SEAL), row[0],
                  row[1], row[2], row[3]));
    }
    return FOOTNOTE_OK;
}

const struct store_op vectors_put_op = {put_prepare, put_run};

static enum footnote_rc read_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct vectors_read *op = arg;

    op->vectors = NULL;
    op->vectors_n = 0;
    TRY(db_run(tx->db, STMT_VECTORS_READ, &cur, err, db_i64(tx->tenant),
               db_i64(op->course), db_text(op->model),
               db_i64((int64_t)op->limit)));
    for (;;) {
        struct vector *v;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (seal_check_key(tx, SEALED_VECTOR, cur, 0, NULL,
                           db_i64(tx->tenant)) != FOOTNOTE_OK)
            continue; /* told of: the passage is found by its words */
        v = list_add(tx->out, &op->vectors, &op->vectors_n, sizeof(*v));
        if (!v)
            return arena_rc(tx->out, err);
        *v = (struct vector){
            .document = db_col_i64(cur, COL_VECTOR_SEALED_DOCUMENT),
            .version = db_col_i64(cur, COL_VECTOR_SEALED_VERSION),
            .position = db_col_i64(cur, COL_VECTOR_SEALED_POSITION),
            .floats =
                arena_str(tx->out, db_col_str(cur, COL_VECTOR_SEALED_VECTOR))};
    }
}

const struct store_op vectors_read_op = {NULL, read_run};
