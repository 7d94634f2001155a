/* read.c - reading documents and their versions. */
#include "base/arena.h"
#include "base/err.h"
#include "base/json_reader.h"
#include "base/sha256.h"
#include "base/str.h"
#include "db/db.h"
#include "db/driver.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/store.h"

/* Columns of the statements that read a document; the rest are its version's.
 */
enum {
    COL_KEY = 14,
    COL_FILENAME,
    COL_TYPE,
    COL_OBJECT,
    COL_DIGEST,
    COL_BYTES,
    COL_PAGES,
    COL_SECONDS,
    COL_LANGUAGE,
    COL_WARNING,
    COL_RECORDING,
    COL_RECORDING_URL,
    COL_RECORDING_NAME,
    COL_RECORDING_TYPE,
    COL_RECORDING_DIGEST,
    COL_RECORDING_BYTES
};

static void read_digest(struct db_cur *cur, int column, struct sha256 *out)
{
    struct str digest = db_col_str(cur, column);

    if (digest.n == SHA256_BYTES)
        memcpy(out->b, digest.p, SHA256_BYTES);
}

static void read_media(struct arena *a, struct db_cur *cur,
                       struct document_media *m)
{
    m->object_key = arena_str(a, db_col_str(cur, COL_RECORDING));
    m->url = arena_str(a, db_col_str(cur, COL_RECORDING_URL));
    m->filename = arena_str(a, db_col_str(cur, COL_RECORDING_NAME));
    m->media_type = arena_str(a, db_col_str(cur, COL_RECORDING_TYPE));
    read_digest(cur, COL_RECORDING_DIGEST, &m->digest);
    m->bytes = db_col_i64(cur, COL_RECORDING_BYTES);
}

static void read_version(struct arena *a, struct db_cur *cur,
                         struct document *d)
{
    d->filename = arena_str(a, db_col_str(cur, COL_FILENAME));
    d->media_type = arena_str(a, db_col_str(cur, COL_TYPE));
    d->object_key = arena_str(a, db_col_str(cur, COL_OBJECT));
    read_digest(cur, COL_DIGEST, &d->digest);
    d->has_bytes = !db_col_null(cur, COL_BYTES);
    d->bytes = db_col_i64(cur, COL_BYTES);
    d->has_pages = !db_col_null(cur, COL_PAGES);
    d->pages = db_col_i64(cur, COL_PAGES);
    d->has_seconds = !db_col_null(cur, COL_SECONDS);
    d->seconds = db_col_f64(cur, COL_SECONDS);
    d->language = arena_str(a, db_col_str(cur, COL_LANGUAGE));
    d->warning = arena_str(a, db_col_str(cur, COL_WARNING));
    read_media(a, cur, &d->media);
}

static void read_document(struct arena *a, struct db_cur *cur,
                          struct document *d)
{
    *d = (struct document){.id = arena_str(a, db_col_str(cur, 0)),
                           .course = arena_str(a, db_col_str(cur, 1)),
                           .title = arena_str(a, db_col_str(cur, 2)),
                           .date = arena_str(a, db_col_str(cur, 3)),
                           .url = arena_str(a, db_col_str(cur, 4)),
                           .kind = (enum document_kind)db_col_i64(cur, 5),
                           .status = (enum document_status)db_col_i64(cur, 6),
                           .error = arena_str(a, db_col_str(cur, 7)),
                           .version = db_col_i64(cur, 8),
                           .searchable_version = db_col_i64(cur, 9),
                           .created_ms = db_col_i64(cur, 10),
                           .progress = {(enum progress_unit)db_col_i64(cur, 11),
                                        db_col_i64(cur, 12),
                                        db_col_i64(cur, 13)},
                           .key = db_col_i64(cur, COL_KEY)};
    read_version(a, cur, d);
}

enum footnote_rc document_load(struct tx *tx, struct arena *out, int64_t key,
                               int64_t version, struct document *d, bool *found,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(tx->db, STMT_DOCUMENT_GET, &cur, found, err, db_i64(tx->tenant),
               db_i64(key), db_i64(version)));
    if (*found)
        read_document(out, cur, d);
    return arena_rc(out, err);
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct document_get *op = arg;
    struct document_row r;
    enum member_role role;
    bool found;

    TRY(document_need(tx, op->id, MEMBER_READER, &r, err));
    TRY(document_load(tx, tx->out, r.key, op->version ? op->version : r.version,
                      &op->document, &found, err));
    if (!found)
        return err_set(err, FOOTNOTE_NOTFOUND, "version: is not there");
    TRY(course_role(tx, r.course, &role, err));
    op->document.role = role;
    return FOOTNOTE_OK;
}

const struct store_op document_get_op = {NULL, get_run};

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_list *op = arg;
    struct course_row c;

    op->documents = NULL;
    op->documents_n = 0;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(db_run(tx->db, STMT_DOCUMENT_LIST, &cur, err, db_i64(tx->tenant),
               db_i64(c.key), db_i64(op->after_key),
               db_i64(op->has_status ? (int)op->status : -1),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct document *d;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d = list_add(tx->out, &op->documents, &op->documents_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        read_document(tx->out, cur, d);
        d->role = c.role;
    }
}

const struct store_op document_list_op = {NULL, list_run};

/* ---- document_versions -------------------------------------------------- */

static void read_facts(struct tx *tx, struct db_cur *cur,
                       struct document_version *v)
{
    *v = (struct document_version){
        .version = db_col_i64(cur, 0),
        .created_ms = db_col_i64(cur, 1),
        .filename = arena_str(tx->out, db_col_str(cur, 2)),
        .media_type = arena_str(tx->out, db_col_str(cur, 3)),
        .has_bytes = !db_col_null(cur, 5),
        .bytes = db_col_i64(cur, 5),
        .has_pages = !db_col_null(cur, 6),
        .pages = db_col_i64(cur, 6),
        .has_seconds = !db_col_null(cur, 7),
        .seconds = db_col_f64(cur, 7)};
    read_digest(cur, 4, &v->digest);
}

static enum footnote_rc versions_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_versions *op = arg;
    struct document_row r;

    op->versions = NULL;
    op->versions_n = 0;
    TRY(document_need(tx, op->document, MEMBER_READER, &r, err));
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
        read_facts(tx, cur, v);
    }
}

const struct store_op document_versions_op = {NULL, versions_run};
