/* edit.c - what editors do with a document that is there: another name, another
 * course, reading it once more. */
#include "cite/source.h"
#include "store/check.h"
#include "store/document/document_row.h"
#include "store/document/library.h"
#include "store/seal.h"
#include "store/session/course_row.h"

/* ---- document_edit ------------------------------------------------------ */

static enum footnote_rc edit_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    struct document_edit *op = arg;

    (void)tx;
    TRY(check_id(op->to, "courseId", err));
    if (op->title.p && op->title.n == 0)
        return err_field(err, FOOTNOTE_INVALID, "title", "is empty");
    return check_text(op->title, SOURCE_LABEL_BYTES_MAX, "title", err);
}

/* Pictures of its pages go where the document goes: who may see them, and that
 * they go with it, is decided by their course. */
static enum footnote_rc move_pictures(struct tx *tx, int64_t from, int64_t to,
                                      struct str id, struct footnote_err *err)
{
    const struct db_value of[] = {db_i64(from), db_i64(tx->tenant),
                                  db_text(id)};

    TRY(seal_open_rows(tx, SEALED_SNAPSHOT, STMT_SNAPSHOTS_TO_MOVE, of, 3,
                       err));
    return db_do(tx->db, STMT_SNAPSHOTS_MOVE, err, db_i64(to), db_i64(from),
                 db_i64(tx->tenant), db_text(id));
}

/* Both courses' indexes are behind then, and what readers remember of who may
 * read it. */
static enum footnote_rc move(struct tx *tx, struct document_edit *op,
                             const struct document_row *r, int64_t to,
                             struct footnote_err *err)
{
    struct document_row taken;

    TRY(document_in(tx, to, op->id, &taken, err));
    if (taken.found)
        return err_field(err, FOOTNOTE_CONFLICT, "document", "id is taken");
    TRY(search_changed(tx, r->key, err));
    TRY(move_pictures(tx, r->course, to, op->id, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_MOVE, err, db_i64(to), db_i64(tx->tenant),
              db_i64(r->key)));
    op->moved = true;
    return search_changed(tx, r->key, err);
}

static enum footnote_rc edit_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct document_edit *op = arg;
    struct document_name name = {op->id, op->course};
    struct course_row to = {.found = false};
    struct document_row r;

    op->moved = false;
    TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
    op->status = r.status;
    if (op->to.p)
        TRY(course_need(tx, op->to, MEMBER_EDITOR, &to, err));
    TRY(document_open(tx, r.key, err));
    if (to.found && to.key != r.course)
        TRY(move(tx, op, &r, to.key, err));
    if (op->title.p)
        TRY(db_do(tx->db, STMT_DOCUMENT_RENAME, err, db_text(op->title),
                  db_i64(tx->tenant), db_i64(r.key)));
    TRY(course_id_of(tx, to.found ? to.key : r.course, op->course_text, err));
    return docs_changed(tx, err);
}

const struct store_op document_edit_op = {edit_prepare, edit_run};

/* ---- document_again ----------------------------------------------------- */

static enum footnote_rc again_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct document_again *op = arg;
    struct document_name name = {op->id, op->course};
    struct document_row r;

    TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
    TRY(course_id_of(tx, r.course, op->course_text, err));
    if (r.status != DOCUMENT_FAILED)
        return FOOTNOTE_OK; /* it was read, or will be */
    TRY(document_open(tx, r.key, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_AGAIN, err, db_i64(tx->tenant),
              db_i64(r.key)));
    TRY(job_put(tx, r.key, r.version, err));
    return docs_changed(tx, err);
}

const struct store_op document_again_op = {NULL, again_run};
