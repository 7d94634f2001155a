/* access.c - API keys: made, found by their prefix, listed, revoked.
 *
 * Nothing here compares secrets: callers of access_key_find compare digests,
 * in constant time. */
#include "store/session/access.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "store/check.h"
#include "store/id_cache.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/source/digest.h"

#include <assert.h>
#include <stdio.h>

enum { DIGITS = 62 };
static const char digits[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

static bool all_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!memchr(digits, s.p[i], DIGITS))
            return false;
    return true;
}

struct str access_prefix(struct str key)
{
    struct str prefix, secret;

    if (key.n != ACCESS_KEY_BYTES || !str_starts(key, STR("fn_")))
        return STR_NONE;
    prefix = (struct str){key.p + 3, ACCESS_PREFIX_BYTES};
    secret = str_skip(key, 3 + ACCESS_PREFIX_BYTES + 1);
    if (key.p[3 + ACCESS_PREFIX_BYTES] != '_' || !all_digits(prefix) ||
        !all_digits(secret))
        return STR_NONE;
    return prefix;
}

bool access_holds(const struct access_key *k, int64_t now_ms)
{
    return k->revoked_ms == 0 && (k->expires_ms == 0 || k->expires_ms > now_ms);
}

/* Bytes over the largest multiple of 62 are drawn again: every digit is as
 * likely as any other. */
static void draw(char *out, size_t n)
{
    uint8_t b[64];
    size_t at = sizeof(b);

    for (size_t i = 0; i < n;) {
        if (at == sizeof(b)) {
            random_bytes(b, sizeof(b));
            at = 0;
        }
        if (b[at] < 256 / DIGITS * DIGITS)
            out[i++] = digits[b[at] % DIGITS];
        at++;
    }
    explicit_bzero(b, sizeof(b));
}

static enum footnote_rc check_name(struct str s, size_t max, const char *what,
                                   struct footnote_err *err)
{
    if (s.p && (s.n == 0 || s.n > max || !utf8_is_name(s)))
        return err_field(err, FOOTNOTE_INVALID, what,
                         "1 to %zu bytes on one line, without control "
                         "characters and marks that turn text",
                         max);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_new(const struct access_key_add *op,
                                  int64_t now_ms, struct footnote_err *err)
{
    TRY(check_name(op->label, ACCESS_LABEL_BYTES_MAX, "label", err));
    TRY(check_name(op->user, STORE_ID_BYTES_MAX, "userId", err));
    if (op->user.p && str_eq(op->user, STR("*")))
        return err_field(err, FOOTNOTE_INVALID, "userId", "* is everybody");
    if (op->expires_ms && op->expires_ms <= now_ms)
        return err_field(err, FOOTNOTE_INVALID, "expiresAt", "is over");
    if (op->admin && op->scope.p)
        return err_field(err, FOOTNOTE_INVALID, "admin",
                         "an admin's key cannot be confined: it makes keys");
    return FOOTNOTE_OK;
}

/* The key is made here and not in run, which may be repeated. */
static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct access_key_add *op = arg;
    struct str key = {op->key_text, ACCESS_KEY_BYTES};

    TRY(check_new(op, tx->now_ms, err));
    op->created_ms = tx->now_ms;
    memcpy(op->key_text, "fn_", 3);
    draw(op->key_text + 3, ACCESS_PREFIX_BYTES);
    op->key_text[3 + ACCESS_PREFIX_BYTES] = '_';
    draw(op->key_text + 3 + ACCESS_PREFIX_BYTES + 1, ACCESS_SECRET_BYTES);
    op->key_text[ACCESS_KEY_BYTES] = '\0';
    op->prepared.prefix = access_prefix(key);
    assert(op->prepared.prefix.p);
    if (op->note)
        (void)snprintf(op->note->about, sizeof(op->note->about), "%.*s %.*s",
                       STR_ARG(op->prepared.prefix),
                       (int)utf8_cut(op->user, 40).n, op->user.p);
    return sha256(key, &op->prepared.digest, err);
}

enum footnote_rc account_names(struct tx *tx, int64_t account,
                               struct access_key *key, struct footnote_err *err)
{
    enum { ACCOUNT = COL_ACCESS_NAMES_ACCOUNT_SEALED };
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_ACCESS_NAMES, &cur, &row, err, db_i64(tx->tenant),
               db_i64(account)));
    if (!row)
        return err_set(err, FOOTNOTE_INTERNAL, "the account has no name");
    TRY(seal_check(tx, SEALED_TENANT, cur, 0, err));
    TRY(seal_check(tx, SEALED_ACCOUNT, cur, ACCOUNT, err));
    key->tenant =
        arena_str(tx->scratch, db_col_str(cur, COL_TENANT_SEALED_NAME));
    key->user = arena_str(tx->scratch,
                          db_col_str(cur, ACCOUNT + COL_ACCOUNT_SEALED_NAME));
    return arena_rc(tx->scratch, err);
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct access_key_add *op = arg;
    struct access_key *k = &op->prepared;
    int64_t account = tx->account;
    bool row;

    if (op->user.p)
        TRY(account_of(tx, op->user, &account, err));
    TRY(account_names(tx, account, k, err));
    TRY(db_one(tx->db, STMT_ACCESS_KEY_ADD, &cur, &row, err, db_text(k->prefix),
               db_blob(digest_str(&k->digest)), db_text(k->tenant),
               db_text(k->user), db_i64(op->admin), db_i64(op->created_ms),
               db_opt(op->expires_ms != 0, op->expires_ms), db_text(op->label),
               db_text(op->scope)));
    /* An earlier run of this operation may have added it. */
    if (!row && !tx->again)
        return err_set(err, FOOTNOTE_BUSY, "the prefix is taken: try again");
    return row ? seal_new(tx, SEALED_KEY, err, db_text(k->prefix))
               : FOOTNOTE_OK;
}

const struct store_op access_key_add_op = {add_prepare, add_run};

static enum footnote_rc read_digest(struct str s, struct sha256 *out,
                                    struct footnote_err *err)
{
    if (s.n != SHA256_BYTES)
        return err_set(err, FOOTNOTE_DAMAGED, "a key's digest is damaged");
    memcpy(out->b, s.p, SHA256_BYTES);
    return FOOTNOTE_OK;
}

/* A column that may be NULL; absent then. */
static struct str text_at(struct tx *tx, struct db_cur *cur, int column)
{
    return db_col_null(cur, column)
               ? STR_NONE
               : arena_str(tx->out, db_col_str(cur, column));
}

enum footnote_rc access_key_read(struct tx *tx, struct db_cur *cur, int first,
                                 struct access_key *k, struct footnote_err *err)
{
    TRY(seal_check(tx, SEALED_KEY, cur, first, err));
    TRY(read_digest(db_col_str(cur, first + COL_API_KEY_SEALED_DIGEST),
                    &k->digest, err));
    k->prefix = text_at(tx, cur, first + COL_API_KEY_SEALED_PREFIX);
    k->tenant = text_at(tx, cur, first + COL_API_KEY_SEALED_TENANT_NAME);
    k->user = text_at(tx, cur, first + COL_API_KEY_SEALED_USER_NAME);
    k->label = text_at(tx, cur, first + COL_API_KEY_SEALED_LABEL);
    k->scope = text_at(tx, cur, first + COL_API_KEY_SEALED_SCOPE);
    k->admin = db_col_i64(cur, first + COL_API_KEY_SEALED_ADMIN) != 0;
    k->created_ms = db_col_i64(cur, first + COL_API_KEY_SEALED_CREATED_MS);
    k->revoked_ms = db_col_i64(cur, first + COL_API_KEY_SEALED_REVOKED_MS);
    k->expires_ms = db_col_i64(cur, first + COL_API_KEY_SEALED_EXPIRES_MS);
    k->first_used_ms = db_col_i64(cur, first + COL_API_KEY_FIRST_USED_MS);
    k->last_used_ms = db_col_i64(cur, first + COL_API_KEY_LAST_USED_MS);
    return arena_rc(tx->out, err);
}

static enum footnote_rc check_prefix(struct str prefix,
                                     struct footnote_err *err)
{
    if (prefix.n != ACCESS_PREFIX_BYTES || !all_digits(prefix))
        return err_set(err, FOOTNOTE_NOTFOUND, "no such key");
    return FOOTNOTE_OK;
}

static enum footnote_rc find_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct access_key_find *op = arg;
    bool row;

    TRY(check_prefix(op->prefix, err));
    TRY(db_one(tx->db, STMT_ACCESS_KEY_FIND, &cur, &row, err,
               db_text(op->prefix)));
    if (!row)
        return err_set(err, FOOTNOTE_NOTFOUND, "no such key");
    TRY(seal_check_key(tx, SEALED_KEY, cur, 0, err, db_text(op->prefix)));
    return access_key_read(tx, cur, 0, &op->key, err);
}

const struct store_op access_key_find_op = {NULL, find_run};

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct access_key_list *op = arg;
    struct str after = op->after_prefix.p ? op->after_prefix : STR("");

    op->keys = NULL;
    op->keys_n = 0;
    TRY(check_text(after, STORE_ID_BYTES_MAX, "cursor", err));
    TRY(db_run(tx->db, STMT_ACCESS_KEY_LIST, &cur, err,
               db_i64(op->after_created_ms), db_text(after),
               db_text(op->tenant.p ? op->tenant : STR("")),
               db_text(op->user.p ? op->user : STR("")),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct access_key *k;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        k = list_add(tx->out, &op->keys, &op->keys_n, sizeof(*k));
        if (!k)
            return arena_rc(tx->out, err);
        rc = access_key_read(tx, cur, 0, k, err);
        if (rc == FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            op->keys_n--;
        else
            TRY(rc);
    }
}

const struct store_op access_key_list_op = {NULL, list_run};

static enum footnote_rc revoke_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct access_key_revoke *op = arg;
    bool row;

    TRY(check_prefix(op->prefix, err));
    TRY(seal_open(tx, SEALED_KEY, err, db_text(op->prefix)));
    TRY(db_one(tx->db, STMT_ACCESS_KEY_REVOKE, &cur, &row, err,
               db_i64(tx->now_ms), db_text(op->prefix),
               db_text(op->tenant.p ? op->tenant : STR(""))));
    if (!row)
        return err_set(err, FOOTNOTE_NOTFOUND, "no such key");
    op->revoked_ms = db_col_i64(cur, COL_ACCESS_KEY_REVOKE_REVOKED_MS);
    return FOOTNOTE_OK;
}

const struct store_op access_key_revoke_op = {NULL, revoke_run};

static enum footnote_rc used_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct access_key_used *op = arg;
    const struct audit_note *n = &op->note;
    bool row;

    TRY(db_one(tx->db, STMT_ACCESS_KEY_USED, &cur, &row, err, db_i64(n->at_ms),
               db_text(str_c(n->key_prefix)),
               db_i64(n->at_ms - ACCESS_USED_MS)));
    op->first =
        row && db_col_i64(cur, COL_ACCESS_KEY_USED_FIRST_USED_MS) == n->at_ms;
    db_end(&cur);
    return op->first ? audit_write(tx, n, err) : FOOTNOTE_OK;
}

const struct store_op access_key_used_op = {NULL, used_run};
