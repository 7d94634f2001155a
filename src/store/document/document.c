/* document.c - a document's row: finding it, its status, its end. */
#include <assert.h>

#include "cite/source.h"
#include "store/check.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/session/course.h"
#include "store/session/course_row.h"

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
    out->key = db_col_i64(cur, COL_DOCUMENT_FIND_DOCUMENT);
    out->course = db_col_i64(cur, COL_DOCUMENT_FIND_COURSE);
    out->version = db_col_i64(cur, COL_DOCUMENT_FIND_VERSION);
    out->searchable_version =
        db_col_i64(cur, COL_DOCUMENT_FIND_SEARCHABLE_VERSION);
    out->status =
        (enum document_status)db_col_i64(cur, COL_DOCUMENT_FIND_STATUS);
    out->deleted = !db_col_null(cur, COL_DOCUMENT_FIND_DELETED_MS);
    out->redacted = db_col_i64(cur, COL_DOCUMENT_FIND_REDACTED) != 0;
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

    assert(role > MEMBER_NONE);
    TRY(document_find(tx, id, out, err));
    if (out->found && !out->deleted)
        TRY(course_role(tx, out->course, &has, err));
    if (has < role)
        return err_field(err, FOOTNOTE_NOTFOUND, "document", "is not there");
    return FOOTNOTE_OK;
}

/* ---- document_status_set, document_delete ------------------------------- */

static enum footnote_rc status_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct document_status_set *op = arg;

    (void)tx;
    if ((int)op->status < DOCUMENT_QUEUED || op->status > DOCUMENT_FAILED)
        return err_field(err, FOOTNOTE_INVALID, "status", "%d does not exist",
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
    TRY(course_id_of(tx, r.course, op->course_text, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_STATUS, err, db_i64(op->status),
              db_text(op->error), db_i64(ready), db_i64(tx->tenant),
              db_i64(r.key)));
    return docs_changed(tx, err);
}

const struct store_op document_status_set_op = {status_prepare, status_run};

enum footnote_rc document_empty(struct tx *tx, int64_t key,
                                struct footnote_err *err)
{
    TRY(db_do(tx->db, STMT_JOB_DELETE, err, db_i64(tx->tenant), db_i64(key)));
    TRY(db_do(tx->db, STMT_PASSAGES_DELETE, err, db_i64(tx->tenant),
              db_i64(key)));
    return db_do(tx->db, STMT_OBJECTS_BURY, err, db_i64(tx->now_ms),
                 db_i64(tx->tenant), db_i64(key));
}

static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct document_delete *op = arg;
    struct document_row r;
    enum member_role role = MEMBER_NONE;

    op->course_text[0] = '\0';
    TRY(document_find(tx, op->id, &r, err));
    if (r.found)
        TRY(course_role(tx, r.course, &role, err));
    if (!r.found || role == MEMBER_NONE || (r.deleted && !op->redact) ||
        (r.deleted && r.redacted))
        return FOOTNOTE_OK;
    if (role < MEMBER_EDITOR)
        return err_field(err, FOOTNOTE_NOTFOUND, "document", "is not yours");
    if (op->redact) {
        TRY(db_do(tx->db, STMT_SOURCES_REDACT, err, db_i64(tx->tenant),
                  db_text(op->id), db_i64(r.course)));
        TRY(snapshots_drop(tx, r.course, op->id, err));
    }
    TRY(course_id_of(tx, r.course, op->course_text, err));
    TRY(document_empty(tx, r.key, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_BURY, err, db_i64(tx->now_ms),
              db_i64(op->redact), db_i64(tx->tenant), db_i64(r.key)));
    return docs_changed(tx, err);
}

const struct store_op document_delete_op = {NULL, delete_run};
