/* audit.c - rows of the audit: written, listed. */
#include "store/audit.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "store/check.h"
#include "store/list.h"
#include "store/seal.h"

static void copy(char *out, size_t bytes, struct str s)
{
    struct str cut = {s.p, s.n < bytes ? s.n : bytes - 1};

    cut.n = utf8_whole(cut);
    if (cut.n)
        memcpy(out, cut.p, cut.n);
    out[cut.n] = '\0';
}

void audit_note_make(struct audit_note *n, const char *action, struct str about,
                     struct str key_prefix, struct str address)
{
    *n = (struct audit_note){.action = action, .at_ms = clock_wall_ms()};
    uuid_v7(n->id);
    if (about.n && utf8_is_name(about))
        copy(n->about, sizeof(n->about), about);
    copy(n->key_prefix, sizeof(n->key_prefix), key_prefix);
    copy(n->address, sizeof(n->address), address);
}

static struct db_value text_or_null(const char *s)
{
    return s[0] ? db_text(str_c(s)) : db_null();
}

enum footnote_rc audit_write(struct tx *tx, const struct audit_note *n,
                             struct footnote_err *err)
{
    const struct db_value row[] = {
        [COL_AUDIT_SEALED_TENANT] = db_i64(tx->tenant),
        [COL_AUDIT_SEALED_ID] = db_text(str_c(n->id)),
        [COL_AUDIT_SEALED_ACCOUNT] = db_i64(tx->account),
        [COL_AUDIT_SEALED_AT_MS] = db_i64(n->at_ms),
        [COL_AUDIT_SEALED_ACTION] = db_text(str_c(n->action)),
        [COL_AUDIT_SEALED_ABOUT] = text_or_null(n->about),
        [COL_AUDIT_SEALED_KEY_PREFIX] = text_or_null(n->key_prefix)};

    return db_do(tx->db, STMT_AUDIT_ADD, err, row[0], row[1], row[2], row[3],
                 row[4], row[5], row[6],
                 seal_of(SEALED_AUDIT, row, COL_AUDIT_SEALED_SEAL),
                 text_or_null(n->address));
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    const struct audit_add *op = arg;

    return audit_write(tx, &op->note, err);
}

const struct store_op audit_add_op = {NULL, add_run};

/* ---- Listing ------------------------------------------------------------ */

/* 0: nobody is called so. */
static enum footnote_rc find_account(struct tx *tx, struct str user,
                                     int64_t *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row = false;

    *out = 0;
    if (id_can_be(user))
        TRY(db_one(tx->db, STMT_ACCOUNT_FIND, &cur, &row, err,
                   db_i64(tx->tenant), db_text(user)));
    if (!row)
        return FOOTNOTE_OK;
    TRY(seal_check(tx, SEALED_ACCOUNT, cur, 0, err));
    *out = db_col_i64(cur, COL_ACCOUNT_SEALED_ACCOUNT);
    return FOOTNOTE_OK;
}

static enum footnote_rc ask(struct tx *tx, const struct audit_list *op,
                            int64_t account, struct db_cur **cur,
                            struct footnote_err *err)
{
    /* Behind all ids, which begin with hexadecimal digits. */
    struct db_value before = db_text(op->before.p ? op->before : STR("~")),
                    from = db_i64(op->from_ms),
                    to = db_i64(op->to_ms ? op->to_ms : INT64_MAX),
                    limit = db_i64((int64_t)op->limit),
                    action = db_text(op->action.p ? op->action : STR(""));

    if (op->user.p)
        return db_run(tx->db, STMT_AUDIT_LIST_ACCOUNT, cur, err,
                      db_i64(account), db_i64(tx->tenant), before, from, to,
                      action, limit);
    if (op->action.p)
        return db_run(tx->db, STMT_AUDIT_LIST_ACTION, cur, err, action,
                      db_i64(tx->tenant), before, from, to, limit);
    return db_run(tx->db, STMT_AUDIT_LIST, cur, err, db_i64(tx->tenant), before,
                  from, to, limit);
}

static struct str text_at(struct tx *tx, struct db_cur *cur, int column)
{
    return db_col_null(cur, column)
               ? STR_NONE
               : arena_str(tx->out, db_col_str(cur, column));
}

static enum footnote_rc read_row(struct tx *tx, struct db_cur *cur,
                                 struct audit_row *out,
                                 struct footnote_err *err)
{
    enum { ACCOUNT = COL_AUDIT_ROW_ACCOUNT_SEALED };

    TRY(seal_check(tx, SEALED_AUDIT, cur, 0, err));
    TRY(seal_check(tx, SEALED_ACCOUNT, cur, ACCOUNT, err));
    *out = (struct audit_row){
        .id = text_at(tx, cur, COL_AUDIT_SEALED_ID),
        .user = text_at(tx, cur, ACCOUNT + COL_ACCOUNT_SEALED_NAME),
        .action = text_at(tx, cur, COL_AUDIT_SEALED_ACTION),
        .about = text_at(tx, cur, COL_AUDIT_SEALED_ABOUT),
        .key_prefix = text_at(tx, cur, COL_AUDIT_SEALED_KEY_PREFIX),
        .address = text_at(tx, cur, COL_AUDIT_ROW_ADDRESS),
        .at_ms = db_col_i64(cur, COL_AUDIT_SEALED_AT_MS)};
    return arena_rc(tx->out, err);
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct audit_list *op = arg;
    int64_t account = 0;

    op->rows = NULL;
    op->rows_n = 0;
    TRY(check_text(op->before, STORE_ID_BYTES_MAX, "cursor", err));
    TRY(check_text(op->action, STORE_ID_BYTES_MAX, "action", err));
    if (op->user.p)
        TRY(find_account(tx, op->user, &account, err));
    TRY(ask(tx, op, account, &cur, err));
    for (;;) {
        struct audit_row *u;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        u = list_add(tx->out, &op->rows, &op->rows_n, sizeof(*u));
        if (!u)
            return arena_rc(tx->out, err);
        rc = read_row(tx, cur, u, err);
        if (rc == FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            op->rows_n--;
        else
            TRY(rc);
    }
}

const struct store_op audit_list_op = {NULL, list_run};
