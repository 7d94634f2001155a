/* objects.c - which objects rows name, and which nothing names any more. */
#include <assert.h>

#include "store/document/document_row.h"
#include "store/document/job.h"
#include "store/list.h"
#include "store/source/digest.h"
#include "store/usage.h"

enum footnote_rc object_add(struct tx *tx, const struct object_new *o,
                            struct footnote_err *err)
{
    int64_t rows;

    TRY(db_change(tx->db, STMT_OBJECT_ADD, &rows, err, db_i64(tx->tenant),
                  db_text(o->key), db_i64(o->account), db_i64(o->bytes),
                  db_blob(digest_str(o->digest)), db_i64(tx->now_ms)));
    return usage_add(tx, o->account, (struct usage){.bytes = rows * o->bytes},
                     err);
}

enum footnote_rc objects_buried(struct tx *tx, struct db_cur *cur,
                                int64_t *bytes, struct footnote_err *err)
{
    *bytes = 0;
    for (;;) {
        int64_t n;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        n = db_col_i64(cur, COL_BURIED_OBJECT_BYTES);
        *bytes += n;
        TRY(usage_add(tx, db_col_i64(cur, COL_BURIED_OBJECT_ACCOUNT),
                      (struct usage){.bytes = -n}, err));
    }
}

enum footnote_rc object_bury(struct tx *tx, struct str key,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t bytes;

    TRY(db_run(tx->db, STMT_OBJECT_BURY, &cur, err, db_i64(tx->db_ms),
               db_i64(tx->tenant), db_text(key)));
    return objects_buried(tx, cur, &bytes, err);
}

static enum footnote_rc garbage_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct object_garbage *op = arg;

    op->keys = NULL;
    op->keys_n = 0;
    TRY(db_run(tx->db, STMT_OBJECTS_GARBAGE, &cur, err,
               db_i64(op->deleted_before_ms), db_i64(OBJECTS_MAX)));
    for (;;) {
        struct str *key;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        key = list_add(tx->out, &op->keys, &op->keys_n, sizeof(*key));
        if (!key)
            return arena_rc(tx->out, err);
        *key =
            arena_str(tx->out, db_col_str(cur, COL_OBJECTS_GARBAGE_OBJECT_KEY));
    }
}

const struct store_op object_garbage_op = {NULL, garbage_run};

static enum footnote_rc forget_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    const struct object_forget *op = arg;

    return db_do(tx->db, STMT_OBJECT_FORGET, err, db_text(op->key));
}

const struct store_op object_forget_op = {NULL, forget_run};

static enum footnote_rc unknown_prepare(struct tx *tx, void *arg,
                                        struct footnote_err *err)
{
    const struct object_unknown *op = arg;

    (void)tx;
    if (op->keys_n > OBJECTS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "keys", "%zu, at most %d",
                         op->keys_n, OBJECTS_MAX);
    return FOOTNOTE_OK;
}

static enum footnote_rc unknown_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct object_unknown *op = arg;

    assert(op->keys_n <= OBJECTS_MAX);
    for (size_t i = 0; i < op->keys_n; i++) {
        AUTO(db_end) struct db_cur *cur = NULL;
        bool row;

        TRY(db_one(tx->db, STMT_OBJECT_KNOWN, &cur, &row, err,
                   db_text(op->keys[i])));
        op->unknown[i] = !row;
    }
    return FOOTNOTE_OK;
}

const struct store_op object_unknown_op = {unknown_prepare, unknown_run};
