/* seal.c - the seals of rows: made, checked, made anew.
 *
 * A seal is the exclusive or of one sum for each column that is not NULL, so a
 * reader needs no order and a new column changes no old row. */
#include "store/seal.h"

#include <assert.h>

#include "base/mix.h"
#include "store/damage.h"
#include "store/list.h"
#include "store/store.h"

enum { FEW = 16 }; /* rows that are looked through one by one */

#define TABLE(name, NAME, keys)                                                \
    {                                                                          \
        name, STMT_##NAME##_SEAL_READ, STMT_##NAME##_SEAL_WRITE,               \
            STMT_##NAME##_SCRUB, keys, COL_##NAME##_SEALED_SEAL                \
    }
const struct sealed_table sealed_tables[SEALED_N] = {
    [SEALED_TENANT] = TABLE("tenant", TENANT, 1),
    [SEALED_ACCOUNT] = TABLE("account", ACCOUNT, 2),
    [SEALED_KEY] = TABLE("api_key", API_KEY, 1),
    [SEALED_COURSE] = TABLE("course", COURSE, 2),
    [SEALED_MEMBER] = TABLE("course_member", MEMBER, 3),
    [SEALED_DOCUMENT] = TABLE("document", DOCUMENT, 2),
    [SEALED_VERSION] = TABLE("document_version", VERSION, 3),
    [SEALED_PASSAGE] = TABLE("passage", PASSAGE, 4),
    [SEALED_SESSION] = TABLE("session", SESSION, 2),
    [SEALED_SOURCE] = TABLE("source", SOURCE, 2),
    [SEALED_MESSAGE] = TABLE("message", MESSAGE, 3),
    [SEALED_EVENT] = TABLE("retrieval_event", EVENT, 3),
    [SEALED_VECTOR] = TABLE("passage_vector", VECTOR, 5),
    [SEALED_SNAPSHOT] = TABLE("snapshot", SNAPSHOT, 3),
    [SEALED_TEXT] = TABLE("answer_text", TEXT, 4),
    [SEALED_LOGIN] = TABLE("login", LOGIN, 1),
    [SEALED_AUDIT] = TABLE("audit", AUDIT, 2),
    [SEALED_VERDICT] = TABLE("verdict", VERDICT, 4),
    [SEALED_SHARE] = TABLE("share", SHARE, 1),
};

/* ---- The sum ------------------------------------------------------------ */

/* Odd, with as many ones as zeroes. */
static const uint64_t secret[2] = {0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u};

static uint64_t word_of(const struct db_value *v)
{
    double f = v->f == 0 ? 0 : v->f; /* SQLite knows no -0.0 */
    uint64_t word;

    if (v->type == DB_I64)
        return (uint64_t)v->i;
    memcpy(&word, &f, sizeof(word));
    return word;
}

/* Of a value in its column. */
static uint64_t sum_of(enum sealed t, size_t column, const struct db_value *v)
{
    uint64_t place = (uint64_t)t << 16 | (uint64_t)column << 8 | v->type;
    bool bytes = v->type == DB_TEXT || v->type == DB_BLOB;
    uint64_t sum = mix(secret[0] ^ place, secret[1] ^ (bytes ? v->s.n : 0));

    if (bytes)
        sum = mix_bytes(secret[0], sum, v->s);
    else
        sum = mix(word_of(v) ^ secret[0], sum);
    return mix(sum ^ secret[1], secret[0]);
}

static uint64_t sums_of(enum sealed t, const struct db_value *columns, size_t n)
{
    uint64_t sums = 0;

    for (size_t i = 0; i < n; i++)
        if (columns[i].type != DB_NULL)
            sums ^= sum_of(t, i, &columns[i]);
    return sums;
}

struct db_value seal_of(enum sealed t, const struct db_value *columns, size_t n)
{
    assert(n <= (size_t)sealed_tables[t].seal);
    return db_i64((int64_t)sums_of(t, columns, n));
}

/* Reads a row, and how its stored seal differs from what it should be; 0: not
 * at all. */
static uint64_t rot_in(enum sealed t, struct db_cur *cur, int first,
                       struct db_value row[SEAL_COLUMNS_MAX])
{
    size_t seal = (size_t)sealed_tables[t].seal;

    db_col_values(cur, first, seal + 1, row);
    return sums_of(t, row, seal) ^ (uint64_t)db_value_i64(&row[seal]);
}

static uint64_t rot_of(enum sealed t, struct db_cur *cur, int first)
{
    struct db_value row[SEAL_COLUMNS_MAX];

    return rot_in(t, cur, first, row);
}

bool seal_fits(enum sealed t, struct db_cur *cur, int first)
{
    return rot_of(t, cur, first) == 0;
}

int64_t seal_change(enum sealed t, const struct db_value *before,
                    const struct db_value *after)
{
    size_t n = (size_t)sealed_tables[t].seal;

    return (int64_t)(sums_of(t, before, n) ^ sums_of(t, after, n));
}

/* ---- Rows that are being changed ---------------------------------------- */

/* A row whose seal is made anew when its operation has run. */
struct opened {
    enum sealed table;
    struct db_value key[SEAL_KEYS_MAX];
    uint64_t rot; /* what its seal was wrong by */
};

static bool is_same(const struct db_value *a, const struct db_value *b)
{
    if (a->type != b->type)
        return false;
    return a->type == DB_TEXT ? str_eq(a->s, b->s) : a->i == b->i;
}

static bool is_key(const struct opened *o, enum sealed t,
                   const struct db_value *key)
{
    if (o->table != t)
        return false;
    for (size_t i = 0; i < sealed_tables[t].keys_n; i++)
        if (!is_same(&o->key[i], &key[i]))
            return false;
    return true;
}

/* Where the search for a row begins. */
static size_t slot_of(enum sealed t, const struct db_value *key)
{
    uint64_t h = (uint64_t)t;

    for (size_t i = 0; i < sealed_tables[t].keys_n; i++)
        h = mix(
            (key[i].type == DB_TEXT ? str_hash(key[i].s) : (uint64_t)key[i].i) ^
                secret[0],
            h ^ secret[1]);
    return (size_t)h;
}

/* The row's place in tx->opened_slots, or the free one where it belongs. */
static uint32_t *find_slot(struct tx *tx, enum sealed t,
                           const struct db_value *key)
{
    size_t mask = tx->opened_slots_n - 1, i = slot_of(t, key) & mask;

    while (tx->opened_slots[i] &&
           !is_key(&tx->opened[tx->opened_slots[i] - 1], t, key))
        i = (i + 1) & mask;
    return &tx->opened_slots[i];
}

static struct opened *find(struct tx *tx, enum sealed t,
                           const struct db_value *key)
{
    if (tx->opened_n > FEW) {
        uint32_t at = *find_slot(tx, t, key);

        return at ? &tx->opened[at - 1] : NULL;
    }
    for (size_t i = 0; i < tx->opened_n; i++)
        if (is_key(&tx->opened[i], t, key))
            return &tx->opened[i];
    return NULL;
}

/* Few rows are looked through; of many each has a slot, half of which stay
 * free. */
static enum footnote_rc note_last(struct tx *tx, struct footnote_err *err)
{
    size_t first = tx->opened_n - 1, n = tx->opened_slots_n;

    if (tx->opened_n <= FEW)
        return FOOTNOTE_OK;
    if (2 * tx->opened_n > n) {
        n = n ? 2 * n : (size_t)4 * FEW;
        tx->opened_slots = arena_many(tx->scratch, n, uint32_t);
        if (!tx->opened_slots)
            return arena_rc(tx->scratch, err);
        tx->opened_slots_n = n;
        first = 0;
    }
    for (size_t i = first; i < tx->opened_n; i++)
        *find_slot(tx, tx->opened[i].table, tx->opened[i].key) =
            (uint32_t)i + 1;
    return FOOTNOTE_OK;
}

/* ---- Checked ------------------------------------------------------------ */

/* A row that this operation has made or changed gets its seal at the end; what
 * it was before was checked then. */
static bool is_whole(struct tx *tx, enum sealed t, const struct db_value *key,
                     uint64_t rot)
{
    const struct opened *o = tx->opened_n ? find(tx, t, key) : NULL;

    return (o ? o->rot : rot) == 0;
}

static void key_of(enum sealed t, struct db_cur *cur, int first,
                   struct db_value key[SEAL_KEYS_MAX])
{
    db_col_values(cur, first, sealed_tables[t].keys_n, key);
}

/* `rot` is what the row's seal says of it; its key must begin with `key`. */
static enum footnote_rc judge(struct tx *tx, enum sealed t,
                              const struct db_value *key, size_t n,
                              uint64_t rot, struct db_value *row,
                              struct footnote_err *err)
{
    bool same = true;

    for (size_t i = 0; i < n; i++)
        same = same && is_same(&key[i], &row[i]);
    if (same && is_whole(tx, t, row, rot))
        return FOOTNOTE_OK;
    if (n)
        memcpy(row, key, n * sizeof(*key));
    return damage_found(tx->store, t, row, err);
}

enum footnote_rc seal_check_row(struct tx *tx, enum sealed t,
                                struct db_cur *cur, const struct db_value *key,
                                size_t n, struct db_value row[SEAL_COLUMNS_MAX],
                                struct footnote_err *err)
{
    return judge(tx, t, key, n, rot_in(t, cur, 0, row), row, err);
}

enum footnote_rc seal_check_key_n(struct tx *tx, enum sealed t,
                                  struct db_cur *cur, int first,
                                  const struct db_value *key, size_t n,
                                  struct footnote_err *err)
{
    struct db_value row[SEAL_COLUMNS_MAX];

    return judge(tx, t, key, n, rot_in(t, cur, first, row), row, err);
}

enum footnote_rc seal_check(struct tx *tx, enum sealed t, struct db_cur *cur,
                            int first, struct footnote_err *err)
{
    return seal_check_key_n(tx, t, cur, first, NULL, 0, err);
}

enum footnote_rc seal_read_key(struct tx *tx, enum sealed t,
                               const struct db_value *key, struct db_cur **cur,
                               bool *row, struct footnote_err *err)
{
    size_t n = sealed_tables[t].keys_n;

    TRY(db_one_n(tx->db, sealed_tables[t].read, key, n, cur, row, err));
    return *row ? seal_check_key_n(tx, t, *cur, 0, key, n, err) : FOOTNOTE_OK;
}

/* ---- Made anew ---------------------------------------------------------- */

static enum footnote_rc add(struct tx *tx, enum sealed t,
                            const struct db_value *key, uint64_t rot,
                            struct footnote_err *err)
{
    struct opened *o =
        list_add(tx->scratch, &tx->opened, &tx->opened_n, sizeof(*o));

    if (!o)
        return arena_rc(tx->scratch, err);
    o->table = t;
    o->rot = rot;
    for (size_t i = 0; i < sealed_tables[t].keys_n; i++) {
        o->key[i] = key[i];
        if (key[i].type == DB_TEXT)
            o->key[i].s = arena_str(tx->scratch, key[i].s);
    }
    TRY(arena_rc(tx->scratch, err));
    return note_last(tx, err);
}

enum footnote_rc seal_new_key(struct tx *tx, enum sealed t,
                              const struct db_value *key,
                              struct footnote_err *err)
{
    return find(tx, t, key) ? FOOTNOTE_OK : add(tx, t, key, 0, err);
}

enum footnote_rc seal_open_rows(struct tx *tx, enum sealed t, enum stmt_id rows,
                                const struct db_value *args, size_t args_n,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value key[SEAL_KEYS_MAX];

    TRY(db_run_n(tx->db, rows, args, args_n, &cur, err));
    for (;;) {
        uint64_t rot;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        key_of(t, cur, 0, key);
        if (find(tx, t, key))
            continue;
        rot = rot_of(t, cur, 0);
        if (rot)
            (void)damage_in_row(tx->store, t, cur, 0, NULL);
        TRY(add(tx, t, key, rot, err));
    }
}

enum footnote_rc seal_open_key(struct tx *tx, enum sealed t,
                               const struct db_value *key,
                               struct footnote_err *err)
{
    if (find(tx, t, key))
        return FOOTNOTE_OK;
    return seal_open_rows(tx, t, sealed_tables[t].read, key,
                          sealed_tables[t].keys_n, err);
}

static enum footnote_rc close_one(struct tx *tx, const struct opened *o,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct sealed_table *t = &sealed_tables[o->table];
    struct db_value args[1 + SEAL_KEYS_MAX];
    uint64_t rot;
    bool row;

    TRY(db_one_n(tx->db, t->read, o->key, t->keys_n, &cur, &row, err));
    if (!row)
        return FOOTNOTE_OK; /* it was deleted */
    rot = rot_of(o->table, cur, 0);
    if (rot == o->rot)
        return FOOTNOTE_OK;
    args[0] =
        db_i64((int64_t)((uint64_t)db_col_i64(cur, t->seal) ^ rot ^ o->rot));
    memcpy(args + 1, o->key, t->keys_n * sizeof(*args));
    return db_do_n(tx->db, t->write, args, 1 + t->keys_n, err);
}

enum footnote_rc seals_close(struct tx *tx, struct footnote_err *err)
{
    for (size_t i = 0; i < tx->opened_n; i++)
        TRY(close_one(tx, &tx->opened[i], err));
    tx->opened_n = tx->opened_slots_n = 0;
    return FOOTNOTE_OK;
}
