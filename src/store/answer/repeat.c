/* repeat.c - was this question asked before?
 *
 * A client whose reply was lost asks again.  The same id with the same content
 * is the same question, and its answer is the answer. */
#include "store/answer/answer.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/source/digest.h"
#include "store/source/reference.h"

static enum footnote_rc repeat_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct new_references none = {.n = 0};
    struct answer_repeat *op = arg;
    struct message q = op->question;

    (void)tx;
    op->same = false;
    q.role = FOOTNOTE_USER;
    q.status = FOOTNOTE_COMPLETE;
    TRY(sha256_open(&c, err));
    request_digest(c, &q, &none, &op->saved);
    return FOOTNOTE_OK;
}

static enum footnote_rc by_answer(struct tx *tx, struct answer_repeat *op,
                                  struct footnote_err *err)
{
    struct message_row row;

    TRY(message_find(tx, op->answer, &row, err));
    op->same = row.found;
    op->status = row.status;
    op->answer_id = arena_str(tx->out, op->answer);
    return arena_rc(tx->out, err);
}

static enum footnote_rc by_question(struct tx *tx, struct answer_repeat *op,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct message_row row;
    bool found;

    if (!op->question.id.p)
        return FOOTNOTE_OK;
    TRY(message_find(tx, op->question.id, &row, err));
    if (!row.found || !row.has_saved || !sha256_eq(&row.saved, &op->saved))
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_ANSWER_TO, &cur, &found, err, db_i64(tx->tenant),
               db_i64(row.session), db_i64(row.seq)));
    if (!found)
        return FOOTNOTE_OK;
    op->same = true;
    op->answer_id = arena_str(tx->out, db_col_str(cur, COL_ANSWER_TO_ID));
    op->status = (enum footnote_status)db_col_i64(cur, COL_ANSWER_TO_STATUS);
    return arena_rc(tx->out, err);
}

static enum footnote_rc repeat_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct answer_repeat *op = arg;

    return op->answer.p ? by_answer(tx, op, err) : by_question(tx, op, err);
}

const struct store_op answer_repeat_op = {repeat_prepare, repeat_run};
