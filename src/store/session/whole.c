/* whole.c - writes a session that comes from elsewhere, all or nothing.
 *
 * Everything is given: ids, times, ordinals, marks.  So rows are inserted as
 * they will stay, and nothing of them is measured or decided here but to which
 * documents the sources belong, as with any other source that is saved. */
#include "store/session/whole.h"

#include "store/answer/event_row.h"
#include "store/session/course_row.h"
#include "store/session/feedback.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"
#include "store/session/whole_check.h"
#include "store/source/digest.h"
#include "store/strings.h"
#include "store/usage.h"

/* ---- The course ---------------------------------------------------------- */

/* One that is not there gets its title, too. */
static enum footnote_rc make_course(struct tx *tx, const struct whole *w,
                                    struct footnote_err *err)
{
    struct course_put put = {.id = w->course, .title = w->course_title};
    struct course_row c;

    if (!w->course.p || !w->course_title.p)
        return FOOTNOTE_OK;
    TRY(course_find(tx, w->course, &c, err));
    if (c.found)
        return FOOTNOTE_OK;
    TRY(OP(course_put)->prepare(tx, &put, err));
    return OP(course_put)->run(tx, &put, err);
}

/* ---- Messages ------------------------------------------------------------ */

/* In one look-up, a thousand at a time. */
static enum footnote_rc check_ids(struct tx *tx, const struct whole *w,
                                  struct footnote_err *err)
{
    enum { MANY = 1000 };
    struct str *ids = arena_many(tx->scratch, MANY, struct str);

    if (!ids)
        return arena_rc(tx->scratch, err);
    for (size_t from = 0; from < w->messages_n; from += MANY) {
        AUTO(db_end) struct db_cur *cur = NULL;
        struct str packed, id;
        size_t n = 0;
        bool row;

        for (; n < MANY && from + n < w->messages_n; n++)
            ids[n] = w->messages[from + n].id;
        TRY(strings_pack(tx, ids, n, &packed, err));
        TRY(db_one(tx->db, STMT_MESSAGE_TAKEN, &cur, &row, err,
                   db_i64(tx->tenant), db_i64(tx->account), db_text(packed)));
        if (!row)
            continue;
        id = db_col_str(cur, COL_MESSAGE_TAKEN_ID);
        return err_field(err, FOOTNOTE_CONFLICT, "message",
                         "%.*s is in another session", STR_ARG(id));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc insert_verdicts(struct tx *tx,
                                        const struct message_new *n,
                                        const struct whole_message *prepared,
                                        struct footnote_err *err)
{
    for (size_t i = 0; i < prepared->verdicts_n; i++) {
        const struct verdict_record *r = &prepared->verdicts[i];
        const struct verdict_new v = {.session = n->session,
                                      .seq = n->seq,
                                      .digest = n->digest,
                                      .judge = r->judge,
                                      .sentences = r->packed,
                                      .created_ms = r->created_ms,
                                      .first = i == 0};

        TRY(verdict_insert(tx, &v, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc insert_sources(struct tx *tx,
                                       const struct session_row *s,
                                       struct message_new *n,
                                       const struct whole_message *prepared,
                                       struct footnote_err *err)
{
    const struct new_references *list = &prepared->refs;
    enum footnote_rc rc;

    TRY(new_references_ask(tx, s->pool, list, err));
    rc = new_references_put(tx, s->pool, list, err);
    if (rc == FOOTNOTE_OK)
        rc = new_references_pack(tx, list, &n->refs, err);
    new_references_drop(list);
    TRY(rc);
    TRY(message_insert(tx, n, err));
    TRY(insert_verdicts(tx, n, prepared, err));
    return new_references_insert(tx, s->key, n->seq, list, err);
}

/* Few have any of it. */
static enum footnote_rc write_rest(struct tx *tx, const struct message_new *n,
                                   struct footnote_err *err)
{
    const struct message *m = n->m;
    struct str feedback;

    TRY(message_limit(tx, n->session, n->seq, m->scope, err));
    if (!m->late_from && !m->model.p && !m->failure.p && m->tokens_in < 0 &&
        m->tokens_out < 0 && !m->feedback_n)
        return FOOTNOTE_OK;
    TRY(feedback_pack(tx->scratch, m->feedback, m->feedback_n, &feedback, err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant),
                  db_i64(n->session), db_i64(n->seq)));
    return db_do(tx->db, STMT_MESSAGE_REST, err,
                 db_opt(m->late_from > 0, m->late_from), db_text(m->model),
                 db_text(m->failure), db_opt(m->tokens_in >= 0, m->tokens_in),
                 db_opt(m->tokens_out >= 0, m->tokens_out), db_text(feedback),
                 db_i64(tx->tenant), db_i64(n->session), db_i64(n->seq));
}

static enum footnote_rc write_message(struct tx *tx,
                                      const struct session_row *s,
                                      const struct message *m, int64_t seq,
                                      const struct whole_message *prepared,
                                      struct footnote_err *err)
{
    struct message_new n = {.m = m,
                            .id = m->id,
                            .session = s->key,
                            .seq = seq,
                            .parent = prepared->parent,
                            .digest = m->content.p ? &prepared->digest : NULL,
                            .saved = m->content.p ? &prepared->saved : NULL};

    tx->now_ms = m->created_ms;
    TRY(insert_sources(tx, s, &n, prepared, err));
    return write_rest(tx, &n, err);
}

/* All are inserted as shown. */
static enum footnote_rc write_shown(struct tx *tx, int64_t session,
                                    const struct whole *w, enum shown shown,
                                    struct footnote_err *err)
{
    int64_t *list = arena_many(tx->scratch, w->messages_n + 1, int64_t);
    struct str packed;
    size_t n = 0;

    if (!list)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < w->messages_n; i++)
        if (w->messages[i].shown == shown)
            list[n++] = (int64_t)i + 1;
    if (n == 0)
        return FOOTNOTE_OK;
    TRY(keys_pack(tx->scratch, list, n, &packed, err));
    return db_do(tx->db, STMT_MESSAGE_SHOW, err, db_i64(shown),
                 db_i64(tx->tenant), db_i64(session), db_text(packed));
}

static enum footnote_rc write_events(struct tx *tx, int64_t session,
                                     const struct whole_write *op,
                                     struct footnote_err *err)
{
    const struct whole *w = op->whole;

    for (size_t i = 0; i < w->events_n; i++) {
        const struct event *e = &w->events[i];
        const struct event_new n = {.session = session,
                                    .seq = op->prepared->events[i].question,
                                    .answer = op->prepared->events[i].answer,
                                    .id = e->id,
                                    .query = e->query,
                                    .web = e->web,
                                    .has_low_confidence = e->has_low_confidence,
                                    .low_confidence = e->low_confidence};

        tx->now_ms = e->created_ms;
        TRY(event_insert_packed(tx, &n, e->numbers, e->coverage, err));
    }
    return FOOTNOTE_OK;
}

/* ---- All of it ----------------------------------------------------------- */

static enum footnote_rc prepare(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct whole_write *op = arg;

    return whole_check(tx, op->whole, op->trusted, &op->prepared, err);
}

static enum footnote_rc write_all(struct tx *tx, const struct whole_write *op,
                                  struct footnote_err *err)
{
    const struct whole *w = op->whole;
    const struct session_new n = {.id = w->id,
                                  .title = w->title,
                                  .course = {.id = w->course},
                                  .created_ms = w->created_ms};
    struct session_row s;

    tx->now_ms = w->created_ms;
    TRY(check_ids(tx, w, err));
    TRY(make_course(tx, w, err));
    TRY(session_make(tx, &n, &s, err));
    for (size_t i = 0; i < w->messages_n; i++)
        TRY(write_message(tx, &s, &w->messages[i], (int64_t)i + 1,
                          &op->prepared->messages[i], err));
    TRY(write_shown(tx, s.key, w, SHOWN_OFF, err));
    TRY(write_shown(tx, s.key, w, SHOWN_LEFT, err));
    TRY(write_events(tx, s.key, op, err));
    return db_do(tx->db, STMT_SESSION_FILLED, err,
                 db_i64((int64_t)w->messages_n), db_i64(w->active_ms),
                 db_i64(tx->tenant), db_i64(s.key));
}

static int64_t bytes_of(const struct whole *w)
{
    size_t n = w->title.n;

    for (size_t i = 0; i < w->messages_n; i++)
        n += w->messages[i].content.n;
    for (size_t i = 0; i < w->events_n; i++)
        n += w->events[i].query.n;
    return (int64_t)n + 1;
}

static enum footnote_rc run(struct tx *tx, void *arg, struct footnote_err *err)
{
    struct whole_write *op = arg;
    const struct whole *w = op->whole;
    int64_t now_ms = tx->now_ms;
    struct session_row s;
    enum footnote_rc rc;

    TRY(session_find(tx, w->id, &s, err));
    if (s.deleted)
        TRY(session_confined(tx, w->course, err));
    if (s.deleted)
        return err_field(err, FOOTNOTE_NOTFOUND, "session", "was deleted");
    if (s.found && tx->again && s.last_seq == (int64_t)w->messages_n)
        return FOOTNOTE_OK; /* the commit that was lost came through */
    if (s.found)
        return err_field(err, FOOTNOTE_CONFLICT, "session", "is there");
    TRY(usage_check(tx, (struct usage){.bytes = bytes_of(w)}, err));
    rc = write_all(tx, op, err);
    tx->now_ms = now_ms;
    if (rc != FOOTNOTE_OK || !op->dry)
        return rc;
    op->taken_back = true;
    return err_set(err, FOOTNOTE_CONFLICT, "a dry run");
}

const struct store_op whole_write_op = {prepare, run};
