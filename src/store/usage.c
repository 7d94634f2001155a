/* usage.c - counting what accounts keep, and refusing what is too much.
 *
 * A check adds what the batch has counted so far to what the account's row
 * says.  Where other nodes write at the same time, and an account is half way
 * to a limit or has few things left to it, the row's value after our own
 * addition is looked at once more: it is locked then.  If it is over, the batch
 * is rolled back and its jobs are run one by one, and the one that was too much
 * is refused. */
#include "store/usage.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/disk.h"
#include "store/state.h"

enum {
    ROWS_MIN = 64,
    TENANTS = 256,
    TENANT_MS = 5000,
    FEW_LEFT = 64 /* other nodes may take them between our read and commit */
};

struct usage_row {
    int64_t tenant, account;
    struct usage more;
    struct usage checked; /* of it */
    bool near;            /* to a limit, or over */
};
struct tenant_total { /* of all accounts, a few seconds old */
    int64_t tenant, read_ms;
    struct usage usage;
};
struct usages {
    int64_t transaction;    /* that the rows belong to */
    struct usage_row *rows; /* an account each, but for the last job */
    size_t rows_n, kept_n, rows_max;
    struct tenant_total totals[TENANTS];
};

enum footnote_rc usages_open(struct usages **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    return FOOTNOTE_OK;
}

void usages_close(struct usages *u)
{
    if (u)
        free(u->rows);
    free(u);
}

void usages_forget(struct usages *u)
{
    memset(u->totals, 0, sizeof(u->totals));
}

static void add(struct usage *to, const struct usage *more)
{
    to->bytes += more->bytes;
    to->source_bytes += more->source_bytes;
    to->documents += more->documents;
    to->sessions += more->sessions;
}

static bool is_none(const struct usage *u)
{
    return !u->bytes && !u->source_bytes && !u->documents && !u->sessions;
}

/* ---- What a batch counts ------------------------------------------------- */

/* Rows of a transaction that was rolled back count for nothing. */
static void begin(struct usages *u, const struct db *db)
{
    if (u->transaction != db_transaction(db))
        u->rows_n = u->kept_n = 0;
    u->transaction = db_transaction(db);
}

static struct usage_row *find(const struct usages *u, size_t from, size_t to,
                              int64_t tenant, int64_t account)
{
    for (size_t i = from; i < to; i++)
        if (u->rows[i].account == account && u->rows[i].tenant == tenant)
            return &u->rows[i];
    return NULL;
}

/* The row of this job for the account; a new one if there is none. */
static struct usage_row *row_of_job(struct tx *tx, int64_t account)
{
    struct usages *u = tx->store->usages;
    struct usage_row *row;

    begin(u, tx->db);
    row = find(u, u->kept_n, u->rows_n, tx->tenant, account);
    if (row)
        return row;
    if (u->rows_n == u->rows_max) {
        size_t n = u->rows_max ? 2 * u->rows_max : ROWS_MIN;

        row = realloc(u->rows, n * sizeof(*row));
        if (!row)
            return NULL;
        u->rows = row;
        u->rows_max = n;
    }
    row = &u->rows[u->rows_n++];
    *row = (struct usage_row){.tenant = tx->tenant, .account = account};
    return row;
}

/* Rows of a database from elsewhere may name nobody. */
enum footnote_rc usage_add(struct tx *tx, int64_t account, struct usage more,
                           struct footnote_err *err)
{
    struct usage_row *row;

    if (account <= 0 || is_none(&more))
        return FOOTNOTE_OK;
    row = row_of_job(tx, account);
    if (!row)
        return err_set(err, FOOTNOTE_NOMEM, "counting what is kept");
    add(&row->more, &more);
    return FOOTNOTE_OK;
}

void usage_keep(struct usages *u)
{
    for (size_t i = u->kept_n; i < u->rows_n; i++) {
        struct usage_row *row =
            find(u, 0, u->kept_n, u->rows[i].tenant, u->rows[i].account);

        if (row) {
            add(&row->more, &u->rows[i].more);
            add(&row->checked, &u->rows[i].checked);
            row->near |= u->rows[i].near;
        } else {
            u->rows[u->kept_n++] = u->rows[i];
        }
    }
    u->rows_n = u->kept_n;
}

void usage_drop(struct usages *u)
{
    u->rows_n = u->kept_n;
}

/* ---- Limits -------------------------------------------------------------- */

/* Bytes as people read them. */
static const char *size_text(int64_t bytes, char out[32])
{
    int64_t kb = 1024, mb = kb * 1024;

    if (bytes >= 10 * mb)
        snprintf(out, 32, "%lld MB", (long long)(bytes / mb));
    else if (bytes >= 10 * kb)
        snprintf(out, 32, "%lld KB", (long long)(bytes / kb));
    else
        snprintf(out, 32, "%lld bytes", (long long)bytes);
    return out;
}

static enum footnote_rc refuse_bytes(const char *whose, int64_t limit,
                                     int64_t used, int64_t more,
                                     struct footnote_err *err)
{
    char a[32], b[32], c[32];

    err_put(err, FOOTNOTE_QUOTA,
            "%s limit is %s: %s are used, this needs %s. Delete sessions, "
            "documents or old versions first",
            whose, size_text(limit, a), size_text(used, b), size_text(more, c));
    err_about(err, "bytes");
    return FOOTNOTE_QUOTA;
}

static enum footnote_rc refuse_count(const char *whose, const char *what,
                                     int64_t limit, int64_t used,
                                     struct footnote_err *err)
{
    err_put(err, FOOTNOTE_QUOTA,
            "%s limit is %lld %s, and %lld are there. Delete some first", whose,
            (long long)limit, what, (long long)used);
    err_about(err, "%s", what);
    return FOOTNOTE_QUOTA;
}

/* Only what grows is refused. */
static enum footnote_rc compare(const struct usage_limits *l, const char *whose,
                                const struct usage *used,
                                const struct usage *more,
                                struct footnote_err *err)
{
    int64_t bytes = used->bytes + used->source_bytes;
    int64_t more_bytes = more->bytes + more->source_bytes;

    if (l->documents > 0 && more->documents > 0 &&
        used->documents + more->documents > l->documents)
        return refuse_count(whose, "documents", l->documents, used->documents,
                            err);
    if (l->sessions > 0 && more->sessions > 0 &&
        used->sessions + more->sessions > l->sessions)
        return refuse_count(whose, "sessions", l->sessions, used->sessions,
                            err);
    if (l->bytes > 0 && more_bytes > 0 && bytes + more_bytes > l->bytes)
        return refuse_bytes(whose, l->bytes, bytes, more_bytes, err);
    return FOOTNOTE_OK;
}

static bool count_is_near(int64_t limit, int64_t used)
{
    return limit > 0 && (2 * used >= limit || limit - used <= FEW_LEFT);
}

static bool is_near(const struct usage_limits *l, const struct usage *used)
{
    return (l->bytes > 0 &&
            2 * (used->bytes + used->source_bytes) >= l->bytes) ||
           count_is_near(l->documents, used->documents) ||
           count_is_near(l->sessions, used->sessions);
}

static bool is_limited(const struct usage_limits *l)
{
    return l->bytes > 0 || l->documents > 0 || l->sessions > 0;
}

static void read_usage(struct db_cur *cur, struct usage *out)
{
    out->bytes = db_col_i64(cur, COL_USAGE_BYTES);
    out->source_bytes = db_col_i64(cur, COL_USAGE_SOURCE_BYTES);
    out->documents = db_col_i64(cur, COL_USAGE_DOCUMENTS);
    out->sessions = db_col_i64(cur, COL_USAGE_SESSIONS);
}

static enum footnote_rc read_row(struct tx *tx, struct usage *out,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_USAGE_GET, &cur, &row, err, db_i64(tx->tenant),
               db_i64(tx->account)));
    *out = (struct usage){.bytes = 0};
    if (row)
        read_usage(cur, out);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_tenant(struct tx *tx, struct usage *out,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_USAGE_TENANT, &cur, &row, err, db_i64(tx->tenant)));
    *out = (struct usage){.bytes = 0};
    if (!row)
        return FOOTNOTE_OK;
    out->bytes = db_col_i64(cur, COL_USAGE_TENANT_BYTES);
    out->source_bytes = db_col_i64(cur, COL_USAGE_TENANT_SOURCE_BYTES);
    out->documents = db_col_i64(cur, COL_USAGE_TENANT_DOCUMENTS);
    out->sessions = db_col_i64(cur, COL_USAGE_TENANT_SESSIONS);
    return FOOTNOTE_OK;
}

static struct tenant_total *total_of(struct usages *u, int64_t tenant)
{
    return &u->totals[(uint64_t)tenant % TENANTS];
}

/* The sum is read anew every few seconds; what this node adds meanwhile is
 * added to it. */
static enum footnote_rc check_tenant(struct tx *tx, const struct usage *more,
                                     struct footnote_err *err)
{
    struct usages *u = tx->store->usages;
    struct tenant_total *t = total_of(u, tx->tenant);
    int64_t now_ms = clock_mono_ms();
    struct usage used;

    if (t->tenant != tx->tenant || now_ms - t->read_ms >= TENANT_MS) {
        TRY(read_tenant(tx, &t->usage, err));
        t->tenant = tx->tenant;
        t->read_ms = now_ms;
    }
    used = t->usage;
    for (size_t i = 0; i < u->rows_n; i++)
        if (u->rows[i].tenant == tx->tenant)
            add(&used, &u->rows[i].more);
    return compare(&tx->store->limits.tenant, "Your organisation's", &used,
                   more, err);
}

static enum footnote_rc check_user(struct tx *tx, const struct usage *more,
                                   struct footnote_err *err)
{
    const struct usage_limits *l = &tx->store->limits.user;
    struct usages *u = tx->store->usages;
    struct usage_row *row;
    struct usage used;

    if (!tx->has_used)
        TRY(read_row(tx, &tx->used, err));
    tx->has_used = true;
    used = tx->used;
    for (size_t i = 0; i < u->rows_n; i++)
        if (u->rows[i].account == tx->account &&
            u->rows[i].tenant == tx->tenant)
            add(&used, &u->rows[i].more);
    TRY(compare(l, "Your", &used, more, err));
    add(&used, more);
    if (!db_has_rival_writers(tx->db) || !is_near(l, &used))
        return FOOTNOTE_OK;
    row = row_of_job(tx, tx->account);
    if (!row)
        return err_set(err, FOOTNOTE_NOMEM, "counting what is kept");
    row->near = true;
    add(&row->checked, more);
    return FOOTNOTE_OK;
}

enum footnote_rc usage_check(struct tx *tx, struct usage more,
                             struct footnote_err *err)
{
    const struct store_limits *l = &tx->store->limits;

    begin(tx->store->usages, tx->db);
    if (disk_look(l->disk).full)
        return err_set(err, FOOTNOTE_FULL,
                       "the disk is nearly full: nothing new is taken");
    if (is_limited(&l->user))
        TRY(check_user(tx, &more, err));
    if (is_limited(&l->tenant))
        TRY(check_tenant(tx, &more, err));
    return FOOTNOTE_OK;
}

/* ---- Writing ------------------------------------------------------------- */

/* Two nodes that write the same accounts take their rows in the same order. */
static int by_account(const void *a, const void *b)
{
    const struct usage_row *x = a, *y = b;

    if (x->tenant != y->tenant)
        return (x->tenant > y->tenant) - (x->tenant < y->tenant);
    return (x->account > y->account) - (x->account < y->account);
}

#define ROW_VALUES(r)                                                          \
    db_i64((r)->tenant), db_i64((r)->account), db_i64((r)->more.bytes),        \
        db_i64((r)->more.source_bytes), db_i64((r)->more.documents),           \
        db_i64((r)->more.sessions)

static enum footnote_rc write_near(struct store *st, struct db *db,
                                   const struct usage_row *r,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct usage before = {.bytes = 0};
    bool row;

    TRY(db_one(db, STMT_USAGE_ADD_TOLD, &cur, &row, err, ROW_VALUES(r)));
    if (!row)
        return err_set(err, FOOTNOTE_INTERNAL, "counting what is kept");
    read_usage(cur, &before);
    before.bytes -= r->more.bytes;
    before.source_bytes -= r->more.source_bytes;
    before.documents -= r->more.documents;
    before.sessions -= r->more.sessions;
    return compare(&st->limits.user, "Your", &before, &r->checked, err);
}

enum footnote_rc usage_write(struct store *st, struct db *db,
                             struct footnote_err *err)
{
    struct usages *u = st->usages;

    begin(u, db);
    if (u->kept_n > 1)
        qsort(u->rows, u->kept_n, sizeof(*u->rows), by_account);
    for (size_t i = 0; i < u->kept_n; i++) {
        struct usage_row *r = &u->rows[i];
        struct tenant_total *t = total_of(u, r->tenant);

        if (is_none(&r->more))
            continue;
        if (r->near)
            TRY(write_near(st, db, r, err));
        else
            TRY(db_do(db, STMT_USAGE_ADD, err, ROW_VALUES(r)));
        if (t->tenant == r->tenant)
            add(&t->usage, &r->more);
    }
    u->rows_n = u->kept_n = 0;
    return FOOTNOTE_OK;
}

/* ---- usage_get ----------------------------------------------------------- */

static int64_t room(const struct usage_limits *l, const struct usage *used)
{
    int64_t bytes = used->bytes + used->source_bytes;

    if (l->bytes <= 0)
        return INT64_MAX;
    return bytes < l->bytes ? l->bytes - bytes : 0;
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    const struct store_limits *l = &tx->store->limits;
    struct usage_get *op = arg;
    int64_t tenant_room;

    op->tenant = (struct usage){.bytes = 0};
    TRY(read_row(tx, &op->user, err));
    if (is_limited(&l->tenant))
        TRY(read_tenant(tx, &op->tenant, err));
    op->may_add = room(&l->user, &op->user);
    tenant_room = room(&l->tenant, &op->tenant);
    if (tenant_room < op->may_add)
        op->may_add = tenant_room;
    return FOOTNOTE_OK;
}

const struct store_op usage_get_op = {NULL, get_run};
