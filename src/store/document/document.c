/* document.c - a document's row: finding it, its status, its end. */
#include <assert.h>

#include "cite/source.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/scope.h"
#include "store/usage.h"

enum footnote_rc document_check(struct tx *tx, struct db_cur *cur, int first,
                                struct footnote_err *err)
{
    return seal_check_key(tx, SEALED_DOCUMENT, cur, first, err,
                          db_i64(tx->tenant));
}

static enum footnote_rc read_row(struct tx *tx, struct db_cur *cur,
                                 struct str id, struct document_row *out,
                                 struct footnote_err *err)
{
    enum { COURSE = COL_DOCUMENT_ROW_COURSE_SEALED };

    TRY(document_check(tx, cur, 0, err));
    if (!str_eq(id, db_col_str(cur, COL_DOCUMENT_SEALED_ID)))
        return damage_in_row(tx->store, SEALED_DOCUMENT, cur, 0, err);
    TRY(seal_check_key(tx, SEALED_COURSE, cur, COURSE, err, db_i64(tx->tenant),
                       db_i64(db_col_i64(cur, COL_DOCUMENT_SEALED_COURSE))));
    out->key = db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT);
    out->course = db_col_i64(cur, COL_DOCUMENT_SEALED_COURSE);
    out->version = db_col_i64(cur, COL_DOCUMENT_SEALED_VERSION);
    out->searchable_version =
        db_col_i64(cur, COL_DOCUMENT_SEALED_SEARCHABLE_VERSION);
    out->status =
        (enum document_status)db_col_i64(cur, COL_DOCUMENT_SEALED_STATUS);
    out->deleted = !db_col_null(cur, COL_DOCUMENT_SEALED_DELETED_MS);
    out->redacted = db_col_i64(cur, COL_DOCUMENT_SEALED_REDACTED) != 0;
    TRY(course_role_of(tx, cur, COURSE, COL_DOCUMENT_ROW_ROLES, &out->role,
                       err));
    if (scope_confines(tx->scope) && out->role == MEMBER_NONE)
        *out = (struct document_row){.found = false}; /* as if there is none */
    return FOOTNOTE_OK;
}

enum footnote_rc document_in(struct tx *tx, int64_t course, struct str id,
                             struct document_row *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct document_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_DOCUMENT_IN, &cur, &out->found, err,
               db_i64(tx->account), db_i64(tx->tenant), db_i64(course),
               db_text(id)));
    return out->found ? read_row(tx, cur, id, out, err) : FOOTNOTE_OK;
}

/* As sql/query/document.sql has them. */
enum among { LIVE_FIRST, DELETED_TOO, OWN_ONLY };

static enum footnote_rc find(struct tx *tx, struct str id, enum among among,
                             struct document_row *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct document_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_DOCUMENT_FIND, &cur, &out->found, err,
               db_i64(tx->account), db_i64(tx->tenant), db_text(id),
               db_i64(among)));
    return out->found ? read_row(tx, cur, id, out, err) : FOOTNOTE_OK;
}

static enum footnote_rc find_named(struct tx *tx,
                                   const struct document_name *name,
                                   enum among among, struct document_row *out,
                                   struct footnote_err *err)
{
    struct course_row c;

    if (!name->course.p)
        return find(tx, name->id, among, out, err);
    *out = (struct document_row){.found = false};
    TRY(course_find(tx, name->course, &c, err));
    if (c.role == MEMBER_NONE)
        return FOOTNOTE_OK;
    return document_in(tx, c.key, name->id, out, err);
}

enum footnote_rc document_find(struct tx *tx, const struct document_name *name,
                               struct document_row *out,
                               struct footnote_err *err)
{
    return find_named(tx, name, LIVE_FIRST, out, err);
}

enum footnote_rc document_find_any(struct tx *tx,
                                   const struct document_name *name,
                                   struct document_row *out,
                                   struct footnote_err *err)
{
    return find_named(tx, name, DELETED_TOO, out, err);
}

enum footnote_rc document_own(struct tx *tx, struct str id,
                              struct document_row *out,
                              struct footnote_err *err)
{
    return find(tx, id, OWN_ONLY, out, err);
}

enum footnote_rc docs_changed(struct tx *tx, struct footnote_err *err)
{
    return db_do(tx->db, STMT_DOCS_CHANGED, err, db_i64(tx->tenant));
}

/* The tenant's row comes first, so that nodes wait for each other there. */
enum footnote_rc search_changed(struct tx *tx, int64_t document,
                                struct footnote_err *err)
{
    TRY(docs_changed(tx, err));
    return db_do(tx->db, STMT_INDEX_CHANGED, err, db_i64(tx->tenant),
                 db_i64(document));
}

enum footnote_rc document_need(struct tx *tx, const struct document_name *name,
                               enum member_role role, struct document_row *out,
                               struct footnote_err *err)
{
    assert(role > MEMBER_NONE);
    TRY(document_find(tx, name, out, err));
    if (!out->found || out->deleted || out->role < role)
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
    struct document_name name = {op->document, op->course};
    struct document_row r;
    bool ready = op->status == DOCUMENT_READY;

    TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
    TRY(course_id_of(tx, r.course, op->course_text, err));
    TRY(document_open(tx, r.key, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_STATUS, err, db_i64(op->status),
              db_text(op->error), db_text(STR_NONE), db_i64(ready),
              db_i64(tx->tenant), db_i64(r.key)));
    return ready ? search_changed(tx, r.key, err) : docs_changed(tx, err);
}

const struct store_op document_status_set_op = {status_prepare, status_run};

enum footnote_rc document_open(struct tx *tx, int64_t key,
                               struct footnote_err *err)
{
    return seal_open(tx, SEALED_DOCUMENT, err, db_i64(tx->tenant), db_i64(key));
}

/* ---- Redaction ---------------------------------------------------------- */

enum { REDACT_AT_ONCE = 200 };

struct redact_page { /* sources, and what their seals change by */
    int64_t source[REDACT_AT_ONCE], change[REDACT_AT_ONCE];
    size_t n;
};

static int64_t change_of(const struct db_value row[SEAL_COLUMNS_MAX])
{
    struct db_value before[SEAL_COLUMNS_MAX] = {db_null()},
                    after[SEAL_COLUMNS_MAX] = {db_null()};

    before[COL_SOURCE_SEALED_PREVIEW] = row[COL_SOURCE_SEALED_PREVIEW];
    before[COL_SOURCE_SEALED_META] = row[COL_SOURCE_SEALED_META];
    before[COL_SOURCE_SEALED_LOCATOR] = row[COL_SOURCE_SEALED_LOCATOR];
    before[COL_SOURCE_SEALED_REDACTED] = row[COL_SOURCE_SEALED_REDACTED];
    after[COL_SOURCE_SEALED_REDACTED] = db_i64(1);
    return seal_change(SEALED_SOURCE, before, after);
}

static enum footnote_rc read_citing(struct tx *tx, int64_t document,
                                    struct redact_page *page,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t after = page->n ? page->source[page->n - 1] : 0;

    page->n = 0;
    TRY(db_run(tx->db, STMT_SOURCES_CITING, &cur, err, db_i64(tx->tenant),
               db_i64(document), db_i64(after), db_i64(REDACT_AT_ONCE)));
    for (;;) {
        const struct db_value tenant = db_i64(tx->tenant);
        struct db_value row[SEAL_COLUMNS_MAX];
        bool more;

        TRY(db_next(cur, &more, err));
        if (!more)
            return FOOTNOTE_OK;
        /* Told of; its text goes all the same. */
        (void)seal_check_row(tx, SEALED_SOURCE, cur, &tenant, 1, row, NULL);
        page->source[page->n] = db_col_i64(cur, COL_SOURCE_SEALED_SOURCE);
        page->change[page->n++] = change_of(row);
    }
}

/* Page by page, so that memory does not grow with how often it is cited. */
enum footnote_rc sources_redact(struct tx *tx, int64_t document,
                                struct footnote_err *err)
{
    struct redact_page page = {.n = 0};

    do {
        TRY(read_citing(tx, document, &page, err));
        for (size_t i = 0; i < page.n; i++)
            TRY(db_do(tx->db, STMT_SOURCE_REDACT, err, db_i64(page.change[i]),
                      db_i64(tx->tenant), db_i64(page.source[i])));
    } while (page.n == REDACT_AT_ONCE);
    return FOOTNOTE_OK;
}

static enum footnote_rc bury(struct tx *tx, int64_t key, bool redact,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(document_open(tx, key, err));
    TRY(db_one(tx->db, STMT_DOCUMENT_BURY, &cur, &row, err, db_i64(tx->now_ms),
               db_i64(tx->tenant), db_i64(key)));
    if (row)
        TRY(usage_add(tx, db_col_i64(cur, COL_DOCUMENT_BURY_ACCOUNT),
                      (struct usage){.documents = -1}, err));
    if (!redact)
        return FOOTNOTE_OK;
    return db_do(tx->db, STMT_DOCUMENT_REDACTED, err, db_i64(tx->tenant),
                 db_i64(key));
}

static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct document_delete *op = arg;
    struct document_name name = {op->id, op->course};
    int64_t room = DOCUMENT_EMPTY_AT_ONCE;
    struct document_row r;

    op->course_text[0] = '\0';
    TRY(document_find_any(tx, &name, &r, err));
    tx->nothing =
        !r.found || (r.deleted && !op->redact) || (r.deleted && r.redacted);
    if (tx->nothing)
        return FOOTNOTE_OK;
    if (r.role < MEMBER_EDITOR)
        return err_field(err, FOOTNOTE_NOTFOUND, "document", "is not yours");
    if (op->redact) {
        TRY(sources_redact(tx, r.key, err));
        TRY(snapshots_drop(tx, r.course, op->id, err));
    }
    TRY(course_id_of(tx, r.course, op->course_text, err));
    TRY(document_empty(tx, r.key, &room, err));
    TRY(bury(tx, r.key, op->redact, err));
    return search_changed(tx, r.key, err);
}

const struct store_op document_delete_op = {NULL, delete_run};
