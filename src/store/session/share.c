/* share.c - shares: made, found by their link, listed, ended. */
#include "store/session/share.h"

#include <stdio.h>

#include "store/check.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/session/access.h"
#include "store/session/session_row.h"
#include "store/source/digest.h"

enum { SECRET_BYTES = SHARE_TOKEN_BYTES / 2 };

/* ---- Making ------------------------------------------------------------- */

static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct share_add *op = arg;
    uint8_t secret[SECRET_BYTES];

    TRY(check_id(op->message, "messageId", err));
    if (op->expires_ms <= tx->now_ms)
        return err_field(err, FOOTNOTE_INVALID, "expiresIn", "is not to come");
    uuid_v7(op->id);
    random_bytes(secret, sizeof(secret));
    for (size_t i = 0; i < SECRET_BYTES; i++)
        (void)snprintf(op->token + 2 * i, 3, "%02x", secret[i]);
    explicit_bzero(secret, sizeof(secret));
    return sha256((struct str){op->token, SHARE_TOKEN_BYTES}, &op->digest, err);
}

/* The last of the shown path that has ended, or the answer that is named. */
static enum footnote_rc find_message(struct tx *tx, struct share_add *op,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct session_row s;
    bool row;

    TRY(session_find(tx, op->session, &s, err));
    if (!s.found || s.deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(db_one(tx->db, STMT_SHARE_MESSAGE, &cur, &row, err, db_i64(tx->tenant),
               db_i64(s.key), db_text(op->message.p ? op->message : STR(""))));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(id_copy(db_col_str(cur, COL_SHARE_MESSAGE_ID), op->message_text, err));
    op->share.message = str_c(op->message_text);
    return FOOTNOTE_OK;
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct share_add *op = arg;
    struct access_key who;
    bool row;

    op->share = (struct share){.id = str_c(op->id),
                               .session = op->session,
                               .single = op->message.p != NULL,
                               .files = op->files,
                               .created_ms = tx->now_ms,
                               .expires_ms = op->expires_ms};
    TRY(find_message(tx, op, err));
    TRY(account_names(tx, tx->account, &who, err));
    TRY(db_one(tx->db, STMT_SHARE_ADD, &cur, &row, err, db_text(op->share.id),
               db_i64(op->share.created_ms), db_i64(op->expires_ms),
               db_i64(op->share.single), db_i64(op->files),
               db_blob(digest_str(&op->digest)), db_text(who.tenant),
               db_text(who.user), db_text(op->session),
               db_text(op->share.message)));
    return row ? seal_new(tx, SEALED_SHARE, err, db_text(op->share.id))
               : FOOTNOTE_OK;
}

const struct store_op share_add_op = {add_prepare, add_run};

/* ---- Reading ------------------------------------------------------------ */

static enum footnote_rc read_share(struct tx *tx, struct db_cur *cur,
                                   struct share *s, struct footnote_err *err)
{
    struct arena *a = tx->out;

    TRY(seal_check(tx, SEALED_SHARE, cur, 0, err));
    *s = (struct share){
        .id = arena_str(a, db_col_str(cur, COL_SHARE_SEALED_ID)),
        .tenant = arena_str(a, db_col_str(cur, COL_SHARE_SEALED_TENANT_NAME)),
        .user = arena_str(a, db_col_str(cur, COL_SHARE_SEALED_USER_NAME)),
        .session = arena_str(a, db_col_str(cur, COL_SHARE_SEALED_SESSION)),
        .message = arena_str(a, db_col_str(cur, COL_SHARE_SEALED_MESSAGE)),
        .single = db_col_i64(cur, COL_SHARE_SEALED_SINGLE) != 0,
        .files = db_col_i64(cur, COL_SHARE_SEALED_FILES) != 0,
        .created_ms = db_col_i64(cur, COL_SHARE_SEALED_CREATED_MS),
        .expires_ms = db_col_i64(cur, COL_SHARE_SEALED_EXPIRES_MS),
        .revoked_ms = db_col_i64(cur, COL_SHARE_SEALED_REVOKED_MS)};
    return arena_rc(a, err);
}

static enum footnote_rc find_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct share_find *op = arg;
    struct sha256 digest;
    bool row = false;

    if (op->token.n == SHARE_TOKEN_BYTES) {
        TRY(sha256(op->token, &digest, err));
        TRY(db_one(tx->db, STMT_SHARE_FIND, &cur, &row, err,
                   db_blob(digest_str(&digest))));
    }
    if (row) {
        TRY(read_share(tx, cur, &op->share, err));
        row = str_eq(db_col_str(cur, COL_SHARE_SEALED_DIGEST),
                     digest_str(&digest)) &&
              !op->share.revoked_ms && op->share.expires_ms > op->now_ms;
    }
    return row ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_NOTFOUND, "this link has ended");
}

const struct store_op share_find_op = {NULL, find_run};

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct share_list *op = arg;
    /* Behind all ids, which begin with hexadecimal digits. */
    struct str before = op->before.p ? op->before : STR("~");

    op->shares = NULL;
    op->shares_n = 0;
    TRY(check_text(before, STORE_ID_BYTES_MAX, "cursor", err));
    if (op->session.p && !id_can_be(op->session))
        return FOOTNOTE_OK;
    TRY(db_run(tx->db, STMT_SHARE_LIST, &cur, err, db_text(tx->who.user),
               db_text(tx->who.tenant), db_text(before), db_i64(tx->now_ms),
               db_text(op->session.p ? op->session : STR("")),
               db_i64((int64_t)op->limit)));
    for (;;) {
        struct share *s;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        s = list_add(tx->out, &op->shares, &op->shares_n, sizeof(*s));
        if (!s)
            return arena_rc(tx->out, err);
        rc = read_share(tx, cur, s, err);
        if (rc == FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            op->shares_n--;
        else
            TRY(rc);
    }
}

const struct store_op share_list_op = {NULL, list_run};

/* ---- Ending ------------------------------------------------------------- */

static enum footnote_rc revoke_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL, *change = NULL;
    struct share_revoke *op = arg;
    bool row = false;

    if (id_can_be(op->id))
        TRY(seal_read(tx, SEALED_SHARE, &cur, &row, err, db_text(op->id)));
    if (!row ||
        !str_eq(op->tenant, db_col_str(cur, COL_SHARE_SEALED_TENANT_NAME)) ||
        !str_eq(op->user, db_col_str(cur, COL_SHARE_SEALED_USER_NAME)))
        return err_set(err, FOOTNOTE_NOTFOUND, "no such share");
    TRY(seal_open(tx, SEALED_SHARE, err, db_text(op->id)));
    return db_one(tx->db, STMT_SHARE_REVOKE, &change, &row, err,
                  db_i64(tx->now_ms), db_text(op->id));
}

const struct store_op share_revoke_op = {NULL, revoke_run};
