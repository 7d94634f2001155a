/* message_cite.c - sources for messages, also for those that are yet to come.
 */

#include "store/check.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"
#include "store/usage.h"

static enum footnote_rc cite_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct message_cite *op = arg;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    if (!op->message.p)
        return err_field(err, FOOTNOTE_INVALID, "message", "is missing");
    TRY(check_id(op->message, "message", err));
    TRY(check_id(op->session, "session", err));
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, op->sources, op->sources_n, &r->fresh, err));
    op->prepared = r;
    return FOOTNOTE_OK;
}

/* Makes the row of a message that is yet to come. */
static enum footnote_rc make_placeholder(struct tx *tx, struct str session,
                                         struct str id, enum footnote_role role,
                                         struct session_row *s, int64_t *seq,
                                         struct footnote_err *err)
{
    struct message m = {.role = role};
    struct message_new n = {.m = &m, .id = id};

    if (!session.p)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    TRY(session_need(tx, session, STR_NONE, s, err));
    TRY(session_next(tx, s, STR_NONE, seq, err));
    n.session = s->key;
    n.seq = *seq;
    TRY(message_place(tx, PARENT_LAST, &n, err));
    return message_insert(tx, &n, err);
}

enum footnote_rc message_need(struct tx *tx, struct str session, struct str id,
                              enum footnote_role role, struct session_row *s,
                              struct message_row *row, struct footnote_err *err)
{
    TRY(message_find(tx, id, row, err));
    if (!row->found || row->status != FOOTNOTE_STREAMING)
        TRY(usage_check(tx, (struct usage){.bytes = 1}, err));
    if (!row->found) {
        row->role = role;
        return make_placeholder(tx, session, id, role, s, &row->seq, err);
    }
    TRY(session_of(tx, row->session, s, err));
    if (s->deleted && session.p)
        TRY(session_confined(tx, STR_NONE, err));
    if (s->deleted && scope_confines(tx->scope))
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    if (session.p) {
        struct session_row asked;

        TRY(session_find(tx, session, &asked, err));
        if (!asked.found || asked.key != row->session)
            return err_field(err, FOOTNOTE_CONFLICT, "message",
                             "is in another session");
    }
    if (row->role != role)
        return err_field(err, FOOTNOTE_INVALID, "message", "has another role");
    TRY(session_may_write(tx, s, err));
    return session_touch(tx, s->key, err);
}

static enum footnote_rc cite_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct message_cite *op = arg;
    struct new_references there, whole;
    struct session_row s;
    struct message_row row;

    TRY(message_need(tx, op->session, op->message, FOOTNOTE_ASSISTANT, &s, &row,
                     err));
    TRY(new_references_load(tx, s.key, row.seq, &there, err));
    TRY(new_references_number(tx, &there, &op->prepared->fresh, 1, &whole,
                              err));
    if (row.has_content && row.status != FOOTNOTE_STREAMING)
        TRY(message_remark(tx, s.key, row.seq, &whole, err));
    TRY(new_references_store(tx, s.key, row.seq, s.pool, &whole, err));
    new_references_numbers(&op->prepared->fresh, op->numbers);
    return FOOTNOTE_OK;
}

const struct store_op message_cite_op = {cite_prepare, cite_run};
