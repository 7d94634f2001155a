/* document.c - documents and their versions.
 *
 * A new version makes new passages beside the old ones: an old citation keeps
 * what it quoted, and search moves on when the new version is ready. */
#include <math.h>

#include "store/inner.h"

enum footnote_rc document_find(struct tx *tx, struct str id,
                               struct document_row *out,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct document_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_DOCUMENT_FIND, &cur, &out->found, err,
               db_i64(tx->tenant), db_text(id)));
    if (!out->found)
        return FOOTNOTE_OK;
    out->key = db_col_i64(cur, 0);
    out->course = db_col_i64(cur, 1);
    out->version = db_col_i64(cur, 2);
    out->searchable_version = db_col_i64(cur, 3);
    out->status = (enum document_status)db_col_i64(cur, 4);
    out->deleted = !db_col_null(cur, 5);
    out->redacted = db_col_i64(cur, 6) != 0;
    return FOOTNOTE_OK;
}

enum footnote_rc docs_changed(struct tx *tx, struct footnote_err *err)
{
    return db_do(tx->db, STMT_DOCS_CHANGED, err, db_i64(tx->tenant));
}

enum footnote_rc document_need(struct tx *tx, struct str id,
                               enum member_role role, struct document_row *out,
                               struct footnote_err *err)
{
    enum member_role has = MEMBER_NONE;

    TRY(document_find(tx, id, out, err));
    if (out->found && !out->deleted)
        TRY(course_role(tx, out->course, &has, err));
    if (has < role || has == MEMBER_NONE)
        return err_set(err, FOOTNOTE_NOTFOUND, "document: is not there");
    return FOOTNOTE_OK;
}

/* ---- document_put ------------------------------------------------------- */

static enum footnote_rc check_numbers(const struct document *d,
                                      struct footnote_err *err)
{
    if (d->kind < DOCUMENT_SLIDES || d->kind > DOCUMENT_TEXT)
        return err_set(err, FOOTNOTE_INVALID, "kind: %d does not exist",
                       (int)d->kind);
    if (d->has_bytes && d->bytes < 0)
        return err_set(err, FOOTNOTE_INVALID, "bytes: is negative");
    if (d->has_pages && (d->pages < 0 || d->pages > INT32_MAX))
        return err_set(err, FOOTNOTE_INVALID, "pages: not 0 to %d", INT32_MAX);
    if (d->has_seconds && !(isfinite(d->seconds) && d->seconds >= 0))
        return err_set(err, FOOTNOTE_INVALID,
                       "durationSeconds: is negative or not a number");
    return FOOTNOTE_OK;
}

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct document_put *op = arg;
    const struct document *d = &op->document;
    size_t label = SOURCE_LABEL_BYTES_MAX;

    (void)tx;
    if (!d->course.p)
        return err_set(err, FOOTNOTE_INVALID, "course: is missing");
    TRY(check_numbers(d, err));
    TRY(check_id(d->id, "id", err));
    TRY(check_id(d->course, "course", err));
    TRY(check_text(d->title, label, "title", err));
    TRY(check_text(d->date, STORE_ID_BYTES_MAX, "date", err));
    TRY(check_text(d->url, label, "url", err));
    TRY(check_text(d->filename, label, "filename", err));
    TRY(check_text(d->media_type, STORE_ID_BYTES_MAX, "mediaType", err));
    TRY(check_text(d->object_key, label, "object key", err));
    id_or_new(d->id, op->id_text);
    return FOOTNOTE_OK;
}

static enum footnote_rc version_insert(struct tx *tx, int64_t key,
                                       int64_t version,
                                       const struct document *d,
                                       struct footnote_err *err)
{
    TRY(db_do(tx->db, STMT_VERSION_NEW, err, db_i64(tx->tenant), db_i64(key),
              db_i64(version), db_blob(digest_str(&d->digest)),
              db_text(d->filename), db_text(d->media_type),
              db_text(d->object_key), db_opt(d->has_bytes, d->bytes),
              db_opt(d->has_pages, d->pages),
              db_opt_f64(d->has_seconds, d->seconds), db_i64(tx->now_ms)));
    return docs_changed(tx, err);
}

static enum footnote_rc put_new(struct tx *tx, struct document_put *op,
                                const struct course_row *c,
                                struct footnote_err *err)
{
    const struct document *d = &op->document;
    int64_t key;

    TRY(key_new(tx, &key, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_NEW, err, db_i64(tx->tenant), db_i64(key),
              db_text(str_c(op->id_text)), db_i64(c->key), db_i64(d->kind),
              db_text(d->title), db_text(d->date), db_text(d->url),
              db_i64(tx->now_ms)));
    op->made = true;
    op->version = 1;
    return version_insert(tx, key, 1, d, err);
}

static enum footnote_rc same_digest(struct tx *tx, const struct document_row *r,
                                    const struct sha256 *digest, bool *same,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_DOCUMENT_DIGEST, &cur, &row, err,
               db_i64(tx->tenant), db_i64(r->key), db_i64(r->version)));
    *same = row && str_eq(db_col_str(cur, 0), digest_str(digest));
    return FOOTNOTE_OK;
}

static enum footnote_rc put_version(struct tx *tx, struct document_put *op,
                                    const struct document_row *r,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct document *d = &op->document;
    bool same, row;

    op->version = r->version;
    op->made = tx->again;
    TRY(same_digest(tx, r, &d->digest, &same, err));
    if (same)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_DOCUMENT_NEXT, &cur, &row, err, db_text(d->title),
               db_text(d->url), db_i64(tx->tenant), db_i64(r->key)));
    op->made = true;
    op->version = db_col_i64(cur, 0);
    return version_insert(tx, r->key, op->version, d, err);
}

/* Without an id of its own, the same bytes are the same document. */
static enum footnote_rc find_same(struct tx *tx, struct document_put *op,
                                  const struct course_row *c, bool *same,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(tx->db, STMT_DOCUMENT_SAME, &cur, same, err, db_i64(tx->tenant),
               db_i64(c->key), db_blob(digest_str(&op->document.digest))));
    if (!*same)
        return FOOTNOTE_OK;
    id_or_new(db_col_str(cur, 0), op->id_text);
    op->version = db_col_i64(cur, 1);
    op->made = tx->again;
    return FOOTNOTE_OK;
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct document_put *op = arg;
    struct document_row r;
    struct course_row c;
    bool same = false;

    TRY(course_need(tx, op->document.course, MEMBER_EDITOR, &c, err));
    if (!op->document.id.p)
        TRY(find_same(tx, op, &c, &same, err));
    if (same)
        return FOOTNOTE_OK;
    TRY(document_find(tx, str_c(op->id_text), &r, err));
    if (!r.found)
        return put_new(tx, op, &c, err);
    if (r.deleted || r.course != c.key)
        return err_set(err, FOOTNOTE_CONFLICT, "document: id is taken");
    return put_version(tx, op, &r, err);
}

const struct store_op document_put_op = {put_prepare, put_run};

/* ---- document_status_set, document_delete ------------------------------- */

static enum footnote_rc status_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct document_status_set *op = arg;

    (void)tx;
    if ((int)op->status < DOCUMENT_QUEUED || op->status > DOCUMENT_FAILED)
        return err_set(err, FOOTNOTE_INVALID, "status: %d does not exist",
                       (int)op->status);
    return check_text(op->error, SOURCE_LABEL_BYTES_MAX, "error", err);
}

static enum footnote_rc status_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct document_status_set *op = arg;
    struct document_row r;
    bool ready = op->status == DOCUMENT_READY;

    TRY(document_need(tx, op->document, MEMBER_EDITOR, &r, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_STATUS, err, db_i64(op->status),
              db_text(op->error), db_i64(ready), db_i64(tx->tenant),
              db_i64(r.key)));
    return docs_changed(tx, err);
}

const struct store_op document_status_set_op = {status_prepare, status_run};

static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct document_delete *op = arg;
    struct document_row r;
    enum member_role role = MEMBER_NONE;

    TRY(document_find(tx, op->id, &r, err));
    if (r.found)
        TRY(course_role(tx, r.course, &role, err));
    if (!r.found || role == MEMBER_NONE || (r.deleted && !op->redact) ||
        (r.deleted && r.redacted))
        return FOOTNOTE_OK;
    if (role < MEMBER_EDITOR)
        return err_set(err, FOOTNOTE_NOTFOUND, "document: is not yours");
    if (op->redact)
        TRY(db_do(tx->db, STMT_SOURCES_REDACT, err, db_i64(tx->tenant),
                  db_text(op->id), db_i64(r.course)));
    TRY(db_do(tx->db, STMT_PASSAGES_DELETE, err, db_i64(tx->tenant),
              db_i64(r.key)));
    TRY(db_do(tx->db, STMT_DOCUMENT_BURY, err, db_i64(tx->now_ms),
              db_i64(op->redact), db_i64(tx->tenant), db_i64(r.key)));
    return docs_changed(tx, err);
}

const struct store_op document_delete_op = {NULL, delete_run};
