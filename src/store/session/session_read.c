/* session_read.c - sessions for readers: one, and lists. */
#include "store/session/session.h"

#include "store/check.h"
#include "store/damage.h"
#include "store/id_cache.h"
#include "store/list.h"
#include "store/read/history.h"
#include "store/session/course_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"

static enum footnote_rc read_session(struct tx *tx, struct db_cur *cur,
                                     struct session *s,
                                     struct footnote_err *err)
{
    enum { COURSE = COL_SESSION_COURSE_SEALED };
    bool free = db_col_null(cur, COL_SESSION_SEALED_COURSE);
    int64_t course = db_col_i64(cur, COL_SESSION_SEALED_COURSE);

    TRY(session_check(tx, cur, err));
    if (!free)
        TRY(seal_check_key(tx, SEALED_COURSE, cur, COURSE, err,
                           db_i64(tx->tenant), db_i64(course)));
    if (scope_confines(tx->scope) &&
        (free ||
         !scope_has(tx->scope, db_col_str(cur, COURSE + COL_COURSE_SEALED_ID))))
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    *s = (struct session){
        .key = db_col_i64(cur, COL_SESSION_SEALED_SESSION),
        .id = arena_str(tx->out, db_col_str(cur, COL_SESSION_SEALED_ID)),
        .course =
            arena_str(tx->out, db_col_str(cur, COURSE + COL_COURSE_SEALED_ID)),
        .title = arena_str(tx->out, db_col_str(cur, COL_SESSION_SEALED_TITLE)),
        .created_ms = db_col_i64(cur, COL_SESSION_SEALED_CREATED_MS),
        .active_ms = db_col_i64(cur, COL_SESSION_ACTIVE_MS),
        .version = db_col_i64(cur, COL_SESSION_VERSION),
        .running = db_col_i64(cur, COL_SESSION_RUNNING) != 0,
        .pool = free ? tx->account : course};
    return arena_rc(tx->out, err);
}

enum footnote_rc session_open_ask(struct tx *tx, struct str id,
                                  struct db_cur **cur, struct footnote_err *err)
{
    if (!id_can_be(id))
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    return db_run(tx->db, STMT_SESSION_OPEN, cur, err, db_text(tx->who.user),
                  db_text(id), db_text(tx->who.tenant));
}

enum footnote_rc session_open_answer(struct tx *tx, struct db_cur *cur,
                                     struct history *op, enum member_role *role,
                                     struct footnote_err *err)
{
    bool row;

    TRY(db_next(cur, &row, err));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(who_check(tx, tx->who, cur, COL_SESSION_OPEN_TENANT_SEALED,
                  COL_SESSION_OPEN_ACCOUNT_SEALED, err));
    tx->docs_version = db_col_i64(cur, COL_SESSION_OPEN_DOCS_VERSION);
    TRY(read_session(tx, cur, &op->head, err));
    if (!str_eq(op->head.id, op->session))
        return damage_in_row(tx->store, SEALED_SESSION, cur, 0, err);
    op->head.last_seq = db_col_i64(cur, COL_SESSION_OPEN_LAST_SEQ);
    op->versions = (struct versions){
        .session = op->head.id,
        .session_version = op->head.version,
        .course_version = db_col_i64(cur, COL_SESSION_OPEN_COURSE_VERSION),
        .docs_version = tx->docs_version};
    *role = MEMBER_NONE;
    if (!op->head.course.p)
        return FOOTNOTE_OK;
    return course_role_of(tx, cur, COL_SESSION_COURSE_SEALED,
                          COL_SESSION_OPEN_OWN_ROLE, role, err);
}

enum footnote_rc session_read(struct tx *tx, struct str id, struct session *out,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row = false;

    if (id_can_be(id))
        TRY(db_one(tx->db, STMT_SESSION_GET, &cur, &row, err,
                   db_i64(tx->tenant), db_i64(tx->account), db_text(id)));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    return read_session(tx, cur, out, err);
}

enum footnote_rc session_id_of(struct tx *tx, int64_t key, struct str *out,
                               struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row, outside;

    *out = STR_NONE;
    TRY(seal_read(tx, SEALED_SESSION, &cur, &row, err, db_i64(tx->tenant),
                  db_i64(key)));
    if (!row)
        return FOOTNOTE_OK;
    TRY(session_check(tx, cur, err));
    TRY(session_is_outside(tx, cur, &outside, err));
    if (outside)
        return FOOTNOTE_OK;
    *out = arena_str(tx->out, db_col_str(cur, COL_SESSION_SEALED_ID));
    return arena_rc(tx->out, err);
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct session_get *op = arg;

    return session_read(tx, op->id, &op->session, err);
}

const struct store_op session_get_op = {NULL, get_run};

/* *damaged rows are read beyond the limit; out: how many there were. */
static enum footnote_rc list_rows(struct tx *tx, struct session_list *op,
                                  int64_t course, size_t *damaged,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    /* A key that is confined sees some of the rows only. */
    size_t limit = scope_confines(tx->scope) ? INT32_MAX : op->limit + *damaged;
    bool first = op->before_active_ms == 0 && op->before_key == 0;

    TRY(db_run(tx->db, STMT_SESSION_LIST, &cur, err, db_i64(tx->tenant),
               db_i64(tx->account),
               db_i64(first ? INT64_MAX : op->before_active_ms),
               db_i64(first ? INT32_MAX : op->before_key), db_i64(course),
               db_i64((int64_t)limit)));
    op->sessions = NULL;
    op->sessions_n = *damaged = 0;
    for (;;) {
        struct session *s;
        enum footnote_rc rc;
        bool row;

        if (op->sessions_n == op->limit)
            return arena_rc(tx->out, err);
        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        s = list_add(tx->out, &op->sessions, &op->sessions_n, sizeof(*s));
        if (!s)
            return arena_rc(tx->out, err);
        rc = read_session(tx, cur, s, err);
        if (rc == FOOTNOTE_NOTFOUND) { /* outside of the asker's key */
            op->sessions_n--;
            continue;
        }
        if (rc != FOOTNOTE_DAMAGED) {
            TRY(rc);
            continue;
        }
        op->sessions_n--; /* told of; the others can be shown */
        ++*damaged;
    }
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct session_list *op = arg;
    struct course_row c = {.key = 0};
    size_t damaged = 0, before;

    op->sessions = NULL;
    op->sessions_n = 0;
    if (op->limit == 0)
        op->limit = INT32_MAX;
    if (op->course.p) {
        TRY(course_find(tx, op->course, &c, err));
        if (!c.found)
            return FOOTNOTE_OK;
    }
    do { /* again, for those that the damaged ones kept from the page */
        before = damaged;
        TRY(list_rows(tx, op, c.key, &damaged, err));
    } while (damaged > before);
    return FOOTNOTE_OK;
}

const struct store_op session_list_op = {NULL, list_run};
