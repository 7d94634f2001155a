/* lite.c - rows of another program's SQLite file, which stays as it is.
 *
 * A file with a log or a journal beside it is copied with them, for bringing
 * those in would change it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/load.h"
#include "import_sql.h"

enum {
    TIMEOUT_MS = 10 * 60 * 1000,
    TEXT_BYTES_MAX = 64 * 1024,
    PART_BYTES = 64 * 1024,
    PATH_BYTES = PATH_MAX + 32
};

/* What may stand beside the file. */
static const char *const ends[] = {"", "-wal", "-journal"};
enum { ENDS = sizeof(ends) / sizeof(ends[0]) };

struct lite {
    struct import *im;
    const char *path;      /* theirs */
    char folder[PATH_MAX]; /* of the copy; "": there is none */
    char read[PATH_BYTES]; /* what is read */
    struct stat was[ENDS]; /* of their files, when it began */
    /* A connection keeps what it was opened with. */
    struct db *db;
    struct sql_set sql;
    struct sql_stmt rows;
    char text[TEXT_BYTES_MAX]; /* of rows */
};

bool is_lite(const char *path)
{
    char head[16] = "";
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

    if (f)
        (void)fclose(f);
    return n == sizeof(head) && memcmp(head, "SQLite format 3", 16) == 0;
}

/* ---- The file, or a copy ------------------------------------------------- */

static void name_of(char out[PATH_BYTES], const char *path, const char *end)
{
    snprintf(out, PATH_BYTES, "%.4000s%s", path, end);
}

static void look(const struct lite *l, struct stat st[ENDS])
{
    for (size_t i = 0; i < ENDS; i++) {
        char path[PATH_BYTES];

        name_of(path, l->path, ends[i]);
        if (stat(path, &st[i]) != 0)
            st[i] = (struct stat){.st_size = -1};
    }
}

static enum footnote_rc is_unchanged(const struct lite *l,
                                     struct footnote_err *err)
{
    struct stat now[ENDS];

    look(l, now);
    for (size_t i = 0; i < ENDS; i++)
        if (now[i].st_size != l->was[i].st_size ||
            now[i].st_mtim.tv_sec != l->was[i].st_mtim.tv_sec ||
            now[i].st_mtim.tv_nsec != l->was[i].st_mtim.tv_nsec)
            return err_set(err, FOOTNOTE_INVALID,
                           "%.150s%s is written to while it is read: stop its "
                           "program first",
                           l->path, ends[i]);
    return FOOTNOTE_OK;
}

static enum footnote_rc copy_bytes(int from, int to, const char *path,
                                   struct footnote_err *err)
{
    char part[PART_BYTES];
    ssize_t n;

    while ((n = read(from, part, sizeof(part))) > 0)
        if (write(to, part, (size_t)n) != n)
            return err_set(err, FOOTNOTE_BUSY, "copying %.150s: %s", path,
                           strerror(errno));
    return n == 0 ? FOOTNOTE_OK
                  : err_set(err, FOOTNOTE_INVALID, "reading %.150s: %s", path,
                            strerror(errno));
}

static enum footnote_rc copy_one(const struct lite *l, const char *end,
                                 struct footnote_err *err)
{
    char from_path[PATH_BYTES], to_path[PATH_BYTES];
    enum footnote_rc rc = FOOTNOTE_OK;
    int from, to;

    name_of(from_path, l->path, end);
    name_of(to_path, l->read, end);
    from = open(from_path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return err_set(err, FOOTNOTE_INVALID, "%.150s: %s", from_path,
                       strerror(errno));
    to = open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        rc =
            err_set(err, FOOTNOTE_BUSY, "%.150s: %s", to_path, strerror(errno));
    if (rc == FOOTNOTE_OK)
        rc = copy_bytes(from, to, from_path, err);
    (void)close(from);
    if (to >= 0 && close(to) != 0 && rc == FOOTNOTE_OK)
        rc =
            err_set(err, FOOTNOTE_BUSY, "%.150s: %s", to_path, strerror(errno));
    return rc;
}

static enum footnote_rc copy_if_needed(struct lite *l, struct footnote_err *err)
{
    look(l, l->was);
    snprintf(l->read, sizeof(l->read), "%.4000s", l->path);
    if (l->was[1].st_size < 0 && l->was[2].st_size < 0)
        return FOOTNOTE_OK;
    snprintf(l->folder, sizeof(l->folder), "%.3000s/footnote-source-XXXXXX",
             l->im->o->scratch);
    if (!mkdtemp(l->folder)) {
        l->folder[0] = 0;
        return err_set(err, FOOTNOTE_INVALID, "cannot make a folder in %.100s",
                       l->im->o->scratch);
    }
    snprintf(l->read, sizeof(l->read), "%.4000s/copy.db", l->folder);
    for (size_t i = 0; i < ENDS; i++)
        if (l->was[i].st_size >= 0)
            TRY(copy_one(l, ends[i], err));
    return is_unchanged(l, err);
}

static void close_lite(struct lite *l)
{
    static const char *const made[] = {"", "-wal", "-journal", "-shm"};

    db_close(l->db);
    if (!l->folder[0])
        return;
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        char path[PATH_BYTES];

        name_of(path, l->read, made[i]);
        (void)unlink(path);
    }
    (void)rmdir(l->folder);
}

/* ---- Tables -------------------------------------------------------------- */

static enum footnote_rc open_with(struct lite *l, const struct sql_stmt *stmt,
                                  struct footnote_err *err)
{
    char url[PATH_BYTES + 16];
    struct db_options o = {
        .url = url, .mode = DB_READ, .timeout_ms = TIMEOUT_MS, .sql = &l->sql};

    db_close(l->db);
    l->db = NULL;
    l->sql = (struct sql_set){.stmts = stmt, .stmts_n = 1};
    snprintf(url, sizeof(url), "sqlite:%s", l->read);
    TRY(db_open(&o, &l->db, err));
    return db_begin(l->db, err);
}

/* By any of its names; absent: it is not there. */
static enum footnote_rc find_table(struct lite *l, size_t table,
                                   const char **name, struct str *columns,
                                   struct footnote_err *err)
{
    const struct import_table *t = &l->im->kind->tables[table];

    *columns = STR_NONE;
    TRY(open_with(l, &import_sql_set.stmts[IMPORT_STMT_LITE_COLUMNS], err));
    for (size_t i = 0; i < IMPORT_NAMES_MAX && t->names.item[i]; i++) {
        AUTO(db_end) struct db_cur *cur = NULL;
        bool row;

        *name = t->names.item[i];
        TRY(db_one(l->db, (enum stmt_id)0, &cur, &row, err,
                   db_text(str_c(*name))));
        if (row)
            *columns = arena_str(
                l->im->a, db_col_str(cur, IMPORT_COL_LITE_COLUMNS_COLUMNS));
        TRY(arena_rc(l->im->a, err));
        if (columns->p)
            return FOOTNOTE_OK;
    }
    return FOOTNOTE_OK;
}

/* The statement with the columns and the table in it; false: it is too long. */
static bool statement(char out[TEXT_BYTES_MAX], const char *name,
                      struct str columns)
{
    static const char one[] = "import_columns", other[] = "import_table";
    const char *text =
        import_sql_set.stmts[IMPORT_STMT_LITE_ROWS].text[SQL_SQLITE];
    const char *at = strstr(text, one);
    const char *then = strstr(text, other);
    int n = snprintf(out, TEXT_BYTES_MAX, "%.*s%.*s%.*s%s%s", (int)(at - text),
                     text, STR_ARG(columns), (int)(then - at - strlen(one)),
                     at + strlen(one), name, then + strlen(other));

    return n > 0 && n < TEXT_BYTES_MAX;
}

static enum footnote_rc load_rows(struct lite *l, size_t table, int64_t *bad,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t line = 0;

    TRY(db_run_n(l->db, (enum stmt_id)0, NULL, 0, &cur, err));
    for (;;) {
        struct db_value json;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        db_col_values(cur, IMPORT_COL_LITE_ROWS_JSON, 1, &json);
        TRY(load_row(l->im, table, ++line, db_value_str(&json), true, bad,
                     err));
    }
}

static enum footnote_rc load_table(struct lite *l, size_t table, int64_t *bad,
                                   struct footnote_err *err)
{
    struct str columns;
    const char *name;

    TRY(find_table(l, table, &name, &columns, err));
    if (!columns.p)
        return FOOTNOTE_OK;
    if (!statement(l->text, name, columns))
        return err_set(err, FOOTNOTE_INVALID, "table %s has too many columns",
                       name);
    l->rows = (struct sql_stmt){.name = name, .text = {l->text, NULL}};
    TRY(open_with(l, &l->rows, err));
    l->im->has_table[table] = true;
    return load_rows(l, table, bad, err);
}

static enum footnote_rc load_tables(struct lite *l, int64_t *bad,
                                    struct footnote_err *err)
{
    TRY(copy_if_needed(l, err));
    for (size_t i = 0; i < IMPORT_TABLES_MAX; i++)
        if (l->im->kind->tables[i].names.item[0])
            TRY(load_table(l, i, bad, err));
    return is_unchanged(l, err);
}

enum footnote_rc load_lite(struct import *im, const char *path, int64_t *bad,
                           struct footnote_err *err)
{
    struct lite l = {.im = im, .path = path};
    enum footnote_rc rc = load_tables(&l, bad, err);

    close_lite(&l);
    im->is_sqlite = true;
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "%.150s", path);
    return rc;
}
