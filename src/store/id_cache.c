/* id_cache.c - keys of tenants and users by their names; new keys.
 *
 * The writer asks for these on every request, and they never change, so it
 * remembers them.  What it remembers may come from rows that are rolled back:
 * id_cache_forget() empties all of it by moving on to another generation.
 * Blocks of keys that an earlier transaction took stay: it was committed, or
 * its own rollback has emptied them. */
#include <assert.h>
#include <stdlib.h>

#include "store/damage.h"
#include "store/id_cache.h"
#include "store/state.h"

enum { NAMES = 256, BLOCKS = 4096, BLOCK_KEYS = 64 };

struct cached_name {
    uint64_t generation;
    int64_t tenant, account;
    size_t tenant_n, user_n;
    char text[2 * STORE_ID_BYTES_MAX];
};
struct key_block { /* keys next..last of a tenant are ours to give */
    int64_t tenant, next, last;
};
struct id_cache {
    uint64_t generation;
    struct key_block *taken[BLOCKS]; /* by the current transaction */
    size_t taken_n;
    int64_t transaction;
    struct cached_name names[NAMES];
    struct key_block blocks[BLOCKS];
};

enum footnote_rc id_cache_open(struct id_cache **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->generation = 1;
    return FOOTNOTE_OK;
}

void id_cache_close(struct id_cache *k)
{
    free(k);
}

void id_cache_forget(struct id_cache *k)
{
    k->generation++;
    for (size_t i = 0; i < k->taken_n; i++)
        k->taken[i]->tenant = 0;
    k->taken_n = 0;
}

static bool name_is(const struct id_cache *k, const struct cached_name *n,
                    struct who who)
{
    return n->generation == k->generation && n->tenant_n == who.tenant.n &&
           n->user_n == who.user.n &&
           memcmp(n->text, who.tenant.p, who.tenant.n) == 0 &&
           memcmp(n->text + n->tenant_n, who.user.p, who.user.n) == 0;
}

static enum footnote_rc check_tenant(struct tx *tx, struct str name,
                                     struct db_cur *cur, int first,
                                     struct footnote_err *err)
{
    TRY(seal_check(tx, SEALED_TENANT, cur, first, err));
    if (!str_eq(name, db_col_str(cur, first + COL_TENANT_SEALED_NAME)))
        return damage_in_row(tx->store, SEALED_TENANT, cur, first, err);
    tx->tenant = db_col_i64(cur, first + COL_TENANT_SEALED_TENANT);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_account(struct tx *tx, struct str name,
                                      struct db_cur *cur, int first,
                                      int64_t *out, struct footnote_err *err)
{
    TRY(seal_check_key(tx, SEALED_ACCOUNT, cur, first, err,
                       db_i64(tx->tenant)));
    if (!str_eq(name, db_col_str(cur, first + COL_ACCOUNT_SEALED_NAME)))
        return damage_in_row(tx->store, SEALED_ACCOUNT, cur, first, err);
    *out = db_col_i64(cur, first + COL_ACCOUNT_SEALED_ACCOUNT);
    return FOOTNOTE_OK;
}

enum footnote_rc who_check(struct tx *tx, struct who who, struct db_cur *cur,
                           int tenant, int account, struct footnote_err *err)
{
    TRY(check_tenant(tx, who.tenant, cur, tenant, err));
    return check_account(tx, who.user, cur, account, &tx->account, err);
}

static enum footnote_rc tenant_of(struct tx *tx, struct str name,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    AUTO(db_end) struct db_cur *made = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_TENANT_FIND, &cur, &row, err, db_text(name)));
    if (row)
        return check_tenant(tx, name, cur, 0, err);
    TRY(db_one(tx->db, STMT_TENANT_NEW, &made, &row, err, db_text(name)));
    tx->tenant = db_col_i64(made, COL_TENANT_NEW_TENANT);
    return seal_new(tx, SEALED_TENANT, err, db_i64(tx->tenant));
}

enum footnote_rc account_of(struct tx *tx, struct str user, int64_t *out,
                            struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    assert(tx->tenant > 0);
    *out = 0;
    if (str_eq(user, STR("*")))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_ACCOUNT_FIND, &cur, &row, err, db_i64(tx->tenant),
               db_text(user)));
    if (row)
        return check_account(tx, user, cur, 0, out, err);
    TRY(key_new(tx, out, err));
    TRY(seal_new(tx, SEALED_ACCOUNT, err, db_i64(tx->tenant), db_i64(*out)));
    return db_do(tx->db, STMT_ACCOUNT_NEW, err, db_i64(tx->tenant),
                 db_i64(*out), db_text(user));
}

enum footnote_rc id_cache_make(struct tx *tx, struct who who,
                               struct footnote_err *err)
{
    struct id_cache *k = tx->store->id_cache;
    uint64_t hash = str_hash(who.tenant) * 31 + str_hash(who.user);
    struct cached_name *n = &k->names[hash % NAMES];

    assert(who.tenant.n + who.user.n <= sizeof(n->text));
    if (name_is(k, n, who)) {
        tx->tenant = n->tenant;
        tx->account = n->account;
        return FOOTNOTE_OK;
    }
    TRY(tenant_of(tx, who.tenant, err));
    TRY(account_of(tx, who.user, &tx->account, err));
    n->generation = k->generation;
    n->tenant = tx->tenant;
    n->account = tx->account;
    n->tenant_n = who.tenant.n;
    n->user_n = who.user.n;
    memcpy(n->text, who.tenant.p, who.tenant.n);
    memcpy(n->text + who.tenant.n, who.user.p, who.user.n);
    return FOOTNOTE_OK;
}

enum footnote_rc id_cache_read(struct tx *tx, struct who who,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_WHO_READ, &cur, &row, err, db_text(who.user),
               db_text(who.tenant)));
    if (!row)
        return FOOTNOTE_OK;
    TRY(check_tenant(tx, who.tenant, cur, 0, err));
    tx->docs_version = db_col_i64(cur, COL_WHO_READ_DOCS_VERSION);
    if (db_col_null(cur, COL_WHO_READ_ACCOUNT_SEALED))
        return FOOTNOTE_OK; /* never seen */
    return check_account(tx, who.user, cur, COL_WHO_READ_ACCOUNT_SEALED,
                         &tx->account, err);
}

static enum footnote_rc block_take(struct tx *tx, struct key_block *b,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_KEYS_TAKE, &cur, &row, err, db_i64(BLOCK_KEYS),
               db_i64(tx->tenant)));
    if (!row)
        return err_set(err, FOOTNOTE_INTERNAL, "the tenant's row is gone");
    b->tenant = tx->tenant;
    b->last = db_col_i64(cur, COL_KEYS_TAKE_LAST_KEY);
    b->next = b->last - BLOCK_KEYS + 1;
    return FOOTNOTE_OK;
}

/* Notes a block that a rollback of this transaction gives up. */
static void remember(struct id_cache *k, struct key_block *b,
                     int64_t transaction)
{
    if (k->transaction != transaction)
        k->taken_n = 0;
    k->transaction = transaction;
    for (size_t i = 0; i < k->taken_n; i++)
        if (k->taken[i] == b)
            return;
    assert(k->taken_n < BLOCKS);
    k->taken[k->taken_n++] = b;
}

enum footnote_rc key_new(struct tx *tx, int64_t *out, struct footnote_err *err)
{
    struct id_cache *k = tx->store->id_cache;
    struct key_block *b = &k->blocks[(uint64_t)tx->tenant % BLOCKS];

    assert(tx->tenant > 0);
    if (b->tenant != tx->tenant || b->next > b->last) {
        TRY(block_take(tx, b, err));
        remember(k, b, db_transaction(tx->db));
    }
    *out = b->next++;
    return FOOTNOTE_OK;
}
