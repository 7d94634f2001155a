/* db.c - picks the driver by the URL and passes calls on.
 *
 * The order of calls and the number of arguments are checked here, once for all
 * drivers.  A wrong one is our own mistake, hence an assert. */
#include "db/db.h"

#include <assert.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "db/driver.h"

static const struct {
    const char *scheme;
    const struct db_driver *driver;
} drivers[] = {
    {"sqlite:", &db_sqlite},
    {"postgres:", &db_postgres},
    {"postgresql:", &db_postgres},
};

void db_base_init(struct db *db, const struct db_driver *driver,
                  const struct db_options *o)
{
    db->driver = driver;
    db->sql = o->sql;
    db->mode = o->mode;
    db->timeout_ms = o->timeout_ms;
    db->scratch = o->scratch;
    db->until_ms = o->until_ms;
}

static const struct db_driver *driver_of(const char *url,
                                         struct footnote_err *err)
{
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
        if (str_starts(str_c(url), str_c(drivers[i].scheme)))
            return drivers[i].driver;
    (void)err_set(err, FOOTNOTE_INVALID,
                  "a database is sqlite:PATH or postgres://...");
    return NULL;
}

enum footnote_rc db_open(const struct db_options *o, struct db **out,
                         struct footnote_err *err)
{
    const struct db_driver *driver = driver_of(o->url, err);
    struct db_options full = *o;

    *out = NULL;
    if (full.timeout_ms <= 0)
        full.timeout_ms = DB_TIMEOUT_MS;
    if (full.until_ms == 0)
        full.until_ms = clock_mono_ms() + full.timeout_ms;
    if (!full.sql)
        full.sql = &sql_set;
    return driver ? driver->open(&full, out, err) : FOOTNOTE_INVALID;
}

enum footnote_rc db_check_log(const char *url, struct footnote_err *err)
{
    const struct db_driver *driver = driver_of(url, err);

    if (!driver)
        return FOOTNOTE_INVALID;
    return driver->check_log ? driver->check_log(url, err) : FOOTNOTE_OK;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    db_rollback(db);
    db->driver->close(db);
}

enum footnote_rc db_examine(struct db *db, struct db_examination *x,
                            struct footnote_err *err)
{
    assert(!db->begun && db->mode == DB_READ && x->found && x->goes_on);
    x->clock_ms = 0;
    return db->driver->examine(db, x, err);
}

enum footnote_rc db_begin(struct db *db, struct footnote_err *err)
{
    return db_begin_until(db, clock_mono_ms() + db->timeout_ms, err);
}

bool db_is_late(const struct db *db)
{
    return db->late;
}

enum footnote_rc db_begin_until(struct db *db, int64_t until_ms,
                                struct footnote_err *err)
{
    assert(!db->begun);
    db->until_ms = until_ms;
    db->retry = false;
    db->wrote = db->last = false;
    db->unsound.rc = FOOTNOTE_OK;
    TRY(db->driver->begin(db, err));
    db->begun = true;
    db->transaction++;
    return FOOTNOTE_OK;
}

enum footnote_rc db_commit(struct db *db, struct footnote_err *err)
{
    assert(db->begun);
    db->begun = false;
    return db->driver->commit(db, err);
}

void db_rollback(struct db *db)
{
    if (!db->begun)
        return;
    db->begun = false;
    db->driver->rollback(db);
}

enum footnote_rc db_part_begin(struct db *db, struct footnote_err *err)
{
    assert(db->begun);
    db->wrote = false;
    db->unsound.rc = FOOTNOTE_OK;
    return db->driver->part_begin(db, err);
}

enum footnote_rc db_part_end(struct db *db, struct footnote_err *err)
{
    assert(db->begun);
    return db->driver->part_end(db, err);
}

bool db_part_undo(struct db *db)
{
    assert(db->begun);
    return db->driver->part_undo(db);
}

bool db_care(struct db *db, bool care)
{
    assert(!db->begun);
    db->care = care && db->driver->parts;
    return db->care;
}

static void check_call(struct db *db, enum stmt_id stmt, size_t args_n)
{
    assert(db->begun && !db->last);
    assert((size_t)stmt < db->sql->stmts_n);
    assert(args_n == db->sql->stmts[stmt].args_n);
    (void)args_n;
    db->wrote |= db->sql->stmts[stmt].writes;
}

enum footnote_rc db_run_n(struct db *db, enum stmt_id stmt,
                          const struct db_value *args, size_t args_n,
                          struct db_cur **cur, struct footnote_err *err)
{
    *cur = NULL;
    check_call(db, stmt, args_n);
    return db->driver->run(db, stmt, args, cur, err);
}

enum footnote_rc db_do_n(struct db *db, enum stmt_id stmt,
                         const struct db_value *args, size_t args_n,
                         struct footnote_err *err)
{
    check_call(db, stmt, args_n);
    return db->driver->run_alone(db, stmt, args, err);
}

enum footnote_rc db_one_n(struct db *db, enum stmt_id stmt,
                          const struct db_value *args, size_t args_n,
                          struct db_cur **cur, bool *row,
                          struct footnote_err *err)
{
    *row = false;
    TRY(db_run_n(db, stmt, args, args_n, cur, err));
    return db_next(*cur, row, err);
}

enum footnote_rc db_change_n(struct db *db, enum stmt_id stmt,
                             const struct db_value *args, size_t args_n,
                             int64_t *rows, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *rows = 0;
    TRY(db_one_n(db, stmt, args, args_n, &cur, &row, err));
    assert(!row);
    *rows = db->driver->changed(cur);
    return FOOTNOTE_OK;
}

enum footnote_rc db_next(struct db_cur *cur, bool *row,
                         struct footnote_err *err)
{
    assert(cur);
    *row = false;
    return cur->db->driver->next(cur, row, err);
}

int64_t db_col_i64(struct db_cur *cur, int column)
{
    return cur->db->driver->col_i64(cur, column);
}

double db_col_f64(struct db_cur *cur, int column)
{
    return cur->db->driver->col_f64(cur, column);
}

struct str db_col_str(struct db_cur *cur, int column)
{
    return cur->db->driver->col_str(cur, column);
}

bool db_col_null(struct db_cur *cur, int column)
{
    return cur->db->driver->col_null(cur, column);
}

bool db_text_is_sound(struct str s)
{
    return !memchr(s.p, '\0', s.n) && utf8_valid(s);
}

void db_unsound(struct db *db, const char *stmt, const char *column)
{
    (void)err_set(&db->unsound, FOOTNOTE_DAMAGED,
                  "%s: the stored %s is damaged: nobody can have saved it",
                  stmt, column);
}

enum footnote_rc db_sound(const struct db *db, struct footnote_err *err)
{
    if (db->unsound.rc == FOOTNOTE_OK)
        return FOOTNOTE_OK;
    return err_set(err, db->unsound.rc, "%s", db->unsound.text);
}

void db_told(struct db *db)
{
    db->unsound.rc = FOOTNOTE_OK;
}

void db_col_values(struct db_cur *cur, int first, size_t n,
                   struct db_value *out)
{
    cur->db->driver->col_values(cur, first, n, out);
}

void db_end(struct db_cur **cur)
{
    if (!*cur)
        return;
    (*cur)->db->driver->end(*cur);
    *cur = NULL;
}

void db_last(struct db *db)
{
    assert(db->begun && db->mode == DB_READ);
    db->last = true;
    db->driver->last(db);
}

bool db_is_file(const struct db *db)
{
    return db->driver->copy_file != NULL;
}

enum footnote_rc db_copy_file(struct db *db, const char *path,
                              const atomic_bool *stop, struct footnote_err *err)
{
    assert(db->begun && db->mode == DB_READ);
    return db->driver->copy_file(db, path, stop, err);
}

int64_t db_transaction(const struct db *db)
{
    return db->transaction;
}

const char *db_engine(const struct db *db)
{
    return db->driver->name;
}

bool db_has_round_trips(const struct db *db)
{
    return db->driver->round_trips;
}

bool db_has_rival_writers(const struct db *db)
{
    return db->driver->rival_writers;
}

bool db_has_other_machines(const struct db *db)
{
    return db->driver->other_machines;
}
