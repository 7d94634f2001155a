/* session_row.c - sessions as rows: found, made, moved on. */
#include "store/session/session_row.h"

#include "base/utf8.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/id_cache.h"
#include "store/session/course_row.h"
#include "store/session/scope.h"
#include "store/session/session.h"
#include "store/source/binding.h"
#include "store/state.h"
#include "store/usage.h"

enum footnote_rc session_check(struct tx *tx, struct db_cur *cur,
                               struct footnote_err *err)
{
    TRY(seal_check_key(tx, SEALED_SESSION, cur, 0, err, db_i64(tx->tenant)));
    if (tx->account && tx->account != db_col_i64(cur, COL_SESSION_SEALED_OWNER))
        return damage_in_row(tx->store, SEALED_SESSION, cur, 0, err);
    return FOOTNOTE_OK;
}

enum footnote_rc session_is_outside(struct tx *tx, struct db_cur *cur,
                                    bool *out, struct footnote_err *err)
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
    TRY(session_is_outside(tx, cur, &s->deleted, err));
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

enum footnote_rc session_may_leave(struct tx *tx, const struct session_row *s,
                                   struct str course, bool *out,
                                   struct footnote_err *err)
{
    enum course_state state;

    TRY(state_of(tx, s, &state, err));
    *out = state == COURSE_DELETED && course.p;
    return FOOTNOTE_OK;
}

enum footnote_rc session_set(struct tx *tx, struct session_row *s,
                             struct str title,
                             const struct course_named *course,
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
    TRY(session_may_leave(tx, out, course, &leaves, err));
    return leaves ? session_set(tx, out, STR_NONE, &named, err)
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
