/* recount.c - the counters of all accounts, compared with the rows that they
 * count.
 *
 * Counters and rows are read in one snapshot and only the difference is added,
 * so this can be done beside a busy server. */
#include "store/list.h"
#include "store/usage.h"

enum { PAGE_ACCOUNTS = 1000 };

static void read_account(struct tx *tx, struct db_cur *cur,
                         struct usage_account *a)
{
    *a = (struct usage_account){
        .tenant =
            arena_str(tx->out, db_col_str(cur, COL_USAGE_ACCOUNT_TENANT_NAME)),
        .user =
            arena_str(tx->out, db_col_str(cur, COL_USAGE_ACCOUNT_USER_NAME)),
        .tenant_key = db_col_i64(cur, COL_USAGE_ACCOUNT_TENANT),
        .account = db_col_i64(cur, COL_USAGE_ACCOUNT_ACCOUNT),
        .counted = {.bytes = db_col_i64(cur, COL_USAGE_ACCOUNT_BYTES),
                    .source_bytes =
                        db_col_i64(cur, COL_USAGE_ACCOUNT_SOURCE_BYTES),
                    .documents = db_col_i64(cur, COL_USAGE_ACCOUNT_DOCUMENTS),
                    .sessions = db_col_i64(cur, COL_USAGE_ACCOUNT_SESSIONS)}};
    a->kept.source_bytes = a->counted.source_bytes;
}

/* Reads the accounts behind (tenant, account); *n of them. */
static enum footnote_rc read_page(struct tx *tx, struct usage_list *op,
                                  int64_t tenant, int64_t account, size_t *n,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *n = 0;
    TRY(db_run(tx->db, STMT_USAGE_ACCOUNTS, &cur, err, db_i64(tenant),
               db_i64(account), db_i64(PAGE_ACCOUNTS)));
    for (;;) {
        struct usage_account *a;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        a = list_add(tx->out, &op->accounts, &op->accounts_n, sizeof(*a));
        if (!a)
            return arena_rc(tx->out, err);
        read_account(tx, cur, a);
        ++*n;
    }
}

/* Both lists are in the order of their keys.  Rows that name nobody are passed
 * over. */
static enum footnote_rc read_kept(struct tx *tx, const struct usage_list *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    size_t i = 0;

    TRY(db_run_n(tx->db, STMT_USAGE_RECOUNT, NULL, 0, &cur, err));
    for (;;) {
        int64_t tenant, account;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        tenant = db_col_i64(cur, COL_USAGE_RECOUNT_TENANT);
        account = db_col_i64(cur, COL_USAGE_RECOUNT_ACCOUNT);
        while (i < op->accounts_n && (op->accounts[i].tenant_key < tenant ||
                                      (op->accounts[i].tenant_key == tenant &&
                                       op->accounts[i].account < account)))
            i++;
        if (i == op->accounts_n)
            return FOOTNOTE_OK;
        if (op->accounts[i].tenant_key != tenant ||
            op->accounts[i].account != account)
            continue;
        op->accounts[i].kept.bytes = db_col_i64(cur, COL_USAGE_RECOUNT_BYTES);
        op->accounts[i].kept.documents =
            db_col_i64(cur, COL_USAGE_RECOUNT_DOCUMENTS);
        op->accounts[i].kept.sessions =
            db_col_i64(cur, COL_USAGE_RECOUNT_SESSIONS);
    }
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct usage_list *op = arg;
    int64_t tenant = 0, account = 0;
    size_t n;

    op->accounts = NULL;
    op->accounts_n = 0;
    do {
        TRY(read_page(tx, op, tenant, account, &n, err));
        if (n > 0) {
            tenant = op->accounts[op->accounts_n - 1].tenant_key;
            account = op->accounts[op->accounts_n - 1].account;
        }
    } while (n == PAGE_ACCOUNTS);
    return read_kept(tx, op, err);
}

const struct store_op usage_list_op = {NULL, list_run};

bool usage_is_wrong(const struct usage_account *a)
{
    return a->counted.bytes != a->kept.bytes ||
           a->counted.documents != a->kept.documents ||
           a->counted.sessions != a->kept.sessions;
}

/* An earlier run that was committed has mended it, and a second one would undo
 * that: better none than two. */
static enum footnote_rc mend_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    const struct usage_account *a = ((const struct usage_mend *)arg)->account;
    struct usage lacks = {.bytes = a->kept.bytes - a->counted.bytes,
                          .documents = a->kept.documents - a->counted.documents,
                          .sessions = a->kept.sessions - a->counted.sessions};

    if (tx->again)
        return FOOTNOTE_OK;
    tx->tenant = a->tenant_key;
    return usage_add(tx, a->account, lacks, err);
}

const struct store_op usage_mend_op = {NULL, mend_run};

enum footnote_rc usage_mend_all(struct store *st, const struct usage_list *list,
                                struct footnote_err *err)
{
    for (size_t i = 0; i < list->accounts_n; i++)
        if (usage_is_wrong(&list->accounts[i]))
            TRY(store_own(st, OP(usage_mend),
                          &(struct usage_mend){.account = &list->accounts[i]},
                          err));
    return FOOTNOTE_OK;
}
