/* course.c - courses and who may read them. */
#include <assert.h>

#include "store/check.h"
#include "store/damage.h"
#include "store/document/document_row.h"
#include "store/id_cache.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/scope.h"
#include "store/usage.h"

static struct db_value origin_value(struct db_cur *cur, int at)
{
    return db_col_null(cur, at) ? db_null() : db_i64(db_col_i64(cur, at));
}

/* A role as it was sealed; `at` is its column, and then come who gave it and
 * the seal. */
static enum footnote_rc read_role(struct tx *tx, struct db_cur *cur, int at,
                                  int64_t course, int64_t account,
                                  enum member_role *out,
                                  struct footnote_err *err)
{
    const struct db_value row[] = {db_i64(tx->tenant), db_i64(course),
                                   db_i64(account), db_i64(db_col_i64(cur, at)),
                                   origin_value(cur, at + 1)};

    *out = MEMBER_NONE;
    if (db_col_null(cur, at))
        return FOOTNOTE_OK;
    if (db_col_i64(cur, at + 2) !=
        seal_of(SEALED_MEMBER, row, COL_MEMBER_SEALED_SEAL).i)
        return damage_found(tx->store, SEALED_MEMBER, row, err);
    *out = (enum member_role)row[COL_MEMBER_SEALED_ROLE].i;
    return FOOTNOTE_OK;
}

enum footnote_rc course_role_of(struct tx *tx, struct db_cur *cur, int course,
                                int roles, enum member_role *out,
                                struct footnote_err *err)
{
    int64_t key = db_col_i64(cur, course + COL_COURSE_SEALED_COURSE);
    enum member_role everybodys;

    TRY(seal_check_key(tx, SEALED_COURSE, cur, course, err,
                       db_i64(tx->tenant)));
    *out = MEMBER_NONE;
    if (!scope_has(tx->scope, db_col_str(cur, course + COL_COURSE_SEALED_ID)))
        return FOOTNOTE_OK;
    *out = MEMBER_OWNER;
    if (db_col_i64(cur, course + COL_COURSE_SEALED_OWNER) == tx->account)
        return FOOTNOTE_OK;
    TRY(read_role(tx, cur, roles + COL_ROLES_OWN_ROLE, key, tx->account, out,
                  err));
    TRY(read_role(tx, cur, roles + COL_ROLES_EVERYBODY_ROLE, key, 0,
                  &everybodys, err));
    if (everybodys > *out)
        *out = everybodys;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_row(struct tx *tx, struct db_cur *cur,
                                 struct course_row *out,
                                 struct footnote_err *err)
{
    TRY(course_role_of(tx, cur, 0, COL_COURSE_ROW_ROLES, &out->role, err));
    out->key = db_col_i64(cur, COL_COURSE_SEALED_COURSE);
    out->owner = db_col_i64(cur, COL_COURSE_SEALED_OWNER);
    out->index_version = db_col_i64(cur, COL_COURSE_ROW_INDEX_VERSION);
    out->deleted = !db_col_null(cur, COL_COURSE_SEALED_DELETED_MS);
    return FOOTNOTE_OK;
}

enum footnote_rc course_find(struct tx *tx, struct str id,
                             struct course_row *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct course_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_COURSE_FIND, &cur, &out->found, err,
               db_i64(tx->account), db_i64(tx->tenant), db_text(id)));
    if (!out->found)
        return FOOTNOTE_OK;
    TRY(read_row(tx, cur, out, err));
    if (!str_eq(id, db_col_str(cur, COL_COURSE_SEALED_ID)))
        return damage_in_row(tx->store, SEALED_COURSE, cur, 0, err);
    return FOOTNOTE_OK;
}

enum footnote_rc course_of(struct tx *tx, int64_t key, struct course_row *out,
                           struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct db_value of[] = {db_i64(tx->tenant), db_i64(key)};

    *out = (struct course_row){.found = false};
    TRY(db_one(tx->db, STMT_COURSE_ROLE, &cur, &out->found, err,
               db_i64(tx->account), db_i64(tx->tenant), db_i64(key)));
    if (!out->found) /* a course keeps its row for ever */
        return damage_found(tx->store, SEALED_COURSE, of, err);
    TRY(read_row(tx, cur, out, err));
    if (out->key != key)
        return damage_in_row(tx->store, SEALED_COURSE, cur, 0, err);
    return FOOTNOTE_OK;
}

enum footnote_rc course_role(struct tx *tx, int64_t course,
                             enum member_role *out, struct footnote_err *err)
{
    struct course_row c;

    TRY(course_of(tx, course, &c, err));
    *out = c.role;
    return FOOTNOTE_OK;
}

enum footnote_rc course_id_of(struct tx *tx, int64_t key,
                              char out[STORE_ID_BYTES_MAX + 1],
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(seal_read(tx, SEALED_COURSE, &cur, &row, err, db_i64(tx->tenant),
                  db_i64(key)));
    if (!row)
        return err_set(err, FOOTNOTE_INTERNAL, "the course's row is gone");
    return id_copy(db_col_str(cur, COL_COURSE_SEALED_ID), out, err);
}

enum footnote_rc course_need(struct tx *tx, struct str id,
                             enum member_role role, struct course_row *out,
                             struct footnote_err *err)
{
    assert(role > MEMBER_NONE);
    TRY(course_find(tx, id, out, err));
    if (!out->found || out->deleted || out->role < role)
        return err_field(err, FOOTNOTE_NOTFOUND, "course", "is not there");
    return FOOTNOTE_OK;
}

static enum footnote_rc make(struct tx *tx, struct str id, struct str title,
                             int64_t *key, struct footnote_err *err)
{
    const struct usage more = {.bytes = SQL_USAGE_COURSE};

    if (!scope_has(tx->scope, id))
        return err_field(err, FOOTNOTE_NOTFOUND, "course", "is not there");
    TRY(usage_check(tx, more, err));
    TRY(usage_add(tx, tx->account, more, err));
    TRY(key_new(tx, key, err));
    TRY(seal_new(tx, SEALED_COURSE, err, db_i64(tx->tenant), db_i64(*key)));
    return db_do(tx->db, STMT_COURSE_NEW, err, db_i64(tx->tenant), db_i64(*key),
                 db_text(id), db_i64(tx->account), db_text(title),
                 db_i64(tx->now_ms));
}

enum footnote_rc course_or_new(struct tx *tx, const struct course_named *named,
                               int64_t *out, struct footnote_err *err)
{
    struct course_row c;

    TRY(course_find(tx, named->id, &c, err));
    if (c.found && (c.deleted || c.role == MEMBER_NONE))
        return err_field(err, FOOTNOTE_NOTFOUND, "course", "is not there");
    *out = c.key;
    if (c.found)
        return FOOTNOTE_OK;
    TRY(make(tx, named->id, STR_NONE, out, err));
    return named->share == MEMBER_NONE
               ? FOOTNOTE_OK
               : member_write(tx, *out, 0, named->share, MEMBER_BY_HAND, err);
}

/* ---- course_put --------------------------------------------------------- */

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct course_put *op = arg;

    (void)tx;
    TRY(check_id(op->id, "id", err));
    TRY(check_text(op->title, STORE_TITLE_BYTES_MAX, "title", err));
    TRY(check_text(op->description, STORE_TITLE_BYTES_MAX, "description", err));
    id_or_new(op->id, op->id_text);
    return FOOTNOTE_OK;
}

/* CONFLICT unless this can be a repeat: a repeat has the same title. */
static enum footnote_rc check_same(struct tx *tx, const struct course_put *op,
                                   int64_t course, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_COURSE_GET, &cur, &row, err, db_i64(tx->account),
               db_i64(tx->tenant), db_i64(course)));
    if (row && !db_col_null(cur, COL_COURSE_SEALED_TITLE) &&
        !str_eq(db_col_str(cur, COL_COURSE_SEALED_TITLE), op->title))
        return err_field(err, FOOTNOTE_CONFLICT, "course", "id is taken");
    return FOOTNOTE_OK;
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct course_put *op = arg;
    struct course_row c;
    int64_t key;

    TRY(course_find(tx, str_c(op->id_text), &c, err));
    op->made = !c.found || tx->again;
    if (!c.found && !op->must_exist)
        return make(tx, str_c(op->id_text), op->title, &key, err);
    if (!c.found || c.deleted || c.role != MEMBER_OWNER)
        return op->must_exist
                   ? err_field(err, FOOTNOTE_NOTFOUND, "course", "is not there")
                   : err_field(err, FOOTNOTE_CONFLICT, "course", "id is taken");
    if (!op->title.p && !op->description.p && !op->has_archived)
        return FOOTNOTE_OK;
    if (op->as_new)
        TRY(check_same(tx, op, c.key, err));
    TRY(seal_open(tx, SEALED_COURSE, err, db_i64(tx->tenant), db_i64(c.key)));
    return db_do(tx->db, STMT_COURSE_CHANGE, err, db_text(op->title),
                 db_text(op->description),
                 db_i64(op->has_archived ? op->archived : -1),
                 db_i64(tx->now_ms), db_i64(tx->tenant), db_i64(c.key));
}

const struct store_op course_put_op = {put_prepare, put_run};

/* ---- course_get, course_list -------------------------------------------- */

static enum footnote_rc read_course(struct tx *tx, struct db_cur *cur,
                                    struct course *c, struct footnote_err *err)
{
    enum { OWNER = COL_COURSE_ACCOUNT_SEALED };
    enum member_role role;

    TRY(course_role_of(tx, cur, 0, COL_COURSE_ROLES, &role, err));
    TRY(seal_check_key(tx, SEALED_ACCOUNT, cur, OWNER, err, db_i64(tx->tenant),
                       db_i64(db_col_i64(cur, COL_COURSE_SEALED_OWNER))));
    *c = (struct course){
        .id = arena_str(tx->out, db_col_str(cur, COL_COURSE_SEALED_ID)),
        .title = arena_str(tx->out, db_col_str(cur, COL_COURSE_SEALED_TITLE)),
        .owner = arena_str(tx->out,
                           db_col_str(cur, OWNER + COL_ACCOUNT_SEALED_NAME)),
        .description =
            arena_str(tx->out, db_col_str(cur, COL_COURSE_SEALED_DESCRIPTION)),
        .created_ms = db_col_i64(cur, COL_COURSE_SEALED_CREATED_MS),
        .insights = !db_col_null(cur, COL_COURSE_SEALED_INSIGHTS),
        .archived_ms = db_col_i64(cur, COL_COURSE_SEALED_ARCHIVED_MS),
        .version = db_col_i64(cur, COL_COURSE_VERSION),
        .key = db_col_i64(cur, COL_COURSE_SEALED_COURSE),
        .index_version = db_col_i64(cur, COL_COURSE_INDEX_VERSION),
        .role = role};
    return arena_rc(tx->out, err);
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct course_get *op = arg;
    struct course_row c;
    bool row;

    TRY(course_need(tx, op->id, MEMBER_READER, &c, err));
    TRY(db_one(tx->db, STMT_COURSE_GET, &cur, &row, err, db_i64(tx->account),
               db_i64(tx->tenant), db_i64(c.key)));
    return row ? read_course(tx, cur, &op->course, err) : FOOTNOTE_OK;
}

const struct store_op course_get_op = {NULL, get_run};

/* *damaged rows are read beyond the limit; out: how many there were. */
static enum footnote_rc list_rows(struct tx *tx, struct course_list *op,
                                  size_t *damaged, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool confined = scope_confines(tx->scope); /* it sees some rows only */
    size_t limit = op->limit && !confined ? op->limit + *damaged : INT32_MAX;

    TRY(db_run(tx->db, STMT_COURSE_LIST, &cur, err, db_i64(tx->account),
               db_i64(tx->tenant), db_i64(op->after_key),
               db_i64((int64_t)limit)));
    op->courses = NULL;
    op->courses_n = *damaged = 0;
    for (;;) {
        struct course *c;
        enum footnote_rc rc;
        bool row;

        if (op->limit && op->courses_n == op->limit)
            return arena_rc(tx->out, err);
        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        c = list_add(tx->out, &op->courses, &op->courses_n, sizeof(*c));
        if (!c)
            return arena_rc(tx->out, err);
        rc = read_course(tx, cur, c, err);
        if (rc == FOOTNOTE_OK && c->role == MEMBER_NONE) {
            op->courses_n--;
            continue;
        }
        if (rc != FOOTNOTE_DAMAGED) {
            TRY(rc);
            continue;
        }
        op->courses_n--; /* told of; the others can be shown */
        ++*damaged;
    }
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct course_list *op = arg;
    size_t damaged = 0, before;

    do { /* again, for those that the damaged ones kept from the page */
        before = damaged;
        TRY(list_rows(tx, op, &damaged, err));
    } while (damaged > before);
    return FOOTNOTE_OK;
}

const struct store_op course_list_op = {NULL, list_run};

/* ---- course_delete ------------------------------------------------------ */

static enum footnote_rc empty_documents(struct tx *tx, int64_t course,
                                        bool redact, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t room = DOCUMENT_EMPTY_AT_ONCE;

    TRY(db_run(tx->db, STMT_COURSE_DOCUMENTS, &cur, err, db_i64(tx->tenant),
               db_i64(course)));
    for (;;) {
        int64_t key;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        key = db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT);
        if (redact)
            TRY(sources_redact(tx, key, err));
        TRY(document_empty(tx, key, &room, err));
    }
}

static enum footnote_rc bury_documents(struct tx *tx, int64_t course,
                                       bool redact, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct db_value of[] = {db_i64(tx->tenant), db_i64(course)};

    TRY(seal_open_rows(tx, SEALED_DOCUMENT, STMT_COURSE_DOCUMENTS, of, 2, err));
    TRY(db_run(tx->db, STMT_COURSE_DOCUMENTS_BURY, &cur, err,
               db_i64(tx->now_ms), db_i64(redact), db_i64(tx->tenant),
               db_i64(course)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(usage_add(tx, db_col_i64(cur, COL_COURSE_DOCUMENTS_BURY_ACCOUNT),
                      (struct usage){.documents = -1}, err));
    }
}

static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct course_delete *op = arg;
    struct course_row c;

    op->key = 0;
    TRY(course_find(tx, op->id, &c, err));
    tx->nothing = !c.found || c.deleted || c.role == MEMBER_NONE;
    if (tx->nothing)
        return FOOTNOTE_OK;
    if (c.role != MEMBER_OWNER)
        return err_field(err, FOOTNOTE_NOTFOUND, "course", "is not yours");
    op->key = c.key;
    TRY(empty_documents(tx, c.key, op->redact, err));
    TRY(snapshots_drop(tx, c.key, STR_NONE, err));
    TRY(bury_documents(tx, c.key, op->redact, err));
    TRY(seal_open(tx, SEALED_COURSE, err, db_i64(tx->tenant), db_i64(c.key)));
    TRY(db_do(tx->db, STMT_COURSE_BURY, err, db_i64(tx->now_ms),
              db_i64(tx->tenant), db_i64(c.key)));
    return docs_changed(tx, err);
}

const struct store_op course_delete_op = {NULL, delete_run};
