/* sqlite.c - the SQLite driver: statements and transactions.
 *
 * Statements are prepared on first use and kept.  Each prepared copy is a
 * cursor; a statement that is run again while its cursor is open gets another
 * copy, which is kept as well. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "db/sqlite_impl.h"

// clang-format off
static const char *const control_text[CONTROL_N] = {
    [CONTROL_BEGIN] = NULL, /* by mode, see run_control */
    [CONTROL_COMMIT] = "COMMIT;",
    [CONTROL_ROLLBACK] = "ROLLBACK;",
    [CONTROL_PART_BEGIN] = "SAVEPOINT part;",
    [CONTROL_PART_END] = "RELEASE part;",
    [CONTROL_PART_UNDO] = "ROLLBACK TO part;",
};
// clang-format on

/* --- connection ------------------------------------------------------- */

static struct sqlite_db *of(struct db *db)
{
    return (struct sqlite_db *)db;
}

static void disconnect(struct sqlite_db *db)
{
    assert(db->busy_n == 0);
    sqlite_checkpoint_close(db);
    for (int i = 0; i < CONTROL_N; i++) {
        (void)sqlite3_finalize(db->control[i]);
        db->control[i] = NULL;
    }
    while (db->made) {
        struct sqlite_cur *cur = db->made;
        db->made = cur->next_made;
        (void)sqlite3_finalize(cur->stmt);
        free(cur);
    }
    if (db->idle)
        memset(db->idle, 0,
               db->base.sql->stmts_n * sizeof(struct sqlite_cur *));
    (void)sqlite3_close(db->conn);
    db->conn = NULL;
}

static void close_db(struct db *base)
{
    struct sqlite_db *db = of(base);

    disconnect(db);
    free(db->idle);
    free(db->path);
    free(db);
}

static void close_dbp(struct sqlite_db **db)
{
    if (*db)
        close_db(&(*db)->base);
}

static enum footnote_rc open_db(const struct db_options *o, struct db **out,
                                struct footnote_err *err)
{
    AUTO(close_dbp) struct sqlite_db *db = calloc(1, sizeof(*db));

    if (!db)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    db_base_init(&db->base, &db_sqlite, o);
    db->idle = calloc(o->sql->stmts_n, sizeof(struct sqlite_cur *));
    if (!db->idle)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    TRY(sqlite_parse_url(db, o->url, err));
    TRY(sqlite_connect(db, err));
    *out = &db->base;
    db = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

/* --- transactions ----------------------------------------------------- */

static int run_control(struct sqlite_db *db, enum sqlite_control which)
{
    const char *text = control_text[which];
    int code = SQLITE_OK;

    if (which == CONTROL_BEGIN)
        text = db->base.mode == DB_WRITE ? "BEGIN IMMEDIATE;" : "BEGIN;";
    db->started_ms = 0;
    if (!db->control[which])
        code = sqlite3_prepare_v3(db->conn, text, -1, SQLITE_PREPARE_PERSISTENT,
                                  &db->control[which], NULL);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(db->control[which]);
    (void)sqlite3_reset(db->control[which]);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static enum footnote_rc begin(struct db *base, struct footnote_err *err)
{
    struct sqlite_db *db = of(base);

    if (db->stale) {
        disconnect(db);
        TRY(sqlite_connect(db, err));
        db->stale = false;
    }
    int code = run_control(db, CONTROL_BEGIN);
    return code == SQLITE_OK ? FOOTNOTE_OK
                             : sqlite_fail(db->conn, code, "begin", err);
}

static void rollback(struct db *base)
{
    struct sqlite_db *db = of(base);

    if (sqlite3_get_autocommit(db->conn))
        return; /* SQLite has done so itself */
    if (run_control(db, CONTROL_ROLLBACK) != SQLITE_OK &&
        !sqlite3_get_autocommit(db->conn))
        db->stale = true; /* closing rolls back, without need of memory */
}

static enum footnote_rc lost(struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_BUSY,
                   "the transaction was rolled back by an earlier failure");
}

/* After an I/O error the frames may be on the disk, where the next recovery
 * would find them: UNSURE.  The connection stays, because it knows that they
 * do not count and writes the next ones over them.  A new one would find them
 * in the system's cache and build on them, although a sync has failed for
 * them and no later one will make up for it. */
static enum footnote_rc commit(struct db *base, struct footnote_err *err)
{
    struct sqlite_db *db = of(base);

    if (sqlite3_get_autocommit(db->conn))
        return lost(err);
    int code = run_control(db, CONTROL_COMMIT);
    if (code == SQLITE_OK && base->mode == DB_WRITE)
        sqlite_checkpoint_after_commit(db);
    if (code == SQLITE_OK)
        return FOOTNOTE_OK;
    enum footnote_rc rc = sqlite_fail(db->conn, code, "commit", err);
    rollback(base);
    if ((code & 0xff) != SQLITE_IOERR || code == SQLITE_IOERR_NOMEM)
        return rc;
    return err_set(err, FOOTNOTE_UNSURE, "commit: disk error %d", code);
}

/* A savepoint keeps every page as it was, which is a quarter of a save's work;
 * so there is one only when there is something to take back. */
static enum footnote_rc part(struct db *base, enum sqlite_control which,
                             struct footnote_err *err)
{
    struct sqlite_db *db = of(base);

    if (sqlite3_get_autocommit(db->conn))
        return lost(err);
    int code = base->care ? run_control(db, which) : SQLITE_OK;
    return code == SQLITE_OK ? FOOTNOTE_OK
                             : sqlite_fail(db->conn, code, "savepoint", err);
}

static enum footnote_rc part_begin(struct db *base, struct footnote_err *err)
{
    return part(base, CONTROL_PART_BEGIN, err);
}

static enum footnote_rc part_end(struct db *base, struct footnote_err *err)
{
    return part(base, CONTROL_PART_END, err);
}

static bool part_undo(struct db *base)
{
    if (!base->care)
        return !base->wrote && !sqlite3_get_autocommit(of(base)->conn);
    return part(base, CONTROL_PART_UNDO, NULL) == FOOTNOTE_OK &&
           part(base, CONTROL_PART_END, NULL) == FOOTNOTE_OK;
}

/* --- statements ------------------------------------------------------- */

static enum footnote_rc make_cur(struct sqlite_db *db, enum stmt_id id,
                                 struct sqlite_cur **out,
                                 struct footnote_err *err)
{
    const struct sql_stmt *stmt = &db->base.sql->stmts[id];
    struct sqlite_cur *cur = calloc(1, sizeof(*cur));

    if (!cur)
        return err_set(err, FOOTNOTE_NOMEM, "%s: out of memory", stmt->name);
    int code = sqlite3_prepare_v3(db->conn, stmt->text[SQL_SQLITE], -1,
                                  SQLITE_PREPARE_PERSISTENT, &cur->stmt, NULL);
    if (code != SQLITE_OK) {
        free(cur);
        return sqlite_fail(db->conn, code, stmt->name, err);
    }
    assert(sqlite3_bind_parameter_count(cur->stmt) == stmt->args_n);
    cur->base.db = &db->base;
    cur->id = id;
    cur->next_made = db->made;
    db->made = cur;
    *out = cur;
    return FOOTNOTE_OK;
}

static int bind(sqlite3_stmt *stmt, int i, const struct db_value *v)
{
    switch (v->type) {
    case DB_NULL: return sqlite3_bind_null(stmt, i);
    case DB_I64: return sqlite3_bind_int64(stmt, i, v->i);
    case DB_F64: return sqlite3_bind_double(stmt, i, v->f);
    case DB_TEXT:
        return sqlite3_bind_text64(stmt, i, v->s.p, v->s.n, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case DB_BLOB:
        return sqlite3_bind_blob64(stmt, i, v->s.p, v->s.n, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

static void end(struct db_cur *base)
{
    struct sqlite_cur *cur = (struct sqlite_cur *)base;
    struct sqlite_db *db = of(base->db);

    (void)sqlite3_reset(cur->stmt);
    cur->next_idle = db->idle[cur->id];
    db->idle[cur->id] = cur;
    db->busy_n--;
}

static enum footnote_rc run(struct db *base, enum stmt_id id,
                            const struct db_value *args, struct db_cur **out,
                            struct footnote_err *err)
{
    struct sqlite_db *db = of(base);
    struct sqlite_cur *cur = db->idle[id];

    if (sqlite3_get_autocommit(db->conn))
        return lost(err); /* or the statement would commit by itself */
    if (cur)
        db->idle[id] = cur->next_idle;
    else
        TRY(make_cur(db, id, &cur, err));
    db->busy_n++;
    cur->over = false;
    for (int i = 0; i < base->sql->stmts[id].args_n; i++) {
        int code = bind(cur->stmt, i + 1, &args[i]);
        if (code != SQLITE_OK) {
            end(&cur->base);
            return sqlite_fail(db->conn, code, base->sql->stmts[id].name, err);
        }
    }
    *out = &cur->base;
    return FOOTNOTE_OK;
}

static enum footnote_rc next(struct db_cur *base, bool *row,
                             struct footnote_err *err)
{
    struct sqlite_cur *cur = (struct sqlite_cur *)base;
    struct sqlite_db *db = of(base->db);

    if (cur->over)
        return FOOTNOTE_OK;
    db->started_ms = 0;
    int code = sqlite3_step(cur->stmt);
    *row = code == SQLITE_ROW;
    cur->over = !*row;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return FOOTNOTE_OK;
    return sqlite_fail(db->conn, code, db->base.sql->stmts[cur->id].name, err);
}

static enum footnote_rc run_alone(struct db *base, enum stmt_id id,
                                  const struct db_value *args,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row = true;

    TRY(run(base, id, args, &cur, err));
    while (row)
        TRY(next(cur, &row, err));
    return FOOTNOTE_OK;
}

static void last(struct db *base)
{
    (void)base; /* there are no round trips to save */
}

/* --- columns ---------------------------------------------------------- */

/* The column as a value: type, bytes and text of a value are plain reads, while
 * each of these on a column checks the statement again.  The connection is one
 * thread's, so nobody can change it meanwhile. */
static sqlite3_value *value_at(struct db_cur *cur, int column)
{
    return sqlite3_column_value(((struct sqlite_cur *)cur)->stmt, column);
}

static int64_t col_i64(struct db_cur *cur, int column)
{
    return sqlite3_value_int64(value_at(cur, column));
}

static void unsound(struct db_cur *base, int column)
{
    const struct sqlite_cur *cur = (struct sqlite_cur *)base;

    db_unsound(base->db, base->db->sql->stmts[cur->id].name,
               sqlite3_column_name(cur->stmt, column));
}

static double col_f64(struct db_cur *cur, int column)
{
    double v = sqlite3_value_double(value_at(cur, column));

    if (isfinite(v))
        return v;
    unsound(cur, column);
    return 0;
}

static bool col_null(struct db_cur *cur, int column)
{
    return sqlite3_value_type(value_at(cur, column)) == SQLITE_NULL;
}

/* Text or blob; a number is its text. */
static struct str bytes_of(sqlite3_value *v)
{
    const void *p = sqlite3_value_type(v) == SQLITE_BLOB
                        ? sqlite3_value_blob(v)
                        : (const void *)sqlite3_value_text(v);

    return (struct str){p ? p : "", p ? (size_t)sqlite3_value_bytes(v) : 0};
}

static struct str col_str(struct db_cur *cur, int column)
{
    sqlite3_value *v = value_at(cur, column);
    int type = sqlite3_value_type(v);
    struct str s;

    if (type == SQLITE_NULL)
        return STR_NONE;
    s = bytes_of(v);
    if (type != SQLITE_TEXT || db_text_is_sound(s))
        return s;
    unsound(cur, column);
    return STR("");
}

static void col_values(struct db_cur *cur, int first, size_t n,
                       struct db_value *out)
{
    for (int column = first; n > 0; column++, n--, out++) {
        sqlite3_value *v = value_at(cur, column);

        switch (sqlite3_value_type(v)) {
        case SQLITE_INTEGER: *out = db_i64(sqlite3_value_int64(v)); break;
        case SQLITE_FLOAT: *out = db_f64(sqlite3_value_double(v)); break;
        case SQLITE_TEXT: *out = db_text(bytes_of(v)); break;
        case SQLITE_BLOB: *out = db_blob(bytes_of(v)); break;
        default: *out = db_null();
        }
    }
}

/* Of the connection's last statement, which the cursor's is. */
static int64_t changed(struct db_cur *cur)
{
    return sqlite3_changes64(of(cur->db)->conn);
}

const struct db_driver db_sqlite = {
    .name = "sqlite",
    .engine = SQL_SQLITE,
    .parts = true,
    .open = open_db,
    .close = close_db,
    .examine = sqlite_examine,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .part_begin = part_begin,
    .part_end = part_end,
    .part_undo = part_undo,
    .run = run,
    .run_alone = run_alone,
    .last = last,
    .next = next,
    .col_i64 = col_i64,
    .col_f64 = col_f64,
    .col_str = col_str,
    .col_null = col_null,
    .col_values = col_values,
    .changed = changed,
    .end = end,
    .copy_file = sqlite_copy_file,
    .check_log = sqlite_check_log,
};
