/* foreign.c - rows of another program's PostgreSQL, read-only and in one
 * snapshot.
 *
 * A table is read block by block, so it needs no key and no index, and what is
 * in memory is small. */
#include <ctype.h>
#include <stdio.h>

#include "base/utf8.h"
#include "import/load.h"
#include "import_sql.h"

enum {
    TIMEOUT_MS = 10 * 60 * 1000, /* for one answer: it is somebody's server */
    BLOCKS_A_PAGE = 16,
    NAME_BYTES_MAX = 130, /* schema.table */
    TEXT_BYTES_MAX = 2048
};

/* The tables that are there, each with the statement that reads it. */
struct foreign {
    struct import *im;
    struct sql_stmt stmts[IMPORT_TABLES_MAX + 1];
    char texts[IMPORT_TABLES_MAX][TEXT_BYTES_MAX];
    char names[IMPORT_TABLES_MAX][NAME_BYTES_MAX + 1];
    size_t tables[IMPORT_TABLES_MAX]; /* of the kind */
    size_t n;
};

static void close_db(struct db **db)
{
    db_close(*db);
}

static enum footnote_rc open_db(const struct foreign *f,
                                const struct sql_set *sql, struct db **out,
                                struct footnote_err *err)
{
    struct db_options o = {.url = f->im->o->source.p,
                           .mode = DB_READ,
                           .timeout_ms = TIMEOUT_MS,
                           .sql = sql};

    TRY(db_open(&o, out, err));
    return db_begin(*out, err);
}

/* Letters, digits, _ and one dot: nothing that would need quotes. */
static bool is_plain(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!isalnum((unsigned char)name.p[i]) && name.p[i] != '_' &&
            name.p[i] != '.')
            return false;
    return name.n > 0 && name.n <= NAME_BYTES_MAX;
}

/* The statement with the table's name in it. */
static void add_table(struct foreign *f, size_t table, struct str name)
{
    static const char token[] = "import_table";
    const char *text =
        import_sql_set.stmts[IMPORT_STMT_FOREIGN_ROWS].text[SQL_POSTGRES];
    const char *at = strstr(text, token);

    f->tables[f->n] = table;
    snprintf(f->names[f->n], sizeof(f->names[0]), "%.*s", STR_ARG(name));
    snprintf(f->texts[f->n], TEXT_BYTES_MAX, "%.*s%.*s%s", (int)(at - text),
             text, STR_ARG(name), at + strlen(token));
    f->stmts[f->n] = (struct sql_stmt){
        .name = f->im->kind->tables[f->tables[f->n]].names.item[0],
        .text = {NULL, f->texts[f->n]},
        .args_n = import_sql_set.stmts[IMPORT_STMT_FOREIGN_ROWS].args_n};
    f->n++;
}

static enum footnote_rc ask_table(struct foreign *f, struct db *db,
                                  size_t table, struct str name, bool *found,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(db, (enum stmt_id)0, &cur, found, err, db_text(name)));
    if (*found)
        add_table(f, table, name);
    f->im->has_table[table] |= *found;
    return FOOTNOTE_OK;
}

/* By any of its names, in the schema of the product or in public. */
static enum footnote_rc find_table(struct foreign *f, struct db *db,
                                   size_t table, struct footnote_err *err)
{
    static const char *const schemas[] = {"ai", "public"};
    const struct import_table *t = &f->im->kind->tables[table];
    bool found = false;

    for (size_t i = 0; i < IMPORT_NAMES_MAX && t->names.item[i]; i++)
        for (size_t s = 0; s < 2 && !found; s++) {
            char name[NAME_BYTES_MAX];

            /* Some products have capitals in the names of their tables. */
            snprintf(name, sizeof(name), "%s.\"%s\"", schemas[s],
                     t->names.item[i]);
            TRY(ask_table(f, db, table, str_c(name), &found, err));
        }
    return FOOTNOTE_OK;
}

static enum footnote_rc find_texts(struct foreign *f, struct db *db,
                                   size_t table, struct footnote_err *err)
{
    struct str texts = f->im->o->texts;
    struct str name = str_skip(texts, strlen("table:"));
    bool found;

    if (!is_plain(name))
        return err_set(err, FOOTNOTE_INVALID, "%.*s is no name of a table",
                       STR_ARG(name));
    TRY(ask_table(f, db, table, name, &found, err));
    if (!found)
        return err_set(err, FOOTNOTE_INVALID, "there is no table %.*s",
                       STR_ARG(name));
    return FOOTNOTE_OK;
}

static enum footnote_rc find_tables(struct foreign *f, struct footnote_err *err)
{
    const struct sql_set asks = {
        .stmts = &import_sql_set.stmts[IMPORT_STMT_FOREIGN_TABLE],
        .stmts_n = 1};
    AUTO(close_db) struct db *db = NULL;

    TRY(open_db(f, &asks, &db, err));
    for (size_t i = 0; i < IMPORT_TABLES_MAX; i++) {
        const struct import_table *t = &f->im->kind->tables[i];

        if (!t->names.item[0])
            continue;
        if (!t->is_texts)
            TRY(find_table(f, db, i, err));
        else if (f->im->o->texts.p &&
                 str_starts(f->im->o->texts, STR("table:")))
            TRY(find_texts(f, db, i, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc load_page(struct foreign *f, struct db *db, size_t i,
                                  int64_t block, int64_t *line, int64_t *bad,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    char from[40], to[40];
    struct db_value json;
    bool row;

    snprintf(from, sizeof(from), "(%lld,0)", (long long)block);
    snprintf(to, sizeof(to), "(%lld,0)", (long long)block + BLOCKS_A_PAGE);
    TRY(db_run(db, (enum stmt_id)i, &cur, err, db_text(str_c(from)),
               db_text(str_c(to))));
    for (;;) {
        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        db_col_values(cur, IMPORT_COL_FOREIGN_ROWS_JSON, 1, &json);
        TRY(load_row(f->im, f->tables[i], ++*line, db_value_str(&json), true,
                     bad, err));
    }
}

static enum footnote_rc load_table(struct foreign *f, struct db *db, size_t i,
                                   int64_t *bad, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t line = 0, blocks = 0;
    bool row;

    /* Asked within the snapshot, it is no smaller than what that has. */
    TRY(db_one(db, (enum stmt_id)f->n, &cur, &row, err,
               db_text(str_c(f->names[i]))));
    if (row)
        blocks = db_col_i64(cur, IMPORT_COL_FOREIGN_TABLE_BLOCKS);
    for (int64_t b = 0; b < blocks; b += BLOCKS_A_PAGE)
        TRY(load_page(f, db, i, b, &line, bad, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc load_tables(struct foreign *f, struct footnote_err *err)
{
    struct sql_set sql = {.stmts = f->stmts, .stmts_n = f->n + 1};
    AUTO(close_db) struct db *db = NULL;
    int64_t bad = 0;

    f->stmts[f->n] = import_sql_set.stmts[IMPORT_STMT_FOREIGN_TABLE];
    TRY(open_db(f, &sql, &db, err));
    for (size_t i = 0; i < f->n; i++)
        TRY(load_table(f, db, i, &bad, err));
    if (bad)
        return err_set(err, FOOTNOTE_INVALID,
                       "%lld rows cannot be read; nothing was imported",
                       (long long)bad);
    return FOOTNOTE_OK;
}

enum footnote_rc load_foreign(struct import *im, struct footnote_err *err)
{
    struct foreign f = {.im = im};

    TRY(find_tables(&f, err));
    return load_tables(&f, err);
}
