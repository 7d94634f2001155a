/* vector.c - vectors of passages, kept with the name of their model. */
#include "store/document/vector.h"

#include <assert.h>

#include "store/check.h"
#include "store/db_clock.h"
#include "store/document/passage.h"
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
               db_i64((int64_t)op->bytes), db_i64(tx->tenant),
               db_i64(op->document), db_i64(op->version),
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
        const struct db_value row[] = {db_i64(op->tenant), db_i64(v->document),
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

/* The first vectors of a document, without damaged ones: their passages are
 * found by their words. */
static enum footnote_rc take_vectors(struct tx *tx, struct db_cur *cur,
                                     struct document_vectors *d,
                                     struct footnote_err *err)
{
    for (;;) {
        struct vector *v;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d->rows_n++;
        d->last_position = db_col_i64(cur, COL_VECTOR_SEALED_POSITION);
        if (seal_check_key(tx, SEALED_VECTOR, cur, 0, NULL, db_i64(tx->tenant),
                           db_i64(d->document)) != FOOTNOTE_OK)
            continue;
        v = list_add(tx->out, &d->vectors, &d->vectors_n, sizeof(*v));
        if (!v)
            return arena_rc(tx->out, err);
        *v = (struct vector){
            .document = d->document,
            .version = d->version,
            .position = d->last_position,
            .floats =
                arena_str(tx->out, db_col_str(cur, COL_VECTOR_SEALED_VECTOR))};
    }
}

/* All are asked for before the first is read, so they share a round trip. */
static enum footnote_rc read_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct db_cur *cursors[INDEX_DOCUMENTS_MAX] = {NULL};
    struct vectors_read *op = arg;
    enum footnote_rc rc = FOOTNOTE_OK;

    assert(op->documents_n <= INDEX_DOCUMENTS_MAX);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < op->documents_n; i++)
        rc = db_run(tx->db, STMT_VECTORS_READ, &cursors[i], err,
                    db_i64(tx->tenant), db_i64(op->documents[i].document),
                    db_i64(op->documents[i].version), db_text(op->model),
                    db_i64(op->after_position), db_i64((int64_t)op->limit));
    for (size_t i = 0; rc == FOOTNOTE_OK && i < op->documents_n; i++) {
        struct document_vectors *d = &op->documents[i];

        d->vectors = NULL;
        d->vectors_n = 0;
        d->rows_n = 0;
        rc = take_vectors(tx, cursors[i], d, err);
    }
    for (size_t i = 0; i < op->documents_n; i++)
        db_end(&cursors[i]);
    return rc;
}

const struct store_op vectors_read_op = {NULL, read_run};

/* ---- How far it is --------------------------------------------------------
 */

static enum footnote_rc state_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct vectors_state *op = arg;

    op->documents = NULL;
    op->documents_n = 0;
    TRY(db_run(tx->db, STMT_VECTORS_STATE, &cur, err, db_text(op->model),
               db_i64((int64_t)op->bytes), db_i64(tx->tenant),
               db_i64(op->course)));
    for (;;) {
        struct vectors_document *d;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d = list_add(tx->out, &op->documents, &op->documents_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        *d = (struct vectors_document){
            db_col_i64(cur, COL_VECTORS_STATE_DOCUMENT),
            db_col_i64(cur, COL_VECTORS_STATE_VERSION),
            db_col_i64(cur, COL_VECTORS_STATE_PASSAGES_N),
            db_col_i64(cur, COL_VECTORS_STATE_VECTORS_N)};
    }
}

const struct store_op vectors_state_op = {NULL, state_run};

static enum footnote_rc models_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct vectors_models *op = arg;

    op->models = NULL;
    op->models_n = 0;
    TRY(db_run(tx->db, STMT_VECTORS_MODELS, &cur, err, db_i64(tx->tenant),
               db_i64(op->course)));
    for (;;) {
        struct vectors_model *m;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        m = list_add(tx->out, &op->models, &op->models_n, sizeof(*m));
        if (!m)
            return arena_rc(tx->out, err);
        m->model =
            arena_str(tx->out, db_col_str(cur, COL_VECTORS_MODELS_MODEL));
        m->vectors_n = db_col_i64(cur, COL_VECTORS_MODELS_VECTORS_N);
    }
}

const struct store_op vectors_models_op = {NULL, models_run};

/* ---- Turns ----------------------------------------------------------------
 */

static enum footnote_rc turn_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct vectors_turn *op = arg;

    op->mine = true;
    if (!db_has_rival_writers(tx->db)) /* the folder's lock keeps others out */
        return FOOTNOTE_OK;
    if (op->ms == 0)
        return db_do(tx->db, STMT_VECTORS_TURN_END, err, db_i64(op->tenant),
                     db_i64(op->course), db_text(op->model),
                     db_text(op->holder));
    TRY(db_run(tx->db, STMT_VECTORS_TURN, &cur, err, db_i64(op->tenant),
               db_i64(op->course), db_text(op->model), db_text(op->holder),
               db_i64(lease_clock_ms(tx) + op->ms),
               db_i64(lease_clock_ms(tx))));
    return db_next(cur, &op->mine, err);
}

const struct store_op vectors_turn_op = {NULL, turn_run};
