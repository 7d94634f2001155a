/* login.c - logins: made, found, listed, revoked. */
#include "store/session/login.h"

#include <assert.h>
#include <stdio.h>

#include "base/utf8.h"
#include "store/check.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/session/group.h"
#include "store/source/digest.h"

enum { SECRET_BYTES = LOGIN_SECRET_BYTES / 2 };

bool login_cookie_read(struct str cookie, struct str *id, struct sha256 *digest)
{
    struct str secret;

    if (cookie.n != LOGIN_COOKIE_BYTES || !str_starts(cookie, STR("l1.")) ||
        cookie.p[3 + UUID_BYTES] != '.')
        return false;
    *id = (struct str){cookie.p + 3, UUID_BYTES};
    secret = str_skip(cookie, 3 + UUID_BYTES + 1);
    return id_can_be(*id) && sha256(secret, digest, NULL) == FOOTNOTE_OK;
}

/* ---- Making ------------------------------------------------------------- */

static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct login_add *op = arg;
    uint8_t secret[SECRET_BYTES];
    char *at = op->cookie;

    (void)snprintf(at, sizeof(op->cookie), "l1.");
    uuid_v7(at + 3);
    op->id = (struct str){at + 3, UUID_BYTES};
    at += 3 + UUID_BYTES;
    *at++ = '.';
    random_bytes(secret, sizeof(secret));
    for (size_t i = 0; i < SECRET_BYTES; i++)
        (void)snprintf(at + 2 * i, 3, "%02x", secret[i]);
    explicit_bzero(secret, sizeof(secret));
    op->created_ms = tx->now_ms;
    op->agent = utf8_cut(op->agent, LOGIN_AGENT_BYTES_MAX / 4);
    if (!op->agent.n || !utf8_is_name(op->agent))
        op->agent = STR_NONE;
    assert(op->method.n && op->expires_ms > op->created_ms);
    return sha256((struct str){at, LOGIN_SECRET_BYTES}, &op->digest, err);
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct login_add *op = arg;
    struct access_key who;
    bool row;

    TRY(account_names(tx, tx->account, &who, err));
    TRY(db_one(tx->db, STMT_LOGIN_ADD, &cur, &row, err, db_text(op->id),
               db_i64(op->created_ms), db_i64(op->expires_ms),
               db_blob(digest_str(&op->digest)), db_text(op->method),
               db_text(who.tenant), db_text(who.user), db_text(op->key_prefix),
               db_text(op->agent), op->admin ? db_i64(1) : db_null()));
    if (row && op->groups)
        TRY(members_of_groups(tx, op->groups, err));
    return row ? seal_new(tx, SEALED_LOGIN, err, db_text(op->id)) : FOOTNOTE_OK;
}

const struct store_op login_add_op = {add_prepare, add_run};

/* ---- Reading ------------------------------------------------------------ */

static struct str text_at(struct tx *tx, struct db_cur *cur, int column)
{
    return db_col_null(cur, column)
               ? STR_NONE
               : arena_str(tx->out, db_col_str(cur, column));
}

static enum footnote_rc read_login(struct tx *tx, struct db_cur *cur,
                                   struct login *l, struct footnote_err *err)
{
    struct str digest;

    TRY(seal_check(tx, SEALED_LOGIN, cur, 0, err));
    digest = db_col_str(cur, COL_LOGIN_SEALED_DIGEST);
    if (digest.n != SHA256_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED, "a login's digest is damaged");
    memcpy(l->digest.b, digest.p, SHA256_BYTES);
    l->id = text_at(tx, cur, COL_LOGIN_SEALED_ID);
    l->method = text_at(tx, cur, COL_LOGIN_SEALED_METHOD);
    l->tenant = text_at(tx, cur, COL_LOGIN_SEALED_TENANT_NAME);
    l->user = text_at(tx, cur, COL_LOGIN_SEALED_USER_NAME);
    l->key_prefix = text_at(tx, cur, COL_LOGIN_SEALED_KEY_PREFIX);
    l->agent = text_at(tx, cur, COL_LOGIN_SEALED_AGENT);
    l->admin = !db_col_null(cur, COL_LOGIN_SEALED_ADMIN);
    l->created_ms = db_col_i64(cur, COL_LOGIN_SEALED_CREATED_MS);
    l->expires_ms = db_col_i64(cur, COL_LOGIN_SEALED_EXPIRES_MS);
    l->revoked_ms = db_col_i64(cur, COL_LOGIN_SEALED_REVOKED_MS);
    l->seen_ms = db_col_i64(cur, COL_LOGIN_SEEN_MS);
    return arena_rc(tx->out, err);
}

static enum footnote_rc find_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    enum { KEY = COL_LOGIN_FIND_API_KEY };
    AUTO(db_end) struct db_cur *cur = NULL;
    struct login_find *op = arg;
    bool row;

    TRY(db_one(tx->db, STMT_LOGIN_FIND, &cur, &row, err, db_text(op->id)));
    if (!row)
        return err_set(err, FOOTNOTE_NOTFOUND, "no such login");
    TRY(seal_check_key(tx, SEALED_LOGIN, cur, 0, err, db_text(op->id)));
    TRY(read_login(tx, cur, &op->login, err));
    op->has_key = !db_col_null(cur, KEY + COL_API_KEY_SEALED_PREFIX);
    return op->has_key ? access_key_read(tx, cur, KEY, &op->key, err)
                       : FOOTNOTE_OK;
}

const struct store_op login_find_op = {NULL, find_run};

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct login_list *op = arg;
    /* Behind all ids, which begin with hexadecimal digits. */
    struct str before = op->before.p ? op->before : STR("~");

    op->logins = NULL;
    op->logins_n = 0;
    TRY(check_text(before, STORE_ID_BYTES_MAX, "cursor", err));
    if (op->user.p && !id_can_be(op->user))
        return FOOTNOTE_OK;
    if (op->user.p)
        TRY(db_run(tx->db, STMT_LOGIN_LIST, &cur, err, db_text(op->user),
                   db_text(op->tenant), db_text(before), db_i64(tx->now_ms),
                   db_i64((int64_t)op->limit)));
    else
        TRY(db_run(tx->db, STMT_LOGIN_LIST_ALL, &cur, err, db_text(before),
                   db_text(op->tenant), db_i64(tx->now_ms),
                   db_i64((int64_t)op->limit)));
    for (;;) {
        struct login *l;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        l = list_add(tx->out, &op->logins, &op->logins_n, sizeof(*l));
        if (!l)
            return arena_rc(tx->out, err);
        rc = read_login(tx, cur, l, err);
        if (rc == FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            op->logins_n--;
        else
            TRY(rc);
    }
}

const struct store_op login_list_op = {NULL, list_run};

/* ---- Ending ------------------------------------------------------------- */

static enum footnote_rc check_owner(struct tx *tx,
                                    const struct login_revoke *op,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row = false;

    if (id_can_be(op->id))
        TRY(seal_read(tx, SEALED_LOGIN, &cur, &row, err, db_text(op->id)));
    if (!row ||
        !str_eq(op->tenant, db_col_str(cur, COL_LOGIN_SEALED_TENANT_NAME)) ||
        (op->user.p &&
         !str_eq(op->user, db_col_str(cur, COL_LOGIN_SEALED_USER_NAME))))
        return err_set(err, FOOTNOTE_NOTFOUND, "no such login");
    return FOOTNOTE_OK;
}

static enum footnote_rc revoke_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct login_revoke *op = arg;
    bool row;

    TRY(check_owner(tx, op, err));
    TRY(seal_open(tx, SEALED_LOGIN, err, db_text(op->id)));
    return db_one(tx->db, STMT_LOGIN_REVOKE, &cur, &row, err,
                  db_i64(tx->now_ms), db_text(op->id));
}

const struct store_op login_revoke_op = {NULL, revoke_run};

static enum footnote_rc seen_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    const struct login_seen *op = arg;

    return db_do(tx->db, STMT_LOGIN_SEEN, err, db_i64(op->at_ms),
                 db_text(str_c(op->id)), db_i64(op->at_ms));
}

const struct store_op login_seen_op = {NULL, seen_run};
