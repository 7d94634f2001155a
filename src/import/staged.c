/* staged.c - the temporary database: nothing in it is worth a sync. */
#include "import/staged.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "import_sql.h"

#define STMT(name) ((enum stmt_id)(IMPORT_STMT_##name))

struct staged {
    struct db *db;
    char folder[PATH_MAX], file[PATH_MAX + 16];
    struct buf last; /* the session of the row before */
};

static enum footnote_rc open_db(struct staged *s, struct footnote_err *err)
{
    char url[PATH_MAX + 64];
    struct db_options o = {
        .url = url, .mode = DB_WRITE, .sql = &import_sql_set, .scratch = true};

    snprintf(s->file, sizeof(s->file), "%s/rows.db", s->folder);
    snprintf(url, sizeof(url), "sqlite:%s", s->file);
    TRY(db_open(&o, &s->db, err));
    return db_begin(s->db, err);
}

enum footnote_rc staged_open(const char *folder, struct staged **out,
                             struct footnote_err *err)
{
    struct staged *s = calloc(1, sizeof(*s));
    enum footnote_rc rc;

    *out = NULL;
    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "importing");
    s->last = BUF(IMPORT_VALUE_BYTES_MAX);
    snprintf(s->folder, sizeof(s->folder), "%.3000s/footnote-import-XXXXXX",
             folder);
    if (!mkdtemp(s->folder)) {
        free(s);
        return err_set(err, FOOTNOTE_INVALID, "cannot make a folder in %.100s",
                       folder);
    }
    rc = open_db(s, err);
    if (rc != FOOTNOTE_OK) {
        err_prefix(err, "rows on their way, in %.80s", s->folder);
        staged_close(s);
        return rc;
    }
    *out = s;
    return FOOTNOTE_OK;
}

void staged_close(struct staged *s)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[PATH_MAX + 32];

    if (!s)
        return;
    db_close(s->db);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", s->file, ends[i]);
        (void)unlink(path);
    }
    (void)rmdir(s->folder);
    buf_free(&s->last);
    free(s);
}

/* ---- Rows ---------------------------------------------------------------- */

static enum footnote_rc put(struct staged *s, const struct import *im,
                            const struct row *row, struct str key,
                            struct str json, struct footnote_err *err)
{
    TRY(db_do(s->db, STMT(STAGED_PUT), err,
              db_i64(row->table - im->kind->tables), db_blob(key),
              db_i64(row->line), db_blob(row->id), db_blob(json)));
    if (!row->table->by_session || str_eq(buf_str(&s->last), key))
        return FOOTNOTE_OK;
    buf_reset(&s->last);
    buf_add(&s->last, key);
    TRY(buf_rc(&s->last, err));
    return db_do(s->db, STMT(STAGED_SESSION_PUT), err, db_blob(key));
}

enum footnote_rc staged_put(struct staged *s, const struct import *im,
                            const struct row *row, struct str key,
                            struct str json, struct footnote_err *err)
{
    enum footnote_rc rc = put(s, im, row, key, json, err);

    if (rc != FOOTNOTE_OK)
        err_prefix(err, "rows on their way, in %.80s", s->folder);
    return rc;
}

enum footnote_rc staged_next_session(struct staged *s, struct arena *a,
                                     int64_t *n, struct str *key,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *key = STR_NONE;
    TRY(db_one(s->db, STMT(STAGED_SESSION_NEXT), &cur, &row, err, db_i64(*n)));
    if (!row)
        return FOOTNOTE_OK;
    *n = db_col_i64(cur, IMPORT_COL_STAGED_SESSION_NEXT_NUMBER);
    *key = arena_str(a, db_col_str(cur, IMPORT_COL_STAGED_SESSION_NEXT_KEY));
    return arena_rc(a, err);
}

enum footnote_rc staged_count(struct staged *s, int64_t *sessions,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one_n(s->db, STMT(STAGED_SESSIONS), NULL, 0, &cur, &row, err));
    *sessions = row ? db_col_i64(cur, IMPORT_COL_STAGED_SESSIONS_N) : 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc add_row(struct import *im, struct db_cur *cur,
                                size_t table, struct rows *out, size_t *room,
                                struct footnote_err *err)
{
    struct json *o;
    struct row *row;

    if (out->n == *room) {
        size_t more = *room ? *room * 2 : 16;
        struct row *items = arena_many(im->a, more, struct row);

        if (!items)
            return arena_rc(im->a, err);
        if (out->n)
            memcpy(items, out->items, out->n * sizeof(*items));
        out->items = items;
        *room = more;
    }
    TRY(json_read(
        im->a, arena_str(im->a, db_col_str(cur, IMPORT_COL_STAGED_ROWS_JSON)),
        &o, err));
    row = &out->items[out->n++];
    row->table = &im->kind->tables[table];
    row->o = o;
    row->line = db_col_i64(cur, IMPORT_COL_STAGED_ROWS_LINE);
    row->id = arena_str(im->a, db_col_str(cur, IMPORT_COL_STAGED_ROWS_ID));
    return arena_rc(im->a, err);
}

enum footnote_rc staged_rows(struct import *im, size_t table, struct str key,
                             struct rows *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    size_t room = 0;
    bool more;

    *out = (struct rows){.n = 0};
    TRY(db_run(im->staged->db, STMT(STAGED_ROWS), &cur, err,
               db_i64((int64_t)table), db_blob(key)));
    for (;;) {
        TRY(db_next(cur, &more, err));
        if (!more)
            return FOOTNOTE_OK;
        TRY(add_row(im, cur, table, out, &room, err));
    }
}

enum footnote_rc staged_note_strays(struct import *im, size_t table,
                                    size_t other, const char *what,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool more;

    TRY(db_do_n(im->staged->db, STMT(STAGED_INDEX_IDS), NULL, 0, err));
    TRY(db_run(im->staged->db, STMT(STAGED_STRAYS), &cur, err,
               db_i64((int64_t)table), db_i64((int64_t)other)));
    for (;;) {
        struct row row = {.table = &im->kind->tables[table]};
        struct str key;

        TRY(db_next(cur, &more, err));
        if (!more)
            return FOOTNOTE_OK;
        row.line = db_col_i64(cur, IMPORT_COL_STAGED_STRAYS_LINE);
        row.id = db_col_str(cur, IMPORT_COL_STAGED_STRAYS_ID);
        key = db_col_str(cur, IMPORT_COL_STAGED_STRAYS_KEY);
        import_note(im, IMPORT_LEFT_OUT, &row, "%s %.*s is not there", what,
                    STR_ARG(key));
    }
}

/* ---- Users, courses, sources --------------------------------------------- */

static enum footnote_rc look_up(struct staged *s, struct arena *a,
                                enum stmt_id stmt, int column, struct str key,
                                struct str *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    *out = STR_NONE;
    TRY(db_one(s->db, stmt, &cur, &row, err, db_blob(key)));
    if (row)
        *out = arena_str(a, db_col_str(cur, column));
    return arena_rc(a, err);
}

enum footnote_rc staged_user_put(struct staged *s, struct str theirs,
                                 struct str ours, struct footnote_err *err)
{
    return db_do(s->db, STMT(STAGED_USER_PUT), err, db_blob(theirs),
                 db_blob(ours));
}

enum footnote_rc staged_user(struct staged *s, struct arena *a,
                             struct str theirs, struct str *ours,
                             struct footnote_err *err)
{
    return look_up(s, a, STMT(STAGED_USER), IMPORT_COL_STAGED_USER_OURS, theirs,
                   ours, err);
}

enum footnote_rc staged_course_put(struct staged *s, struct str course,
                                   struct str owner, struct footnote_err *err)
{
    return db_do(s->db, STMT(STAGED_COURSE_PUT), err, db_blob(course),
                 db_blob(owner));
}

enum footnote_rc staged_course(struct staged *s, struct arena *a,
                               struct str course, struct str *owner,
                               struct footnote_err *err)
{
    return look_up(s, a, STMT(STAGED_COURSE), IMPORT_COL_STAGED_COURSE_OWNER,
                   course, owner, err);
}

enum footnote_rc staged_member_put(struct staged *s, struct str course,
                                   struct str user, bool *is_new,
                                   struct footnote_err *err)
{
    int64_t rows;

    TRY(db_change(s->db, STMT(STAGED_MEMBER_PUT), &rows, err, db_blob(course),
                  db_blob(user)));
    *is_new = rows > 0;
    return FOOTNOTE_OK;
}

enum footnote_rc staged_count_source(struct staged *s,
                                     const struct sha256 *digest,
                                     int64_t *count, struct footnote_err *err)
{
    int64_t rows;

    TRY(db_change(
        s->db, STMT(STAGED_SOURCE_PUT), &rows, err,
        db_blob((struct str){(const char *)digest->b, SHA256_BYTES})));
    *count += rows;
    return FOOTNOTE_OK;
}
