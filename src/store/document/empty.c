/* empty.c - takes from deleted documents what they had.
 *
 * A document may have a million passages, and a course many such documents,
 * while all writes wait for the one that deletes them.  A deleted document is
 * read by nobody, so only the first passages go at once: the sweep takes the
 * rest, a slice at a time, and those that write go in between. */
#include "store/document/document_row.h"
#include "store/state.h"
#include "store/usage.h"

/* Deletes the document's first passages, as many as there is room for, which
 * becomes less.  *left: it has more. */
static enum footnote_rc delete_some(struct tx *tx, int64_t document,
                                    int64_t *room, bool *left,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t version = INT32_MAX, position = 0, rows;

    TRY(db_one(tx->db, STMT_PASSAGES_NTH, &cur, left, err, db_i64(tx->tenant),
               db_i64(document), db_i64(*room)));
    if (*left) {
        version = db_col_i64(cur, COL_PASSAGES_NTH_VERSION);
        position = db_col_i64(cur, COL_PASSAGES_NTH_POSITION);
    }
    db_end(&cur);
    TRY(db_change(tx->db, STMT_PASSAGES_DELETE, &rows, err, db_i64(tx->tenant),
                  db_i64(document), db_i64(version), db_i64(position)));
    *room -= rows;
    return FOOTNOTE_OK;
}

static enum footnote_rc note_emptying(struct tx *tx, int64_t document, bool is,
                                      struct footnote_err *err)
{
    return db_do(tx->db, STMT_DOCUMENT_EMPTYING, err, db_i64(is),
                 db_i64(tx->tenant), db_i64(document));
}

enum footnote_rc document_empty(struct tx *tx, int64_t key, int64_t *room,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t bytes;
    bool left;

    TRY(db_do(tx->db, STMT_JOB_DELETE, err, db_i64(tx->tenant), db_i64(key)));
    TRY(delete_some(tx, key, room, &left, err));
    if (left)
        TRY(note_emptying(tx, key, true, err));
    TRY(db_run(tx->db, STMT_OBJECTS_BURY, &cur, err, db_i64(tx->db_ms),
               db_i64(tx->tenant), db_i64(key)));
    return objects_buried(tx, cur, &bytes, err);
}

enum footnote_rc documents_sweep(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t document, room = DOCUMENT_EMPTY_AT_ONCE;
    bool left;

    TRY(db_run_n(tx->db, STMT_DOCUMENTS_EMPTYING, NULL, 0, &cur, err));
    TRY(db_next(cur, &tx->store->emptying, err));
    if (!tx->store->emptying)
        return FOOTNOTE_OK;
    tx->tenant = db_col_i64(cur, COL_DOCUMENTS_EMPTYING_TENANT);
    document = db_col_i64(cur, COL_DOCUMENTS_EMPTYING_DOCUMENT);
    db_end(&cur);
    TRY(delete_some(tx, document, &room, &left, err));
    return left ? FOOTNOTE_OK : note_emptying(tx, document, false, err);
}
