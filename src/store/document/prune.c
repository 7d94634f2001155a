/* prune.c - old versions of a document that nothing cites make room. */
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/list.h"
#include "store/session/course_row.h"
#include "store/usage.h"

struct old_version {
    int64_t version, account;
};

/* Reads all rows first: removing a version changes the table that is read. */
static enum footnote_rc find_uncited(struct tx *tx, int64_t document,
                                     struct old_version **list, size_t *n,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_VERSIONS_UNCITED, &cur, err, db_i64(tx->tenant),
               db_i64(document)));
    for (;;) {
        struct old_version *v;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        v = list_add(tx->scratch, list, n, sizeof(*v));
        if (!v)
            return arena_rc(tx->scratch, err);
        v->version = db_col_i64(cur, COL_VERSIONS_UNCITED_VERSION);
        v->account = db_col_i64(cur, COL_VERSIONS_UNCITED_ACCOUNT);
    }
}

/* Vectors go with their passages. */
static enum footnote_rc remove_version(struct tx *tx, int64_t document,
                                       const struct old_version *v,
                                       int64_t *bytes, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_OBJECTS_BURY_VERSION, &cur, err, db_i64(tx->db_ms),
               db_i64(tx->tenant), db_i64(document), db_i64(v->version)));
    TRY(objects_buried(tx, cur, bytes, err));
    db_end(&cur);
    TRY(db_do(tx->db, STMT_PASSAGES_UNDO, err, db_i64(tx->tenant),
              db_i64(document), db_i64(v->version)));
    TRY(db_do(tx->db, STMT_VERSION_DELETE, err, db_i64(tx->tenant),
              db_i64(document), db_i64(v->version)));
    return usage_add(tx, v->account,
                     (struct usage){.bytes = -SQL_USAGE_VERSION}, err);
}

static enum footnote_rc prune_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct document_prune *op = arg;
    struct document_name name = {op->id, op->course};
    struct document_row r;
    struct old_version *list = NULL;
    size_t n = 0;

    op->removed = op->bytes = 0;
    TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
    TRY(find_uncited(tx, r.key, &list, &n, err));
    for (size_t i = 0; i < n; i++) {
        int64_t bytes;

        TRY(remove_version(tx, r.key, &list[i], &bytes, err));
        op->bytes += bytes;
    }
    op->removed = (int64_t)n;
    return n ? docs_changed(tx, err) : FOOTNOTE_OK;
}

const struct store_op document_prune_op = {NULL, prune_run};
