/* rows.c - copies tables row by row, in the order of their keys.
 *
 * Which tables, columns and keys there are is made from the schema by
 * tools/sqlcopy, so nothing here knows of any. */
#include "backup/rows.h"

#include <assert.h>

#include "backup_sql.h"

enum {
    PAGE_ROWS = 128, /* a message may have two megabytes */
    PAGES_PER_COMMIT = 64,
    KEY_BYTES_MAX = 64 * 1024,
    COLUMNS_MAX = 64
};

struct table {
    const char *name;
    enum stmt_id first, next, put;
    const char *types; /* a letter for each column: i, f, t or b */
    const char *key;   /* which columns are the key: A is the first column */
};

#define X(name, NAME, types, key)                                              \
    {#name,                                                                    \
     (enum stmt_id)BACKUP_STMT_COPY_FIRST_##NAME,                              \
     (enum stmt_id)BACKUP_STMT_COPY_NEXT_##NAME,                               \
     (enum stmt_id)BACKUP_STMT_COPY_PUT_##NAME,                                \
     types,                                                                    \
     key},
static const struct table tables[] = {
#include "backup/tables.h"
};
#undef X

struct rows {
    struct db *from, *to;
    const atomic_bool *stop;
    /* Of the last row of a page: where it began, and where the next begins. */
    struct key {
        struct arena texts;
        struct db_value v[COLUMNS_MAX];
    } keys[2];
    unsigned pages;
};

static struct db_value value_at(struct db_cur *cur, int column, char type)
{
    if (db_col_null(cur, column))
        return db_null();
    switch (type) {
    case 'i': return db_i64(db_col_i64(cur, column));
    case 'f': return db_f64(db_col_f64(cur, column));
    case 't': return db_text(db_col_str(cur, column));
    default: return db_blob(db_col_str(cur, column));
    }
}

static enum footnote_rc keep_key(struct key *k, const struct table *t,
                                 const struct db_value *row,
                                 struct footnote_err *err)
{
    arena_reset(&k->texts);
    for (size_t i = 0; t->key[i]; i++) {
        k->v[i] = row[t->key[i] - 'A'];
        if (k->v[i].type == DB_TEXT || k->v[i].type == DB_BLOB)
            k->v[i].s = arena_str(&k->texts, k->v[i].s);
    }
    return arena_rc(&k->texts, err);
}

/* Page number `page` of the table; *n rows of it. */
static enum footnote_rc copy_page(struct rows *r, const struct table *t,
                                  size_t page, size_t *n,
                                  struct footnote_err *err)
{
    size_t columns = strlen(t->types), args = page ? strlen(t->key) : 0;
    struct key *from = &r->keys[page % 2], *to = &r->keys[(page + 1) % 2];
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value row[COLUMNS_MAX];
    bool more;

    assert(columns <= COLUMNS_MAX && args < COLUMNS_MAX);
    from->v[args] = db_i64(PAGE_ROWS);
    TRY(db_run_n(r->from, page ? t->next : t->first, from->v, args + 1, &cur,
                 err));
    for (*n = 0;; ++*n) {
        TRY(db_next(cur, &more, err));
        if (!more)
            return FOOTNOTE_OK;
        for (size_t i = 0; i < columns; i++)
            row[i] = value_at(cur, (int)i, t->types[i]);
        TRY(db_do_n(r->to, t->put, row, columns, err));
        if (*n == PAGE_ROWS - 1)
            TRY(keep_key(to, t, row, err));
    }
}

/* What was sent is done before more is sent; and a file's log stays short. */
static enum footnote_rc page_done(struct rows *r, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    if (atomic_load(r->stop))
        return err_set(err, FOOTNOTE_BUSY, "copying: was stopped");
    if (db_has_round_trips(r->to))
        return db_one_n(r->to, (enum stmt_id)BACKUP_STMT_IS_USED, NULL, 0, &cur,
                        &row, err);
    if (++r->pages % PAGES_PER_COMMIT != 0)
        return FOOTNOTE_OK;
    TRY(db_commit(r->to, err));
    return db_begin(r->to, err);
}

static enum footnote_rc copy_table(struct rows *r, const struct table *t,
                                   struct footnote_err *err)
{
    size_t n = PAGE_ROWS;

    for (size_t page = 0; n == PAGE_ROWS; page++) {
        enum footnote_rc rc = copy_page(r, t, page, &n, err);

        if (rc != FOOTNOTE_OK) {
            err_prefix(err, "table %s", t->name);
            return rc;
        }
        TRY(page_done(r, err));
    }
    return FOOTNOTE_OK;
}

static void rows_end(struct rows *r)
{
    db_rollback(r->to);
    arena_free(&r->keys[0].texts);
    arena_free(&r->keys[1].texts);
}

enum footnote_rc rows_copy(struct db *from, struct db *to,
                           const atomic_bool *stop, struct footnote_err *err)
{
    AUTO(rows_end)
    struct rows r = {.from = from, .to = to, .stop = stop};

    r.keys[0].texts = r.keys[1].texts = ARENA(KEY_BYTES_MAX);
    TRY(db_begin(to, err));
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        TRY(copy_table(&r, &tables[i], err));
    return db_commit(to, err);
}
