/* people.c - the accounts of a tenant, with what they keep. */
#include "store/session/people.h"

#include "store/check.h"
#include "store/list.h"
#include "store/seal.h"

static enum footnote_rc read_sums(struct tx *tx, struct people_list *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *sums = NULL, *jobs = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_USAGE_TENANT, &sums, &row, err,
               db_i64(tx->tenant)));
    if (row)
        op->all = (struct person_kept){
            .bytes = db_col_i64(sums, COL_USAGE_TENANT_BYTES) +
                     db_col_i64(sums, COL_USAGE_TENANT_SOURCE_BYTES),
            .documents = db_col_i64(sums, COL_USAGE_TENANT_DOCUMENTS),
            .sessions = db_col_i64(sums, COL_USAGE_TENANT_SESSIONS)};
    TRY(db_one(tx->db, STMT_PEOPLE_JOBS, &jobs, &row, err, db_i64(tx->tenant)));
    if (row) {
        op->waiting = db_col_i64(jobs, COL_PEOPLE_JOBS_WAITING);
        op->reading = db_col_i64(jobs, COL_PEOPLE_JOBS_READING);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct people_list *op = arg;
    struct str after = op->after.p ? op->after : STR("");

    op->people = NULL;
    op->people_n = 0;
    TRY(check_text(after, STORE_ID_BYTES_MAX, "cursor", err));
    TRY(read_sums(tx, op, err));
    TRY(db_run(tx->db, STMT_PEOPLE_LIST, &cur, err, db_i64(tx->tenant),
               db_text(after), db_i64((int64_t)op->limit)));
    for (;;) {
        struct person_kept *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        TRY(seal_check(tx, SEALED_ACCOUNT, cur, 0, err));
        p = list_add(tx->out, &op->people, &op->people_n, sizeof(*p));
        if (!p)
            return arena_rc(tx->out, err);
        *p = (struct person_kept){
            .user =
                arena_str(tx->out, db_col_str(cur, COL_ACCOUNT_SEALED_NAME)),
            .bytes = db_col_i64(cur, COL_PEOPLE_LIST_BYTES),
            .documents = db_col_i64(cur, COL_PEOPLE_LIST_DOCUMENTS),
            .sessions = db_col_i64(cur, COL_PEOPLE_LIST_SESSIONS)};
    }
}

const struct store_op people_list_op = {NULL, list_run};
