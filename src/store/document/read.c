/* read.c - reading documents and their versions. */
#include "store/damage.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"

static void read_digest(struct db_cur *cur, int column, struct sha256 *out)
{
    struct str digest = db_col_str(cur, column);

    if (digest.n == SHA256_BYTES)
        memcpy(out->b, digest.p, SHA256_BYTES);
}

/* Columns of a list of columns `document`. */
enum {
    VERSION = COL_DOCUMENT_VERSION_SEALED,
    COURSE = COL_DOCUMENT_COURSE_SEALED
};

static void read_version(struct arena *a, struct db_cur *cur,
                         struct document *d)
{
    struct document_media *m = &d->media;

    d->changed_ms = db_col_i64(cur, VERSION + COL_VERSION_SEALED_CREATED_MS);
    d->filename =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_FILENAME));
    d->media_type =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_MEDIA_TYPE));
    d->object_key =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_OBJECT_KEY));
    read_digest(cur, VERSION + COL_VERSION_SEALED_DIGEST, &d->digest);
    d->has_bytes = !db_col_null(cur, VERSION + COL_VERSION_SEALED_BYTES);
    d->bytes = db_col_i64(cur, VERSION + COL_VERSION_SEALED_BYTES);
    d->has_pages = !db_col_null(cur, VERSION + COL_VERSION_SEALED_PAGES);
    d->pages = db_col_i64(cur, VERSION + COL_VERSION_SEALED_PAGES);
    d->has_seconds = !db_col_null(cur, VERSION + COL_VERSION_SEALED_SECONDS);
    d->seconds = db_col_f64(cur, VERSION + COL_VERSION_SEALED_SECONDS);
    d->language =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_LANGUAGE));
    d->warning =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_WARNING));
    d->layout =
        (enum page_layout)db_col_i64(cur, VERSION + COL_VERSION_SEALED_LAYOUT);
    d->page_labels =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_PAGE_LABELS));
    d->encoding =
        arena_str(a, db_col_str(cur, VERSION + COL_VERSION_SEALED_ENCODING));
    m->object_key = arena_str(
        a, db_col_str(cur, VERSION + COL_VERSION_SEALED_RECORDING_KEY));
    m->url = arena_str(
        a, db_col_str(cur, VERSION + COL_VERSION_SEALED_RECORDING_URL));
    m->filename = arena_str(
        a, db_col_str(cur, VERSION + COL_VERSION_SEALED_RECORDING_NAME));
    m->media_type = arena_str(
        a, db_col_str(cur, VERSION + COL_VERSION_SEALED_RECORDING_TYPE));
    read_digest(cur, COL_DOCUMENT_RECORDING_DIGEST, &m->digest);
    m->bytes = db_col_i64(cur, COL_DOCUMENT_RECORDING_BYTES);
}

static enum footnote_rc check(struct tx *tx, struct db_cur *cur,
                              struct footnote_err *err)
{
    struct db_value key = db_i64(db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT)),
                    course =
                        db_i64(db_col_i64(cur, COL_DOCUMENT_SEALED_COURSE));

    TRY(document_check(tx, cur, 0, err));
    TRY(seal_check_key(tx, SEALED_VERSION, cur, VERSION, err,
                       db_i64(tx->tenant), key));
    return seal_check_key(tx, SEALED_COURSE, cur, COURSE, err,
                          db_i64(tx->tenant), course);
}

static enum footnote_rc read_document(struct tx *tx, struct arena *a,
                                      struct db_cur *cur, struct document *d,
                                      struct footnote_err *err)
{
    TRY(check(tx, cur, err));
    *d = (struct document){0};
    d->key = db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT);
    d->id = arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_ID));
    d->course = arena_str(a, db_col_str(cur, COURSE + COL_COURSE_SEALED_ID));
    d->title = arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_TITLE));
    d->date = arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_DATE));
    d->url = arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_URL));
    d->kind = (enum document_kind)db_col_i64(cur, COL_DOCUMENT_SEALED_KIND);
    d->status =
        (enum document_status)db_col_i64(cur, COL_DOCUMENT_SEALED_STATUS);
    d->error = arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_ERROR));
    d->error_code =
        arena_str(a, db_col_str(cur, COL_DOCUMENT_SEALED_ERROR_CODE));
    d->version = db_col_i64(cur, COL_DOCUMENT_SEALED_VERSION);
    d->searchable_version =
        db_col_i64(cur, COL_DOCUMENT_SEALED_SEARCHABLE_VERSION);
    d->created_ms = db_col_i64(cur, COL_DOCUMENT_SEALED_CREATED_MS);
    d->progress.unit = (enum progress_unit)db_col_i64(cur, COL_DOCUMENT_UNIT);
    d->progress.done = db_col_i64(cur, COL_DOCUMENT_DONE);
    d->progress.total = db_col_i64(cur, COL_DOCUMENT_TOTAL);
    read_version(a, cur, d);
    return arena_rc(a, err);
}

enum footnote_rc document_load(struct tx *tx, struct arena *out, int64_t key,
                               int64_t version, struct document *d, bool *found,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(tx->db, STMT_DOCUMENT_GET, &cur, found, err, db_i64(tx->tenant),
               db_i64(key), db_i64(version)));
    if (!*found)
        return FOOTNOTE_OK;
    TRY(read_document(tx, out, cur, d, err));
    if (d->key != key ||
        db_col_i64(cur, VERSION + COL_VERSION_SEALED_VERSION) != version)
        return damage_in_row(tx->store, SEALED_VERSION, cur, VERSION, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct document_get *op = arg;
    struct document_name name = {op->id, op->course};
    struct document_row r;
    bool found;

    TRY(document_need(tx, &name, MEMBER_READER, &r, err));
    TRY(document_load(tx, tx->out, r.key, op->version ? op->version : r.version,
                      &op->document, &found, err));
    if (!found)
        return err_field(err, FOOTNOTE_NOTFOUND, "version", "is not there");
    op->document.role = r.role;
    return FOOTNOTE_OK;
}

const struct store_op document_get_op = {NULL, get_run};

/* *damaged rows are read beyond the limit; out: how many there were. */
static enum footnote_rc list_rows(struct tx *tx, struct document_list *op,
                                  const struct course_row *c, size_t *damaged,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    size_t limit = (op->limit ? op->limit : INT32_MAX) + *damaged;

    TRY(db_run(tx->db, STMT_DOCUMENT_LIST, &cur, err, db_i64(tx->tenant),
               db_i64(c->key), db_i64(op->after_key),
               db_i64(op->has_status ? (int)op->status : -1),
               db_i64((int64_t)limit)));
    op->documents = NULL;
    op->documents_n = *damaged = 0;
    for (;;) {
        struct document *d;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d = list_add(tx->out, &op->documents, &op->documents_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        rc = read_document(tx, tx->out, cur, d, err);
        d->role = c->role;
        if (rc != FOOTNOTE_DAMAGED) {
            TRY(rc);
            continue;
        }
        op->documents_n--; /* told of; the others can be shown */
        ++*damaged;
    }
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct document_list *op = arg;
    struct course_row c;
    size_t damaged = 0, before;

    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    do { /* again, for those that the damaged ones kept from the page */
        before = damaged;
        TRY(list_rows(tx, op, &c, &damaged, err));
    } while (damaged > before);
    return FOOTNOTE_OK;
}

const struct store_op document_list_op = {NULL, list_run};

/* ---- document_versions -------------------------------------------------- */

static void read_facts(struct tx *tx, struct db_cur *cur,
                       struct document_version *v)
{
    *v = (struct document_version){
        .version = db_col_i64(cur, COL_VERSION_SEALED_VERSION),
        .created_ms = db_col_i64(cur, COL_VERSION_SEALED_CREATED_MS),
        .filename =
            arena_str(tx->out, db_col_str(cur, COL_VERSION_SEALED_FILENAME)),
        .media_type =
            arena_str(tx->out, db_col_str(cur, COL_VERSION_SEALED_MEDIA_TYPE)),
        .has_bytes = !db_col_null(cur, COL_VERSION_SEALED_BYTES),
        .bytes = db_col_i64(cur, COL_VERSION_SEALED_BYTES),
        .has_pages = !db_col_null(cur, COL_VERSION_SEALED_PAGES),
        .pages = db_col_i64(cur, COL_VERSION_SEALED_PAGES),
        .has_seconds = !db_col_null(cur, COL_VERSION_SEALED_SECONDS),
        .seconds = db_col_f64(cur, COL_VERSION_SEALED_SECONDS)};
    read_digest(cur, COL_VERSION_SEALED_DIGEST, &v->digest);
}

static enum footnote_rc versions_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_versions *op = arg;
    struct document_name name = {op->document, op->course};
    struct document_row r;

    op->versions = NULL;
    op->versions_n = 0;
    TRY(document_need(tx, &name, MEMBER_READER, &r, err));
    TRY(db_run(tx->db, STMT_DOCUMENT_VERSIONS, &cur, err, db_i64(tx->tenant),
               db_i64(r.key),
               db_i64(op->before_version ? op->before_version : INT32_MAX),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct document_version *v;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        v = list_add(tx->out, &op->versions, &op->versions_n, sizeof(*v));
        if (!v)
            return arena_rc(tx->out, err);
        TRY(seal_check_key(tx, SEALED_VERSION, cur, 0, err, db_i64(tx->tenant),
                           db_i64(r.key)));
        read_facts(tx, cur, v);
    }
}

const struct store_op document_versions_op = {NULL, versions_run};
