/* verdict_add.c - the record of a judge who looked at an answer later. */
#include "store/check.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/source/digest.h"
#include "store/source/verdicts.h"
#include "store/state.h"

static enum footnote_rc prepare(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    const struct verdict_add *op = arg;

    (void)tx;
    if (!op->judge.n || str_eq(op->judge, STR(VERDICT_JUDGE_TEXT)))
        return err_field(err, FOOTNOTE_INVALID, "judge", "is no other judge");
    return check_text(op->judge, STORE_ID_BYTES_MAX, "judge", err);
}

/* One that has got another form since has no use for the record. */
static enum footnote_rc is_as_judged(struct tx *tx,
                                     const struct verdict_add *op,
                                     const struct message_row *row, bool *same,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value values[SEAL_COLUMNS_MAX];

    TRY(message_read_row(tx, row->session, row->seq, &cur, values, err));
    *same = str_eq(db_value_str(&values[COL_MESSAGE_SEALED_DIGEST]),
                   digest_str(&op->digest));
    return FOOTNOTE_OK;
}

static enum footnote_rc run(struct tx *tx, void *arg, struct footnote_err *err)
{
    const struct verdict_add *op = arg;
    struct verdict_new v = {
        .digest = &op->digest, .judge = op->judge, .sentences = op->sentences};
    struct message_row row;
    bool same = false;

    TRY(message_find(tx, op->message, &row, err));
    if (row.found)
        TRY(is_as_judged(tx, op, &row, &same, err));
    tx->nothing = !same;
    if (!same)
        return FOOTNOTE_OK;
    /* Who reads it later has to be told, and nobody else may add one now. */
    TRY(db_do(tx->db, STMT_SESSION_CHANGED, err, db_i64(tx->tenant),
              db_i64(row.session)));
    v.session = row.session;
    v.seq = row.seq;
    return verdict_insert(tx, &v, err);
}

const struct store_op verdict_add_op = {prepare, run};
