/* session.c - sessions: make, find, list, set, delete. */
#include "store/session/session.h"
#include "base/utf8.h"
#include "store/answer/lease.h"
#include "store/answer/word_log.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/id_cache.h"
#include "store/list.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"
#include "store/source/binding.h"
#include "store/source/digest.h"
#include "store/source/refs.h"
#include "store/state.h"
#include "store/usage.h"

/* That a row is the asker's, as it was sealed. */
static enum footnote_rc session_check(struct tx *tx, struct db_cur *cur,
                                      struct footnote_err *err)
{
    TRY(seal_check_key(tx, SEALED_SESSION, cur, 0, err, db_i64(tx->tenant)));
    if (tx->account && tx->account != db_col_i64(cur, COL_SESSION_SEALED_OWNER))
        return damage_in_row(tx->store, SEALED_SESSION, cur, 0, err);
    return FOOTNOTE_OK;
}

/* Whether the asker's key is for other courses than that of this row. */
static enum footnote_rc is_outside(struct tx *tx, struct db_cur *cur, bool *out,
                                   struct footnote_err *err)
{
    char course[STORE_ID_BYTES_MAX + 1];

    *out = scope_confines(tx->scope);
    if (!*out || db_col_null(cur, COL_SESSION_SEALED_COURSE))
        return FOOTNOTE_OK;
    TRY(course_id_of(tx, db_col_i64(cur, COL_SESSION_SEALED_COURSE), course,
                     err));
    *out = !scope_has(tx->scope, str_c(course));
    return FOOTNOTE_OK;
}

static enum footnote_rc read_row(struct tx *tx, struct db_cur *cur,
                                 struct session_row *s,
                                 struct footnote_err *err)
{
    TRY(session_check(tx, cur, err));
    s->key = db_col_i64(cur, COL_SESSION_SEALED_SESSION);
    s->pool = db_col_null(cur, COL_SESSION_SEALED_COURSE)
                  ? tx->account
                  : db_col_i64(cur, COL_SESSION_SEALED_COURSE);
    s->last_seq = db_col_i64(cur, COL_SESSION_ROW_LAST_SEQ);
    TRY(is_outside(tx, cur, &s->deleted, err));
    s->deleted |= !db_col_null(cur, COL_SESSION_SEALED_DELETED_MS);
    s->has_title = !db_col_null(cur, COL_SESSION_SEALED_TITLE);
    tx->has_used = true;
    tx->used = (struct usage){
        .bytes = db_col_i64(cur, COL_SESSION_ROW_BYTES),
        .source_bytes = db_col_i64(cur, COL_SESSION_ROW_SOURCE_BYTES),
        .documents = db_col_i64(cur, COL_SESSION_ROW_DOCUMENTS),
        .sessions = db_col_i64(cur, COL_SESSION_ROW_SESSIONS)};
    tx->docs_version = db_col_i64(cur, COL_SESSION_ROW_DOCS_VERSION);
    return FOOTNOTE_OK;
}

enum footnote_rc session_ask(struct tx *tx, struct str id, struct db_cur **cur,
                             struct footnote_err *err)
{
    return db_run(tx->db, STMT_SESSION_FIND, cur, err, db_i64(tx->tenant),
                  db_i64(tx->account), db_text(id));
}

enum footnote_rc session_answer(struct tx *tx, struct db_cur *cur,
                                struct session_row *out,
                                struct footnote_err *err)
{
    *out = (struct session_row){.found = false};
    TRY(db_next(cur, &out->found, err));
    return out->found ? read_row(tx, cur, out, err) : FOOTNOTE_OK;
}

enum footnote_rc session_find(struct tx *tx, struct str id,
                              struct session_row *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct session_row){.found = false};
    if (!id_can_be(id))
        return FOOTNOTE_OK;
    TRY(session_ask(tx, id, &cur, err));
    return session_answer(tx, cur, out, err);
}

enum footnote_rc session_of(struct tx *tx, int64_t key, struct session_row *out,
                            struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *out = (struct session_row){.found = false};
    TRY(db_one(tx->db, STMT_SESSION_OF, &cur, &out->found, err,
               db_i64(tx->tenant), db_i64(key)));
    return out->found ? read_row(tx, cur, out, err) : FOOTNOTE_OK;
}

enum footnote_rc session_confined(const struct tx *tx, struct str course,
                                  struct footnote_err *err)
{
    if (scope_confines(tx->scope) && !course.p)
        return err_field(err, FOOTNOTE_INVALID, "courseId",
                         "this key is for certain courses: name one of them");
    return FOOTNOTE_OK;
}

enum footnote_rc session_make(struct tx *tx, const struct session_new *n,
                              struct session_row *out, struct footnote_err *err)
{
    const struct usage more = {.bytes = SQL_USAGE_SESSION, .sessions = 1};
    bool has_course = n->course.id.p != NULL;
    int64_t course_key = 0;

    TRY(session_confined(tx, n->course.id, err));
    TRY(usage_check(tx, more, err));
    TRY(usage_add(tx, tx->account, more, err));
    if (has_course)
        TRY(course_or_new(tx, &n->course, &course_key, err));
    TRY(key_new(tx, &out->key, err));
    out->pool = has_course ? course_key : tx->account;
    out->found = true;
    out->has_title = n->title.p != NULL;
    tx->docs_version = -1; /* not asked for yet */
    TRY(seal_new(tx, SEALED_SESSION, err, db_i64(tx->tenant),
                 db_i64(out->key)));
    return db_do(tx->db, STMT_SESSION_NEW, err, db_i64(tx->tenant),
                 db_i64(out->key), db_i64(tx->account), db_text(n->id),
                 db_opt(has_course, course_key), db_text(n->title),
                 db_i64(n->created_ms ? n->created_ms : tx->now_ms));
}

static enum footnote_rc state_of(struct tx *tx, const struct session_row *s,
                                 enum course_state *out,
                                 struct footnote_err *err)
{
    *out = COURSE_OPEN;
    if (s->pool == tx->account)
        return FOOTNOTE_OK;
    return course_state_now(tx, s->pool, out, err);
}

enum footnote_rc session_may_write(struct tx *tx, const struct session_row *s,
                                   struct footnote_err *err)
{
    enum course_state state;

    if (s->deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(state_of(tx, s, &state, err));
    if (state != COURSE_OPEN)
        return err_field(err, FOOTNOTE_NOTFOUND, "course", "is not there");
    return FOOTNOTE_OK;
}

/* Whether the session can go from a course that was deleted to this one. */
static enum footnote_rc may_leave(struct tx *tx, const struct session_row *s,
                                  struct str course, bool *out,
                                  struct footnote_err *err)
{
    enum course_state state;

    TRY(state_of(tx, s, &state, err));
    *out = state == COURSE_DELETED && course.p;
    return FOOTNOTE_OK;
}

static enum footnote_rc set(struct tx *tx, struct session_row *s,
                            struct str title, const struct course_named *course,
                            struct footnote_err *err)
{
    if (course->id.p)
        TRY(course_or_new(tx, course, &s->pool, err));
    TRY(seal_open(tx, SEALED_SESSION, err, db_i64(tx->tenant), db_i64(s->key)));
    return db_do(tx->db, STMT_SESSION_SET, err, db_text(title),
                 db_opt(course->id.p != NULL, s->pool), db_i64(tx->tenant),
                 db_i64(s->key));
}

enum footnote_rc session_need(struct tx *tx, struct str id, struct str course,
                              struct session_row *out, struct footnote_err *err)
{
    const struct course_named named = {.id = course};
    bool leaves;

    TRY(session_find(tx, id, out, err));
    if (out->deleted)
        TRY(session_confined(tx, course, err)); /* as if it were not there */
    if (out->deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "was deleted");
    if (!out->found)
        return session_make(
            tx, &(struct session_new){.id = id, .course = named}, out, err);
    TRY(may_leave(tx, out, course, &leaves, err));
    return leaves ? set(tx, out, STR_NONE, &named, err)
                  : session_may_write(tx, out, err);
}

enum footnote_rc session_next_ask(struct tx *tx, const struct session_row *s,
                                  struct str title, struct db_cur **cur,
                                  struct footnote_err *err)
{
    if (s->has_title)
        title = STR_NONE;
    if (title.p)
        TRY(seal_open(tx, SEALED_SESSION, err, db_i64(tx->tenant),
                      db_i64(s->key)));
    return db_run(tx->db, STMT_SESSION_NEXT, cur, err, db_i64(tx->now_ms),
                  db_text(title), db_i64(tx->tenant), db_i64(s->key));
}

/* An engine with one writer returns no row: the session's row is as this
 * transaction has read it. */
enum footnote_rc session_next_answer(struct tx *tx, struct db_cur *cur,
                                     struct session_row *s, int64_t *seq,
                                     struct footnote_err *err)
{
    bool row, told = db_has_rival_writers(tx->db);

    TRY(db_next(cur, &row, err));
    if (told ? !row : s->deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "was deleted");
    s->last_seq =
        told ? db_col_i64(cur, COL_SESSION_NEXT_LAST_SEQ) : s->last_seq + 1;
    *seq = s->last_seq;
    return FOOTNOTE_OK;
}

enum footnote_rc session_next(struct tx *tx, struct session_row *s,
                              struct str title, int64_t *seq,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(session_next_ask(tx, s, title, &cur, err));
    return session_next_answer(tx, cur, s, seq, err);
}

enum footnote_rc session_touch(struct tx *tx, int64_t session,
                               struct footnote_err *err)
{
    return db_do(tx->db, STMT_SESSION_TOUCH, err, db_i64(tx->now_ms),
                 db_i64(tx->tenant), db_i64(session));
}

enum footnote_rc session_title(struct tx *tx, int64_t session, struct str title,
                               struct footnote_err *err)
{
    if (!title.p)
        return FOOTNOTE_OK;
    TRY(seal_open(tx, SEALED_SESSION, err, db_i64(tx->tenant),
                  db_i64(session)));
    return db_do(tx->db, STMT_SESSION_TITLE, err, db_text(title),
                 db_i64(tx->tenant), db_i64(session));
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str title_of(const struct message *m)
{
    struct str s = m->content;

    if (m->role != FOOTNOTE_USER || !s.p)
        return STR_NONE;
    while (s.n && is_blank(*s.p))
        s = str_skip(s, 1);
    s.n = str_find(s, '\n');
    s = utf8_cut(s, STORE_TITLE_CHARS);
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s.n ? s : STR_NONE;
}

/* ---- session_put -------------------------------------------------------- */

/* Clocks of clients go wrong; a session of the far future would stay the first
 * of every list. */
enum { AHEAD_MS_MAX = 24 * 3600 * 1000 };

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct session_put *op = arg;

    TRY(check_id(op->id, "id", err));
    TRY(check_id(op->course, "courseId", err));
    TRY(check_text(op->title, STORE_TITLE_BYTES_MAX, "title", err));
    TRY(check_id(op->shown, "shown", err));
    if (op->created_ms < 0 || op->created_ms > tx->now_ms + AHEAD_MS_MAX)
        return err_field(err, FOOTNOTE_INVALID, "createdAt",
                         "is before 1970, or more than a day from now");
    id_or_new(op->id, op->id_text);
    return FOOTNOTE_OK;
}

/* CONFLICT unless this can be a repeat: a repeat brings nothing else. */
static enum footnote_rc check_same(struct tx *tx, const struct session_put *op,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct str course, title;
    bool row;

    TRY(db_one(tx->db, STMT_SESSION_GET, &cur, &row, err, db_i64(tx->tenant),
               db_i64(tx->account), db_text(str_c(op->id_text))));
    if (!row)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(seal_check(tx, SEALED_SESSION, cur, 0, err));
    TRY(seal_check(tx, SEALED_COURSE, cur, COL_SESSION_COURSE_SEALED, err));
    course = db_col_str(cur, COL_SESSION_COURSE_SEALED + COL_COURSE_SEALED_ID);
    title = db_col_str(cur, COL_SESSION_SEALED_TITLE);
    if ((op->course.p && course.p && !str_eq(op->course, course)) ||
        (op->title.p && title.p && !str_eq(op->title, title)) ||
        (op->created_ms &&
         op->created_ms != db_col_i64(cur, COL_SESSION_SEALED_CREATED_MS)))
        return err_field(err, FOOTNOTE_CONFLICT, "session",
                         "is there with another title, course or createdAt");
    return FOOTNOTE_OK;
}

/* What was retrieved for a question is marked where the answer that is shown
 * cites it. */
static enum footnote_rc mark_shown(struct tx *tx, int64_t session,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_ANSWERS_BORROWING, &cur, err, db_i64(tx->tenant),
               db_i64(session)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(mark_borrowed(tx, session,
                          db_col_i64(cur, COL_ANSWERS_BORROWING_SEQ),
                          db_col_str(cur, COL_ANSWERS_BORROWING_CONTENT), err));
    }
}

/* The session's row is locked by then.  An answer that runs stays on the path
 * that is shown. */
static enum footnote_rc show(struct tx *tx, struct str message, int64_t session,
                             struct footnote_err *err)
{
    struct message_row row;

    TRY(message_find(tx, message, &row, err));
    if (!row.found || row.session != session)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (row.shown == SHOWN_ON)
        return FOOTNOTE_OK;
    TRY(lease_none(tx, session, err));
    TRY(path_show(tx, session, row.seq, err));
    return mark_shown(tx, session, err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct session_put *op = arg;
    const struct course_named course = {op->course, op->share};
    struct session_row s;
    bool leaves;

    TRY(session_find(tx, str_c(op->id_text), &s, err));
    if (s.deleted && !op->must_exist)
        TRY(session_confined(tx, op->course,
                             err)); /* as if it were not there */
    if (s.deleted || (op->must_exist && !s.found))
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    op->made = !s.found || tx->again;
    if (!s.found && op->shown.p)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (!s.found)
        return session_make(tx,
                            &(struct session_new){.id = str_c(op->id_text),
                                                  .title = op->title,
                                                  .course = course,
                                                  .created_ms = op->created_ms},
                            &s, err);
    if (op->as_new)
        TRY(check_same(tx, op, err));
    TRY(may_leave(tx, &s, op->course, &leaves, err));
    if (!leaves)
        TRY(session_may_write(tx, &s, err));
    if (!op->title.p && !op->course.p && !op->shown.p)
        return FOOTNOTE_OK;
    TRY(set(tx, &s, op->title, &course, err));
    return op->shown.p ? show(tx, op->shown, s.key, err) : FOOTNOTE_OK;
}

const struct store_op session_put_op = {put_prepare, put_run};

/* ---- session_get, session_list ------------------------------------------ */

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
    TRY(is_outside(tx, cur, &outside, err));
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

/* ---- session_delete, session_clear -------------------------------------- */

static enum footnote_rc delete_rows(struct tx *tx, const enum stmt_id *stmts,
                                    size_t n, int64_t session,
                                    struct footnote_err *err)
{
    for (size_t i = 0; i < n; i++)
        TRY(db_do(tx->db, stmts[i], err, db_i64(tx->tenant), db_i64(session)));
    return FOOTNOTE_OK;
}

/* References that cannot be read are skipped: a damaged session can be
 * deleted too. */
static enum footnote_rc delete_way_back(struct tx *tx, int64_t session,
                                        struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(0)));
    for (;;) {
        struct refs refs;
        struct ref r;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (refs_begin(&refs, db_col_str(cur, COL_REFS_FROM_REFS), NULL) !=
            FOOTNOTE_OK)
            continue;
        while (refs.n && refs_next(&refs, &r, NULL) == FOOTNOTE_OK)
            TRY(db_do(tx->db, STMT_REFS_DELETE, err, db_i64(tx->tenant),
                      db_i64(r.source), db_i64(session)));
    }
}

static enum footnote_rc delete_lease(struct tx *tx, int64_t session,
                                     struct footnote_err *err)
{
    int64_t rows;

    TRY(db_change(tx->db, STMT_SESSION_LEASE_DELETE, &rows, err,
                  db_i64(tx->tenant), db_i64(session)));
    if (rows)
        word_log_forget(tx->store->word_log);
    return FOOTNOTE_OK;
}

/* What is about to be deleted counts no more. */
static enum footnote_rc uncount(struct tx *tx, enum stmt_id bytes_of,
                                int64_t session, int64_t sessions,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct usage less = {.sessions = -sessions};
    bool row;

    TRY(db_one(tx->db, bytes_of, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session)));
    if (row)
        less.bytes = -db_col_i64(cur, COL_SESSION_BYTES_BYTES);
    return usage_add(tx, tx->account, less, err);
}

/* Lease and session row come first, in the order in which answers take them:
 * then nobody adds to what is deleted.  The second delete_lease() is for a
 * lease that was made in between. */
static enum footnote_rc delete_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    static const enum stmt_id rest[] = {
        STMT_SESSION_EVENTS_DELETE, STMT_SESSION_VERDICTS_DELETE,
        STMT_SESSION_TEXT_DELETE, STMT_SESSION_MESSAGES_DELETE};
    struct session_delete *op = arg;
    struct session_row s;
    int64_t buried;

    TRY(session_find(tx, op->id, &s, err));
    tx->nothing = !s.found || s.deleted;
    if (tx->nothing)
        return FOOTNOTE_OK;
    TRY(delete_lease(tx, s.key, err));
    TRY(seal_open(tx, SEALED_SESSION, err, db_i64(tx->tenant), db_i64(s.key)));
    TRY(db_change(tx->db, STMT_SESSION_BURY, &buried, err, db_i64(tx->now_ms),
                  db_i64(tx->tenant), db_i64(s.key)));
    tx->nothing = buried == 0; /* another node was faster */
    if (tx->nothing)
        return FOOTNOTE_OK;
    TRY(uncount(tx, STMT_SESSION_BYTES, s.key, 1, err));
    TRY(delete_way_back(tx, s.key, err));
    TRY(delete_lease(tx, s.key, err));
    return delete_rows(tx, rest, sizeof(rest) / sizeof(rest[0]), s.key, err);
}

const struct store_op session_delete_op = {NULL, delete_run};

/* Digests cover sources, so they are made anew without them. */
static enum footnote_rc redigest(struct tx *tx, int64_t session,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_MESSAGE_REDIGEST_ALL, &cur, err, db_i64(tx->tenant),
               db_i64(session)));
    for (;;) {
        struct sha256 digest;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        message_digest(
            tx->store->hasher,
            (enum footnote_role)db_col_i64(cur, COL_MESSAGE_REDIGEST_ALL_ROLE),
            db_col_str(cur, COL_MESSAGE_REDIGEST_ALL_CONTENT), &digest, NULL,
            0);
        TRY(db_do(tx->db, STMT_MESSAGE_REDIGEST, err,
                  db_blob(digest_str(&digest)), db_i64(tx->tenant),
                  db_i64(session),
                  db_i64(db_col_i64(cur, COL_MESSAGE_REDIGEST_ALL_SEQ))));
    }
}

static enum footnote_rc clear_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    static const enum stmt_id all[] = {STMT_REFS_CLEAR,
                                       STMT_SESSION_EVENTS_DELETE,
                                       STMT_SESSION_VERDICTS_DELETE};
    struct session_clear *op = arg;
    struct session_row s;

    TRY(session_find(tx, op->id, &s, err));
    if (!s.found || s.deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "is not there");
    TRY(session_touch(tx, s.key, err));
    TRY(seal_open_rows(tx, SEALED_MESSAGE, STMT_MESSAGES_OF,
                       (struct db_value[]){db_i64(tx->tenant), db_i64(s.key)},
                       2, err));
    TRY(uncount(tx, STMT_SESSION_EVENTS_BYTES, s.key, 0, err));
    TRY(delete_way_back(tx, s.key, err));
    TRY(delete_rows(tx, all, sizeof(all) / sizeof(all[0]), s.key, err));
    return redigest(tx, s.key, err);
}

const struct store_op session_clear_op = {NULL, clear_run};
