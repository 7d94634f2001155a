/* load.c - rows of files, and what is the same for rows of tables. */
#include "import/load.h"

#include <limits.h>
#include <sys/stat.h>

#include "import/json_values.h"
#include "import/staged.h"
#include "import/value.h"

/* ---- One row ------------------------------------------------------------- */

/* The name of the first of these columns that the table does not have. */
static const char *missing_column(const struct import_table *t,
                                  const struct json *o)
{
    for (size_t i = 0; i < IMPORT_NAMES_MAX && t->columns.item[i]; i++)
        if (!json_get(o, str_c(t->columns.item[i])))
            return t->columns.item[i];
    return NULL;
}

static enum footnote_rc put_object(struct import *im, struct row *row,
                                   struct str json, bool from_table,
                                   struct footnote_err *err)
{
    const struct import_table *t = row->table;
    const char *column = from_table ? missing_column(t, row->o) : NULL;
    struct str key = t->key_of ? t->key_of(im->a, row->o)
                               : value_text(field(row->o, &t->key));

    if (column)
        return err_set(err, FOOTNOTE_INVALID, "table %s has no column %s",
                       t->names.item[0], column);
    row->id = value_text(field(row->o, &t->id));
    if (!key.p) {
        import_note(im, IMPORT_LEFT_OUT, row, "has no %s", t->key.item[0]);
        return FOOTNOTE_OK;
    }
    return staged_put(im->staged, im, row, key, json, err);
}

enum footnote_rc load_row(struct import *im, size_t table, int64_t line,
                          struct str json, bool from_table, int64_t *bad,
                          struct footnote_err *err)
{
    struct row row = {.table = &im->kind->tables[table], .line = line};
    struct footnote_err why;
    struct json *o = NULL;
    enum footnote_rc rc;

    arena_reset(im->a);
    rc = json_read(im->a, json, &o, &why);
    if (rc == FOOTNOTE_NOMEM)
        return err_set(err, rc, "%s:%lld: %s", row.table->names.item[0],
                       (long long)line, why.text);
    if (rc == FOOTNOTE_OK && o->type == JSON_OBJECT) {
        row.o = o;
        return put_object(im, &row, json, from_table, err);
    }
    ++*bad;
    import_note(im, IMPORT_LEFT_OUT, &row, "%s",
                rc == FOOTNOTE_OK ? "is no JSON object" : why.text);
    return FOOTNOTE_OK;
}

/* ---- Files --------------------------------------------------------------- */

static enum footnote_rc load_values(struct import *im, size_t table,
                                    struct json_values *v, int64_t *bad,
                                    struct footnote_err *err)
{
    struct str text;
    int64_t line;

    for (;;) {
        TRY(json_values_next(v, &text, &line, err));
        if (!text.p)
            return FOOTNOTE_OK;
        TRY(load_row(im, table, line, text, false, bad, err));
    }
}

static enum footnote_rc load_file(struct import *im, size_t table,
                                  const char *path, int64_t *bad,
                                  struct footnote_err *err)
{
    AUTO(json_values_close) struct json_values v = {.file = NULL};
    enum footnote_rc rc;

    TRY(json_values_open(path, IMPORT_VALUE_BYTES_MAX, &v, err));
    im->has_table[table] = true;
    rc = load_values(im, table, &v, bad, err);
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "%.100s", path);
    return rc;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* NAME.jsonl, NAME.json or NAME.ndjson by any of the table's names. */
static bool find_file(const struct import_table *t, const char *folder,
                      char path[PATH_MAX])
{
    static const char *const ends[] = {"jsonl", "json", "ndjson"};

    for (size_t i = 0; i < IMPORT_NAMES_MAX && t->names.item[i]; i++)
        for (size_t e = 0; e < sizeof(ends) / sizeof(ends[0]); e++) {
            struct stat st;

            snprintf(path, PATH_MAX, "%.3000s/%s.%s", folder, t->names.item[i],
                     ends[e]);
            if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
                return true;
        }
    return false;
}

static enum footnote_rc load_folder(struct import *im, const char *folder,
                                    int64_t *bad, struct footnote_err *err)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < IMPORT_TABLES_MAX; i++)
        if (im->kind->tables[i].names.item[0] && !im->has_table[i] &&
            find_file(&im->kind->tables[i], folder, path))
            TRY(load_file(im, i, path, bad, err));
    return FOOTNOTE_OK;
}

/* The texts that --texts names, when they are in a file. */
static enum footnote_rc load_texts(struct import *im, int64_t *bad,
                                   struct footnote_err *err)
{
    if (!im->o->texts.p || str_starts(im->o->texts, STR("table:")))
        return FOOTNOTE_OK;
    for (size_t i = 0; i < IMPORT_TABLES_MAX; i++)
        if (im->kind->tables[i].is_texts)
            return load_file(im, i, im->o->texts.p, bad, err);
    return err_set(err, FOOTNOTE_INVALID, "%s takes no --texts",
                   im->kind->name);
}

/* ---- All of it ----------------------------------------------------------- */

static enum footnote_rc load_source(struct import *im, int64_t *bad,
                                    struct footnote_err *err)
{
    struct str source = im->o->source;

    if (str_starts(source, STR("postgres:")) ||
        str_starts(source, STR("postgresql:")))
        return load_foreign(im, err);
    if (is_folder(source.p))
        return load_folder(im, source.p, bad, err);
    if (is_lite(source.p))
        return load_lite(im, source.p, bad, err);
    return load_file(im, 0, source.p, bad, err);
}

static enum footnote_rc check_tables(const struct import *im,
                                     struct footnote_err *err)
{
    for (size_t i = 0; i < IMPORT_TABLES_MAX; i++)
        if (im->kind->tables[i].needed && !im->has_table[i])
            return err_set(err, FOOTNOTE_INVALID,
                           "%s needs %s, and there is none", im->kind->name,
                           im->kind->tables[i].names.item[0]);
    return FOOTNOTE_OK;
}

enum footnote_rc load_all(struct import *im, struct footnote_err *err)
{
    int64_t bad = 0;

    TRY(load_texts(im, &bad, err));
    TRY(load_source(im, &bad, err));
    TRY(check_tables(im, err));
    if (bad)
        return err_set(err, FOOTNOTE_INVALID,
                       "%lld rows cannot be read; nothing was imported, "
                       "because nobody knows whose they are",
                       (long long)bad);
    return FOOTNOTE_OK;
}
