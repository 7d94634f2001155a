/* scrub.c - walks over the tables and checks every seal. */
#include "store/scrub.h"

#include <assert.h>

#include "store/list.h"

enum { FIRST }; /* column */

/* The least key; PostgreSQL's keys have 32 bits, SQLite's rot in all 64. */
static int64_t least(struct tx *tx)
{
    return db_has_rival_writers(tx->db) ? INT32_MIN : INT64_MIN;
}

static bool has_name(enum sealed t)
{
    return t == SEALED_KEY || t == SEALED_VECTOR || t == SEALED_SNAPSHOT ||
           t == SEALED_LOGIN || t == SEALED_AUDIT || t == SEALED_SHARE;
}

static void begin(struct tx *tx, struct scrub_place *p)
{
    for (size_t i = 0; i < SEAL_KEYS_MAX; i++)
        p->key[i] = least(tx);
    p->name[0] = '\0';
    p->inside = true;
}

/* A name that nobody can have stored reads as "", which is behind no row. */
static void move_on(struct db_cur *cur, struct scrub_place *p)
{
    struct db_value key[SEAL_KEYS_MAX];

    db_col_values(cur, FIRST, sealed_tables[p->table].keys_n, key);
    for (size_t i = 0; i < sealed_tables[p->table].keys_n; i++) {
        struct db_value v = key[i];

        if (v.type == DB_TEXT && v.s.n > 0) {
            size_t n = v.s.n < sizeof(p->name) ? v.s.n : sizeof(p->name) - 1;

            memcpy(p->name, v.s.p, n);
            p->name[n] = '\0';
        } else if (v.type == DB_I64) {
            p->key[i] = v.i;
        }
    }
}

static enum footnote_rc add_damage(struct tx *tx, struct scrub *op,
                                   struct db_cur *cur, struct footnote_err *err)
{
    struct damage *d =
        list_add(tx->out, &op->damages, &op->damages_n, sizeof(*d));

    if (!d)
        return arena_rc(tx->out, err);
    damage_describe(op->place.table, cur, 0, d);
    (void)damage_in_row(tx->store, op->place.table, cur, 0, NULL);
    return FOOTNOTE_OK;
}

static enum footnote_rc walk(struct tx *tx, struct scrub *op,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct sealed_table *t = &sealed_tables[op->place.table];
    struct db_value args[SEAL_KEYS_MAX + 1];

    for (size_t i = 0; i < t->keys_n; i++)
        args[i] = db_i64(op->place.key[i]);
    if (has_name(op->place.table)) /* it is the last of the key */
        args[t->keys_n - 1] = db_text(str_c(op->place.name));
    args[t->keys_n] = db_i64((int64_t)op->limit);
    TRY(db_run_n(tx->db, t->walk, args, t->keys_n + 1, &cur, err));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        op->rows_n++;
        move_on(cur, &op->place);
        if (!seal_fits(op->place.table, cur, 0) ||
            db_sound(tx->db, NULL) != FOOTNOTE_OK)
            TRY(add_damage(tx, op, cur, err));
        db_told(tx->db);
    }
}

static enum footnote_rc scrub_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct scrub *op = arg;

    assert(op->limit > 0 && op->place.table < SEALED_N);
    op->rows_n = op->damages_n = 0;
    op->damages = NULL;
    if (!op->place.inside)
        begin(tx, &op->place);
    TRY(walk(tx, op, err));
    op->over = false;
    if (op->rows_n == op->limit)
        return FOOTNOTE_OK;
    op->over = op->place.table == SEALED_N - 1;
    op->place = (struct scrub_place){.table = op->over ? SEALED_TENANT
                                                       : op->place.table + 1};
    return FOOTNOTE_OK;
}

const struct store_op scrub_op = {NULL, scrub_run};
